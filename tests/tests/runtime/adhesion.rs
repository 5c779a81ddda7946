//! Contacts that bear a tension, against closed forms.

use lagrange_runtime::analysis::{Variable, power_audit, sensitivities};
use lagrange_runtime::contact;
use lagrange_runtime::instant::{Cause, Phase};
use lagrange_runtime::prelude::*;

const G: f64 = 10.0;

/// A body on a floor that is pulled up more and more.
#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    force y = rate*t;
    contact floor: y >= 0, adhesion = a, restitution = e;
}]
#[derive(Clone, Debug)]
struct Pulled {
    m: f64,
    g: f64,
    rate: f64,
    a: f64,
    e: f64,
}

/// A body under a ceiling, with an adhesion that fades.
#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact ceiling: h >= y, adhesion = a - fading*t;
}]
struct Hanging {
    m: f64,
    g: f64,
    h: f64,
    a: f64,
    fading: f64,
}

/// A body on a vertical wall, which only the adhesion presses on it.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    force x = push;
    contact wall: x >= 0, adhesion = a, friction = mu, slip = y;
}]
struct Wall {
    m: f64,
    g: f64,
    push: f64,
    a: f64,
    mu: f64,
}

/// A beam on two feet that adhere, whose right end is lifted more and more.
#[lagrangian {
    coordinates y, theta;
    kinetic   = m*dot(y)^2/2 + m*b^2/3*dot(theta)^2/2;
    potential = m*g*y;
    force y + b*sin(theta) = rate*t;
    contact left:  y - b*sin(theta) >= 0, adhesion = a;
    contact right: y + b*sin(theta) >= 0, adhesion = a;
}]
struct Beam {
    m: f64,
    b: f64,
    g: f64,
    rate: f64,
    a: f64,
}

fn options<'a, const N: usize>() -> Options<'a, f64, N> {
    Options { rtol: 1e-11.into(), atol: 1e-12.into(), dense_output: true, ..Options::default() }
}

/// N = m g − rate t reaches −a at t₀; then y = a τ²/(2 m) + rate τ³/(6 m), τ = t − t₀. No energy is lost at the release.
#[test]
fn a_body_lets_go_at_the_tension() {
    let (m, rate, a) = (2.0, 5.0, 30.0);
    let system = Pulled { m, g: G, rate, a, e: 0.0 }.prepare::<f64>().expect("valid");
    let released = (m * G + a) / rate;
    let late = 0.7;
    let exact =
        [a * late * late / (2.0 * m) + rate * late.powi(3) / (6.0 * m), a * late / m + rate * late * late / (2.0 * m)];
    for (start, closes) in [(State::new(0.0, [0.0], [0.0]), false), (State::new(0.0, [0.2], [0.0]), true)] {
        let dop = solve(&system, start, released + late, &Dop853::new(), &options()).expect("no failure");
        let rk = solve(&system, start, released + late, &Rk4::new(0.01), &options()).expect("no failure");
        for solution in [dop, rk] {
            let last = solution.last().expect("an end");
            assert!((last.q[0] - exact[0]).abs() < 1e-8 && (last.v[0] - exact[1]).abs() < 1e-8, "{last:?} {exact:?}");
            let open = solution.instants.last().expect("an instant");
            assert_eq!(open.cause, Cause::Phase("floor", Phase::Open));
            assert!((open.after.t - released).abs() < 1e-9, "{open:?}");
            assert_eq!(solution.statistics.impacts, u64::from(closes));
            let audit = power_audit(&system, &solution, |_, _, _| SVector::zeros()).expect("no inputs");
            assert!(audit.residual.abs() < 1e-8 && (closes || audit.impacts == 0.0), "{audit:?}");
        }
    }
    let found = contact::forces(&system, &State::new(9.0, [0.0], [0.0]), &SVector::from([])).expect("regular");
    assert!(found.sticks[0] && (found.forces[0] - (m * G - 45.0)).abs() < 1e-12 && found.bounds[0] == a);
    let found = contact::forces(&system, &State::new(11.0, [0.0], [0.0]), &SVector::from([])).expect("regular");
    assert!(!found.sticks[0] && found.forces[0] == 0.0);
}

/// A finite force has no impulse: the ball rebounds as without adhesion, until it rests, and adheres then.
#[test]
fn impacts_are_those_without_adhesion() {
    let run = |a| {
        let system = Pulled { m: 1.0, g: G, rate: 0.0, a, e: 0.5 }.prepare::<f64>().expect("valid");
        solve(&system, State::new(0.0, [0.8], [0.0]), 3.0, &Dop853::new(), &options()).expect("no failure")
    };
    let (sticky, dry) = (run(7.0), run(0.0));
    assert_eq!(sticky.statistics.impacts, dry.statistics.impacts);
    assert_eq!(sticky.last(), dry.last());
}

/// The adhesion fades to the weight at t₀, and the body falls. One that adheres less than it weighs falls at once.
#[test]
fn a_body_falls_from_a_ceiling() {
    let (m, h, a, fading) = (1.5, 2.0, 24.0, 6.0);
    let system = Hanging { m, g: G, h, a, fading }.prepare::<f64>().expect("valid");
    let released = (a - m * G) / fading;
    for (start, from) in [([2.0], [0.0]), ([1.2], [5.0])].map(|(q, v)| (State::new(0.0, q, v), released)) {
        let last = solve(&system, start, from + 0.3, &Dop853::new(), &options()).expect("no failure").last();
        let last = last.expect("an end");
        assert!((last.q[0] - (h - G * 0.09 / 2.0)).abs() < 1e-9 && (last.v[0] + G * 0.3).abs() < 1e-8, "{last:?}");
    }
    let weak = Hanging { m, g: G, h, a: 14.0, fading }.prepare::<f64>().expect("valid");
    let last = solve(&weak, State::new(0.0, [2.0], [0.0]), 0.3, &Dop853::new(), &options()).expect("no failure").last();
    assert!((last.expect("an end").q[0] - (h - G * 0.09 / 2.0)).abs() < 1e-9);
    let failed = solve(&system, State::new(0.0, [0.0], [0.0]), 5.0, &Dop853::new(), &options()).expect_err("negative");
    assert!(matches!(failed.error.failure, Failure::NegativeBound { contact: "ceiling", .. }), "{failed}");
}

/// The wall bears μ (N + a): the body sticks, slides under m g − μ (N + a), or is pulled off where N < −a.
#[test]
fn adhesion_presses_for_friction() {
    let (m, a, mu) = (1.0, 15.0, 0.8);
    let run = |push: f64| {
        let system = Wall { m, g: G, push, a, mu }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
        let last = solve(&system, start, 0.5, &Dop853::new(), &options()).expect("no failure").last().expect("an end");
        (last, contact::forces(&system, &last, &SVector::from([])).expect("regular"))
    };
    let (last, found) = run(0.0);
    assert!(last.v.amax() == 0.0 && found.sticks[..3] == [true, true, false]);
    assert!(
        (found.forces[1] - m * G).abs() < 1e-12
            && (found.bounds[1] - mu * a).abs() < 1e-12
            && found.forces[0].abs() < 1e-12
    );
    // N = 5 − 10 = −5 slides: μ (15 − 5) = 8 of 10.
    let (last, found) = run(5.0);
    assert!((last.v[1] + (G - mu * (a - 5.0)) * 0.5).abs() < 1e-9 && (found.forces[0] + 5.0).abs() < 1e-12, "{last:?}");
    assert!((found.forces[1] - 8.0).abs() < 1e-9);
    let (last, found) = run(16.0);
    assert!((last.v[0] - 8.0).abs() < 1e-9 && (last.v[1] + 5.0).abs() < 1e-9 && found.forces[0] == 0.0, "{last:?}");
}

/// The right foot lets go at F = m g/2 + a. The beam then turns about its left foot, whose force jumps from m g/2 to m g/2 + a/2.
#[test]
fn a_beam_is_peeled_from_one_end() {
    let (m, b, rate, a) = (1.2, 0.5, 4.0, 9.0);
    let system = Beam { m, b, g: G, rate, a }.prepare::<f64>().expect("valid");
    let released = (m * G / 2.0 + a) / rate;
    let start = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let at = |t: f64| solve(&system, start, t, &Dop853::new(), &options()).expect("no failure");
    let forces =
        |t: f64| contact::forces(&system, &at(t).last().expect("an end"), &SVector::from([])).expect("regular");
    let before = forces(released - 1e-9);
    assert!((before.forces[0] - m * G / 2.0).abs() < 1e-7 && (before.forces[1] + a).abs() < 1e-7, "{before:?}");
    let after = forces(released + 1e-7);
    assert!((after.forces[0] - (m * G + a) / 2.0).abs() < 1e-4 && after.forces[1] == 0.0, "{after:?}");
    let solution = at(released + 0.1);
    let open: Vec<_> = solution.instants.iter().map(|instant| instant.cause).collect();
    assert_eq!(open, [Cause::Phase("right", Phase::Open)]);
    assert!((solution.instants[0].after.t - released).abs() < 1e-9);
    let audit = power_audit(&system, &solution, |_, _, _| SVector::zeros()).expect("no inputs");
    assert!(audit.residual.abs() < 1e-9, "{audit:?}");
}

/// The accelerations jump where a contact lets go, which the rule for derivatives at a release does not know.
#[test]
fn derivatives_are_refused() {
    let pulled = Pulled { m: 2.0, g: G, rate: 5.0, a: 30.0, e: 0.0 };
    let (start, variables) = (State::new(0.0, [0.0], [0.0]), [Variable::Parameter(3)]);
    let refused = sensitivities(&pulled, &start, &[12.0], &Dop853::new(), &SharedOptions::default(), &variables);
    assert!(refused.is_err_and(|error| error.to_string().contains("without adhesion")));
}
