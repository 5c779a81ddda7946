//! Motions at the edge of what can be computed: each ends in a stated way, with what was computed kept.

use crate::common::{ball, oscillator, pendulum};
use lagrange_runtime::error::Component;
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

type Vector = SVector<f64, 1>;

fn start() -> State<f64, 1> {
    State::new(0.0, [1.0], [0.0])
}

fn tolerance<'a>(value: f64) -> Options<'a, f64, 1> {
    Options { rtol: value.into(), atol: value.into(), ..Options::default() }
}

/// A failure whose solution reaches from the start to the state at which it happened.
#[track_caller]
fn assert_kept<const U: usize>(failed: &PartialSolution<f64, 1, U>, reached: f64, near: f64) {
    assert_eq!(failed.solution.outcome, Outcome::Failed);
    assert_eq!(failed.solution.state(0), Some(start()));
    assert_eq!(failed.solution.last(), Some(failed.error.state), "{failed}");
    assert!((failed.error.state.t - reached).abs() <= near, "{failed}");
}

#[test]
fn a_force_that_becomes_nan_ends_just_before_it() {
    let mut broken = |t: f64, _: &Vector, _: &Vector| SVector::from([if t > 1.0 { f64::NAN } else { 0.0 }]);
    let failed = solve_with(&oscillator(), start(), 2.0, &Dop853::new(), &tolerance(1e-9), &mut broken).unwrap_err();
    assert!(matches!(failed.error.failure, Failure::NotFinite { .. }), "{failed}");
    assert_kept(&failed, 1.0, 1e-9);
    assert!((failed.error.state.q[0] - 1.0_f64.cos()).abs() < 1e-7);
}

#[test]
fn a_blow_up_in_finite_time_is_met_at_its_time() {
    // q̈ = 2 q³ from (1, 1) is q = 1/(1 − t).
    let mut cubic = |_: f64, q: &Vector, _: &Vector| SVector::from([q[0] + 2.0 * q[0].powi(3)]);
    let from = State::new(0.0, [1.0], [1.0]);
    for max_steps in [None, Some(50)] {
        let options = Options { max_steps, ..tolerance(1e-10) };
        let failed = solve_with(&oscillator(), from, 2.0, &Dop853::new(), &options, &mut cubic).unwrap_err();
        match (max_steps, failed.error.failure) {
            (None, Failure::StepTooSmall { .. } | Failure::NotFinite { .. }) => {
                assert!((failed.error.state.t - 1.0).abs() < 1e-6, "{failed}");
            }
            (Some(50), Failure::MaxSteps { max_steps: 50 }) => {}
            _ => panic!("{failed}"),
        }
        let early = failed.solution.states().find(|state| state.t > 0.5).unwrap();
        assert!((early.q[0] * (1.0 - early.t) - 1.0).abs() < 1e-8);
    }
}

#[test]
fn an_undeclared_jump_of_the_force_costs_steps_but_not_accuracy() {
    // u = 1 from t = 1 on: q = cos t, then 1 + A cos + B sin.
    let mut jump = |t: f64, _: &Vector, _: &Vector| SVector::from([if t < 1.0 { 0.0 } else { 1.0 }]);
    let exact = |t: f64| t.cos() + 1.0 - (t - 1.0).cos();
    let solution = solve_with(&oscillator(), start(), 3.0, &Tsitouras5::new(), &tolerance(1e-9), &mut jump).unwrap();
    assert!((solution.last().unwrap().q[0] - exact(3.0)).abs() < 1e-6);
    assert!(solution.statistics.rejected > 0);
}

#[test]
fn a_tolerance_below_rounding_still_ends() {
    // The estimate is a difference of weights, which rounding of the state does not enter: the steps become short,
    // but the motion is computed, or the failure is told.
    let options = Options { max_steps: Some(20_000), rtol: 0.0.into(), ..tolerance(1e-19) };
    match solve(&pendulum(), start(), 1.0, &Dop853::new(), &options) {
        Ok(solution) => {
            let usual = solve(&pendulum(), start(), 1.0, &Verner9::new(), &tolerance(1e-13)).unwrap();
            assert!((solution.last().unwrap().q - usual.last().unwrap().q).amax() < 1e-12);
        }
        Err(failed) => {
            assert!(
                matches!(failed.error.failure, Failure::StepTooSmall { .. } | Failure::MaxSteps { .. }),
                "{failed}"
            );
            assert_kept(&failed, 0.5, 0.5);
        }
    }
}

#[test]
fn a_smallest_step_is_used_and_names_itself_where_it_is_too_long() {
    let solved = |min_step: f64, tolerance_: f64, first_step: Option<f64>| {
        let options = Options { min_step, first_step, ..tolerance(tolerance_) };
        solve(&pendulum(), start(), 10.0, &BogackiShampine3::new(), &options)
    };
    // The first step is raised to it, from whatever it would be, and one equal to it is a step.
    for (min_step, first_step, first) in
        [(0.5, None, 0.5), (0.05, Some(1e-9), 0.05), (0.05, Some(0.05), 0.05), (0.05, Some(0.06), 0.06)]
    {
        let solution = solved(min_step, 1.0, first_step).unwrap();
        assert!((solution.t[1] - first).abs() < 1e-15, "{:?}", &solution.t[..2]);
        assert!(solution.t.windows(2).rev().skip(1).all(|pair| pair[1] - pair[0] > 0.99 * min_step));
    }
    // A span shorter than it is one step.
    let options = Options { min_step: 0.05, ..tolerance(1e-6) };
    let short = solve(&pendulum(), start(), 0.01, &BogackiShampine3::new(), &options).unwrap();
    assert_eq!(short.t, [0.0, 0.01]);
    let failed = solved(0.05, 1e-12, None).unwrap_err();
    assert!(matches!(failed.error.failure, Failure::BelowMinStep { min_step: 0.05, step } if step < 0.05), "{failed}");
    let text = failed.to_string();
    assert!(text.contains("`min_step` is 0.05") && text.contains("lower `min_step`"), "{text}");
    assert!(failed.error.statistics.rejected <= 3, "{failed}");
    // Both of its remedies help.
    assert!(solved(0.0, 1e-12, None).is_ok() && solved(0.05, 1e-2, None).is_ok());
    for min_step in [-1.0, f64::NAN] {
        let options = Options { min_step, ..tolerance(1e-6) };
        let failed = solve(&pendulum(), start(), 10.0, &BogackiShampine3::new(), &options).unwrap_err();
        assert!(matches!(failed.error.failure, Failure::BadOption { option: "min_step", .. }), "{failed}");
    }
}

/// One adaptive method of every kind, on whatever `$check` does with it.
macro_rules! every_kind {
    ($check:ident($($argument:expr),*)) => {
        $check(&Rkf45::new(), $($argument),*);
        $check(&Tsitouras5::new(), $($argument),*);
        $check(&Dop853::new(), $($argument),*);
        $check(&Verner9::new(), $($argument),*);
        $check(&Extrapolation::new(), $($argument),*);
    };
}

/// The oscillator from (q, v) to 2 s, with at most so many attempts.
fn swing<M: Method<f64, 1, 0>>(method: &M, [q, v]: [f64; 2], atol: f64, attempts: u64) {
    let options = Options { rtol: 1e-6.into(), atol: atol.into(), max_steps: Some(attempts), ..Options::default() };
    let solution = solve(&oscillator(), State::new(0.0, [q], [v]), 2.0, method, &options)
        .unwrap_or_else(|failed| panic!("{} from ({q:e}, {v:e}) at atol {atol:e}: {failed}", method.name()));
    let exact = q * 2.0_f64.cos() + v * 2.0_f64.sin();
    let size = q.abs().max(v.abs());
    assert!(
        (solution.last().unwrap().q[0] - exact).abs() <= 1e-4 * size + 10.0 * atol,
        "{} from ({q:e}, {v:e})",
        method.name()
    );
}

#[test]
fn a_first_step_is_found_from_rest_and_for_numbers_of_any_size() {
    for state in [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [1e200, 0.0], [1e150, 0.0], [1e-200, 0.0], [1e250, 1e250]] {
        every_kind!(swing(state, 0.0, 250));
        every_kind!(swing(state, 1e-9, 250));
    }
}

/// From rest under a force that sets in: whatever is relative to the state is relative to nothing.
fn push<M: Method<f64, 1, 0>>(method: &M) {
    let options = Options { atol: 0.0.into(), max_steps: Some(500), ..Options::default() };
    let mut one = |_: f64, _: &Vector, _: &Vector| SVector::from([1.0]);
    let rest = State::new(0.0, [0.0], [0.0]);
    let solution = solve_with(&oscillator(), rest, 2.0, method, &options, &mut one)
        .unwrap_or_else(|failed| panic!("{}: {failed}", method.name()));
    let error = solution.last().unwrap().q[0] - (1.0 - 2.0_f64.cos());
    assert!(error.abs() < 1e-5, "{}: {error:e}", method.name());
}

#[test]
fn a_relative_tolerance_alone_starts_from_rest() {
    every_kind!(push());
}

/// A stop just behind the start, on which a step ends exactly.
fn pass_a_near_stop<M: Method<f64, 1, 0>>(method: &M, near: f64, first_step: Option<f64>) {
    let counts = |stops: &[f64]| {
        let options = Options { stops, first_step, ..tolerance(1e-9) };
        let solution = solve(&oscillator(), start(), 2.0, method, &options).unwrap();
        assert!((solution.last().unwrap().q[0] - 2.0_f64.cos()).abs() < 1e-6);
        assert!(stops.iter().all(|stop| solution.t.contains(stop)), "{:?}", solution.t);
        solution.statistics.steps + solution.statistics.rejected
    };
    let (plain, with) = (counts(&[]), counts(&[near]));
    assert!(with <= plain + 8, "{} with a stop at {near:e}: {with} instead of {plain}", method.name());
}

#[test]
fn a_first_section_of_any_length_costs_a_step() {
    for near in [1e-300, 1e-100, 1e-12, 1e-6] {
        for first_step in [None, Some(1e-2)] {
            every_kind!(pass_a_near_stop(near, first_step));
        }
    }
}

#[test]
fn spans_of_length_zero_and_backward_spans() {
    let nothing = solve(&pendulum(), start(), 0.0, &Verner9::new(), &tolerance(1e-9)).unwrap();
    assert_eq!((nothing.len(), nothing.statistics.evaluations), (1, 0));
    let there = solve(&pendulum(), start(), 20.0, &Verner9::new(), &tolerance(1e-13)).unwrap().last().unwrap();
    let back = solve(&pendulum(), there, 0.0, &Verner9::new(), &tolerance(1e-13)).unwrap().last().unwrap();
    assert!((back.q - start().q).amax() < 1e-10 && (back.v - start().v).amax() < 1e-10);
}

#[test]
fn huge_and_denormal_states_keep_their_relative_accuracy() {
    // The oscillator is linear: its motion scales.
    let relative = Options { rtol: 1e-10.into(), atol: 0.0.into(), ..Options::default() };
    for scale in [1e300, 1e-300] {
        let from = State::new(0.0, [scale], [0.5 * scale]);
        let end = solve(&oscillator(), from, 2.0, &Dop853::new(), &relative).unwrap().last().unwrap();
        let exact = 2.0_f64.cos() + 0.5 * 2.0_f64.sin();
        assert!((end.q[0] / scale - exact).abs() < 1e-8, "{scale:e}");
    }
    let denormal = State::new(0.0, [5e-324], [0.0]);
    let absolute = solve(&oscillator(), denormal, 2.0, &Dop853::new(), &tolerance(1e-10)).unwrap();
    assert!(absolute.last().unwrap().q[0].abs() < 1e-300);
    // Velocities that no double holds are told.
    let failed =
        solve(&oscillator(), State::new(0.0, [1.7e308], [1.7e308]), 10.0, &Dop853::new(), &relative).unwrap_err();
    assert!(matches!(failed.error.failure, Failure::NotFinite { .. } | Failure::StepTooSmall { .. }), "{failed}");
    assert_ne!(failed.error.failure, Failure::NotFinite { component: Some(Component::Time) });
}

#[test]
fn a_span_of_1e9_is_crossed_in_few_steps_where_the_motion_allows() {
    // Free fall is a polynomial: every step is exact, and the next five times as long.
    let from = State::new(0.0, [0.0], [1.0]);
    let end = solve(&ball(), from, 1e9, &Dop853::new(), &tolerance(1e-9)).unwrap();
    assert!(end.statistics.steps < 60, "{:?}", end.statistics);
    assert!((end.last().unwrap().q[0] / (1e9 - 5e18) - 1.0).abs() < 1e-14);
}

#[test]
fn an_observer_cancels_without_an_error() {
    let (mut state, system) = (start(), pendulum());
    let mut patience = 5;
    let mut observer = |_: &StepView<f64, 1>| {
        patience -= 1;
        if patience == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let controller = &mut DefaultInputs::of(&system);
    let options = tolerance(1e-9);
    let report = integrate(&system, &mut state, 1e9, &Dop853::new(), &options, controller, &mut observer).unwrap();
    assert_eq!((report.outcome, report.statistics.steps), (Outcome::Stopped, 5));
}
