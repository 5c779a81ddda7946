//! A rigid body that swings about a fixed point, by a unit quaternion.

use lagrange_runtime::prelude::*;

/// A rigid body hinged at a fixed point; its centre of mass lies on its third axis. The orientation is a unit quaternion
/// (a, b, c, d), a its real part. SI units.
///
/// The mass matrix is singular, since the energy does not depend on the rate of the quaternion's length; with the constraint the
/// equations are regular in every orientation. Known quantities: the energy and the vertical component of the angular
/// momentum are constant. A motion about a horizontal principal axis alone is that of a compound pendulum.
/// Source: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical Integration*, 2nd ed., VII.5.
#[lagrangian {
    coordinates a: 1, b: 1, c: 1, d: 1;

    let spin: rad/s   = angular_velocity_body([a, b, c, d]);
    let centre: m = rotation([a, b, c, d])*[0, 0, -l];

    kinetic   = (i1*spin[0]^2 + i2*spin[1]^2 + i3*spin[2]^2)/2;
    potential = m*g*centre[2];

    constraint unit: a^2 + b^2 + c^2 + d^2 == 1;
    output height: m = centre[2];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct RigidPendulum {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// From the hinge to the centre of mass.
    #[unit(m)]
    pub l: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Principal moments of inertia about the hinge.
    #[unit(kg*m^2)]
    pub i1: f64,
    /// About the body's second axis.
    #[unit(kg*m^2)]
    pub i2: f64,
    /// About the body's third axis, on which the centre of mass lies.
    #[unit(kg*m^2)]
    pub i3: f64,
}

/// 1 kg, 0.5 m below the hinge, moments of 0.3, 0.35 and 0.1 kg m².
impl Default for RigidPendulum {
    fn default() -> Self {
        Self { m: 1.0, l: 0.5, g: 9.81, i1: 0.3, i2: 0.35, i3: 0.1 }
    }
}

impl RigidPendulum {
    /// The orientation after a turn by `angle` about the first axis, turning at `rate` rad/s about all three of the body's
    /// axes as given.
    pub fn turning(angle: f64, rate: [f64; 3]) -> State<f64, 4> {
        let (sin, cos) = (angle / 2.0).sin_cos();
        let [x, y, z] = rate;
        // q̇ = q ω/2.
        let v = [-sin * x, cos * x, cos * y - sin * z, cos * z + sin * y].map(|part| part / 2.0);
        State::new(0.0, [cos, sin, 0.0, 0.0], v)
    }

    /// Out of the vertical by 60°, spinning.
    pub fn spinning() -> State<f64, 4> {
        Self::turning(std::f64::consts::FRAC_PI_3, [0.0, 0.5, 4.0])
    }
}

/// [`RigidPendulum`] with an inertia of the quaternion's length. The constraint keeps that length constant, so the motion is the
/// same; the mass matrix is regular. SI units.
#[lagrangian {
    coordinates a: 1, b: 1, c: 1, d: 1;

    let quaternion = [a, b, c, d];
    let spin: rad/s   = angular_velocity_body(quaternion);
    let centre: m = rotation(quaternion)*[0, 0, -l];

    kinetic   = (i1*spin[0]^2 + i2*spin[1]^2 + i3*spin[2]^2)/2 + 2*i1*inner(quaternion, dot(quaternion))^2;
    potential = m*g*centre[2];

    constraint unit: norm2(quaternion) == 1;
    output height: m = centre[2];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct RegularRigidPendulum {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// From the hinge to the centre of mass.
    #[unit(m)]
    pub l: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Principal moments of inertia about the hinge.
    #[unit(kg*m^2)]
    pub i1: f64,
    /// About the body's second axis.
    #[unit(kg*m^2)]
    pub i2: f64,
    /// About the body's third axis, on which the centre of mass lies.
    #[unit(kg*m^2)]
    pub i3: f64,
}

/// [`RigidPendulum`]'s parameters.
impl Default for RegularRigidPendulum {
    fn default() -> Self {
        let RigidPendulum { m, l, g, i1, i2, i3 } = RigidPendulum::default();
        Self { m, l, g, i1, i2, i3 }
    }
}
