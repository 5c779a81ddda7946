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

/// A plate under a ceiling, which a force pushes along it and another pulls off. Its slip is a vector.
#[lagrangian {
    coordinates x, y, z;
    kinetic   = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    potential = m*g*z;
    force x = push*cos(angle);
    force y = push*sin(angle);
    force z = -rate*t;
    contact ceiling: 0 >= z, adhesion = a, friction = mu, slip = rate([dot(x), dot(y)]);
}]
struct Plate {
    m: f64,
    g: f64,
    push: f64,
    angle: f64,
    rate: f64,
    a: f64,
    mu: f64,
}

/// The friction is at most μ (N + a) with N + a = a − m g − r t, in every direction. The plate rests under a push below this bound, is slowed down by it
/// while it slips, and is free once the ceiling lets go, with the velocity that it has then.
#[test]
fn a_plate_hangs_and_slides_under_a_ceiling_in_every_direction() {
    let (m, a, mu, angle) = (0.5, 9.0, 0.4, 0.7_f64);
    let (sine, cosine) = angle.sin_cos();
    let plate = Plate { m, g: G, push: 0.0, angle, rate: 0.0, a, mu };
    let run = |plate: Plate, start: [f64; 3], end: f64| {
        let system = plate.prepare::<f64>().expect("valid");
        solve(&system, State::new(0.0, [0.0; 3], start), end, &Dop853::new(), &options()).expect("a motion")
    };
    let bound = mu * (a - m * G);
    let rests = run(Plate { push: 0.99 * bound, ..plate }, [0.0; 3], 1.0).last().expect("an end");
    assert!(rests.q.amax() < 1e-12 && rests.v.amax() < 1e-12, "{rests:?}");
    let slides = run(Plate { push: 1.5 * bound, ..plate }, [0.0; 3], 1.0).last().expect("an end");
    let along = 0.25 * bound / m;
    assert!((slides.q[0] - along * cosine).abs() < 1e-9 && (slides.q[1] - along * sine).abs() < 1e-9, "{slides:?}");
    // Without a push, friction stops it along the line of its initial velocity.
    let stops = run(Plate { ..plate }, [0.8, -0.6, 0.0], 2.0);
    let last = stops.last().expect("an end");
    let far = m / (2.0 * bound);
    assert!((last.q[0] - 0.8 * far).abs() < 1e-9 && (last.q[1] + 0.6 * far).abs() < 1e-9 && last.v.amax() < 1e-12);
    // It lets go at N = −a, and slips before that as soon as the bound is below the push.
    let (rate, push) = (2.0, 0.5 * bound);
    let pulled = run(Plate { push, rate, ..plate }, [0.0; 3], 2.5);
    let slips = (a - m * G - push / mu) / rate;
    let free = (a - m * G) / rate;
    let at = |phase| {
        pulled
            .instants
            .iter()
            .rfind(|instant| matches!(instant.cause, Cause::Phase(_, found) if found == phase))
            .expect("it happens")
            .after
    };
    assert!((at(Phase::Slips).t - slips).abs() < 1e-8, "{:?}", pulled.instants);
    let leaves = at(Phase::Open);
    // m v = ∫ (push − μ (a − m g − r t)) dt = μ r τ²/2.
    let speed = mu * rate * (free - slips).powi(2) / (2.0 * m);
    assert!((leaves.t - free).abs() < 1e-8, "{leaves:?} {free}");
    assert!((leaves.v[0] - speed * cosine).abs() < 1e-8 && (leaves.v[1] - speed * sine).abs() < 1e-8, "{leaves:?}");
}

/// A plate on three feet that adhere to a wall, in space. Each foot has a slip in both directions of the wall.
#[lagrangian {
    coordinates p[3], a, b, c;
    let turned = rotation_z(c)*rotation_y(b)*rotation_x(a);
    let foot[i in 0..3] = sphere(p + turned*[-h, l*cos(2*pi*i/3), l*sin(2*pi*i/3)], r, turned);
    let wall = plane([0, 0, 0], [1, 0, 0]);
    kinetic   = rigid_body_energy(m, [m*l^2/2, m*l^2/4, m*l^2/4], p, turned);
    potential = m*g*p[2];
    contact wall[i in 0..3]: distance(foot[i], wall) >= 0, adhesion = hold, friction = mu;
}]
struct Climber {
    m: f64,
    g: f64,
    l: f64,
    h: f64,
    r: f64,
    hold: f64,
    mu: f64,
}

/// The feet carry the weight by friction. The normal forces have the sum 0, and their moment balances that of the weight, which acts at the distance
/// h + r from the wall. Where friction does not carry the weight, the climber slides down.
#[test]
fn a_climber_hangs_on_a_wall_by_feet_that_adhere() {
    let (m, l, h, r, hold) = (0.02, 0.01, 0.003, 0.001, 1.0);
    let climber = |mu: f64, hold: f64| Climber { m, g: G, l, h, r, hold, mu };
    let start = State::new(0.0, [h + r, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0; 6]);
    let system = climber(0.6, hold).prepare::<f64>().expect("valid");
    let last = solve(&system, start, 0.5, &Dop853::new(), &options()).expect("it hangs").last().expect("an end");
    assert!((last.q - start.q).amax() < 1e-12 && last.v.amax() < 1e-10, "{last:?}");
    let forces = contact::forces(&system, &last, &SVector::from([])).expect("at rest").forces;
    let (normal, height) = (&forces[..3], |i: usize| l * (2.0 * std::f64::consts::PI * i as f64 / 3.0).sin());
    let moment: f64 = (0..3).map(|i| normal[i] * height(i)).sum();
    assert!(normal.iter().sum::<f64>().abs() < 1e-9, "{normal:?}");
    assert!((moment.abs() - m * G * (h + r)).abs() < 1e-9, "{normal:?}");
    // The friction of all feet is at most 3 μ a. If this is below the weight, the climber slides with the acceleration g − 3 μ a/m at first.
    let falls = climber(0.05, hold).prepare::<f64>().expect("valid");
    let end = solve(&falls, start, 0.01, &Dop853::new(), &options()).expect("it slides").last().expect("an end");
    let expected = -(G - 3.0 * 0.05 * hold / m) * 0.01;
    assert!((end.v[2] - expected).abs() < 1e-6 * expected.abs(), "{end:?} {expected}");
}
