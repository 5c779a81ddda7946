//! Any one-step method, kept on the constraints.

use super::{Estimate, Method, Pace, Trial};
use crate::constraint::Projection;
use crate::dense::Interpolant;
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::State;
use nalgebra::SVector;

/// A method whose every step ends on the constraints: its result is projected, positions onto g = 0, then velocities onto
/// the hidden constraint, by the least change.
///
/// For methods that keep (q, v) between steps. The order is the method's own, since the projection moves the result by no
/// more than its error; the error estimate is the method's own too. It is not symmetric nor symplectic, whatever the method
/// is. The interpolant is the method's own, bent by the projection's change so that it joins the projected ends; between them
/// it is off the constraints by its own error, and
/// [`Solution::sample_on`](crate::solution::Solution::sample_on) projects a sample where that matters. The next step starts
/// with an acceleration at the projected state: no last stage is taken over. Newton steps count as `iterations`. Source: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical Integration*, 2nd ed., IV.4, algorithm 4.2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projected<M, R: Real, const N: usize> {
    method: M,
    projection: Projection<R, N>,
}

impl<M, R: Real, const N: usize> Projected<M, R, N> {
    /// `method` with a projection that treats all coordinates alike: of the changes δ that meet the constraints, the one of
    /// least Σ δᵢ². Where some coordinates are lengths and others angles, this counts a metre as a radian, and the result
    /// depends on the unit of length; [`Projected::with_projection`] takes a projection with [mobilities](Projection::mobilities) in the
    /// coordinates' units.
    pub fn new(method: M) -> Self {
        Self { method, projection: Projection::default() }
    }

    /// The same method with a projection of its own mobilities.
    #[must_use]
    pub fn with_projection(self, projection: Projection<R, N>) -> Self {
        Self { projection, ..self }
    }
}

impl<M, R, const N: usize, const C: usize> Method<R, N, C> for Projected<M, R, N>
where
    M: Method<R, N, C>,
    R: Real,
{
    type Memory = M::Memory;
    type Workspace = M::Workspace;

    const ADAPTIVE: bool = M::ADAPTIVE;

    fn name(&self) -> &'static str {
        self.method.name()
    }

    fn order(&self) -> u32 {
        self.method.order()
    }

    fn error_power(&self) -> u32 {
        self.method.error_power()
    }

    fn workspace(&self) -> Self::Workspace {
        self.method.workspace()
    }

    #[inline]
    fn pace(&self) -> Pace<R> {
        self.method.pace()
    }

    #[inline(always)]
    fn judges_interpolants(&self) -> bool {
        self.method.judges_interpolants()
    }

    #[inline]
    fn start<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        self.method.start(evaluator, state)
    }

    #[inline]
    fn refresh<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        // What the last step left belongs to its end before the projection: no acceleration of it is used again.
        let memory = self.method.moved(evaluator, state, memory)?;
        self.method.refresh(evaluator, state, &memory)
    }

    #[inline]
    fn step<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        workspace: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        let mut trial = self.method.step(evaluator, workspace, state, memory, h, end)?;
        let (projected, iterations) = evaluator.project(&self.projection, &trial.state)?;
        evaluator.statistics_mut().iterations += u64::from(iterations);
        // The other solution moves along, so that the difference of the two stays what the method says.
        if let Estimate::Embedded(embedded) = &mut trial.estimate {
            embedded.q += projected.q - trial.state.q;
            embedded.v += projected.v - trial.state.v;
        }
        trial.state = projected;
        Ok(trial)
    }

    #[inline]
    fn acceleration<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<SVector<R, N>, Failure> {
        self.method.acceleration(evaluator, state, memory)
    }

    fn interpolant<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        workspace: &mut Self::Workspace,
        start: (&State<R, N>, &SVector<R, N>),
        end: (&State<R, N>, &SVector<R, N>),
    ) -> Result<Interpolant<R, N>, Failure> {
        Ok(self.method.interpolant(evaluator, workspace, start, end)?.joining_ends())
    }

    fn consistent<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &E,
        state: &State<R, N>,
    ) -> Result<State<R, N>, Failure> {
        Ok(evaluator.project(&self.projection, state)?.0)
    }

    #[inline]
    fn synchronise<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<State<R, N>, Failure> {
        self.method.synchronise(evaluator, state, memory)
    }
}
