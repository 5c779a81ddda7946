//! Natural coordinates: bodies are described by the positions of their points and by unit vectors, and constraints keep
//! their shape. The accelerations are compared with those of rigid bodies by Newton's and Euler's equations, and with
//! those of pendulums in angles.

use super::{State, assert_close, derive, derived, solve};

const ITEM: &str = "struct Body { m: f64, l: f64, g: f64 }";

type Vector = [f64; 3];

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn combine(a: Vector, factor: f64, b: Vector) -> Vector {
    [0, 1, 2].map(|k| a[k] + factor * b[k])
}

fn inner(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The accelerations of equal masses that move as one body with angular velocity ω and gravity g along −z.
fn rigid(points: &[Vector], spin: Vector, gravity: f64) -> Vec<f64> {
    let count = points.len() as f64;
    let center = points.iter().fold([0.0; 3], |sum, point| combine(sum, 1.0 / count, *point));
    let arms: Vec<Vector> = points.iter().map(|point| combine(*point, -1.0, center)).collect();
    // I ω̇ = −ω × I ω, for a unit mass at each point.
    let mut rows = vec![vec![0.0; 4]; 3];
    let mut momentum = [0.0; 3];
    for arm in &arms {
        momentum = combine(momentum, 1.0, cross(*arm, cross(spin, *arm)));
        for i in 0..3 {
            for j in 0..3 {
                rows[i][j] += if i == j { inner(*arm, *arm) } else { 0.0 } - arm[i] * arm[j];
            }
        }
    }
    let torque = cross(momentum, spin);
    rows.iter_mut().zip(torque).for_each(|(row, torque)| row[3] = torque);
    let turn = solve(rows);
    let acceleration = |arm: &Vector| {
        let swing = cross([turn[0], turn[1], turn[2]], *arm);
        combine(combine(swing, 1.0, cross(spin, cross(spin, *arm))), -gravity, [0.0, 0.0, 1.0])
    };
    arms.iter().flat_map(acceleration).collect()
}

/// A state of points that move as one body.
fn turning(points: &[Vector], spin: Vector) -> State {
    let drift = [0.3, -0.2, 0.5];
    State {
        t: 0.0,
        q: points.concat(),
        v: points.iter().flat_map(|point| combine(drift, 1.0, cross(spin, *point))).collect(),
        parameters: vec![1.3, 0.8, 9.81],
    }
}

const POINTS: [Vector; 5] = [[0.1, 0.2, -0.1], [1.1, -0.1, 0.2], [0.3, 0.9, 0.4], [0.2, -0.3, 1.2], [-0.8, 0.4, 0.3]];
const SPIN: Vector = [0.7, -1.1, 0.4];

/// Masses with gravity, and a constant distance for each pair, written in one of two ways.
fn frame(points: usize, pairs: &[(usize, usize)], by_norm: bool) -> String {
    let mut block = format!(
        "coordinates r[{points}][3];
         kinetic = sum(i in 0..{points}, m*norm2(dot(r[i]))/2);
         potential = sum(i in 0..{points}, m*g*r[i][2]);"
    );
    for (a, b) in pairs {
        block += &match by_norm {
            true => format!("constraint edge{a}{b}: norm(r[{a}] - r[{b}]) == l;"),
            false => format!("constraint edge{a}{b}: norm2(r[{a}] - r[{b}]) == l^2;"),
        };
    }
    block
}

fn all_pairs(points: usize) -> Vec<(usize, usize)> {
    (0..points).flat_map(|b| (0..b).map(move |a| (a, b))).collect()
}

#[test]
fn rigid_triangles_and_tetrahedra_move_as_bodies() {
    for points in [3, 4] {
        for by_norm in [false, true] {
            let derivation = derived(&frame(points, &all_pairs(points), by_norm), ITEM);
            let state = turning(&POINTS[..points], SPIN);
            let expected = rigid(&POINTS[..points], SPIN, 9.81);
            assert_close(&state.motion(&derivation).0, &expected, &format!("{points} points"));
        }
    }
}

#[test]
fn five_points_need_nine_distances() {
    let mut pairs = all_pairs(5);
    let message = derive(&frame(5, &pairs, false), ITEM).expect_err("of ten distances, one follows from the others");
    assert!(message.contains("not independent"), "{message}");
    for left_out in [0, 4, 9] {
        let mut nine = pairs.clone();
        nine.remove(left_out);
        let derivation = derived(&frame(5, &nine, false), ITEM);
        let state = turning(&POINTS, SPIN);
        assert_close(&state.motion(&derivation).0, &rigid(&POINTS, SPIN, 9.81), "five points");
    }
    // A chain of tetrahedra, first on a common triangle, then on a common edge. Each adds its own distances.
    pairs.retain(|pair| *pair != (3, 4));
    assert!(derive(&frame(5, &pairs, true), ITEM).is_ok());
}

#[test]
fn frames_of_every_size_are_accepted() {
    // Henneberg's construction: three distances to earlier points determine each new point.
    for points in 3..=7 {
        let mut pairs = all_pairs(3);
        for new in 3..points {
            pairs.extend((new - 3..new).map(|old| (old, new)));
        }
        for by_norm in [false, true] {
            assert!(derive(&frame(points, &pairs, by_norm), ITEM).is_ok(), "{points} points");
        }
        // One more distance than 3 n − 6 cannot be independent.
        if points > 4 {
            pairs.push((0, points - 1));
            assert!(derive(&frame(points, &pairs, false), ITEM).is_err(), "{points} points");
        }
    }
}

/// A body described by the position of its centre and three unit vectors: T = m ṙ²/2 + Σ Jₖ ėₖ²/2.
const BODY: &str = "
    constraint unit[k in 0..3]: norm2(e[k]) == 1;
    constraint right0: inner(e[0], e[1]) == 0;
    constraint right1: inner(e[1], e[2]) == 0;
    constraint right2: inner(e[2], e[0]) == 0;";

#[test]
fn a_body_of_unit_vectors_obeys_euler() {
    let block = format!(
        "coordinates r[3], e[3][3];
         kinetic = m*norm2(dot(r))/2 + j1*norm2(dot(e[0]))/2 + j2*norm2(dot(e[1]))/2 + j3*norm2(dot(e[2]))/2;
         potential = m*g*r[2]; {BODY}"
    );
    let derivation = derived(&block, "struct Body { m: f64, g: f64, j1: f64, j2: f64, j3: f64 }");
    let moments = [0.9, 0.4, 0.2];
    // An orthonormal frame, and the angular velocity in it.
    let axes: [Vector; 3] =
        [[2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0], [-2.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0], [1.0 / 3.0, -2.0 / 3.0, 2.0 / 3.0]];
    let inertia = [moments[1] + moments[2], moments[2] + moments[0], moments[0] + moments[1]];
    let body: Vector = [0.7, -1.3, 0.5];
    let momentum = [0, 1, 2].map(|k| inertia[k] * body[k]);
    let torque = cross(momentum, body);
    let turn = [0, 1, 2].map(|k| torque[k] / inertia[k]);
    let in_space = |vector: Vector| {
        let parts = (0..3).map(|k| axes[k].map(|entry| vector[k] * entry));
        parts.fold([0.0; 3], |sum, part| combine(sum, 1.0, part))
    };
    let (spin, turn) = (in_space(body), in_space(turn));
    let mut state = State {
        q: [&[0.1, 0.2, 0.3][..], &axes.concat()].concat(),
        v: vec![0.5, 0.1, -0.2],
        parameters: [&[1.5, 9.81][..], &moments].concat(),
        ..State::default()
    };
    state.v.extend(axes.iter().flat_map(|axis| cross(spin, *axis)));
    let mut expected = vec![0.0, 0.0, -9.81];
    expected.extend(axes.iter().flat_map(|axis| combine(cross(turn, *axis), 1.0, cross(spin, cross(spin, *axis)))));
    assert_close(&state.motion(&derivation).0, &expected, "a free body");
}

/// θ̈ of masses on a chain of rods of unit length: Σ (n − max(i, j)) (cos(θᵢ − θⱼ) θ̈ⱼ + sin(θᵢ − θⱼ) θ̇ⱼ²) = −(n − i)
/// g sin θᵢ.
fn chain_in_angles(angles: &[f64], rates: &[f64], gravity: f64) -> Vec<f64> {
    let n = angles.len();
    let weight = |i: usize, j: usize| (n - i.max(j)) as f64;
    let rows = (0..n).map(|i| {
        let mut row: Vec<f64> = (0..n).map(|j| weight(i, j) * (angles[i] - angles[j]).cos()).collect();
        let pull: f64 = (0..n).map(|j| weight(i, j) * (angles[i] - angles[j]).sin() * rates[j].powi(2)).sum();
        row.push(-pull - weight(i, i) * gravity * angles[i].sin());
        row
    });
    solve(rows.collect())
}

#[test]
fn chains_of_points_swing_as_pendulums() {
    for n in [1, 2, 4, 6] {
        let block = format!(
            "coordinates r[{n}][2];
             kinetic = sum(i in 0..{n}, m*norm2(dot(r[i]))/2);
             potential = sum(i in 0..{n}, m*g*r[i][1]);
             constraint rod0: norm(r[0]) == l;
             constraint rod[i in 1..{n}]: norm(r[i] - r[i - 1]) == l;"
        );
        let block =
            if n == 1 { block.replace("constraint rod[i in 1..1]: norm(r[i] - r[i - 1]) == l;", "") } else { block };
        let derivation = derived(&block, ITEM);
        let angles: Vec<f64> = (0..n).map(|i| 0.4 + 0.7 * i as f64).collect();
        let rates: Vec<f64> = (0..n).map(|i| 1.0 - 0.6 * i as f64).collect();
        let turns = chain_in_angles(&angles, &rates, 9.81);
        let mut state = State { parameters: vec![1.3, 1.0, 9.81], ..State::default() };
        let (mut q, mut v, mut a) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let mut expected = Vec::new();
        for i in 0..n {
            let (s, c) = angles[i].sin_cos();
            let square = rates[i].powi(2);
            q = [q[0] + s, q[1] - c];
            v = [v[0] + c * rates[i], v[1] + s * rates[i]];
            a = [a[0] + c * turns[i] - s * square, a[1] + s * turns[i] + c * square];
            state.q.extend(q);
            state.v.extend(v);
            expected.extend(a);
        }
        assert_close(&state.motion(&derivation).0, &expected, &format!("{n} points"));
    }
}

#[test]
fn a_closed_loop_swings_as_one_pendulum() {
    // A parallelogram: both points move as l (sin θ, −cos θ), θ̈ = −g/l sin θ.
    let block = "coordinates a[2], b[2];
        let d = [2, 0];
        kinetic = m*(norm2(dot(a)) + norm2(dot(b)))/2;
        potential = m*g*(a[1] + b[1]);
        constraint crank: norm2(a) == l^2;
        constraint coupler: norm2(b - a) == norm2(d);
        constraint rocker: norm2(b - d) == l^2;";
    let derivation = derived(block, ITEM);
    let (theta, rate, l, g): (f64, f64, f64, f64) = (0.6, 1.7, 0.8, 9.81);
    let (s, c) = theta.sin_cos();
    let turn = -g / l * s;
    let point = [l * s, -l * c];
    let speed = [l * c * rate, l * s * rate];
    let change = [l * (c * turn - s * rate * rate), l * (s * turn + c * rate * rate)];
    let state = State {
        q: vec![point[0], point[1], point[0] + 2.0, point[1]],
        v: [speed, speed].concat(),
        parameters: vec![1.3, l, g],
        ..State::default()
    };
    assert_close(&state.motion(&derivation).0, &[change, change].concat(), "the parallelogram");
}

/// Bodies of unit vectors in a chain of ball joints, open and closed to a ring. Without outer forces, momentum and
/// angular momentum are constant.
#[test]
fn chains_and_rings_of_bodies_keep_their_momenta() {
    for (bodies, closed) in [(2, false), (3, false), (4, true)] {
        let n = bodies;
        let mut block = format!(
            "coordinates r[{n}][3], e[{n}][3][3];
             kinetic = sum(i in 0..{n}, m*norm2(dot(r[i]))/2 + l*norm2(dot(e[i][0]))/2 + l*norm2(dot(e[i][1]))/3
                     + l*norm2(dot(e[i][2]))/5);
             constraint unit[i in 0..{n}][k in 0..3]: norm2(e[i][k]) == 1;
             constraint right0[i in 0..{n}]: inner(e[i][0], e[i][1]) == 0;
             constraint right1[i in 0..{n}]: inner(e[i][1], e[i][2]) == 0;
             constraint right2[i in 0..{n}]: inner(e[i][2], e[i][0]) == 0;
             constraint joint[i in 1..{n}]: r[i - 1] + e[i - 1][0]/2 == r[i] - e[i][0]/2;"
        );
        if closed {
            block += &format!("constraint last: r[{last}] + e[{last}][0]/2 == r[0] - e[0][0]/2;", last = n - 1);
        }
        let derivation = derived(&block, ITEM);
        // A zigzag, or a square, that rotates as one body. Its state satisfies every joint.
        let spin = [0.3, 0.8, -0.5];
        let (mut points, mut frames) = (Vec::new(), Vec::new());
        let mut end = [0.0; 3];
        for i in 0..n {
            let angle: f64 = if closed { i as f64 * std::f64::consts::FRAC_PI_2 } else { 0.7 * i as f64 };
            let (s, c) = angle.sin_cos();
            let axes = [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]];
            points.push(combine(end, 0.5, axes[0]));
            end = combine(end, 1.0, axes[0]);
            frames.extend(axes);
        }
        let velocities =
            |vectors: &[Vector]| vectors.iter().flat_map(|vector| cross(spin, *vector)).collect::<Vec<_>>();
        let state = State {
            q: [points.concat(), frames.concat()].concat(),
            v: [velocities(&points), velocities(&frames)].concat(),
            parameters: vec![1.3, 0.8, 9.81],
            ..State::default()
        };
        let (a, _) = state.motion(&derivation);
        let (mut force, mut torque) = ([0.0; 3], [0.0; 3]);
        for (i, a) in a.chunks(3).enumerate() {
            let (mass, position) = match i.checked_sub(n) {
                None => (1.3, points[i]),
                Some(axis) => (0.8 * [1.0, 2.0 / 3.0, 0.4][axis % 3], frames[axis]),
            };
            let a = [a[0], a[1], a[2]];
            torque = combine(torque, mass, cross(position, a));
            if i < n {
                force = combine(force, mass, a);
            }
        }
        assert_close(&[force, torque].concat(), &[0.0; 6], &format!("{n} bodies"));
    }
}
