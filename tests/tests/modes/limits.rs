//! What has no motion, and what modes leave out: circles, backward motions, and derivatives.

use crate::mechanisms::{Circle, Latch, Room, TwoSprings};
use lagrange_runtime::analysis::{EquilibriumSearch, linearize, power_audit};
use lagrange_runtime::prelude::*;

#[test]
fn modes_that_undo_each_other_are_an_error_that_names_one() {
    let system = Circle { m: 1.0 }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let failed = solve(&system, start, 2.0, &Dop853::new(), &Options::default()).expect_err("a circle");
    let Failure::ModeCircle { mode } = failed.error.failure else { panic!("{}", failed.error) };
    assert!(mode == "first" || mode == "second");
    assert!((failed.error.state.t - 1.0).abs() < 1e-9, "{}", failed.error);
    // What was computed before is kept.
    assert!(failed.solution.states().any(|state| state.q[0] < -0.5));
    let text = failed.error.to_string();
    assert!(text.contains("changes infinitely often"), "{text}");
}

#[test]
fn a_motion_backward_is_refused() {
    let system = Room::COLD.prepare::<f64>().expect("positive");
    let failed = solve(&system, Room::start(), -1.0, &Dop853::new(), &Options::default()).expect_err("no past");
    assert!(
        failed.error.to_string().contains("changes of modes do not determine the motion before it"),
        "{}",
        failed.error
    );
}

#[test]
fn an_equilibrium_and_its_linearisation_keep_the_mode() {
    let system = Latch { m: 2.0, k: 8.0, push: 0.5 }.prepare::<f64>().expect("positive");
    let found = EquilibriumSearch::new([0.3, 1.0], [0.5]).find(&system).expect("an equilibrium");
    assert!((found.state.q[0] - 0.5 / 8.0).abs() < 1e-12 && found.state.v[1] == 1.0, "{found:?}");
    let linear = linearize(&system, &found.state, &found.inputs).expect("a linear system");
    assert_eq!(linear.states(), ["x", "dot(x)"]);
    assert!((linear.a()[(1, 0)] + 4.0).abs() < 1e-12 && linear.a()[(0, 1)] == 1.0, "{linear:?}");
}

#[test]
fn the_balance_of_energy_contains_what_changes_add() {
    // The soft spring becomes four times as stiff at 0, where neither has energy: nothing is added.
    let system = TwoSprings { m: 1.0, k: 1.0 }.prepare::<f64>().expect("positive");
    let options = Options { rtol: 1e-12.into(), atol: 1e-12.into(), dense_output: true, ..Options::default() };
    let start = State::new(0.0, [1.0, 0.0], [0.0, 1.0]);
    let solution = solve(&system, start, 5.0, &Dop853::new(), &options).expect("a motion");
    let audit = power_audit(&system, &solution, |_, _, _| SVector::zeros()).expect("finite powers");
    assert!(audit.impacts.abs() < 1e-9 && audit.residual.abs() < 1e-9, "{audit:?}");
    // Started with the other spring at x = 1, the change at the start takes 3/2 of the energy 2 away.
    let wrong = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
    let solution = solve(&system, wrong, 1.0, &Dop853::new(), &options).expect("a motion");
    let [change] = solution.instants[..] else { panic!("a change at the start") };
    let energies = [change.before, change.after].map(|state| system.energies_of(&state).energy);
    assert_eq!(energies, [2.0, 0.5]);
}
