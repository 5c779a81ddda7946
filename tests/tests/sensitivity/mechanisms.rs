//! Mechanisms of which the motions are known.

use lagrange_runtime::prelude::*;

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
