//! P S M S Pᵀ = L D Lᵀ with D of 1×1 and 2×2 blocks, for regular symmetric matrices that are not positive definite.
//!
//! Complete pivoting by Bunch and Parlett (SIAM J. Numer. Anal. 8, 1971): a 2×2 block where the largest entry off the
//! diagonal exceeds the largest on it by more than 8/(1+√17). S is diagonal and scales M first, so that
//! coordinates of different units compete fairly; it holds powers of two and rounds nothing.

use super::{at, relative_threshold};
use crate::error::SingularMass;
use crate::scalar::{Mask, Scalar};
use nalgebra::SMatrix;

/// (1 + √17)/8, which minimises the bound on the growth of entries.
const PREFERENCE: f64 = 0.6403882032022076;

/// The factors of a regular symmetric matrix. For scalars of one lane: pivots are chosen by the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Indefinite<R: Scalar, const N: usize> {
    /// L below the diagonal (0 inside a 2×2 block), D⁻¹ on the diagonal and below it inside a 2×2 block.
    factors: SMatrix<R, N, N>,
    /// Whether a 2×2 block begins at this step.
    double: [bool; N],
    /// The coordinate that stands at each position.
    order: [usize; N],
    /// S, by coordinate.
    scaling: [R; N],
}

impl<R: Scalar, const N: usize> Indefinite<R, N> {
    /// Factors a symmetric matrix, of which the lower triangle is read.
    ///
    /// # Errors
    /// [`SingularMass`] where every entry of what remains is at most N·ε times the largest term it was summed from
    /// (an original entry, or what elimination subtracted); with a coordinate of what remains, and what is left of
    /// its diagonal entry. A matrix that is not finite gives no error, but solutions that are not finite.
    pub(crate) fn new(matrix: &SMatrix<R, N, N>) -> Result<Self, SingularMass> {
        let scales = equilibrate(matrix);
        let scaling = scales.map(R::from_f64);
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

    /// The solution X of M X = `right`.
    #[must_use]
    pub(crate) fn solve<const K: usize>(&self, right: &SMatrix<R, N, K>) -> SMatrix<R, N, K> {
        let l = &self.factors;
        let mut solution = *right;
        for target in &mut solution.data.0 {
            let mut x = self.order.map(|coordinate| at(target, coordinate) * at(&self.scaling, coordinate));
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
            for (&coordinate, value) in self.order.iter().zip(x) {
                if let Some(target) = target.get_mut(coordinate) {
                    *target = value * at(&self.scaling, coordinate);
                }
            }
        }
        solution
    }
}

/// Powers of two s such that the largest |s_i M_ij s_j| of each row that is not zero is between 1/4 and about 1.
fn equilibrate<R: Scalar, const N: usize>(matrix: &SMatrix<R, N, N>) -> [f64; N] {
    let mut scales = [1.0; N];
    // Each round takes the square root of all ratios of units: twelve are enough for any that a double can hold.
    for _ in 0..12 {
        let mut largest = [0.0; N];
        for i in 0..N {
            for j in 0..=i {
                let magnitude = scales[i] * matrix[(i, j)].to_f64().abs() * scales[j];
                largest[i] = magnitude.max(largest[i]);
                largest[j] = magnitude.max(largest[j]);
            }
        }
        for (scale, largest) in scales.iter_mut().zip(largest) {
            if largest > 0.0 {
                *scale /= Scalar::sqrt(largest);
            }
        }
    }
    scales.map(power_of_two_near)
}

/// The power of two at or below a positive normal number.
fn power_of_two_near(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & f64::INFINITY.to_bits())
}

/// What remains to be factored from some position on; before it, the factors.
struct Rest<R: Scalar, const N: usize> {
    /// Both triangles.
    entries: SMatrix<R, N, N>,
    /// The largest term that each entry was summed from.
    terms: SMatrix<f64, N, N>,
    /// The coordinate that stands at each position.
    order: [usize; N],
}

impl<R: Scalar, const N: usize> Rest<R, N> {
    fn new(matrix: &SMatrix<R, N, N>, scaling: &[R; N]) -> Self {
        let entries = if matrix.iter().all(|entry| entry.is_finite().all()) {
            SMatrix::from_fn(|i, j| matrix[(i.max(j), i.min(j))] * scaling[i] * scaling[j])
        } else {
            SMatrix::repeat(R::from_f64(f64::NAN))
        };
        let terms = SMatrix::from_fn(|i, j| entries[(i, j)].to_f64().abs());
        Self { entries, terms, order: core::array::from_fn(|index| index) }
    }

    /// What names the matrix singular where nothing is left at this position and after it.
    fn singular(&self, position: usize, scales: &[f64; N]) -> SingularMass {
        let coordinate = self.order.get(position).copied().unwrap_or(0);
        let scale = at(scales, coordinate);
        let left = if position < N { self.entries[(position, position)].to_f64() } else { 0.0 };
        SingularMass::at(coordinate, left / (scale * scale))
    }

    /// An entry's magnitude, 0 where it cannot be told from 0.
    fn magnitude(&self, i: usize, j: usize) -> f64 {
        let magnitude = self.entries[(i, j)].to_f64().abs();
        if magnitude <= relative_threshold::<R>(N) * self.terms[(i, j)] { 0.0 } else { magnitude }
    }

    /// Position and magnitude of the largest diagonal entry from `k` on.
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

    /// Row, column and magnitude of the largest entry below the diagonal from `k` on; 0 where there is none.
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

    /// Exchanges two positions: rows and columns of what remains, and the finished rows of L.
    fn exchange(&mut self, first: usize, second: usize) {
        // Both positions are always inside; said so that no panic is left for the other case.
        if first != second && first < N && second < N {
            self.entries.swap_rows(first, second);
            self.entries.swap_columns(first, second);
            self.terms.swap_rows(first, second);
            self.terms.swap_columns(first, second);
            self.order.swap(first, second);
        }
    }

    /// Subtracts from entry (i, j) and its mirror image.
    fn subtract(&mut self, i: usize, j: usize, update: R) {
        let entry = self.entries[(i, j)] - update;
        let term = self.terms[(i, j)].max(update.to_f64().abs());
        (self.entries[(i, j)], self.entries[(j, i)]) = (entry, entry);
        (self.terms[(i, j)], self.terms[(j, i)]) = (term, term);
    }

    /// One step with the pivot at (k, k).
    fn eliminate_one(&mut self, k: usize) {
        let inverse = self.entries[(k, k)].recip();
        for j in k + 1..N {
            let factor = self.entries[(j, k)] * inverse;
            for i in j..N {
                self.subtract(i, j, self.entries[(i, k)] * factor);
            }
        }
        for i in k + 1..N {
            self.entries[(i, k)] *= inverse;
        }
        self.entries[(k, k)] = inverse;
    }

    /// One step with the pivot block at k, k + 1.
    fn eliminate_two(&mut self, k: usize) {
        if k + 1 >= N {
            return;
        }
        let (top, cross, bottom) = (self.entries[(k, k)], self.entries[(k + 1, k)], self.entries[(k + 1, k + 1)]);
        // The determinant, −cross² (1 − top·bottom/cross²), is far from 0: the bracket is at least 1 − 0.64².
        let (top_ratio, bottom_ratio) = (top / cross, bottom / cross);
        let inverse = ((top_ratio * bottom_ratio - R::ONE) * cross).recip();
        let (first, coupling, second) = (bottom_ratio * inverse, -inverse, top_ratio * inverse);
        for j in k + 2..N {
            let (left, right) = (self.entries[(j, k)], self.entries[(j, k + 1)]);
            let (left, right) = (left * first + right * coupling, left * coupling + right * second);
            for i in j..N {
                self.subtract(i, j, self.entries[(i, k)] * left);
                self.subtract(i, j, self.entries[(i, k + 1)] * right);
            }
        }
        for i in k + 2..N {
            let (left, right) = (self.entries[(i, k)], self.entries[(i, k + 1)]);
            self.entries[(i, k)] = left * first + right * coupling;
            self.entries[(i, k + 1)] = left * coupling + right * second;
        }
        self.entries[(k, k)] = first;
        self.entries[(k + 1, k)] = coupling;
        self.entries[(k + 1, k + 1)] = second;
    }
}
