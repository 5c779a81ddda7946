//! Decides whether an attempt at a step is accepted, and how long the next one should be.

use crate::control::{
    ErrorMeasure, History, Noise, NoiseOfDerivatives, Sizes, StepControl, Verdict, combined_derivative_square,
    derivative_square, scaled_square,
};
use crate::evaluate::Evaluate;
use crate::evaluator::Fork;
use crate::method::{Estimate, Trial};
use crate::options::{Options, out_of_reach};
use crate::scalar::{Real, Scalar};
use crate::state::{Difference, State};

/// Judges the attempt `trial`, which started at `state`, by `control`. `exponent` is the power of the step size to which the
/// embedded difference is proportional.
#[inline(always)]
pub(super) fn judge<E, M, R, const N: usize, const C: usize>(
    control: &StepControl<R>,
    evaluator: &mut E,
    options: &Options<'_, R, N>,
    history: &mut History,
    (state, trial): (&State<R, N>, &Trial<R, N, M>),
    exponent: u32,
) -> Verdict<R>
where
    E: Fork<R, N, C>,
    M: Copy,
    R: Real,
{
    let states = evaluator.state_count();
    match trial.estimate {
        Estimate::None => return Verdict { accepted: true, factor: R::ONE },
        Estimate::Judged { accepted, factor } => {
            history.rejected = !accepted;
            let refused = evaluator.end_judged(accepted);
            let h = (trial.state.t - state.t).to_f64().abs();
            let stays = refused.is_some_and(|squares| history.refuse(h, squares, exponent));
            evaluator.set_errors_are_rounding(stays);
            if accepted {
                history.accept();
                if let Some(sizes) = evaluator.sizes() {
                    let sizes = sizes.including(state).including(&trial.state);
                    evaluator.set_sizes(sizes.if_they_count(options, states));
                }
            }
            return Verdict { accepted, factor };
        }
        _ => {}
    }
    // The rare calls get the addresses of copies, so that the trial itself can stay in registers.
    match *control {
        StepControl::Tolerance(law) => {
            let mut square = estimated_square(options, state, trial, None, R::ZERO, states);
            let (mut sizes, mut absolute) = (evaluator.sizes(), None);
            if let Some(reached) = &mut sizes {
                let (state, trial) = (*state, *trial);
                *reached = reached.including(&state);
                let mut followed = followed_square(options, (reached, None), (&state, &trial), states);
                let beside = Sizes::of_cancelled(evaluator, [&state, &trial.state], followed);
                if beside.is_some() {
                    followed = followed_square(options, (reached, beside.as_ref()), (&state, &trial), states);
                }
                square = if square <= R::ONE && followed > R::ONE {
                    let h = (trial.state.t - state.t).to_f64().abs();
                    let stays = history.refuse(h, [square.to_f64(), followed.to_f64()], exponent);
                    let noise = Noise::at(evaluator, &state, stays);
                    raised_square(options, (reached, beside.as_ref()), &noise, (&state, &trial), states)
                } else {
                    followed
                };
                absolute = Some(reached.tolerances(options).with(beside.as_ref()));
            }
            if options.asks_beyond_reach() {
                let (state, trial) = (*state, *trial);
                let reached = within_reach(options, absolute.as_ref(), (&state, &trial), states);
                evaluator.statistics_mut().beyond_reach += u64::from(square > R::ONE && reached <= R::ONE);
                square = reached;
            }
            if const { R::DERIVATIVES != 0 } {
                square = worse(square, R::from_f64(derivatives_square(options, evaluator, (state, trial), states)));
            }
            let verdict = law.judge(history, square, exponent);
            if verdict.accepted
                && let Some(sizes) = sizes
            {
                evaluator.set_sizes(sizes.including(&trial.state).if_they_count(options, states));
            }
            verdict
        }
        StepControl::AbsoluteLimit { delta0, measure, law } => {
            let (end, other) = (trial.state, other_solution(trial));
            let mut delta = measured(measure, evaluator, [&end, &other], states);
            if const { R::DERIVATIVES != 0 } {
                let square = R::from_f64(derivatives_square(options, evaluator, (state, trial), states));
                delta = worse(delta, delta0 * square.sqrt());
            }
            law.judge(delta0, delta)
        }
    }
}

/// Returns the larger of two errors. NaN counts as larger than any number.
fn worse<R: Real>(a: R, b: R) -> R {
    if b <= a { a } else { b }
}

/// Returns the square of the error estimate of the derivatives that the numbers carry, relative to their tolerances.
#[inline(never)]
fn derivatives_square<E, R, M, const N: usize, const C: usize>(
    options: &Options<'_, R, N>,
    evaluator: &mut E,
    (start, trial): (&State<R, N>, &Trial<R, N, M>),
    states: usize,
) -> f64
where
    E: Fork<R, N, C>,
    R: Real,
{
    let ends = (start, &trial.state);
    let end = &trial.state;
    let square = |noise: Option<&NoiseOfDerivatives<R, N>>| match &trial.estimate {
        Estimate::None | Estimate::Judged { .. } => 0.0,
        Estimate::Embedded(other) => {
            let difference = Difference { q: end.q - other.q, v: end.v - other.v };
            derivative_square(options, ends, &difference, (noise, states))
        }
        Estimate::Difference(difference) => derivative_square(options, ends, difference, (noise, states)),
        Estimate::Combined(differences) => combined_derivative_square(options, ends, differences, (noise, states)),
    };
    let own = square(None);
    if own <= 1.0 { own } else { square(Some(&NoiseOfDerivatives::at(evaluator, [start, end]))) }
}

/// Returns the difference between two solutions, for an absolute limit.
#[inline(never)]
fn measured<E, R, const N: usize, const C: usize>(
    measure: ErrorMeasure,
    evaluator: &mut E,
    [state, other]: [&State<R, N>; 2],
    states: usize,
) -> R
where
    E: Evaluate<R, N, C>,
    R: Real,
{
    match measure {
        ErrorMeasure::Energy => {
            let mut energy = |at: &State<R, N>| evaluator.energies(at.t, at.q, at.v).energy;
            (energy(state) - energy(other)).abs()
        }
        ErrorMeasure::MaximumNorm => maximum_difference(state, other, states),
    }
}

/// Returns the solution with which the solution of the trial is compared.
#[inline(always)]
fn other_solution<R: Real, const N: usize, M>(trial: &Trial<R, N, M>) -> State<R, N> {
    let State { t, q, v } = trial.state;
    match trial.estimate {
        Estimate::None | Estimate::Judged { .. } => trial.state,
        Estimate::Embedded(other) => other,
        Estimate::Difference(difference) | Estimate::Combined([difference, _]) => {
            State { t, q: q - difference.q, v: v - difference.v }
        }
    }
}

/// Returns the square of the error estimate relative to the tolerances. The tolerance of a component counts as at
/// least what rounding of the component allows ([`out_of_reach`]).
#[cold]
#[inline(never)]
fn within_reach<R: Real, const N: usize, M>(
    options: &Options<'_, R, N>,
    absolute: Option<&Sizes<R, N>>,
    (start, trial): (&State<R, N>, &Trial<R, N, M>),
    states: usize,
) -> R {
    estimated_square(options, start, trial, absolute, out_of_reach(), states)
}

/// Returns the square of the error estimate relative to tolerances that follow the sizes reached, with the rounding beside them.
#[inline(never)]
fn followed_square<R: Real, const N: usize, M>(
    options: &Options<'_, R, N>,
    (sizes, beside): (&Sizes<R, N>, Option<&Sizes<R, N>>),
    (start, trial): (&State<R, N>, &Trial<R, N, M>),
    states: usize,
) -> R {
    estimated_square(options, start, trial, Some(&sizes.tolerances(options).with(beside)), R::ZERO, states)
}

/// Raises the sizes of the components whose error is rounding, and returns the square of the error estimate relative to tolerances that
/// follow them.
#[cold]
#[inline(never)]
fn raised_square<R: Real, const N: usize, M>(
    options: &Options<'_, R, N>,
    (sizes, beside): (&mut Sizes<R, N>, Option<&Sizes<R, N>>),
    noise: &Noise<R, N>,
    (start, trial): (&State<R, N>, &Trial<R, N, M>),
    states: usize,
) -> R {
    let (end, other) = (&trial.state, other_solution(trial));
    let difference = Difference { q: end.q - other.q, v: end.v - other.v };
    *sizes = sizes.raised(options, &difference, noise, end.t - start.t);
    followed_square(options, (sizes, beside), (start, trial), states)
}

/// Returns the square of the error estimate relative to the tolerances. The tolerance of a component counts as at
/// least `least` times that component. The absolute tolerances are those of the options, or `absolute`. The hidden coordinates of
/// the last `states` velocities do not count.
///
/// If `R` has several lanes, each lane of the result is the estimate of that lane.
#[inline(always)]
pub(crate) fn estimated_square<R: Scalar, T: Real, const N: usize, M>(
    options: &Options<'_, T, N>,
    start: &State<R, N>,
    trial: &Trial<R, N, M>,
    absolute: Option<&Sizes<R, N>>,
    least: T,
    states: usize,
) -> R {
    let end = &trial.state;
    let ends = (start, end);
    match &trial.estimate {
        Estimate::None | Estimate::Judged { .. } => R::ZERO,
        Estimate::Embedded(other) => {
            let mut difference = Difference { q: end.q, v: end.v };
            for i in 0..N {
                difference.q[i] -= other.q[i];
                difference.v[i] -= other.v[i];
            }
            scaled_square(options, ends, &difference, absolute, least, states)
        }
        Estimate::Difference(difference) => scaled_square(options, ends, difference, absolute, least, states),
        Estimate::Combined([first, second]) => {
            let first = scaled_square(options, ends, first, absolute, least, states);
            let second = scaled_square(options, ends, second, absolute, least, states);
            let combined = first * (first / (first + R::from_f64(0.01) * second));
            R::select(first.equals(R::ZERO), R::ZERO, combined)
        }
    }
}

/// Returns the largest absolute difference over coordinates and velocities, without the hidden coordinates of the last `states`
/// velocities.
fn maximum_difference<R: Real, const N: usize>(first: &State<R, N>, second: &State<R, N>, states: usize) -> R {
    let mut largest = R::ZERO;
    for i in 0..N {
        if i + states < N {
            largest = largest.max((first.q[i] - second.q[i]).abs());
        }
        largest = largest.max((first.v[i] - second.v[i]).abs());
    }
    largest
}
