//! The factorisation P S M S Pᵀ = L D Lᵀ for regular symmetric matrices that are not positive definite. D has blocks of size 1×1
//! and 2×2.
//!
//! The pivoting is complete and follows Bunch and Parlett (SIAM J. Numer. Anal. 8, 1971). A 2×2 block is used if the largest
//! entry off the diagonal exceeds the largest on it by a factor above 8/(1+√17). The diagonal matrix S scales M first, because
//! the units of the coordinates differ. Its entries are powers of two, so that the scaling rounds nothing.

use super::{at, relative_threshold};
use crate::error::SingularMass;
use crate::scalar::{Mask, Scalar};
use nalgebra::SMatrix;

/// The constant (1 + √17)/8, which minimises the bound on the growth of entries.
const PREFERENCE: f64 = 0.6403882032022076;

/// The factors of a regular symmetric matrix. Use them for scalars of one lane: the first lane chooses the pivots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Indefinite<R: Scalar, const N: usize> {
    /// L is below the diagonal, with 0 inside a 2×2 block. D⁻¹ is on the diagonal, and below it inside a 2×2 block.
    factors: SMatrix<R, N, N>,
    /// Whether a 2×2 block begins at this step.
    double: [bool; N],
    /// The coordinate at each position.
    order: [usize; N],
    /// The scaling S, by coordinate.
    scaling: [R; N],
}

impl<R: Scalar, const N: usize> Indefinite<R, N> {
    /// Factors a symmetric matrix. Only its lower triangle is read.
    ///
    /// # Errors
    /// [`SingularMass`] if every remaining entry is at most N·ε times the largest term in its sum. The terms are the original
    /// entry and the values that elimination subtracted. The error contains a remaining coordinate and its remaining diagonal
    /// entry. A matrix that is not finite gives no error, but solutions that are not finite.
    pub(crate) fn new(matrix: &SMatrix<R, N, N>) -> Result<Self, SingularMass> {
        let scales = equilibrate(matrix);
        let mut scaling = [R::ONE; N];
        for i in 0..N {
            scaling[i] = R::from_f64(scales[i]);
        }
        let mut rest = Rest::new(matrix, &scaling);
        let mut double = [false; N];
        let mut k = 0;
        while k < N {
            let (diagonal, on) = rest.largest_on_diagonal(k);
            let (row, column, off) = rest.largest_off_diagonal(k);
            if on <= 0.0 && off <= 0.0 {
                return Err(rest.singular(diagonal, &scales));
            }
            double[k] = off * PREFERENCE > on;
            if double[k] {
                rest.exchange(k, column);
                rest.exchange(k + 1, row);
                rest.eliminate_two(k);
                k += 2;
            } else {
                rest.exchange(k, diagonal);
                rest.eliminate_one(k);
                k += 1;
            }
        }
        Ok(Self { factors: rest.entries, double, order: rest.order, scaling })
    }

    /// Returns the solution X of M X = `right`.
    #[must_use]
    pub(crate) fn solve<const K: usize>(&self, right: &SMatrix<R, N, K>) -> SMatrix<R, N, K> {
        let l = &self.factors;
        let mut solution = *right;
        for target in &mut solution.data.0 {
            let mut x = [R::ZERO; N];
            for (x, &coordinate) in x.iter_mut().zip(&self.order) {
                *x = at(target, coordinate) * at(&self.scaling, coordinate);
            }
            for k in 0..N {
                let known = x[k];
                for i in k + 1..N {
                    // Inside a 2×2 block the entry below the diagonal belongs to D.
                    if !(self.double[k] && i == k + 1) {
                        x[i] -= l[(i, k)] * known;
                    }
                }
            }
            let mut k = 0;
            while k < N {
                if self.double[k] && k + 1 < N {
                    let (first, second) = (x[k], x[k + 1]);
                    x[k] = l[(k, k)] * first + l[(k + 1, k)] * second;
                    x[k + 1] = l[(k + 1, k)] * first + l[(k + 1, k + 1)] * second;
                    k += 2;
                } else {
                    x[k] *= l[(k, k)];
                    k += 1;
                }
            }
            for k in (0..N).rev() {
                let mut value = x[k];
                for i in k + 1..N {
                    if !(self.double[k] && i == k + 1) {
                        value -= l[(i, k)] * x[i];
                    }
                }
                x[k] = value;
            }
            for (&x, &coordinate) in x.iter().zip(&self.order) {
                if let Some(target) = target.get_mut(coordinate) {
                    *target = x * at(&self.scaling, coordinate);
                }
            }
        }
        solution
    }
}

/// Returns powers of two s such that the largest |s_i M_ij s_j| of each nonzero row is between 1/4 and about 1.
fn equilibrate<R: Scalar, const N: usize>(matrix: &SMatrix<R, N, N>) -> [f64; N] {
    let mut scales = [1.0; N];
    // Each round takes the square root of all ratios between units. Twelve rounds suffice for all ratios in the range of a
    // double.
    for _ in 0..12 {
        let mut largest = [0.0; N];
        for i in 0..N {
            for j in 0..=i {
                let magnitude = scales[i] * matrix[(i, j)].to_f64().abs() * scales[j];
                largest[i] = magnitude.max(largest[i]);
                largest[j] = magnitude.max(largest[j]);
            }
        }
        for i in 0..N {
            if largest[i] > 0.0 {
                scales[i] /= Scalar::sqrt(largest[i]);
            }
        }
    }
    for scale in &mut scales {
        *scale = power_of_two_near(*scale);
    }
    scales
}

/// Returns the largest power of two that does not exceed a positive normal number.
fn power_of_two_near(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & f64::INFINITY.to_bits())
}

/// The matrix during the factorisation. The part from some position on remains to be factored, and the part before it has the
/// factors.
struct Rest<R: Scalar, const N: usize> {
    /// The entries of both triangles.
    entries: SMatrix<R, N, N>,
    /// The largest term in the sum of each entry.
    terms: SMatrix<f64, N, N>,
    /// The coordinate at each position.
    order: [usize; N],
}

impl<R: Scalar, const N: usize> Rest<R, N> {
    fn new(matrix: &SMatrix<R, N, N>, scaling: &[R; N]) -> Self {
        let (mut entries, mut terms) = (*matrix, SMatrix::<f64, N, N>::repeat(0.0));
        let mut order = [0; N];
        let mut finite = true;
        for j in 0..N {
            order[j] = j;
            for i in 0..N {
                finite &= matrix[(i, j)].is_finite().all();
                entries[(i, j)] = matrix[if i > j { (i, j) } else { (j, i) }] * scaling[i] * scaling[j];
                terms[(i, j)] = entries[(i, j)].to_f64().abs();
            }
        }
        if !finite {
            entries.fill(R::from_f64(f64::NAN));
            terms.fill(f64::NAN);
        }
        Self { entries, terms, order }
    }

    /// Returns the failure of a matrix in which no entry remains from this position on.
    fn singular(&self, position: usize, scales: &[f64; N]) -> SingularMass {
        let coordinate = self.order.get(position).copied().unwrap_or(0);
        let scale = at(scales, coordinate);
        let left = if position < N { self.entry(position, position).to_f64() } else { 0.0 };
        SingularMass::at(coordinate, left / (scale * scale))
    }

    /// Returns an entry. It always exists, but the compiler cannot prove it; 0 instead of a panic keeps panics out of the compiled code.
    #[inline(always)]
    fn entry(&self, i: usize, j: usize) -> R {
        self.entries.get((i, j)).copied().unwrap_or(R::ZERO)
    }

    /// Writes an entry.
    #[inline(always)]
    fn set(&mut self, i: usize, j: usize, value: R) {
        if let Some(entry) = self.entries.get_mut((i, j)) {
            *entry = value;
        }
    }

    /// Returns the largest term of an entry.
    #[inline(always)]
    fn term(&self, i: usize, j: usize) -> f64 {
        self.terms.get((i, j)).copied().unwrap_or(0.0)
    }

    /// Returns the magnitude of an entry, or 0 if the entry cannot be distinguished from 0.
    fn magnitude(&self, i: usize, j: usize) -> f64 {
        let magnitude = self.entry(i, j).to_f64().abs();
        if magnitude <= relative_threshold::<R>(N) * self.term(i, j) { 0.0 } else { magnitude }
    }

    /// Returns the position and the magnitude of the largest diagonal entry from `k` on.
    fn largest_on_diagonal(&self, k: usize) -> (usize, f64) {
        let mut best = (k, self.magnitude(k, k));
        for i in k + 1..N {
            let magnitude = self.magnitude(i, i);
            if magnitude > best.1 {
                best = (i, magnitude);
            }
        }
        best
    }

    /// Returns the row, the column and the magnitude of the largest entry below the diagonal from `k` on. The magnitude is 0 if
    /// there is no entry.
    fn largest_off_diagonal(&self, k: usize) -> (usize, usize, f64) {
        let mut best = (k, k, 0.0);
        for j in k..N {
            for i in j + 1..N {
                let magnitude = self.magnitude(i, j);
                if magnitude > best.2 {
                    best = (i, j, magnitude);
                }
            }
        }
        best
    }

    /// Exchanges two positions: the rows and columns of the remaining matrix, and the finished rows of L.
    fn exchange(&mut self, first: usize, second: usize) {
        // Both positions are always within bounds. The condition keeps panics out of the compiled code.
        if first != second && first < N && second < N {
            for k in 0..N {
                self.entries.swap((first, k), (second, k));
                self.terms.swap((first, k), (second, k));
            }
            for k in 0..N {
                self.entries.swap((k, first), (k, second));
                self.terms.swap((k, first), (k, second));
            }
            self.order.swap(first, second);
        }
    }

    /// Subtracts `update` from entry (i, j) and from its mirror image.
    fn subtract(&mut self, i: usize, j: usize, update: R) {
        let entry = self.entry(i, j) - update;
        let term = self.term(i, j).max(update.to_f64().abs());
        for place in [(i, j), (j, i)] {
            self.set(place.0, place.1, entry);
            if let Some(known) = self.terms.get_mut(place) {
                *known = term;
            }
        }
    }

    /// Eliminates with the pivot at (k, k).
    fn eliminate_one(&mut self, k: usize) {
        let inverse = self.entry(k, k).recip();
        for j in k + 1..N {
            let factor = self.entry(j, k) * inverse;
            for i in j..N {
                self.subtract(i, j, self.entry(i, k) * factor);
            }
        }
        for i in k + 1..N {
            self.set(i, k, self.entry(i, k) * inverse);
        }
        self.set(k, k, inverse);
    }

    /// Eliminates with the pivot block at k and k + 1.
    fn eliminate_two(&mut self, k: usize) {
        if k + 1 >= N {
            return;
        }
        let (top, cross, bottom) = (self.entry(k, k), self.entry(k + 1, k), self.entry(k + 1, k + 1));
        // The determinant −cross² (1 − top·bottom/cross²) is far from 0, because the bracket is at least 1 − 0.64².
        let (top_ratio, bottom_ratio) = (top / cross, bottom / cross);
        let inverse = ((top_ratio * bottom_ratio - R::ONE) * cross).recip();
        let (first, coupling, second) = (bottom_ratio * inverse, -inverse, top_ratio * inverse);
        for j in k + 2..N {
            let (left, right) = (self.entry(j, k), self.entry(j, k + 1));
            let (left, right) = (left * first + right * coupling, left * coupling + right * second);
            for i in j..N {
                self.subtract(i, j, self.entry(i, k) * left);
                self.subtract(i, j, self.entry(i, k + 1) * right);
            }
        }
        for i in k + 2..N {
            let (left, right) = (self.entry(i, k), self.entry(i, k + 1));
            self.set(i, k, left * first + right * coupling);
            self.set(i, k + 1, left * coupling + right * second);
        }
        self.set(k, k, first);
        self.set(k + 1, k, coupling);
        self.set(k + 1, k + 1, second);
    }
}
