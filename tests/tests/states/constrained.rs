//! States beside constraints: a pendulum in Cartesian coordinates against the same pendulum by its angle.

use lagrange_runtime::prelude::*;

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y - a*warmth*x;
    constraint rod: norm([x, y]) == l;
    state warmth: dot(warmth) == c*(dot(x)^2 + dot(y)^2) - loss*warmth;
    force [x, y] = -c*[dot(x), dot(y)];
}]
#[derive(Clone, Debug)]
struct Cartesian {
    m: f64,
    g: f64,
    l: f64,
    a: f64,
    c: f64,
    loss: f64,
}

#[lagrangian {
    coordinates theta;
    let tip = l*[sin(theta), -cos(theta)];
    kinetic = m*norm2(dot(tip))/2;
    potential = m*g*tip[1] - a*warmth*tip[0];
    state warmth: dot(warmth) == c*norm2(dot(tip)) - loss*warmth;
    force tip = -c*dot(tip);
}]
#[derive(Clone, Debug)]
struct Polar {
    m: f64,
    g: f64,
    l: f64,
    a: f64,
    c: f64,
    loss: f64,
}

const ANGLE: f64 = 0.9;
const WARMTH: f64 = 1.5;

/// x, y and the temperature at the end.
fn exact() -> [f64; 3] {
    let system = Polar { m: 1.1, g: 9.8, l: 0.8, a: 2.0, c: 0.3, loss: 0.4 }.prepare::<f64>().expect("positive");
    let options = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
    let start = State::new(0.0, [ANGLE, 0.0], [0.0, WARMTH]);
    let end = solve(&system, start, 2.0, &Dop853::new(), &options).expect("it is smooth").last().expect("an end");
    [0.8 * end.q[0].sin(), -0.8 * end.q[0].cos(), end.v[1]]
}

fn check<M: Method<f64, 3, 1>>(method: &M, error: f64) {
    let system = Cartesian { m: 1.1, g: 9.8, l: 0.8, a: 2.0, c: 0.3, loss: 0.4 }.prepare::<f64>().expect("positive");
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    let start = State::new(0.0, [0.8 * ANGLE.sin(), -0.8 * ANGLE.cos(), 1e5], [0.0, 0.0, WARMTH]);
    let end = solve(&system, start, 2.0, method, &options).expect("it is smooth").last().expect("an end");
    let missed = [end.q[0], end.q[1], end.v[2]].iter().zip(exact()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(missed < error, "{missed:e}");
}

#[test]
fn constrained_methods_carry_states() {
    check(&Projected::new(Dop853::new()), 1e-8);
    check(&Projected::new(Rk4::new(1e-3)), 1e-8);
    // Under constraints the order is 2.
    check(&Gauss::<f64, 3>::new(1e-3), 1e-4);
    check(&Rattle::new(1e-3), 1e-4);
    check(&VariationalMidpoint::new(1e-3), 1e-4);
    check(&Impulses::new(Gauss::<f64, 2>::new(1e-3)), 1e-4);
}

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint rod: norm([x, y]) == l;
    state clock: dot(clock) == 0*m;
}]
#[derive(Clone, Debug)]
struct Apart {
    m: f64,
    g: f64,
    l: f64,
}

#[test]
fn the_drift_of_constraints_is_not_measured_by_the_size_of_a_state() {
    let system = Apart { m: 1.0, g: 9.8, l: 1.0 }.prepare::<f64>().expect("positive");
    let residuals = |clock: f64| {
        let start = State::new(0.0, [1.0, 0.0, clock], [0.0, 0.0, clock]);
        let solution = solve(&system, start, 5.0, &Rk4::new(0.05), &Options::default()).expect("it is smooth");
        solution.statistics.residuals
    };
    let (small, large) = (residuals(0.0), residuals(1e9));
    assert!(small.velocity > 1e-9, "{small:?}");
    assert_eq!(small, large);
}
