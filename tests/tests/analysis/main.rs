//! What the module `analysis` computes, against closed and published forms.

mod balances;
mod branches;
mod controllers;
mod equilibria;
mod feedback;
mod linear;
mod mechanisms;
mod oscillations;

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
