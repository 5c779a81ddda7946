//! Small dense solves over [`Scalar`]: matrices of fixed size on the stack, no allocation, no panic.
//!
//! [`solve_symmetric`] is for a mass matrix, which is symmetric and nearly always positive definite, and [`Lu`] for the
//! unsymmetric matrices of Newton's iteration. Both are public for methods of one's own. The rest serves this library: `ldlt`
//! without pivoting, which works on lanes; `indefinite` for a regular mass matrix that is not definite (L = m ẋẏ − k x y);
//! `blocks` for the matrices of several stages at once; `bordered` for a mass matrix with constraints; `orthogonal` for rank and
//! for solutions of least norm; `singular_values` for solutions that stay smooth where a matrix loses rank.

pub(crate) mod blocks;
pub(crate) mod bordered;
pub(crate) mod indefinite;
pub(crate) mod ldlt;
pub(crate) mod lu;
pub(crate) mod orthogonal;
pub(crate) mod singular_values;

pub use lu::Lu;

use crate::error::SingularMass;
use crate::scalar::Scalar;
use indefinite::Indefinite;
use ldlt::Ldlt;
use nalgebra::SMatrix;

/// The solution X of M X = `right` for a symmetric M, of which the lower triangle is read.
///
/// M is factored as [`Ldlt`]; where a pivot is not safely positive, as [`Indefinite`]. Several lanes cannot agree
/// on pivots: there the first factorisation stands alone, and a lane in which it fails is NaN.
/// A matrix that is not finite gives a solution that is not finite.
///
/// # Errors
/// [`SingularMass`] with the coordinate whose pivot vanished, for scalars of one lane only.
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
    Ok(Indefinite::new(matrix)?.solve(&right))
}

/// An entry by an index that is always inside, such as one of a permutation. The optimiser cannot know that, and must find
/// no panic for the other case.
#[inline(always)]
fn at<T: Scalar>(entries: &[T], index: usize) -> T {
    entries.get(index).copied().unwrap_or(T::ZERO)
}

/// N·ε: a pivot below this multiple of its coordinate's scale cannot be told from zero.
fn relative_threshold<R: Scalar>(size: usize) -> f64 {
    size as f64 * R::EPSILON
}

#[cfg(test)]
mod tests;
