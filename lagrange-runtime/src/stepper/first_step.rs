//! The first step's size, where the user gives none.

use super::point::Point;
use crate::control::{StepControl, ratio_or_zero};
use crate::error::Failure;
use crate::evaluator::Led;
use crate::method::Method;
use crate::options::Options;
use crate::scalar::Real;
use crate::state::State;
use nalgebra::SVector;

/// The size (positive) of the first step of an integration to `t_end` by `method` from the point `now`. `end` is the end of the
/// first section.
///
/// Under tolerances the size follows from the scaled sizes d₀, d₁ and d₂ of y, y' and y'', each divided by its tolerance, at the cost of
/// one evaluation. The step τ = 0.01 d₀/d₁ of Euler's rule changes y by a hundredth of its size; y'' comes from the rates at both of its
/// ends. The motion's own rate is ω = √(d₂/d₀), so that the derivative of order k has a size of about d₀ ωᵏ. It compares coordinates with
/// accelerations, and velocities with their second derivatives, so that no ratio of the tolerances of coordinates and velocities enters.
/// d₀ counts as at least 1. A method whose error is proportional to hᵏ takes
///
/// ```text
/// h = min(100 τ, ω⁻¹ (0.01/d₀)^(1/k)),    which makes hᵏ d₀ ωᵏ = 0.01.
/// ```
///
/// In the unit of time 1/ω this is the rule of E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, II.4. They
/// compare d₁ with d₂, which have different units; here the size does not depend on the unit of time.
///
/// At the origin y is 0, and the ratio of the sizes of y and y' gives no time. The ratio of the sizes of velocity and acceleration replaces
/// it. Where this ratio is 0 too, or is not finite, τ is [`USUAL`] of the span. This happens at rest, under a relative
/// tolerance alone, and at the end of the range of numbers. The first step is at least [`LEAST`] of the span. A short first section does not
/// shorten it. Under an absolute limit the size is [`USUAL`] of the span.
pub(super) fn first_step<M, R, const N: usize, const C: usize>(
    control: &StepControl<R>,
    evaluator: &mut dyn Led<M, R, N, C>,
    options: &Options<'_, R, N>,
    (method, now): (&M, &mut Point<R, N, M::Memory>),
    (end, t_end): (R, R),
) -> Result<R, Failure>
where
    M: Method<R, N, C>,
    R: Real,
{
    now.refresh(evaluator, method)?;
    let states = evaluator.state_count();
    let (state, power) = (&now.state, method.error_power());
    let a = evaluator.acceleration_by(method, state, &now.memory)?;
    let span = (t_end - state.t).abs();
    if matches!(control, StepControl::AbsoluteLimit { .. }) {
        return Ok(span * R::from_f64(USUAL));
    }
    let or_usual = |step: R| if step > R::ZERO && step.is_finite() { step } else { span * R::from_f64(USUAL) };
    let size = |coordinates: &SVector<R, N>, velocities: &SVector<R, N>| {
        scaled_size(options, state, coordinates, velocities, states)
    };
    let (size0, size1) = (size(&state.q, &state.v), size(&state.v, &a));
    let small = R::from_f64(SMALL);
    let (slow, fast) = match (size0 < small, size1 * span < small) {
        (_, true) => (R::ZERO, R::ONE),
        (true, _) => (size(&SVector::repeat(R::ZERO), &state.v), size(&SVector::repeat(R::ZERO), &a)),
        (false, false) => (size0, size1),
    };
    let euler = or_usual(R::from_f64(PART) * slow / fast);
    let euler = if euler < span { euler } else { span };
    let h = if t_end < state.t { -euler } else { euler };
    // The equations may change at the section's end, so that they are not evaluated beyond it.
    let t = if euler < (end - state.t).abs() { state.t + h } else { end };
    let Ok(a_ahead) = evaluator.acceleration(t, state.q + state.v * h, state.v + a * h) else {
        return Ok(euler);
    };
    let size2 = size(&(a * h), &(a_ahead - a)) / euler;
    let (part, size0) = (R::from_f64(PART), size0.max(R::ONE));
    let power = R::from_f64(f64::from(power)).recip();
    let step = (part / size0).powf(power) * (size0 / size2).sqrt();
    let longest = euler / part;
    // Without a second derivative, the size is the longest.
    let step = if step < longest { step } else { longest };
    Ok(step.max(span * R::from_f64(LEAST)))
}

/// The part of its tolerance that the first step's error may have, and the part of the state that Euler's step changes.
const PART: f64 = 0.01;

/// A state, or its change over the span, below this part of the tolerance is none.
const SMALL: f64 = 1e-5;

/// The part of the span that the first step takes where the rule gives no size.
const USUAL: f64 = 1e-6;

/// The least part of the span that the first step takes. At rest, with an absolute tolerance far below the motion to come, the
/// rule gives a step that would take hundreds of steps to grow.
const LEAST: f64 = 1e-12;

/// The root mean square of a vector with the state's components, each divided by its tolerance. The hidden coordinates of the last
/// `states` velocities do not count.
fn scaled_size<R: Real, const N: usize>(
    options: &Options<'_, R, N>,
    state: &State<R, N>,
    coordinates: &SVector<R, N>,
    velocities: &SVector<R, N>,
    states: usize,
) -> R {
    let mut sum = R::ZERO;
    for i in 0..N {
        let q_scale = options.atol.of_coordinate(i) + options.rtol.of_coordinate(i) * state.q[i].abs();
        let v_scale = options.atol.of_velocity(i) + options.rtol.of_velocity(i) * state.v[i].abs();
        let q_size = if i + states < N { ratio_or_zero(coordinates[i], q_scale) } else { R::ZERO };
        let v_size = ratio_or_zero(velocities[i], v_scale);
        sum += q_size * q_size + v_size * v_size;
    }
    (sum / R::from_f64((2 * N).saturating_sub(states).max(1) as f64)).sqrt()
}
