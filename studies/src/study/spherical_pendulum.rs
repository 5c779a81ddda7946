//! Study 2: the discrete variational integrator of the spherical pendulum.

pub(super) mod energy;
pub(super) mod motion;
pub(super) mod recursion;
pub(super) mod rigid;
pub(super) mod structure;

use lagrange_models::SphericalPendulumCartesian;
use lagrange_runtime::prelude::*;

/// The document's number.
const STUDY: u32 = 2;

/// How long the motion is shown, and the span over which the document's ranges were recomputed, s.
const DURATION: f64 = 20.0;

/// The document's pendulum.
fn pendulum() -> SphericalPendulumCartesian {
    SphericalPendulumCartesian { g: 9.8, ..SphericalPendulumCartesian::default() }
}

/// The document's start. Its z points downward.
fn released() -> State<f64, 3> {
    let side = std::f64::consts::SQRT_2 / 4.0;
    State::new(0.0, [side, side, -(3.0_f64.sqrt()) / 2.0], [0.0; 3])
}
