//! A pendulum on the shaft of a DC motor.

use lagrange_runtime::prelude::*;

/// A pendulum on the shaft of a DC motor with a permanent magnet: theta the shaft's angle from the downward vertical in radians, e the
/// charge that has passed through the armature, whose rate is the current. SI units.
///
/// The armature's flux turns with the shaft. One term, k θ ė of the magnetic coenergy, states this: it gives the torque k ė on
/// the shaft and the voltage k θ̇ in the circuit. The voltage at the brushes is an input.
///
/// Known solutions: the voltage r m g l sin(θ)/k holds the pendulum at θ; without gravity the equations are linear, and the
/// shaft reaches the speed k u/(k² + r damping). Source: G. F. Franklin, J. D. Powell, A. Emami-Naeini, *Feedback Control
/// of Dynamic Systems*, chapter 2 (the motor).
#[lagrangian {
    coordinates theta: rad, e: C;

    lagrangian  = (j + m*l^2)*dot(theta)^2/2 + m*g*l*cos(theta) + inductance*dot(e)^2/2 + k*theta*dot(e);
    dissipation = damping*dot(theta)^2/2 + r*dot(e)^2/2;
    force e     = voltage;

    output current: A = dot(e);

    verify energy == (j + m*l^2)*dot(theta)^2/2 - m*g*l*cos(theta) + inductance*dot(e)^2/2;
    verify forcing[theta] == k*dot(e) - damping*dot(theta) - m*g*l*sin(theta);
    verify forcing[e] == voltage - r*dot(e) - k*dot(theta);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct MotorPendulum {
    /// Moment of inertia of the rotor.
    #[unit(kg*m^2)]
    pub j: f64,
    /// Mass of the bob.
    #[unit(kg)]
    #[range(0.01..1)]
    pub m: f64,
    /// Length of the rod.
    #[unit(m)]
    #[range(0.05..0.5)]
    pub l: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Viscous friction in the bearings.
    #[unit(N*m*s)]
    pub damping: f64,
    /// Torque over current, and voltage over speed.
    #[unit(N*m/A)]
    pub k: f64,
    /// Inductance of the armature.
    #[unit(H)]
    pub inductance: f64,
    /// Resistance of the armature.
    #[unit(ohm)]
    pub r: f64,
    /// Voltage at the brushes.
    #[unit(V)]
    #[range(-12..12)]
    #[input]
    pub voltage: f64,
}

/// 100 g on 0.2 m, on a motor of 0.05 N·m/A, 2 Ω and 2 mH; no voltage: the brushes are short-circuited.
impl Default for MotorPendulum {
    fn default() -> Self {
        Self { j: 2e-5, m: 0.1, l: 0.2, g: 9.81, damping: 1e-4, k: 0.05, inductance: 0.002, r: 2.0, voltage: 0.0 }
    }
}

impl MotorPendulum {
    /// At rest, horizontal, without current.
    pub fn released() -> State<f64, 2> {
        State::new(0.0, [std::f64::consts::FRAC_PI_2, 0.0], [0.0, 0.0])
    }

    /// The voltage that holds the pendulum at `theta`, V.
    pub fn holding_voltage(&self, theta: f64) -> f64 {
        self.r * self.m * self.g * self.l * theta.sin() / self.k
    }

    /// The speed without gravity at a constant `voltage`, rad/s.
    pub fn free_speed(&self, voltage: f64) -> f64 {
        self.k * voltage / (self.k * self.k + self.r * self.damping)
    }
}
