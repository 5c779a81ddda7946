//! All mechanisms of `models` and of this crate: their blocks, from the source files, and their compiled systems.

use crate::own::{Cart, CountingRelay, Crane, Creep, Functions, Indefinite, Tables, Walls};
use crate::reference::{Reference, reference};
use lagrange_models as models;
use lagrange_runtime::prelude::State;
use lagrange_symbolic::export::{Found, mechanisms};
use std::collections::BTreeMap;
use std::path::Path;

/// The blocks by the names of their structs.
fn blocks() -> BTreeMap<String, Found> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let models = std::fs::read_dir(here.join("../../models/src")).expect("models/src is a directory");
    let models = models.map(|entry| entry.expect("an entry of models/src").path());
    let mut blocks = BTreeMap::new();
    for path in models.chain([here.join("src/own.rs")]) {
        let source = std::fs::read_to_string(&path).expect("a source file");
        for found in mechanisms(&source).unwrap_or_else(|error| panic!("{}: {}", path.display(), error.text)) {
            // A part with given quantities is no mechanism alone.
            if !found.is_open() {
                blocks.insert(found.name.clone(), found);
            }
        }
    }
    blocks
}

macro_rules! compiled {
    ($($name:ident from $initial:expr;)*) => {
        /// Every block with its compiled system. A mechanism of `models` that the list below lacks is a failure.
        pub(crate) fn all() -> Vec<(Found, Box<dyn Reference + Sync>)> {
            use models::*;
            let mut blocks = blocks();
            let mut all: Vec<(Found, Box<dyn Reference + Sync>)> = Vec::new();
            $(
                let found = blocks.remove(stringify!($name)).expect(concat!("no source of ", stringify!($name)));
                all.push((found, Box::new(reference($name::default(), $initial))));
            )*
            let missing: Vec<&String> = blocks.keys().collect();
            assert!(missing.is_empty(), "tests/export/src/mechanisms.rs lacks {missing:?}");
            all
        }
    };
}

compiled! {
    BallisticPendulum from BallisticPendulum::shot();
    BeadOnRotatingHoop from BeadOnRotatingHoop::released();
    BeltBlock from BeltBlock::carried();
    BimetalThermostat from BimetalThermostat::heating();
    BlockWithFriction from BlockWithFriction::pulled();
    BouncingBall from BouncingBall::dropped();
    CartesianPendulum from CartesianPendulum::released();
    ChargeInFields from ChargeInFields::crossing();
    CompoundDoublePendulum from CompoundDoublePendulum::released_at_45_degrees();
    CompoundDoublePendulumWithDrag from CompoundDoublePendulumWithDrag::released_at_45_degrees();
    ControlledMotor from ControlledMotor::at_rest();
    CoupledCircuits from CoupledCircuits::charged();
    DoublePendulum from DoublePendulum::demo();
    DrivenPendulum from DrivenPendulum::released();
    FlexibleLink from FlexibleLink::bent();
    FlexibleSliderCrank from FlexibleSliderCrank::stretched_out();
    FourBarLinkage from FourBarLinkage::cranked();
    FullWaveRectifier from FullWaveRectifier::at_rest();
    HangingCable from HangingCable::released();
    HeavyTop from HeavyTop::nodding();
    HeavyTopQuaternion from HeavyTopQuaternion::nodding();
    HenonHeiles from HenonHeiles::mixed();
    Kepler from Kepler::eccentric();
    KnifeEdge from KnifeEdge::turning();
    LcPlate from LcPlate::released();
    Loudspeaker from Loudspeaker::pushed_in();
    MagneticLevitation from MagneticLevitation::let_go();
    MagneticPendulum from MagneticPendulum::released();
    MarbleOnBar from MarbleOnBar::rolling_off();
    MotorPendulum from MotorPendulum::released();
    OuterSolarSystem from OuterSolarSystem::on_5_september_1994();
    Parallelogram from Parallelogram::released();
    PointVortices from PointVortices::disturbed_triangle();
    Rattleback from Rattleback::reversing();
    RegularRigidPendulum from RigidPendulum::spinning();
    RigidPendulum from RigidPendulum::spinning();
    RlcPlate from RlcPlate::released();
    Rocket from Rocket::fuelled();
    RockingBlock from RockingBlock::let_go();
    RollingDisc from RollingDisc::rolling();
    SphericalPendulum from SphericalPendulum::pushed();
    SphericalPendulumCartesian from SphericalPendulumCartesian::pushed();
    SpinningBeam from SpinningBeam::at_rest();
    StickyPad from StickyPad::stuck();
    TippeTop from TippeTop::spinning();
    TriplePendulum from TriplePendulum::released();
    TriplePendulumCartesian from TriplePendulumCartesian::released();
    YieldingBall from YieldingBall::dropped();
    Cart from State::new(0.0, [0.3, 0.0], [-0.6, 0.8]);
    Crane from State::new(0.0, [0.3, 0.4, -0.7, 0.0], [-0.6, 0.9, -1.4, 0.8]);
    CountingRelay from State::new(0.0, [-0.4, 0.0, 0.0], [-0.9, 0.5, 2.0]);
    Creep from State::new(0.0, [0.0, 0.0, 0.0], [0.5, 0.2, -0.4]);
    Functions from State::new(0.0, [0.4, -0.7], [0.9, -1.4]);
    Indefinite from State::new(0.0, [0.4, -0.7], [0.9, -1.4]);
    Tables from State::new(0.0, [-0.4, 0.3], [0.9, -1.4]);
    TumblingToast from TumblingToast::let_go();
    Walls from State::new(0.0, [0.5, 1.0], [0.8, -0.6]);
}
