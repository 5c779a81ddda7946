//! The factorisation P A = L U with partial pivoting, for general square matrices.

use super::relative_threshold;
use crate::error::SingularMass;
use crate::scalar::{Real, Scalar};
use nalgebra::SMatrix;

/// The factors of a regular square matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lu<R: Real, const N: usize> {
    /// U is on and above the diagonal, and L (with unit diagonal) below it.
    factors: SMatrix<R, N, N>,
    inverse_pivots: [R; N],
    /// Step k exchanged row k with row `exchanges[k]` ≥ k.
    exchanges: [usize; N],
}

impl<R: Real, const N: usize> Lu<R, N> {
    /// Factors a matrix. Each row is divided by its largest entry when pivots are compared, since the units of the rows differ.
    ///
    /// # Errors
    /// [`SingularMass`] with the column in which no candidate for the pivot exceeds N·ε times the scale of its row and column,
    /// and with the largest candidate. A matrix that is not finite gives no error, but solutions that are not finite.
    #[inline]
    pub fn new(matrix: SMatrix<R, N, N>) -> Result<Self, SingularMass> {
        let mut row_weights = row_weights(&matrix);
        let threshold = R::Magnitude::from_f64(relative_threshold::<R>(N));
        let mut factors = matrix;
        let mut inverse_pivots = [R::ZERO; N];
        let mut exchanges = [0; N];
        let column_scales = column_scales(&factors, &row_weights);
        for k in 0..N {
            let (mut best, mut largest, mut pivot) = (k, -R::Magnitude::ONE, R::ZERO);
            let candidates = factors.data.0[k].iter().zip(&row_weights).enumerate().skip(k);
            for (i, (&entry, &weight)) in candidates {
                let candidate = entry.magnitude() * weight;
                if candidate > largest || i == k {
                    (best, largest, pivot) = (i, candidate, entry);
                }
            }
            if largest <= threshold * column_scales[k] && factors.iter().all(|entry| entry.is_finite()) {
                return Err(SingularMass::at(k, pivot.to_f64()));
            }
            exchanges[k] = best;
            for column in &mut factors.data.0 {
                exchange(column, k, best);
            }
            exchange(&mut row_weights, k, best);

            let inverse = pivot.recip();
            inverse_pivots[k] = inverse;
            let (done, rest) = factors.data.0.split_at_mut(k + 1);
            let column = &mut done[k];
            for entry in &mut column[k + 1..] {
                *entry *= inverse;
            }
            for target in rest {
                let factor = target[k];
                for (entry, &below) in target[k + 1..].iter_mut().zip(&column[k + 1..]) {
                    *entry -= below * factor;
                }
            }
        }
        Ok(Self { factors, inverse_pivots, exchanges })
    }

    /// Returns the solution X of A X = `right`.
    #[inline]
    #[must_use]
    pub fn solve<const K: usize>(&self, right: &SMatrix<R, N, K>) -> SMatrix<R, N, K> {
        let mut solution = *right;
        for x in &mut solution.data.0 {
            for (k, &exchange) in self.exchanges.iter().enumerate() {
                if exchange < N {
                    x.swap(k, exchange);
                }
            }
            for (k, column) in self.factors.data.0.iter().enumerate() {
                let known = x[k];
                for i in k + 1..N {
                    x[i] -= column[i] * known;
                }
            }
            for (k, column) in self.factors.data.0.iter().enumerate().rev() {
                let known = x[k] * self.inverse_pivots[k];
                x[k] = known;
                for i in 0..k {
                    x[i] -= column[i] * known;
                }
            }
        }
        solution
    }
}

/// Exchanges two entries. They always exist, but the compiler cannot prove it. The condition keeps panics out of the compiled code.
#[inline(always)]
fn exchange<T, const N: usize>(entries: &mut [T; N], first: usize, second: usize) {
    if first < N && second < N {
        entries.swap(first, second);
    }
}

#[inline(always)]
fn larger<M: Real>(a: M, b: M) -> M {
    if a > b { a } else { b }
}

/// Returns 1/(its largest entry) for each row.
#[inline(always)]
fn row_weights<R: Real, const N: usize>(matrix: &SMatrix<R, N, N>) -> [R::Magnitude; N] {
    let zero = R::Magnitude::ZERO;
    let mut weights = [zero; N];
    for column in &matrix.data.0 {
        for (weight, entry) in weights.iter_mut().zip(column) {
            *weight = larger(entry.magnitude(), *weight);
        }
    }
    for weight in &mut weights {
        *weight = if *weight > zero { weight.recip() } else { zero };
    }
    weights
}

/// Returns the largest weighted entry of each column.
#[inline(always)]
fn column_scales<R: Real, const N: usize>(matrix: &SMatrix<R, N, N>, weights: &[R::Magnitude; N]) -> [R::Magnitude; N] {
    let mut scales = [R::Magnitude::ZERO; N];
    for (scale, column) in scales.iter_mut().zip(&matrix.data.0) {
        for (weight, entry) in weights.iter().zip(column) {
            *scale = larger(entry.magnitude() * *weight, *scale);
        }
    }
    scales
}
