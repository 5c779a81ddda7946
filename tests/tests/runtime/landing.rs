//! Times: exact multiples of the step, landing on the end and on asked times, backward, and spans of length zero.

use crate::common::{distance, pendulum, run};
use lagrange_runtime::prelude::*;

fn start() -> State<f64, 1> {
    State::new(0.0, [1.0], [0.0])
}

fn times(t: f64, t_end: f64, h: f64) -> Vec<f64> {
    let initial = State { t, ..start() };
    solve(&pendulum(), initial, t_end, &Rk4::new(h), &Options::default()).unwrap().t
}

#[test]
fn fixed_steps_do_not_accumulate_rounding() {
    let times = times(0.0, 1000.0, 0.1);
    assert_eq!(times.len(), 10_001);
    for (number, &t) in times.iter().enumerate().take(10_000) {
        assert_eq!(t, number as f64 * 0.1);
    }
    assert_eq!(times[10_000], 1000.0);
}

#[test]
fn the_last_step_is_shortened() {
    assert_eq!(times(0.0, 1.0, 0.4), [0.0, 0.4, 0.8, 1.0]);
    assert_eq!(times(2.0, 2.3, 0.5), [2.0, 2.3]);
    let backward: Vec<_> = times(1.0, -0.1, 0.5);
    assert_eq!(backward, [1.0, 0.5, 0.0, -0.1]);
}

#[test]
fn a_remainder_within_rounding_is_no_step_of_its_own() {
    // 3 · 0.1 is a rounding above 0.3; 0.7/0.1 is a rounding below 7.
    assert_eq!(times(0.0, 0.3, 0.1), [0.0, 0.1, 0.2, 0.3]);
    assert_eq!(times(0.0, 3.0 * 0.1, 0.1).len(), 4);
    assert_eq!(times(0.0, 0.7, 0.1).len(), 8);
    assert_eq!(times(0.1, 0.1 + 6.0 * 0.1, 0.1).len(), 7);
    assert_eq!(times(0.0, 0.1 + 1e-17, 0.1).len(), 2);
}

#[test]
fn a_span_of_length_zero_is_finished_at_once() {
    for solution in [
        solve(&pendulum(), start(), 0.0, &Rk4::new(0.1), &Options::default()).unwrap(),
        solve(&pendulum(), start(), 0.0, &Rkf45::new(), &Options::default()).unwrap(),
    ] {
        assert_eq!((solution.outcome, solution.statistics), (Outcome::Finished, Statistics::default()));
        assert_eq!(solution.states().collect::<Vec<_>>(), [start()]);
    }
}

#[test]
fn backward_integration_returns() {
    let options = Options { rtol: 1e-10.into(), atol: 1e-12.into(), ..Options::default() };
    let there = solve(&pendulum(), start(), 3.0, &Rkf45::new(), &options).unwrap().last().unwrap();
    let back = solve(&pendulum(), there, 0.0, &Rkf45::new(), &options).unwrap().last().unwrap();
    assert_eq!(back.t, 0.0);
    assert!(distance(&back, &start()) < 1e-8);
    let fixed = run(&pendulum(), run(&pendulum(), start(), 3.0, &Rk4::new(0.01)), 0.0, &Rk4::new(0.01));
    assert!(distance(&fixed, &start()) < 1e-8);
}

#[test]
fn adaptive_steps_land_on_the_end_and_keep_to_max_step() {
    let options = Options { max_step: 0.05, ..Options::default() };
    let solution = solve(&pendulum(), start(), 1.0, &Rkf45::new(), &options).unwrap();
    assert_eq!(solution.t.last(), Some(&1.0));
    assert!(solution.t.windows(2).all(|pair| pair[1] > pair[0] && pair[1] - pair[0] <= 0.05 * (1.0 + 1e-12)));
}

#[test]
fn asked_times_are_met_exactly_and_do_not_change_the_steps() {
    let ask = [0.0, 0.2, 0.25, 0.26, 0.999, 1.0];
    let options = Options { t_eval: Some(&ask), ..Options::default() };
    let plain = solve(&pendulum(), start(), 1.0, &Rk4::new(0.1), &Options::default()).unwrap();
    let asked = solve(&pendulum(), start(), 1.0, &Rk4::new(0.1), &options).unwrap();
    assert_eq!(asked.t, ask);
    assert_eq!(asked.statistics.steps, plain.statistics.steps);
    assert_eq!(asked.state(1), plain.state(2));
    assert_eq!(asked.last(), plain.last());
    for (index, &t) in ask.iter().enumerate() {
        let reference = run(&pendulum(), start(), t, &Rk4::new(1e-3));
        assert!(distance(&asked.state(index).unwrap(), &reference) < 1e-6, "t = {t}");
    }
    let backward = [-0.05, -0.3, -1.0];
    let options = Options { t_eval: Some(&backward), ..Options::default() };
    let solution = solve(&pendulum(), start(), -1.0, &Rkf45::new(), &options).unwrap();
    assert_eq!(solution.t, backward);
    // The pendulum started at rest: its motion is even in time.
    let mirrored = run(&pendulum(), start(), 0.3, &Rk4::new(1e-3));
    assert!((solution.q[1] - mirrored.q).amax() < 1e-5);
    assert!((solution.v[1] + mirrored.v).amax() < 1e-5);
}

#[test]
fn a_last_asked_time_a_rounding_beyond_the_end_is_the_end() {
    let ask = [0.1, 3.0 * 0.1];
    let options = Options { t_eval: Some(&ask), ..Options::default() };
    let solution = solve(&pendulum(), start(), 0.3, &Rk4::new(0.05), &options).unwrap();
    assert_eq!(solution.t, ask);
    assert_eq!(solution.q[1], run(&pendulum(), start(), 0.3, &Rk4::new(0.05)).q);
}
