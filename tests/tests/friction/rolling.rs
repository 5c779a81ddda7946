//! Slip rates that are no derivatives of positions: bodies that slip and roll on a floor.

use lagrange_runtime::contact;
use lagrange_runtime::prelude::*;

fn tight<const N: usize>() -> Options<'static, f64, N> {
    Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() }
}

const G: f64 = 9.81;

/// A uniform ball on a cloth, turned by Cardan's angles.
#[lagrangian {
    coordinates x, y, a, b, c;
    let turned = rotation_x(a)*rotation_y(b)*rotation_z(c);
    let omega = angular_velocity_space(turned);
    kinetic = m*(dot(x)^2 + dot(y)^2)/2 + m*r^2*norm2(omega)/5;
    friction cloth: rate([dot(x) - r*omega[1], dot(y) + r*omega[0]]) = mu*m*g;
    output spin = omega;
}]
struct Ball {
    m: f64,
    r: f64,
    mu: f64,
    g: f64,
}

const BALL: Ball = Ball { m: 0.17, r: 0.028, mu: 0.2, g: G };

/// The same ball, turned by a quaternion, on a floor that bears it by a constraint: the bound is that of the force which this has.
#[lagrangian {
    coordinates p[3], w, x, y, z;
    constraint unit: w^2 + x^2 + y^2 + z^2 == 1;
    constraint floor: p[2] == r;
    let omega = angular_velocity_space([w, x, y, z]);
    kinetic = m*norm2(dot(p))/2 + m*r^2*norm2(omega)/5;
    potential = m*g*p[2];
    friction cloth: rate([dot(p[0]) - r*omega[1], dot(p[1]) + r*omega[0]]) = mu*abs(multiplier(floor));
    output spin = omega;
}]
struct Free {
    m: f64,
    r: f64,
    mu: f64,
    g: f64,
}

/// The velocity and the angular velocity of a ball after a time: both change by a constant force until it rolls.
struct Rolling {
    time: f64,
    place: [f64; 2],
    velocity: [f64; 2],
}

/// Where the ball begins to roll: the slip u₀ falls at the rate 7/2 μ g, and its direction stays.
fn rolling(velocity: [f64; 2], slip: [f64; 2], mu: f64) -> Rolling {
    let speed = slip[0].hypot(slip[1]);
    let time = 2.0 / 7.0 * speed / (mu * G);
    let a = [0, 1].map(|i| -mu * G * slip[i] / speed);
    let place = [0, 1].map(|i| velocity[i] * time + a[i] * time * time / 2.0);
    Rolling { time, place, velocity: [0, 1].map(|i| velocity[i] + a[i] * time) }
}

#[test]
fn a_billiard_ball_slides_and_then_rolls() {
    let system = BALL.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0; 5], [2.0, 0.0, 0.0, 0.0, 0.0]);
    let end = 1.0;
    let solution = solve(&system, start, end, &Dop853::new(), &tight()).expect("a motion");
    let expected = rolling([2.0, 0.0], [2.0, 0.0], 0.2);
    assert!((expected.velocity[0] - 10.0 / 7.0).abs() < 1e-14);
    let rolls = solution.instants.last().expect("it rolls");
    assert!((rolls.after.t - expected.time).abs() < 1e-8, "{rolls:?} instead of {}", expected.time);
    let last = solution.last().expect("states");
    let way = expected.place[0] + 10.0 / 7.0 * (end - expected.time);
    assert!((last.q[0] - way).abs() < 1e-8 && (last.v[0] - 10.0 / 7.0).abs() < 1e-9, "{last:?}");
    assert!(last.v[0] - 0.028 * last.v[3] < 1e-12 && last.q[1].abs() < 1e-12, "{last:?}");
    // It rolls without a force, and loses no energy any more.
    let forces = contact::forces(&system, &last, &SVector::from([])).expect("forces");
    assert!(forces.sticks[0] && forces.forces[0].hypot(forces.forces[1]) < 1e-9, "{forces:?}");
}

/// The rates of a quaternion at the identity under ω.
fn at_identity(velocity: [f64; 2], omega: [f64; 3]) -> [f64; 7] {
    [velocity[0], velocity[1], 0.0, 0.0, omega[0] / 2.0, omega[1] / 2.0, omega[2] / 2.0]
}

#[test]
fn a_bowling_ball_hooks_along_a_parabola() {
    // It is thrown along x, and spins about x too: the slip has a part across, so that its path bends.
    let (velocity, spin) = ([4.0, 0.0], 60.0);
    let slip = [4.0, 0.028 * spin];
    let expected = rolling(velocity, slip, 0.2);
    assert!(expected.place[1] < -0.1 && expected.velocity[1] < -0.4);
    let end = 1.5;
    let rest = end - expected.time;
    let place = [0, 1].map(|i| expected.place[i] + expected.velocity[i] * rest);

    let angles = BALL.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0; 5], [4.0, 0.0, spin, 0.0, 0.0]);
    let solution = solve(&angles, start, end, &Dop853::new(), &tight()).expect("a motion");
    let rolls = solution.instants.last().expect("it rolls").after.t;
    let last = solution.last().expect("states");
    assert!((rolls - expected.time).abs() < 1e-8, "{rolls} instead of {}", expected.time);
    assert!((0..2).all(|i| (last.q[i] - place[i]).abs() < 1e-8), "{last:?} instead of {place:?}");

    // Before it rolls, the path is the parabola.
    let early = solve(&angles, start, expected.time / 2.0, &Dop853::new(), &tight()).expect("a motion");
    let (early, t, size) = (early.last().expect("states"), expected.time / 2.0, slip[0].hypot(slip[1]));
    for i in 0..2 {
        let parabola = velocity[i] * t - 0.2 * G * slip[i] / size * t * t / 2.0;
        assert!((early.q[i] - parabola).abs() < 1e-9, "{early:?}");
    }

    let free = Free { m: 0.17, r: 0.028, mu: 0.2, g: G }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0, 0.0, 0.028, 1.0, 0.0, 0.0, 0.0], at_identity(velocity, [spin, 0.0, 0.0]));
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    let solution = solve(&free, start, end, &Dop853::new(), &options).expect("a motion");
    let rolls = solution.instants.last().expect("it rolls").after.t;
    let last = solution.last().expect("states");
    assert!((rolls - expected.time).abs() < 1e-7, "{rolls} instead of {}", expected.time);
    assert!((0..2).all(|i| (last.q[i] - place[i]).abs() < 1e-6), "{last:?} instead of {place:?}");
}

/// A ball on a cloth that is held by a floor which opens and closes: its slip along x is a stated rate too.
#[lagrangian {
    coordinates x, z, b;
    kinetic = m*(dot(x)^2 + dot(z)^2)/2 + m*r^2*dot(b)^2/5;
    potential = m*g*z;
    contact floor: z >= r, friction = mu, slip = rate(dot(x) - r*dot(b)), breakaway = 2*mu;
}]
struct Dropped {
    m: f64,
    r: f64,
    mu: f64,
    g: f64,
}

#[test]
fn a_ball_on_a_contact_rolls_at_five_sevenths() {
    let system = Dropped { m: 0.17, r: 0.028, mu: 0.2, g: G }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0, 0.028, 0.0], [2.0, 0.0, 0.0]);
    let solution = solve(&system, start, 1.0, &Dop853::new(), &tight()).expect("a motion");
    let last = solution.last().expect("states");
    let time = 4.0 / 7.0 / (0.2 * G);
    let rolls = solution.instants.last().expect("it rolls").after.t;
    assert!((rolls - time).abs() < 1e-9, "{rolls} instead of {time}");
    assert!((last.v[0] - 10.0 / 7.0).abs() < 1e-10 && (last.v[0] - 0.028 * last.v[2]).abs() < 1e-13, "{last:?}");
}

/// A skate on ice: it glides along its blade, and a friction across it holds up to a bound. The slip rate depends on the heading.
#[lagrangian {
    coordinates x, y, heading;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2 + j*dot(heading)^2/2;
    friction blade: rate(-sin(heading)*dot(x) + cos(heading)*dot(y)) = hold;
}]
struct Skate {
    m: f64,
    j: f64,
    hold: f64,
}

#[test]
fn a_skate_goes_in_a_circle_until_its_blade_slips() {
    // With the speed v and the turning rate w, it goes in a circle under the force m v w across its blade.
    let (m, v, w) = (2.0, 3.0, 0.8);
    let held = Skate { m, j: 0.5, hold: 1.01 * m * v * w }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0; 3], [v, 0.0, w]);
    let solution = solve(&held, start, 5.0, &Dop853::new(), &tight()).expect("a motion");
    let last = solution.last().expect("states");
    let (angle, radius): (f64, f64) = (w * 5.0, v / w);
    assert!((last.q[0] - radius * angle.sin()).abs() < 1e-8, "{last:?}");
    assert!((last.q[1] - radius * (1.0 - angle.cos())).abs() < 1e-8, "{last:?}");
    let forces = contact::forces(&held, &last, &SVector::from([])).expect("forces");
    assert!(forces.sticks[0] && (forces.forces[0] - m * v * w).abs() < 1e-7, "{forces:?}");

    // A weaker blade slips at once. In the frame of the blade, with the speeds u along and s across, u̇ = w s and ṡ = −w u + b/m, so that s stays
    // negative at first: s = −(u₀ − b/(m w)) sin(w t), u = b/(m w) + (u₀ − b/(m w)) cos(w t).
    let b = 0.6 * m * v * w;
    let weak = Skate { m, j: 0.5, hold: b }.prepare::<f64>().expect("positive");
    let end: f64 = 2.0;
    let solution = solve(&weak, start, end, &Dop853::new(), &tight()).expect("a motion");
    let last = solution.last().expect("states");
    let (free, angle) = (v - b / (m * w), w * end);
    let (along, across) = (b / (m * w) + free * angle.cos(), -free * angle.sin());
    let expected = [along * angle.cos() - across * angle.sin(), along * angle.sin() + across * angle.cos()];
    assert!((0..2).all(|i| (last.v[i] - expected[i]).abs() < 1e-9), "{last:?} instead of {expected:?}");
}

/// A slip stated by its rate, and the same slip as a position.
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2 + dot(x)*dot(y)/4;
    potential = (x^2 + 2*y^2)/2;
    friction belt: rate(dot(x) - y*dot(x) - x*dot(y) - 1/5) = 0.1, breakaway = 0.3;
    friction pads: rate([dot(x) + dot(y), dot(y)]) = 0.05;
}]
struct ByRate {}

#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2 + dot(x)*dot(y)/4;
    potential = (x^2 + 2*y^2)/2;
    friction belt: x - x*y - t/5 = 0.1, breakaway = 0.3;
    friction pads: [x + y, y] = 0.05;
}]
struct ByPosition {}

#[test]
fn a_rate_that_is_a_derivative_gives_the_motion_of_its_position() {
    let (by_rate, by_position) =
        (ByRate {}.prepare::<f64>().expect("no parameters"), ByPosition {}.prepare::<f64>().expect("no parameters"));
    let start = State::new(0.0, [0.8, -0.5], [0.1, 0.4]);
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    let [rate, position] = [
        solve(&by_rate, start, 6.0, &Dop853::new(), &options).expect("a motion"),
        solve(&by_position, start, 6.0, &Dop853::new(), &options).expect("a motion"),
    ];
    assert_eq!(rate.instants.len(), 2, "{:?}", rate.instants);
    assert_eq!(rate.instants.len(), position.instants.len());
    let (rate, position) = (rate.last().expect("states"), position.last().expect("states"));
    assert!((rate.q - position.q).amax() < 1e-8 && (rate.v - position.v).amax() < 1e-7, "{rate:?} {position:?}");
}

/// A puck on a tilted table, held by the table's force, and dragged with a force that lifts it.
#[lagrangian {
    coordinates r[3];
    kinetic = m*norm2(dot(r))/2;
    potential = m*g*r[2];
    constraint table: r[2] == 0;
    force r[2] = lift*t;
    friction felt: [r[0], r[1]] = mu*abs(multiplier(table));
}]
struct Lifted {
    m: f64,
    g: f64,
    lift: f64,
    mu: f64,
}

#[test]
fn a_vector_of_slips_is_bounded_by_a_multiplier() {
    let (m, lift, mu) = (0.5, 1.0, 0.3);
    let system = Lifted { m, g: G, lift, mu }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0; 3], [1.8, 2.4, 0.0]);
    let solution = solve(&system, start, 0.8, &Dop853::new(), &tight()).expect("a motion");
    let last = solution.last().expect("states");
    // The speed falls by μ (g − lift t/m).
    let speed = 3.0 - mu * (G * 0.8 - lift * 0.32 / m);
    assert!((last.v[0] - 0.6 * speed).abs() < 1e-10 && (last.v[1] - 0.8 * speed).abs() < 1e-10, "{last:?}");
}

/// A brush that is pushed against a floor at a slant: its friction presses on the floor.
#[lagrangian {
    coordinates r[3];
    kinetic = m*norm2(dot(r))/2;
    potential = m*g*r[2];
    constraint floor: r[2] == 0;
    friction bristles: [r[0] + slant*r[2], r[1]] = mu*abs(multiplier(floor));
}]
struct Brush {
    m: f64,
    g: f64,
    slant: f64,
    mu: f64,
}

#[test]
fn a_vector_that_presses_on_its_constraint_is_solved_with_it() {
    // Along x, f = −μ N, and upward N + slant f = m g, so that N = m g/(1 − slant μ).
    let (m, slant, mu) = (0.5, 0.7, 0.4);
    let system = Brush { m, g: G, slant, mu }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0; 3], [3.0, 0.0, 0.0]);
    let solution = solve(&system, start, 0.3, &Dop853::new(), &tight()).expect("a motion");
    let last = solution.last().expect("states");
    let slowing = mu * G / (1.0 - slant * mu);
    assert!((last.v[0] - (3.0 - 0.3 * slowing)).abs() < 1e-9, "{last:?}");
    // Obliquely it presses by 3/5 of that, and with a negative slant it lifts.
    for pressing in [0.9, 0.99, 0.999_99, -0.9, -0.99] {
        let slant = pressing / mu / 0.6;
        let system = Brush { m, g: G, slant, mu }.prepare::<f64>().expect("positive");
        let slowing = mu * G / (1.0 - pressing);
        let (speed, time) = (5.0, 2.0 / slowing);
        let start = State::new(0.0, [0.0; 3], [0.6 * speed, 0.8 * speed, 0.0]);
        let solution = solve(&system, start, time, &Dop853::new(), &tight()).expect("a motion");
        let last = solution.last().expect("states");
        assert!((last.v[0] - 1.8).abs() < 1e-8 && (last.v[1] - 2.4).abs() < 1e-8, "{pressing}: {last:?}");
    }
    // Where it presses on the floor by as much as it is pressed, no force obeys the law; where it lifts by more, N = m g/(1 + φ) does, and
    // N = m g/(1 − φ) too, which pulls.
    for (slant, told) in
        [(2.6, "no motion at contact `bristles`"), (-3.75, "several motions"), (-25.0, "several motions")]
    {
        let jammed = Brush { m, g: G, slant, mu }.prepare::<f64>().expect("positive");
        let failed = solve(&jammed, start, 0.3, &Dop853::new(), &tight()).expect_err("it jams").to_string();
        assert!(failed.contains(told) && failed.contains("bristles"), "{slant}: {failed}");
    }
}

/// Two brushes, each of which presses on the constraints of both.
#[lagrangian {
    coordinates x, y, z, w, p, q;
    kinetic = (dot(x)^2 + dot(y)^2 + dot(z)^2 + dot(w)^2 + dot(p)^2 + dot(q)^2)/2;
    potential = down*z + aside*w;
    constraint floor: z == 0;
    constraint wall: w == 0;
    friction one: [x + a*z + b*w, y] = abs(multiplier(floor));
    friction two: [p + c*z + d*w, q] = abs(multiplier(wall));
}]
struct Brushes {
    down: f64,
    aside: f64,
    a: f64,
    b: f64,
    c: f64,
    d: f64,
}

/// λ = g + B |λ|, which has one solution where repetition with B contracts: the one of the case of signs that it has.
#[test]
fn two_vectors_that_press_on_both_constraints_are_solved_together() {
    for ([a, c, b, d], [down, aside], sign) in
        [([-0.082, 0.089, 0.568, 0.696], [2.406, 4.928], 1.0), ([0.476, 0.398, -0.449, 0.392], [3.984, -1.917], -1.0)]
    {
        let system = Brushes { down, aside, a, b, c, d }.prepare::<f64>().expect("valid");
        // The bounds N = |λ|: (1 − a) N₁ − c N₂ = down, −b N₁ + (sign − d) N₂ = aside.
        let determinant = (1.0 - a) * (sign - d) - b * c;
        let bounds = [(down * (sign - d) + c * aside) / determinant, (aside * (1.0 - a) + b * down) / determinant];
        assert!(bounds.iter().all(|bound| *bound > 0.0), "{bounds:?}");
        let time = 0.05;
        let start = State::new(0.0, [0.0; 6], [5.0, 0.0, 0.0, 0.0, 7.0, 0.0]);
        let last = solve(&system, start, time, &Dop853::new(), &tight()).expect("a motion").last().expect("states");
        let slowing = [(5.0 - last.v[0]) / time, (7.0 - last.v[4]) / time];
        assert!((0..2).all(|i| (slowing[i] - bounds[i]).abs() < 1e-8), "{slowing:?} for {bounds:?}");
    }
}
