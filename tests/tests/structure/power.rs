//! With forces and dissipation, the energy changes by their work, to the method's order.

use crate::mechanisms::Driven;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::DoubleDouble;
use std::ops::ControlFlow;

const END: f64 = 1.6;

/// What is missing in the power balance over `count` steps (a multiple of 6): the gain of energy less the work, by
/// the Newton–Cotes rule of seven points over the states at the steps' ends, whose own error is of order 8.
fn imbalance<R: Real, M: Method<R, 2, 0>>(system: &dyn System<R, 2, 0, 0>, method: &M, count: usize) -> f64 {
    let none = SVector::repeat(R::ZERO);
    let power = |state: &State<R, 2>| {
        let mut terms = vec![R::ZERO; system.power_names().len()];
        system.powers(state.t, &state.q, &state.v, &none, &mut terms);
        terms.into_iter().fold(R::ZERO, |sum, term| sum + term)
    };
    let energy = |state: &State<R, 2>| system.energies(state.t, &state.q, &state.v, &none).energy;
    let start = State::new(R::ZERO, [0.7, -0.3].map(R::from_f64), [0.5, 0.2].map(R::from_f64));
    let mut state = start;
    let mut powers = vec![power(&start)];
    let mut observer = |step: &StepView<R, 2>| {
        powers.push(power(&step.end));
        ControlFlow::Continue(())
    };
    let (options, mut inputs) = (Options::default(), DefaultInputs::of(system));
    integrate(system, &mut state, R::from_f64(END), method, &options, &mut inputs, &mut observer)
        .expect("the integration succeeds");
    assert_eq!(powers.len(), count + 1);
    let weight = |index: usize| match index % 6 {
        0 if index == 0 || index == count => 41.0,
        0 => 82.0,
        1 | 5 => 216.0,
        2 | 4 => 27.0,
        _ => 272.0,
    };
    let weighted = powers.iter().enumerate().map(|(index, power)| R::from_f64(weight(index)) * *power);
    let work = weighted.fold(R::ZERO, |sum, term| sum + term) * (step::<R>(count) / R::from_f64(140.0));
    let gain = energy(&state) - energy(&start);
    assert!(gain.to_f64().abs() > 0.1, "there must be work");
    (gain - work).to_f64()
}

/// The step of which `count` reach the end.
fn step<R: Real>(count: usize) -> R {
    R::from_f64(END) / R::from_f64(count as f64)
}

#[track_caller]
fn assert_order<R: Real, M: Method<R, 2, 0>>(
    system: &dyn System<R, 2, 0, 0>,
    order: f64,
    counts: [usize; 3],
    method: impl Fn(R) -> M,
) {
    let errors = counts.map(|count| imbalance(system, &method(step(count)), count).abs());
    for pair in errors.windows(2) {
        let slope = (pair[0] / pair[1]).log2();
        assert!((slope - order).abs() < 0.15, "{slope} instead of {order}: {errors:?}");
    }
}

#[test]
fn the_power_balance_closes_to_the_methods_order() {
    let system = Driven { g: 9.8, c: 0.3, torque: 4.0 }.prepare::<f64>().expect("valid");
    assert_order(&system, 2.0, [96, 192, 384], ImplicitMidpoint::new);
    assert_order(&system, 2.0, [96, 192, 384], VariationalTrapezoid::new);
    assert_order(&system, 4.0, [96, 192, 384], Gauss::<f64, 2>::new);
    assert_order(&system, 4.0, [96, 192, 384], |h| Gauss::<f64, 2>::new(h).with_iteration(Iteration::FixedPoint));
    assert_order(&system, 4.0, [96, 192, 384], |h| Composition::suzuki(VariationalMidpoint::new(h)));
    // Below the quadrature's own error only where steps are so short that doubles do not show it.
    let precise = Driven { g: 9.8, c: 0.3, torque: 4.0 }.prepare::<DoubleDouble>().expect("valid");
    assert_order(&precise, 6.0, [768, 1536, 3072], Gauss::<DoubleDouble, 3>::new);
}
