//! The state that a simulation starts from.

use super::{CATALOG, Failure, MethodChoice, MethodName, simulate, usage};
use crate::catalog::{Feedback, Request, Start, States};

#[test]
fn an_initial_state_far_from_the_constraints_is_refused_unless_asked_for() {
    let at = |initial: &[&str], more: &[&str]| {
        let words = initial.iter().flat_map(|value| ["--initial", *value]).collect::<Vec<_>>();
        simulate(&[&["pendulum", "--t-end", "0.01"][..], &words, more].concat())
    };
    let refused = |initial: &[&str]| match at(initial, &[]) {
        Err(Failure::Usage(text)) => text,
        other => panic!("{initial:?}: {other:?}"),
    };
    let message = refused(&["x=2"]);
    assert!(message.contains("constraint `rod`") && message.contains("x = 1 instead of 2"), "{message}");
    assert!(message.contains("add --project"), "{message}");
    let message = refused(&["x_dot=1"]);
    assert!(message.contains("rate of constraint `rod`") && message.contains("x_dot = 0 instead of 1"), "{message}");
    let message = usage(&["pendulum", "--t-end", "0.01", "--set", "l=2"]);
    assert!(message.contains("x = 2 instead of 1"), "{message}");

    at(&["x=2"], &["--project"]).expect("asked for");
    at(&["x=0.6", "y=-0.8"], &[]).expect("consistent");
    at(&["x=0.7071", "y=-0.7071"], &[]).expect("four digits");
}

#[test]
fn what_a_start_moved_is_told_with_both_values() {
    let model = CATALOG.find("pendulum").expect("it is there");
    let request = |x: f64, y: f64| Request {
        set: Vec::new(),
        initial: vec![("x".to_owned(), x), ("y".to_owned(), y)],
        project: false,
        t_start: 0.0,
        t_end: 1.0,
        method: MethodChoice::with_step(MethodName::Rk4, 0.1),
        max_steps: None,
        until: Vec::new(),
        watched: Vec::new(),
        audit: false,
        states: States::EveryStep,
        exponent: None,
        feedback: Feedback::default(),
    };
    assert_eq!(model.start(&request(0.6, -0.8)).expect("consistent").moved, []);
    let start = model.start(&request(0.707, -0.707)).expect("near");
    let moved: Vec<(&str, f64)> = start.moved.iter().map(|moved| (moved.name.as_str(), moved.from)).collect();
    assert_eq!(moved, [("x", 0.707), ("y", -0.707)]);
    assert!(start.moved.iter().all(|moved| !moved.far && (moved.to.abs() - 0.5_f64.sqrt()).abs() < 1e-15));
    assert_eq!(start.q[0], start.moved[0].to);
}

/// The start of the pendulum of length 1 with these initial values, and the components that were moved.
fn started(initial: &[(&str, f64)]) -> (Start, Vec<String>) {
    let request = Request {
        set: Vec::new(),
        initial: initial.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
        project: false,
        t_start: 0.0,
        t_end: 1.0,
        method: MethodChoice::automatic(),
        max_steps: None,
        until: Vec::new(),
        watched: Vec::new(),
        audit: false,
        states: States::EveryStep,
        exponent: None,
        feedback: Feedback::default(),
    };
    let start = CATALOG.find("pendulum").expect("it is there").start(&request).expect("the others can follow");
    let moved = start.moved.iter().map(|moved| moved.name.clone()).collect();
    (start, moved)
}

/// The published start is (1, 0), where y does not change the length of the rod to first order.
#[test]
fn what_is_named_is_kept_and_the_rest_follows() {
    let (start, moved) = started(&[("x", 0.6)]);
    assert_eq!((start.q[0], moved), (0.6, vec!["y".to_owned()]));
    assert!((start.q[1] + 0.8).abs() < 1e-14, "of both values of y, the lower one: {start:?}");

    let (start, moved) = started(&[("y", -0.8), ("x_dot", 2.0)]);
    assert_eq!((start.q[1], start.v[0], moved), (-0.8, 2.0, vec!["x".to_owned(), "y_dot".to_owned()]));
    // The rod keeps its length: 0.6·2 − 0.8·1.5 = 0.
    assert!((start.q[0] - 0.6).abs() < 1e-14 && (start.v[1] - 1.5).abs() < 1e-13, "{start:?}");
    assert!(start.moved.iter().all(|moved| !moved.far), "{start:?}");
}

/// x² + y² = 1 touches y = −1 at x = 0, where Newton's method comes only near; at x = 0 the length of the rod has no derivative in (0, 0).
#[test]
fn a_pendulum_may_start_at_its_lowest_point() {
    for named in [("y", -1.0), ("x", 0.0)] {
        let (start, _) = started(&[named]);
        assert_eq!(start.q[0], 0.0, "{named:?}: {start:?}");
        assert!((start.q[1] + 1.0).abs() < 1e-14, "{named:?}: {start:?}");
    }
}
