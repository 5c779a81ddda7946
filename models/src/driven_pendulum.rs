//! A damped pendulum that a torque drives.

use lagrange_runtime::prelude::*;

/// A pendulum with friction on a shaft that turns to and fro. Its motion is periodic or chaotic, and which of them depends on the
/// drive. Without units: the time counts in √(l/g), and the torque in the largest moment of the weight.
///
/// Known quantities for q = 2 and ω = 2/3, at the times of one phase of the drive: one state for a drive of 0.9, two that alternate
/// for 1.07, chaos for 1.15, one for 1.35, two for 1.45. For a weak drive a the amplitude is a/√((1 − ω²)² + (ω/q)²). A small
/// volume of states shrinks as exp(−t/q), so that the sum of the two Lyapunov exponents is −1/q. Source: G. L. Baker, J. P. Gollub,
/// *Chaotic Dynamics*, 2nd ed., Cambridge, 1996, chapters 3 and 5.
#[lagrangian {
    coordinates theta: rad;
    units time = 1, energy = 1;
    kinetic     = dot(theta)^2/2;
    potential   = -cos(theta);
    dissipation = dot(theta)^2/(2*q);
    force theta = drive*cos(omega*t);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct DrivenPendulum {
    /// The quality factor: the inverse strength of the friction.
    #[unit(1)]
    #[range(0.5..10)]
    pub q: f64,
    /// The amplitude of the torque.
    #[unit(1)]
    #[range(0.5..2)]
    pub drive: f64,
    /// The angular frequency of the torque.
    #[unit(1)]
    #[range(0.1..2)]
    pub omega: f64,
}

/// A chaotic one: q = 2, a drive of 1.15, ω = 2/3.
impl Default for DrivenPendulum {
    fn default() -> Self {
        Self { q: 2.0, drive: 1.15, omega: 2.0 / 3.0 }
    }
}

impl DrivenPendulum {
    /// At rest, a little beside the lowest place.
    pub fn released() -> State<f64, 1> {
        State::new(0.0, [0.2], [0.0])
    }
}
