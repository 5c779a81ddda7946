//! Orders by the slope of the error, above 6 in 31 digits.

use crate::harness::run;
use crate::mechanisms::{Charge, Driven, Quartic};
use crate::near_integrable::{Double, HenonHeiles};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::DoubleDouble;

const END: f64 = 0.5;

fn start<R: Real>() -> State<R, 2> {
    State::new(R::ZERO, [0.7, 1.1].map(R::from_f64), [0.8, -0.3].map(R::from_f64))
}

fn distance<R: Real>(a: &State<R, 2>, b: &State<R, 2>) -> f64 {
    let differences = (a.q - b.q).iter().chain(&(a.v - b.v)).map(|x| x.to_f64().abs()).collect::<Vec<_>>();
    differences.into_iter().fold(0.0, f64::max)
}

/// Slopes between runs of these numbers of steps, against a reference.
#[track_caller]
fn assert_order<R: Real, M: Method<R, 2, 0>>(
    system: &dyn System<R, 2, 0, 0>,
    reference: &State<R, 2>,
    order: f64,
    counts: [u32; 3],
    method: impl Fn(R) -> M,
) {
    let end = R::from_f64(END);
    let errors = counts.map(|count| {
        let end = run(system, start(), end, &method(end / R::from_f64(f64::from(count))));
        distance(&end, reference)
    });
    for (errors, counts) in errors.windows(2).zip(counts.windows(2)) {
        let slope = (errors[0] / errors[1]).ln() / (f64::from(counts[1]) / f64::from(counts[0])).ln();
        assert!((slope - order).abs() < 0.1, "{slope} instead of {order}: {errors:?}");
    }
}

/// Gauss with 6 stages and 120 steps.
fn reference<R: Real>(system: &dyn System<R, 2, 0, 0>) -> State<R, 2> {
    let end = R::from_f64(END);
    run(system, start(), end, &Gauss::<R, 6>::new(end / R::from_f64(120.0)))
}

fn up_to_order_6(system: &dyn System<f64, 2, 0, 0>) {
    let reference = reference(system);
    assert_order(system, &reference, 2.0, [50, 100, 200], ImplicitMidpoint::new);
    assert_order(system, &reference, 2.0, [50, 100, 200], VariationalMidpoint::new);
    assert_order(system, &reference, 2.0, [50, 100, 200], VariationalTrapezoid::new);
    assert_order(system, &reference, 4.0, [20, 40, 80], Gauss::<f64, 2>::new);
    assert_order(system, &reference, 6.0, [8, 12, 16], Gauss::<f64, 3>::new);
}

#[test]
fn a_mass_matrix_that_depends_on_coordinates() {
    let system = Double { g: 9.8 }.prepare::<f64>().expect("valid");
    up_to_order_6(&system);
    let reference = reference(&system);
    assert_order(&system, &reference, 4.0, [20, 40, 80], |h| Composition::suzuki(VariationalTrapezoid::new(h)));
    assert_order(&system, &reference, 6.0, [16, 24, 32], |h| Composition::kahan_li(VariationalMidpoint::new(h)));
}

#[test]
fn other_lagrangians() {
    up_to_order_6(&Charge { b: 1.5 }.prepare::<f64>().expect("valid"));
    up_to_order_6(&Quartic { a: 1.0 }.prepare::<f64>().expect("valid"));
}

#[test]
fn forces_and_dissipation() {
    up_to_order_6(&Driven { g: 9.8, c: 0.4, torque: 3.0 }.prepare::<f64>().expect("valid"));
}

#[test]
fn separable_systems() {
    let system = HenonHeiles { c: 1.0 }.prepare::<DoubleDouble>().expect("valid");
    let reference = reference(&system);
    let verlet = |h| StormerVerlet::new(&system, h);
    assert_order(&system, &reference, 1.0, [200, 400, 800], |h| SymplecticEuler::new(&system, h));
    assert_order(&system, &reference, 1.0, [200, 400, 800], |h| AdjointSymplecticEuler::new(&system, h));
    assert_order(&system, &reference, 2.0, [50, 100, 200], verlet);
    assert_order(&system, &reference, 4.0, [50, 100, 200], |h| Composition::triple_jump(verlet(h)));
    assert_order(&system, &reference, 4.0, [20, 40, 80], |h| Composition::suzuki(verlet(h)));
    assert_order(&system, &reference, 6.0, [40, 80, 160], |h| Composition::yoshida(verlet(h)));
    assert_order(&system, &reference, 6.0, [20, 40, 80], |h| Composition::kahan_li(verlet(h)));
}

#[test]
fn up_to_order_12() {
    let system = Double { g: 9.8 }.prepare::<DoubleDouble>().expect("valid");
    let reference = reference(&system);
    assert_order(&system, &reference, 8.0, [6, 12, 24], Gauss::<DoubleDouble, 4>::new);
    assert_order(&system, &reference, 10.0, [32, 48, 64], Gauss::<DoubleDouble, 5>::new);
    assert_order(&system, &reference, 12.0, [20, 24, 28], Gauss::<DoubleDouble, 6>::new);
}
