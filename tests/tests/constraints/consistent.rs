//! Consistent initial states, found in stages, and the failures where there is none.

use super::mechanisms::{bead, on_the_wire};
use lagrange_models::{FourBarLinkage, KnifeEdge, SphericalPendulumCartesian};
use lagrange_runtime::constraint::check;
use lagrange_runtime::prelude::*;

#[test]
fn a_linkage_closes_with_its_crank_kept() {
    let system = FourBarLinkage::default().prepare::<f64>().expect("valid");
    let guess = FourBarLinkage::guess();
    let keep = Projection::default().keep(FourBarLinkage::INDEX.crank);
    let found = initialise(&system, &guess, &SVector::from([0.0]), &keep, None).expect("it closes");
    let State { t, q, v } = found.state;
    assert_eq!((q[0], v[0]), (guess.q[0], guess.v[0]));
    let at = system.constraint(t, &q);
    let hidden = system.constraint_hidden(t, &q, &v, &found.multipliers);
    assert!(at.value.norm() < 2e-16 && hidden.rate.norm() < 1e-15, "{} {}", at.value, hidden.rate);
    assert!((at.jacobian * found.acceleration + hidden.curvature).norm() < 1e-13);
    // The closed form of the same state.
    let exact = FourBarLinkage::cranked();
    assert!((q - exact.q).norm() < 1e-14 && (v - exact.v).norm() < 1e-13, "{q} {v}");
    assert!(found.iterations > 2);
    // Without keeping anything, the change is smaller.
    let (free, _) = Projection::default().state(&system, &guess).expect("it closes");
    assert!((free.q - guess.q).norm() < (q - guess.q).norm() && free.q[0] != guess.q[0]);
}

#[test]
fn a_step_of_least_change_goes_along_the_normal() {
    let model = SphericalPendulumCartesian::default();
    let system = model.prepare::<f64>().expect("valid");
    let q = SVector::from([0.9, -0.4, -1.1]);
    let (moved, iterations) = Projection::default().positions(&system, 0.0, q).expect("on the sphere");
    // For a sphere the nearest point is along the radius, and one step reaches it.
    assert!((moved - q.normalize()).norm() < 1e-15 && iterations <= 2);
    let v = SVector::from([1.0, 2.0, 3.0]);
    let along = Projection::default().velocities(&system, 0.0, &moved, v).expect("tangent");
    assert!((along - (v - moved * moved.dot(&v))).norm() < 1e-14);
    // A coordinate that moves a hundred times less easily hardly moves.
    let stiff = Projection::default().mobilities([1.0, 1.0, 0.01]);
    let q = SVector::from([0.9, -0.4, -0.6]);
    let (stiff, _) = stiff.positions(&system, 0.0, q).expect("on the sphere");
    assert!((stiff.norm() - 1.0).abs() < 1e-15 && (stiff[2] - q[2]).abs() < 1e-4, "{stiff}");
}

#[test]
fn time_stands_in_the_hidden_constraint() {
    let model = bead();
    let system = model.prepare::<f64>().expect("valid");
    let exact = on_the_wire(&model, 0.4, 0.9, -1.2);
    let rough = State::new(0.4, exact.q + SVector::from([0.02, -0.03, 0.01]), SVector::from([0.0, 0.0, 1.0]));
    let found = initialise(&system, &rough, &SVector::from([0.7]), &Projection::default(), None).expect("near");
    let State { t, q, v } = found.state;
    assert!(system.constraint(t, &q).value.norm() < 4e-16);
    assert!(system.constraint_hidden(t, &q, &v, &found.multipliers).rate.norm() < 1e-15);
    // A wire that turns carries the bead along.
    assert!((q[0] * v[1] - q[1] * v[0] - model.w * (q[0] * q[0] + q[1] * q[1])).abs() < 1e-14);
}

#[test]
fn nonholonomic_rows_leave_positions_alone() {
    let system = KnifeEdge::default().prepare::<f64>().expect("valid");
    let state = State::new(0.0, [0.3, 0.4, 0.5], [1.0, -1.0, 0.2]);
    let (found, iterations) = Projection::default().state(&system, &state).expect("linear");
    let (sin, cos) = 0.5_f64.sin_cos();
    assert_eq!((found.q, iterations, found.v[2]), (state.q, 0, 0.2));
    assert!((found.v[0] * sin - found.v[1] * cos).abs() < 1e-16);
    assert!((found.v[0] - cos * (cos - sin)).abs() < 1e-15 && (found.v[1] - sin * (cos - sin)).abs() < 1e-15);
}

#[test]
fn what_cannot_be_met_is_named_with_what_is_left() {
    // Out of reach: the crank and the rocker are kept where the coupler is too short.
    let system = FourBarLinkage::default().prepare::<f64>().expect("valid");
    let apart = State::new(0.0, [3.0, 0.0, 0.2], [0.0; 3]);
    let keep = Projection::default().keep(FourBarLinkage::INDEX.crank).keep(FourBarLinkage::INDEX.rocker);
    let failure = keep.state(&system, &apart).expect_err("0.5 m do not reach");
    let Failure::ConstraintFailed { constraint, residual } = failure else { panic!("{failure}") };
    assert!(constraint.starts_with("closure") && residual.abs() > 0.1, "{failure}");
    // A velocity that may not change.
    let keep = Projection::default().keep_velocity(0).keep_velocity(1);
    let knife = KnifeEdge::default().prepare::<f64>().expect("valid");
    let state = State::new(0.0, [0.0, 0.0, 0.5], [1.0, -1.0, 0.2]);
    let failure = keep.state(&knife, &state).expect_err("both velocities are kept");
    let Failure::ConstraintFailed { constraint: "edge", residual } = failure else { panic!("{failure}") };
    assert!((residual - 0.5_f64.sin() - 0.5_f64.cos()).abs() < 1e-15, "{failure}");
    let nowhere = State::new(0.0, [f64::NAN, 0.0, 0.5], [0.0; 3]);
    assert!(matches!(Projection::default().state(&system, &nowhere), Err(Failure::NotFinite { .. })));
}

#[test]
fn an_integration_starts_from_a_consistent_state_only() {
    let system = SphericalPendulumCartesian::default().prepare::<f64>().expect("valid");
    let good = SphericalPendulumCartesian::pushed();
    assert_eq!(check(&system, &good), Ok(()));
    let far = State::new(0.0, good.q * 1.01, good.v);
    let error = solve(&system, far, 1.0, &Rk4::new(1e-2), &Options::default()).expect_err("1 % too far out").error;
    let Failure::InconsistentInitialState { constraint: "rod", residual, hidden: false } = error.failure else {
        panic!("{error}")
    };
    assert!((residual - 0.01).abs() < 1e-15 && error.to_string().contains("initialise"), "{error}");
    let outward = State::new(0.0, good.q, good.v + good.q * 0.02);
    let failure = check(&system, &outward).expect_err("the rod would stretch");
    assert!(matches!(failure, Failure::InconsistentInitialState { constraint: "rod", hidden: true, .. }), "{failure}");
}

/// A constraint as a square: its gradient vanishes wherever it holds.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    potential = y;
    constraint circle: (x^2 + y^2 - 1)^2 == 0;
}]
#[derive(Clone, Debug)]
struct Squared {}

#[test]
fn a_gradient_that_vanishes_is_named_and_no_smaller_step_is_advised() {
    let system = Squared {}.prepare::<f64>().expect("valid");
    let on = State::new(0.0, [0.6, 0.8], [0.8, -0.6]);
    let none = SVector::from([]);
    let told = |failure: Failure, what: &str| {
        assert_eq!(failure, Failure::VanishingGradient { constraint: "circle" }, "{what}");
        assert!(!failure.remedy().contains("smaller step"), "{}", failure.remedy());
    };
    told(initialise(&system, &on, &none, &Projection::default(), None).expect_err("no gradient"), "initialise");
    let run = |failed: Box<PartialSolution<f64, 2>>, what: &str| told(failed.error.failure, what);
    let options = Options::default();
    run(solve(&system, on, 1.0, &Rattle::new(0.01), &options).expect_err("no gradient"), "RATTLE");
    run(solve(&system, on, 1.0, &Gauss::<f64, 2>::new(0.01), &options).expect_err("no gradient"), "Gauss");
    run(solve(&system, on, 1.0, &VariationalMidpoint::new(0.01), &options).expect_err("no gradient"), "midpoint");
    run(solve(&system, on, 1.0, &Rk4::new(0.01), &options).expect_err("no gradient"), "RK4");
}
