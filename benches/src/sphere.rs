//! The mechanism whose step of RATTLE has a closed form.

use lagrange_runtime::prelude::*;

/// The spherical pendulum with the constraint |q|² = l², z upward.
#[lagrangian {
    coordinates x, y, z;
    kinetic   = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    potential = m*g*z;
    constraint sphere: x^2 + y^2 + z^2 == l^2;
}]
#[derive(Clone, Debug)]
pub struct OnSphere {
    /// Mass, kg.
    pub m: f64,
    /// Acceleration of gravity, m/s².
    pub g: f64,
    /// Length, m.
    pub l: f64,
}
