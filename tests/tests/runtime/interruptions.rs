//! What an interruption by one event does to the others: those that were told, jumped over, or on their zeros.

use crate::common::ball;
use lagrange_runtime::prelude::*;

type Vector = SVector<f64, 1>;

/// The times of each event for a body thrown upward from 0 at 10 m/s, in one step of 3 s.
fn thrown(events: &[Event<'_, f64, 1>], t_end: f64) -> Vec<Vec<f64>> {
    let options = Options { max_steps: Some(100), events, ..Options::default() };
    let start = State::new(0.0, [0.0], [10.0]);
    let solution = solve(&ball(), start, t_end, &Rk4::new(3.0), &options).expect("regular");
    let times = |event: usize| {
        solution.events.iter().filter(move |found| found.event == event).map(|found| found.before.t).collect()
    };
    (0..events.len()).map(times).collect()
}

#[track_caller]
fn assert_times(found: &[f64], expected: &[f64]) {
    let near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12);
    assert!(found.len() == expected.len() && near, "{found:?} instead of {expected:?}");
}

#[test]
fn an_event_far_from_its_zero_is_not_touched_by_the_next_interruption() {
    // Above 3.75 from 0.5 s to 1.5 s; falling at 2 m/s at 1.2 s, in the same step as the way up.
    let level = |_: f64, q: &Vector, _: &Vector| q[0] - 3.75;
    let speed = |_: f64, _: &Vector, v: &Vector| v[0] + 2.0;
    let events = [Event::new(&level), Event::new(&level).restarting(), Event::new(&speed).restarting()];
    let found = thrown(&events, 3.0);
    assert_times(&found[0], &[0.5, 1.5]);
    assert_times(&found[1], &[0.5, 1.5]);
    assert_times(&found[2], &[1.2]);
}

#[test]
fn what_was_told_is_not_told_again_by_an_interruption_at_the_same_time() {
    let level = |_: f64, q: &Vector, _: &Vector| q[0] - 3.75;
    let stay = |state: &State<f64, 1>| *state;
    let found = thrown(&[Event::new(&level), Event::new(&level).mapping(&stay), Event::new(&level)], 3.0);
    found.iter().for_each(|times| assert_times(times, &[0.5, 1.5]));
}

#[test]
fn a_function_that_a_map_makes_jump_over_zero_has_no_event() {
    let gate = |_: f64, q: &Vector, _: &Vector| q[0] - 3.75;
    let lift = |state: &State<f64, 1>| State { q: state.q.add_scalar(10.0), ..*state };
    let over = |_: f64, q: &Vector, _: &Vector| q[0] - 8.0;
    let events = [Event::new(&gate).going(Direction::Rising).mapping(&lift), Event::new(&over)];
    // From 13.75 m at 5 m/s: down to 8 m where 5 s² − 5 s = 5.75.
    let found = thrown(&events, 2.5);
    assert_times(&found[0], &[0.5]);
    assert_times(&found[1], &[1.0 + (1.0_f64 + 4.0 * 1.15).sqrt() / 2.0]);
}

#[test]
fn two_zeros_right_after_a_step_s_start_are_found_by_the_slope_there() {
    for middle in [0.01, 0.3, 2.99] {
        let dip = |t: f64, _: &Vector, _: &Vector| (t - middle) * (t - middle) - 1e-6;
        assert_times(&thrown(&[Event::new(&dip)], 3.0)[0], &[middle - 1e-3, middle + 1e-3]);
    }
}
