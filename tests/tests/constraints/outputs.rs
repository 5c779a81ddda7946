//! Sensors of accelerations, multipliers and reactions; assumptions.

use super::mechanisms::{Quaternion, Rod, bead, on_the_wire, rod};
use lagrange_runtime::error::PrepareError;
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{Autonomous, Conservative, Holonomic, PositiveMass};

#[test]
fn sensors_see_accelerations() {
    let model = bead();
    let system = model.prepare::<f64>().expect("valid");
    let State { t, q, v } = on_the_wire(&model, 0.4, 0.9, -1.2);
    let u = SVector::from([model.push]);
    let found = system.acceleration(t, &q, &v, &u).expect("regular");
    assert_eq!(system.output_names(), ["height", "lift"]);
    let mut seen = [0.0; 2];
    system.outputs(t, &q, &v, &u, &mut seen);
    assert_eq!(seen, [q[2], found.acceleration[2]]);
}

#[test]
fn sensors_see_multipliers_and_reactions() {
    let system = rod().prepare::<f64>().expect("valid");
    let (q, v, u) = (SVector::from([0.48, -0.64]), SVector::from([0.64, 0.48]), SVector::from([]));
    let found = system.acceleration(0.0, &q, &v, &u).expect("regular");
    let mut seen = [0.0; 3];
    system.outputs(0.0, &q, &v, &u, &mut seen);
    assert_eq!(system.output_names(), ["tension", "pull[0]", "pull[1]"]);
    let pull = q * (found.multipliers[0] / 0.8);
    assert!(seen[0] == -found.multipliers[0] && (SVector::from([seen[1], seen[2]]) - pull).norm() < 1e-14);
    // Without a solution there is no tension.
    system.outputs(0.0, &SVector::from([0.0, 0.0]), &v, &u, &mut seen);
    assert!(seen[0].is_nan());
}

#[test]
fn assumptions_and_what_was_taken_to_be_positive_are_checked() {
    let error = Rod { l: 0.2, ..rod() }.prepare::<f64>().expect_err("l is below 2 m/5");
    let PrepareError::AssumptionFails { assumption, value } = error else { panic!("{error}") };
    assert!(assumption.contains("l > ") && (value + 0.48).abs() < 1e-15, "{error}");
    let error = Rod { m: -1.0, ..rod() }.prepare::<f64>().expect_err("positive mass was proved with m > 0");
    assert_eq!(error, PrepareError::NotPositive { parameter: "m", value: -1.0 });
}

fn is_conservative(_: &(impl Autonomous + Conservative + Holonomic + PositiveMass)) -> bool {
    true
}

#[test]
fn facts_see_the_constraints() {
    assert!(is_conservative(&rod().prepare::<f64>().expect("valid")));
    let facts = Rod::FACTS;
    assert!(!facts.unconstrained && facts.holonomic && facts.positive_mass && facts.cyclic == ["x"]);
    let turning = super::mechanisms::Bead::FACTS;
    assert!(!turning.autonomous && !turning.conservative && turning.positive_mass);
    let sliding = super::mechanisms::Blade::FACTS;
    assert!(!sliding.holonomic && sliding.conservative && sliding.autonomous);
    // The belt's b is a function of time.
    let disc = super::mechanisms::Disc::FACTS;
    assert!(!disc.autonomous && !disc.conservative);
    let rotating = Quaternion::FACTS;
    assert!(!rotating.positive_mass && !rotating.regular_momentum && rotating.holonomic);
}
