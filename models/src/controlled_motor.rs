//! A direct-current motor under a controller with an integral and a limited voltage.

use lagrange_runtime::prelude::*;

/// A direct-current motor whose speed a PI controller sets. The voltage saturates, and the integral stops while it does. SI units.
///
/// Known solution: while the voltage is at its limit, and again while it is below, the equations of speed, current and integral are
/// linear with constant coefficients. The motion consists of matrix exponentials. Source: K. J. Åström, R. M. Murray, *Feedback
/// Systems*, 2nd ed., 11.4 (integrator windup).
#[lagrangian {
    coordinates angle: rad;

    kinetic     = j*dot(angle)^2/2;
    dissipation = b*dot(angle)^2/2;
    force angle = k*current;

    let error: rad/s = speed - dot(angle);
    let asked: V = kp*error + ki*integral;
    let voltage: V = max(min(asked, limit), -limit);
    state current: A, dot(current) == (voltage - r*current - k*dot(angle))/inductance;
    state integral: rad, dot(integral) == if abs(asked) < limit { error } else { 0 };

    output applied: V = voltage;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct ControlledMotor {
    /// Inertia of the rotor.
    #[unit(kg*m^2)]
    #[range(0.002..0.2)]
    pub j: f64,
    /// Damping of the rotor.
    #[unit(N*m*s)]
    pub b: f64,
    /// Torque per current.
    #[unit(N*m/A)]
    pub k: f64,
    /// Resistance.
    #[unit(ohm)]
    pub r: f64,
    /// Inductance.
    #[unit(H)]
    pub inductance: f64,
    /// Voltage per error of the speed.
    #[unit(V*s)]
    #[range(0..5)]
    pub kp: f64,
    /// Voltage per integral of the error.
    #[unit(V)]
    #[range(0..20)]
    pub ki: f64,
    /// The largest voltage.
    #[unit(V)]
    #[range(1..48)]
    pub limit: f64,
    /// The speed that is asked for.
    #[unit(rad/s)]
    #[range(-100..100)]
    pub speed: f64,
}

impl Default for ControlledMotor {
    fn default() -> Self {
        Self { j: 0.02, b: 0.01, k: 0.5, r: 1.0, inductance: 0.05, kp: 0.9, ki: 3.0, limit: 12.0, speed: 20.0 }
    }
}

impl ControlledMotor {
    /// At rest, without current.
    pub fn at_rest() -> State<f64, 3> {
        State::new(0.0, [0.0; 3], [0.0; 3])
    }
}
