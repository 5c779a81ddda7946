//! An upright disc that rolls without slipping.

use lagrange_runtime::prelude::*;

/// A disc of radius r that rolls upright on a plane without slipping: (x, y) its centre, `heading` its direction from x and
/// `roll` its angle of rotation, in radians. SI units.
///
/// Known solution: heading and roll turn at constant rates ω and Ω, and the centre goes round a circle of radius r Ω/ω
/// (A. M. Bloch, *Nonholonomic Mechanics and Control*, 2nd ed., 1.4).
#[lagrangian {
    coordinates x: m, y: m, heading: rad, roll: rad;

    kinetic = m*(dot(x)^2 + dot(y)^2)/2 + i*dot(heading)^2/2 + j*dot(roll)^2/2;

    nonholonomic rolling: [dot(x), dot(y)] == r*dot(roll)*[cos(heading), sin(heading)];

    output contact: m = [x, y];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct RollingDisc {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// Radius.
    #[unit(m)]
    pub r: f64,
    /// Moment of inertia about a diameter.
    #[unit(kg*m^2)]
    pub i: f64,
    /// Moment of inertia about the axle.
    #[unit(kg*m^2)]
    pub j: f64,
}

/// A uniform disc of 1 kg and 0.5 m: m r²/4 and m r²/2.
impl Default for RollingDisc {
    fn default() -> Self {
        Self { m: 1.0, r: 0.5, i: 0.0625, j: 0.125 }
    }
}

impl RollingDisc {
    /// The known solution at time t, for the rates ω of the heading and Ω of the roll, about the origin.
    pub fn circle(&self, omega: f64, roll: f64, t: f64) -> State<f64, 4> {
        let (sin, cos) = (omega * t).sin_cos();
        let speed = self.r * roll;
        let size = speed / omega;
        State::new(t, [size * sin, -size * cos, omega * t, roll * t], [speed * cos, speed * sin, omega, roll])
    }

    /// The default disc at 1 rad/s of heading and 4 rad/s of roll.
    pub fn rolling() -> State<f64, 4> {
        Self::default().circle(1.0, 4.0, 0.0)
    }
}
