//! Linearisation and zero-order hold.

use super::mechanisms::{Balance, Sleigh};
use super::shared::{Oscillator, Pendulum, close, matrix};
use lagrange_models::{CartesianPendulum, HeavyTop, Parallelogram};
use lagrange_runtime::analysis::{AnalysisError, TangentBasis, linearize, linearize_in};
use lagrange_runtime::error::Failure;
use lagrange_runtime::nalgebra::DMatrix;
use lagrange_runtime::prelude::*;

/// Åström and Murray, *Feedback Systems*, 2nd ed., example 6.7: A and B of the balance system in closed form.
#[test]
fn the_balance_system_has_its_published_matrices() {
    let book = Balance::book();
    let Balance { big_m, m, j, l, c, gamma, g, .. } = book;
    let (total, inertia) = (big_m + m, j + m * l * l);
    let mu = total * inertia - m * m * l * l;
    let a = matrix([
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
        [0.0, m * m * l * l * g / mu, -c * inertia / mu, -gamma * l * m / mu],
        [0.0, total * m * g * l / mu, -c * l * m / mu, -gamma * total / mu],
    ]);
    let b = matrix([[0.0], [0.0], [inertia / mu], [l * m / mu]]);
    let upright = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let found = linearize(&book.prepare::<f64>().expect("valid"), &upright, &SVector::from([0.0]))
        .and_then(|near| near.with_outputs(&book))
        .expect("regular");
    assert_eq!(found.states(), ["p", "theta", "dot(p)", "dot(theta)"]);
    assert_eq!(found.outputs(), ["place", "angle"]);
    close(found.a(), &a, 1e-14);
    close(found.b(), &b, 1e-16);
    close(found.c(), &matrix([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]), 0.0);
    close(found.d(), &DMatrix::zeros(2, 1), 0.0);
    assert_eq!(found.rate().norm(), 0.0);
}

/// ẍ = −x ẋ²/(l² − x²) − g x √(l² − x²)/l², from θ̈ = −g/l sin θ and x = l sin θ; the rod pulls by m (l θ̇² + g cos θ).
#[test]
fn a_constrained_pendulum_in_motion_has_the_matrices_of_its_minimal_equation() {
    let pendulum = CartesianPendulum::default();
    let CartesianPendulum { m, l, g } = pendulum;
    let (angle, speed) = (0.5_f64, 0.7);
    let (sin, cos) = angle.sin_cos();
    let state = State::new(0.0, [l * sin, -l * cos], [l * cos * speed, l * sin * speed]);
    let found = linearize(&pendulum.prepare::<f64>().expect("valid"), &state, &SVector::from([]))
        .and_then(|near| near.with_outputs(&pendulum))
        .expect("regular");
    assert_eq!(found.states(), ["y", "dot(y)"].map(|name| name.replace('y', "x")));
    let (x, rate) = (state.q[0], state.v[0]);
    let rest = l * l - x * x;
    let by_x = -rate * rate * (l * l + x * x) / (rest * rest) - g * (rest - x * x) / (l * l * rest.sqrt());
    close(found.a(), &matrix([[0.0, 1.0], [by_x, -2.0 * x * rate / rest]]), 1e-14);
    let acceleration = -x * rate * rate / rest - g * x * rest.sqrt() / (l * l);
    assert!((found.rate()[0] - rate).abs() < 1e-15 && (found.rate()[1] - acceleration).abs() < 1e-14);
    // δθ = δx/(l cos θ), and δω = (δẋ + l sin θ ω δθ)/(l cos θ).
    let tension_x = (-m * g * sin + 2.0 * m * l * speed * speed * sin / cos) / (l * cos);
    // The outputs are the tension and then the position, whose y follows x along the circle.
    close(found.c(), &matrix([[tension_x, 2.0 * m * speed / cos], [1.0, 0.0], [sin / cos, 0.0]]), 1e-13);
}

#[test]
fn the_chosen_coordinate_does_not_change_the_poles() {
    let pendulum = CartesianPendulum::default();
    let system = pendulum.prepare::<f64>().expect("valid");
    let (sin, cos) = 0.5_f64.sin_cos();
    let state = State::new(0.0, [sin, -cos], [0.0, 0.0]);
    let basis = TangentBasis::of(&system, &state, &["y"]).expect("y is independent off the vertical");
    let near = linearize_in(&system, &state, &SVector::from([]), basis).expect("regular");
    assert_eq!(near.states(), ["y", "dot(y)"]);
    // At rest off the equilibrium the linearisation depends on the coordinate: of ÿ(y) = −g (l² − y²)/l², it is 2 g y/l².
    close(near.a(), &matrix([[0.0, 1.0], [-2.0 * 9.81 * cos, 0.0]]), 1e-14);
    let hanging = State::new(0.0, [0.0, -1.0], [0.0, 0.0]);
    let poles =
        linearize(&system, &hanging, &SVector::from([])).and_then(|near| near.space().poles()).expect("regular");
    let frequency = 9.81_f64.sqrt();
    assert!(
        poles.len() == 2 && poles.iter().all(|pole| pole.re.abs() < 1e-15 && (pole.im.abs() - frequency).abs() < 1e-14)
    );
}

/// Bloch, 1.7: v̇ = a ω², ω̇ = −m a v ω/(i + m a²). Along a straight line at v₀ one eigenvalue is −m a v₀/(i + m a²), the others 0.
#[test]
fn a_sleigh_has_three_positions_and_two_velocities() {
    let sleigh = Sleigh { m: 2.0, i: 0.3, a: 0.4 };
    let heading = 0.3_f64;
    let ahead = State::new(0.0, [0.1, 0.2, heading], [1.5 * heading.cos(), 1.5 * heading.sin(), 0.0]);
    let near = linearize(&sleigh.prepare::<f64>().expect("valid"), &ahead, &SVector::from([])).expect("regular");
    assert_eq!(near.states().len(), 5);
    assert_eq!(near.states()[..3], ["x", "y", "phi"]);
    let poles = near.space().poles().expect("finite");
    let expected = -2.0 * 0.4 * 1.5 / (0.3 + 2.0 * 0.16);
    let (last, others) = poles.split_last().expect("five");
    assert!((last.re - expected).abs() < 1e-14 && last.im == 0.0, "{poles:?}");
    // A triple eigenvalue 0 in a chain of length 2 is only as exact as the root of the rounding.
    assert!(others.iter().all(|pole| pole.norm() < 1e-7), "{poles:?}");
}

/// The platform moves as a pendulum with x = r sin θ. Its linearisation is that of the pendulum in the state x, in motion off the
/// equilibrium too, with δx = r cos θ δθ and δẋ = r cos θ δθ̇ − r sin θ θ̇ δθ. In any units of mass and length.
#[test]
fn redundant_constraints_do_not_count() {
    // The rows of G have entries per length and per angle, so that units far from 1 cost digits.
    for (mass, length, tolerance) in [(1.0, 1.0, 1e-13), (1e6, 1e-6, 1e-9), (1e-6, 1e6, 1e-9)] {
        let (m, r) = (1.3 * mass, 0.9 * length);
        let platform = Parallelogram { m, i: 0.3 * mass * length * length, r, d: 0.8 * length, g: 9.81 };
        let system = platform.prepare::<f64>().expect("valid");
        let rate = (9.81 / r).sqrt();
        for (angle, speed) in [(0.0, 0.0), (0.5_f64, 0.0), (0.5, 0.7), (-1.1, 1.3)] {
            let (speed, (s, c)) = (speed * rate, angle.sin_cos());
            let state = State::new(0.0, [r * s, -r * c, 0.0], [r * c * speed, r * s * speed, 0.0]);
            let basis = TangentBasis::of(&system, &state, &["x"]).expect("x is free");
            let near = linearize_in(&system, &state, &SVector::from([]), basis.clone()).expect("regular");
            assert_eq!(near.states(), ["x", "dot(x)"]);
            let pendulum = Pendulum { m, l: r, g: 9.81 }.prepare::<f64>().expect("valid");
            let angular =
                linearize(&pendulum, &State::new(0.0, [angle], [speed]), &SVector::from([])).expect("regular");
            // ẋ = J(z) ż: A_x J = J A_z + dJ/dt, with d²x = r cos θ d²θ − …, differentiated once more.
            let turn = matrix([[r * c, 0.0], [-r * s * speed, r * c]]);
            let acceleration = angular.rate()[1];
            let change =
                matrix([[-r * s * speed, 0.0], [-r * c * speed * speed - r * s * acceleration, -r * s * speed]]);
            let expected = (&turn * angular.a() + change) * turn.try_inverse().expect("off the horizontal");
            let scaled = |a: &DMatrix<f64>| {
                matrix([[a[(0, 0)] / rate, a[(0, 1)]], [a[(1, 0)] / (rate * rate), a[(1, 1)] / rate]])
            };
            close(&scaled(near.a()), &scaled(&expected), tolerance);
            // A state that an integration leaves off the level a little is the same.
            let tilted = State { q: state.q + SVector::from([0.0, 0.0, 1e-11]), ..state };
            let close_by = linearize_in(&system, &tilted, &SVector::from([]), basis.clone()).expect("regular");
            close(&scaled(close_by.a()), &scaled(&expected), 1e-9);
            if length == 1.0 {
                let least = LeastNorm::new(&system, 1e-4);
                let same = linearize_in(&least, &state, &SVector::from([]), basis).expect("regular");
                close(same.a(), near.a(), 1e-13);
            }
        }
        // With its cranks in line with the platform it may move on as a parallelogram or as an antiparallelogram.
        let dead = State::new(0.0, [r, 0.0, 0.0], [0.0, 0.0, 0.0]);
        let error = linearize(&system, &dead, &SVector::from([])).expect_err("a dead point");
        assert!(error.to_string().contains("no dead point"), "{error}");
        if length != 1.0 {
            continue;
        }
        let (s, c) = (std::f64::consts::FRAC_PI_2 - 1e-6).sin_cos();
        let near_it = State::new(0.0, [r * s, -r * c, 0.0], [0.0, 0.0, 0.0]);
        let least = LeastNorm::new(&system, 1e-4);
        let error = linearize(&least, &near_it, &SVector::from([])).expect_err("as near as the tolerance");
        assert!(error.to_string().contains("no dead point"), "{error}");
    }
    let hanging = State::new(0.0, [0.0, -1.0, 0.0], [0.0, 0.0, 0.0]);
    let system = Parallelogram::default().prepare::<f64>().expect("valid");
    let poles =
        linearize(&system, &hanging, &SVector::from([])).and_then(|near| near.space().poles()).expect("regular");
    assert!(
        poles.iter().all(|pole| pole.re.abs() < 1e-15 && (pole.im.abs() - 9.81_f64.sqrt()).abs() < 1e-14),
        "{poles:?}"
    );
}

#[test]
fn inconsistent_and_singular_states_are_errors() {
    let system = CartesianPendulum::default().prepare::<f64>().expect("valid");
    let long = State::new(0.0, [1.1, 0.0], [0.0, 0.0]);
    let error = linearize(&system, &long, &SVector::from([])).expect_err("the rod is not as long");
    assert!(
        matches!(error, AnalysisError::State(Failure::InconsistentInitialState { constraint: "rod", .. })),
        "{error}"
    );
    let leaving = State::new(0.0, [1.0, 0.0], [0.5, 0.0]);
    let error = linearize(&system, &leaving, &SVector::from([])).expect_err("the rod does not stretch");
    assert!(error.to_string().contains("initialise"), "{error}");

    let top = HeavyTop::default().prepare::<f64>().expect("valid");
    let upright = State::new(0.0, [0.0, 0.0, 0.0], [0.0, 0.0, 100.0]);
    let error = linearize(&top, &upright, &SVector::from([])).expect_err("Euler's angles are singular there");
    let AnalysisError::SingularMass { culprit, .. } = &error else { panic!("{error}") };
    assert!(culprit == "phi" || culprit == "psi", "{error}");

    // The derivatives of linear equations do not depend on the state, but its rate does.
    let oscillator = Oscillator { m: 2.0, k: 18.0, push: 0.0 }.prepare::<f64>().expect("valid");
    for state in [State::new(0.0, [f64::NAN], [0.0]), State::new(0.0, [0.0], [f64::INFINITY])] {
        let error = linearize(&oscillator, &state, &SVector::from([0.0])).expect_err("no number");
        assert!(matches!(error, AnalysisError::NotFinite { .. }), "{error}");
    }
    let error = TangentBasis::of(&system, &State::new(0.0, [1.0, 0.0], [0.0, 0.0]), &["z"]).expect_err("no z");
    assert_eq!(error.to_string(), "there is no coordinate `z`; known: `x`, `y`");
    for wrong in [&["x", "y"][..], &["x"], &[]] {
        let error = TangentBasis::of(&system, &State::new(0.0, [1.0, 0.0], [0.0, 0.0]), wrong).expect_err("x is fixed");
        assert!(matches!(error, AnalysisError::NotIndependent { needed: 1, .. }), "{error}");
    }
}

/// x(h) = x cos ωh + v/ω sin ωh + (1 − cos ωh) u/k.
#[test]
fn a_sampled_oscillator_has_its_closed_form() {
    let oscillator = Oscillator { m: 2.0, k: 18.0, push: 0.0 };
    let rest = State::new(0.0, [0.0], [0.0]);
    let near = linearize(&oscillator.prepare::<f64>().expect("valid"), &rest, &SVector::from([0.0])).expect("regular");
    let sampled = near.space().sampled(0.2).expect("finite");
    let (sin, cos) = 0.6_f64.sin_cos();
    close(&sampled.a, &matrix([[cos, sin / 3.0], [-3.0 * sin, cos]]), 1e-15);
    close(&sampled.b, &matrix([[(1.0 - cos) / 18.0], [sin / 6.0]]), 1e-16);
    for period in [0.0, -1.0, f64::NAN] {
        assert!(matches!(near.space().sampled(period), Err(AnalysisError::NotApplicable { .. })));
    }
}

/// A cart on two wheels that roll, held by a spring.
#[lagrangian {
    coordinates x, left, right;
    kinetic   = m*dot(x)^2/2 + i*(dot(left)^2 + dot(right)^2)/2;
    potential = k*x^2/2;
    constraint first: x == r*left;
    constraint second: x == r*right;
}]
#[derive(Clone, Debug)]
struct Cart {
    m: f64,
    i: f64,
    k: f64,
    r: f64,
}

/// Lengths and angles stand in one row of G. The rows are independent, and the same coordinate is free, in any units: ω² = k/(m + 2 i/r²).
#[test]
fn units_of_coordinates_do_not_decide_what_is_independent() {
    for length in [1.0, 1e-13, 1e13] {
        for mass in [1.0, 1e-9, 1e9] {
            let (m, r) = (2.0 * mass, 0.4 * length);
            let cart = Cart { m, i: 0.1 * mass * length * length, k: 3.0 * mass, r };
            let system = cart.prepare::<f64>().expect("valid");
            let near = linearize(&system, &State::new(0.0, [0.0; 3], [0.0; 3]), &SVector::from([])).expect("regular");
            assert_eq!(near.states(), ["x", "dot(x)"], "{length:e}, {mass:e}");
            close(near.a(), &matrix([[0.0, 1.0], [-3.0 / (2.0 + 0.2 / 0.16), 0.0]]), 1e-14);
        }
    }
}
