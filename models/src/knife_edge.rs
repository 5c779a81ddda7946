//! A knife edge on an inclined plane.

use lagrange_runtime::prelude::*;

/// A blade that slides along its own direction on a plane, inclined by `slope` along x, and cannot slip sideways. φ is its
/// direction from x, in radians. SI units.
///
/// Known solution: from rest but for the rate ω of φ, and from the origin with φ = 0, φ = ω t,
/// x = (g sin α/2ω²) sin² ωt, y = (g sin α/2ω²)(ωt − ½ sin 2ωt): a cycloid, across the slope on average
/// (A. M. Bloch, *Nonholonomic Mechanics and Control*, 2nd ed., 1.6).
#[lagrangian {
    coordinates x: m, y: m, phi: rad;

    kinetic   = m*(dot(x)^2 + dot(y)^2)/2 + i*dot(phi)^2/2;
    potential = -m*g*sin(slope)*x;

    nonholonomic edge: dot(x)*sin(phi) == dot(y)*cos(phi);
    output sideways: N = multiplier(edge);
    output place: m = [x, y];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct KnifeEdge {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// Moment of inertia about the vertical.
    #[unit(kg*m^2)]
    pub i: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Inclination of the plane.
    #[unit(rad)]
    pub slope: f64,
}

/// 1 kg, 0.1 kg m², on a slope of 0.2 rad.
impl Default for KnifeEdge {
    fn default() -> Self {
        Self { m: 1.0, i: 0.1, g: 9.81, slope: 0.2 }
    }
}

impl KnifeEdge {
    /// The known solution at time t for the rate ω.
    pub fn cycloid(&self, omega: f64, t: f64) -> State<f64, 3> {
        let size = self.g * self.slope.sin() / (2.0 * omega * omega);
        let (sin, cos) = (omega * t).sin_cos();
        let q = [size * sin * sin, size * (omega * t - sin * cos), omega * t];
        let speed = 2.0 * size * omega * sin;
        State::new(t, q, [speed * cos, speed * sin, omega])
    }

    /// At the origin, turning at 2 rad/s.
    pub fn turning() -> State<f64, 3> {
        State::new(0.0, [0.0, 0.0, 0.0], [0.0, 0.0, 2.0])
    }
}
