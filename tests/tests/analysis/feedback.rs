//! Regulators, ranks and Gramians.

use super::mechanisms::Balance;
use super::shared::{close, matrix};
use lagrange_runtime::analysis::{
    AnalysisError, SampledSpace, StateSpace, controllability, linearize, lqr, lqr_sampled, observability,
};
use lagrange_runtime::nalgebra::DMatrix;
use lagrange_runtime::prelude::*;

fn space<const I: usize, const U: usize>(a: [[f64; I]; I], b: [[f64; U]; I]) -> StateSpace {
    StateSpace::new(matrix(a), matrix(b)).expect("of like size")
}

fn sampled(a: DMatrix<f64>, b: DMatrix<f64>) -> SampledSpace {
    let (states, inputs) = b.shape();
    SampledSpace { a, b, c: DMatrix::zeros(0, states), d: DMatrix::zeros(0, inputs), period: 1.0 }
}

/// P. Benner, A. J. Laub, V. Mehrmann, *A collection of benchmark examples for the numerical solution of algebraic Riccati equations I*,
/// 1995, examples 1, 2 and 7.
#[test]
fn continuous_benchmarks_have_their_solutions() {
    let one = DMatrix::identity(1, 1);
    let first = lqr(&space([[0.0, 1.0], [0.0, 0.0]], [[0.0], [1.0]]), &matrix([[1.0, 0.0], [0.0, 2.0]]), &one);
    close(&first.expect("solvable").cost, &matrix([[2.0, 1.0], [1.0, 2.0]]), 1e-14);

    let weight = matrix([[9.0, 6.0], [6.0, 4.0]]);
    let second = lqr(&space([[4.0, 3.0], [-4.5, -3.5]], [[1.0], [-1.0]]), &weight, &one).expect("solvable");
    close(&second.cost, &(&weight * (1.0 + 2.0_f64.sqrt())), 1e-12);

    for small in [1.0, 1e-2, 1e-4] {
        let seventh = lqr(&space([[1.0, 0.0], [0.0, -2.0]], [[small], [0.0]]), &DMatrix::from_element(2, 2, 1.0), &one);
        let root = (1.0 + small * small).sqrt();
        let (large, mixed) = ((1.0 + root) / (small * small), 1.0 / (2.0 + root));
        let expected = matrix([[large, mixed], [mixed, 0.25 * (1.0 - small * small * mixed * mixed)]]);
        let found = seventh.expect("solvable").cost;
        assert!((found[(0, 0)] - large).abs() < 1e-12 * large);
        let error = (found - expected).abs();
        assert!(error[(0, 1)] < 1e-8 && error[(1, 1)] < 1e-8, "{small}: {error}");
    }
}

/// The second part of the collection, for sampled systems: example 1, with the golden ratio.
#[test]
fn a_sampled_benchmark_has_its_solution() {
    let weight = matrix([[9.0, 6.0], [6.0, 4.0]]);
    let system = sampled(matrix([[4.0, 3.0], [-4.5, -3.5]]), matrix([[1.0], [-1.0]]));
    let found = lqr_sampled(&system, &weight, &DMatrix::identity(1, 1)).expect("solvable");
    close(&found.cost, &(&weight * (0.5 * (1.0 + 5.0_f64.sqrt()))), 1e-12);
    assert!(found.poles.iter().all(|pole| pole.norm() < 1.0));
}

/// A pendulum upright under a torque: of ẍ = α x + β u, by spectral factorisation, K = [(b + α)/β, √(2b + 2α + β² q₂)/β] with
/// b = √(α² + β² q₁).
#[test]
fn an_inverted_pendulum_has_its_gains() {
    let (alpha, beta, q) = (19.62, 4.0, [3.0, 0.5]);
    let weights = matrix([[q[0], 0.0], [0.0, q[1]]]);
    let found = lqr(&space([[0.0, 1.0], [alpha, 0.0]], [[0.0], [beta]]), &weights, &DMatrix::identity(1, 1));
    let b = (alpha * alpha + beta * beta * q[0]).sqrt();
    let expected = [(b + alpha) / beta, (2.0 * b + 2.0 * alpha + beta * beta * q[1]).sqrt() / beta];
    close(&found.expect("solvable").gain, &matrix([expected]), 1e-12);
}

/// xᵀ X x is the cost of the motion: Bellman's equation for one sample, along the closed loop of the balance system.
#[test]
fn the_cost_is_that_of_the_motion() {
    let system = Balance::book().prepare::<f64>().expect("valid");
    let upright = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let near = linearize(&system, &upright, &SVector::from([0.0])).expect("regular");
    let (q, r) = (DMatrix::identity(4, 4), DMatrix::from_element(1, 1, 0.01));
    let period = 0.02;
    let sampled = near.space().sampled(period).expect("finite");
    let regulator = lqr_sampled(&sampled, &q, &r).expect("stabilisable");
    let mut x = matrix([[0.1], [0.05], [0.0], [-0.1]]);
    let promised = (x.transpose() * &regulator.cost * &x)[(0, 0)];
    let mut paid = 0.0;
    for _ in 0..20_000 {
        let u = -&regulator.gain * &x;
        paid += (x.transpose() * &q * &x)[(0, 0)] + (u.transpose() * &r * &u)[(0, 0)];
        x = &sampled.a * x + &sampled.b * u;
    }
    assert!((paid - promised).abs() < 1e-9 * promised, "{paid} {promised}");
    // In continuous time: with z = (x, ∫ cost), the matrix exponential of the closed loop integrates exactly.
    let regulator = lqr(near.space(), &q, &r).expect("stabilisable");
    let closed = near.a() - near.b() * &regulator.gain;
    let residual = closed.transpose() * &regulator.cost
        + &regulator.cost * &closed
        + &q
        + regulator.gain.transpose() * &r * &regulator.gain;
    assert!(residual.abs().max() < 1e-9 * regulator.cost.abs().max(), "{residual}");
}

/// A cart with two pendulums: out of reach of one push where they are equal.
#[lagrangian {
    coordinates p, left, right;
    kinetic = big_m*dot(p)^2/2 + m*norm2(dot([p + a*sin(left), a*cos(left)]))/2
        + m*norm2(dot([p + b*sin(right), b*cos(right)]))/2;
    potential = m*g*(a*cos(left) + b*cos(right));
    force p = push;
    output place = p;
    output leaning = left - right;
}]
#[derive(Clone, Debug)]
struct Twins {
    big_m: f64,
    m: f64,
    a: f64,
    b: f64,
    g: f64,
    #[input]
    push: f64,
}

/// The difference of two equal pendulums' angles obeys δ̈ = (g/l) δ whatever the cart does: the modes ±√(g/l) are out of reach.
#[test]
fn equal_pendulums_on_a_cart_are_out_of_reach() {
    let twins = Twins { big_m: 1.0, m: 0.1, a: 0.5, b: 0.5, g: 9.81, push: 0.0 };
    let upright = State::new(0.0, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]);
    let near = |twins: &Twins| {
        linearize(&twins.prepare::<f64>().expect("valid"), &upright, &SVector::from([0.0]))
            .and_then(|near| near.with_outputs(twins))
            .expect("regular")
    };
    let equal = near(&twins);
    let reach = controllability(equal.a(), equal.b()).expect("finite");
    assert_eq!((reach.rank, reach.missed.len()), (4, 2));
    let rate = (9.81_f64 / 0.5).sqrt();
    assert!(reach.missed.iter().all(|mode| mode.im == 0.0 && (mode.re.abs() - rate).abs() < 1e-12), "{reach:?}");
    let error = lqr(equal.space(), &DMatrix::identity(6, 6), &DMatrix::identity(1, 1)).expect_err("out of reach");
    let AnalysisError::NotStabilisable { eigenvalue } = error else { panic!("{error}") };
    assert!((eigenvalue.re - rate).abs() < 1e-12);

    let unequal = near(&Twins { b: 0.4, ..twins });
    assert!(controllability(unequal.a(), unequal.b()).expect("finite").is_complete());
    assert!(observability(unequal.a(), unequal.c()).expect("finite").is_complete());
    // The difference of the angles does not tell where the cart is.
    let angles = observability(unequal.a(), &unequal.c().rows(1, 1).into_owned()).expect("finite");
    assert_eq!(angles.rank, 4);
    assert!(angles.missed.iter().all(|mode| mode.norm() < 1e-6), "{angles:?}");
    let found = lqr(unequal.space(), &DMatrix::identity(6, 6), &DMatrix::identity(1, 1)).expect("stabilisable");
    assert!(found.poles.iter().all(|pole| pole.re < 0.0));
}

#[test]
fn bad_weights_are_named() {
    let integrator = space([[0.0, 1.0], [0.0, 0.0]], [[0.0], [1.0]]);
    let (two, one) = (DMatrix::identity(2, 2), DMatrix::identity(1, 1));
    let error = lqr(&integrator, &matrix([[1.0, 0.0], [0.0, -1.0]]), &one).expect_err("negative");
    assert_eq!(error.to_string(), "Q has the eigenvalue -1; it must be symmetric and positive semidefinite");
    let error = lqr(&integrator, &matrix([[1.0, 0.5], [0.0, 1.0]]), &one).expect_err("not symmetric");
    assert_eq!(error.to_string(), "Q is not symmetric; it must be symmetric and positive semidefinite");
    let error = lqr(&integrator, &two, &DMatrix::zeros(1, 1)).expect_err("free inputs");
    assert_eq!(error.to_string(), "R has the eigenvalue 0; it must be symmetric and positive definite");
    let error = lqr(&integrator, &one, &one).expect_err("too small");
    assert_eq!(error.to_string(), "Q is 1 × 1; it must be 2 × 2");
    // The position costs nothing: its mode stays on the axis.
    let error = lqr(&integrator, &matrix([[0.0, 0.0], [0.0, 1.0]]), &one).expect_err("unseen");
    assert!(matches!(error, AnalysisError::NotDetectable { eigenvalue } if eigenvalue.norm() < 1e-7), "{error}");
}

/// Of ẍ + 2ζω ẋ + ω² x = u: W = diag(1/(4ζω³), 1/(4ζω)); of the double integrator over T: [T³/3 T²/2; T²/2 T].
#[test]
fn gramians_have_their_closed_forms() {
    let (damping, frequency) = (0.3, 4.0);
    let damped = space([[0.0, 1.0], [-frequency * frequency, -2.0 * damping * frequency]], [[0.0], [1.0]]);
    let diagonal = [1.0 / (4.0 * damping * frequency.powi(3)), 1.0 / (4.0 * damping * frequency)];
    close(&damped.controllability_gramian().expect("stable"), &matrix([[diagonal[0], 0.0], [0.0, diagonal[1]]]), 1e-16);
    let seen = damped.clone().with_outputs(matrix([[0.0, 1.0]]), matrix([[0.0]])).expect("of like size");
    // ∫ ẋ² dt from (x, ẋ) is the energy over the damping: (ω² x² + ẋ²)/(4ζω).
    let expected = matrix([[frequency * frequency, 0.0], [0.0, 1.0]]) / (4.0 * damping * frequency);
    close(&seen.observability_gramian().expect("stable"), &expected, 1e-14);
    let integrator = space([[0.0, 1.0], [0.0, 0.0]], [[0.0], [1.0]]);
    let time = 1.7_f64;
    let expected = matrix([[time.powi(3) / 3.0, time * time / 2.0], [time * time / 2.0, time]]);
    close(&integrator.controllability_gramian_over(time).expect("finite"), &expected, 1e-14);
    assert!(matches!(integrator.controllability_gramian(), Err(AnalysisError::NotStable { .. })));
    let scalar = sampled(matrix([[0.8]]), matrix([[0.5]]));
    close(&scalar.controllability_gramian().expect("stable"), &matrix([[0.25 / 0.36]]), 1e-15);
}

/// An oscillator is reached by its force and seen by its place, and two equal ones under one force have a mode that is not: in any
/// units of mass and time, from an orbit to a resonator of 1 MHz. Its poles are ±iω to rounding.
#[test]
fn units_do_not_decide_what_is_reached() {
    for (mass, rate) in [(1.0, 1.0), (1e-6, 1e6), (1e6, 1e6), (1e6, 1e-6), (1e-6, 1e-6)] {
        let (stiffness, push) = (rate * rate, 1.0 / mass);
        let one = space([[0.0, 1.0], [-stiffness, 0.0]], [[0.0], [push]]);
        assert_eq!(controllability(&one.a, &one.b).expect("finite").rank, 2, "{mass} {rate}");
        let place = matrix([[1.0, 0.0]]);
        assert_eq!(observability(&one.a, &place).expect("finite").rank, 2, "{mass} {rate}");
        for pole in one.poles().expect("finite") {
            assert!((pole.im.abs() - rate).abs() <= 4.0 * f64::EPSILON * rate && pole.re.abs() <= f64::EPSILON * rate);
        }
        let two = space(
            [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [-stiffness, 0.0, 0.0, 0.0], [0.0, -stiffness, 0.0, 0.0]],
            [[0.0], [0.0], [push], [push]],
        );
        let reached = controllability(&two.a, &two.b).expect("finite");
        assert_eq!((reached.rank, reached.missed.len()), (2, 2), "{mass} {rate}: {reached:?}");
    }
}
