//! Mechanisms of which the motions are known.

use super::shared::matrix;
use lagrange_runtime::nalgebra::DMatrix;
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

/// W. H. Clohessy, R. S. Wiltshire, J. Aerosp. Sci. 27, 1960: the neighbours of a circular orbit of rate n, with x = δr and y = r δθ.
pub(crate) fn neighbours(rate: f64, t: f64) -> DMatrix<f64> {
    let (s, c) = (rate * t).sin_cos();
    let n = rate;
    matrix([
        [4.0 - 3.0 * c, 0.0, s / n, 2.0 * (1.0 - c) / n],
        [6.0 * (s - n * t), 1.0, -2.0 * (1.0 - c) / n, (4.0 * s - 3.0 * n * t) / n],
        [3.0 * n * s, 0.0, c, 2.0 * s],
        [6.0 * n * (c - 1.0), 0.0, -2.0 * s, 4.0 * c - 3.0],
    ])
}
