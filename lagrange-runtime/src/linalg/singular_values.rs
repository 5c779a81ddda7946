//! The singular values of A by one-sided Jacobi rotations. The rotations give A V = B with orthogonal columns. The columns of B
//! are the left singular vectors times the singular values.
//!
//! Source: M. R. Hestenes, *Inversion of matrices by biorthogonalization and related results*, J. SIAM 6, 1958; G. H. Golub,
//! C. F. Van Loan, *Matrix Computations*, 4th ed., 8.6.3.

use crate::scalar::Real;
use nalgebra::SMatrix;

/// The most sweeps of rotations over all pairs of columns. Six to ten sweeps reach rounding.
const SWEEPS: usize = 30;

/// The singular values and vectors of a matrix of `N` rows and `C` columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SingularValues<R: Real, const N: usize, const C: usize> {
    /// B = A V. Its columns are orthogonal, and their lengths are the singular values.
    scaled: SMatrix<R, N, C>,
    /// The orthogonal matrix V.
    right: SMatrix<R, C, C>,
}

impl<R: Real, const N: usize, const C: usize> SingularValues<R, N, C> {
    /// Decomposes a matrix. A matrix that is not finite gives solutions that are not finite.
    #[must_use]
    pub(crate) fn new(matrix: &SMatrix<R, N, C>) -> Self {
        let mut scaled = *matrix;
        let mut right = SMatrix::from_fn(|i, j| if i == j { R::ONE } else { R::ZERO });
        for _ in 0..SWEEPS {
            let mut turned = false;
            for p in 0..C {
                for q in p + 1..C {
                    turned |= orthogonalise(&mut scaled, &mut right, p, q);
                }
            }
            if !turned {
                break;
            }
        }
        Self { scaled, right }
    }

    /// Returns x = Σ φ(s²) s⁻² bⱼ (vⱼ·`value`). If φ = 1, x solves Aᵀ x = `value`. If the filter φ vanishes faster than s² at
    /// small singular values s, x is a smooth function of A also where A loses rank.
    #[must_use]
    pub(crate) fn filtered(&self, value: &SMatrix<R, C, 1>, filter: impl Fn(R) -> R) -> SMatrix<R, N, 1> {
        let mut solution = SMatrix::<R, N, 1>::repeat(R::ZERO);
        for (b, v) in self.scaled.data.0.iter().zip(&self.right.data.0) {
            let square = dot(b, b);
            let share = dot(v, &value.data.0[0]);
            let weight = if square.gt(R::ZERO) { filter(square) / square } else { square };
            for (x, &b) in solution.iter_mut().zip(b) {
                *x += b * (weight * share);
            }
        }
        solution
    }
}

/// Returns the x of least norm with Aᵀx = `value`, with the columns aₖ of A divided by `weights`. The direction of a singular
/// value s enters by the fraction s⁸/(s⁸ + `tolerance`⁸), so that x is a smooth function of A also where A loses rank.
#[must_use]
pub(crate) fn smooth_least_norm<R: Real, const N: usize, const C: usize>(
    matrix: &SMatrix<R, N, C>,
    weights: &SMatrix<R, C, 1>,
    value: &SMatrix<R, C, 1>,
    tolerance: f64,
) -> SMatrix<R, N, 1> {
    let (mut columns, mut value) = (*matrix, *value);
    for ((column, value), weight) in columns.data.0.iter_mut().zip(value.iter_mut()).zip(weights.iter()) {
        let scale = weight.recip_or_zero();
        for x in column {
            *x *= scale;
        }
        *value *= scale;
    }
    let bound = R::from_f64(tolerance * tolerance).powi(4);
    SingularValues::new(&columns).filtered(&value, |square| square.powi(4) / (square.powi(4) + bound))
}

/// Returns the Euclidean norm of each column.
#[must_use]
pub(crate) fn column_norms<R: Real, const N: usize, const C: usize>(matrix: &SMatrix<R, N, C>) -> SMatrix<R, C, 1> {
    SMatrix::<R, C, 1>::from_fn(|k, _| (0..N).fold(R::ZERO, |sum, i| sum + matrix[(i, k)] * matrix[(i, k)]).sqrt())
}

/// Rotates the columns `p` < `q` until they are orthogonal. Returns false if they already are, up to rounding.
fn orthogonalise<R: Real, const N: usize, const C: usize>(
    scaled: &mut SMatrix<R, N, C>,
    right: &mut SMatrix<R, C, C>,
    p: usize,
    q: usize,
) -> bool {
    let (first, second) = (&scaled.data.0[p], &scaled.data.0[q]);
    let (a, b, c) = (dot(first, first), dot(second, second), dot(first, second));
    if c.abs().to_f64() <= R::EPSILON * (a * b).sqrt().to_f64() || !c.to_f64().is_finite() {
        return false;
    }
    // The tangent is the smaller root t of t² + 2 ζ t − 1 = 0.
    let zeta = (b - a) / (c + c);
    let root = (R::ONE + zeta * zeta).sqrt();
    let tangent = if zeta.lt(R::ZERO) { -(root - zeta).recip() } else { (root + zeta).recip() };
    let cosine = (R::ONE + tangent * tangent).sqrt().recip();
    let sine = cosine * tangent;
    rotate(scaled, p, q, cosine, sine);
    rotate(right, p, q, cosine, sine);
    true
}

fn rotate<R: Real, const N: usize, const C: usize>(
    matrix: &mut SMatrix<R, N, C>,
    p: usize,
    q: usize,
    cosine: R,
    sine: R,
) {
    let (before, after) = matrix.data.0.split_at_mut(q);
    for (x, y) in before[p].iter_mut().zip(after[0].iter_mut()) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
}

fn dot<R: Real>(a: &[R], b: &[R]) -> R {
    a.iter().zip(b).fold(R::ZERO, |sum, (&a, &b)| sum + a * b)
}
