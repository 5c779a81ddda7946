//! The classical Runge–Kutta method.

use super::{Estimate, Method, Pace, Trial};
use crate::controller::Controller;
use crate::error::Failure;
use crate::evaluator::Evaluator;
use crate::scalar::Real;
use crate::state::State;
use crate::system::System;
use crate::tableau::classical::{HALF, SIXTH, THIRD};
use nalgebra::SVector;

/// The classical Runge–Kutta method of order 4 with a fixed step.
///
/// On (q, v)' = (v, a) its four stages are
///
/// ```text
/// a₁ = a(t, q, v)
/// a₂ = a(t + h/2, q + h/2 v,           v + h/2 a₁)
/// a₃ = a(t + h/2, q + h/2 v + h²/4 a₁, v + h/2 a₂)
/// a₄ = a(t + h,   q + h v + h²/2 a₂,   v + h a₃)
/// q' = q + h v + h²/6 (a₁ + a₂ + a₃)
/// v' = v + h/6 (a₁ + 2a₂ + 2a₃ + a₄)
/// ```
///
/// with the stages' velocities inserted into those for q. Neither symmetric nor symplectic: energy drifts, by
/// O(h⁴) over a fixed time. Cost: 4 accelerations a step. Source: W. Kutta, 1901; E. Hairer, S. P. Nørsett,
/// G. Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., table II.1.2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rk4<R> {
    h: R,
}

impl<R: Real> Rk4<R> {
    /// The method with step `h`: positive, in the unit of t (an integration reports one that is not).
    pub fn new(h: R) -> Self {
        Self { h }
    }
}

impl<S, R, const N: usize, const C: usize, const U: usize> Method<S, R, N, C, U> for Rk4<R>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    /// The acceleration at the state.
    type Memory = SVector<R, N>;
    type Workspace = ();

    fn name(&self) -> &'static str {
        "RK4"
    }

    fn order(&self) -> u32 {
        4
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
        let State { t, q, v } = *state;
        let half = R::from_f64(HALF) * h;
        let middle = t + half;
        let a1 = *memory;
        let q_half = along(q, half, v);
        let a2 = evaluator.acceleration(middle, q_half, along(v, half, a1))?;
        let a3 = evaluator.acceleration(middle, along(q_half, half * half, a1), along(v, half, a2))?;
        let q_full = along(q, h, v);
        let sixth = R::from_f64(SIXTH) * h;
        let third = R::from_f64(THIRD) * h;
        let inner = a2 + a3;
        // All but a₄ is ready before it: the next step's coordinates do not wait for it.
        let drift = sixth * h;
        let q_end = along(along(along(q_full, drift, a1), drift, a2), drift, a3);
        let v_most = along(along(v, sixth, a1), third, inner);
        let a4 = evaluator.acceleration(end, along(q_full, half * h, a2), along(v, h, a3))?;
        let state = State { t: end, q: q_end, v: along(v_most, sixth, a4) };
        Ok(Trial { state, memory: a1, estimate: Estimate::None })
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

/// `from` + h `slope`.
#[inline(always)]
fn along<R: Real, const N: usize>(from: SVector<R, N>, h: R, slope: SVector<R, N>) -> SVector<R, N> {
    from.zip_map(&slope, |from, slope| h.mul_add(slope, from))
}
