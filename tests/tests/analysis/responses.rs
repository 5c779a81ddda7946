//! Frequency responses.

use super::shared::matrix;
use lagrange_runtime::analysis::{AnalysisError, SampledSpace, StateSpace, linearize};
use lagrange_runtime::nalgebra::{Complex, DMatrix};
use lagrange_runtime::prelude::*;

/// A damped oscillator, of which the place and the acceleration are measured.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    dissipation = c*dot(x)^2/2;
    force x = push;
    output place = x;
    output felt = dot(dot(x));
}]
#[derive(Clone, Debug)]
struct Damped {
    m: f64,
    k: f64,
    c: f64,
    #[input]
    push: f64,
}

fn space(oscillator: &Damped) -> StateSpace {
    let rest = State::new(0.0, [0.0], [0.0]);
    let near = linearize(&oscillator.prepare::<f64>().expect("valid"), &rest, &SVector::from([0.0]))
        .and_then(|near| near.with_outputs(oscillator));
    near.expect("regular").space().clone()
}

/// L. Meirovitch, *Fundamentals of Vibrations*, 3.2: x/u = 1/(k − m ω² + i c ω), and ẍ = −ω² x, in which D = 1/m takes part. In
/// any units of mass, length and time.
#[test]
fn a_damped_oscillator_has_its_closed_form() {
    for (mass, time) in [(1.0, 1.0), (1e6, 1e-6), (1e-6, 1e6), (1e-6, 1e-6)] {
        let rate = 1.0 / time;
        let oscillator = Damped { m: 2.0 * mass, k: 18.0 * mass * rate * rate, c: 0.6 * mass * rate, push: 0.0 };
        let space = space(&oscillator);
        for omega in [0.0, 0.1, 3.0, -3.0, 40.0, 1e5].map(|omega| omega * rate) {
            let stiffness = Complex::new(oscillator.k - oscillator.m * omega * omega, oscillator.c * omega);
            let found = space.response(omega).expect("no pole");
            assert_eq!(found.shape(), (2, 1));
            let expected = [stiffness.inv(), -stiffness.inv() * omega * omega];
            assert!((found[(0, 0)] - expected[0]).norm() <= 1e-14 * expected[0].norm(), "{omega}: {found}");
            // C (iω − A)⁻¹ B and D cancel where ω is small.
            let terms = expected[1].norm() + 1.0 / oscillator.m;
            assert!((found[(1, 0)] - expected[1]).norm() <= 1e-14 * terms, "{omega}: {found}");
        }
    }
}

/// A voltage at a resistance, an inductance and a capacitance in series.
#[lagrangian {
    coordinates e;
    kinetic = l*dot(e)^2/2;
    potential = e^2/(2*c);
    dissipation = r*dot(e)^2/2;
    force e = voltage;
    output current = dot(e);
}]
#[derive(Clone, Debug)]
struct Series {
    l: f64,
    c: f64,
    r: f64,
    #[input]
    voltage: f64,
}

/// The admittance of the circuit is 1/(r + iωl + 1/(iωc)): 1/r at the resonance, and 0 for a constant voltage.
#[test]
fn a_circuit_has_its_admittance() {
    let circuit = Series { l: 5e-4, c: 2e-7, r: 6.0, voltage: 0.0 };
    let rest = State::new(0.0, [0.0], [0.0]);
    let near = linearize(&circuit.prepare::<f64>().expect("valid"), &rest, &SVector::from([0.0]))
        .and_then(|near| near.with_outputs(&circuit))
        .expect("regular");
    let resonance = 1.0 / (circuit.l * circuit.c).sqrt();
    for omega in [1.0, 1e3, resonance, 2e5, 1e8] {
        let impedance = Complex::new(circuit.r, omega * circuit.l - 1.0 / (omega * circuit.c));
        let found = near.space().response(omega).expect("no pole")[(0, 0)];
        assert!((found * impedance - 1.0).norm() < 1e-14, "{omega}: {found}");
    }
    assert_eq!(near.space().response(0.0).expect("no pole")[(0, 0)].norm(), 0.0);
}

/// An undamped oscillator has no steady answer at its own frequency, in any units; nor has a free mass to a constant force.
#[test]
fn poles_are_said() {
    for scale in [1.0, 1e6, 1e-6] {
        for rate in [1.0, 1e6, 1e-6] {
            let space = space(&Damped { m: 2.0 * scale, k: 18.0 * scale * rate * rate, c: 0.0, push: 0.0 });
            let error = space.response(3.0 * rate).expect_err("a pole");
            assert!(error.to_string().contains("no pole"), "{error}");
            let near = space.response(3.0 * rate * (1.0 + 1e-9)).expect("beside the pole")[(0, 0)];
            // k − m ω² = −k (2·10⁻⁹).
            assert!((near.re * -18.0 * scale * rate * rate * 2e-9 - 1.0).abs() < 1e-6, "{near}");
        }
        let free = space(&Damped { m: scale, k: 0.0, c: 0.0, push: 0.0 });
        assert!(matches!(free.response(0.0), Err(AnalysisError::NotApplicable { .. })));
        let slow = free.response(1e-9).expect("no pole")[(0, 0)];
        assert!((slow * scale * 1e-18 + 1.0).norm() < 1e-14, "{slow}");
    }
    let any = space(&Damped { m: 2.0, k: 18.0, c: 0.6, push: 0.0 });
    for omega in [f64::NAN, f64::INFINITY] {
        assert!(matches!(any.response(omega), Err(AnalysisError::NotApplicable { .. })));
    }
    let broken = StateSpace { a: matrix([[f64::NAN]]), b: matrix([[1.0]]), c: matrix([[1.0]]), d: matrix([[0.0]]) };
    assert!(matches!(broken.response(1.0), Err(AnalysisError::NotFinite { .. })));
}

/// Under a zero-order hold ẋ = −a x + u becomes x(k+1) = p x(k) + (1 − p)/a u(k) with p = exp(−a h), so that G = (1 − p)/(a (z − p)).
/// A sum y(k+1) = y(k) + u(k) has its pole at z = 1.
#[test]
fn a_sampled_low_pass_has_its_closed_form() {
    let (a, h) = (1.7, 0.3);
    let one = matrix([[1.0]]);
    let low_pass =
        StateSpace::new(matrix([[-a]]), one.clone()).and_then(|low| low.with_outputs(one.clone(), matrix([[0.0]])));
    let sampled = low_pass.and_then(|low| low.sampled(h)).expect("finite");
    let p = (-a * h).exp();
    for omega in [0.0, 1.0, 5.0, -2.0] {
        let z = Complex::from_polar(1.0, omega * h);
        let found = sampled.response(omega).expect("no pole")[(0, 0)];
        assert!((found - (1.0 - p) / (a * (z - p))).norm() < 1e-15, "{omega}: {found}");
    }
    let sum = SampledSpace { a: one.clone(), b: one.clone(), c: one, d: DMatrix::zeros(1, 1), period: h };
    for omega in [0.0, 2.0 * std::f64::consts::PI / h] {
        let found = sum.response(omega);
        assert!(matches!(found, Err(AnalysisError::NotApplicable { .. })), "{omega}: {found:?}");
    }
    assert!(matches!(SampledSpace { period: 0.0, ..sum }.response(1.0), Err(AnalysisError::NotApplicable { .. })));
}
