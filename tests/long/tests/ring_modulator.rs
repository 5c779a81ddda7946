//! The ring modulator against its published solution: diodes, and oscillations of some megahertz over thousands of periods.

use lagrange_runtime::prelude::*;
use lagrange_tests::stiff::{RING_MODULATOR, RingModulator};

fn check<M: Method<f64, 15, 0>>(method: &M, rtol: f64, (most, attempts): (f64, u64)) {
    let system = RingModulator {}.prepare::<f64>().expect("regular");
    let options = Options { rtol: rtol.into(), atol: (rtol * 1e-3).into(), ..Options::default() };
    let mut state = RING_MODULATOR.start();
    let mut inputs = DefaultInputs::of(&system);
    let report = integrate(&system, &mut state, RING_MODULATOR.end, method, &options, &mut inputs, &mut ())
        .unwrap_or_else(|error| panic!("{}: {error}", method.name()));
    let made = report.statistics.steps + report.statistics.rejected;
    let error = RING_MODULATOR.error(&state);
    assert!(error < most && made < attempts, "{}: an error of {error:e} after {made} attempts", method.name());
}

#[test]
fn the_ring_modulator_is_met() {
    check(&Radau13::new(), 1e-8, (1e-9, 41_000));
    check(&VariableRadau::new(), 1e-8, (1e-9, 41_000));
    check(&Rodas5P::new(), 1e-6, (1e-4, 91_000));
}
