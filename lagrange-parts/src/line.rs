//! Springs and dampers of one quantity, a length or an angle: the coordinate of a joint, a distance, a difference of coordinates.
//!
//! They have no places, so that a report shows their outputs over the time. A spring with places is a [`plane::Spring`](struct@crate::plane::Spring) or a
//! [`space::Spring`](struct@crate::space::Spring).

use lagrange_runtime::prelude::*;

/// A spring along a length s: V = k (s − s₀)²/2, with the value s₀ at rest. The tension k (s − s₀) is an output.
#[lagrangian {
    given length: m;
    potential = stiffness*(length - rest)^2/2;
    output tension: N = stiffness*(length - rest);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// The stiffness k.
    #[unit(N/m)]
    pub stiffness: f64,
    /// The length at rest.
    #[unit(m)]
    pub rest: f64,
}

/// A viscous damper along a length s: D = c ṡ²/2. The tension c ṡ is an output.
#[lagrangian {
    given length: m;
    dissipation = damping*dot(length)^2/2;
    output tension: N = damping*dot(length);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Damper {
    /// The force over the rate c.
    #[unit(N*s/m)]
    pub damping: f64,
}

/// A spring of an angle φ: V = k (φ − φ₀)²/2, with the value φ₀ at rest. The torque k (φ − φ₀), which it exerts against the angle, is an output.
#[lagrangian {
    given angle: rad;
    potential = stiffness*(angle - rest)^2/2;
    output torque: N*m = stiffness*(angle - rest);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct TorsionSpring {
    /// The stiffness k.
    #[unit(N*m)]
    pub stiffness: f64,
    /// The angle at rest.
    #[unit(rad)]
    pub rest: f64,
}

/// A viscous damper of an angle φ: D = c φ̇²/2. The torque c φ̇, which it exerts against the rate, is an output.
#[lagrangian {
    given angle: rad;
    dissipation = damping*dot(angle)^2/2;
    output torque: N*m = damping*dot(angle);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct TorsionDamper {
    /// The torque over the rate c.
    #[unit(N*m*s)]
    pub damping: f64,
}
