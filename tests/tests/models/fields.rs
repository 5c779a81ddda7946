//! A particle in fields: a velocity in L, and chaos.

use crate::{energy, free, same};
use lagrange_models::{ChargeInFields, DrivenPendulum, HenonHeiles, MagneticPendulum};
use lagrange_runtime::prelude::*;

#[test]
fn a_charge_drifts_and_goes_round_at_the_cyclotron_frequency() {
    let model = ChargeInFields { m: 1.3, e: -0.7, b: 2.0, ex: 0.4, ez: -0.05 };
    let system = model.prepare::<f64>().expect("valid");
    let start = State::new(0.5, [0.3, -0.2, 0.1], [1.0, 0.6, -0.4]);
    same(&free(&system, start, 20.5, 0.1), &model.exact(&start, 20.5), 1e-13);
    // Without an electric field, round a circle after one period.
    let model = ChargeInFields { ex: 0.0, ez: 0.0, ..ChargeInFields::default() };
    let system = model.prepare::<f64>().expect("valid");
    let start = ChargeInFields::crossing();
    let period = 2.0 * std::f64::consts::PI / model.cyclotron_frequency();
    let round = free(&system, start, period, period / 40.0);
    assert!((round.q - SVector::from([0.0, 0.0, 0.2 * period])).amax() < 1e-14 && (round.v - start.v).amax() < 1e-14);
    // Seen against the field, clockwise: from the origin along x, it goes to negative y.
    let quarter = free(&system, start, period / 4.0, period / 40.0);
    assert!((quarter.q[0] - 1.0).abs() < 1e-14 && (quarter.q[1] + 1.0).abs() < 1e-14, "{}", quarter.q);
}

#[test]
fn the_energy_of_a_charge_has_no_part_of_the_magnetic_field() {
    let model = ChargeInFields::default();
    let system = model.prepare::<f64>().expect("valid");
    let state = State::new(0.0, [0.3, 0.2, -0.7], [1.0, -2.0, 0.5]);
    let expected = model.m * state.v.norm_squared() / 2.0 - model.e * (model.ex * state.q[0] + model.ez * state.q[2]);
    assert!((energy(&system, &state) - expected).abs() < 1e-15);
    assert!(system.facts().conservative && !system.facts().separable);
}

#[test]
fn the_axial_motion_has_its_elliptic_period() {
    let system = HenonHeiles::default().prepare::<f64>().expect("valid");
    for level in [0.02, 0.125, 0.16] {
        let ([low, high], period) = HenonHeiles::axial_period(level);
        let start = State::new(0.0, [0.0, low], [0.0, 0.0]);
        assert!((energy(&system, &start) - level).abs() < 1e-15, "{low}");
        // The acceleration at the turning point, and what the period's last digits leave of it.
        let round = free(&system, start, period, period / 100.0);
        assert!((round.q - start.q).amax() < 1e-13 && round.v.amax() < 1e-13, "{} {}", round.q, round.v);
        let half = free(&system, start, period / 2.0, period / 100.0);
        assert!((half.q[1] - high).abs() < 1e-12 && half.v.amax() < 1e-12, "{} {}", half.q, half.v);
    }
    // Small motions have the period 2π of the quadratic part.
    assert!((HenonHeiles::axial_period(1e-9).1 - 2.0 * std::f64::consts::PI).abs() < 1e-8);
}

#[test]
fn the_saddles_are_at_the_escape_energy() {
    let system = HenonHeiles::default().prepare::<f64>().expect("valid");
    let root = 3.0_f64.sqrt() / 2.0;
    for [x, y] in [[0.0, 1.0], [root, -0.5], [-root, -0.5]] {
        let state = State::new(0.0, [x, y], [0.0, 0.0]);
        let a = system.acceleration(0.0, &state.q, &state.v, &SVector::from([])).expect("regular").acceleration;
        assert!(a.amax() < 1e-15 && (energy(&system, &state) - HenonHeiles::ESCAPE).abs() < 1e-15);
    }
}

#[test]
fn regular_and_chaotic_motions_stand_side_by_side() {
    // The published section at E = 1/8: neighbours of a state among the islands part slowly, those in the sea exponentially.
    let system = HenonHeiles::default().prepare::<f64>().expect("valid");
    let parting = |y: f64, y_dot: f64| {
        let start = HenonHeiles::section(0.125, y, y_dot);
        assert!((energy(&system, &start) - 0.125).abs() < 1e-15);
        let mut near = start;
        near.q[1] += 1e-9;
        (free(&system, start, 300.0, 0.1).q - free(&system, near, 300.0, 0.1).q).norm() / 1e-9
    };
    let (regular, chaotic) = (parting(0.3, 0.0), parting(-0.15, 0.0));
    assert!(regular < 1e4 && chaotic > 1e5, "{regular:e} {chaotic:e}");
}

/// G. L. Baker, J. P. Gollub, *Chaotic Dynamics*, chapter 3: the number of states at one phase of the drive, once the start is forgotten.
#[test]
fn a_driven_pendulum_repeats_after_one_or_two_periods_or_never() {
    let period = 3.0 * std::f64::consts::PI;
    for (drive, states) in [(0.9, Some(1)), (1.07, Some(2)), (1.15, None), (1.35, Some(1)), (1.45, Some(2))] {
        let system = DrivenPendulum { drive, ..DrivenPendulum::default() }.prepare::<f64>().expect("valid");
        let mut state = DrivenPendulum::released();
        let mut speeds: Vec<f64> = Vec::new();
        for index in 1..=60 {
            state = free(&system, state, period * f64::from(index), 0.3);
            let known = speeds.iter().any(|speed| (speed - state.v[0]).abs() < 1e-3);
            if index > 50 && !known {
                speeds.push(state.v[0]);
            }
        }
        assert!(states.map_or(speeds.len() > 6, |states| speeds.len() == states), "{drive}: {speeds:?}");
    }
    // The linear response to a weak drive.
    let weak = DrivenPendulum { drive: 1e-4, ..DrivenPendulum::default() };
    let system = weak.prepare::<f64>().expect("valid");
    let State { q, v, .. } = free(&system, State::new(0.0, [0.0], [0.0]), 30.0 * period, 0.3);
    let amplitude = q[0].hypot(v[0] / weak.omega);
    assert!((amplitude * (5.0_f64 / 9.0).hypot(1.0 / 3.0) / weak.drive - 1.0).abs() < 1e-6, "{amplitude}");
}

#[test]
fn a_magnetic_pendulum_has_the_symmetries_of_its_magnets_and_rests_at_one() {
    let system = MagneticPendulum::default().prepare::<f64>().expect("valid");
    let start = State::new(0.0, [-0.6, 0.4], [0.3, -0.2]);
    let (sine, cosine) = (2.0 * std::f64::consts::FRAC_PI_3).sin_cos();
    let turned = |x: SVector<f64, 2>| SVector::from([cosine * x[0] - sine * x[1], sine * x[0] + cosine * x[1]]);
    let reflected = |x: SVector<f64, 2>| SVector::from([x[0], -x[1]]);
    let end = free(&system, start, 3.0, 0.01);
    for map in [&turned as &dyn Fn(SVector<f64, 2>) -> SVector<f64, 2>, &reflected] {
        let mapped = free(&system, State { q: map(start.q), v: map(start.v), ..start }, 3.0, 0.01);
        assert!((mapped.q - map(end.q)).amax() < 1e-11 && (mapped.v - map(end.v)).amax() < 1e-11, "{}", mapped.q);
    }
    // A start on the line through a magnet and the centre ends there, where the pull of the magnets balances the weight. `pull` is the
    // part along x of the force by a magnet at (`at_x`, `at_y`).
    let rest = free(&system, State::new(0.0, [1.4, 0.0], [0.0, 0.0]), 280.0, 0.05);
    let pull = |x: f64, [at_x, at_y]: [f64; 2]| (at_x - x) / ((at_x - x).powi(2) + at_y * at_y + 0.0625).powf(1.5);
    let force = -0.5 * rest.q[0] + pull(rest.q[0], [1.0, 0.0]) + 2.0 * pull(rest.q[0], [-0.5, 3.0_f64.sqrt() / 2.0]);
    assert!(force.abs() < 1e-8 && (rest.q[0] - 1.0).abs() < 0.02 && rest.q[1] == 0.0, "{force:e} at {}", rest.q);
}
