//! The outer solar system against a computation in 36 digits, and its ten constants.

use crate::{energy, free};
use lagrange_models::OuterSolarSystem;
use lagrange_runtime::prelude::*;

/// The planets at the end of a motion, against the reference, in astronomical units.
fn error(found: &State<f64, 18>) -> f64 {
    (found.q - OuterSolarSystem::after_20_000_days().q).amax()
}

#[test]
fn the_planets_are_where_an_independent_computation_has_them() {
    let system = OuterSolarSystem::default().prepare::<f64>().expect("valid");
    let start = OuterSolarSystem::on_5_september_1994();
    let exact = OuterSolarSystem::after_20_000_days();
    let options = Options { rtol: 1e-13.into(), atol: 1e-15.into(), ..Options::default() };
    let mut later = start;
    integrate(&system, &mut later, 20_000.0, &Dop853::new(), &options, &mut DefaultInputs::of(&system), &mut ())
        .expect("the integration succeeds");
    // Five periods of Jupiter; coordinates up to 40.
    assert!(error(&later) < 1e-10 && (later.v - exact.v).amax() < 1e-13, "{:e}", error(&later));
    // The method of the source, by its order.
    let errors = [40.0, 20.0].map(|h| {
        let mut state = start;
        let method = StormerVerlet::new(&system, h);
        integrate(
            &system,
            &mut state,
            20_000.0,
            &method,
            &Options::default(),
            &mut DefaultInputs::of(&system),
            &mut (),
        )
        .expect("the integration succeeds");
        error(&state)
    });
    assert!(((errors[0] / errors[1]).log2() - 2.0).abs() < 0.05, "{errors:?}");
}

#[test]
fn energy_momentum_and_angular_momentum_stay() {
    let model = OuterSolarSystem::default();
    let system = model.prepare::<f64>().expect("valid");
    let constants = |state: &State<f64, 18>| {
        let mut sums = [0.0; 6];
        for (i, mass) in model.m.iter().enumerate() {
            let place: SVector<f64, 3> = state.q.fixed_rows::<3>(3 * i).into_owned();
            let momentum = state.v.fixed_rows::<3>(3 * i) * *mass;
            let spin = place.cross(&momentum);
            for k in 0..3 {
                sums[k] += momentum[k];
                sums[3 + k] += spin[k];
            }
        }
        sums
    };
    let start = OuterSolarSystem::on_5_september_1994();
    // E₀ = −3.215453183208163567585e-8, computed in 36 digits.
    assert!((energy(&system, &start) / -3.215_453_183_208_163_6e-8 - 1.0).abs() < 1e-14);
    let later = free(&system, start, 50_000.0, 250.0);
    for (before, after) in constants(&start).into_iter().zip(constants(&later)) {
        assert!((after - before).abs() < 1e-18, "{before:e} {after:e}");
    }
    assert!((energy(&system, &later) / energy(&system, &start) - 1.0).abs() < 1e-10);
}
