//! A change of units changes a derivative by the units alone.

use super::differences::all_variables;
use lagrange_runtime::analysis::{Variable, sensitivities};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;

/// A pendulum on a cart with a spring that begins at a place, and a force that jumps there.
#[lagrangian {
    coordinates x, th;
    kinetic = m*dot(x)^2/2 + n*(dot(x)^2 + l^2*dot(th)^2 + 2*l*dot(x)*dot(th)*cos(th))/2;
    potential = k*x^2/2 - n*g*l*cos(th);
    dissipation = c*dot(x)^2/2;
    force x = if x > edge { push } else { 0 };
}]
#[derive(Clone, Debug)]
struct Cart {
    m: f64,
    n: f64,
    l: f64,
    g: f64,
    k: f64,
    c: f64,
    edge: f64,
    push: f64,
}

/// The units of mass, length and time in each parameter.
const UNITS: [[i32; 3]; 8] =
    [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, -2], [1, 0, -2], [1, 0, -1], [0, 1, 0], [1, 1, -2]];

fn unit(of: [i32; 3], [mass, length, time]: [f64; 3]) -> f64 {
    mass.powi(of[0]) * length.powi(of[1]) * time.powi(of[2])
}

/// The derivatives at the end in these units, brought back to units of 1: rows are (q, v), columns all variables.
fn derivatives(start: [f64; 4], units: [f64; 3]) -> Vec<f64> {
    let [mass, length, time] = units;
    let [m, n, l, g, k, c, edge, push] =
        core::array::from_fn(|i| [1.0, 0.6, 0.8, 9.0, 4.0, 0.1, 0.11, -0.7][i] * unit(UNITS[i], units));
    let cart = Cart { m, n, l, g, k, c, edge, push };
    let [x, th, vx, vth] = start;
    let start = State::new(0.0, [x * length, th], [vx * length / time, vth / time]);
    let state = [length, 1.0, length / time, 1.0 / time];
    let tolerance = |size: f64| Dual::<f64, 12>::constant(1e-11 * size);
    let atol = Tolerance::Each {
        q: SVector::from([tolerance(state[0]), tolerance(state[1])]),
        v: SVector::from([tolerance(state[2]), tolerance(state[3])]),
    };
    let options = Options { rtol: tolerance(1.0).into(), atol, ..Options::default() };
    let variables = all_variables(&cart);
    let found = sensitivities(&cart, &start, &[2.0 * time], &Dop853::new().with_width(), &options, &variables);
    let found = found.unwrap_or_else(|error| panic!("mass {mass:e}, length {length:e}, time {time:e}: {error}"));
    let mut all = Vec::new();
    for (column, variable) in variables.iter().enumerate() {
        let own = match *variable {
            Variable::Coordinate(i) => state[i],
            Variable::Velocity(i) => state[2 + i],
            Variable::Parameter(i) => unit(UNITS[i], units),
            _ => unreachable!("there are no others"),
        };
        all.extend((0..4).map(|row| found.derivatives[0][(row, column)] * own / state[row]));
    }
    all
}

/// In motion over a switch, and at rest, where only the derivatives by the state and by the force differ from 0.
#[test]
fn derivatives_transform_with_the_units() {
    for start in [[0.3, 0.5, -0.2, 0.4], [0.0; 4]] {
        let expected = derivatives(start, [1.0; 3]);
        let largest = expected.iter().fold(0.0_f64, |largest, each| largest.max(each.abs()));
        assert!(largest > 0.5);
        for units in [[1e12, 1.0, 1.0], [1e-12, 1e-12, 1.0], [1.0, 1e12, 1e-6], [1.0, 1.0, 1e12], [1e6, 1e-12, 1e-12]] {
            for (found, expected) in derivatives(start, units).into_iter().zip(&expected) {
                assert!((found - expected).abs() <= 1e-8 * largest, "{start:?}, {units:?}: {found} {expected}");
            }
        }
    }
}
