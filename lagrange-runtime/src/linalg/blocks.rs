//! The factorisation P A = L U with partial pivoting, for matrices of blocks. The blocks belong to the unknowns of several stages
//! and to multipliers.

use super::relative_threshold;
use crate::error::SingularMass;
use crate::scalar::{Real, Scalar};
use nalgebra::{ArrayStorage, SMatrix, SVector};

/// A matrix of S × S blocks of size N × N, bordered by C rows and columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Blocks<R: Real, const N: usize, const S: usize, const C: usize> {
    /// Block row i, block column j at `[i][j]`.
    pub(crate) core: [[SMatrix<R, N, N>; S]; S],
    /// The columns to the right of the core, by block row.
    pub(crate) right: [SMatrix<R, N, C>; S],
    /// The rows below the core, by block column.
    pub(crate) below: [SMatrix<R, C, N>; S],
    /// The block in the lower right corner.
    pub(crate) corner: SMatrix<R, C, C>,
}

/// A vector of S blocks of size N, followed by C components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlockVector<R: Real, const N: usize, const S: usize, const C: usize> {
    /// The S blocks.
    pub(crate) core: [SVector<R, N>; S],
    /// The C components of the border.
    pub(crate) border: SVector<R, C>,
}

/// The factors of a regular matrix of blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlockLu<R: Real, const N: usize, const S: usize, const C: usize> {
    /// U is on and above the diagonal, and L (with unit diagonal) below it.
    factors: Blocks<R, N, S, C>,
    inverse_pivots: BlockVector<R, N, S, C>,
    /// Step k exchanged row k with this row, which is not above row k.
    exchanges: Table<usize, N, S, C>,
}

/// The largest N for which the elimination is written out by the compiler, entry by entry. Larger blocks are eliminated column by column, by vector
/// instructions.
pub(crate) const WRITTEN_OUT: usize = 4;

/// How many entries of a column are computed at once.
const TOGETHER: usize = 4;

/// Subtracts `factor` times a column from another one, from the row `first` on. The subtrahend is 0 in the rows above it, of which up to three are computed,
/// too, so that groups of rows begin at the same places in all columns.
#[inline(always)]
fn subtract<R: Real>(column: &mut [R], subtrahend: &[R], factor: R, first: usize) {
    let first = first / TOGETHER * TOGETHER;
    let column = column.get_mut(first..).unwrap_or_default();
    let subtrahend = subtrahend.get(first..).unwrap_or_default();
    let (groups, rest) = column.as_chunks_mut::<TOGETHER>();
    let (others, other_rest) = subtrahend.as_chunks::<TOGETHER>();
    for (group, other) in groups.iter_mut().zip(others) {
        for (entry, other) in group.iter_mut().zip(other) {
            *entry -= *other * factor;
        }
    }
    for (entry, other) in rest.iter_mut().zip(other_rest) {
        *entry -= *other * factor;
    }
}

/// Returns a matrix of zeros, also in constants.
const fn zeros<R: Real, const ROWS: usize, const COLUMNS: usize>() -> SMatrix<R, ROWS, COLUMNS> {
    SMatrix::from_array_storage(ArrayStorage([[R::ZERO; ROWS]; COLUMNS]))
}

/// A pivot that is left of terms which cancel is a rounding up to this multiple of N·ε of them: the rounding of the pivots before it is in it, too.
const CANCELLED: f64 = 64.0;

/// One value for each row of a matrix of blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Table<T, const N: usize, const S: usize, const C: usize> {
    /// The rows of each block.
    pub(crate) core: [[T; N]; S],
    /// The rows of the border.
    pub(crate) border: [T; C],
}

impl<T: Copy, const N: usize, const S: usize, const C: usize> Table<T, N, S, C> {
    /// Returns the value of a row that was found by a search, as [`Blocks::found`] does.
    #[inline(always)]
    fn found(&mut self, i: usize) -> Option<&mut T> {
        if i < N * S { self.core.get_mut(i / N)?.get_mut(i % N) } else { self.border.get_mut(i - N * S) }
    }

    /// Returns a table with one value for all rows.
    pub(crate) const fn new(value: T) -> Self {
        Self { core: [[value; N]; S], border: [value; C] }
    }

    /// Returns the value of row i, counted through all blocks.
    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> T {
        if i < N * S { self.core[i / N][i % N] } else { self.border[i - N * S] }
    }

    /// Returns the value of row i, counted through all blocks, for writing.
    #[inline(always)]
    pub(crate) fn at(&mut self, i: usize) -> &mut T {
        if i < N * S { &mut self.core[i / N][i % N] } else { &mut self.border[i - N * S] }
    }

    /// Exchanges the values of row k and of a row that was found by a search.
    #[inline(always)]
    pub(crate) fn exchange(&mut self, k: usize, found: usize) {
        let own = self.get(k);
        if let Some(other) = self.found(found) {
            *self.at(k) = core::mem::replace(other, own);
        }
    }
}

impl<R: Real, const N: usize, const S: usize, const C: usize> Blocks<R, N, S, C> {
    const SIZE: usize = N * S + C;

    /// Returns the matrix with this core. The border is zero.
    #[inline(always)]
    pub(crate) fn of(core: [[SMatrix<R, N, N>; S]; S]) -> Self {
        let zero = R::ZERO;
        let (right, below) = ([SMatrix::repeat(zero); S], [SMatrix::repeat(zero); S]);
        Self { core, right, below, corner: SMatrix::repeat(zero) }
    }

    /// Returns the entry of row i and column j, counted through all blocks, for writing.
    #[inline(always)]
    pub(crate) fn at(&mut self, i: usize, j: usize) -> &mut R {
        let n = N * S;
        match (i < n, j < n) {
            (true, true) => &mut self.core[i / N][j / N][(i % N, j % N)],
            (true, false) => &mut self.right[i / N][(i % N, j - n)],
            (false, true) => &mut self.below[j / N][(i - n, j % N)],
            (false, false) => &mut self.corner[(i - n, j - n)],
        }
    }

    /// Returns the entry of row i and column j, counted through all blocks.
    #[inline(always)]
    pub(crate) fn get(&self, i: usize, j: usize) -> R {
        let n = N * S;
        match (i < n, j < n) {
            (true, true) => self.core[i / N][j / N][(i % N, j % N)],
            (true, false) => self.right[i / N][(i % N, j - n)],
            (false, true) => self.below[j / N][(i - n, j % N)],
            (false, false) => self.corner[(i - n, j - n)],
        }
    }

    /// Returns the entry of a row that was found by a search. The entry always exists, but the compiler cannot prove it.
    /// Returning an option instead of panicking keeps panics out of the compiled code.
    #[inline(always)]
    fn found(&mut self, i: usize, j: usize) -> Option<&mut R> {
        let n = N * S;
        match (i < n, j < n) {
            (true, true) => self.core.get_mut(i / N)?.get_mut(j / N)?.data.0.get_mut(j % N)?.get_mut(i % N),
            (true, false) => self.right.get_mut(i / N)?.data.0.get_mut(j - n)?.get_mut(i % N),
            (false, true) => self.below.get_mut(j / N)?.data.0.get_mut(j % N)?.get_mut(i - n),
            (false, false) => self.corner.data.0.get_mut(j - n)?.get_mut(i - n),
        }
    }

    /// Exchanges row k with a row that was found by a search.
    #[inline(always)]
    pub(crate) fn exchange(&mut self, k: usize, found: usize) {
        if found == k {
            return;
        }
        for j in 0..Self::SIZE {
            let own = self.get(k, j);
            if let Some(other) = self.found(found, j) {
                *self.at(k, j) = core::mem::replace(other, own);
            }
        }
    }

    /// Divides column k below the diagonal by the pivot, and subtracts its products with row k from the columns to the right, one column after the other.
    /// A column whose entry of row k is 0 does not change, as most columns of a sparse matrix.
    #[inline(always)]
    fn eliminate_columns(&mut self, k: usize, inverse: R) {
        let mut lower =
            BlockVector::<R, N, S, C> { core: [SVector::repeat(R::ZERO); S], border: SVector::repeat(R::ZERO) };
        for i in k + 1..Self::SIZE {
            let factor = self.get(i, k) * inverse;
            (*self.at(i, k), *lower.at(i)) = (factor, factor);
        }
        for j in k + 1..Self::SIZE {
            let upper = self.get(k, j);
            if upper == R::ZERO {
                continue;
            }
            for (i, lower) in lower.core.iter().enumerate() {
                subtract(self.core_column(i, j), lower.as_slice(), upper, (k + 1).saturating_sub(i * N));
            }
            for (i, lower) in lower.border.iter().enumerate() {
                *self.at(N * S + i, j) -= *lower * upper;
            }
        }
    }

    /// Returns the entries of column j in the rows of block row i.
    #[inline(always)]
    fn core_column(&mut self, i: usize, j: usize) -> &mut [R] {
        if j < N * S { &mut self.core[i][j / N].data.0[j % N] } else { &mut self.right[i].data.0[j - N * S] }
    }

    #[cold]
    fn is_finite(&mut self) -> bool {
        (0..Self::SIZE).all(|i| (0..Self::SIZE).all(|j| self.at(i, j).is_finite()))
    }
}

impl<R: Real, const N: usize, const S: usize, const C: usize> BlockVector<R, N, S, C> {
    /// Returns the component of a row that was found by a search, as [`Blocks::found`] does.
    #[inline(always)]
    fn found(&mut self, i: usize) -> Option<&mut R> {
        if i < N * S {
            self.core.get_mut(i / N)?.data.0[0].get_mut(i % N)
        } else {
            self.border.data.0[0].get_mut(i - N * S)
        }
    }

    /// Returns component i, counted through all blocks.
    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> R {
        if i < N * S { self.core[i / N][i % N] } else { self.border[i - N * S] }
    }

    /// Returns component i, counted through all blocks, for writing.
    #[inline(always)]
    pub(crate) fn at(&mut self, i: usize) -> &mut R {
        if i < N * S { &mut self.core[i / N][i % N] } else { &mut self.border[i - N * S] }
    }

    /// Exchanges component k with one that was found by a search.
    #[inline(always)]
    pub(crate) fn exchange(&mut self, k: usize, found: usize) {
        let own = self.get(k);
        if let Some(other) = self.found(found) {
            *self.at(k) = core::mem::replace(other, own);
        }
    }
}

impl<R: Real, const N: usize, const S: usize, const C: usize> BlockLu<R, N, S, C> {
    const SIZE: usize = N * S + C;

    /// Space for a matrix that is written and factored in place. It is a constant, because the value of a function would be built
    /// elsewhere on the stack and copied.
    pub(crate) const ROOM: Self = Self {
        factors: Blocks { core: [[zeros(); S]; S], right: [zeros(); S], below: [zeros(); S], corner: zeros() },
        inverse_pivots: BlockVector { core: [zeros(); S], border: zeros() },
        exchanges: Table::new(0),
    };

    /// Returns the matrix, to be written before [`BlockLu::factor`]. After it, the same memory contains the factors.
    #[inline(always)]
    pub(crate) fn matrix(&mut self) -> &mut Blocks<R, N, S, C> {
        &mut self.factors
    }

    /// Factors a matrix by [`BlockLu::factor`].
    ///
    /// # Errors
    /// The errors of [`BlockLu::factor`].
    #[inline]
    pub(crate) fn new(matrix: Blocks<R, N, S, C>) -> Result<Self, SingularMass> {
        let mut factors = Self { factors: matrix, ..Self::ROOM };
        factors.factor()?;
        Ok(factors)
    }

    /// Factors a matrix. Each row is multiplied by its weight when pivots are compared.
    ///
    /// # Errors
    /// The errors of [`BlockLu::factor`].
    #[inline]
    pub(crate) fn weighted(
        matrix: Blocks<R, N, S, C>,
        weights: &Table<R::Magnitude, N, S, C>,
    ) -> Result<Self, SingularMass> {
        let mut factors = Self { factors: matrix, ..Self::ROOM };
        let scales = column_scales(&factors.factors, weights);
        factors.eliminate(*weights, &scales)?;
        Ok(factors)
    }

    /// Factors the matrix in place. Each row is divided by its largest entry when pivots are compared, since the units of the
    /// rows differ.
    ///
    /// # Errors
    /// [`SingularMass`] with a column in which every candidate for the pivot is the rounding of the terms that cancelled in it
    /// ([`Self::uncancelled`]). The column is counted within its block, or from N on within the border. A matrix that is not finite gives
    /// no error, but solutions that are not finite.
    #[inline]
    pub(crate) fn factor(&mut self) -> Result<(), SingularMass> {
        // After the division no entry is above 1, so that no rounding is larger than the threshold.
        let weights = weights(&mut self.factors);
        self.eliminate(weights, &Table::new(R::Magnitude::ONE))
    }

    /// Factors the matrix in place. Each row is multiplied by its weight when pivots are compared. The scale of a column is that of its
    /// weighted entries.
    #[inline(always)]
    fn eliminate(
        &mut self,
        mut row_weights: Table<R::Magnitude, N, S, C>,
        column_scales: &Table<R::Magnitude, N, S, C>,
    ) -> Result<(), SingularMass> {
        let threshold = R::Magnitude::from_f64(relative_threshold::<R>(Self::SIZE));
        let zero = R::ZERO;
        let Self { factors, inverse_pivots, exchanges } = self;
        for k in 0..Self::SIZE {
            let mut best = k;
            let mut largest = -R::Magnitude::ONE;
            for i in k..Self::SIZE {
                let candidate = factors.at(i, k).magnitude() * *row_weights.at(i);
                if candidate > largest {
                    (best, largest) = (i, candidate);
                }
            }
            if largest <= threshold * column_scales.get(k) && factors.is_finite() {
                let Some(row) = Self::uncancelled(factors, &mut row_weights, k) else {
                    let coordinate = if k < N * S { k % N } else { N + k - N * S };
                    return Err(singular(coordinate, factors.found(best, k).map_or(zero, |pivot| *pivot).to_f64()));
                };
                best = row;
            }
            let pivot = factors.found(best, k).map_or(zero, |pivot| *pivot);
            *exchanges.at(k) = best;
            factors.exchange(k, best);
            row_weights.exchange(k, best);
            let inverse = pivot.recip();
            *inverse_pivots.at(k) = inverse;
            if const { N > WRITTEN_OUT } {
                factors.eliminate_columns(k, inverse);
                continue;
            }
            for i in k + 1..Self::SIZE {
                let factor = *factors.at(i, k) * inverse;
                *factors.at(i, k) = factor;
                for j in k + 1..Self::SIZE {
                    let upper = *factors.at(k, j);
                    *factors.at(i, j) -= factor * upper;
                }
            }
        }
        Ok(())
    }

    /// The row with the largest candidate for pivot k, of those that are more than rounding: in aᵢₖ − Σⱼ lᵢⱼ uⱼₖ, the terms of the sum
    /// are known once pivot k is sought. What is left of them is a rounding if it is a small multiple of ε Σⱼ |lᵢⱼ uⱼₖ|. That does not depend on
    /// the units of rows and columns, of which the columns may be as far apart as a length and a multiplier.
    #[cold]
    #[inline(never)]
    fn uncancelled(
        factors: &mut Blocks<R, N, S, C>,
        row_weights: &mut Table<R::Magnitude, N, S, C>,
        k: usize,
    ) -> Option<usize> {
        let (zero, nothing) = (R::ZERO, R::Magnitude::ZERO);
        let rounding = R::Magnitude::from_f64(CANCELLED * relative_threshold::<R>(Self::SIZE));
        let (mut best, mut largest) = (None, nothing);
        for i in k..Self::SIZE {
            let mut terms = nothing;
            for j in 0..k {
                let lower = factors.found(i, j).map_or(zero, |entry| *entry);
                let upper = factors.found(j, k).map_or(zero, |entry| *entry);
                terms += (lower * upper).magnitude();
            }
            let entry = factors.found(i, k).map_or(nothing, |entry| entry.magnitude());
            let weight = row_weights.found(i).map_or(nothing, |weight| *weight);
            if entry > rounding * terms && entry * weight > largest {
                (best, largest) = (Some(i), entry * weight);
            }
        }
        best
    }

    /// Returns the solution x of A x = `right`.
    #[inline]
    #[must_use]
    pub(crate) fn solve(&self, right: &BlockVector<R, N, S, C>) -> BlockVector<R, N, S, C> {
        let Self { factors, inverse_pivots, exchanges } = self;
        let mut x = *right;
        for k in 0..Self::SIZE {
            x.exchange(k, exchanges.get(k));
        }
        for k in 0..Self::SIZE {
            let known = x.get(k);
            for i in k + 1..Self::SIZE {
                *x.at(i) -= factors.get(i, k) * known;
            }
        }
        for k in (0..Self::SIZE).rev() {
            let mut value = x.get(k);
            for j in k + 1..Self::SIZE {
                value -= factors.get(k, j) * x.get(j);
            }
            *x.at(k) = value * inverse_pivots.get(k);
        }
        x
    }
}

#[cold]
fn singular(coordinate: usize, pivot: f64) -> SingularMass {
    SingularMass::at(coordinate, pivot)
}

/// Returns 1/(its largest entry) for each row.
#[inline]
fn weights<R: Real, const N: usize, const S: usize, const C: usize>(
    matrix: &mut Blocks<R, N, S, C>,
) -> Table<R::Magnitude, N, S, C> {
    let (size, zero) = (N * S + C, R::Magnitude::ZERO);
    let mut weights = Table::new(zero);
    for i in 0..size {
        let mut largest = zero;
        for j in 0..size {
            let entry = matrix.at(i, j).magnitude();
            largest = if entry > largest { entry } else { largest };
        }
        *weights.at(i) = if largest > zero { largest.recip() } else { zero };
    }
    weights
}

/// Returns the largest weighted entry of each column.
#[inline]
fn column_scales<R: Real, const N: usize, const S: usize, const C: usize>(
    matrix: &Blocks<R, N, S, C>,
    weights: &Table<R::Magnitude, N, S, C>,
) -> Table<R::Magnitude, N, S, C> {
    let mut scales = Table::new(R::Magnitude::ZERO);
    for j in 0..N * S + C {
        let mut largest = R::Magnitude::ZERO;
        for i in 0..N * S + C {
            let entry = matrix.get(i, j).magnitude() * weights.get(i);
            largest = if entry > largest { entry } else { largest };
        }
        *scales.at(j) = largest;
    }
    scales
}
