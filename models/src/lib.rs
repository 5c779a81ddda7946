//! Mechanisms of the published studies and of the textbooks, one a file.
//!
//! Every mechanism states its energies and constraints and nothing else; what is derived from them is checked against
//! the equations that its source prints, by `verify` statements where it prints any, and against its known solution.

mod bead_on_rotating_hoop;
mod bimetal_thermostat;
mod block_with_friction;
mod bouncing_ball;
mod cartesian_pendulum;
mod charge_in_fields;
mod compound_double_pendulum;
mod compound_double_pendulum_with_drag;
mod controlled_motor;
mod coupled_circuits;
pub mod documents;
mod double_pendulum;
mod finite_difference;
mod four_bar_linkage;
mod full_wave_rectifier;
mod heavy_top;
mod henon_heiles;
mod kepler;
mod knife_edge;
mod loudspeaker;
mod magnetic_levitation;
mod magnetic_pendulum;
mod motor_pendulum;
mod outer_solar_system;
mod parallelogram;
mod rigid_pendulum;
mod rlc_plate;
mod rocking_block;
mod rolling_disc;
mod spherical_pendulum;
mod triple_pendulum;

pub use bead_on_rotating_hoop::BeadOnRotatingHoop;
pub use bimetal_thermostat::BimetalThermostat;
pub use block_with_friction::BlockWithFriction;
pub use bouncing_ball::BouncingBall;
pub use cartesian_pendulum::CartesianPendulum;
pub use charge_in_fields::ChargeInFields;
pub use compound_double_pendulum::CompoundDoublePendulum;
pub use compound_double_pendulum_with_drag::CompoundDoublePendulumWithDrag;
pub use controlled_motor::ControlledMotor;
pub use coupled_circuits::CoupledCircuits;
pub use double_pendulum::DoublePendulum;
pub use finite_difference::FiniteDifferences;
pub use four_bar_linkage::FourBarLinkage;
pub use full_wave_rectifier::FullWaveRectifier;
pub use heavy_top::{HeavyTop, HeavyTopQuaternion};
pub use henon_heiles::HenonHeiles;
pub use kepler::Kepler;
pub use knife_edge::KnifeEdge;
pub use loudspeaker::Loudspeaker;
pub use magnetic_levitation::MagneticLevitation;
pub use magnetic_pendulum::MagneticPendulum;
pub use motor_pendulum::MotorPendulum;
pub use outer_solar_system::OuterSolarSystem;
pub use parallelogram::Parallelogram;
pub use rigid_pendulum::{RegularRigidPendulum, RigidPendulum};
pub use rlc_plate::{LcPlate, RlcPlate};
pub use rocking_block::RockingBlock;
pub use rolling_disc::RollingDisc;
pub use spherical_pendulum::{SphericalPendulum, SphericalPendulumCartesian};
pub use triple_pendulum::{TriplePendulum, TriplePendulumCartesian};
