//! Fehlberg's embedded Runge–Kutta pair of orders 4 and 5.

use super::{Method, Pace, Trial};
use crate::control::{ErrorMeasure, StepControl, StepLaw, ToleranceLaw};
use crate::controller::Controller;
use crate::error::Failure;
use crate::evaluator::Evaluator;
use crate::scalar::Real;
use crate::state::State;
use crate::system::System;
use crate::tableau::Ratio;
use crate::tableau::fehlberg::RKF45;
use nalgebra::SVector;

const STAGES: usize = 6;

/// Runge–Kutta–Fehlberg 4(5) with a step that adapts.
///
/// Six stages Vᵢ = v + h Σ aᵢⱼ Aⱼ, Qᵢ = q + h Σ aᵢⱼ Vⱼ, Aᵢ = a(t + cᵢ h, Qᵢ, Vᵢ) give two solutions; that of order 4 is
/// propagated, that of order 5 serves as the error estimate. Neither symmetric nor symplectic. Cost: 6 accelerations
/// an accepted step, 5 a rejected one. The coefficients and their source are in [`crate::tableau::fehlberg`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rkf45<R: Real> {
    control: StepControl<R>,
}

impl<R: Real> Rkf45<R> {
    /// The method under `rtol` and `atol` of the options, with a proportional–integral step law.
    #[expect(clippy::new_without_default, reason = "no step control is the obvious one")]
    pub fn new() -> Self {
        Self { control: StepControl::Tolerance(ToleranceLaw::ProportionalIntegral) }
    }

    /// The method under `rtol` and `atol` of the options, with the elementary step law.
    pub fn elementary() -> Self {
        Self { control: StepControl::Tolerance(ToleranceLaw::Elementary) }
    }

    /// The method with the step control of the study of the compound double pendulum: the error Δ is the
    /// difference of the two solutions' energies; a step is accepted if Δ ≤ `delta0` (in the unit of energy), and the
    /// next is (Δ₀/(2Δ))^(1/5) times as long, this factor being kept within [0.1, 4]. The first step is 1e-3 unless
    /// the options say otherwise.
    pub fn study(delta0: R) -> Self {
        Self::study_with(delta0, ErrorMeasure::Energy, StepLaw::Halved)
    }

    /// [`Rkf45::study`] with another measure of the error (`delta0` is in its unit) or another law for the next step.
    pub fn study_with(delta0: R, measure: ErrorMeasure, law: StepLaw) -> Self {
        Self { control: StepControl::Study { delta0, measure, law } }
    }
}

/// Σ wⱼ xⱼ over as many weights as there are vectors; weights that vanish cost nothing.
#[inline(always)]
fn combine<R: Real, const N: usize, const COUNT: usize>(
    weights: &[Ratio; STAGES],
    vectors: [SVector<R, N>; COUNT],
) -> SVector<R, N> {
    let mut sum = SVector::repeat(R::ZERO);
    let mut empty = true;
    for (vector, weight) in vectors.into_iter().zip(weights) {
        if weight.numerator != 0 {
            let term = vector * weight.value::<R>();
            sum = if empty { term } else { sum + term };
            empty = false;
        }
    }
    sum
}

impl<S, R, const N: usize, const C: usize, const U: usize> Method<S, R, N, C, U> for Rkf45<R>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    /// The acceleration at the state.
    type Memory = SVector<R, N>;

    fn name(&self) -> &'static str {
        "RKF45"
    }

    fn order(&self) -> u32 {
        4
    }

    #[inline(always)]
    fn pace(&self) -> Pace<R> {
        Pace::Adaptive(self.control)
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
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        let State { t, q, v } = *state;
        let [_, row2, row3, row4, row5, row6] = &RKF45.coefficients;
        let [_, t2, t3, t4, t5, t6] = RKF45.nodes.map(|node| t + node.value::<R>() * h);
        // Written out, so that every stage stays in registers.
        let (v1, a1) = (v, *memory);
        let v2 = v + combine(row2, [a1]) * h;
        let a2 = evaluator.acceleration(t2, q + combine(row2, [v1]) * h, v2)?;
        let v3 = v + combine(row3, [a1, a2]) * h;
        let a3 = evaluator.acceleration(t3, q + combine(row3, [v1, v2]) * h, v3)?;
        let v4 = v + combine(row4, [a1, a2, a3]) * h;
        let a4 = evaluator.acceleration(t4, q + combine(row4, [v1, v2, v3]) * h, v4)?;
        let v5 = v + combine(row5, [a1, a2, a3, a4]) * h;
        let a5 = evaluator.acceleration(t5, q + combine(row5, [v1, v2, v3, v4]) * h, v5)?;
        let v6 = v + combine(row6, [a1, a2, a3, a4, a5]) * h;
        let a6 = evaluator.acceleration(t6, q + combine(row6, [v1, v2, v3, v4, v5]) * h, v6)?;
        let solution = |weights: &[Ratio; STAGES]| State {
            t: end,
            q: q + combine(weights, [v1, v2, v3, v4, v5, v6]) * h,
            v: v + combine(weights, [a1, a2, a3, a4, a5, a6]) * h,
        };
        Ok(Trial { state: solution(&RKF45.weights), memory: a1, embedded: Some(solution(&RKF45.embedded)) })
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
