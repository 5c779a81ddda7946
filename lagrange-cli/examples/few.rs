//! The command line of six mechanisms. Pictures of many motions need an optimised program, and this one is built in a fraction of the time that the
//! whole catalogue takes.
//!
//! ```text
//! cargo run --release -p lagrange-cli --example few -- sweep magnetic-pendulum --vary x=-2..2:100 --vary y=-2..2:100 --t-end 40
//! ```

use lagrange_cli::catalog::{Catalog, Entry, Model};
use lagrange_models::{
    BouncingBall, DoublePendulum, DrivenPendulum, MagneticPendulum, MotorPendulum, SphericalPendulumCartesian,
};

static MODELS: &[&dyn Model] = &[
    &Entry::free("double-pendulum", DoublePendulum::default, DoublePendulum::demo)
        .with_summary("two point masses on massless rods in series"),
    &Entry::constrained(
        "spherical-pendulum-cartesian",
        SphericalPendulumCartesian::default,
        SphericalPendulumCartesian::pushed,
    )
    .with_summary("a point mass on a rod that swings in space, in Cartesian coordinates under the rod's constraint"),
    &Entry::free("motor-pendulum", MotorPendulum::default, MotorPendulum::released)
        .with_summary("a pendulum on the shaft of a DC motor, and a voltage"),
    &Entry::free("bouncing-ball", BouncingBall::default, BouncingBall::dropped)
        .with_summary("a ball that bounces on the floor until it rests"),
    &Entry::free("driven-pendulum", DrivenPendulum::default, DrivenPendulum::released)
        .with_summary("a damped pendulum under a periodic torque, with regular and chaotic motions"),
    &Entry::free("magnetic-pendulum", MagneticPendulum::default, MagneticPendulum::released)
        .with_summary("a pendulum over three magnets, which comes to rest over one of them"),
];

fn main() -> std::process::ExitCode {
    lagrange_cli::run(&Catalog::new(MODELS))
}
