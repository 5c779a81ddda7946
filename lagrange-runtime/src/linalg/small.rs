//! Inverses of small matrices, by elimination with partial pivoting.
//!
//! A product with an inverse is ready after one multiplication and N sums, where a solution by triangular factors waits for N divisions or products one
//! after the other. It pays where many solutions follow each other for one matrix of a few rows.

use super::blocks::Table;
use super::relative_threshold;
use crate::scalar::{Real, Scalar};
use nalgebra::SMatrix;

/// The largest size for which [`inverse`] is meant: eight columns of a product are vectors, and beyond it the inverse costs more operations than it saves.
pub(crate) const SMALL: usize = 8;

/// Returns the inverse of a matrix, whose rows are multiplied by their weights when pivots are compared. It is `None` if a pivot is not above N·ε times the
/// largest weighted entry of its column: the matrix may be singular then.
#[inline(always)]
pub(crate) fn inverse<R: Real, const N: usize>(
    matrix: &SMatrix<R, N, N>,
    weights: &Table<R::Magnitude, N, 1, 0>,
) -> Option<SMatrix<R, N, N>> {
    let threshold = R::Magnitude::from_f64(relative_threshold::<R>(N));
    let mut weights = weights.core[0];
    let mut scales = [R::Magnitude::ZERO; N];
    for (scale, column) in scales.iter_mut().zip(&matrix.data.0) {
        for (entry, &weight) in column.iter().zip(&weights) {
            *scale = larger(*scale, entry.magnitude() * weight);
        }
    }
    let mut left = matrix.data.0;
    // Column j of the inverse at [j].
    let mut right = [[R::ZERO; N]; N];
    for (j, column) in right.iter_mut().enumerate() {
        column[j] = R::ONE;
    }
    let mut is_safe = true;
    for k in 0..N {
        let (mut best, mut largest) = (k, left[k][k].magnitude() * weights[k]);
        for i in k + 1..N {
            let candidate = left[k][i].magnitude() * weights[i];
            if candidate > largest {
                (best, largest) = (i, candidate);
            }
        }
        is_safe &= largest > threshold * scales[k];
        for i in k + 1..N {
            if i == best {
                weights.swap(k, i);
                for column in left.iter_mut().chain(&mut right) {
                    column.swap(k, i);
                }
            }
        }
        let inverse = left[k][k].recip();
        for j in 0..N {
            if j > k {
                left[j][k] *= inverse;
            }
            right[j][k] *= inverse;
        }
        for i in 0..N {
            if i == k {
                continue;
            }
            let factor = left[k][i];
            for j in 0..N {
                if j > k {
                    left[j][i] -= factor * left[j][k];
                }
                right[j][i] -= factor * right[j][k];
            }
        }
    }
    is_safe.then(|| SMatrix::from(right))
}

#[inline(always)]
fn larger<M: Real>(a: M, b: M) -> M {
    if b > a { b } else { a }
}
