//! Mechanisms of which the motions are known.

use lagrange_runtime::prelude::*;

/// A mass on a spring.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    force x = push;
}]
#[derive(Clone, Debug)]
pub(crate) struct Oscillator {
    pub(crate) m: f64,
    pub(crate) k: f64,
    #[input]
    pub(crate) push: f64,
}

/// A body under an inverse square attraction, in polar coordinates.
#[lagrangian {
    coordinates r, theta;
    kinetic = (dot(r)^2 + r^2*dot(theta)^2)/2;
    potential = -mu/r;
}]
#[derive(Clone, Debug)]
pub(crate) struct Orbit {
    pub(crate) mu: f64,
}
