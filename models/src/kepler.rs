//! The Kepler problem.

use lagrange_runtime::prelude::*;

/// A body in the plane that is drawn to the origin by mu/r² per mass.
///
/// Known solution: an ellipse of half axis a = 1/(2/r − v²/mu) with the period 2π √(a³/mu); energy, angular momentum and the
/// eccentricity vector are constant. Source of the initial state: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical
/// Integration*, 2nd ed., I.2.3.
#[lagrangian {
    coordinates x: m, y: m;

    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = -m*mu/norm([x, y]);

    invariant total: J = energy;
    invariant spin: J*s = m*(x*dot(y) - y*dot(x));
    invariant axis: m^3/s^2 = [dot(y), -dot(x)]*(x*dot(y) - y*dot(x)) - mu*[x, y]/norm([x, y]);

    verify forcing[x] == -m*mu*x/(x^2 + y^2)^(3/2);

    output position: m = [x, y];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Kepler {
    /// Mass of the body.
    #[unit(kg)]
    pub m: f64,
    /// Gravitational parameter.
    #[unit(m^3/s^2)]
    pub mu: f64,
}

/// A mass of 1 kg and mu = 1 m³/s².
impl Default for Kepler {
    fn default() -> Self {
        Self { m: 1.0, mu: 1.0 }
    }
}

impl Kepler {
    /// At the pericentre of an orbit of eccentricity e with half axis 1 and mu = 1: (1 − e, 0), (0, √((1 + e)/(1 − e))).
    pub fn pericentre(e: f64) -> State<f64, 2> {
        State::new(0.0, [1.0 - e, 0.0], [0.0, ((1.0 + e) / (1.0 - e)).sqrt()])
    }

    /// The orbit of eccentricity 0.6.
    pub fn eccentric() -> State<f64, 2> {
        Self::pericentre(0.6)
    }
}
