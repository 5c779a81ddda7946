//! The published figures of the compound double pendulum over 500 s: the energy errors of RK4 and Verlet at 1 ms, and the mean steps
//! of RKF45 under an absolute limit.

use crate::common::compound_pendulum;
use lagrange_runtime::prelude::*;
use std::f64::consts::{FRAC_PI_4, PI};
use std::ops::ControlFlow;

fn start() -> State<f64, 2> {
    State::new(0.0, [FRAC_PI_4, 0.0], [0.0, 0.0])
}

fn energy(state: &State<f64, 2>) -> f64 {
    compound_pendulum().energies(state.t, &state.q, &state.v, &SVector::repeat(0.0)).energy
}

fn largest_energy_error<M: Method<f64, 2, 0>>(method: &M) -> f64 {
    let system = compound_pendulum();
    let system: &dyn System<f64, 2, 0, 0> = &system;
    let mut state = start();
    let (initial, mut largest) = (energy(&state), 0.0_f64);
    let mut observer = |step: &StepView<f64, 2>| {
        largest = largest.max((energy(&step.end) - initial).abs());
        ControlFlow::Continue(())
    };
    let options = Options::default();
    integrate(system, &mut state, 500.0, method, &options, &mut DefaultInputs::of(system), &mut observer).unwrap();
    largest
}

#[track_caller]
fn assert_near(ours: f64, expected: f64, relative: f64) {
    assert!((ours / expected - 1.0).abs() <= relative, "{ours:e} is not {expected:e} within {relative:e}");
}

#[test]
fn rk4_has_the_checked_energy_error() {
    assert_near(largest_energy_error(&Rk4::new(1e-3)), 5.24e-8, 0.01);
}

#[test]
fn verlet_has_the_checked_energy_error() {
    assert_near(largest_energy_error(&Verlet::new(1e-3)), 2.55e-3, 0.01);
}

fn mean_step(initial: State<f64, 2>, method: &Rkf45<f64>) -> f64 {
    let mut state = initial;
    let system = compound_pendulum();
    let options = Options::default();
    let report =
        integrate(&system, &mut state, 500.0, method, &options, &mut DefaultInputs::of(&system), &mut ()).unwrap();
    assert_eq!(state.t, 500.0);
    500.0 / report.statistics.steps as f64
}

#[test]
fn an_absolute_limit_takes_the_checked_mean_steps() {
    let maximum = |law| Rkf45::new().with_absolute_limit(1e-11, ErrorMeasure::MaximumNorm, law);
    assert_near(mean_step(start(), &Rkf45::new().with_energy_limit(1e-10)), 3.18e-3, 0.002);
    assert_near(mean_step(start(), &maximum(StepLaw::Halved)), 2.38e-3, 0.002);
    assert_near(mean_step(start(), &maximum(StepLaw::Safety)), 2.458e-3, 0.001);
}

#[test]
fn an_absolute_limit_takes_the_checked_mean_steps_in_chaos() {
    // Perturbations of 1e-14 spread the mean steps by a few per cent.
    let chaotic = State::new(0.0, [PI, PI * 179.0 / 180.0], [0.0, 0.0]);
    let energy = mean_step(chaotic, &Rkf45::new().with_energy_limit(1e-10));
    assert!((1.45e-3..1.63e-3).contains(&energy), "{energy}");
    let safety =
        mean_step(chaotic, &Rkf45::new().with_absolute_limit(1e-11, ErrorMeasure::MaximumNorm, StepLaw::Safety));
    assert!((1.36e-3..1.45e-3).contains(&safety), "{safety}");
}
