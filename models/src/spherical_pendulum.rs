//! The spherical pendulum, in angles and in Cartesian coordinates.

use lagrange_runtime::prelude::*;

/// A point mass on a massless rod that swings in space, in angles.
///
/// θ is measured from the downward vertical, φ about it, in radians. SI units. Singular at θ = 0, where φ has no inertia;
/// [`SphericalPendulumCartesian`] is regular there.
///
/// Known quantities: the energy and p_φ = m l² sin²θ φ̇ are constant; at tan θ sin θ = l φ̇² sin²θ/g, that is
/// φ̇² = g/(l cos θ), it goes round at constant height (L. D. Landau, E. M. Lifshitz, *Mechanics*, §14, problem 1).
#[lagrangian {
    coordinates theta: rad, phi: rad;

    let bob: m = l*[sin(theta)*cos(phi), sin(theta)*sin(phi), -cos(theta)];

    kinetic   = m*norm2(dot(bob))/2;
    potential = m*g*bob[2];

    verify mass[theta, theta] == m*l^2;
    verify mass[phi, phi] == m*l^2*sin(theta)^2;
    verify forcing[theta] == m*l^2*sin(theta)*cos(theta)*dot(phi)^2 - m*g*l*sin(theta);

    output position: m = bob;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct SphericalPendulum {
    /// Mass of the bob.
    #[unit(kg)]
    pub m: f64,
    /// Length of the rod.
    #[unit(m)]
    pub l: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
}

/// 1 kg on 1 m, g = 9.81 m/s².
impl Default for SphericalPendulum {
    fn default() -> Self {
        Self { m: 1.0, l: 1.0, g: 9.81 }
    }
}

impl SphericalPendulum {
    /// Out of the vertical by 60°, pushed sideways at 2 rad/s.
    pub fn pushed() -> State<f64, 2> {
        State::new(0.0, [std::f64::consts::FRAC_PI_3, 0.0], [0.0, 2.0])
    }
}

/// [`SphericalPendulum`] in Cartesian coordinates under the rod's constraint; z upward from the hinge. SI units.
///
/// Known quantities: the energy and the angular momentum m (x ẏ − y ẋ) are constant. The rod's tension is
/// m (v²/l − g z/l).
#[lagrangian {
    coordinates x: m, y: m, z: m;

    kinetic   = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    potential = m*g*z;

    constraint rod: norm([x, y, z]) == l;
    invariant total: J = energy;
    invariant spin: J*s = m*(x*dot(y) - y*dot(x));
    output tension: N = -multiplier(rod);
    output position: m = [x, y, z];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct SphericalPendulumCartesian {
    /// Mass of the bob.
    #[unit(kg)]
    pub m: f64,
    /// Length of the rod.
    #[unit(m)]
    pub l: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
}

/// 1 kg on 1 m, g = 9.81 m/s².
impl Default for SphericalPendulumCartesian {
    fn default() -> Self {
        Self { m: 1.0, l: 1.0, g: 9.81 }
    }
}

impl SphericalPendulumCartesian {
    /// [`SphericalPendulum::pushed`] on a rod of 1 m.
    pub fn pushed() -> State<f64, 3> {
        let (sin, cos) = std::f64::consts::FRAC_PI_3.sin_cos();
        State::new(0.0, [sin, 0.0, -cos], [0.0, 2.0 * sin, 0.0])
    }
}
