//! Parts in a plane.
//!
//! A place is a vector `[x, y]` in m, and a direction is an angle from the x axis in rad. A chain alternates joints and bodies: a joint is given the
//! place and the angle of what it stands on, and offers `tip` and `angle`; a body is given a place and an angle, and offers its other end `tip`.

use lagrange_runtime::prelude::*;

/// A point mass at a place: T = m |ṙ|²/2, V = −m g·r, with the acceleration g of free fall.
///
/// A report draws the output `bob`, a point.
#[lagrangian {
    given place[2]: m, gravity[2]: m/s^2;
    kinetic = mass*norm2(dot(place))/2;
    potential = -mass*inner(gravity, place);
    output bob: m = place;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The mass.
    #[unit(kg)]
    pub mass: f64,
}

/// A rod without mass from `start` in the direction `angle`, to `tip` = start + length (cos angle, sin angle).
///
/// A report draws the output `rod`, a line.
#[lagrangian {
    given start[2]: m, angle: rad;
    let tip = start + length*[cos(angle), sin(angle)];
    output rod: m = [start, tip];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Rod {
    /// The length.
    #[unit(m)]
    pub length: f64,
}

/// A thin uniform rod from `start` in the direction φ = `angle`, to `tip`: T = m |ċ|²/2 + m l² φ̇²/24, V = −m g·c, with the middle c = `center`
/// and the acceleration g of free fall.
///
/// A report draws the output `rod`, a line.
#[lagrangian {
    given start[2]: m, angle: rad, gravity[2]: m/s^2;
    let along = [cos(angle), sin(angle)];
    let center = start + length*along/2;
    let tip = start + length*along;
    kinetic = mass*norm2(dot(center))/2 + mass*length^2*dot(angle)^2/24;
    potential = -mass*inner(gravity, center);
    output rod: m = [start, tip];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct UniformRod {
    /// The mass.
    #[unit(kg)]
    pub mass: f64,
    /// The length.
    #[unit(m)]
    pub length: f64,
}

/// A rigid body, held at the place `start` and turned by φ = `angle`: T = m |ċ|²/2 + J φ̇²/2, V = −m g·c, with the centre of mass c = `center` and the
/// acceleration g of free fall. In the body's own axes the vectors `to_center` and `to_tip` lead from `start` to the centre of mass and to `tip`, on
/// which another part may stand.
///
/// A report draws the output `rod`, a line from `start` to `tip`, and the point `center`.
#[lagrangian {
    given start[2]: m, angle: rad, gravity[2]: m/s^2;
    let along = [cos(angle), sin(angle)];
    let across = [-sin(angle), cos(angle)];
    let center = start + to_center[0]*along + to_center[1]*across;
    let tip = start + to_tip[0]*along + to_tip[1]*across;
    kinetic = rigid_body_energy(mass, inertia, center, angle);
    potential = -mass*inner(gravity, center);
    output rod: m = [start, tip];
    output center: m = center;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The mass.
    #[unit(kg)]
    pub mass: f64,
    /// The moment of inertia about the centre of mass.
    #[unit(kg*m^2)]
    pub inertia: f64,
    /// From `start` to the centre of mass.
    #[unit(m)]
    pub to_center: [f64; 2],
    /// From `start` to `tip`.
    #[unit(m)]
    pub to_tip: [f64; 2],
}

/// A revolute joint: the coordinate `theta` turns what follows against the angle `base`. It offers `angle` = base + theta.
///
/// With `base` = 0 the coordinate is an angle in space. Springs, dampers and motors on the joint are given `theta`.
#[lagrangian {
    given base: rad;
    coordinates theta: rad;
    let angle = base + theta;
}]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Revolute {}

/// A prismatic joint: the coordinate `way` moves `tip` from `start` along the direction `angle`, which what follows keeps:
/// tip = start + way (cos angle, sin angle).
#[lagrangian {
    given start[2]: m, angle: rad;
    coordinates way: m;
    let tip = start + way*[cos(angle), sin(angle)];
}]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prismatic {}

/// A free joint: the coordinates `shift`, along x and y, and `theta` move and turn what follows against `start` and `base` without any constraint. It
/// offers `tip` = start + shift and `angle` = base + theta.
#[lagrangian {
    given start[2]: m, base: rad;
    coordinates shift[2]: m, theta: rad;
    let tip = start + shift;
    let angle = base + theta;
}]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Free {}

/// A pin that closes a loop: the constraint left − right = 0 of two places. `multiplier(part.pin)` is the force on what has the place `left`, in N.
#[lagrangian {
    given left[2]: m, right[2]: m;
    constraint pin: left == right;
}]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pin {}

/// A spring between two places: V = k (s − s₀)²/2, with the distance s = `length` of the places and its value s₀ at rest.
///
/// The tension k (s − s₀) is an output. A damper beside it is a [`Damper`](struct@crate::line::Damper) with its `length`. A report draws the output `spring`, a coil.
#[lagrangian {
    given start[2]: m, tip[2]: m;
    let length = norm(tip - start);
    potential = stiffness*(length - rest)^2/2;
    output tension: N = stiffness*(length - rest);
    output spring: m = [start, tip];
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
