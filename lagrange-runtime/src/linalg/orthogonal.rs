//! The factorisation A Π = Q R by Householder reflections with column pivoting. It gives the rank of A and solutions of least
//! norm.
//!
//! Source: G. H. Golub, C. F. Van Loan, *Matrix Computations*, 4th ed., 5.4.2 and 5.5.

use super::{at, put};
use crate::scalar::Scalar;
use core::array::from_fn;
use nalgebra::SMatrix;

/// The factors of a matrix of `N` rows and `C` columns. Use them for scalars of one lane: the first lane chooses the pivots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PivotedQr<R: Scalar, const N: usize, const C: usize> {
    /// R is above the diagonal. The vectors of the reflections are on and below it, in the order of pivoting.
    factors: SMatrix<R, N, C>,
    /// The diagonal of R.
    diagonal: [R; C],
    /// The weight 2/(wᵀw) of each reflection 1 − 2 w wᵀ/(wᵀw).
    weights: [R; C],
    /// The column at each position.
    order: [usize; C],
    /// The number of independent columns. They are at the first positions.
    rank: usize,
    /// The remaining norm of the column at position `rank`, relative to its own norm. It is 0 if there is no such column.
    remainder: f64,
}

impl<R: Scalar, const N: usize, const C: usize> PivotedQr<R, N, C> {
    /// Factors a matrix. Pivots are chosen by the remaining norm of each column relative to its own norm, since the units of the
    /// columns differ. A column depends on those before it if this ratio is at most `tolerance`. A matrix that is not finite has
    /// full rank, and gives solutions that are not finite.
    #[must_use]
    pub(crate) fn new(matrix: &SMatrix<R, N, C>, tolerance: f64) -> Self {
        let mut qr = Self {
            factors: *matrix,
            diagonal: [R::ZERO; C],
            weights: [R::ZERO; C],
            order: from_fn(|k| k),
            rank: 0,
            remainder: 0.0,
        };
        let mut norms = [0.0; C];
        (qr.rank, qr.remainder) = R::factor_columns(Columns {
            factors: qr.factors.as_mut_slice(),
            height: N,
            diagonal: &mut qr.diagonal,
            weights: &mut qr.weights,
            order: &mut qr.order,
            norms: &mut norms,
            tolerance,
        });
        qr
    }

    /// Returns the number of independent columns.
    #[must_use]
    #[inline(always)]
    pub(crate) fn rank(&self) -> usize {
        // The rank never exceeds the size of the matrix, but the compiler cannot prove it. The bound keeps panics out of the
        // compiled code.
        self.rank.min(N).min(C)
    }

    /// Iterates over the columns that depend on the others, the least dependent first.
    pub(crate) fn dependent(&self) -> impl Iterator<Item = usize> + '_ {
        self.order.iter().skip(self.rank).copied()
    }

    /// Returns the column at each position. The independent columns are first.
    #[must_use]
    pub(crate) fn order(&self) -> [usize; C] {
        self.order
    }

    /// Returns the remaining norm of the first dependent column, relative to its own norm.
    #[must_use]
    pub(crate) fn remainder(&self) -> f64 {
        self.remainder
    }

    fn reflected<const K: usize>(&self, k: usize, right: &mut SMatrix<R, N, K>) {
        let normal = &self.factors.data.0[k];
        for x in &mut right.data.0 {
            let pairs = normal.iter().zip(x.iter()).skip(k);
            let product = pairs.fold(R::ZERO, |sum, (&w, &x)| sum + w * x) * self.weights[k];
            for (&w, x) in normal.iter().zip(x).skip(k) {
                *x -= w * product;
            }
        }
    }

    /// Returns Qᵀ times a matrix.
    #[must_use]
    pub(crate) fn rotate<const K: usize>(&self, mut right: SMatrix<R, N, K>) -> SMatrix<R, N, K> {
        for k in 0..self.rank() {
            self.reflected(k, &mut right);
        }
        right
    }

    /// Returns Q times a matrix.
    #[must_use]
    pub(crate) fn rotate_back<const K: usize>(&self, mut right: SMatrix<R, N, K>) -> SMatrix<R, N, K> {
        for k in (0..self.rank()).rev() {
            self.reflected(k, &mut right);
        }
        right
    }

    /// Returns the first components y of Qᵀx for the x of least norm with Aᵀx = `right`. Only the equations of independent
    /// columns are used.
    pub(super) fn leading<const K: usize>(&self, right: &SMatrix<R, C, K>) -> SMatrix<R, N, K> {
        let mut solution = SMatrix::<R, N, K>::repeat(R::ZERO);
        for (y, given) in solution.data.0.iter_mut().zip(&right.data.0) {
            for k in 0..self.rank() {
                let mut value = at(given, self.order[k]);
                for (i, known) in y.iter().enumerate().take(k) {
                    value -= self.factors[(i, k)] * *known;
                }
                y[k] = value / self.diagonal[k];
            }
        }
        solution
    }

    /// Returns the x of least norm with Aᵀx = `right`. Only the equations of independent columns are used.
    #[must_use]
    pub(crate) fn least_norm<const K: usize>(&self, right: &SMatrix<R, C, K>) -> SMatrix<R, N, K> {
        self.rotate_back(self.leading(right))
    }

    /// Returns the least-squares solution x of A x = b from `rotated` = Qᵀb. The components of dependent columns are 0.
    pub(super) fn basic<const K: usize>(&self, rotated: &SMatrix<R, N, K>) -> SMatrix<R, C, K> {
        let mut solution = SMatrix::<R, C, K>::repeat(R::ZERO);
        for (x, given) in solution.data.0.iter_mut().zip(&rotated.data.0) {
            for k in (0..self.rank()).rev() {
                let mut value = given[k];
                for j in k + 1..self.rank() {
                    value -= self.factors[(k, j)] * at(x, self.order[j]);
                }
                if let Some(x) = x.get_mut(self.order[k]) {
                    *x = value / self.diagonal[k];
                }
            }
        }
        solution
    }

    /// Returns the least-squares solution x of A x = b that has the least norm, from `rotated` = Qᵀb.
    #[must_use]
    pub(crate) fn shortest<const K: usize>(&self, rotated: &SMatrix<R, N, K>) -> SMatrix<R, C, K> {
        if self.rank == C {
            return self.basic(rotated);
        }
        // The independent rows of R, transposed. The solution of least norm is in their span.
        let rows = SMatrix::<R, C, N>::from_fn(|column, row| {
            let Some(position) = self.order.iter().position(|&column_at| column_at == column) else { return R::ZERO };
            match row.cmp(&position) {
                _ if row >= self.rank => R::ZERO,
                core::cmp::Ordering::Less => self.factors[(row, position)],
                core::cmp::Ordering::Equal => self.diagonal[position],
                core::cmp::Ordering::Greater => R::ZERO,
            }
        });
        PivotedQr::new(&rows, 0.0).least_norm(rotated)
    }
}

/// A matrix, and the room for its factors. The code works on slices: it is compiled once in this library for `f64` and `f32`, and not again in
/// every crate for the size of its mechanism.
#[derive(Debug)]
pub struct Columns<'a, R: Scalar> {
    /// The matrix, column by column; then the factors.
    factors: &'a mut [R],
    /// The number of rows.
    height: usize,
    diagonal: &'a mut [R],
    weights: &'a mut [R],
    order: &'a mut [usize],
    /// The norm of each column.
    norms: &'a mut [f64],
    tolerance: f64,
}

impl<R: Scalar> Columns<'_, R> {
    /// Factors the matrix. Returns the rank and the remainder.
    pub(crate) fn factor(mut self) -> (usize, f64) {
        let count = self.order.len();
        for k in 0..count {
            put(self.norms, k, self.norm(k, 0));
        }
        for k in 0..count.min(self.height) {
            let (mut best, mut most) = (k, self.left(k, k));
            for j in k + 1..count {
                let candidate = self.left(j, k);
                if candidate > most {
                    (best, most) = (j, candidate);
                }
            }
            if most <= self.tolerance {
                return (k, most);
            }
            self.exchange(k, best);
            self.reflect(k);
        }
        (count.min(self.height), 0.0)
    }

    /// The norm of column `j` from row `k` on, relative to the norm of the whole column. It is 0 for a column of zeros.
    fn left(&self, j: usize, k: usize) -> f64 {
        let total = at(self.norms, self.order.get(j).copied().unwrap_or(0));
        let rest = self.norm(j, k);
        if total == 0.0 { 0.0 } else { rest / total }
    }

    /// The Euclidean norm of column `j` from row `k` on. No square overflows or loses digits.
    fn norm(&self, j: usize, k: usize) -> f64 {
        let mut largest = 0.0;
        for i in k..self.height {
            let size = self.entry(i, j).to_f64().abs();
            if size > largest {
                largest = size;
            }
        }
        let mut sum = 0.0;
        for i in k..self.height {
            let entry = self.entry(i, j).to_f64();
            // Where all entries are 0, or one is NaN, the sum is 0 or NaN.
            let part = if largest == 0.0 { entry.abs() } else { (entry / largest) * (entry / largest) };
            sum += part;
        }
        if largest == 0.0 { sum } else { largest * Scalar::sqrt(sum) }
    }

    /// Exchanges two columns.
    fn exchange(&mut self, first: usize, second: usize) {
        for i in 0..self.height {
            let entries = [first, second].map(|j| self.entry(i, j));
            self.set(i, first, entries[1]);
            self.set(i, second, entries[0]);
        }
        let columns = [first, second].map(|j| self.order.get(j).copied().unwrap_or(0));
        put(self.order, first, columns[1]);
        put(self.order, second, columns[0]);
    }

    /// Makes column `k` zero below its diagonal, and reflects the columns after it.
    fn reflect(&mut self, k: usize) {
        let mut square = R::ZERO;
        for i in k..self.height {
            square += self.entry(i, k) * self.entry(i, k);
        }
        let length = square.sqrt();
        let head = self.entry(k, k);
        // The sign is opposite to that of the entry, so that the difference does not cancel.
        let end = R::select(head.lt(R::ZERO), length, -length);
        // wᵀw/2 = |x|² + |x||x₁|.
        let weight = (square - end * head).recip();
        put(self.diagonal, k, end);
        put(self.weights, k, weight);
        self.set(k, k, head - end);
        for j in k + 1..self.order.len() {
            let mut product = R::ZERO;
            for i in k..self.height {
                product += self.entry(i, k) * self.entry(i, j);
            }
            let product = product * weight;
            for i in k..self.height {
                let part = self.entry(i, k) * product;
                self.set(i, j, self.entry(i, j) - part);
            }
        }
    }

    fn entry(&self, i: usize, j: usize) -> R {
        at(self.factors, i + j * self.height)
    }

    fn set(&mut self, i: usize, j: usize, value: R) {
        let place = i + j * self.height;
        put(self.factors, place, value);
    }
}
