//! Derivatives of motions and what rests on them: transition matrices, periodic orbits, exponents, estimates, gradients. Methods on dual
//! numbers take long to compile, so that they have a binary of their own.

mod derivatives;
mod estimates;
mod mechanisms;
mod motions;

use lagrange_runtime::nalgebra::DMatrix;

/// A matrix by its rows.
fn matrix<const I: usize, const J: usize>(rows: [[f64; J]; I]) -> DMatrix<f64> {
    DMatrix::from_fn(I, J, |i, j| rows[i][j])
}

/// Whether no entry differs by more than the tolerance.
fn close(found: &DMatrix<f64>, expected: &DMatrix<f64>, tolerance: f64) {
    let error = (found - expected).abs().max();
    assert!(error <= tolerance, "error {error:e}\nfound {found}expected {expected}");
}
