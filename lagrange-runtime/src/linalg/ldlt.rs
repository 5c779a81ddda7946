//! The factorisation M = L D Lᵀ without pivoting. L is unit lower triangular, and D is diagonal and positive.

use super::relative_threshold;
use crate::error::SingularMass;
use crate::scalar::{Mask, Scalar};
use nalgebra::SMatrix;

/// A pivot that is smaller than this part of its diagonal entry magnifies the rounding of those behind it by much.
const SMALL: f64 = 1.0 / 64.0;

/// The factors of a symmetric positive definite matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ldlt<R: Scalar, const N: usize> {
    /// L is below the diagonal. The other entries are not used.
    lower: SMatrix<R, N, N>,
    /// The inverses of the diagonal entries of D.
    inverse_pivots: [R; N],
}

impl<R: Scalar, const N: usize> Ldlt<R, N> {
    /// Factors a symmetric matrix. Only its lower triangle is read.
    ///
    /// # Errors
    /// The first coordinate i whose pivot is at most N·ε·|M_ii|. M is then not positive definite, or cannot be distinguished from
    /// such a matrix. Scalars of several lanes give no error. The lane that fails is NaN from this pivot on.
    #[inline]
    pub(crate) fn new(matrix: &SMatrix<R, N, N>) -> Result<Self, SingularMass> {
        let threshold = R::from_f64(relative_threshold::<R>(N));
        let mut lower = *matrix;
        let mut inverse_pivots = [R::ZERO; N];
        for j in 0..N {
            let (done, rest) = lower.data.0.split_at_mut(j + 1);
            let column = &mut done[j];
            let pivot = column[j];
            let vanished = pivot.le(threshold * matrix[(j, j)].abs());
            if R::LANES == 1 && vanished.any() {
                return Err(SingularMass::at(j, pivot.to_f64()));
            }
            let inverse = R::select(vanished, R::from_f64(f64::NAN), pivot).recip();
            inverse_pivots[j] = inverse;
            // Subtracts (column)(column)ᵀ/pivot from the remaining matrix.
            for (k, target) in rest.iter_mut().enumerate() {
                let k = j + 1 + k;
                let factor = column[k] * inverse;
                for (entry, &below) in target[k..].iter_mut().zip(&column[k..]) {
                    *entry -= below * factor;
                }
            }
            for entry in &mut column[j + 1..] {
                *entry *= inverse;
            }
        }
        Ok(Self { lower, inverse_pivots })
    }

    /// Returns the product of the small pivots of the factored `matrix`, each relative to its diagonal entry. If it is below √ε, the solutions may
    /// lose half of their digits.
    ///
    /// A pivot that should vanish is rounding, which the small pivots before it have magnified by their inverses. So the pivot alone may be as
    /// large as theirs, and the product of all tells that it is rounding.
    #[must_use]
    pub(crate) fn small_pivots(&self, matrix: &SMatrix<R, N, N>) -> f64 {
        self.relative_pivots(matrix).into_iter().filter(|&pivot| pivot < SMALL).product()
    }

    /// Returns the pivots of the factored `matrix`, each relative to its diagonal entry: the part of the row that is independent of those before it.
    pub(crate) fn relative_pivots(&self, matrix: &SMatrix<R, N, N>) -> [f64; N] {
        core::array::from_fn(|j| 1.0 / (self.inverse_pivots[j] * matrix[(j, j)]).to_f64())
    }

    /// Returns the solution X of M X = `right`.
    #[inline]
    #[must_use]
    pub(crate) fn solve<const K: usize>(&self, right: &SMatrix<R, N, K>) -> SMatrix<R, N, K> {
        let mut solution = *right;
        for x in &mut solution.data.0 {
            self.forward(x);
            for (x, &inverse) in x.iter_mut().zip(&self.inverse_pivots) {
                *x *= inverse;
            }
            self.backward(x);
        }
        solution
    }

    /// Returns D^(−1/2) L⁻¹ X. Its columns have the lengths that the columns of X have in the metric M⁻¹.
    #[must_use]
    pub(crate) fn whiten<const K: usize>(&self, right: &SMatrix<R, N, K>) -> SMatrix<R, N, K> {
        let mut solution = *right;
        for x in &mut solution.data.0 {
            self.forward(x);
            for (x, &inverse) in x.iter_mut().zip(&self.inverse_pivots) {
                *x *= inverse.sqrt();
            }
        }
        solution
    }

    /// Returns L⁻ᵀ D^(−1/2) X. Applied after [`whiten`](Self::whiten), it gives M⁻¹ X.
    #[must_use]
    pub(crate) fn unwhiten<const K: usize>(&self, right: &SMatrix<R, N, K>) -> SMatrix<R, N, K> {
        let mut solution = *right;
        for x in &mut solution.data.0 {
            for (x, &inverse) in x.iter_mut().zip(&self.inverse_pivots) {
                *x *= inverse.sqrt();
            }
            self.backward(x);
        }
        solution
    }

    /// Returns √(xᵀ M x) = |D^(1/2) Lᵀ x|.
    #[must_use]
    pub(crate) fn length(&self, x: &SMatrix<R, N, 1>) -> R {
        let mut square = R::ZERO;
        for (j, column) in self.lower.data.0.iter().enumerate() {
            let entry = (j + 1..N).fold(x[j], |sum, i| sum + column[i] * x[i]);
            square += entry * entry / self.inverse_pivots[j];
        }
        square.sqrt()
    }

    /// Returns L⁻¹ x.
    #[inline]
    fn forward(&self, x: &mut [R; N]) {
        for (j, column) in self.lower.data.0.iter().enumerate() {
            let known = x[j];
            for i in j + 1..N {
                x[i] -= column[i] * known;
            }
        }
    }

    /// Returns L⁻ᵀ x.
    #[inline]
    fn backward(&self, x: &mut [R; N]) {
        for (j, column) in self.lower.data.0.iter().enumerate().rev() {
            let mut value = x[j];
            for i in j + 1..N {
                value -= column[i] * x[i];
            }
            x[j] = value;
        }
    }
}
