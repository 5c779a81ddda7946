//! A block that sticks and slips, a pad that is pulled off, and a slice that tips over an edge.

use lagrange_models::{BeltBlock, StickyPad, TumblingToast};
use lagrange_runtime::instant::{Cause, Phase};
use lagrange_runtime::prelude::*;

/// The times at which a row goes into a phase.
fn times<const N: usize>(solution: &Solution<f64, N>, row: &'static str, phase: Phase) -> Vec<f64> {
    let goes = solution.instants.iter().filter(|instant| instant.cause == Cause::Phase(row, phase));
    goes.map(|instant| instant.after.t).collect()
}

#[test]
fn the_block_on_the_belt_has_the_cycle_of_its_closed_form() {
    let block = BeltBlock { m: 1.3, k: 55.0, u: 0.17, ..BeltBlock::default() };
    let system = block.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-11.into(), atol: 1e-12.into(), ..Options::default() };
    let start = State::new(0.0, [0.0], [block.u]);
    let solution = solve(&system, start, 12.0, &Dop853::new(), &options).expect("regular");
    let breaks = times(&solution, "belt", Phase::SlipsBackward);
    let sticks = times(&solution, "belt", Phase::Sticks);
    assert!(sticks.len() > 8 && breaks.len() >= sticks.len(), "{:?}", solution.instants);
    assert!((breaks[0] - block.breaks_at() / block.u).abs() < 1e-9, "{breaks:?}");
    for (broken, stuck) in breaks.iter().zip(&sticks) {
        assert!((stuck - broken - block.slip_time()).abs() < 1e-8, "{broken} {stuck}");
    }
    for (stuck, broken) in sticks.iter().zip(&breaks[1..]) {
        assert!((broken - stuck - block.stick_time()).abs() < 1e-8, "{stuck} {broken}");
    }
}

#[test]
fn a_slow_pull_off_costs_the_energy_of_the_spring() {
    let mut rests = Vec::new();
    for omega in [1.0, 0.5, 0.25] {
        let pad = StickyPad { f: 4.0, omega, ..StickyPad::default() };
        let system = pad.prepare::<f64>().expect("valid");
        let period = 2.0 * std::f64::consts::PI / omega;
        let options = Options { rtol: 1e-10.into(), atol: 1e-12.into(), ..Options::default() };
        let solution = solve(&system, StickyPad::stuck(), 2.0 * period, &Dop853::new(), &options).expect("regular");
        let opened = times(&solution, "plate", Phase::Open);
        assert!((opened[0] - pad.lets_go_at()).abs() < 1e-9, "{opened:?}");
        assert!(opened.iter().any(|t| (t - period - pad.lets_go_at()).abs() < 1e-9), "{opened:?}");
        let work = solution.last().expect("steps").v[1] / 2.0;
        assert!((work / pad.work_of_a_slow_cycle() - 1.0).abs() < 0.1 * omega, "{work}");
        rests.push(work - pad.work_of_a_slow_cycle() - pad.drag_of_a_cycle());
    }
    // What is left is of the second order in ω.
    for pair in rests.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.4, "{rests:?}");
    }
}

/// The slice lands on one of its four vertices.
const LANDINGS: [Cause; 4] =
    [Cause::Impact("floor[0]"), Cause::Impact("floor[1]"), Cause::Impact("floor[2]"), Cause::Impact("floor[3]")];

#[test]
fn the_toast_slips_where_the_friction_of_the_edge_ends() {
    for (mu, overhang) in [(0.1, 0.002), (0.4, 0.002), (0.4, 0.02), (1.3, 0.01)] {
        let toast = TumblingToast { mu, ..TumblingToast::default() };
        let system = toast.prepare::<f64>().expect("valid");
        let options = Options { rtol: 1e-11.into(), atol: 1e-12.into(), ends_at: &LANDINGS, ..Options::default() };
        let solution = solve(&system, toast.laid(overhang), 5.0, &Dop853::new(), &options).expect("it falls");
        let slips = solution.instants.iter().find(|instant| matches!(instant.cause, Cause::Phase("edge.slip", _)));
        let slips = slips.expect("it slips").after;
        let tilt = toast.slips_at(overhang);
        assert!((-slips.q[2] - tilt).abs() < 1e-8, "{mu} {overhang}: {slips:?} {tilt}");
        assert!((-slips.v[2] - toast.turning(overhang, tilt)).abs() < 1e-7, "{mu} {overhang}: {slips:?}");
    }
    // A thin slice on a sharp edge.
    let thin = TumblingToast { b: 1e-7, r: 1e-8, ..TumblingToast::default() };
    let overhang = 0.012;
    let ratio = overhang / thin.a;
    assert!((thin.slips_at(overhang).tan() - thin.mu / (1.0 + 9.0 * ratio * ratio)).abs() < 1e-5);
}

/// The pad is held at 0: its height has no size but the rounding of the forces that cancel, and that of the adhesion from which they are counted.
#[test]
fn a_pad_that_has_not_moved_yet_costs_few_steps() {
    fn steps(method: &impl Method<f64, 2, 0>, end: f64) -> u64 {
        let system = StickyPad::default().prepare::<f64>().expect("valid");
        let atol = Tolerance::Following { most: f64::MAX };
        let options = Options { rtol: 1e-9.into(), atol, max_steps: Some(2000), ..Options::default() };
        let solution = solve(&system, StickyPad::stuck(), end, method, &options).expect("it is held");
        assert_eq!(solution.last().expect("steps").q[0], 0.0);
        solution.statistics.steps + solution.statistics.rejected
    }
    for end in [1e-3, 1e-2, 0.1] {
        let made = [steps(&Dop853::new(), end), steps(&DormandPrince5::new(), end), steps(&Radau5::new(), end)];
        assert!(made.iter().all(|made| *made < 300), "{end}: {made:?}");
    }
}
