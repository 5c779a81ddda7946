//! Drives: rotors, gears, belts, motors.
//!
//! Their angles are in rad about axes of their own. They have no places, so that a report shows their outputs over the time.

use lagrange_runtime::prelude::*;

/// A rotor on a fixed axis: T = J φ̇²/2.
#[lagrangian {
    given angle: rad;
    kinetic = inertia*dot(angle)^2/2;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Rotor {
    /// The moment of inertia J about the axis.
    #[unit(kg*m^2)]
    pub inertia: f64,
}

/// A gear without play: it offers the angle `driven` = ratio · driver.
///
/// The ratio is negative for two wheels with outer teeth: −(teeth of the driver)/(teeth of the driven wheel). What turns by `driven` acts on
/// `driver` with its torque times the ratio, and with its moment of inertia times the square of the ratio.
#[lagrangian {
    given driver: rad;
    let driven = ratio*driver;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Gear {
    /// The angle of the driven wheel over that of the driver.
    #[unit(1)]
    pub ratio: f64,
}

/// A gear between two angles that have coordinates of their own: the constraint driven − ratio · driver = 0. `multiplier(part.mesh)` is
/// the torque on the driven wheel, in N·m.
#[lagrangian {
    given driver: rad, driven: rad;
    constraint mesh: driven == ratio*driver;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct GearMesh {
    /// The angle of the driven wheel over that of the driver.
    #[unit(1)]
    pub ratio: f64,
}

/// An open elastic belt on two pulleys, which turn in the same direction: V = k x²/2 and D = c ẋ²/2, with the stretch x = r₀ φ₀ − r₁ φ₁ of the strand that pulls
/// the pulley 1 where the pulley 0 leads. The force k x + c ẋ, by which the tensions of the two strands differ, is an output.
#[lagrangian {
    given angles[2]: rad;
    let stretch: m = radii[0]*angles[0] - radii[1]*angles[1];
    potential = stiffness*stretch^2/2;
    dissipation = damping*dot(stretch)^2/2;
    output force: N = stiffness*stretch + damping*dot(stretch);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Belt {
    /// The radii r₀ and r₁ of the pulleys.
    #[unit(m)]
    pub radii: [f64; 2],
    /// The stiffness k of the belt: the sum of the stiffnesses of its two strands.
    #[unit(N/m)]
    pub stiffness: f64,
    /// The force over the rate of the stretch c.
    #[unit(N*s/m)]
    pub damping: f64,
}

/// A motor with a permanent magnet, between a shaft and a branch of a circuit: the torque k i on the shaft, and the voltage k ω against the current
/// i = dq/dt. T = J ω²/2 + L i²/2 and D = R i²/2 + c ω²/2.
///
/// Its voltage is that of a source with the same charge. A shaft that is driven makes it a generator. The current and the torque k i are outputs.
/// Source: G. F. Franklin, J. D. Powell, A. Emami-Naeini, *Feedback Control of Dynamic Systems*, chapter 2.
#[lagrangian {
    given angle: rad, charge: C;
    kinetic = inertia*dot(angle)^2/2 + inductance*dot(charge)^2/2;
    dissipation = resistance*dot(charge)^2/2 + damping*dot(angle)^2/2;
    force angle = constant*dot(charge);
    force charge = -constant*dot(angle);
    output current: A = dot(charge);
    output torque: N*m = constant*dot(charge);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Motor {
    /// The torque over the current, which is the voltage over the speed, k.
    #[unit(N*m/A)]
    pub constant: f64,
    /// The moment of inertia J of the rotor.
    #[unit(kg*m^2)]
    pub inertia: f64,
    /// The friction in the bearings, a torque over a speed, c.
    #[unit(N*m*s)]
    pub damping: f64,
    /// The inductance L of the armature.
    #[unit(H)]
    pub inductance: f64,
    /// The resistance R of the armature.
    #[unit(ohm)]
    pub resistance: f64,
}
