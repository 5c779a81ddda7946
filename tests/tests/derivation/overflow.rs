//! Derivatives of functions whose parts overflow while their values are finite, over the whole range of doubles.

use super::interpret::{Arguments, Interpreter};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::{Dual, Lanes, Scalar};
use lagrange_runtime::system::Linearise;
use lagrange_symbolic::program::{Evaluations, Part};
use lagrange_symbolic::{derivation, parse};

/// Where the functions are evaluated.
const POINTS: [f64; 16] =
    [-3000.0, -800.0, -720.0, -700.0, -300.0, -30.0, -1.0, 0.0, 0.5, 3.0, 40.0, 350.0, 709.0, 711.0, 746.0, 2000.0];

/// Functions whose derived slope has no form that never overflows. Where it does, it is not finite, which is an error; it is never wrong.
const WITHOUT_FORM: [&str; 4] =
    ["exp(-exp(u))*exp(-exp(-u))", "1/(1 + exp(u) + exp(-2*u))", "tanh(exp(u))", "u/(1 + exp(u))*exp(-u/(1 + u^2))"];

/// Each function with its values and derivatives at the points.
fn table() -> Vec<(&'static str, Vec<[f64; 2]>)> {
    let number = |text: &str| text.parse().expect("a number");
    let pair = |text: &str| {
        let (value, slope) = text.trim().split_once(' ').expect("a value and a derivative");
        [number(value), number(slope)]
    };
    let lines = include_str!("overflow.txt").lines().skip(1);
    lines
        .map(|line| line.split_once("; ").expect("a function"))
        .map(|(f, row)| (f, row.split(',').map(pair).collect()))
        .collect()
}

/// The functions of the table in any scalar, in its order.
fn functions<R: Real>() -> [fn(R) -> R; 17] {
    [
        |u: R| (R::ONE + (-u).exp()).recip(),
        |u| R::from_f64(2.0) / (R::ONE + u.exp()) - R::ONE,
        |u| (R::ONE + R::from_f64(3.0) * (R::from_f64(2.0) * u).exp()).powi(-2),
        |u| u.cosh().recip(),
        |u| u.cosh().powi(-2),
        |u| R::ONE / (R::from_f64(2.0) + u.cosh()),
        |u| R::ONE / (R::from_f64(4.0) + u.sinh().powi(2)),
        |u| (-u.exp()).exp(),
        |u| (-u.cosh()).exp(),
        |u| (-u.exp()).exp() * (-(-u).exp()).exp(),
        |u| R::ONE / (R::ONE + u.exp() + (-(u + u)).exp()),
        |u| u.exp().tanh(),
        |u| u.exp().atan(),
        |u| (R::ONE + u.exp()).sqrt().recip(),
        |u| u.tanh(),
        |u| (-(u * u)).exp(),
        |u| u / (R::ONE + u.exp()) * (-u / (R::ONE + u * u)).exp(),
    ]
}

/// Whether a derivative is exact, up to rounding of the largest one of its function.
fn is_near(found: f64, expected: f64, row: &[[f64; 2]]) -> bool {
    let largest = row.iter().fold(0.0_f64, |largest, [_, slope]| largest.max(slope.abs()));
    (found - expected).abs() <= 1e-10 * expected.abs() + 1e-14 * largest
}

#[test]
fn derived_jacobians_do_not_overflow() {
    let item = "struct Mechanism { m: f64, w: f64 }";
    let mut wrong: Vec<String> = Vec::new();
    for (function, row) in &table() {
        let block = format!("coordinates x; kinetic = m*dot(x)^2/2; let u = dot(x)/w; force x = m*({function});");
        let spec = parse::parse(block.parse().unwrap(), item.parse().unwrap()).unwrap();
        let derived = derivation(&spec).unwrap();
        let mut model = derived.model;
        let evaluations = Evaluations::new(&mut model.graph, &derived.equations);
        let routine = evaluations.acceleration_jacobian.as_ref().expect("a small mechanism");
        // A power of two, so that u is exact.
        let w = 0.5_f64.powi(7);
        for (u, [value, slope]) in POINTS.iter().zip(row) {
            let arguments = Arguments {
                t: 0.0,
                q: &[0.3],
                v: &[u * w],
                u: &[],
                parameters: &[2.0, w],
                further: &[],
                multipliers: &[],
            };
            let outputs = Interpreter::new(&evaluations, &arguments).run(routine, &arguments);
            let part = |part| outputs[routine.layout.range(part)][0].number();
            let (a, by_v) = (part(Part::Acceleration), part(Part::ByV) * w);
            assert!((a - value).abs() <= 1e-12 * value.abs() + 1e-15, "{function} at {u}: {a:e}, not {value:e}");
            let may_fail = !by_v.is_finite() && WITHOUT_FORM.contains(function);
            if !is_near(by_v, *slope, row) && !may_fail {
                wrong.push(format!("{function} at {u}: slope {by_v:e}, not {slope:e}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn dual_numbers_do_not_overflow() {
    let (duals, nested_duals) = (functions::<Dual<f64, 1>>(), functions::<Dual<Dual<f64, 1>, 2>>());
    for (index, (function, row)) in table().iter().enumerate() {
        for (u, [value, slope]) in POINTS.iter().zip(row) {
            let found = duals[index](Dual::variable(*u, 0));
            assert!((found.value - value).abs() <= 1e-12 * value.abs() + 1e-15, "{function} at {u}: {found:?}");
            assert!(is_near(found.derivatives[0], *slope, row), "{function} at {u}: {found:?}, not {slope:e}");
            let constant = duals[index](Dual::constant(*u));
            assert_eq!(constant.derivatives, [0.0], "{function} at {u}");
            let nested = nested_duals[index](Dual::variable(Dual::variable(*u, 0), 1));
            assert!(is_near(nested.derivatives[1].value, *slope, row), "{function} at {u}: {nested:?}");
            assert_eq!(nested.derivatives[0].value, 0.0, "{function} at {u}");
        }
    }
}

#[test]
fn poles_stay_infinite_or_unknown() {
    // 1/(1/x) is x, but its derivative at 0 passes a pole. It must not come out as 0.
    let x = Dual::<f64, 1>::variable(0.0, 0);
    assert!(!x.recip().recip().derivatives[0].is_finite());
    assert_eq!((Dual::constant(2.0) * x.recip()).derivatives, [f64::NEG_INFINITY]);
}

#[test]
fn lanes_agree_with_numbers_where_parts_overflow() {
    for u in POINTS {
        let lanes = Lanes::<f64, 4>(std::array::from_fn(|lane| u + f64::from(lane as u32)));
        for lane in 0..4 {
            let u = u + f64::from(lane as u32);
            for (found, expected) in [
                (Scalar::exp(lanes), u.exp()),
                (Scalar::sinh(lanes), u.sinh()),
                (Scalar::cosh(lanes), u.cosh()),
                (Scalar::tanh(lanes), u.tanh()),
            ] {
                let found = found.0[lane];
                assert!(found == expected || (found - expected).abs() <= 1e-14 * expected.abs(), "{u}: {found:e}");
            }
        }
    }
}

/// A chain with so many joints that its Jacobians are dual numbers.
#[lagrangian {
    const n = 10;
    coordinates q[n];
    let p[i in 0..n] = [sum(k in 0..i+1, sin(q[k])), -sum(k in 0..i+1, cos(q[k]))];
    kinetic = sum(i in 0..n, norm2(dot(p[i])))/2;
    force q[0] = f/(1 + 2*exp(-dot(q[0])/vs));
}]
struct Chain {
    f: f64,
    vs: f64,
}

#[test]
fn a_large_mechanism_does_not_overflow() {
    let system = Chain { f: 3.0, vs: 0.01 }.prepare::<f64>().unwrap();
    let free = Chain { f: 0.0, vs: 0.01 }.prepare::<f64>().unwrap();
    let q = SVector::<f64, 10>::from_fn(|i, _| 0.3 * i as f64);
    let mut v = SVector::<f64, 10>::repeat(0.2);
    v[0] = -7.2;
    let u = SVector::from([]);
    let jacobian = system.acceleration_jacobian(0.0, &q, &v, &u).unwrap();
    let expected = free.acceleration_jacobian(0.0, &q, &v, &u).unwrap();
    assert!((jacobian.acceleration - expected.acceleration).norm() < 1e-12 * expected.acceleration.norm());
    assert!((jacobian.acceleration_v - expected.acceleration_v).norm() < 1e-12 * expected.acceleration_v.norm());
}
