//! Contacts whose slips are vectors: balls that bounce, slide and roll, a tippe top on a floor that could part from it, blocks on blocks, and frictions in a
//! plane beside contacts.

use lagrange_runtime::contact;
use lagrange_runtime::instant::Cause;
use lagrange_runtime::prelude::*;

const G: f64 = 9.81;

fn tight<const N: usize>() -> Options<'static, f64, N> {
    Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() }
}

/// A ball in Cardan's angles over a floor.
#[lagrangian {
    coordinates p[3], a, b, c;
    let omega = angular_velocity_space(rotation_x(a)*rotation_y(b)*rotation_z(c));
    kinetic   = m*norm2(dot(p))/2 + m*r^2*norm2(omega)/5;
    potential = m*g*p[2];
    contact floor: p[2] >= r, restitution = e, friction = mu, slip = rate([dot(p[0]) - r*omega[1], dot(p[1]) + r*omega[0]]);
    output slipping = [dot(p[0]) - r*omega[1], dot(p[1]) + r*omega[0]];
}]
struct Angled {
    m: f64,
    r: f64,
    e: f64,
    mu: f64,
    g: f64,
}

/// The same ball, turned by a quaternion. The slip is the whole velocity of its lowest point along the floor, with a component that is always 0.
#[lagrangian {
    coordinates p[3], w, x, y, z;
    constraint unit: w^2 + x^2 + y^2 + z^2 == 1;
    let omega = angular_velocity_space([w, x, y, z]);
    let low   = dot(p) + cross(omega, [0, 0, -r]);
    kinetic   = m*norm2(dot(p))/2 + m*r^2*norm2(omega)/5;
    potential = m*g*p[2];
    contact floor: p[2] >= r, restitution = e, friction = mu, slip = rate([low[0], low[1]]);
    output slipping = [low[0], low[1]];
}]
struct Turned {
    m: f64,
    r: f64,
    e: f64,
    mu: f64,
    g: f64,
}

const M: f64 = 0.17;
const R: f64 = 0.028;

/// The velocity with which a ball rolls in the end, however often it bounces and slips: each impulse J along the floor changes v by J/m and the velocity r ω × e_z
/// of its surface by −5/2 J/m.
fn rolls_at(v: [f64; 2], omega: [f64; 3]) -> [f64; 2] {
    let surface = [R * omega[1], -R * omega[0]];
    [0, 1].map(|i| (5.0 * v[i] + 2.0 * surface[i]) / 7.0)
}

#[test]
fn a_ball_on_a_contact_hooks_along_a_parabola_until_it_rolls() {
    let (v, omega, mu) = ([4.0, 0.0], [60.0, 0.0, 25.0], 0.2);
    let slip = [v[0] - R * omega[1], v[1] + R * omega[0]];
    let speed = f64::hypot(slip[0], slip[1]);
    let time = 2.0 / 7.0 * speed / (mu * G);
    let rolling = rolls_at(v, omega);
    let end = 0.9;
    let place = [0, 1].map(|i| {
        let slowing = -mu * G * slip[i] / speed;
        v[i] * time + slowing * time * time / 2.0 + rolling[i] * (end - time)
    });
    let angled = Angled { m: M, r: R, e: 0.5, mu, g: G }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0, 0.0, R, 0.0, 0.0, 0.0], [v[0], v[1], 0.0, omega[0], omega[1], omega[2]]);
    let motion = solve(&angled, start, end, &Dop853::new(), &tight()).expect("a motion");
    let last = motion.last().expect("states");
    let begins = motion.instants.last().expect("it rolls");
    assert!((begins.after.t - time).abs() < 1e-8, "{} instead of {time}", begins.after.t);
    assert!(matches!(begins.cause, Cause::Phase("floor.slip", _)), "{:?}", begins.cause);
    assert!((0..2).all(|i| (last.q[i] - place[i]).abs() < 1e-8), "{last:?} instead of {place:?}");
    assert!((0..2).all(|i| (last.v[i] - rolling[i]).abs() < 1e-9), "{last:?} instead of {rolling:?}");
    let forces = contact::forces(&angled, &last, &SVector::from([])).expect("forces");
    assert!((forces.forces[0] - M * G).abs() < 1e-9 && forces.sticks[0] && forces.sticks[1], "{forces:?}");

    let turned = Turned { m: M, r: R, e: 0.5, mu, g: G }.prepare::<f64>().expect("positive");
    let start = State::new(
        0.0,
        [0.0, 0.0, R, 1.0, 0.0, 0.0, 0.0],
        [v[0], v[1], 0.0, 0.0, omega[0] / 2.0, omega[1] / 2.0, omega[2] / 2.0],
    );
    let motion = solve(&turned, start, end, &Projected::new(Dop853::new()), &tight()).expect("a motion");
    let last = motion.last().expect("states");
    assert!((0..2).all(|i| (last.q[i] - place[i]).abs() < 1e-7), "{last:?} instead of {place:?}");
}

/// The same ball, by two angles of which only the rates count.
#[lagrangian {
    coordinates p[3], along, across;
    kinetic   = m*norm2(dot(p))/2 + m*r^2*(dot(along)^2 + dot(across)^2)/5;
    potential = m*g*p[2];
    contact floor: p[2] >= r, restitution = e, friction = mu, slip = rate([dot(p[0]) - r*dot(across), dot(p[1]) + r*dot(along)]);
}]
struct Plain {
    m: f64,
    r: f64,
    e: f64,
    mu: f64,
    g: f64,
}

#[test]
fn an_implicit_method_and_one_with_a_fixed_step_roll_as_well() {
    let (v, omega) = ([4.0, 0.0], [60.0, 25.0, 0.0]);
    let system = Plain { m: M, r: R, e: 0.5, mu: 0.2, g: G }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0, 0.0, R + 0.05, 0.0, 0.0], [v[0], v[1], 0.0, omega[0], omega[1]]);
    let rolling = rolls_at(v, omega);
    let options = Options { rtol: 1e-9.into(), atol: 1e-9.into(), ..Options::default() };
    let exact = solve(&system, start, 2.0, &Dop853::new(), &tight()).expect("a motion");
    let stiff = solve(&system, start, 2.0, &Radau5::new(), &options).expect("a motion");
    let fixed = solve(&system, start, 2.0, &Rk4::new(1e-3), &options).expect("a motion");
    let place = exact.last().expect("states").q;
    for motion in [exact, stiff, fixed] {
        let last = motion.last().expect("states");
        assert!((0..2).all(|i| (last.v[i] - rolling[i]).abs() < 1e-9), "{last:?} instead of {rolling:?}");
        assert!((last.q - place).rows(0, 3).amax() < 1e-6, "{last:?} instead of {place}");
        assert!(motion.statistics.impacts > 5, "{:?}", motion.statistics);
    }
}

/// While a ball slips, its friction is μ times the normal force, whose impulse is that of the weight and of the speed of the throw, however it bounces: the impact that ends
/// infinitely many flights has no more.
#[test]
fn the_friction_of_all_bounces_is_that_of_the_weight() {
    let (v, down, mu, end) = (6.0, 2.0, 0.1, 1.2);
    for e in [0.0, 0.3, 0.5, 0.7] {
        let after = v - mu * (down + G * end);
        let system = Plain { m: M, r: R, e, mu, g: G }.prepare::<f64>().expect("positive");
        let start = State::new(0.0, [0.0, 0.0, R, 0.0, 0.0], [v, 0.0, -down, 0.0, 0.0]);
        let motion = solve(&system, start, end, &Dop853::new(), &tight()).expect("a motion");
        let last = motion.last().expect("states");
        assert!(last.v[2] == 0.0 && last.v[0] > R * last.v[3], "it rests on the floor, and slips: {last:?}");
        assert!((last.v[0] - after).abs() < 1e-12, "e = {e}: {} instead of {after}", last.v[0]);
        let system = Sliding { m: M, e, mu, g: G }.prepare::<f64>().expect("positive");
        let motion =
            solve(&system, State::new(0.0, [0.0, 0.0], [v, -down]), end, &Dop853::new(), &tight()).expect("a motion");
        let last = motion.last().expect("states");
        assert!((last.v[0] - after).abs() < 1e-12, "e = {e}: {} instead of {after}", last.v[0]);
    }
}

/// A point that bounces along a floor.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    contact floor: y >= 0, restitution = e, friction = mu, slip = x;
}]
struct Sliding {
    m: f64,
    e: f64,
    mu: f64,
    g: f64,
}

#[test]
fn a_thrown_ball_bounces_obliquely_and_rolls_in_the_end() {
    let (v, down, omega, e, mu) = ([1.5, -0.8], 2.0, [20.0, -35.0, 12.0], 0.6, 0.1);
    let slip = [v[0] - R * omega[1], v[1] + R * omega[0]];
    let speed = f64::hypot(slip[0], slip[1]);
    let system = Angled { m: M, r: R, e, mu, g: G }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0, 0.0, R, 0.0, 0.0, 0.0], [v[0], v[1], -down, omega[0], omega[1], omega[2]]);
    let motion = solve(&system, start, 6.0, &Dop853::new(), &tight()).expect("a motion");
    // The first impact: the impulse m (1 + e) v upwards, and μ times that against the slip, which goes on.
    let first = motion.instants.iter().find(|instant| instant.cause == Cause::Impact("floor")).expect("it bounces");
    let kick = mu * (1.0 + e) * down;
    assert!(3.5 * kick < speed, "it slips through the impact");
    for i in 0..2 {
        let after = v[i] - kick * slip[i] / speed;
        assert!((first.after.v[i] - after).abs() < 1e-12, "{first:?} instead of {after}");
    }
    assert!((first.after.v[2] - e * down).abs() < 1e-12 && (first.impulse - M * (1.0 + e) * down).abs() < 1e-12);
    let (last, rolling) = (motion.last().expect("states"), rolls_at(v, omega));
    assert!((0..2).all(|i| (last.v[i] - rolling[i]).abs() < 1e-8), "{last:?} instead of {rolling:?}");
    assert_eq!(last.v[2], 0.0);

    // A rough floor stops the slip at the first impact, as a superball's.
    let rough = Angled { m: M, r: R, e, mu: 3.0, g: G }.prepare::<f64>().expect("positive");
    let motion = solve(&rough, start, 0.01, &Dop853::new(), &tight()).expect("a motion");
    let after = motion.last().expect("states");
    let slipping = rough.outputs_of(&after);
    assert!(slipping.iter().all(|(_, rate)| rate.abs() < 1e-12), "{slipping:?}");
    assert!((0..2).all(|i| (after.v[i] - rolling[i]).abs() < 1e-12), "{after:?} instead of {rolling:?}");
}

/// A tippe top on a floor that it could leave.
#[lagrangian {
    coordinates p[3], w, x, y, z;
    let turned = rotation([w, x, y, z]);
    let lever  = a*turned*[0, 0, 1] - [0, 0, r];
    let slip   = dot(p) + cross(turned*angular_velocity_body(turned), lever);
    kinetic   = rigid_body_energy(m, [i1, i1, i3], p, turned);
    potential = m*g*p[2];
    constraint unit: norm2([w, x, y, z]) == 1;
    contact floor: p[2] + lever[2] >= 0, friction = mu, slip = rate([slip[0], slip[1]]);
}]
struct Lifting {
    m: f64,
    g: f64,
    r: f64,
    a: f64,
    i1: f64,
    i3: f64,
    mu: f64,
}

/// The same top on a floor that holds it.
#[lagrangian {
    coordinates p[3], w, x, y, z;
    let turned = rotation([w, x, y, z]);
    let lever  = a*turned*[0, 0, 1] - [0, 0, r];
    let slip   = dot(p) + cross(turned*angular_velocity_body(turned), lever);
    kinetic   = rigid_body_energy(m, [i1, i1, i3], p, turned);
    potential = m*g*p[2];
    constraint unit: norm2([w, x, y, z]) == 1;
    constraint floor: p[2] + lever[2] == 0;
    friction felt: rate([slip[0], slip[1]]) = mu*abs(multiplier(floor));
}]
struct Held {
    m: f64,
    g: f64,
    r: f64,
    a: f64,
    i1: f64,
    i3: f64,
    mu: f64,
}

#[test]
fn a_tippe_top_on_a_contact_moves_as_on_a_constraint() {
    let (m, r, lean, spin) = (0.02, 0.02, 0.3_f64, 155.0);
    let (a, i1, i3, mu) = (0.2 * r, 131.0 / 350.0 * m * r * r, 0.4 * m * r * r, 0.3);
    let (sin, cos) = (lean / 2.0).sin_cos();
    let q = [0.0, 0.0, r - a * lean.cos(), cos, sin, 0.0, 0.0];
    let start = State::new(0.0, q, [0.0, 0.0, 0.0, 0.0, 0.0, sin * spin / 2.0, cos * spin / 2.0]);
    let lifting = Lifting { m, g: G, r, a, i1, i3, mu }.prepare::<f64>().expect("valid");
    let held = Held { m, g: G, r, a, i1, i3, mu }.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    let method = Projected::new(Dop853::new());
    // It turns over and rolls within these times.
    for end in [0.3, 1.5] {
        let of_contact = solve(&lifting, start, end, &method, &options).expect("a motion");
        let of_constraint = solve(&held, start, end, &method, &options).expect("a motion");
        let (found, expected) = (of_contact.last().expect("states"), of_constraint.last().expect("states"));
        assert!((found.q - expected.q).amax() < 1e-6, "{found:?} instead of {expected:?}");
        assert!((found.v - expected.v).amax() < 1e-4, "{found:?} instead of {expected:?}");
        assert_eq!(of_contact.instants.len(), of_constraint.instants.len());
    }
}

/// A block on a block on a floor, and a push on the lower one.
#[lagrangian {
    coordinates a[3], b[3];
    kinetic   = m*norm2(dot(a))/2 + n*norm2(dot(b))/2;
    potential = g*(m*a[2] + n*b[2]);
    force [a[0], a[1]] = [push, aside];
    contact floor: a[2] >= 0, friction = mu, slip = [a[0], a[1]];
    contact between: b[2] >= a[2], friction = nu, slip = [b[0] - a[0], b[1] - a[1]];
}]
struct Blocks {
    m: f64,
    n: f64,
    g: f64,
    mu: f64,
    nu: f64,
    #[input]
    push: f64,
    #[input]
    aside: f64,
}

#[test]
fn a_block_slips_from_a_block_that_is_pulled_away() {
    let (m, n, mu, nu) = (2.0, 0.5, 0.3, 0.2);
    // With both at rest until the push exceeds μ (m + n) g; then together, until the lower one has more than ν g.
    for (push, expected) in [
        (0.99 * mu * (m + n) * G, [0.0, 0.0]),
        (1.2 * mu * (m + n) * G, [0.2 * mu * G; 2]),
        (20.0, [(20.0 - mu * (m + n) * G - nu * n * G) / m, nu * G]),
    ] {
        let (along, across) = (0.8, -0.6);
        let system =
            Blocks { m, n, g: G, mu, nu, push: push * along, aside: push * across }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [0.0; 6], [0.0; 6]);
        let last = solve(&system, start, 0.5, &Dop853::new(), &tight()).expect("a motion").last().expect("states");
        for (block, acceleration) in expected.into_iter().enumerate() {
            for (axis, part) in [along, across].into_iter().enumerate() {
                let v = 0.5 * acceleration * part;
                assert!((last.v[3 * block + axis] - v).abs() < 1e-9, "{push}: {last:?} instead of {v}");
            }
        }
    }
}

/// A brush whose friction presses on the floor that it slips along.
#[lagrangian {
    coordinates r[3];
    kinetic = m*norm2(dot(r))/2;
    potential = m*g*r[2];
    contact floor: r[2] >= 0, friction = mu, slip = [r[0] + slant*r[2], r[1]];
}]
struct Brush {
    m: f64,
    g: f64,
    slant: f64,
    mu: f64,
}

#[test]
fn a_friction_that_presses_on_its_contact_is_solved_with_it() {
    // Upward N + slant f = m g with f = −μ N cos: N = m g/(1 − slant μ cos).
    let (m, mu, speed) = (0.5, 0.4, 5.0);
    for pressing in [0.9, -0.9] {
        let system = Brush { m, g: G, slant: pressing / mu / 0.6, mu }.prepare::<f64>().expect("positive");
        let slowing = mu * G / (1.0 - pressing);
        let start = State::new(0.0, [0.0; 3], [0.6 * speed, 0.8 * speed, 0.0]);
        let last = solve(&system, start, 2.0 / slowing, &Dop853::new(), &tight()).expect("a motion");
        let last = last.last().expect("states");
        assert!((last.v[0] - 1.8).abs() < 1e-8 && (last.v[1] - 2.4).abs() < 1e-8, "{pressing}: {last:?}");
    }
    // Where it presses by more than it is pressed, it jams, as Painlevé's rod.
    let jammed = Brush { m, g: G, slant: 3.0 / mu, mu }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0; 3], [speed, 0.0, 0.0]);
    let failed = solve(&jammed, start, 0.3, &Dop853::new(), &tight()).expect_err("it jams").to_string();
    assert!(failed.contains("floor"), "{failed}");
}

/// A puck on a rough table between two walls: the friction in the plane has a stated bound, and walls have contacts.
#[lagrangian {
    coordinates r[2];
    kinetic = m*norm2(dot(r))/2;
    friction pad: r = mu*m*g;
    contact right: l >= r[0], restitution = e;
    contact left: r[0] >= 0, restitution = e;
}]
struct Puck {
    m: f64,
    g: f64,
    mu: f64,
    l: f64,
    e: f64,
}

#[test]
fn a_puck_between_walls_slides_straight_and_stops() {
    let (m, mu, l, e) = (0.2, 0.3, 1.0, 0.5);
    let system = Puck { m, g: G, mu, l, e }.prepare::<f64>().expect("valid");
    let (direction, speed) = ([0.6, 0.8], 4.0_f64);
    let start = State::new(0.0, [0.0, 0.0], [0.6 * speed, 0.8 * speed]);
    let motion = solve(&system, start, 3.0, &Dop853::new(), &tight()).expect("a motion");
    let last = motion.last().expect("states");
    // To the wall over l/0.6, then with −e times the velocity across it, until μ g has taken the rest.
    let way = l / direction[0];
    let met = (speed * speed - 2.0 * mu * G * way).sqrt();
    let after = [-e * direction[0] * met, direction[1] * met];
    let left = f64::hypot(after[0], after[1]);
    let rest = left / (2.0 * mu * G);
    let place = [l + after[0] * rest, direction[1] * way + after[1] * rest];
    assert!(place[0] > 0.0, "it stops before the other wall");
    assert!((0..2).all(|i| (last.q[i] - place[i]).abs() < 1e-9), "{last:?} instead of {place:?}");
    assert!(last.v.amax() < 1e-13 && motion.statistics.impacts == 1, "{last:?}");
}

/// A box on four feet on an inclined floor, in Cardan's angles.
#[lagrangian {
    coordinates p[3], alpha, beta, gamma;
    let turned = rotation_x(alpha)*rotation_y(beta)*rotation_z(gamma);
    let foot[i in 0..2, j in 0..2] = p + turned*[(2*i - 1)*a, (2*j - 1)*b, -h];
    kinetic   = rigid_body_energy(m, [m*(b^2 + h^2)/3, m*(a^2 + h^2)/3, m*(a^2 + b^2)/3], p, turned);
    potential = m*g*(p[2]*cos(slope) - p[0]*sin(slope));
    contact foot[i in 0..2, j in 0..2]: foot[i][j][2] >= 0, friction = mu, slip = [foot[i][j][0], foot[i][j][1]];
}]
struct Chest {
    m: f64,
    g: f64,
    a: f64,
    b: f64,
    h: f64,
    slope: f64,
    mu: f64,
}

#[test]
fn a_box_on_four_feet_rests_slides_or_tips_over() {
    let (m, a, b, h) = (1.3, 0.2, 0.15, 0.1);
    let at = |slope: f64, mu: f64, h: f64| Chest { m, g: G, a, b, h, slope, mu }.prepare::<f64>().expect("valid");
    let start = |h: f64| State::new(0.0, [0.0, 0.0, h, 0.0, 0.0, 0.0], [0.0; 6]);
    // It rests where tan(slope) < μ, and the feet share its weight: the lower ones bear more by m g sin(slope) h/(2 a) in all.
    let (slope, mu) = (0.3_f64, 0.5);
    let system = at(slope, mu, h);
    let last = solve(&system, start(h), 1.0, &Dop853::new(), &tight()).expect("a motion").last().expect("states");
    assert!(last.v.amax() < 1e-12 && (last.q - start(h).q).amax() < 1e-12, "{last:?}");
    let forces = contact::forces(&system, &last, &SVector::from([])).expect("forces").forces;
    let weight = m * G * slope.cos();
    assert!((forces[..4].iter().sum::<f64>() - weight).abs() < 1e-9, "{forces:?}");
    let more = forces[2] + forces[3] - forces[0] - forces[1];
    assert!((more - m * G * slope.sin() * h / a).abs() < 1e-9, "{more}");
    let along: f64 = (0..4).map(|foot| forces[4 + 2 * foot]).sum();
    assert!((along + m * G * slope.sin()).abs() < 1e-9, "{forces:?}");
    // It slides where tan(slope) > μ.
    let mu = 0.2;
    let system = at(slope, mu, h);
    let last = solve(&system, start(h), 1.0, &Dop853::new(), &tight()).expect("a motion").last().expect("states");
    let v = G * (slope.sin() - mu * slope.cos());
    assert!((last.v[0] - v).abs() < 1e-8 && last.v[2].abs() < 1e-10 && last.v[4].abs() < 1e-9, "{last:?}");
    // It tips over its lower edge where h sin(slope) > a cos(slope), with 3/4 g (h sin − a cos)/(a² + h²) at first.
    let high = 0.9;
    let system = at(slope, 2.0, high);
    let found = system.acceleration_of(&start(high)).expect("a motion").acceleration;
    let turning = 0.75 * G * (high * slope.sin() - a * slope.cos()) / (a * a + high * high);
    assert!((found[4] - turning).abs() < 1e-9, "{found} instead of {turning}");
}

/// A ball is thrown into the corner of a floor and two walls, all rough.
#[lagrangian {
    coordinates p[3], a, b, c;
    let omega = angular_velocity_space(rotation_x(a)*rotation_y(b)*rotation_z(c));
    let south = dot(p) + cross(omega, [0, -r, 0]);
    let west  = dot(p) + cross(omega, [-r, 0, 0]);
    let low   = dot(p) + cross(omega, [0, 0, -r]);
    kinetic   = m*norm2(dot(p))/2 + m*r^2*norm2(omega)/5;
    potential = m*g*p[2];
    contact floor: p[2] >= r, restitution = e, friction = mu, slip = rate([low[0], low[1]]);
    contact wall:  p[0] >= r, restitution = e, friction = mu, slip = rate([west[1], west[2]]);
    contact back:  p[1] >= r, restitution = e, friction = mu, slip = rate([south[0], south[2]]);
    output spin = omega;
}]
struct Corner {
    m: f64,
    r: f64,
    e: f64,
    mu: f64,
    g: f64,
}

#[test]
fn a_ball_in_a_corner_obeys_the_laws_in_each_phase() {
    let system = Corner { m: M, r: R, e: 0.4, mu: 0.3, g: G }.prepare::<f64>().expect("valid");
    let (mut phases, mut impacts) = (0, 0);
    for case in 0..4 {
        // Numbers without a pattern.
        let number = |i: i32| (f64::from(case * 7 + i) * 12.9898).sin();
        let q = [R + 0.05 * number(1).abs(), R + 0.05 * number(2).abs(), R + 0.03, 0.0, 0.0, 0.0];
        let v = [number(3) - 1.0, number(4) - 1.0, number(5), 40.0 * number(6), 40.0 * number(7), 40.0 * number(8)];
        let motion = solve(&system, State::new(0.0, q, v), 0.6, &Dop853::new(), &tight()).expect("a motion");
        let mut energy = f64::INFINITY;
        for state in motion.states() {
            let found = system.energies_of(&state).energy;
            assert!(found <= energy + 1e-9 * M, "{case}: the energy grows at {}", state.t);
            energy = found;
            let forces = contact::forces(&system, &state, &SVector::from([])).expect("forces");
            for contact in 0..3 {
                let normal = forces.forces[contact];
                let slip = 3 + 2 * contact..5 + 2 * contact;
                let [force, rate] =
                    [&forces.forces, &forces.rates].map(|all| f64::hypot(all[slip.start], all[slip.start + 1]));
                assert!(normal >= -1e-9 && force <= 0.3 * normal + 1e-9, "{case}: {forces:?}");
                let along: f64 = slip.clone().map(|k| forces.forces[k] * forces.rates[k]).sum();
                assert!(along <= 1e-9 * rate, "{case}: friction pushes: {forces:?}");
                if rate > 1e-4 {
                    assert!((along + 0.3 * normal * rate).abs() < 1e-9, "{case}: {forces:?}");
                }
            }
        }
        phases += motion.statistics.phases;
        impacts += motion.statistics.impacts;
    }
    assert!(phases > 4 && impacts > 20, "{phases} {impacts}");
}
