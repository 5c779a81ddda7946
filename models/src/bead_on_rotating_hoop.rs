//! A bead on a hoop that is turned about its vertical diameter.

use lagrange_runtime::prelude::*;

/// A bead that slides without friction on a circular hoop which is turned about its vertical diameter at a given rate; z
/// upward from the hoop's centre. SI units. The constraint depends on time.
///
/// Known solution: with θ from the lowest point, θ̈ = (ω² cos θ − g/r) sin θ; the bead rests at cos θ = g/(ω² r) where that is
/// below 1. E − ω J_z is constant, while the drive puts in the power of the energy E (H. Goldstein, C. Poole, J. Safko,
/// *Classical Mechanics*, 3rd ed., 2.7).
#[lagrangian {
    coordinates x: m, y: m, z: m;

    kinetic   = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    potential = m*g*z;

    constraint hoop: norm([x, y, z]) == r;
    constraint plane: x*sin(omega*t) == y*cos(omega*t);

    output position: m = [x, y, z];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct BeadOnRotatingHoop {
    /// Mass of the bead.
    #[unit(kg)]
    #[range(0.1..10)]
    pub m: f64,
    /// Radius of the hoop.
    #[unit(m)]
    #[range(0.1..2)]
    pub r: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Rate of the hoop.
    #[unit(rad/s)]
    #[range(0..20)]
    pub omega: f64,
}

/// 1 kg on a hoop of 0.5 m at 6 rad/s.
impl Default for BeadOnRotatingHoop {
    fn default() -> Self {
        Self { m: 1.0, r: 0.5, g: 9.81, omega: 6.0 }
    }
}

impl BeadOnRotatingHoop {
    /// The state at the angle θ from the lowest point, at the rate θ̇, at time 0.
    pub fn at(&self, theta: f64, rate: f64) -> State<f64, 3> {
        let (sin, cos) = theta.sin_cos();
        let q = [self.r * sin, 0.0, -self.r * cos];
        State::new(0.0, q, [self.r * cos * rate, self.r * sin * self.omega, self.r * sin * rate])
    }

    /// At rest on the default hoop, 0.3 rad from its lowest point: it climbs.
    pub fn released() -> State<f64, 3> {
        Self::default().at(0.3, 0.0)
    }
}
