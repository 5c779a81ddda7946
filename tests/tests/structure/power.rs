//! With forces and dissipation, the energy changes by their work, to the method's order.

use crate::mechanisms::Driven;
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

const END: f64 = 1.6;

/// What is missing in the power balance over `count` steps (a multiple of 4): the gain of energy less the work, by
/// Boole's rule over the states at the steps' ends, whose own error is of order 6.
fn imbalance<S: System<f64, 2, 0, 0>, M: Method<S, f64, 2, 0, 0>>(system: &S, method: &M, count: usize) -> f64 {
    let none = SVector::from([]);
    let power = |state: &State<f64, 2>| {
        let mut terms = vec![0.0; system.power_names().len()];
        system.powers(state.t, &state.q, &state.v, &none, &mut terms);
        terms.iter().sum::<f64>()
    };
    let energy = |state: &State<f64, 2>| system.energies(state.t, &state.q, &state.v, &none).energy;
    let start = State::new(0.0, [0.7, -0.3], [0.5, 0.2]);
    let mut state = start;
    let mut powers = vec![power(&start)];
    let mut observer = |step: &StepView<f64, 2>| {
        powers.push(power(&step.end));
        ControlFlow::Continue(())
    };
    let (options, mut inputs) = (Options::default(), DefaultInputs::of(system));
    integrate(system, &mut state, END, method, &options, &mut inputs, &mut observer).expect("it goes on");
    assert_eq!(powers.len(), count + 1);
    let weight = |index: usize| match index % 4 {
        _ if index == 0 || index == count => 7.0,
        0 => 14.0,
        2 => 12.0,
        _ => 32.0,
    };
    let sum: f64 = powers.iter().enumerate().map(|(index, power)| weight(index) * power).sum();
    let work = sum * (END / count as f64) * 2.0 / 45.0;
    assert!((energy(&state) - energy(&start)).abs() > 0.1, "there must be work");
    energy(&state) - energy(&start) - work
}

#[track_caller]
fn assert_order<S: System<f64, 2, 0, 0>, M: Method<S, f64, 2, 0, 0>>(
    system: &S,
    order: f64,
    counts: [usize; 3],
    method: impl Fn(f64) -> M,
) {
    let errors = counts.map(|count| imbalance(system, &method(END / count as f64), count).abs());
    for pair in errors.windows(2) {
        let slope = (pair[0] / pair[1]).log2();
        assert!((slope - order).abs() < 0.15, "{slope} instead of {order}: {errors:?}");
    }
}

#[test]
fn the_power_balance_closes_to_the_methods_order() {
    let system = Driven { g: 9.8, c: 0.3, torque: 4.0 }.prepare::<f64>().expect("valid");
    assert_order(&system, 2.0, [128, 256, 512], ImplicitMidpoint::new);
    assert_order(&system, 2.0, [128, 256, 512], VariationalTrapezoid::new);
    assert_order(&system, 4.0, [128, 256, 512], Gauss::<f64, 2>::new);
    assert_order(&system, 4.0, [128, 256, 512], |h| Composition::suzuki(VariationalMidpoint::new(h)));
}
