//! Boxes with rounded edges that meet boxes and rods: distances and slips against the least of all candidates, and motions against closed forms.

use super::solids::{Body, G, V, nearest, outputs, slip};
use lagrange_runtime::contact;
use lagrange_runtime::instant::Cause;
use lagrange_runtime::prelude::*;

/// Two bricks with rounded edges, and a rod.
#[lagrangian {
    coordinates p[3], a, b, c, q[3], d, e, f;
    let one   = rotation_x(a)*rotation_y(b)*rotation_z(c);
    let other = rotation_x(d)*rotation_y(e)*rotation_z(f);
    let brick = box(p, [h, 2*h, 3*h], one, r);
    let stone = box(q, [2*h, 3*h, h], other, 2*r);
    let rod   = capsule(q - other*[s, 0, 0], q + other*[s, 0, 0], r, other);
    kinetic   = rigid_body_energy(m, [m, m, m], p, one) + rigid_body_energy(m, [m, m, m], q, other);
    output edges[i in 0..12]  = distance(edge(brick, i), rod);
    output corners[i in 0..8] = distance(vertex(brick, i), stone);
    output above = distance(brick, plane(q, [0, 0, 2]));
    output edge_slip   = slip_velocity(edge(brick, 6), rod);
    output corner_slip = slip_velocity(vertex(brick, 5), stone);
}]
struct Rounded {
    m: f64,
    r: f64,
    s: f64,
    h: f64,
}

#[test]
fn edges_and_vertices_are_those_of_smaller_boxes_with_a_radius() {
    let (r, s, h) = (0.03, 0.4, 0.15);
    let system = Rounded { m: 1.0, r, s, h }.prepare::<f64>().expect("valid");
    for case in 0..200 {
        let number = |i: usize| (f64::from(case * 31 + i as i32) * 12.9898).sin();
        let numbers = |first: usize| SVector::<f64, 12>::from_fn(|i, _| number(first + i));
        let (q, v) = (numbers(0), numbers(12));
        let state = State::new(0.0, q.data.0[0], v.data.0[0]);
        let (q, v) = (q.as_slice(), v.as_slice());
        let (one, other) = (Body::of(&q[..6], &v[..6]), Body::of(&q[6..], &v[6..]));
        let brick = [h - r, 2.0 * h - r, 3.0 * h - r];
        let corner = |signs: [f64; 3]| (0..3).fold(one.point, |sum, k| sum + one.axes[k] * (signs[k] * brick[k]));
        let rod = [other.point - other.axes[0] * s, other.point + other.axes[0] * s];
        // Edges along the first axis come first, and among these the signs of the other axes count up.
        let (mut expected, mut edges) = (Vec::new(), Vec::new());
        for along in 0..3 {
            for (second, first) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                let end = |own: f64| {
                    let mut signs = [own; 3];
                    let others: Vec<usize> = (0..3).filter(|&k| k != along).collect();
                    (signs[others[0]], signs[others[1]]) = (first, second);
                    corner(signs)
                };
                edges.push([end(-1.0), end(1.0)]);
            }
        }
        for &edge in &edges {
            let (place, on_rod) = nearest(edge, rod);
            expected.push((place - on_rod).norm() - 2.0 * r);
        }
        let half = [2.0 * h, 3.0 * h, h];
        let in_stone = |place: V| {
            let local = other.axes.map(|axis| axis.dot(&(place - other.point)));
            (0..3).fold(other.point, |sum, k| sum + other.axes[k] * local[k].clamp(-half[k], half[k]))
        };
        let sign = |i: usize, k: usize| if i >> k & 1 == 1 { 1.0 } else { -1.0 };
        let corners: Vec<V> = (0..8).map(|i| corner([0, 1, 2].map(|k| sign(i, k)))).collect();
        expected.extend(corners.iter().map(|&place| (place - in_stone(place)).norm() - r));
        let lowest = corners.iter().map(|place| place[2] - other.point[2]).fold(f64::INFINITY, f64::min);
        expected.push(lowest - r);
        let directed = |first: V, second: V, radii: [f64; 2]| {
            let normal = (first - second).normalize();
            slip((&one, first - normal * radii[0]), (&other, second + normal * radii[1]), normal)
        };
        let (place, on_rod) = nearest(edges[6], rod);
        expected.extend(directed(place, on_rod, [r, r]).iter());
        let is_inside = (corners[5] - in_stone(corners[5])).norm() < 1e-9;
        expected.extend(directed(corners[5], in_stone(corners[5]), [r, 0.0]).iter());
        let found = outputs(&system, &state);
        assert_eq!(found.len(), expected.len());
        for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
            // Inside of a box there is no direction.
            if !(is_inside && index >= 24) {
                assert!((found - expected).abs() < 1e-11, "case {case}, number {index}: {found} instead of {expected}");
            }
        }
    }
}

/// Five equal boxes on a floor, one on the other.
#[lagrangian {
    coordinates x[5], y[5], a[5];
    let brick[k in 0..5] = box([x[k], y[k]], [w, h], a[k], r);
    let ground = plane([0, 0], [0, 1]);
    kinetic   = sum(k in 0..5, rigid_body_energy(m, m*(w^2 + h^2)/3, [x[k], y[k]], a[k]));
    potential = sum(k in 0..5, m*g*y[k]);
    contact floor[i in 0..2]: distance(vertex(brick[0], i), ground) >= 0, friction = mu;
    contact pile[k in 0..4, i in 0..2]: distance(vertex(brick[k + 1], i), brick[k]) >= 0, friction = mu;
}]
struct Pile {
    m: f64,
    g: f64,
    w: f64,
    h: f64,
    r: f64,
    mu: f64,
}

impl Pile {
    const EQUAL: Self = Self { m: 1.5, g: G, w: 0.2, h: 0.1, r: 0.005, mu: 0.4 };
}

#[test]
fn equal_boxes_stand_flush_on_each_other() {
    let system = Pile::EQUAL.prepare::<f64>().expect("valid");
    for shift in [0.0, 1e-16, 1e-9, 0.003] {
        let mut q = [0.0; 15];
        for k in 0..5 {
            q[k] = shift * k as f64;
            q[5 + k] = 0.1 + 0.2 * k as f64;
        }
        let start = State::new(0.0, q, [0.0; 15]);
        let solution = solve(&system, start, 2.0, &Dop853::new(), &Options::default()).expect("it stands");
        let last = solution.last().expect("states");
        let moved = last.q.iter().zip(&q).map(|(now, before)| (now - before).abs());
        assert!(moved.chain(last.v.iter().map(|v| v.abs())).all(|rest| rest < 1e-12), "{shift}: {last:?}");
        let forces = contact::forces(&system, &last, &SVector::from([])).expect("at rest").forces;
        // Each pair of vertices carries the weight of what is above it, and nothing pushes to a side.
        let weight = |k: usize| (5 - k) as f64 * 1.5 * G;
        assert!((0..5).all(|k| (forces[2 * k] + forces[2 * k + 1] - weight(k)).abs() < 1e-9), "{shift}: {forces:?}");
        assert!(forces[10..].iter().all(|force| force.abs() < 1e-9), "{shift}: {forces:?}");
    }
}

/// A box on a sledge. The sledge slides on ice.
#[lagrangian {
    coordinates x, y, a, u, v, b;
    let load   = box([x, y], [w, h], a, r);
    let sledge = box([u, v], [4*w, h], b, r);
    let ice    = plane([0, 0], [0, 1]);
    kinetic   = rigid_body_energy(m, m*(w^2 + h^2)/3, [x, y], a) + rigid_body_energy(n, n*(16*w^2 + h^2)/3, [u, v], b);
    potential = m*g*y + n*g*v;
    contact runner[i in 0..2]: distance(vertex(sledge, i), ice) >= 0;
    contact foot[i in 0..2]: distance(vertex(load, i), sledge) >= 0, friction = mu;
    contact lip[i in 2..4]: distance(vertex(sledge, i), load) >= 0, friction = mu;
}]
struct Sledge {
    m: f64,
    n: f64,
    g: f64,
    w: f64,
    h: f64,
    r: f64,
    mu: f64,
}

#[test]
fn a_box_on_a_sledge_takes_it_along() {
    let (m, n, mu, speed, w, h) = (1.2, 3.0, 0.35, 1.1, 0.15, 0.05);
    let system = Sledge { m, n, g: G, w, h, r: 0.004, mu }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [-0.3, 3.0 * h, 0.0, 0.0, h, 0.0], [speed, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    let motion = solve(&system, start, 1.0, &Dop853::new(), &options).expect("a motion");
    let sticks = motion.instants.last().expect("it comes to rest on the sledge").after;
    let time = speed / (mu * G * (1.0 + m / n));
    assert!((sticks.t - time).abs() < 1e-8, "{} {time}", sticks.t);
    let last = motion.last().expect("states");
    let common = m * speed / (m + n);
    assert!((last.v[0] - common).abs() < 1e-9 && (last.v[3] - common).abs() < 1e-9, "{last:?}");
    let slipped = last.q[0] - last.q[3] + 0.3;
    assert!((slipped - 0.5 * speed * time).abs() < 1e-8, "{slipped}");
    assert!([2, 5].iter().all(|&angle| last.q[angle].abs() < 1e-12), "{last:?}");
}

#[test]
fn a_box_tips_over_the_round_edge_of_another_if_its_middle_is_beyond_it() {
    let (w, h, r) = (0.15, 0.05, 0.004);
    let system = Sledge { m: 1.2, n: 1e9, g: G, w, h, r, mu: 0.9 }.prepare::<f64>().expect("valid");
    // The flat top of the sledge ends at x = 4 w − r. The centre of the box lies `beyond` further to the right.
    let from = |beyond: f64, end: f64| {
        let start = State::new(0.0, [4.0 * w - r + beyond, 3.0 * h, 0.0, 0.0, h, 0.0], [0.0; 6]);
        let options = Options { rtol: 1e-11.into(), atol: 1e-13.into(), ..Options::default() };
        solve(&system, start, end, &Dop853::new(), &options).expect("a motion").last().expect("states")
    };
    let stands = from(-0.001, 1.0);
    assert!(stands.q[2].abs() < 1e-9 && stands.v.amax() < 1e-9, "{stands:?}");
    for beyond in [0.001, 0.02] {
        let end = 1e-4;
        let tips = from(beyond, end);
        // The box begins to turn about the point of contact, `beyond` beside its centre and h below it. The roundness of the edge does not
        // matter before the box has moved.
        let rate = -G * beyond / ((w * w + h * h) / 3.0 + beyond * beyond + h * h);
        assert!((tips.v[2] / end / rate - 1.0).abs() < 1e-6, "{beyond}: {} {rate}", tips.v[2] / end);
    }
}

/// A rod that falls across a fixed brick, one of whose edges is on top.
#[lagrangian {
    coordinates p[3], a, b, c;
    let turned = rotation_z(c)*rotation_y(b)*rotation_x(a);
    let rod   = capsule(p - turned*[l, 0, 0], p + turned*[l, 0, 0], r, turned);
    let brick = box([0, 0, 0], [w, 2*l, w], rotation_y(pi/4));
    kinetic   = rigid_body_energy(m, [m*r^2, m*k^2, m*k^2], p, turned);
    potential = m*g*p[2];
    contact end[i in 0..2]: distance(vertex(rod, i), brick) >= 0, restitution = e;
    contact edge[i in 0..12]: distance(edge(brick, i), rod) >= 0, restitution = e;
}]
struct Across {
    m: f64,
    k: f64,
    g: f64,
    l: f64,
    r: f64,
    w: f64,
    e: f64,
}

#[test]
fn a_rod_falls_on_the_edge_of_a_brick() {
    let (m, k, l, r, w, e, fall, beside) = (0.4, 0.15, 0.3, 0.01, 0.1, 0.6, 0.2, 0.1);
    let system = Across { m, k, g: G, l, r, w, e }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [beside, 0.2, w * 2.0_f64.sqrt() + r + fall, 0.0, 0.0, 0.0], [0.0; 6]);
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
    let lands = (2.0 * fall / G).sqrt();
    let motion = solve(&system, start, lands + 1e-3, &Dop853::new(), &options).expect("a motion");
    let impacts: Vec<_> = motion.instants.iter().filter(|instant| matches!(instant.cause, Cause::Impact(_))).collect();
    let [impact] = impacts[..] else { panic!("{impacts:?}") };
    let impulse = (1.0 + e) * m * G * lands / (1.0 + beside * beside / (k * k));
    assert!((impact.after.t - lands).abs() < 1e-9 && (impact.impulse - impulse).abs() < 1e-9, "{impact:?}");
    assert!((impact.after.v[4] - beside * impulse / (m * k * k)).abs() < 1e-8, "{impact:?}");
}
