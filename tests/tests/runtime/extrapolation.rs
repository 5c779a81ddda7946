//! Extrapolation: its errors against tolerances, its changes of order, rejections, agreement, and its cost.

use crate::common::{
    Counted, at_tolerance, compound_pendulum, distance, exponent, largest_over_first_steps, oscillator, pendulum,
    slopes,
};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::DoubleDouble;

type Dd = DoubleDouble;

fn start() -> State<f64, 2> {
    State::new(0.0, [0.7, 1.3], [1.0, 0.0])
}

#[test]
fn errors_are_in_proportion_to_tolerances() {
    let dd = Dd::from_f64;
    let from = State::new(dd(0.0), [dd(0.7), dd(1.3)], [dd(1.0), dd(0.0)]);
    let found = exponent(&compound_pendulum(), from, 5.0, &Extrapolation::new(), &Verner9::new(), 4..=16);
    assert!((found - 1.0).abs() <= 0.15, "{found}");
}

#[test]
fn it_agrees_with_the_pairs_at_every_tolerance() {
    let reference =
        solve(&compound_pendulum(), start(), 5.0, &Verner9::new(), &at_tolerance(1e-14)).unwrap().last().unwrap();
    for tolerance in [1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13] {
        let error = largest_over_first_steps(|first_step| {
            let options = Options { first_step, ..at_tolerance(tolerance) };
            let solution = solve(&compound_pendulum(), start(), 5.0, &Extrapolation::new(), &options).unwrap();
            distance(&solution.last().unwrap(), &reference)
        });
        assert!(error < 1000.0 * tolerance, "{error:e} at {tolerance:e}");
    }
}

#[test]
fn the_order_follows_the_tolerance() {
    let run = |tolerance: f64| {
        let system = Counted::new(compound_pendulum());
        let solution = solve(&system, start(), 20.0, &Extrapolation::new(), &at_tolerance(tolerance)).unwrap();
        assert_eq!(system.evaluations(), solution.statistics.evaluations);
        solution.statistics
    };
    let (loose, tight) = (run(1e-4), run(1e-13));
    let cost = |statistics: Statistics| statistics.evaluations as f64 / (statistics.steps + statistics.rejected) as f64;
    // k columns cost 1 + Σ 2j = k² + k + 1: about 4 columns at the loose tolerance, 8 at the tight one.
    assert!(cost(loose) < 30.0, "{loose:?}");
    assert!(cost(tight) > 45.0 && cost(tight) < 92.0, "{tight:?}");
    // An order that follows keeps the number of steps almost the same where a fixed one would need 10^(9/8) times as many.
    assert!(tight.steps < 5 * loose.steps, "{loose:?} {tight:?}");
    let dop853 = solve(&compound_pendulum(), start(), 20.0, &Dop853::new(), &at_tolerance(1e-13)).unwrap().statistics;
    assert!(tight.evaluations < 2 * dop853.evaluations, "{tight:?} {dop853:?}");
}

#[test]
fn a_jump_is_met_by_rejections_and_passed() {
    let mut jump = |t: f64, _: &SVector<f64, 1>, _: &SVector<f64, 1>| SVector::from([if t < 1.0 { 0.0 } else { 1.0 }]);
    let from = State::new(0.0, [1.0], [0.0]);
    let solution = solve_with(&oscillator(), from, 3.0, &Extrapolation::new(), &at_tolerance(1e-9), &mut jump).unwrap();
    let exact = 3.0_f64.cos() + 1.0 - 2.0_f64.cos();
    assert!((solution.last().unwrap().q[0] - exact).abs() < 1e-6);
    assert!(solution.statistics.rejected > 0);
}

#[test]
fn it_goes_backward_and_finds_events() {
    let from = State::new(0.0, [1.0], [0.0]);
    let there = solve(&pendulum(), from, 7.0, &Extrapolation::new(), &at_tolerance(1e-12)).unwrap().last().unwrap();
    let back = solve(&pendulum(), there, 0.0, &Extrapolation::new(), &at_tolerance(1e-12)).unwrap().last().unwrap();
    assert!(distance(&back, &from) < 1e-9);
    let position = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| q[0];
    let events = [Event::new(&position).terminal()];
    let options = Options { events: &events, max_step: 0.05, ..at_tolerance(1e-12) };
    let solution = solve(&oscillator(), from, 7.0, &Extrapolation::new(), &options).unwrap();
    assert_eq!(solution.outcome, Outcome::Event(0));
    assert!((solution.last().unwrap().t - std::f64::consts::FRAC_PI_2).abs() < 1e-9);
}

#[test]
fn samples_have_the_interpolants_order_and_ends_are_exact() {
    let options = Options { dense_output: true, max_step: 0.1, ..at_tolerance(1e-12) };
    let from = State::new(0.0, [1.0], [0.0]);
    let solution = solve(&oscillator(), from, 3.0, &Extrapolation::new(), &options).unwrap();
    for state in solution.states() {
        assert_eq!(solution.sample(state.t).unwrap(), state);
    }
    for t in [0.333_f64, 1.234, 2.345] {
        let sample = solution.sample(t).unwrap();
        assert!((sample.q[0] - t.cos()).abs() < 1e-13 && (sample.v[0] + t.sin()).abs() < 1e-12, "{sample:?}");
    }
}

#[test]
fn samples_of_a_motion_with_velocities_in_its_acceleration_have_order_8_and_7() {
    let dd = Dd::from_f64;
    let from = State::new(dd(0.0), [dd(0.7), dd(1.3)], [dd(1.0), dd(0.0)]);
    let at = |tolerance: f64| {
        let tolerance = Tolerance::Uniform(dd(tolerance));
        Options { rtol: tolerance, atol: tolerance, ..Options::default() }
    };
    let (mut q_errors, mut v_errors) = (Vec::new(), Vec::new());
    for h in [0.02, 0.01, 0.005] {
        let options = Options { first_step: Some(dd(h)), max_step: dd(h), ..at(1e-20) };
        // A look at a step that was made: nothing bounds it for its interpolant.
        let (system, method) = (compound_pendulum(), Extrapolation::new());
        let mut inputs = DefaultInputs::of(&system);
        let mut stepper = Stepper::new(&system, from, dd(h), &method, &options, &mut inputs).unwrap();
        stepper.step().unwrap();
        assert!(stepper.is_finished());
        let view = stepper.view(true).unwrap();
        let t = dd(0.3) * dd(h);
        let exact = solve(&compound_pendulum(), from, t, &Verner9::new(), &at(1e-26)).unwrap().last().unwrap();
        let sample = view.sample(t).unwrap();
        q_errors.push((h, (sample.q - exact.q).map(Scalar::to_f64).amax()));
        v_errors.push((h, (sample.v - exact.v).map(Scalar::to_f64).amax()));
    }
    assert!(slopes(&q_errors).iter().all(|slope| (slope - 8.0).abs() < 0.4), "{q_errors:?}");
    assert!(slopes(&v_errors).iter().all(|slope| (slope - 7.0).abs() < 0.4), "{v_errors:?}");
}

#[test]
fn only_steps_that_are_interpolated_are_bounded() {
    let run = |options: &Options<'_, f64, 2>| {
        solve(&compound_pendulum(), start(), 10.0, &Extrapolation::new(), options).unwrap()
    };
    let plain = at_tolerance(1e-9);
    let (free, dense) = (run(&plain), run(&Options { dense_output: true, ..plain }));
    assert!(2 * free.t.len() < dense.t.len(), "{} {}", free.t.len(), dense.t.len());
    // Events and samples in every step bound as dense output does.
    let never = |_: f64, _: &SVector<f64, 2>, _: &SVector<f64, 2>| 1.0;
    let events = [Event::new(&never)];
    assert_eq!(run(&Options { events: &events, ..plain }).t, dense.t);
    let times: Vec<_> = (0..=10_000).map(|sample| f64::from(sample) / 1000.0).collect();
    let sampled = run(&Options { t_eval: Some(&times), ..plain });
    assert_eq!(sampled.statistics, dense.statistics);
    // One sample bounds the step that it is in.
    let one = run(&Options { t_eval: Some(&[5.0]), ..plain });
    let (steps, least, most) = (one.statistics.steps, free.statistics.steps, dense.statistics.steps);
    assert!(least <= steps && steps < (least + most) / 2, "{least} {steps} {most}");
    let exact = solve(&compound_pendulum(), start(), 5.0, &Verner9::new(), &at_tolerance(1e-14)).unwrap();
    let node = solve(&compound_pendulum(), start(), 5.0, &Extrapolation::new(), &plain).unwrap();
    let (exact, node) = (exact.last().unwrap(), distance(&node.last().unwrap(), &exact.last().unwrap()));
    assert!(distance(&one.state(0).unwrap(), &exact) < 3.0 * node + 1e-8);
}
