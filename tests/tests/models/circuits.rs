//! Charges as coordinates: circuits alone, and with something that moves.

use crate::{end, energy, free, same};
use lagrange_models::{CoupledCircuits, Loudspeaker, MagneticLevitation, MotorPendulum};
use lagrange_runtime::prelude::*;

#[test]
fn coupled_circuits_beat_as_their_exact_solution_does() {
    let model = CoupledCircuits::default();
    let system = model.prepare::<f64>().expect("valid");
    let initial = CoupledCircuits::charged();
    let later = free(&system, initial, 0.05, 1e-4);
    same(&later, &model.exact(&initial, 0.05), 1e-12);
    let moving = State::new(0.01, [2e-4, -7e-4], [0.3, 0.8]);
    same(&free(&system, moving, 0.03, 1e-4), &model.exact(&moving, 0.03), 1e-12);
    // Half a beat moves the charge from one circuit to the other.
    let [slow, fast] = model.frequencies();
    let swapped = model.exact(&initial, std::f64::consts::PI / (fast - slow));
    let energies = [0, 1].map(|k| swapped.q[k] * swapped.q[k] / model.c + model.l * swapped.v[k] * swapped.v[k]);
    assert!(energies[0] < 0.05 * energies[1], "{energies:?}");
}

#[test]
fn coils_cannot_share_more_than_all_of_their_flux() {
    let model = CoupledCircuits { mutual: 0.02, ..CoupledCircuits::default() };
    assert!(model.prepare::<f64>().is_err());
}

#[test]
fn a_loudspeaker_is_its_impedance() {
    let model = Loudspeaker::default();
    let system = model.prepare::<f64>().expect("valid");
    let (amplitude, omega) = (3.0, 400.0);
    let mut amplifier =
        |t: f64, _: &SVector<f64, 2>, _: &SVector<f64, 2>| SVector::from([amplitude * (omega * t).sin()]);
    let steady = |t: f64| model.steady(amplitude, omega, t);
    same(&end(&system, steady(0.0), 0.1, 5e-4, &mut amplifier), &steady(0.1), 1e-11);
    // From rest, the slowest transient decays at about 292 − √(292² − k/m) = 134/s, 292/s being (damping + bl²/r)/(2m); only the
    // charge remembers its start.
    let rest = State::new(0.0, [0.0; 2], [0.0; 2]);
    let later = end(&system, rest, 0.4, 5e-4, &mut amplifier);
    let expected = steady(0.4);
    assert!((later.v - expected.v).amax() < 1e-12 * expected.v.amax(), "{} {}", later.v, expected.v);
    // The impedance peaks near the cone's resonance, at r + bl²/damping.
    let peak = model.impedance((model.k / model.m).sqrt()).re;
    assert!((peak - model.r - model.bl * model.bl / model.damping).abs() < 1e-12 * peak);
}

#[test]
fn a_loudspeakers_power_balance_closes() {
    let model = Loudspeaker { voltage: 5.0, ..Loudspeaker::default() };
    let system = model.prepare::<f64>().expect("valid");
    let u = SVector::from([model.voltage]);
    let (q, v) = (SVector::from([1e-3, 0.02]), SVector::from([-0.3, 0.7]));
    assert_eq!(system.power_names(), ["e", "dissipation", "time"]);
    let mut powers = [0.0; 3];
    system.powers(0.0, &q, &v, &u, &mut powers);
    let heat = model.damping * v[0] * v[0] + model.r * v[1] * v[1];
    assert!(
        (powers[0] - 5.0 * v[1]).abs() < 1e-15 && (powers[1] + heat).abs() < 1e-14 && powers[2] == 0.0,
        "{powers:?}"
    );
    // dh/dt along the motion: neither bl ė ẋ nor its partner is in it.
    let a = system.acceleration(0.0, &q, &v, &u).expect("regular").acceleration;
    let rate = model.m * v[0] * a[0] + model.k * q[0] * v[0] + model.l * v[1] * a[1];
    assert!((rate - powers.iter().sum::<f64>()).abs() < 1e-12);
}

#[test]
fn a_ball_hovers_where_it_is_held_and_leaves_at_the_known_rate() {
    let model = MagneticLevitation::default();
    let system = model.prepare::<f64>().expect("valid");
    let held = model.held(0.05);
    let a = system.acceleration(0.0, &held.q, &held.v, &SVector::from([model.voltage])).expect("regular").acceleration;
    assert!(a.amax() < 1e-13, "{a}");
    // m g = l0 i²/(2 a (1 + y/a)²): 19.8 A at 0.05 m.
    assert!((model.holding_current(0.05) - 2.0 * 9.81_f64.sqrt() * (1e-1_f64 * 0.1 / 0.01).sqrt()).abs() < 1e-12);
    // A deviation along the unstable direction: δi follows from (l s + r) δi = β s δy.
    let (rate, size) = (model.growth_rate(0.05), 1e-8);
    let beta = model.l0 * held.v[1] / (model.a * 4.0);
    let current = beta * rate / ((model.l1 + model.l0 / 2.0) * rate + model.r);
    let mut state = held;
    state.q[0] += size;
    state.v += SVector::from([rate * size, current * size]);
    let time = 3.0 / rate;
    let gained = free(&system, state, time, time / 60.0).q[0] - 0.05;
    assert!((gained / (size * 3.0_f64.exp()) - 1.0).abs() < 1e-5, "{gained:e}");
}

#[test]
fn a_controller_holds_the_ball() {
    let model = MagneticLevitation::default();
    let system = model.prepare::<f64>().expect("valid");
    let held = model.held(0.05);
    // Three poles at −40/s for m s² δy = κ δy − β δi, l s δi = δu − r δi + β s δy.
    let (beta, l) = (model.l0 * held.v[1] / (model.a * 4.0), model.l1 + model.l0 / 2.0);
    let kappa = beta * held.v[1] / (model.a * 2.0);
    let pole = 40.0;
    let by_current = model.r + model.damping * l / model.m - 3.0 * pole * l;
    let inner = (by_current - model.r) / l;
    let by_speed = (3.0 * pole * pole + kappa / model.m + inner * model.damping / model.m) * model.m * l / beta - beta;
    let by_place = (pole * pole * pole - inner * kappa / model.m) * model.m * l / beta;
    let mut controller = |_: f64, q: &SVector<f64, 2>, v: &SVector<f64, 2>| {
        let deviation = by_place * (q[0] - 0.05) + by_speed * v[0] + by_current * (v[1] - held.v[1]);
        SVector::from([model.voltage + deviation])
    };
    let caught = end(&system, MagneticLevitation::let_go(), 1.0, 1e-3, &mut controller);
    assert!((caught.q[0] - 0.05).abs() < 1e-10, "{}", caught.q);
    // Without it the ball falls: 2 mm in 0.1 s, from 1 mm.
    assert!(free(&system, MagneticLevitation::let_go(), 0.1, 1e-3).q[0] > 0.052);
}

#[test]
fn a_motor_holds_its_pendulum_and_turns_freely_as_calculated() {
    let model = MotorPendulum::default();
    let voltage = model.holding_voltage(0.7);
    let system = MotorPendulum { voltage, ..model.clone() }.prepare::<f64>().expect("valid");
    let held = State::new(0.0, [0.7, 0.0], [0.0, voltage / model.r]);
    let a = system.acceleration(0.0, &held.q, &held.v, &SVector::from([voltage])).expect("regular").acceleration;
    assert!(a.amax() < 1e-11, "{a}");
    // Without gravity, from rest: the two decay rates are the roots of (J s + damping)(l s + r) + k² = 0.
    let weightless = MotorPendulum { g: 0.0, voltage: 6.0, ..model.clone() };
    let inertia = model.j + model.m * model.l * model.l;
    let (half, product) = (
        (model.r / model.inductance + model.damping / inertia) / 2.0,
        (model.k * model.k + model.r * model.damping) / (inertia * model.inductance),
    );
    let root = (half * half - product).sqrt();
    let (fast, slow) = (-half - root, product / (-half - root));
    let t = 1.5;
    let part = (fast * (slow * t).exp() - slow * (fast * t).exp()) / (fast - slow);
    let speed = model.free_speed(6.0) * (1.0 - part);
    assert!(part > 0.1, "there must be transients: {part}");
    let rest = State::new(0.0, [0.0; 2], [0.0; 2]);
    let later = free(&weightless.prepare::<f64>().expect("valid"), rest, t, 1e-3);
    assert!((later.v[0] / speed - 1.0).abs() < 1e-11, "{} instead of {speed}", later.v[0]);
}

#[test]
fn short_circuited_brushes_brake() {
    let model = MotorPendulum::default();
    let system = model.prepare::<f64>().expect("valid");
    let start = MotorPendulum::released();
    let later = free(&system, start, 2.0, 2e-3);
    let lost = energy(&system, &start) - energy(&system, &later);
    // The energy at rest is −m g l.
    assert!(lost > 0.05 && energy(&system, &later) > -model.m * model.g * model.l, "{lost}");
}
