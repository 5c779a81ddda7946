//! Capsules and boxes: their distances, slips and vertices against the least of all candidates, sampled bodies and closed forms.

use lagrange_runtime::contact;
use lagrange_runtime::instant::Cause;
use lagrange_runtime::prelude::*;

pub(crate) const G: f64 = 9.81;

pub(crate) type V = SVector<f64, 3>;

/// Two bodies in space, which carry a rod and a ball, and another rod and a box.
#[lagrangian {
    coordinates p[3], a, b, c, q[3], d, e, f;
    let one   = rotation_x(a)*rotation_y(b)*rotation_z(c);
    let other = rotation_x(d)*rotation_y(e)*rotation_z(f);
    let rod   = capsule(p, p + one*[0, 0, l], r, one);
    let stick = capsule(q - other*[s, 0, 0], q + other*[s, 0, 0], 2*r, other);
    let brick = box(q, [h, 2*h, 3*h], other);
    let ball  = sphere(p, r, one);
    let floor = plane([0, 0, h], [-1/2, 0, 1]);
    kinetic   = rigid_body_energy(m, [m, m, m], p, one) + rigid_body_energy(m, [m, m, m], q, other);
    output rods  = distance(rod, stick);
    output block = distance(brick, ball);
    output rods_slip  = slip_velocity(rod, stick);
    output block_slip = slip_velocity(brick, ball);
    output low = [distance(rod, floor), distance(floor, brick)];
    output end[i in 0..2] = distance(vertex(rod, i), floor);
    output corner[i in 0..8] = distance(vertex(brick, i), floor);
    output end_slip    = slip_velocity(vertex(rod, 1), floor);
    output corner_slip = slip_velocity(vertex(brick, 5), floor);
}]
struct Bodies {
    m: f64,
    l: f64,
    r: f64,
    s: f64,
    h: f64,
}

/// A body that turns by R = Rx(a) Ry(b) Rz(c) about a point.
pub(crate) struct Body {
    pub(crate) point: V,
    velocity: V,
    pub(crate) axes: [V; 3],
    omega: V,
}

impl Body {
    pub(crate) fn of(q: &[f64], v: &[f64]) -> Self {
        let (sa, ca) = q[3].sin_cos();
        let (sb, cb) = q[4].sin_cos();
        let (sc, cc) = q[5].sin_cos();
        let about_x = |u: V| V::new(u[0], ca * u[1] - sa * u[2], sa * u[1] + ca * u[2]);
        let about_y = |u: V| V::new(cb * u[0] + sb * u[2], u[1], cb * u[2] - sb * u[0]);
        let about_z = |u: V| V::new(cc * u[0] - sc * u[1], sc * u[0] + cc * u[1], u[2]);
        let axes = [V::x(), V::y(), V::z()].map(|u| about_x(about_y(about_z(u))));
        // Each angle turns about an axis that the angles before it have turned.
        let omega = v[3] * V::x() + v[4] * about_x(V::y()) + v[5] * about_x(about_y(V::z()));
        Self { point: V::from_column_slice(&q[..3]), velocity: V::from_column_slice(&v[..3]), axes, omega }
    }

    fn velocity_at(&self, place: V) -> V {
        self.velocity + self.omega.cross(&(place - self.point))
    }
}

/// The nearest points of two segments, as the best of all candidates: the nearest points of the lines if they lie within, and each end with its nearest point of the other.
pub(crate) fn nearest([a0, a1]: [V; 2], [b0, b1]: [V; 2]) -> (V, V) {
    let on = |place: V, start: V, end: V| {
        let axis = end - start;
        start + axis * ((place - start).dot(&axis) / axis.norm_squared()).clamp(0.0, 1.0)
    };
    let mut candidates = vec![(a0, on(a0, b0, b1)), (a1, on(a1, b0, b1)), (on(b0, a0, a1), b0), (on(b1, a0, a1), b1)];
    let (a, b) = (a1 - a0, b1 - b0);
    let normal = a.cross(&b);
    if normal.norm_squared() > 0.0 {
        let s = (b0 - a0).cross(&b).dot(&normal) / normal.norm_squared();
        let u = (b0 - a0).cross(&a).dot(&normal) / normal.norm_squared();
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&u) {
            candidates.push((a0 + a * s, b0 + b * u));
        }
    }
    let distance = |(one, other): &(V, V)| (one - other).norm();
    candidates.into_iter().min_by(|one, other| distance(one).total_cmp(&distance(other))).expect("candidates")
}

/// The relative velocity of two bodies at their touching points, across the way between them.
pub(crate) fn slip((one, first): (&Body, V), (other, second): (&Body, V), normal: V) -> V {
    let relative = one.velocity_at(first) - other.velocity_at(second);
    relative - normal * normal.dot(&relative)
}

pub(crate) fn outputs(system: &impl System<f64, 12, 0, 0>, state: &State<f64, 12>) -> Vec<f64> {
    system.outputs_of(state).into_iter().map(|(_, value)| value).collect()
}

#[test]
fn distances_and_slips_of_rods_and_boxes_are_the_least_of_all_candidates() {
    let (l, r, s, h) = (0.9, 0.03, 0.4, 0.15);
    let system = Bodies { m: 1.0, l, r, s, h }.prepare::<f64>().expect("valid");
    // How often the nearest points lie within both axes, and the ball beside a face, an edge and a vertex.
    let (mut within, mut places) = (0, [0; 4]);
    for case in 0..400 {
        let number = |i: usize| (f64::from(case * 31 + i as i32) * 12.9898).sin();
        let numbers = |first: usize| SVector::<f64, 12>::from_fn(|i, _| number(first + i));
        let (mut q, v) = (numbers(0), numbers(12));
        let scale = [0.6, 0.15, 1.2][case as usize % 3];
        [0, 1, 2, 6, 7, 8].into_iter().for_each(|i| q[i] *= scale);
        let state = State::new(0.0, q.data.0[0], v.data.0[0]);
        let (q, v) = (q.as_slice(), v.as_slice());
        let (one, other) = (Body::of(&q[..6], &v[..6]), Body::of(&q[6..], &v[6..]));
        let rod = [one.point, one.point + one.axes[2] * l];
        let stick = [other.point - other.axes[0] * s, other.point + other.axes[0] * s];
        let (first, second) = nearest(rod, stick);
        let way = first - second;
        let normal = way.normalize();
        let mut expected = vec![way.norm() - 3.0 * r];
        let is_end = |place: V, ends: [V; 2]| ends.iter().any(|end| (end - place).norm() < 1e-12);
        within += usize::from(!is_end(first, rod) && !is_end(second, stick));

        let local = other.axes.map(|axis| axis.dot(&(one.point - other.point)));
        let half = [h, 2.0 * h, 3.0 * h];
        let outside = (0..3).filter(|&k| local[k].abs() > half[k]).count();
        places[outside] += 1;
        let inside = (0..3).map(|k| other.axes[k] * local[k].clamp(-half[k], half[k]));
        let on_box = inside.fold(other.point, |sum, part| sum + part);
        let to_box = on_box - one.point;
        expected.push(to_box.norm() - r);
        let rods_slip = slip((&one, first - normal * r), (&other, second + normal * 2.0 * r), normal);
        expected.extend(rods_slip.iter());
        let outward = to_box.normalize();
        let block_slip = slip((&other, on_box), (&one, one.point + outward * r), outward);
        expected.extend(block_slip.iter());

        let up = V::new(-0.5, 0.0, 1.0).normalize();
        let height = |place: V| up.dot(&(place - V::new(0.0, 0.0, h)));
        let corner = |i: usize| {
            (0..3).fold(other.point, |sum, k| sum + other.axes[k] * if i >> k & 1 == 1 { half[k] } else { -half[k] })
        };
        let ends = rod.map(|end| height(end) - r);
        let corners: Vec<f64> = (0..8).map(|i| height(corner(i))).collect();
        let least = |all: &[f64]| all.iter().copied().fold(f64::INFINITY, f64::min);
        expected.extend([least(&ends), least(&corners)]);
        expected.extend(ends);
        expected.extend(&corners);
        let still = Body { velocity: V::zeros(), omega: V::zeros(), ..Body::of(q, v) };
        expected.extend(slip((&one, rod[1] - up * r), (&still, V::zeros()), up).iter());
        expected.extend(slip((&other, corner(5)), (&still, V::zeros()), up).iter());
        let found = outputs(&system, &state);
        assert_eq!(found.len(), expected.len());
        // Inside of the box there is no direction in which it presses on the ball.
        let is_inside = outside == 0;
        for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
            if is_inside && (5..8).contains(&index) {
                continue;
            }
            // A direction is as exact as the distance that it is taken over is long.
            let length = [way, to_box][usize::from(index >= 5)].norm();
            let within = 1e-13 * if (2..8).contains(&index) { 1.0 / length.min(1.0) } else { 1.0 };
            assert!((found - expected).abs() < within, "case {case}, number {index}: {found} instead of {expected}");
        }
        // No sampled points of the bodies are nearer, and the nearest are as near as samples are dense.
        if case % 20 == 0 {
            let part = |i: usize| i as f64 / 60.0;
            let (mut rods, mut block) = (f64::INFINITY, f64::INFINITY);
            for i in 0..=60 {
                for j in 0..=60 {
                    let (x, y) = (rod[0].lerp(&rod[1], part(i)), stick[0].lerp(&stick[1], part(j)));
                    rods = rods.min((x - y).norm());
                    for k in 0..=20 {
                        let place = [i as f64 / 30.0 - 1.0, j as f64 / 30.0 - 1.0, f64::from(k) / 10.0 - 1.0];
                        let place = (0..3).fold(other.point, |sum, n| sum + other.axes[n] * (place[n] * half[n]));
                        block = block.min((place - one.point).norm());
                    }
                }
            }
            let (rods, block) = (rods - 3.0 * r - found[0], block - r - found[1]);
            assert!((-1e-13..0.012).contains(&rods) && (-1e-13..0.04).contains(&block), "{case}: {rods} {block}");
        }
    }
    assert!(within > 40 && places.iter().all(|&count| count > 10), "{within} {places:?}");
}

#[test]
fn parallel_rods_have_the_distance_of_their_lines_or_of_their_ends() {
    let (l, r, s) = (0.9, 0.03, 0.4);
    let system = Bodies { m: 1.0, l, r, s, h: 0.1 }.prepare::<f64>().expect("valid");
    // The stick is turned by −90° about y, so that its x axis is the z axis of the rod, but for a small angle.
    for tilt in [0.0, 1e-16, 1e-12, 1e-9, 3e-8, 1e-7, 1e-5] {
        for z in [-0.5, -0.39, 0.0, 0.3, 0.45, 0.9, 1.2, 1.4] {
            let q = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2, -0.1, z, tilt, -std::f64::consts::FRAC_PI_2, 0.0];
            let state = State::new(0.0, q, [0.3; 12]);
            let found = outputs(&system, &state);
            let (one, other) = (Body::of(&q[..6], &[0.0; 6]), Body::of(&q[6..], &[0.0; 6]));
            let stick = [other.point - other.axes[0] * s, other.point + other.axes[0] * s];
            let (first, second) = nearest([one.point, one.point + one.axes[2] * l], stick);
            let expected = (first - second).norm() - 3.0 * r;
            assert!((found[0] - expected).abs() < 1e-13, "{tilt} {z}: {} instead of {expected}", found[0]);
            assert!(found.iter().all(|number| number.is_finite()), "{tilt} {z}: {found:?}");
        }
    }
}

/// A rod that falls across a bar at rest, and may meet it beside its middle.
#[lagrangian {
    coordinates p[3], a, b, c;
    let turned = rotation_z(c)*rotation_y(b)*rotation_x(a);
    let rod = capsule(p - turned*[l, 0, 0], p + turned*[l, 0, 0], r, turned);
    let bar = capsule([0, -1, 0], [0, 1, 0], r, rotation_x(0));
    kinetic   = rigid_body_energy(m, [m*r^2, m*k^2, m*k^2], p, turned);
    potential = m*g*p[2];
    contact touch: distance(rod, bar) >= 0, restitution = e, friction = mu;
}]
struct Falling {
    m: f64,
    k: f64,
    g: f64,
    l: f64,
    r: f64,
    e: f64,
    mu: f64,
}

#[test]
fn a_rod_that_falls_across_a_bar_turns_as_its_impulse_says() {
    let (m, k, l, r, e, height, beside) = (0.4, 0.15, 0.3, 0.01, 0.6, 0.2, 0.1);
    let system = Falling { m, k, g: G, l, r, e, mu: 0.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [beside, 0.2, height, 0.0, 0.0, 0.0], [0.0; 6]);
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    let lands = (2.0 * (height - 2.0 * r) / G).sqrt();
    let motion = solve(&system, start, lands + 1e-3, &Dop853::new(), &options).expect("a motion");
    let impact = motion.instants.iter().find(|instant| matches!(instant.cause, Cause::Impact(_))).expect("it lands");
    // P = (1 + e) m v/(1 + x²/k²), where x is how far the impact is beside the middle.
    let speed = G * lands;
    let impulse = (1.0 + e) * m * speed / (1.0 + beside * beside / (k * k));
    assert!((impact.after.t - lands).abs() < 1e-9 && (impact.impulse - impulse).abs() < 1e-9, "{impact:?}");
    assert!((impact.after.v[2] - (impulse / m - speed)).abs() < 1e-9, "{impact:?}");
    assert!((impact.after.v[4] - beside * impulse / (m * k * k)).abs() < 1e-8, "{impact:?}");
}

/// A brick on a floor, which touches it by its vertices.
#[lagrangian {
    coordinates p[3], a, b, c;
    let turned = rotation_z(c)*rotation_y(b)*rotation_x(a);
    let brick  = box(p, [x, y, z], turned);
    let ground = plane([0, 0, 0], [0, 0, 1]);
    kinetic   = rigid_body_energy(m, [m*(y^2 + z^2)/3, m*(x^2 + z^2)/3, m*(x^2 + y^2)/3], p, turned);
    potential = m*g*p[2];
    contact floor[i in 0..8]: distance(vertex(brick, i), ground) >= 0;
    output above = distance(brick, ground);
}]
struct Brick {
    m: f64,
    g: f64,
    x: f64,
    y: f64,
    z: f64,
}

#[test]
fn a_brick_that_falls_comes_to_lie_on_a_face() {
    let (m, x, y, z) = (2.0, 0.1, 0.06, 0.04);
    let system = Brick { m, g: G, x, y, z }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0, 0.0, 0.2, 0.3, 0.2, 0.1], [0.0; 6]);
    let solution = solve(&system, start, 3.0, &Dop853::new(), &Options::default()).expect("a motion");
    let last = solution.last().expect("states");
    assert!((last.q[2] - z).abs() < 1e-9 && last.v[2].abs() < 1e-9, "{last:?}");
    assert!(last.q[3].abs() < 1e-8 && last.q[4].abs() < 1e-8, "{last:?}");
    let forces = contact::forces(&system, &last, &SVector::from([])).expect("at rest").forces;
    let sum: f64 = forces[..8].iter().sum();
    assert!((sum - m * G).abs() < 1e-9 && forces.iter().all(|force| *force >= 0.0), "{forces:?}");
    // Four equal vertices share the weight.
    assert_eq!(forces[..8].iter().filter(|force| (*force - m * G / 4.0).abs() < 1e-6).count(), 4, "{forces:?}");
    assert!(system.outputs_of(&last)[0].1.abs() < 1e-9);
}

/// A brick that slides on its lower vertices.
#[lagrangian {
    coordinates p[3], a, b, c;
    let turned = rotation_z(c)*rotation_y(b)*rotation_x(a);
    let brick  = box(p, [x, y, z], turned);
    let ground = plane([0, 0, 0], [0, 0, 1]);
    kinetic   = rigid_body_energy(m, [m*(y^2 + z^2)/3, m*(x^2 + z^2)/3, m*(x^2 + y^2)/3], p, turned);
    potential = m*g*p[2];
    contact floor[i in 0..4]: distance(vertex(brick, i), ground) >= 0, friction = mu;
}]
struct Sliding {
    m: f64,
    g: f64,
    x: f64,
    y: f64,
    z: f64,
    mu: f64,
}

#[test]
fn a_brick_slides_as_far_as_its_friction_lets_it() {
    let (z, mu, speed) = (0.04, 0.3, 1.2);
    let system = Sliding { m: 2.0, g: G, x: 0.1, y: 0.06, z, mu }.prepare::<f64>().expect("valid");
    // Along a diagonal direction, so that every vertex slips in both directions of the floor.
    let start = State::new(0.0, [0.0, 0.0, z, 0.0, 0.0, 0.0], [0.8 * speed, 0.6 * speed, 0.0, 0.0, 0.0, 0.0]);
    let options = Options { rtol: 1e-9.into(), atol: 1e-10.into(), ..Options::default() };
    let last = solve(&system, start, 1.0, &Dop853::new(), &options).expect("a motion").last().expect("states");
    let far = speed * speed / (2.0 * mu * G);
    assert!((last.q[0] - 0.8 * far).abs() < 1e-7 && (last.q[1] - 0.6 * far).abs() < 1e-7, "{last:?}");
}

/// A marble that rolls over the edge of a table, a box in the plane.
#[lagrangian {
    coordinates x, y, turn;
    kinetic   = rigid_body_energy(m, 2*m*r^2/5, [x, y], turn);
    potential = m*g*y;
    contact table: distance(sphere([x, y], r, turn), box([-l, -h], [l, h], 0)) >= 0, friction = mu;
}]
struct Marble {
    m: f64,
    g: f64,
    r: f64,
    l: f64,
    h: f64,
    mu: f64,
}

#[test]
fn a_marble_rolls_over_the_edge_of_a_table() {
    let (r, speed) = (0.02, 0.2);
    let system = Marble { m: 0.1, g: G, r, l: 1.0, h: 0.3, mu: 1e6 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [-0.1, r, 0.0], [speed, 0.0, -speed / r]);
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    let motion = solve(&system, start, 1.0, &Dop853::new(), &options).expect("a motion");
    let leaves = motion.instants.last().expect("it leaves").after;
    // About the edge 7/10 v² + g r cos φ is constant, and the edge carries nothing where v² = g r cos φ.
    let cos = leaves.q[1] / r;
    assert!((cos - (10.0 + 7.0 * speed * speed / (G * r)) / 17.0).abs() < 1e-5, "{cos}");
    assert!((leaves.q[0] - r * (1.0 - cos * cos).sqrt()).abs() < 1e-9, "{leaves:?}");
}
