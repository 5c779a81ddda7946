//! Tables: numbers at equal and at other distances, parameters for values, parameters for knots. All against the
//! interpolation formula with second derivatives from a dense solve, and against dual numbers through the parameters.

use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::{DoubleDouble, Dual, Lanes};
use lagrange_runtime::system::Acceleration;

const KNOTS: [f64; 6] = [-1.0, 0.5, 1.0, 1.2, 3.0, 4.5];
const EVEN: [f64; 6] = [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25];
const VALUES: [f64; 6] = [0.3, 1.1, -0.7, 0.2, 0.9, -2.0];

#[lagrangian {
    coordinates x;
    table f(x) = spline([-1, -0.75, -0.5, -0.25, 0, 0.25], [0.3, 1.1, -0.7, 0.2, 0.9, -2]);
    kinetic = m*dot(x)^2/2;
    potential = f(x);
    output value = f(x);
    output slope = dot(f(x));
}]
#[derive(Clone, Debug)]
struct Even {
    m: f64,
}

#[lagrangian {
    coordinates x;
    table f(x) = spline([-1, 0.5, 1, 1.2, 3, 4.5], [0.3, 1.1, -0.7, 0.2, 0.9, -2]);
    kinetic = m*dot(x)^2/2;
    potential = f(x);
    output value = f(x);
    output slope = dot(f(x));
}]
#[derive(Clone, Debug)]
struct Uneven {
    m: f64,
}

#[lagrangian {
    coordinates x;
    table f(x) = spline([-1, 0.5, 1, 1.2, 3, 4.5], y);
    kinetic = m*dot(x)^2/2;
    potential = f(x);
    output value = f(x);
    output slope = dot(f(x));
}]
#[derive(Clone, Debug)]
struct Values {
    m: f64,
    y: [f64; 6],
}

#[lagrangian {
    coordinates x;
    table f(x) = spline(at, y);
    kinetic = m*dot(x)^2/2;
    potential = f(x);
    output value = f(x);
    output slope = dot(f(x));
}]
#[derive(Clone, Debug)]
struct Everything {
    m: f64,
    at: [f64; 6],
    y: [f64; 6],
}

/// The spline's value and its first two derivatives; y″ at the knots from a dense solve.
fn spline(knots: &[f64; 6], values: &[f64; 6], x: f64) -> [f64; 3] {
    let h = |i: usize| knots[i + 1] - knots[i];
    let secant = |i: usize| (values[i + 1] - values[i]) / h(i);
    let (mut matrix, mut right) = (SMatrix::<f64, 6, 6>::identity(), SVector::<f64, 6>::zeros());
    for i in 1..5 {
        matrix[(i, i - 1)] = h(i - 1);
        matrix[(i, i)] = 2.0 * (h(i - 1) + h(i));
        matrix[(i, i + 1)] = h(i);
        right[i] = 6.0 * (secant(i) - secant(i - 1));
    }
    let m = matrix.full_piv_lu().solve(&right).expect("the rows are diagonally dominant");
    let end = |i: usize, sagitta: f64, left: usize| {
        let slope = secant(left) + sagitta;
        [values[i] + slope * (x - knots[i]), slope, 0.0]
    };
    if x < knots[0] {
        return end(0, -h(0) * m[1] / 6.0, 0);
    }
    if x >= knots[5] {
        return end(5, h(4) * m[4] / 6.0, 4);
    }
    let i = (0..5).rev().find(|&i| x >= knots[i]).expect("x is within the table");
    let (h, b) = (h(i), (x - knots[i]) / h(i));
    let a = 1.0 - b;
    let cubic = ((a * a * a - a) * m[i] + (b * b * b - b) * m[i + 1]) * h * h / 6.0;
    let bend = ((1.0 - 3.0 * a * a) * m[i] + (3.0 * b * b - 1.0) * m[i + 1]) * h / 6.0;
    [a * values[i] + b * values[i + 1] + cubic, secant(i) + bend, a * m[i] + b * m[i + 1]]
}

/// Places on every piece, at every knot and beyond both ends.
fn places(knots: &[f64; 6]) -> Vec<f64> {
    let mut places = vec![knots[0] - 2.0, knots[0] - 1e-9, knots[5] + 1e-9, knots[5] + 3.0];
    places.extend(knots);
    places.extend(knots.windows(2).flat_map(|pair| [0.01, 0.3, 0.77].map(|part| pair[0] + part * (pair[1] - pair[0]))));
    places
}

fn assert_spline<M: Mechanism<1, 0, 0>>(mechanism: &M, knots: &[f64; 6]) {
    let none = SVector::from([]);
    let system = mechanism.prepare::<f64>().unwrap();
    let wide = mechanism.prepare::<DoubleDouble>().unwrap();
    let lanes = mechanism.prepare::<Lanes<f64, 4>>().unwrap();
    let parameters: Vec<f64> = M::PARAMETERS.iter().map(|name| mechanism.parameter(name).unwrap()).collect();
    let mass = parameters[0];
    for x in places(knots) {
        let expected = spline(knots, &VALUES, x);
        let close = |found: f64, k: usize| (found - expected[k]).abs() < 1e-12 * expected[k].abs().max(1.0);
        let (q, v) = (SVector::from([x]), SVector::from([1.5]));
        let mut outputs = [0.0; 2];
        system.outputs(0.0, &q, &v, &none, &mut outputs);
        assert!(close(outputs[0], 0) && close(outputs[1] / 1.5, 1), "{x}: {outputs:?}, not {expected:?}");
        let jacobian = system.acceleration_jacobian(0.0, &q, &v, &none).unwrap();
        assert!(close(-mass * jacobian.acceleration[0], 1), "{x}");
        assert!(close(-mass * jacobian.acceleration_q[(0, 0)], 2) || knots.contains(&x), "{x}: {jacobian:?}");

        let lift = |x: f64| DoubleDouble::from_f64(x);
        let found = wide.acceleration(lift(0.0), &q.map(lift), &v.map(lift), &SVector::from([])).unwrap();
        assert!(close(-mass * found.acceleration[0].to_f64(), 1), "{x} in two doubles");
        // Four lanes on different pieces.
        let several = SVector::from([Lanes([x, knots[0] - 1.0, knots[2], knots[5] + 1.0])]);
        let found =
            lanes.acceleration(Lanes([0.0; 4]), &several, &v.map(Scalar::from_f64), &SVector::from([])).unwrap();
        for (place, found) in several[0].0.iter().zip(found.acceleration[0].0) {
            assert!((-mass * found - spline(knots, &VALUES, *place)[1]).abs() < 1e-11, "{place} in a lane");
        }

        let empty = Acceleration { acceleration: SVector::<f64, 1>::zeros(), multipliers: SVector::from([]) };
        let mut columns = [empty; 13];
        system.acceleration_parameters(0.0, &q, &v, &none, &mut columns).unwrap();
        for k in (0..parameters.len()).filter(|_| !knots.contains(&x)) {
            let varied: Vec<Dual<f64, 1>> = parameters
                .iter()
                .enumerate()
                .map(|(i, &value)| if i == k { Dual::variable(value, 0) } else { Dual::constant(value) })
                .collect();
            let varied = M::prepare_from(&varied, &SVector::from([])).unwrap();
            let (q, v) = (q.map(Dual::constant), v.map(Dual::constant));
            let found = varied.acceleration(Dual::constant(0.0), &q, &v, &SVector::from([])).unwrap().acceleration[0];
            let (slope, column) = (found.derivatives[0], columns[k].acceleration[0]);
            assert!((slope - column).abs() < 1e-11 * slope.abs().max(1.0), "{x} by {}", M::PARAMETERS[k]);
        }
    }
}

#[test]
fn splines_interpolate() {
    assert_spline(&Even { m: 2.0 }, &EVEN);
    assert_spline(&Uneven { m: 2.0 }, &KNOTS);
    assert_spline(&Values { m: 2.0, y: VALUES }, &KNOTS);
    assert_spline(&Everything { m: 2.0, at: KNOTS, y: VALUES }, &KNOTS);
}

/// One switching function changes its sign at each knot, and nowhere else.
#[test]
fn the_switch_of_a_table_changes_sign_at_its_knots() {
    fn assert_switch<M: Mechanism<1, 0, 0>>(mechanism: &M, knots: &[f64; 6]) {
        let system = mechanism.prepare::<f64>().unwrap();
        assert_eq!(system.switch_count(), 1);
        for x in places(knots).into_iter().filter(|x| !knots.contains(x)) {
            let mut switch = [0.0];
            system.switches(0.0, &SVector::from([x]), &SVector::from([0.0]), &SVector::from([]), &mut switch);
            let before = knots.iter().filter(|&&knot| knot < x).count();
            assert_eq!(switch[0] > 0.0, before % 2 == 1, "{x}: {switch:?}");
        }
    }
    assert_switch(&Even { m: 2.0 }, &EVEN);
    assert_switch(&Uneven { m: 2.0 }, &KNOTS);
    assert_switch(&Everything { m: 2.0, at: KNOTS, y: VALUES }, &KNOTS);
}
