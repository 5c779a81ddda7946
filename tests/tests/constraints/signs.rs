//! The signs of design §2: λ, γ, the reaction and its power.

use super::mechanisms::{bead, on_the_wire, rod};
use lagrange_runtime::prelude::*;

#[test]
fn the_rods_tension_is_minus_lambda() {
    let model = rod();
    let system = model.prepare::<f64>().expect("valid");
    let (angle, rate) = (0.7_f64, 1.9);
    let (sin, cos) = angle.sin_cos();
    let q = SVector::from([model.l * sin, -model.l * cos]);
    let v = SVector::from([model.l * cos * rate, model.l * sin * rate]);
    let found = system.acceleration(0.0, &q, &v, &SVector::from([])).expect("regular");
    let tension = model.m * (model.l * rate * rate + model.g * cos);
    assert!((found.multipliers[0] + tension).abs() < 1e-13 * tension);
    let turning = -model.g / model.l * sin;
    let exact = [model.l * (cos * turning - sin * rate * rate), model.l * (sin * turning + cos * rate * rate)];
    assert!((found.acceleration - SVector::from(exact)).norm() < 1e-13 * 30.0);

    // Gᵀλ pulls the bob towards the hinge.
    let hidden = system.constraint_hidden(0.0, &q, &v, &found.multipliers);
    assert!((hidden.reaction + q * (tension / model.l)).norm() < 1e-13 * tension);
    assert!((hidden.curvature[0] - model.l * rate * rate).abs() < 1e-13 && hidden.rate[0].abs() < 1e-15);
    let held = system.constraint(0.0, &q);
    assert!(held.value[0].abs() < 1e-15 && (held.jacobian.transpose() - q / model.l).norm() < 1e-15);
    assert_eq!((held.drift[0], system.constraints(), system.holonomic_count()), (0.0, &["rod"][..], 1));
}

#[test]
fn the_turning_wires_power_is_minus_lambda_times_its_drift() {
    let model = bead();
    let system = model.prepare::<f64>().expect("valid");
    let State { t, q, v } = on_the_wire(&model, 0.4, 0.9, -1.2);
    let u = SVector::from([model.push]);
    let found = system.acceleration(t, &q, &v, &u).expect("regular");
    let held = system.constraint(t, &q);
    let hidden = system.constraint_hidden(t, &q, &v, &found.multipliers);
    assert!(held.value.norm() < 1e-14 && hidden.rate.norm() < 1e-14);
    assert!((held.jacobian * found.acceleration + hidden.curvature).norm() < 1e-13);

    assert_eq!(system.power_names(), ["z", "dissipation", "time", "plane"]);
    let mut powers = [0.0; 4];
    system.powers(t, &q, &v, &u, &mut powers);
    // The reaction at the bead, times its velocity: the wire does no work, the plane that turns does.
    let work = hidden.reaction.dot(&v);
    assert!((powers[3] + found.multipliers[1] * held.drift[1]).abs() < 1e-13 && (powers[3] - work).abs() < 1e-12);
    assert!(work.abs() > 1.0, "the test would see nothing: {work}");
    let torque = model.m * 2.0 * model.w * model.r * model.r * 0.9_f64.sin() * 0.9_f64.cos() * -1.2
        + model.c * model.w * (model.r * 0.9_f64.sin()).powi(2);
    assert!((work - torque * model.w).abs() < 1e-12, "{work} against {}", torque * model.w);
    // dh/dt along the motion is the sum of all powers.
    let h = |s: f64| {
        let (q, v) = (q + v * s + found.acceleration * (s * s / 2.0), v + found.acceleration * s);
        system.energies(t + s, &q, &v, &u).energy
    };
    let slope = (h(1e-4) - h(-1e-4)) / 2e-4;
    assert!((slope - powers.iter().sum::<f64>()).abs() < 1e-6, "{slope} against {powers:?}");
}
