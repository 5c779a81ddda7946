//! RATTLE where all but λ⁻ is explicit, against the form for any Lagrangian.

use crate::near_integrable::HenonHeiles;
use lagrange_runtime::prelude::*;

/// Two bobs on rods, one at the other, with a spring from the second to the origin and a force that varies in time.
/// With the drag c, the derivation does not prove that the equations are explicit.
#[lagrangian {
    coordinates x1, y1, x2, y2;
    kinetic   = m*(dot(x1)^2 + dot(y1)^2)/2 + (dot(x2)^2 + dot(y2)^2)/2 + b*dot(y2);
    potential = m*y1 + y2 + (x2^2 + y2^2)^2/8;
    dissipation = c*(dot(x1)^2 + dot(y1)^2)/2;
    force x2 = sin(3*t);
    constraint upper: x1^2 + y1^2 == 1;
    constraint lower: norm([x2 - x1, y2 - y1]) == 1;
}]
#[derive(Clone, Debug)]
struct Dragged {
    m: f64,
    b: f64,
    c: f64,
}

/// The same without drag.
#[lagrangian {
    coordinates x1, y1, x2, y2;
    kinetic   = m*(dot(x1)^2 + dot(y1)^2)/2 + (dot(x2)^2 + dot(y2)^2)/2 + b*dot(y2);
    potential = m*y1 + y2 + (x2^2 + y2^2)^2/8;
    force x2 = sin(3*t);
    constraint upper: x1^2 + y1^2 == 1;
    constraint lower: norm([x2 - x1, y2 - y1]) == 1;
}]
#[derive(Clone, Debug)]
struct Free {
    m: f64,
    b: f64,
}

fn start() -> State<f64, 4> {
    State::new(0.0, [0.6, -0.8, 1.6, -0.8], [0.8, 0.6, 0.8, -0.4])
}

fn end(system: &dyn System<f64, 4, 2, 0>, method: &Rattle<f64>) -> (State<f64, 4>, Statistics) {
    let mut state = start();
    let mut inputs = DefaultInputs::of(system);
    let report = integrate(system, &mut state, 3.0, method, &Options::default(), &mut inputs, &mut ())
        .expect("the integration succeeds");
    (state, report.statistics)
}

#[test]
fn it_is_the_general_form() {
    let explicit = Free { m: 1.3, b: 0.4 }.prepare::<f64>().expect("valid");
    let general = Dragged { m: 1.3, b: 0.4, c: 0.0 }.prepare::<f64>().expect("valid");
    assert!(explicit.facts().velocity_free_forcing && !general.facts().velocity_free_forcing);
    for method in [
        Rattle::new(0.03),
        Rattle::new(0.03).without_history(),
        Rattle::new(0.03).with_iteration(Iteration::Newton),
        Rattle::new(0.03).with_iteration(Iteration::FixedPoint),
        Rattle::shake(0.03),
    ] {
        let ((state, statistics), (expected, _)) = (end(&explicit, &method), end(&general, &method));
        // SHAKE needs one Jacobian, for the velocity of its last state.
        assert!(statistics.jacobians <= 1, "{statistics:?}");
        let miss = (state.q - expected.q).amax().max((state.v - expected.v).amax());
        assert!(miss < 3e-13, "{method:?}: {miss:e}");
        let at = explicit.constraint(state.t, &state.q);
        assert!(at.value.amax() < 2e-15 && (at.jacobian * state.v).amax() < 1e-14, "{at:?}");
    }
}

#[test]
fn it_evaluates_the_forces_once_a_step() {
    let system = Free { m: 1.3, b: 0.4 }.prepare::<f64>().expect("valid");
    let (_, statistics) = end(&system, &Rattle::new(0.01));
    assert_eq!(statistics.steps, 300);
    // One for f, and two at the start.
    assert!(statistics.evaluations <= 304, "{statistics:?}");
    assert!(statistics.iterations <= 5 * statistics.steps, "{statistics:?}");
}

#[test]
fn without_constraints_it_is_the_method_of_stormer_and_verlet() {
    let system = HenonHeiles { c: 1.0 }.prepare::<f64>().expect("valid");
    let initial = State::new(0.0, [0.1, 0.2], [0.3, -0.1]);
    let end = |state: &mut State<f64, 2>, rattle: bool| {
        let (options, mut inputs) = (Options::default(), DefaultInputs::of(&system));
        if rattle {
            integrate(&system, state, 20.0, &Rattle::new(0.1), &options, &mut inputs, &mut ())
        } else {
            integrate(&system, state, 20.0, &StormerVerlet::new(&system, 0.1), &options, &mut inputs, &mut ())
        }
        .expect("the integration succeeds")
    };
    let (mut one, mut other) = (initial, initial);
    let statistics = end(&mut one, true).statistics;
    end(&mut other, false);
    assert!((one.q - other.q).amax().max((one.v - other.v).amax()) < 1e-13, "{one:?} {other:?}");
    assert!(statistics.evaluations <= 202 && statistics.jacobians == 0, "{statistics:?}");
}

/// Two rods along one line that hold one bob.
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = y;
    constraint left:  norm([x + a, y]) == 1;
    constraint right: norm([x - a, y]) == 1;
}]
#[derive(Clone, Debug)]
struct Aligned {
    a: f64,
}

#[test]
fn a_constraint_that_others_make_redundant_is_named() {
    let system = Aligned { a: 1.0 }.prepare::<f64>().expect("valid");
    let initial = State::new(0.0, [0.0; 2], [0.0; 2]);
    let failed = solve(&system, initial, 1.0, &Rattle::new(0.01), &Options::default()).expect_err("it is refused");
    assert!(format!("{failed}").contains("right"), "{failed}");
}
