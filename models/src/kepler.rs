//! The Kepler problem.

use lagrange_runtime::prelude::*;

/// A body in the plane that is drawn to the origin by mu/r² per mass.
///
/// Known solution: an ellipse of half axis a = 1/(2/r − v²/mu) with the period 2π √(a³/mu); energy, angular momentum and the
/// eccentricity vector are constant. Source of the initial state: E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical
/// Integration*, 2nd ed., I.2.3.
#[lagrangian {
    coordinates x: 1, y: 1;
    units time = 1, energy = 1;

    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = -m*mu/norm([x, y]);

    invariant total: 1 = energy;
    invariant spin: 1 = m*(x*dot(y) - y*dot(x));
    invariant axis: 1 = [dot(y), -dot(x)]*(x*dot(y) - y*dot(x)) - mu*[x, y]/norm([x, y]);

    verify forcing[x] == -m*mu*x/(x^2 + y^2)^(3/2);

    output position: 1 = [x, y];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Kepler {
    /// Mass of the body.
    #[unit(1)]
    #[range(0.1..10)]
    pub m: f64,
    /// Gravitational parameter.
    #[unit(1)]
    #[range(0.1..10)]
    pub mu: f64,
}

/// Units in which the mass and mu are 1.
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
