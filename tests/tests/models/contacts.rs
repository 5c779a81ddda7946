//! Contacts: a ball that bounces, a block that rocks, a bridge of diodes, and a top that turns over.

use lagrange_models::{BouncingBall, FullWaveRectifier, RockingBlock, TippeTop};
use lagrange_runtime::prelude::*;

#[test]
fn the_ball_rests_when_its_bounces_are_over() {
    let ball = BouncingBall { m: 0.3, ..BouncingBall::default() };
    let system = ball.prepare::<f64>().expect("valid");
    let start = BouncingBall::dropped();
    let solution = solve(&system, start, 4.0, &DormandPrince5::new(), &Options::default()).expect("it rests");
    let last = solution.states().filter(|state| state.v[0] != 0.0).last().expect("it falls");
    assert!((last.t - ball.rests_at(start.q[0])).abs() < 1e-9, "{last:?}");
    assert_eq!(solution.last().expect("steps").q[0], 0.0);
}

#[test]
fn each_impact_of_the_rocking_block_has_housners_ratio() {
    let block = RockingBlock { m: 3.0, b: 0.25, ..RockingBlock::default() };
    let system = block.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), dense_output: true, ..Options::default() };
    let solution = solve(&system, block.tilted(0.2), 3.0, &Dop853::new(), &options).expect("regular");
    let steps = solution.dense.as_ref().expect("asked for");
    let mut impacts = 0;
    for pair in steps.windows(2) {
        let (before, after) = (pair[0].end().v[2], pair[1].start().v[2]);
        if (after - before).abs() > 1e-2 {
            impacts += 1;
            assert!((after / before - block.ratio()).abs() < 1e-8, "{before} {after}");
        }
    }
    assert!(impacts > 4, "{:?}", solution.statistics);
    // The audit finds what the impacts took.
    let audit =
        lagrange_runtime::analysis::power_audit(&system, &solution, |_, _, _| SVector::from([])).expect("dense");
    assert!(audit.residual.abs() < 1e-8 * audit.impacts.abs() && audit.impacts < 0.0, "{audit:?}");
}

#[test]
fn the_bridge_conducts_in_pulses_of_the_closed_form() {
    let bridge = FullWaveRectifier::default();
    let system = bridge.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    let current = |t: f64| {
        let solution = solve(&system, FullWaveRectifier::at_rest(), t, &Dop853::new(), &options).expect("regular");
        system.outputs_of(&solution.last().expect("steps"))[0].1
    };
    let begun = bridge.conducts_from();
    assert_eq!(current(0.999 * begun), 0.0);
    for t in [1.5 * begun, 2.0 * begun, 4.0 * begun] {
        assert!((current(t) - bridge.pulse(t)).abs() < 1e-7, "{} at {t}", current(t));
        // The other half of the period has the same pulse the other way, which the bridge turns.
        let half = std::f64::consts::PI / bridge.omega;
        assert!((current(t + half) - bridge.pulse(t)).abs() < 1e-7, "{} at {t}", current(t + half));
    }
}

#[test]
fn the_tippe_top_stands_upside_down_with_jelletts_spin() {
    let top = TippeTop { mu: 0.15, ..TippeTop::default() };
    let system = top.prepare::<f64>().expect("valid");
    let (lean, spin) = (0.2, 155.0);
    let options = Options { rtol: 1e-9.into(), atol: 1e-9.into(), ..Options::default() };
    let method = Projected::new(Dop853::new());
    let last = solve(&system, top.spun(lean, spin), 3.0, &method, &options).expect("regular").last().expect("steps");
    let outputs = system.outputs_of(&last);
    let (up, jellett) = (outputs[0].1, outputs[1].1);
    assert!((jellett / top.jellett(lean, spin) - 1.0).abs() < 1e-7, "{outputs:?}");
    // It leans by 4 degrees, and spins as fast as Jellett's integral says, but for the part that turns with the leaning axis.
    let q = last.q.fixed_rows::<4>(3);
    let rate = last.v.fixed_rows::<4>(3);
    let about_vertical = 2.0 * (q[0] * rate[3] - q[3] * rate[0] + q[1] * rate[2] - q[2] * rate[1]);
    assert!(up < -0.99, "{up}");
    assert!((about_vertical / top.spin_inverted(lean, spin) - 1.0).abs() < 0.02, "{about_vertical}");
}
