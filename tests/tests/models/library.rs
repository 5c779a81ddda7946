//! Mechanisms of the parts in `lagrange-parts`, against closed forms. Their equations are compared in `lagrange-symbolic/tests/mechanics/library.rs`.

use lagrange_models::FullWaveRectifier;
use lagrange_parts::circuit::{AlternatingSource, Coil, Diode, Source};
use lagrange_parts::drive::{Belt, Motor, Rotor};
use lagrange_parts::line::TorsionDamper;
use lagrange_runtime::prelude::*;

/// A source behind a coil and a diode.
#[lagrangian {
    coordinates q: C;
    part source: AlternatingSource;
    part coil: Coil;
    part diode: Diode;
    let source.charge = q;
    let coil.charge = q;
    let diode.charge = q;
}]
struct Rectifier {
    source: AlternatingSource,
    coil: Coil,
    diode: Diode,
}

#[test]
fn a_diode_conducts_beyond_its_voltages() {
    let model = FullWaveRectifier::default();
    let (begun, half) = (model.conducts_from(), std::f64::consts::PI / model.omega);
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    let rectifier = |forward: f64, breakdown: f64| Rectifier {
        source: AlternatingSource { amplitude: model.amplitude, omega: model.omega },
        coil: Coil { inductance: model.inductance },
        diode: Diode { forward, breakdown },
    };
    // The battery of the model is the voltage at which the diode conducts. The other voltage is never reached.
    for (diode, direction) in [(rectifier(model.battery, 40.0), 1.0), (rectifier(40.0, model.battery), -1.0)] {
        let system = diode.prepare::<f64>().expect("valid");
        let current = |t: f64| {
            let rest = State::new(0.0, [0.0], [0.0]);
            let last = solve(&system, rest, t, &Dop853::new(), &options).expect("regular").last().expect("steps");
            let outputs = system.outputs_of(&last);
            outputs.iter().find(|(name, _)| *name == "diode.current").expect("it has this sensor").1
        };
        for t in [1.5 * begun, 4.0 * begun] {
            let (first, second) = if direction > 0.0 { (model.pulse(t), 0.0) } else { (0.0, -model.pulse(t)) };
            assert!((current(t) - first).abs() < 1e-7, "{} at {t}", current(t));
            assert!((current(t + half) - second).abs() < 1e-7, "{} at {t} + {half}", current(t + half));
        }
    }
}

/// A motor that turns a braked rotor over a belt.
#[lagrangian {
    coordinates shaft: rad, load: rad, charge: C;
    part source: Source;
    part motor: Motor;
    part belt: Belt;
    part rotor: Rotor;
    part brake: TorsionDamper;
    let source.charge = charge;
    let motor.charge = charge;
    let motor.angle = shaft;
    let belt.angles = [shaft, load];
    let rotor.angle = load;
    let brake.angle = load;
}]
struct Drive {
    source: Source,
    motor: Motor,
    belt: Belt,
    rotor: Rotor,
    brake: TorsionDamper,
}

/// In steady motion the belt's force F obeys r₁ F = d ω₁ at the load and r₀ F + c ω₀ = k i at the motor, with r₀ ω₀ = r₁ ω₁ and R i = u − k ω₀.
#[test]
fn a_motor_turns_its_load_steadily() {
    let (k, c, r, d, u, radii) = (0.05, 1e-4, 2.0, 3e-3, 12.0, [0.02, 0.05]);
    let drive = Drive {
        source: Source { voltage: u },
        motor: Motor { constant: k, inertia: 2e-5, damping: c, inductance: 0.002, resistance: r },
        belt: Belt { radii, stiffness: 2000.0, damping: 2.0 },
        rotor: Rotor { inertia: 1e-4 },
        brake: TorsionDamper { damping: d },
    };
    assert_eq!(Drive::INPUTS, ["source.voltage"]);
    assert_eq!(Drive::INDEX.charge, 2);
    let system = drive.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0; 3], [0.0; 3]);
    let last = solve(&system, start, 2.0, &Dop853::new(), &Options::default()).expect("regular").last().expect("steps");
    let step_up = radii[0] / radii[1];
    let speed = k * u / (k * k + r * (c + d * step_up * step_up));
    let expected = [
        ("source.power", u * (u - k * speed) / r),
        ("motor.current", (u - k * speed) / r),
        ("motor.torque", k * (u - k * speed) / r),
        ("belt.force", d * speed * step_up / radii[1]),
        ("brake.torque", d * speed * step_up),
    ];
    assert!((last.v[0] - speed).abs() < 1e-6 * speed && (last.v[1] - speed * step_up).abs() < 1e-6 * speed);
    let outputs = system.outputs_of(&last);
    assert_eq!(outputs.len(), expected.len());
    for ((name, found), (expected_name, expected)) in outputs.into_iter().zip(expected) {
        assert_eq!(name, expected_name);
        assert!((found - expected).abs() < 1e-6 * expected, "{name}: {found} is not {expected}");
    }
}
