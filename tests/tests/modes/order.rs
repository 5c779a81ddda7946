//! What happens at one instant, and in which order.

use crate::mechanisms::{Latch, Rising, Room};
use lagrange_runtime::instant::{Cause, Phase};
use lagrange_runtime::prelude::*;

#[test]
fn an_event_comes_before_the_change_at_its_instant_and_a_map_may_bring_one_about() {
    let system = Room::COLD.prepare::<f64>().expect("positive");
    let warm = |_: f64, _: &SVector<f64, 2>, v: &SVector<f64, 2>| v[0] - 20.0;
    let opened = |state: &State<f64, 2>| State { v: SVector::from([15.0, state.v[1]]), ..*state };
    // Somebody opens a window at 20 degrees: at 15 degrees the heater is on at once.
    let events = [Event::new(&warm).going(Direction::Falling).mapping(&opened)];
    let options = Options { events: &events, rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    let start = State::new(0.0, [0.0; 2], [21.0, 0.0]);
    let solution = solve(&system, start, 1.0, &Dop853::new(), &options).expect("a motion");
    let causes: Vec<Cause> = solution.instants.iter().map(|instant| instant.cause).collect();
    assert_eq!(causes, [Cause::Event(0), Cause::Mode("heating")]);
    let [event, change] = solution.instants[..] else { panic!("two instants") };
    assert_eq!((event.after, change.before), (event.after, event.after));
    assert_eq!(event.before.t, change.after.t);
    assert_eq!((change.before.v[1], change.after.v[1]), (0.0, 1.0));
    assert!((event.before.t - 10.0 * f64::ln(21.0 / 20.0)).abs() < 1e-9);
}

#[test]
fn a_terminal_event_and_a_change_at_its_zero_both_happen() {
    let system = Room::COLD.prepare::<f64>().expect("positive");
    let warm = |_: f64, _: &SVector<f64, 2>, v: &SVector<f64, 2>| v[0] - 22.0;
    let events = [Event::new(&warm).terminal()];
    let options = Options { events: &events, rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    let start = State::new(0.0, [0.0; 2], [20.0, 1.0]);
    let solution = solve(&system, start, 10.0, &Dop853::new(), &options).expect("a motion");
    assert_eq!(solution.outcome, Outcome::Event(0));
    let causes: Vec<Cause> = solution.instants.iter().map(|instant| instant.cause).collect();
    assert_eq!(causes, [Cause::Event(0), Cause::Mode("heating")]);
    assert_eq!(solution.last().expect("states").v[1], 0.0);
    // What goes on from there has nothing left to change.
    let rest = solve(&system, solution.last().expect("states"), 10.0, &Dop853::new(), &options).expect("a motion");
    assert_eq!(rest.instants.first().map(|instant| instant.after.v[1]), Some(1.0));
}

#[test]
fn an_impact_changes_the_mode_at_its_instant() {
    let (g, e) = (10.0, 0.5);
    let system = Rising { m: 1.0, g, e }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [5.0, 0.0], [0.0, 0.0]);
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    let solution = solve(&system, start, 2.5, &Dop853::new(), &options).expect("a motion");
    let told: Vec<(Cause, f64)> = solution.instants.iter().map(|instant| (instant.cause, instant.before.t)).collect();
    // It falls for 1 s, rises for 1/2 s, falls for 1/2 s, rises for 1/4 s and falls.
    let rises = Cause::Mode("rises");
    let expected = [
        (Cause::Impact("floor"), 1.0),
        (rises, 1.0),
        (rises, 1.5),
        (Cause::Impact("floor"), 2.0),
        (rises, 2.0),
        (rises, 2.25),
    ];
    let told: Vec<_> = told.into_iter().filter(|(cause, _)| !matches!(cause, Cause::Phase(..))).collect();
    assert!(told.len() >= expected.len(), "{told:?}");
    for (found, exact) in told.iter().zip(expected) {
        assert!(found.0 == exact.0 && (found.1 - exact.1).abs() < 1e-9, "{told:?}");
    }
    let at_impact: Vec<f64> = solution.instants.iter().filter(|it| it.cause == rises).map(|it| it.after.v[1]).collect();
    assert_eq!(at_impact[..4], [1.0, 0.0, 1.0, 0.0]);
    assert!(!solution.instants.iter().any(|it| matches!(it.cause, Cause::Phase(_, Phase::Closed))));
}

#[test]
fn a_sample_that_makes_a_condition_hold_changes_the_mode_behind_it() {
    let system = Latch { m: 1.0, k: 1.0, push: 0.0 }.prepare::<f64>().expect("positive");
    let law = |t: f64, _: &SVector<f64, 2>, _: &SVector<f64, 2>| SVector::from([if t > 0.75 { 2.0 } else { 0.5 }]);
    let mut controller = Sampled::new(0.5, law);
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    let start = State::new(0.0, [0.0; 2], [0.0; 2]);
    let solution = solve_with(&system, start, 2.0, &Dop853::new(), &options, &mut controller).expect("a motion");
    let told: Vec<(Cause, f64)> = solution.instants.iter().map(|instant| (instant.cause, instant.before.t)).collect();
    let changes: Vec<_> = told.iter().filter(|(cause, _)| matches!(cause, Cause::Mode(_))).collect();
    assert_eq!(changes, [&(Cause::Mode("latched"), 1.0)], "{told:?}");
    let sample = told.iter().position(|it| *it == (Cause::Inputs, 1.0)).expect("a sample that changes the input");
    assert_eq!(told[sample + 1], (Cause::Mode("latched"), 1.0));
    // x = 1/4 with the speed 1/2 at 1 s, then x = 2 + (1/4 - 2) cos(t - 1) + 1/2 sin(t - 1).
    let last = solution.last().expect("states");
    let exact = 2.0 - 1.75 * f64::cos(1.0) + 0.5 * f64::sin(1.0);
    assert!((last.q[0] - exact).abs() < 1e-9, "{last:?} instead of {exact}");
}
