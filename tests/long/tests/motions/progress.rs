//! Steps that no longer advance end with their cause; a motion that is only stiff goes on. `tests/tests/accurate/progress.rs` has the
//! same for derived mechanisms.

use crate::common::oscillator;
use lagrange_runtime::error::Jump;
use lagrange_runtime::prelude::*;

type Vector = SVector<f64, 1>;

fn at<const N: usize>(tolerance: f64) -> Options<'static, f64, N> {
    Options { rtol: tolerance.into(), atol: tolerance.into(), ..Options::default() }
}

fn start() -> State<f64, 1> {
    State::new(0.0, [1.05], [0.0])
}

/// Friction that only a closure knows: the block sticks at 5π s.
fn friction(_: f64, _: &Vector, v: &Vector) -> Vector {
    SVector::from([-0.1 * if v[0] == 0.0 { 0.0 } else { v[0].signum() }])
}

fn sticks<M: Method<f64, 1, 0>>(method: &M, tolerance: f64) {
    let failed =
        solve_with(&oscillator(), start(), 40.0, method, &at(tolerance), &mut friction).expect_err("it sticks");
    let jump = Jump { coordinate: 0, input: Some(0), switch: None };
    let Failure::NoProgress { advance, jump: Some(found), .. } = failed.error.failure else { panic!("{failed}") };
    assert!(found == jump && advance < 4e-3, "{failed}");
    let text = failed.to_string();
    assert!(text.contains("coordinate `x`, at which input 0 jumps") && text.contains("tanh"), "{text}");
    let (statistics, reached) = (failed.error.statistics, failed.error.state.t);
    assert!(statistics.steps + statistics.rejected <= 1_000_000, "{failed}");
    assert!((reached - 5.0 * std::f64::consts::PI).abs() < 0.1, "{failed}");
}

#[test]
fn chatter_in_a_controller_ends_and_names_the_input() {
    for tolerance in [1e-9, 1e-11] {
        sticks(&Tsitouras5::new(), tolerance);
        sticks(&Dop853::new(), tolerance);
        sticks(&Verner9::new(), tolerance);
    }
    // What it advises helps.
    let mut smooth = |_: f64, _: &Vector, v: &Vector| SVector::from([-0.1 * (1e3 * v[0]).tanh()]);
    assert!(solve_with(&oscillator(), start(), 40.0, &Tsitouras5::new(), &at(1e-9), &mut smooth).is_ok());
    // With a bound of the user's own there is no other.
    let bounded = Options { max_steps: Some(400_000), ..at(1e-11) };
    let failed =
        solve_with(&oscillator(), start(), 40.0, &Dop853::new(), &bounded, &mut friction).expect_err("it sticks");
    assert!(matches!(failed.error.failure, Failure::ShrunkenSteps { max_steps: 400_000, .. }), "{failed}");
}

#[test]
fn one_step_at_a_time_has_the_same_bound() {
    // On a belt that moves, hardly a step is rejected.
    let mut belt = |_: f64, _: &Vector, v: &Vector| SVector::from([-0.5 * (v[0] - 0.3).signum()]);
    let (system, method, options) = (oscillator(), Tsitouras5::new(), at(1e-9));
    let start = State::new(0.0, [2.0], [0.0]);
    let whole = solve_with(&system, start, 30.0, &method, &options, &mut belt).expect_err("it sticks").error;
    assert!(matches!(whole.failure, Failure::NoProgress { jump: Some(_), .. }), "{whole}");
    assert!(whole.statistics.rejected < 1_000 && whole.statistics.steps < 100_000, "{whole}");
    let mut stepper = Stepper::new(&system, start, 30.0, &method, &options, &mut belt).expect("valid");
    let error = loop {
        if let Err(error) = stepper.step() {
            break error;
        }
    };
    assert_eq!(error, whole);
}

#[test]
fn stiffness_and_fast_inputs_are_no_chatter() {
    let free = crate::common::Hand(crate::common::Oscillator { damping: 0.0 });
    let mut stiff = |t: f64, q: &Vector, v: &Vector| SVector::from([q[0] - 1e6 * (v[0] - t.cos())]);
    let solution = solve_with(&free, start(), 0.2, &Rkf45::new(), &at(1e-6), &mut stiff).expect("stiff");
    assert!(solution.statistics.steps > 20_000, "{:?}", solution.statistics);
    // An input that jumps with the time, 5000 times: slow, but each jump is passed once.
    let mut square = |t: f64, _: &Vector, _: &Vector| SVector::from([0.1 * (3e4 * t).sin().signum()]);
    let solution = solve_with(&free, start(), 0.5, &Rkf45::new(), &at(1e-9), &mut square).expect("square");
    assert!(solution.statistics.rejected > 10_000, "{:?}", solution.statistics);
}
