//! Controllers in closed loops, against recursions written by hand.

use super::mechanisms::Balance;
use super::shared::Oscillator;
use lagrange_runtime::analysis::{SampledSpace, StateSpace, linearize, lqr, lqr_sampled};
use lagrange_runtime::controller::{Delayed, IntegralFeedback, Law, Pid, Quantised, Saturated, StateFeedback};
use lagrange_runtime::nalgebra::{DMatrix, DVector};
use lagrange_runtime::prelude::*;

const PERIOD: f64 = 0.1;
const SAMPLES: usize = 60;

/// The oscillator at its samples under a sampled law.
fn motion(law: impl Law<f64, 1, 1>) -> Vec<[f64; 2]> {
    let system = Oscillator { m: 2.0, k: 18.0, push: 0.0 }.prepare::<f64>().expect("valid");
    let times: Vec<f64> = (0..=SAMPLES).map(|k| k as f64 * PERIOD).collect();
    let options = Options { rtol: 1e-12.into(), atol: 1e-12.into(), t_eval: Some(&times), ..Options::default() };
    let initial = State::new(0.0, [1.0], [0.3]);
    let mut controller = Sampled::of(PERIOD, law);
    let end = SAMPLES as f64 * PERIOD;
    let solution = solve_with(&system, initial, end, &Dop853::new(), &options, &mut controller).expect("no failure");
    solution.states().map(|state| [state.q[0], state.v[0]]).collect()
}

/// Returns the states of the sampled oscillator by its closed form between samples. `law` computes u(k) from all states until
/// sample k.
fn recursion(mut law: impl FnMut(&[[f64; 2]]) -> f64) -> Vec<[f64; 2]> {
    let (sin, cos) = (3.0 * PERIOD).sin_cos();
    let mut states = vec![[1.0, 0.3]];
    for k in 0..SAMPLES {
        let [x, v] = states[k];
        let u = law(&states) / 18.0;
        states.push([(x - u) * cos + v / 3.0 * sin + u, v * cos - 3.0 * (x - u) * sin]);
    }
    states
}

fn alike(found: &[[f64; 2]], expected: &[[f64; 2]]) {
    assert_eq!(found.len(), expected.len());
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found[0] - expected[0]).abs().max((found[1] - expected[1]).abs());
        assert!(error < 1e-9, "sample {k}: {found:?}, by hand {expected:?}");
    }
}

fn feedback() -> StateFeedback<f64, 1, 1> {
    StateFeedback::new(SMatrix::from([[5.0]]), SMatrix::from([[3.0]])).with_reference([0.2].into(), [0.0].into())
}

fn wanted([x, v]: [f64; 2]) -> f64 {
    -5.0 * (x - 0.2) - 3.0 * v
}

#[test]
fn sampled_saturated_and_delayed_feedback_follow_their_recursions() {
    alike(&motion(feedback()), &recursion(|states| wanted(states[states.len() - 1])));
    let limited = Saturated::new(feedback(), [-1.5].into(), [1.0].into());
    alike(&motion(limited), &recursion(|states| wanted(states[states.len() - 1]).clamp(-1.5, 1.0)));
    let late = Delayed::<_, f64, 1, 3>::new(limited);
    let by_hand = |states: &[[f64; 2]]| wanted(states[states.len().saturating_sub(4)]).clamp(-1.5, 1.0);
    alike(&motion(late), &recursion(by_hand));
    let prompt = Delayed::<_, f64, 1, 0>::new(limited);
    alike(&motion(prompt), &recursion(|states| wanted(states[states.len() - 1]).clamp(-1.5, 1.0)));
}

#[test]
fn quantised_measurements_are_whole_steps() {
    let encoder = Quantised::new(feedback(), [0.0625].into(), [0.125].into());
    let by_hand = |states: &[[f64; 2]]| {
        let [x, v] = states[states.len() - 1];
        wanted([(x / 0.0625 + 0.5).floor() * 0.0625, (v / 0.125 + 0.5).floor() * 0.125])
    };
    alike(&motion(encoder), &recursion(by_hand));
}

#[test]
fn a_pid_follows_its_recursion_and_leaves_no_error() {
    let pid = Pid::new(0, 0).with_gains(4.0, 9.0, 6.0).with_filter(0.05).with_setpoint(0.5).with_bounds(-4.0, 11.0);
    let (mut integral, mut slope) = (0.0, 0.0);
    let by_hand = recursion(|states| {
        let x = states[states.len() - 1][0];
        let error = 0.5 - x;
        if states.len() > 1 {
            let change = x - states[states.len() - 2][0];
            slope = (0.05 * slope - 6.0 * change) / 0.15;
            let next = integral + 9.0 * PERIOD * error;
            let total = 4.0 * error + slope + next;
            if (-4.0..=11.0).contains(&total) || (total > 11.0) != (error > 0.0) {
                integral = next;
            }
        }
        (4.0 * error + slope + integral).clamp(-4.0, 11.0)
    });
    alike(&motion(pid), &by_hand);
    // The spring's force at the setpoint comes from the integral alone.
    let system = Oscillator { m: 2.0, k: 18.0, push: 0.0 }.prepare::<f64>().expect("valid");
    let mut controller = Sampled::of(PERIOD, pid);
    let initial = State::new(0.0, [1.0], [0.3]);
    let solution =
        solve_with(&system, initial, 60.0, &Dop853::new(), &Options::default(), &mut controller).expect("no failure");
    assert!((solution.last().expect("a state").q[0] - 0.5).abs() < 1e-6);
    assert!((controller.law().integrated() - 9.0).abs() < 1e-5);
}

/// The oscillator sampled, with its place as output.
fn sampled_oscillator() -> SampledSpace {
    let space = StateSpace::new(
        DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -9.0, 0.0]),
        DMatrix::from_column_slice(2, 1, &[0.0, 0.5]),
    );
    let place = DMatrix::from_row_slice(1, 2, &[1.0, 0.0]);
    let space = space.and_then(|space| space.with_outputs(place, DMatrix::zeros(1, 1)));
    space.and_then(|space| space.sampled(PERIOD)).expect("finite")
}

/// A regulator of an estimate follows its recursion, from an estimate that is wrong at first, and around a reference.
#[test]
fn an_observer_follows_its_recursion() {
    let space = sampled_oscillator();
    let regulator =
        lqr_sampled(&space, &DMatrix::identity(2, 2), &DMatrix::from_element(1, 1, 0.1)).expect("stabilisable");
    let filter = space.kalman(&DMatrix::identity(2, 2), &DMatrix::from_element(1, 1, 0.1)).expect("observable");
    let (rest, hold) = (0.2, 18.0 * 0.2);
    let (mut expected, mut first) = (DMatrix::from_column_slice(2, 1, &[0.4, -0.1]), true);
    let by_hand = recursion(|states| {
        let seen = states[states.len() - 1][0] - rest;
        let start = DMatrix::from_column_slice(2, 1, &[0.4, -0.1]);
        if std::mem::take(&mut first) {
            expected = start;
        }
        let estimate = &expected + &filter.gain * (seen - expected[(0, 0)]);
        let input = -(&regulator.gain * &estimate)[(0, 0)];
        expected = &space.a * &estimate + &space.b * input;
        hold + input
    });
    let place = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| *q;
    let law = filter.feedback::<2, 1, 1, _>(&space, &regulator.gain, place, [rest].into(), [hold].into());
    let mut law = law.expect("of like size").with_estimate([0.4, -0.1].into());
    alike(&motion(law), &by_hand);
    // A second sample at the same time replaces the first.
    let mut twice = law;
    for t in [0.0, 0.1, 0.2] {
        let (q, v) = (SVector::from([1.0 + t]), SVector::from([0.0]));
        let once: SVector<f64, 1> = law.sample(t, &q, &v);
        let _: SVector<f64, 1> = twice.sample(t, &SVector::from([7.0]), &v);
        assert_eq!(once, twice.sample(t, &q, &v));
    }
    let error = filter.feedback::<3, 1, 1, _>(&space, &regulator.gain, place, [0.0].into(), [0.0].into());
    assert_eq!(error.err().expect("two states").to_string(), "A is 2 × 2; it must be 3 × 3");
}

/// D multiplies the input before the sample: an accelerometer on the oscillator, whose estimate becomes exact.
#[test]
fn an_observer_knows_what_acts_while_it_measures() {
    let space = sampled_oscillator();
    let (c, d) = (DMatrix::from_row_slice(1, 2, &[-9.0, 0.0]), DMatrix::from_element(1, 1, 0.5));
    let seen = SampledSpace { c, d, ..space };
    // What disturbs is the velocity, so that the estimate follows the place, and finds the velocity from it within some samples.
    let disturbance = DMatrix::from_diagonal(&DVector::from_column_slice(&[1e-9, 1.0]));
    let filter = seen.kalman(&disturbance, &DMatrix::from_element(1, 1, 1e-9)).expect("observable");
    let regulator =
        lqr_sampled(&seen, &DMatrix::identity(2, 2), &DMatrix::from_element(1, 1, 0.1)).expect("stabilisable");
    let acting = std::cell::Cell::new(0.0);
    let felt = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| SVector::from([-9.0 * q[0] + 0.5 * acting.get()]);
    let law = filter.feedback::<2, 1, 1, _>(&seen, &regulator.gain, felt, [0.0].into(), [0.0].into());
    let mut law = law.expect("of like size");
    let mut state = DMatrix::from_column_slice(2, 1, &[1.0, -2.0]);
    for k in 0..400 {
        let (q, v) = (SVector::from([state[(0, 0)]]), SVector::from([state[(1, 0)]]));
        let input: SVector<f64, 1> = law.sample(f64::from(k) * PERIOD, &q, &v);
        acting.set(input[0]);
        if k == 40 {
            assert!((law.estimate() - SVector::from([q[0], v[0]])).norm() < 1e-6, "{:?} {state}", law.estimate());
        }
        state = &seen.a * state + &seen.b * input[0];
    }
    assert!(state.norm() < 1e-6, "{state}");
}

/// An integral feedback follows its recursion, stands still at its bounds, and brings the place to its setpoint.
#[test]
fn an_integral_feedback_follows_its_recursion() {
    let seen = [SMatrix::from([[1.0]]), SMatrix::from([[0.0]])];
    let law = IntegralFeedback::new(feedback(), seen, SMatrix::from([[6.0]]), PERIOD).with_setpoint([0.1].into());
    let by_hand = |bound: f64| {
        let mut integral = 0.0;
        recursion(move |states| {
            let state = states[states.len() - 1];
            let raw = wanted(state) - 6.0 * integral;
            let input = raw.clamp(-bound, bound);
            if input == raw {
                integral += PERIOD * (state[0] - 0.2 - 0.1);
            }
            input
        })
    };
    alike(&motion(law), &by_hand(f64::INFINITY));
    let bounded = law.with_bounds([-1.5].into(), [1.5].into());
    alike(&motion(bounded), &by_hand(1.5));
    assert_ne!(by_hand(1.5), by_hand(f64::INFINITY));
    let system = Oscillator { m: 2.0, k: 18.0, push: 0.0 }.prepare::<f64>().expect("valid");
    let mut controller = Sampled::of(PERIOD, law);
    let start = State::new(0.0, [1.0], [0.3]);
    let end =
        solve_with(&system, start, 100.0, &Dop853::new(), &Options::default(), &mut controller).expect("no failure");
    assert!((end.last().expect("a state").q[0] - 0.3).abs() < 1e-6, "{:?}", end.last());
    let refused = |law: &IntegralFeedback<f64, 1, 1, 1>| Law::<f64, 1, 1>::check(law).expect_err("bad").to_string();
    assert!(refused(&law.with_bounds([2.0].into(), [1.0].into())).starts_with("`lower` is 2"));
    let timeless = IntegralFeedback::new(feedback(), seen, SMatrix::from([[6.0]]), 0.0);
    assert!(refused(&timeless).starts_with("`period` is 0"));
    assert!(refused(&law.with_setpoint([f64::NAN].into())).starts_with("`gain` is NaN"));
}

/// The balance system stands up from 0.2 rad in continuous and in sampled time, and in single precision.
#[test]
fn a_regulator_balances_in_both_precisions() {
    let balance = Balance::book();
    let system = balance.prepare::<f64>().expect("valid");
    let upright = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let near = linearize(&system, &upright, &SVector::from([0.0])).expect("regular");
    let (q, r) = (DMatrix::identity(4, 4), DMatrix::from_element(1, 1, 1e-4));
    let leaning = State::new(0.0, [0.0, 0.2], [0.0, 0.0]);
    let continuous = lqr(near.space(), &q, &r).expect("stabilisable").feedback(&near).expect("of like size");
    let mut controller = continuous;
    let options = Options::default();
    let end = solve_with(&system, leaning, 30.0, &Rkf45::new(), &options, &mut controller).expect("no failure");
    let last = end.last().expect("a state");
    assert!(last.q.norm() + last.v.norm() < 1e-4, "{last:?}");

    let regulator = lqr_sampled(&near.space().sampled(0.02).expect("finite"), &q, &r).expect("stabilisable");
    let sampled = regulator.feedback(&near).expect("of like size");
    let single = balance.prepare::<f32>().expect("valid");
    let mut controller = Sampled::of(0.02_f32, sampled.convert::<f32>());
    let leaning = State::new(0.0_f32, [0.0, 0.2], [0.0, 0.0]);
    let end =
        solve_with(&single, leaning, 30.0, &Rk4::new(2e-3), &Options::default(), &mut controller).expect("no failure");
    let last = end.last().expect("a state");
    assert!(last.q.norm() + last.v.norm() < 1e-3, "{last:?}");
}

#[test]
fn settings_that_make_no_sense_are_named() {
    let system = Oscillator { m: 2.0, k: 18.0, push: 0.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [1.0], [0.3]);
    let refused = |law: &mut dyn Controller<f64, 1, 1>| {
        let options = Options::default();
        let failed = solve_with(&system, start, 1.0, &Rk4::new(0.01), &options, law).expect_err("a bad setting");
        failed.error.failure.to_string()
    };
    let bounds = Saturated::new(feedback(), [2.0].into(), [1.0].into());
    assert_eq!(refused(&mut { bounds }), "`lower` is 2; it must be a number that is not above `upper`");
    assert!(refused(&mut Sampled::of(0.1, Pid::new(1, 0))).starts_with("`coordinate` is 1"));
    assert!(refused(&mut Sampled::of(0.1, Pid::new(0, 2))).starts_with("`input` is 2"));
    assert!(refused(&mut Sampled::of(0.1, Pid::new(0, 0).with_gains(f64::NAN, 0.0, 0.0))).starts_with("`gain` is NaN"));
    let sensor = Quantised::new(feedback(), [-0.1].into(), [0.0].into());
    assert!(refused(&mut Sampled::of(0.1, Delayed::<_, f64, 1, 2>::new(sensor))).starts_with("`quantisation step`"));
    let infinite = StateFeedback::<f64, 1, 1>::new(SMatrix::from([[f64::INFINITY]]), SMatrix::from([[0.0]]));
    assert!(refused(&mut { infinite }).starts_with("`gain` is inf"));
}
