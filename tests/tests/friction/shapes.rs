//! Gaps as distances of shapes, with the slips that follow from them, against gaps and slips by hand and closed forms.

use lagrange_runtime::instant::{Cause, Phase};
use lagrange_runtime::prelude::*;

const G: f64 = 9.81;

fn tight<const N: usize>() -> Options<'static, f64, N> {
    Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() }
}

/// A ball on a slope and a ball on this ball, by shapes.
#[lagrangian {
    coordinates p[3], a, b, c, q[3], d, e, f;
    let one   = rotation_x(a)*rotation_y(b)*rotation_z(c);
    let other = rotation_x(d)*rotation_y(e)*rotation_z(f);
    kinetic   = rigid_body_energy(m, [j, j, j], p, one) + rigid_body_energy(m, [j, j, j], q, other);
    potential = m*g*(p[2] + q[2]);
    contact slope: distance(sphere(p, r, one), plane([0, 0, h], [-s, 0, 1])) >= 0, friction = mu;
    contact touch: distance(sphere(q, 2*r, other), sphere(p, r, one)) >= 0, friction = nu, restitution = 1/2;
    output gaps = [distance(sphere(p, r), plane([0, 0, h], [-s, 0, 1])), distance(sphere(q, 2*r), sphere(p, r))];
    output on_slope = slip_velocity(sphere(p, r, one), plane([0, 0, h], [-s, 0, 1]));
    output on_ball = slip_velocity(sphere(q, 2*r, other), sphere(p, r, one));
}]
struct Shaped {
    m: f64,
    j: f64,
    g: f64,
    r: f64,
    h: f64,
    s: f64,
    mu: f64,
    nu: f64,
}

/// The same balls, with gaps and slips by hand.
#[lagrangian {
    coordinates p[3], a, b, c, q[3], d, e, f;
    let one   = rotation_x(a)*rotation_y(b)*rotation_z(c);
    let other = rotation_x(d)*rotation_y(e)*rotation_z(f);
    let up    = [-s, 0, 1]/sqrt(1 + s^2);
    let way   = q - p;
    let n     = way/norm(way);
    let below = dot(p) + cross(angular_velocity_space(one), -r*up);
    let upper = dot(q) + cross(angular_velocity_space(other), -2*r*n);
    let lower = dot(p) + cross(angular_velocity_space(one), r*n);
    kinetic   = rigid_body_energy(m, [j, j, j], p, one) + rigid_body_energy(m, [j, j, j], q, other);
    potential = m*g*(p[2] + q[2]);
    let on_slope = below - inner(below, up)*up;
    let on_ball  = upper - lower - inner(upper - lower, n)*n;
    contact slope: inner(p - [0, 0, h], up) >= r, friction = mu, slip = rate(on_slope);
    contact touch: norm(way) >= 3*r, friction = nu, slip = rate(on_ball), restitution = 1/2;
    output gaps = [inner(p - [0, 0, h], up) - r, norm(way) - 3*r];
    output on_slope = on_slope;
    output on_ball = on_ball;
}]
struct ByHand {
    m: f64,
    j: f64,
    g: f64,
    r: f64,
    h: f64,
    s: f64,
    mu: f64,
    nu: f64,
}

#[test]
fn gaps_and_slips_of_shapes_are_those_by_hand() {
    let (m, j, r, h, s, mu, nu) = (1.3, 0.02, 0.1, 0.4, 0.3, 0.5, 0.4);
    let shaped = Shaped { m, j, g: G, r, h, s, mu, nu }.prepare::<f64>().expect("valid");
    let by_hand = ByHand { m, j, g: G, r, h, s, mu, nu }.prepare::<f64>().expect("valid");
    assert_eq!(shaped.row_names(), by_hand.row_names());
    for case in 0..20 {
        let number = |i: i32| (f64::from(case * 31 + i) * 12.9898).sin();
        let numbers = |first: i32| SVector::<f64, 12>::from_fn(|i, _| number(first + i as i32));
        let state = State::new(0.0, numbers(0).data.0[0], numbers(12).data.0[0]);
        let (found, expected) = (shaped.outputs_of(&state), by_hand.outputs_of(&state));
        assert_eq!(found.len(), 8);
        for ((name, found), (_, expected)) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-14, "{name}: {found} instead of {expected}");
        }
    }
    // The upper ball falls onto the lower one, which rests on the slope, and both roll away.
    let (sin, cos) = s.atan().sin_cos();
    let rest = [-r * sin, 0.0, h + r * cos];
    let q = [rest[0], rest[1], rest[2], 0.0, 0.0, 0.0, rest[0] + 0.02, 0.03, rest[2] + 3.5 * r, 0.0, 0.0, 0.0];
    let start = State::new(0.0, q, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, -0.2, 0.0, 3.0, 1.0, -2.0]);
    let of = |motion: Solution<f64, 12>| (motion.last().expect("states"), motion.instants.len());
    let (found, happened) = of(solve(&shaped, start, 0.25, &Dop853::new(), &tight()).expect("a motion"));
    let (expected, expected_to) = of(solve(&by_hand, start, 0.25, &Dop853::new(), &tight()).expect("a motion"));
    assert!(happened == expected_to && happened > 2, "{happened} {expected_to}");
    assert!((found.q - expected.q).amax() < 1e-9 && (found.v - expected.v).amax() < 1e-8, "{found:?} {expected:?}");
}

/// A hoop on a moving belt in the plane, which carries it: the belt turns about its own point.
#[lagrangian {
    coordinates x, y, turn;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2 + m*r^2*dot(turn)^2/2;
    potential = m*g*y;
    contact belt: distance(sphere([x, y], r, turn), plane([v*t, 0], [0, 2], 0)) >= 0, friction = mu;
}]
struct Hoop {
    m: f64,
    g: f64,
    r: f64,
    v: f64,
    mu: f64,
}

#[test]
fn a_hoop_on_a_belt_takes_half_of_its_speed() {
    // Its slip −v falls by 2 μ g t, and the hoop rolls at v/2.
    let (v, mu) = (1.2, 0.15);
    let system = Hoop { m: 0.3, g: G, r: 0.2, v, mu }.prepare::<f64>().expect("valid");
    let motion = solve(&system, State::new(0.0, [0.0, 0.2, 0.0], [0.0; 3]), 1.0, &Dop853::new(), &tight());
    let motion = motion.expect("a motion");
    let (rolls, last) = (motion.instants.last().expect("it rolls").after.t, motion.last().expect("states"));
    assert!((rolls - v / (2.0 * mu * G)).abs() < 1e-9, "{rolls}");
    assert!((last.v[0] - v / 2.0).abs() < 1e-10 && (last.v[2] - v / 2.0 / 0.2).abs() < 1e-9, "{last:?}");
}

/// A marble that rolls off the end of a bar, a capsule that stands still.
#[lagrangian {
    coordinates x, y, turn;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2 + m*r^2*dot(turn)^2/5;
    potential = m*g*y;
    contact bar: distance(sphere([x, y], r, turn), capsule([-l, 0], [0, 0], b, 0)) >= 0, friction = mu;
}]
struct Marble {
    m: f64,
    g: f64,
    r: f64,
    l: f64,
    b: f64,
    mu: f64,
}

#[test]
fn a_marble_rolls_off_a_rounded_end() {
    let (m, r, b) = (0.1, 0.02, 0.05);
    let system = Marble { m, g: G, r, l: 1.0, b, mu: 1e6 }.prepare::<f64>().expect("valid");
    let speed = 0.3;
    let start = State::new(0.0, [-0.1, r + b, 0.0], [speed, 0.0, -speed / r]);
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    let motion = solve(&system, start, 1.2, &Dop853::new(), &options).expect("a motion");
    // It rolls evenly to the end, does not slip until it presses by a millionth of its weight, and leaves the round where (v²)/(R g) = cos φ with 7/10 v² + g R cos φ = 7/10 v₀² + g R, so that cos φ = (10 + 7 F)/17 with F = v₀²/(g R).
    let leaves =
        motion.instants.iter().find(|instant| instant.cause == Cause::Phase("bar", Phase::Open)).expect("it leaves");
    let reach = r + b;
    let cos = leaves.after.q[1] / reach;
    assert!((cos - (10.0 + 7.0 * speed * speed / (G * reach)) / 17.0).abs() < 1e-5, "{cos}");
    let square = leaves.after.v[0].powi(2) + leaves.after.v[1].powi(2);
    assert!((square - G * reach * cos).abs() < 1e-7, "{leaves:?}");
}

/// A tippe top on a floor by shapes, under a constraint.
#[lagrangian {
    coordinates p[3], w, x, y, z;
    let turned = rotation([w, x, y, z]);
    let middle = p + a*turned*[0, 0, 1];
    kinetic   = rigid_body_energy(m, [i1, i1, i3], p, turned);
    potential = m*g*p[2];
    constraint unit: norm2([w, x, y, z]) == 1;
    constraint floor: distance(sphere(middle, r), plane([0, 0, 0], [0, 0, 1])) == 0;
    friction felt: rate(slip_velocity(sphere(middle, r, turned), plane([0, 0, 0], [0, 0, 1]))) = mu*abs(multiplier(floor));
    output slip = slip_velocity(sphere(middle, r, [w, x, y, z]), plane([0, 0, 0], [0, 0, 1]));
    output by_hand = dot(p) + cross(angular_velocity_space(turned), a*turned*[0, 0, 1] - [0, 0, r]);
}]
struct Top {
    m: f64,
    g: f64,
    r: f64,
    a: f64,
    i1: f64,
    i3: f64,
    mu: f64,
}

#[test]
fn the_slip_of_a_sphere_in_a_body_is_that_of_its_lowest_point() {
    let system =
        Top { m: 0.02, g: G, r: 0.02, a: 0.004, i1: 3e-6, i3: 3.2e-6, mu: 0.1 }.prepare::<f64>().expect("valid");
    let (sin, cos) = (0.2_f64.sin(), 0.2_f64.cos());
    // Half of ω times the quaternion, with ω = (3, −5, 40).
    let rates = [0.0 - 1.5 * sin, 1.5 * cos, -2.5 * cos + 20.0 * sin, 20.0 * cos + 2.5 * sin];
    let q = [0.1, 0.2, 0.02 - 0.004 * 0.4_f64.cos(), cos, sin, 0.0, 0.0];
    let state = State::new(0.0, q, [0.3, -0.4, 0.0, rates[0], rates[1], rates[2], rates[3]]);
    let outputs = system.outputs_of(&state);
    for i in 0..2 {
        let (slip, by_hand) = (outputs[i].1, outputs[2 + i].1);
        assert!((slip - by_hand).abs() < 1e-14 && slip.abs() > 0.1, "{outputs:?}");
    }
}

/// A disc on the top of a box of half height h, whose middle is at the height c.
#[lagrangian {
    coordinates x, y, turn;
    kinetic   = rigid_body_energy(m, m*r^2/2, [x, y], turn);
    potential = m*g*y;
    contact top: distance(sphere([x, y], r, turn), box([0, c], [2, h], 0)) >= 0, friction = mu;
}]
struct OnBox {
    m: f64,
    g: f64,
    r: f64,
    c: f64,
    h: f64,
    mu: f64,
}

#[test]
fn a_gap_is_zero_up_to_the_rounding_of_the_shapes() {
    // The largest terms, c and h, cancel within the clamp to the box, where neither the gap nor a coordinate shows them.
    for (c, h) in [(-0.3, 0.3), (-1.5, 1.5), (-77.7, 77.7), (-1e5 / 3.0, 1e5 / 3.0), (1e4 / 7.0, 0.1)] {
        for r in [0.1, 1.0 / 3.0, 1e-3] {
            let system = OnBox { m: 0.3, g: G, r, c, h, mu: 0.5 }.prepare::<f64>().expect("valid");
            let start = State::new(0.0, [0.3, c + h + r, 0.0], [0.0; 3]);
            let solution = solve(&system, start, 0.5, &Dop853::new(), &tight()).expect("it stands");
            let last = solution.last().expect("steps");
            let rounding = 64.0 * f64::EPSILON * (c.abs() + h);
            assert!((last.q - start.q).amax() <= rounding && last.v == start.v, "{c} {h} {r}: {last:?}");
            assert!(solution.instants.iter().all(|instant| !matches!(instant.cause, Cause::Impact(_))));
        }
    }
}
