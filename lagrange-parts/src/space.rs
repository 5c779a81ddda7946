//! Parts in space.
//!
//! A place is a vector `[x, y, z]` in m, and a frame is a rotation matrix whose columns are the axes of the frame. A chain alternates joints and
//! bodies: a joint is given the place and the frame of what it stands on, and offers `tip` or `frame`; a body is given a place and a frame, and offers
//! its other end `tip`. A joint about another axis has a turned base: `let joint.base = link.frame*rotation_x(pi/2);`.

use lagrange_runtime::prelude::*;

/// A point mass at a place: T = m |ṙ|²/2, V = −m g·r, with the acceleration g of free fall.
///
/// A report draws the output `bob`, a point.
#[lagrangian {
    given place[3]: m, gravity[3]: m/s^2;
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

/// A rigid body, held at the place `start` in the orientation `frame`: T = m |ċ|²/2 + ωᵀ J ω/2, V = −m g·c, with the centre of mass c = `center`, the angular
/// velocity ω in the body's own axes and the acceleration g of free fall. In these axes J is diagonal, and the vectors `to_center` and `to_tip` lead
/// from `start` to the centre of mass and to `tip`, on which another part may stand.
///
/// A report draws the output `rod`, a line from `start` to `tip`, and the point `center`.
#[lagrangian {
    given start[3]: m, frame[3][3]: 1, gravity[3]: m/s^2;
    let center = start + frame*to_center;
    let tip = start + frame*to_tip;
    kinetic = rigid_body_energy(mass, inertia, center, frame);
    potential = -mass*inner(gravity, center);
    output rod: m = [start, tip];
    output center: m = center;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The mass.
    #[unit(kg)]
    pub mass: f64,
    /// The principal moments of inertia about the centre of mass, whose axes are those of `frame`.
    #[unit(kg*m^2)]
    pub inertia: [f64; 3],
    /// From `start` to the centre of mass.
    #[unit(m)]
    pub to_center: [f64; 3],
    /// From `start` to `tip`.
    #[unit(m)]
    pub to_tip: [f64; 3],
}

/// A revolute joint: the coordinate `theta` turns `frame` against `base` about their common third axis, frame = base R_z(theta).
///
/// Springs, dampers and motors on the joint are given `theta`.
#[lagrangian {
    given base[3][3]: 1;
    coordinates theta: rad;
    let frame = base*rotation_z(theta);
}]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Revolute {}

/// A prismatic joint: the coordinate `way` moves `tip` from `start` along the third axis of `frame`, tip = start + frame (0, 0, way).
#[lagrangian {
    given start[3]: m, frame[3][3]: 1;
    coordinates way: m;
    let tip = start + frame*[0, 0, way];
}]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prismatic {}

/// A spherical joint: the coordinates q = `turn`, a quaternion of length 1 with its real part first, turn `frame` against `base`, frame = base R(q).
///
/// The constraint `unit` holds |q|² = 1.
#[lagrangian {
    given base[3][3]: 1;
    coordinates turn[4]: 1;
    let frame = base*rotation(turn);
    constraint unit: norm2(turn) == 1;
}]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spherical {}

/// A free joint: the coordinates `shift`, along the axes of space, and q = `turn`, a quaternion of length 1 with its real part first, move and turn what
/// follows against `start` and `base`. It offers `tip` = start + shift and `frame` = base R(q).
///
/// The constraint `unit` holds |q|² = 1.
#[lagrangian {
    given start[3]: m, base[3][3]: 1;
    coordinates shift[3]: m, turn[4]: 1;
    let tip = start + shift;
    let frame = base*rotation(turn);
    constraint unit: norm2(turn) == 1;
}]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Free {}

/// A ball joint that closes a loop: the constraint left − right = 0 of two places. `multiplier(part.pin)` is the force on what has the place `left`, in N.
#[lagrangian {
    given left[3]: m, right[3]: m;
    constraint pin: left == right;
}]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pin {}

/// A spring between two places: V = k (s − s₀)²/2, with the distance s = `length` of the places and its value s₀ at rest.
///
/// The tension k (s − s₀) is an output. A damper beside it is a [`Damper`](struct@crate::line::Damper) with its `length`. A report draws the output `spring`, a coil.
#[lagrangian {
    given start[3]: m, tip[3]: m;
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
