//! Methods that are symplectic, methods that are symmetric, and methods that are neither.

use crate::harness::{D, VelocityMidpoint, at_momentum, defect, derivative, momentum, run};
use crate::mechanisms::{Charge, Quartic};
use crate::near_integrable::{Double, HenonHeiles};
use lagrange_runtime::prelude::*;

const START: [[f64; 2]; 2] = [[0.9, -0.4], [1.2, 0.7]];
const H: f64 = 0.1;
/// The defect that a symplectic map may have by rounding, relative to ‖Φ'‖².
const ROUND_OFF: f64 = 1e-12;

#[track_caller]
fn assert_symplectic<M: Method<D, 2, 0>>(system: &dyn System<D, 2, 0, 0>, method: &M) {
    let defect = defect(&derivative(system, START, H, 3, method));
    assert!(defect <= ROUND_OFF, "{}: {defect:e}", method.name());
}

#[track_caller]
fn assert_not_symplectic<M: Method<D, 2, 0>>(system: &dyn System<D, 2, 0, 0>, method: &M) {
    let defect = defect(&derivative(system, START, H, 3, method));
    assert!(defect > 1e5 * ROUND_OFF, "{}: {defect:e}", method.name());
}

fn h() -> D {
    D::constant(H)
}

/// The methods for any L.
fn general_methods_are_symplectic(system: &dyn System<D, 2, 0, 0>) {
    let newton = Iteration::Newton;
    assert_symplectic(system, &ImplicitMidpoint::new(h()).with_iteration(newton));
    assert_symplectic(system, &Gauss::<D, 2>::new(h()).with_iteration(newton));
    assert_symplectic(system, &Gauss::<D, 3>::new(h()).with_iteration(newton).without_history());
    assert_symplectic(system, &Gauss::<D, 4>::new(h()).with_iteration(newton));
    assert_symplectic(system, &Gauss::<D, 5>::new(h()).with_iteration(newton));
    assert_symplectic(system, &Gauss::<D, 6>::new(h()).with_iteration(newton));
    let midpoint = VariationalMidpoint::new(h()).with_iteration(newton);
    let trapezoid = VariationalTrapezoid::new(h()).with_iteration(newton);
    assert_symplectic(system, &midpoint);
    assert_symplectic(system, &trapezoid);
    assert_symplectic(system, &Composition::suzuki(midpoint));
    assert_symplectic(system, &Composition::kahan_li(trapezoid));
    assert_not_symplectic(system, &Rk4::new(h()));
    assert_not_symplectic(system, &VelocityMidpoint(h()));
}

#[test]
fn a_mass_matrix_that_depends_on_coordinates() {
    general_methods_are_symplectic(&Double { g: 9.8 }.prepare::<D>().expect("valid"));
}

#[test]
fn a_momentum_that_is_not_affine_in_the_velocity() {
    general_methods_are_symplectic(&Quartic { a: 1.0 }.prepare::<D>().expect("valid"));
}

#[test]
fn a_lagrangian_linear_in_velocities_too() {
    let system = Charge { b: 1.5 }.prepare::<D>().expect("valid");
    let newton = Iteration::Newton;
    assert_symplectic(&system, &Gauss::<D, 2>::new(h()).with_iteration(newton));
    assert_symplectic(&system, &VariationalMidpoint::new(h()).with_iteration(newton));
    assert_symplectic(&system, &VariationalTrapezoid::new(h()).with_iteration(newton));
    assert_not_symplectic(&system, &Rk4::new(h()));
}

#[test]
fn separable_systems() {
    let system = HenonHeiles { c: 1.0 }.prepare::<D>().expect("valid");
    assert_symplectic(&system, &StormerVerlet::new(&system, h()));
    assert_symplectic(&system, &SymplecticEuler::new(&system, h()));
    assert_symplectic(&system, &AdjointSymplecticEuler::new(&system, h()));
    assert_symplectic(&system, &Composition::triple_jump(StormerVerlet::new(&system, h())));
    assert_symplectic(&system, &Composition::yoshida(StormerVerlet::new(&system, h())));
    // The first step of a composition is longer than the composition itself. At that length RK4's defect must show.
    assert_not_symplectic(&system, &Rk4::new(h()));
}

/// Steps forward and back end where they began, in (q, p).
#[track_caller]
fn assert_symmetric<M: Method<f64, 2, 0>>(system: &dyn System<f64, 2, 0, 0>, method: &M) {
    let miss = there_and_back(system, method);
    assert!(miss < 2e-14, "{}: {miss:e}", method.name());
}

fn there_and_back<M: Method<f64, 2, 0>>(system: &dyn System<f64, 2, 0, 0>, method: &M) -> f64 {
    let start = at_momentum(system, SVector::from(START[0]), SVector::from(START[1]));
    let there = run(system, start, 5.0 * H, method);
    assert!((there.q - start.q).amax() > 0.05, "{} must move", method.name());
    let back = run(system, there, 0.0, method);
    (back.q - start.q).amax().max((momentum(system, &back) - momentum(system, &start)).amax())
}

#[test]
fn symmetric_methods_step_back_to_where_they_were() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    assert_symmetric(&double, &ImplicitMidpoint::new(H));
    assert_symmetric(&double, &Gauss::<f64, 2>::new(H));
    assert_symmetric(&double, &Gauss::<f64, 3>::new(H));
    assert_symmetric(&double, &Gauss::<f64, 4>::new(H));
    assert_symmetric(&double, &Gauss::<f64, 5>::new(H));
    assert_symmetric(&double, &Gauss::<f64, 6>::new(H).with_iteration(Iteration::FixedPoint));
    assert_symmetric(&double, &VariationalMidpoint::new(H));
    assert_symmetric(&double, &VariationalTrapezoid::new(H));
    assert_symmetric(&double, &Composition::suzuki(VariationalTrapezoid::new(H)));
    assert!(there_and_back(&double, &Rk4::new(H)) > 1e-6);
    let quartic = Quartic { a: 1.0 }.prepare::<f64>().expect("valid");
    assert_symmetric(&quartic, &Gauss::<f64, 3>::new(H));
    assert_symmetric(&quartic, &VariationalTrapezoid::new(H));
    let separable = HenonHeiles { c: 1.0 }.prepare::<f64>().expect("valid");
    assert_symmetric(&separable, &StormerVerlet::new(&separable, H));
    assert_symmetric(&separable, &Composition::kahan_li(StormerVerlet::new(&separable, H)));
    assert!(there_and_back(&separable, &SymplecticEuler::new(&separable, H)) > 1e-4);
}

#[test]
fn the_two_symplectic_euler_methods_undo_each_other() {
    let system = HenonHeiles { c: 1.0 }.prepare::<f64>().expect("valid");
    let start = at_momentum(&system, SVector::from(START[0]), SVector::from(START[1]));
    let there = run(&system, start, 5.0 * H, &SymplecticEuler::new(&system, H));
    let back = run(&system, there, 0.0, &AdjointSymplecticEuler::new(&system, H));
    assert!((back.q - start.q).amax().max((back.v - start.v).amax()) < 1e-14);
}

#[test]
fn what_the_rules_coincide_with() {
    let double = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    let start = at_momentum(&double, SVector::from(START[0]), SVector::from(START[1]));
    let gauss = run(&double, start, 1.0, &ImplicitMidpoint::new(0.05));
    let variational = run(&double, start, 1.0, &VariationalMidpoint::new(0.05));
    assert!((gauss.q - variational.q).amax().max((gauss.v - variational.v).amax()) < 1e-13);
    let separable = HenonHeiles { c: 1.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.1, 0.2], [0.3, -0.1]);
    let explicit = run(&separable, start, 5.0, &StormerVerlet::new(&separable, 0.05));
    let variational = run(&separable, start, 5.0, &VariationalTrapezoid::new(0.05));
    assert!((explicit.q - variational.q).amax().max((explicit.v - variational.v).amax()) < 1e-13);
}
