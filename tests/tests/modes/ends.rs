//! Motions that are over after an instant: an impact, a change of a phase or of a mode. The last state is that after all that happens there.

use lagrange_runtime::instant::{Cause, Phase};
use lagrange_runtime::prelude::*;

/// A body between a floor, a wall and a hook, under dry friction, with a mode that counts impacts on the floor.
#[lagrangian {
    coordinates x, y, s;
    kinetic   = (dot(x)^2 + dot(y)^2 + dot(s)^2)/2;
    potential = g*y;
    force s = -k;
    mode low = when dot(y) < 0 { 1 } when dot(y) > 0 { 0 } then count = count + 1;
    mode count;
    mode hooked = when x > 1 { 1 };
    contact floor: y >= 0, restitution = e;
    friction pad: s = b;
    constraint hook: x == 1 when hooked > 1/2;
}]
struct Scene {
    g: f64,
    e: f64,
    k: f64,
    b: f64,
}

const SCENE: Scene = Scene { g: 10.0, e: 0.5, k: 0.0, b: 1.0 };

/// From y = 5, with a slip that stops after 1.4 s and a hook that is reached after 1.7 s.
fn start() -> State<f64, 6> {
    State::new(0.0, [0.0, 5.0, 0.0, 0.0, 0.0, 0.0], [1.0 / 1.7, 0.0, 1.4, 0.0, 0.0, 0.0])
}

fn solved(ends_at: &[Cause]) -> Solution<f64, 6> {
    let system = SCENE.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-10.into(), atol: 1e-12.into(), ends_at, ..Options::default() };
    solve(&system, start(), 2.9, &Dop853::new(), &options).expect("no failure")
}

/// The first of the causes ends the motion, and everything at its instant has happened: modes change after an impact, and an impact follows
/// the mode that switches a constraint on.
#[test]
fn the_state_is_that_after_everything_at_the_instant() {
    let last = |solution: &Solution<f64, 6>| solution.last().expect("an end");
    let (floor, pad, hook) = (Cause::Impact("floor"), Cause::Phase("pad", Phase::Sticks), Cause::Mode("hooked"));
    let bounced = solved(&[hook, floor]);
    assert_eq!(bounced.outcome, Outcome::Instant(1));
    let state = last(&bounced);
    assert!((state.t - 1.0).abs() < 1e-9 && (state.v[1] - 5.0).abs() < 1e-9, "{state:?}");
    // The mode counts the impact at its instant.
    assert_eq!((state.v[3], state.v[4]), (0.0, 1.0));
    let low = solved(&[floor, Cause::Mode("low")]);
    assert_eq!((low.outcome, last(&low).t < 1e-6), (Outcome::Instant(1), true));
    let stuck = solved(&[pad]);
    assert!(stuck.outcome == Outcome::Instant(0) && (last(&stuck).t - 1.4).abs() < 1e-9 && last(&stuck).v[2] == 0.0);
    let hooked = solved(&[hook]);
    let state = last(&hooked);
    assert!(hooked.outcome == Outcome::Instant(0) && (state.t - 1.7).abs() < 1e-9, "{state:?}");
    assert_eq!((state.v[0], state.v[5]), (0.0, 1.0));
    assert!((state.q[0] - 1.0).abs() < 1e-14);
    // What is named and does not happen ends nothing.
    let whole = solved(&[Cause::Impact("pad")]);
    assert_eq!((whole.outcome, last(&whole).t), (Outcome::Finished, 2.9));
}

/// Step by step, over checkpoints, and from the end on, the motion is the same.
#[test]
fn steps_and_checkpoints_end_at_the_same_state() {
    let system = SCENE.prepare::<f64>().expect("valid");
    let (method, ends_at) = (Dop853::new(), [Cause::Mode("hooked")]);
    let options = Options { rtol: 1e-10.into(), atol: 1e-12.into(), ends_at: &ends_at, ..Options::default() };
    let mut inputs = DefaultInputs::of(&system);
    let mut whole = Stepper::new(&system, start(), 2.9, &method, &options, &mut inputs).expect("a valid start");
    assert_eq!(whole.run(&mut ()).expect("a motion"), Outcome::Instant(0));
    let (end, steps) = (whole.state().expect("a state"), whole.statistics().steps);
    for part in 0..steps {
        let mut inputs = DefaultInputs::of(&system);
        let mut first = Stepper::new(&system, start(), 2.9, &method, &options, &mut inputs).expect("a valid start");
        for _ in 0..part {
            first.step().expect("a motion");
        }
        let text = serde_json::to_string(&first.checkpoint()).expect("numbers");
        let read = serde_json::from_str(&text).expect("what was written can be read");
        let mut inputs = DefaultInputs::of(&system);
        let mut second = Stepper::resume(&system, &read, &method, &options, &mut inputs).expect("a valid checkpoint");
        assert_eq!(second.run(&mut ()).expect("a motion"), Outcome::Instant(0), "after {part} of {steps} steps");
        assert_eq!(second.state().expect("a state"), end, "after {part} of {steps} steps");
    }
    // The motion goes on where it ended.
    assert_eq!(whole.run(&mut ()).expect("a motion"), Outcome::Finished);
    assert_eq!(whole.time(), 2.9);
}

/// What no motion of the mechanism can end at is refused, with its index.
#[test]
fn causes_that_cannot_happen_are_refused() {
    let system = SCENE.prepare::<f64>().expect("valid");
    let wrong = [Cause::Impact("flor"), Cause::Mode("count"), Cause::Event(0), Cause::Switch(0), Cause::Inputs];
    for cause in wrong {
        let ends_at = [Cause::Impact("floor"), cause];
        let options = Options { ends_at: &ends_at, ..Options::default() };
        let refused = solve(&system, start(), 1.0, &Dop853::new(), &options).expect_err("nothing of this name");
        assert_eq!(refused.error.failure, Failure::UnknownInstant { index: 1 });
        assert!(refused.to_string().contains("`ends_at[1]`"), "{refused}");
    }
}
