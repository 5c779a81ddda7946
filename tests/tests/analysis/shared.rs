//! Mechanisms and comparisons for the tests of `analysis` and of `sensitivity`.

use lagrange_runtime::nalgebra::DMatrix;
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

/// A mass on a spring with friction under a force a cos ωt.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    dissipation = c*dot(x)^2/2;
    force x = a*cos(w*t);
}]
#[derive(Clone, Debug)]
pub(crate) struct Driven {
    pub(crate) m: f64,
    pub(crate) k: f64,
    pub(crate) c: f64,
    pub(crate) a: f64,
    pub(crate) w: f64,
}

/// A pendulum.
#[lagrangian {
    coordinates theta;
    kinetic = m*l^2*dot(theta)^2/2;
    potential = -m*g*l*cos(theta);
}]
#[derive(Clone, Debug)]
pub(crate) struct Pendulum {
    pub(crate) m: f64,
    pub(crate) l: f64,
    pub(crate) g: f64,
}

/// A matrix by its rows.
pub(crate) fn matrix<const I: usize, const J: usize>(rows: [[f64; J]; I]) -> DMatrix<f64> {
    DMatrix::from_fn(I, J, |i, j| rows[i][j])
}

/// Whether no entry differs by more than the tolerance.
pub(crate) fn close(found: &DMatrix<f64>, expected: &DMatrix<f64>, tolerance: f64) {
    let error = (found - expected).abs().max();
    assert!(error <= tolerance, "error {error:e}\nfound {found}expected {expected}");
}
