//! A wrapper that projects the steps of any one-step method onto the constraints.

use super::{Estimate, Lift, Method, Pace, Trial};
use crate::constraint::Projection;
use crate::dense::Interpolant;
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::State;
use nalgebra::SVector;

/// A method whose every step ends on the constraints. Each step of the inner method is projected by the least change: first the
/// positions onto g = 0, then the velocities onto the hidden constraint.
///
/// Use it with a method that carries (q, v) between steps. The order and the error estimate are those of the inner method,
/// because the projection moves the result by no more than its error. The projected method is neither symmetric nor symplectic,
/// even if the inner method is.
///
/// The interpolant is that of the inner method, changed by a cubic so that it joins the projected ends. Between the ends it
/// violates the constraints by its own error. [`Solution::sample_on`](crate::solution::Solution::sample_on) projects a sample.
///
/// The next step evaluates the acceleration at the projected state, so that a last stage cannot be reused. Newton steps count as
/// `iterations`. Source: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical Integration*, 2nd ed., IV.4, algorithm 4.2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projected<M, R: Real, const N: usize> {
    method: M,
    projection: Projection<R, N>,
}

impl<M, R: Real, const N: usize> Projected<M, R, N> {
    /// Returns `method` with a projection that weighs all coordinates equally. Of the changes δ that satisfy the constraints it
    /// takes the one with the least Σ δᵢ². If some coordinates are lengths and others angles, this sum adds metres to radians,
    /// and the result depends on the unit of length. Then use [`Projected::with_projection`] and a projection with
    /// [mobilities](Projection::mobilities) in the units of the coordinates.
    pub fn new(method: M) -> Self {
        Self { method, projection: Projection::default() }
    }

    /// Returns the method with this `projection`, which may have its own mobilities.
    #[must_use]
    pub fn with_projection(self, projection: Projection<R, N>) -> Self {
        Self { projection, ..self }
    }
}

impl<M: Lift, const N: usize> Lift for Projected<M, f64, N> {
    type On<R: Real> = Projected<M::On<R>, R, N>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        Projected { method: self.method.lift(), projection: self.projection.lift() }
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
    const MEASURES_ERRORS: bool = M::MEASURES_ERRORS;

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
    fn holds_contacts(&self) -> bool {
        self.method.holds_contacts()
    }

    #[inline(always)]
    fn resolves_contacts(&self) -> bool {
        self.method.resolves_contacts()
    }

    #[inline(always)]
    fn is_limited_by_stability(&self) -> bool {
        self.method.is_limited_by_stability()
    }

    fn stability(&self) -> Option<[f64; 2]> {
        self.method.stability()
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
        // The memory belongs to the end of the last step before its projection. The method updates it, and uses no acceleration
        // from there.
        let memory = self.method.moved(evaluator, state, memory)?;
        self.method.refresh(evaluator, state, &memory)
    }

    #[inline]
    fn held<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        states: [&State<R, N>; 2],
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        self.method.held(evaluator, states, memory)
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
        // The embedded solution moves by the same change, so that the error estimate stays that of the inner method.
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
