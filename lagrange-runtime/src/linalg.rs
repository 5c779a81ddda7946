//! Linear solves over [`Scalar`] for small dense matrices. Matrices have a fixed size and live on the stack. Nothing allocates or
//! panics.
//!
//! [`solve_symmetric`] is for a mass matrix, which is symmetric and nearly always positive definite. [`Lu`] is for the
//! unsymmetric matrices of Newton's iteration. Both are public, for methods that users write. The other modules serve this
//! library:
//!
//! - `ldlt` factors without pivoting and also works on lanes.
//! - `indefinite` factors a regular mass matrix that is not definite, as of L = m ẋẏ − k x y.
//! - `blocks` factors the matrices of several stages at once.
//! - `bordered` solves for a mass matrix with constraints.
//! - `complex` factors the complex matrices of Radau's methods.
//! - `orthogonal` finds ranks and solutions of least norm.
//! - `small` inverts the matrices of a few rows of Rosenbrock's methods.
//! - `singular_values` finds solutions that stay smooth where a matrix loses rank.

pub(crate) mod blocks;
pub(crate) mod bordered;
pub(crate) mod complex;
pub(crate) mod indefinite;
pub(crate) mod ldlt;
pub(crate) mod lu;
pub(crate) mod orthogonal;
pub(crate) mod singular_values;
pub(crate) mod small;

pub use lu::Lu;

use crate::error::SingularMass;
use crate::scalar::Scalar;
use ldlt::Ldlt;
use nalgebra::SMatrix;

/// Returns the solution X of M X = `right` for a symmetric M. Only the lower triangle of M is read.
///
/// M is factored as L D Lᵀ. If a pivot is not safely positive, M is factored with pivots of one or two rows instead. Scalars of several
/// lanes cannot agree on pivots. For them only L D Lᵀ is used, and a lane in which it fails is NaN. A matrix that is not finite
/// gives a solution that is not finite.
///
/// # Errors
/// [`SingularMass`] with the coordinate whose pivot vanished. Only scalars of one lane give this error.
#[inline]
pub fn solve_symmetric<R: Scalar, const N: usize, const K: usize>(
    matrix: &SMatrix<R, N, N>,
    right: SMatrix<R, N, K>,
) -> Result<SMatrix<R, N, K>, SingularMass> {
    match Ldlt::new(matrix) {
        Ok(factors) => Ok(factors.solve(&right)),
        Err(_) => solve_indefinite(matrix, right),
    }
}

#[cold]
#[inline(never)]
fn solve_indefinite<R: Scalar, const N: usize, const K: usize>(
    matrix: &SMatrix<R, N, N>,
    right: SMatrix<R, N, K>,
) -> Result<SMatrix<R, N, K>, SingularMass> {
    indefinite::solve(matrix, right)
}

/// Returns the entry at an index that is always within bounds, such as one from a permutation. The compiler cannot prove the
/// bound. This function returns 0 instead of panicking, so that no panic is compiled in.
#[inline(always)]
fn at<T: Scalar>(entries: &[T], index: usize) -> T {
    entries.get(index).copied().unwrap_or(T::ZERO)
}

/// Writes an entry at an index that is always within bounds, without a panic in the compiled code.
fn put<T>(entries: &mut [T], index: usize, value: T) {
    if let Some(entry) = entries.get_mut(index) {
        *entry = value;
    }
}

/// N·ε. A pivot below this multiple of its coordinate's scale cannot be distinguished from 0.
fn relative_threshold<R: Scalar>(size: usize) -> f64 {
    size as f64 * R::EPSILON
}

#[cfg(test)]
mod tests;
