//! The factorisation P S M S Pᵀ = L D Lᵀ for regular symmetric matrices that are not positive definite. D has blocks of size 1×1
//! and 2×2.
//!
//! The pivoting is complete and follows Bunch and Parlett (SIAM J. Numer. Anal. 8, 1971). A 2×2 block is used if the largest
//! entry off the diagonal exceeds the largest on it by a factor above 8/(1+√17). The diagonal matrix S scales M first, because
//! the units of the coordinates differ. Its entries are powers of two, so that the scaling rounds nothing.
//!
//! The code works on slices: it is compiled once in this library for `f64` and `f32`, and not again in every crate for the size of its
//! mechanism.

use super::{at, put, relative_threshold};
use crate::error::SingularMass;
use crate::scalar::{Mask, Scalar};
use nalgebra::SMatrix;

/// The constant (1 + √17)/8, which minimises the bound on the growth of entries.
const PREFERENCE: f64 = 0.6403882032022076;

/// Returns the solution X of M X = `right` for a regular symmetric M, of which only the lower triangle is read. Use it for scalars of one
/// lane: the first lane chooses the pivots.
///
/// # Errors
/// [`SingularMass`] if every remaining entry is at most N·ε times the largest term in its sum. The terms are the original
/// entry and the values that elimination subtracted. The error contains a remaining coordinate and its remaining diagonal
/// entry. A matrix that is not finite gives no error, but solutions that are not finite.
pub(crate) fn solve<R: Scalar, const N: usize, const K: usize>(
    matrix: &SMatrix<R, N, N>,
    mut right: SMatrix<R, N, K>,
) -> Result<SMatrix<R, N, K>, SingularMass> {
    let (mut entries, mut terms) = (*matrix, SMatrix::<f64, N, N>::repeat(0.0));
    let (mut order, mut double, mut scales, mut known) = ([0; N], [false; N], [1.0; N], [R::ZERO; N]);
    R::solve_indefinite(Indefinite {
        entries: entries.as_mut_slice(),
        terms: terms.as_mut_slice(),
        order: &mut order,
        double: &mut double,
        scales: &mut scales,
        known: &mut known,
        right: right.as_mut_slice(),
    })?;
    Ok(right)
}

/// A system M X = B and the room for its solution. The part of the matrix from some position on remains to be factored, and the part
/// before it has the factors.
#[derive(Debug)]
pub struct Indefinite<'a, R: Scalar> {
    /// M, column by column; then the entries of both triangles of what remains. At the end L is below the diagonal, with 0 inside a 2×2
    /// block, and D⁻¹ on the diagonal, and below it inside a 2×2 block.
    pub(crate) entries: &'a mut [R],
    /// The largest term in the sum of each entry.
    pub(crate) terms: &'a mut [f64],
    /// The coordinate at each position.
    pub(crate) order: &'a mut [usize],
    /// Whether a 2×2 block begins at this step.
    pub(crate) double: &'a mut [bool],
    /// The scaling S, by coordinate.
    pub(crate) scales: &'a mut [f64],
    /// A column in the order of the positions.
    pub(crate) known: &'a mut [R],
    /// B, column by column; then X.
    pub(crate) right: &'a mut [R],
}

impl<R: Scalar> Indefinite<'_, R> {
    /// Replaces B by X.
    ///
    /// # Errors
    /// Those of the function [`solve`].
    pub(crate) fn solve(mut self) -> Result<(), SingularMass> {
        self.equilibrate();
        self.fill();
        self.factor()?;
        let size = self.size();
        let mut start = 0;
        while start < self.right.len() {
            self.solve_column(start);
            start += size.max(1);
        }
        Ok(())
    }

    fn size(&self) -> usize {
        self.order.len()
    }

    /// Finds powers of two s such that the largest |s_i M_ij s_j| of each nonzero row is between 1/4 and about 1.
    fn equilibrate(&mut self) {
        let size = self.size();
        // Each round takes the square root of all ratios between units. Twelve rounds suffice for all ratios in the range of a
        // double. The first row of `terms` has the largest entry of each row.
        for _ in 0..12 {
            for i in 0..size {
                put(self.terms, i, 0.0);
            }
            for i in 0..size {
                for j in 0..=i {
                    let entry = self.entry(i, j).to_f64().abs();
                    let magnitude = at(self.scales, i) * entry * at(self.scales, j);
                    for row in [i, j] {
                        put(self.terms, row, magnitude.max(at(self.terms, row)));
                    }
                }
            }
            for i in 0..size {
                let largest = at(self.terms, i);
                if largest > 0.0 {
                    put(self.scales, i, at(self.scales, i) / Scalar::sqrt(largest));
                }
            }
        }
        for scale in &mut *self.scales {
            *scale = power_of_two_near(*scale);
        }
    }

    /// Scales M, and copies its lower triangle to the upper one.
    fn fill(&mut self) {
        let size = self.size();
        let finite = self.entries.iter().all(|entry| entry.is_finite().all());
        for j in 0..size {
            put(self.order, j, j);
            for i in j..size {
                let scaling = [i, j].map(|k| R::from_f64(at(self.scales, k)));
                let scaled = if finite { self.entry(i, j) * scaling[0] * scaling[1] } else { R::from_f64(f64::NAN) };
                for place in [i + j * size, j + i * size] {
                    put(self.entries, place, scaled);
                    put(self.terms, place, scaled.to_f64().abs());
                }
            }
        }
    }

    fn factor(&mut self) -> Result<(), SingularMass> {
        let mut k = 0;
        while k < self.size() {
            let (diagonal, on) = self.largest_on_diagonal(k);
            let (row, column, off) = self.largest_off_diagonal(k);
            if on <= 0.0 && off <= 0.0 {
                return Err(self.singular(diagonal));
            }
            let is_double = off * PREFERENCE > on;
            if let Some(double) = self.double.get_mut(k) {
                *double = is_double;
            }
            if is_double {
                self.exchange(k, column);
                self.exchange(k + 1, row);
                self.eliminate_two(k);
                k += 2;
            } else {
                self.exchange(k, diagonal);
                self.eliminate_one(k);
                k += 1;
            }
        }
        Ok(())
    }

    /// Solves for the column of B that begins at this place.
    fn solve_column(&mut self, start: usize) {
        let size = self.size();
        for k in 0..size {
            let coordinate = position(self.order, k);
            put(self.known, k, at(self.right, start + coordinate) * R::from_f64(at(self.scales, coordinate)));
        }
        for k in 0..size {
            for i in self.below(k)..size {
                let change = self.entry(i, k) * at(self.known, k);
                put(self.known, i, at(self.known, i) - change);
            }
        }
        let mut k = 0;
        while k < size {
            let (first, second) = (at(self.known, k), at(self.known, k + 1));
            if self.is_double(k) {
                put(self.known, k, self.entry(k, k) * first + self.entry(k + 1, k) * second);
                put(self.known, k + 1, self.entry(k + 1, k) * first + self.entry(k + 1, k + 1) * second);
                k += 2;
            } else {
                put(self.known, k, first * self.entry(k, k));
                k += 1;
            }
        }
        for k in (0..size).rev() {
            let mut value = at(self.known, k);
            for i in self.below(k)..size {
                value -= self.entry(i, k) * at(self.known, i);
            }
            put(self.known, k, value);
        }
        for k in 0..size {
            let coordinate = position(self.order, k);
            put(self.right, start + coordinate, at(self.known, k) * R::from_f64(at(self.scales, coordinate)));
        }
    }

    /// Whether a 2×2 block begins at a position.
    fn is_double(&self, k: usize) -> bool {
        self.double.get(k).copied().unwrap_or(false)
    }

    /// The first row of L below the block that begins at a position. Inside a 2×2 block the entry below the diagonal belongs to D.
    fn below(&self, k: usize) -> usize {
        k + 1 + usize::from(self.is_double(k))
    }

    /// Returns the failure of a matrix in which no entry remains from this position on.
    fn singular(&self, place: usize) -> SingularMass {
        let coordinate = position(self.order, place);
        let scale = at(self.scales, coordinate);
        SingularMass::at(coordinate, self.entry(place, place).to_f64() / (scale * scale))
    }

    fn entry(&self, i: usize, j: usize) -> R {
        at(self.entries, i + j * self.size())
    }

    fn set(&mut self, i: usize, j: usize, value: R) {
        let place = i + j * self.size();
        put(self.entries, place, value);
    }

    /// Returns the magnitude of an entry, or 0 if the entry cannot be distinguished from 0.
    fn magnitude(&self, i: usize, j: usize) -> f64 {
        let magnitude = self.entry(i, j).to_f64().abs();
        let term = at(self.terms, i + j * self.size());
        if magnitude <= relative_threshold::<R>(self.size()) * term { 0.0 } else { magnitude }
    }

    /// Returns the position and the magnitude of the largest diagonal entry from `k` on.
    fn largest_on_diagonal(&self, k: usize) -> (usize, f64) {
        let mut best = (k, self.magnitude(k, k));
        for i in k + 1..self.size() {
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
        for j in k..self.size() {
            for i in j + 1..self.size() {
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
        let size = self.size();
        if first == second {
            return;
        }
        for k in 0..size {
            self.swap(first + k * size, second + k * size);
        }
        for k in 0..size {
            self.swap(k + first * size, k + second * size);
        }
        let coordinates = [first, second].map(|place| position(self.order, place));
        put(self.order, first, coordinates[1]);
        put(self.order, second, coordinates[0]);
    }

    /// Exchanges two entries and their terms.
    fn swap(&mut self, first: usize, second: usize) {
        let (entries, terms) =
            ([first, second].map(|place| at(self.entries, place)), [first, second].map(|place| at(self.terms, place)));
        for (place, from) in [(first, 1), (second, 0)] {
            put(self.entries, place, entries[from]);
            put(self.terms, place, terms[from]);
        }
    }

    /// Subtracts `update` from entry (i, j) and from its mirror image.
    fn subtract(&mut self, i: usize, j: usize, update: R) {
        let size = self.size();
        let entry = self.entry(i, j) - update;
        let term = at(self.terms, i + j * size).max(update.to_f64().abs());
        for place in [i + j * size, j + i * size] {
            put(self.entries, place, entry);
            put(self.terms, place, term);
        }
    }

    /// Eliminates with the pivot at (k, k).
    fn eliminate_one(&mut self, k: usize) {
        let size = self.size();
        let inverse = self.entry(k, k).recip();
        for j in k + 1..size {
            let factor = self.entry(j, k) * inverse;
            for i in j..size {
                self.subtract(i, j, self.entry(i, k) * factor);
            }
        }
        for i in k + 1..size {
            self.set(i, k, self.entry(i, k) * inverse);
        }
        self.set(k, k, inverse);
    }

    /// Eliminates with the pivot block at k and k + 1.
    fn eliminate_two(&mut self, k: usize) {
        let size = self.size();
        let (top, cross, bottom) = (self.entry(k, k), self.entry(k + 1, k), self.entry(k + 1, k + 1));
        // The determinant −cross² (1 − top·bottom/cross²) is far from 0, because the bracket is at least 1 − 0.64².
        let (top_ratio, bottom_ratio) = (top / cross, bottom / cross);
        let inverse = ((top_ratio * bottom_ratio - R::ONE) * cross).recip();
        let (first, coupling, second) = (bottom_ratio * inverse, -inverse, top_ratio * inverse);
        for j in k + 2..size {
            let (left, right) = (self.entry(j, k), self.entry(j, k + 1));
            let (left, right) = (left * first + right * coupling, left * coupling + right * second);
            for i in j..size {
                self.subtract(i, j, self.entry(i, k) * left);
                self.subtract(i, j, self.entry(i, k + 1) * right);
            }
        }
        for i in k + 2..size {
            let (left, right) = (self.entry(i, k), self.entry(i, k + 1));
            self.set(i, k, left * first + right * coupling);
            self.set(i, k + 1, left * coupling + right * second);
        }
        self.set(k, k, first);
        self.set(k + 1, k, coupling);
        self.set(k + 1, k + 1, second);
    }
}

/// Returns the largest power of two that does not exceed a positive normal number.
fn power_of_two_near(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & f64::INFINITY.to_bits())
}

/// Returns the coordinate at a position.
fn position(order: &[usize], index: usize) -> usize {
    order.get(index).copied().unwrap_or(0)
}
