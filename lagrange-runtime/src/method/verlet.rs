//! The predictor–corrector form of the velocity Verlet method.

use super::{Estimate, Method, Pace, Trial};
use crate::controller::Controller;
use crate::error::Failure;
use crate::evaluator::Evaluator;
use crate::scalar::Real;
use crate::state::State;
use crate::system::System;
use crate::tableau::classical::HALF;
use nalgebra::SVector;

/// The velocity Verlet method for accelerations that depend on the velocity, as a predictor–corrector, with a
/// fixed step:
///
/// ```text
/// a  = a(t, q, v)
/// q' = q + h v + h²/2 a,   v* = v + h a
/// a' = a(t + h, q', v*)
/// v' = v + h/2 (a + a')
/// ```
///
/// Order 2. Where a depends on v it is neither symmetric nor symplectic, and energy drifts; where it does not
/// and M is constant it is the velocity Verlet method, symmetric and symplectic in (q, M v). The start's a is
/// evaluated at the corrected velocity: carrying a' over would save one evaluation and lose accuracy (twice
/// the energy error on the compound double pendulum). Cost: 2 accelerations a step. Source: the study of the
/// compound double pendulum; L. Verlet, 1967, W. C. Swope et al., 1982, for a = a(q).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verlet<R> {
    h: R,
}

impl<R: Real> Verlet<R> {
    /// The method with step `h`: positive, in the unit of t (an integration reports one that is not).
    pub fn new(h: R) -> Self {
        Self { h }
    }
}

impl<S, R, const N: usize, const C: usize, const U: usize> Method<S, R, N, C, U> for Verlet<R>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    /// The acceleration at the state.
    type Memory = SVector<R, N>;
    type Workspace = ();

    fn name(&self) -> &'static str {
        "Verlet"
    }

    fn order(&self) -> u32 {
        2
    }

    fn workspace(&self) {}

    #[inline(always)]
    fn pace(&self) -> Pace<R> {
        Pace::Fixed(self.h)
    }

    #[inline(always)]
    fn start<K: Controller<R, N, U> + ?Sized>(
        &self,
        _: &mut Evaluator<'_, S, K, R, N, C, U>,
        _: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        Ok(SVector::repeat(R::ZERO))
    }

    #[inline(always)]
    fn refresh<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        state: &State<R, N>,
        _: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        evaluator.acceleration(state.t, state.q, state.v)
    }

    #[inline(always)]
    fn step<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        _: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        let a = *memory;
        let half = R::from_f64(HALF) * h;
        let q = state.q + state.v * h + a * (half * h);
        let a_end = evaluator.acceleration(end, q, state.v + a * h)?;
        let state = State { t: end, q, v: state.v + (a + a_end) * half };
        Ok(Trial { state, memory: a, estimate: Estimate::None })
    }

    #[inline(always)]
    fn acceleration<K: Controller<R, N, U> + ?Sized>(
        &self,
        _: &mut Evaluator<'_, S, K, R, N, C, U>,
        _: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<SVector<R, N>, Failure> {
        Ok(*memory)
    }
}
