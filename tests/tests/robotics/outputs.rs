//! Derivatives of outputs against dual numbers and forms by hand.

use super::arm;
use lagrange_runtime::analysis::output_jacobian;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use lagrange_runtime::system::OutputRow;

fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{what}: {found} {expected}");
}

/// Compares all rows of a mechanism, except the biases, with derivatives of the outputs by dual numbers.
fn assert_rows<M: Mechanism<N, C, U>, const N: usize, const C: usize, const U: usize>(
    mechanism: &M,
    state: &State<f64, N>,
) -> Vec<OutputRow<f64, N, U>> {
    let (system, duals) = (mechanism.prepare::<f64>().unwrap(), mechanism.prepare::<Dual<f64, 1>>().unwrap());
    let u = system.default_inputs();
    let all: Vec<usize> = (0..system.output_names().len()).collect();
    let mut rows = vec![OutputRow::undefined(); all.len()];
    system.output_jacobian(state.t, &state.q, &state.v, &u, &all, &mut rows);
    let expected = output_jacobian(&duals, state, &u).unwrap();
    for (k, row) in rows.iter().enumerate() {
        let name = &expected.names[k];
        assert_close(row.value, expected.values[k], name);
        for i in 0..N {
            assert_close(row.q[i], expected.q[(k, i)], name);
            assert_close(row.v[i], expected.v[(k, i)], name);
        }
        (0..U).for_each(|i| assert_close(row.u[i], expected.u[(k, i)], name));
        assert_close(row.t, expected.t[k], name);
        assert_close(row.drift, row.q.dot(&state.v) + row.t, name);
    }
    rows
}

#[test]
fn rows_of_an_arm() {
    let rows = assert_rows(&arm(), &State::new(0.4, [0.3, -0.7, 1.1], [0.9, -1.4, 0.6]));
    let a = SVector::from([0.4, 2.0, -1.0]);
    for k in 0..3 {
        let (hand, speed) = (rows[k], rows[3 + k]);
        // ẏ of the hand is its speed, and ÿ is the rate of the speed.
        assert_close(hand.drift, speed.value, "drift");
        assert_close(hand.q.dot(&a) + hand.bias, speed.v.dot(&a) + speed.drift, "bias");
        assert_close(hand.q[1], speed.v[1], "J");
        assert!(speed.bias.is_nan());
    }
    assert!(rows[7].bias.is_nan());
}

#[test]
fn rows_are_those_of_the_wanted_outputs() {
    let system = arm().prepare::<f64>().unwrap();
    let (q, v, u) = (SVector::from([0.3, -0.7, 1.1]), SVector::from([0.9, -1.4, 0.6]), SVector::from([0.7]));
    let mut wanted = [OutputRow::undefined(); 4];
    let felt = system.output_index("felt").unwrap();
    system.output_jacobian(0.4, &q, &v, &u, &[felt, 2, 99], &mut wanted);
    let mut values = [0.0; 12];
    system.outputs(0.4, &q, &v, &u, &mut values);
    assert_close(wanted[0].value, values[felt], "felt");
    assert_close(wanted[1].value, values[2], "hand[2]");
    assert!(wanted[2].value.is_nan() && wanted[3].value.is_nan());
    assert_eq!(system.output_index("foot"), None);
}

fn bump<R: Scalar>(x: R) -> R {
    (x * x).sin() * x
}

fn bump_slope<R: Scalar>(x: R) -> R {
    (x * x).sin() + x * x * (x * x).cos() * R::from_f64(2.0)
}

/// A long chain, whose derivatives are not written out, with an output by a function of the user without a second derivative.
#[lagrangian {
    const n = 24;
    extern bump(x) = bump, d(x) = bump_slope;
    coordinates theta[n];
    let p[0] = l*[sin(theta[0]), -cos(theta[0])];
    let p[i in 1..n] = p[i - 1] + l*[sin(theta[i]), -cos(theta[i])];
    kinetic   = sum(i in 0..n, m*norm2(dot(p[i]))/2);
    potential = sum(i in 0..n, m*9.81*p[i][1]);
    output place[i in 0..n] = p[i]*sqrt(1 + p[i][0]^2)/hypot(1, p[i][1]);
    output bumped = bump(p[1][0]);
}]
struct Chain {
    m: f64,
    l: f64,
}

#[test]
fn rows_of_a_long_chain_come_from_dual_numbers() {
    let chain = Chain { m: 0.4, l: 0.3 };
    let state = State {
        t: 0.0,
        q: SVector::from_fn(|i, _| 0.2 + 0.1 * i as f64),
        v: SVector::from_fn(|i, _| 1.0 - 0.1 * i as f64),
    };
    let rows = assert_rows(&chain, &state);
    // The second derivative of sin(x²) x with x = l (sin θ₀ + sin θ₁), by hand.
    let angles = [0, 1].map(|i| (state.q[i], state.v[i]));
    let sum = |part: fn(f64, f64) -> f64| 0.3 * angles.iter().map(|&(q, v)| part(q, v)).sum::<f64>();
    let (x, rate, curve) = (sum(|q, _| q.sin()), sum(|q, v| q.cos() * v), sum(|q, v| -q.sin() * v * v));
    let square = x * x;
    let second = 6.0 * x * square.cos() - 4.0 * x * square * square.sin();
    assert_close(rows[48].bias, bump_slope(x) * curve + second * rate * rate, "bumped");
}

/// Multipliers and accelerations in outputs, beside a position.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*9.81*y;
    constraint rod: norm([x, y]) == l;
    output pulled = -multiplier(rod)*x;
    output angle = atan2(x, -y);
    output felt = dot(dot([x, y]));
}]
struct Pendulum {
    m: f64,
    l: f64,
}

#[test]
fn rows_of_forces_of_constraints() {
    let rows = assert_rows(&Pendulum { m: 2.0, l: 0.5 }, &State::new(0.0, [0.3, -0.4], [0.8, 0.6]));
    assert!(rows[0].bias.is_nan() && rows[1].bias.is_finite() && rows[2].bias.is_nan());
}

/// Outputs of each kind of function, beside a state, a mode, an input and the time.
#[lagrangian {
    coordinates x, y;
    state z: dot(z) == x - z;
    mode held = when x > 5 { 1 } when x < -5 { 0 };
    table height(x) = spline([-2, -1, 0, 1, 2], [0.3, 1.1, -0.7, 0.2, 0.9]);
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*y*held;
    force x = u;
    output branch = if x > y { x^2*y } else { sin(t*x) };
    output other = if x + y > 3 { x^2*y } else { sin(t*x)*y };
    output edge = abs(x - y) + max(x*y, 2)*min(x, y^2) + sign(y)*x;
    output clipped = max(-1, min(3*x, 2))*y + floor(7*y)*x;
    output profile = height(x)*height(y - 1);
    output area = integral(s in 0..x, sin(s*y)/(1 + s^2), nodes = 8);
    output kept = held*x + (1 - held)*x*y;
    output filtered = z*x + t*y;
    output driven = u*x*t;
    output speed = x*dot(y)^2 + dot(z);
    output pushed = dot(dot(x))*y;
}]
struct Mixed {
    m: f64,
    #[input]
    u: f64,
}

#[test]
fn rows_of_each_kind_of_function() {
    let mixed = Mixed { m: 1.3, u: 0.7 };
    for held in [0.0, 1.0] {
        for (x, y) in [(0.4, 1.3), (1.6, 0.45), (-0.7, 0.3), (-0.6, -1.2)] {
            let state = State::new(0.6, [x, y, 0.0, 0.0], [0.8, -1.1, 0.35, held]);
            let rows = assert_rows(&mixed, &state);
            // The bias by a difference of drifts along (v, a = 0): the drift is q-linear in v and differentiated once more.
            let system = mixed.prepare::<f64>().unwrap();
            let step = 1e-5;
            let moved = |sign: f64| {
                let mut next = state;
                next.t += sign * step;
                for i in 0..2 {
                    next.q[i] += sign * step * state.v[i];
                }
                let all: Vec<usize> = (0..11).collect();
                let mut rows = vec![OutputRow::undefined(); 11];
                system.output_jacobian(next.t, &next.q, &next.v, &system.default_inputs(), &all, &mut rows);
                rows
            };
            let (before, after) = (moved(-1.0), moved(1.0));
            for (k, row) in rows.iter().enumerate().filter(|(_, row)| !row.bias.is_nan()) {
                let expected = (after[k].drift - before[k].drift) / (2.0 * step);
                assert!((row.bias - expected).abs() < 1e-7 * expected.abs().max(1.0), "{k}: {} {expected}", row.bias);
            }
            assert!(rows[..6].iter().all(|row| row.bias.is_finite()));
        }
    }
}
