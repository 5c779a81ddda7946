//! The first step's size, where the user gives none.

use super::StepControl;
use crate::controller::Controller;
use crate::evaluator::Evaluator;
use crate::options::Options;
use crate::scalar::Real;
use crate::state::State;
use crate::system::System;
use nalgebra::SVector;

/// A first step size (positive) towards `end`, for a method whose error goes with the step's power `power`, from
/// `state` with acceleration `a`.
///
/// Under an absolute limit it is the study's 1e-3. Under tolerances it follows E. Hairer, S. P. Nørsett, G. Wanner,
/// *Solving Ordinary Differential Equations I*, II.4: a step whose Euler error would be a hundredth of the tolerance,
/// from the scaled sizes of y, y' and y''; one evaluation.
pub(crate) fn first_step<S, K, R, const N: usize, const C: usize, const U: usize>(
    control: &StepControl<R>,
    evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
    options: &Options<'_, R, N>,
    state: &State<R, N>,
    a: SVector<R, N>,
    end: R,
    power: u32,
) -> R
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    if matches!(control, StepControl::Study { .. }) {
        return R::from_f64(1e-3);
    }
    let span = (end - state.t).abs();
    let size =
        |coordinates: &SVector<R, N>, velocities: &SVector<R, N>| scaled_size(options, state, coordinates, velocities);
    let (size0, size1) = (size(&state.q, &state.v), size(&state.v, &a));
    let tiny = R::from_f64(1e-5);
    let euler = if size0 < tiny || size1 < tiny { R::from_f64(1e-6) } else { R::from_f64(0.01) * size0 / size1 };
    let euler = if euler < span { euler } else { span };
    let h = if end < state.t { -euler } else { euler };
    let ahead = evaluator.acceleration(state.t + h, state.q + state.v * h, state.v + a * h);
    let Ok(a_ahead) = ahead else { return euler };
    let size2 = size(&(a * h), &(a_ahead - a)) / euler;
    let largest = size1.max(size2);
    let step = if largest <= R::from_f64(1e-15) {
        R::from_f64(1e-6).max(euler * R::from_f64(1e-3))
    } else {
        (R::from_f64(0.01) / largest).powf(R::from_f64(f64::from(power)).recip())
    };
    let longest = euler * R::from_f64(100.0);
    // A size that is not finite fails this comparison too.
    if step < longest { step } else { longest }
}

/// The root mean square of a vector of the size of the state, each component over its tolerance.
fn scaled_size<R: Real, const N: usize>(
    options: &Options<'_, R, N>,
    state: &State<R, N>,
    coordinates: &SVector<R, N>,
    velocities: &SVector<R, N>,
) -> R {
    let mut sum = R::ZERO;
    for i in 0..N {
        let q_scale = options.atol.of_coordinate(i) + options.rtol.of_coordinate(i) * state.q[i].abs();
        let v_scale = options.atol.of_velocity(i) + options.rtol.of_velocity(i) * state.v[i].abs();
        let q_size = super::ratio_or_zero(coordinates[i], q_scale);
        let v_size = super::ratio_or_zero(velocities[i], v_scale);
        sum += q_size * q_size + v_size * v_size;
    }
    (sum / R::from_f64(2.0 * N.max(1) as f64)).sqrt()
}
