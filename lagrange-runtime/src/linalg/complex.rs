//! The factorisation P A = L U with partial pivoting, for complex matrices with a border. The real and the imaginary parts are separate
//! matrices, so that any scalar serves.

use super::blocks::{BlockVector, Blocks, Table, WRITTEN_OUT};
use crate::error::SingularMass;
use crate::scalar::{Real, Scalar};

/// A complex number as its real and its imaginary part.
pub(crate) type Complex<R> = [R; 2];

/// The product of two complex numbers.
#[inline(always)]
pub(crate) fn times<R: Real>([a, b]: Complex<R>, [c, d]: Complex<R>) -> Complex<R> {
    [a * c - b * d, a * d + b * c]
}

/// 1/z.
#[inline(always)]
pub(crate) fn reciprocal<R: Real>([a, b]: Complex<R>) -> Complex<R> {
    let inverse = (a * a + b * b).recip();
    [a * inverse, -b * inverse]
}

/// A matrix of size N with a border of C rows and columns, as its real and its imaginary part.
pub(crate) type ComplexMatrix<R, const N: usize, const C: usize> = [Blocks<R, N, 1, C>; 2];

/// A vector of N components, followed by C of the border, as its real and its imaginary part.
pub(crate) type ComplexVector<R, const N: usize, const C: usize> = [BlockVector<R, N, 1, C>; 2];

/// The factors of a regular complex matrix of size N with a border of C rows and columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ComplexLu<R: Real, const N: usize, const C: usize> {
    /// U is above the diagonal, and L (with unit diagonal) below it.
    factors: ComplexMatrix<R, N, C>,
    inverse_pivots: Table<Complex<R>, N, 1, C>,
    /// Step k exchanged row k with row `exchanges[k]` ≥ k.
    exchanges: Table<usize, N, 1, C>,
}

impl<R: Real, const N: usize, const C: usize> ComplexLu<R, N, C> {
    const SIZE: usize = N + C;

    /// Factors a matrix. Each row is multiplied by its weight when pivots are compared, since the units of the rows differ.
    ///
    /// # Errors
    /// [`SingularMass`] with the column in which every candidate for the pivot is 0. A matrix that is not finite gives no error,
    /// but solutions that are not finite.
    #[inline]
    pub(crate) fn weighted(
        [mut re, mut im]: ComplexMatrix<R, N, C>,
        mut weights: Table<R::Magnitude, N, 1, C>,
    ) -> Result<Self, SingularMass> {
        let (mut inverse_pivots, mut exchanges) = (Table::new([R::ZERO; 2]), Table::new(0));
        for k in 0..Self::SIZE {
            let (mut best, mut largest) = (k, R::Magnitude::ZERO);
            for i in k..Self::SIZE {
                let candidate = (re.get(i, k).magnitude() + im.get(i, k).magnitude()) * weights.get(i);
                if candidate > largest || i == k {
                    (best, largest) = (i, candidate);
                }
            }
            re.exchange(k, best);
            im.exchange(k, best);
            weights.exchange(k, best);
            *exchanges.at(k) = best;
            let pivot = [re.get(k, k), im.get(k, k)];
            if pivot == [R::ZERO; 2] {
                return Err(SingularMass::at(k, 0.0));
            }
            let inverse = reciprocal(pivot);
            *inverse_pivots.at(k) = inverse;
            for i in k + 1..Self::SIZE {
                [*re.at(i, k), *im.at(i, k)] = times([re.get(i, k), im.get(i, k)], inverse);
            }
            for j in k + 1..Self::SIZE {
                let factor = [re.get(k, j), im.get(k, j)];
                if const { N > WRITTEN_OUT } && factor == [R::ZERO; 2] {
                    continue;
                }
                for i in k + 1..Self::SIZE {
                    let [a, b] = times([re.get(i, k), im.get(i, k)], factor);
                    *re.at(i, j) -= a;
                    *im.at(i, j) -= b;
                }
            }
        }
        Ok(Self { factors: [re, im], inverse_pivots, exchanges })
    }

    /// Returns the solution z of A z = `right`, both as their real and imaginary parts.
    #[inline]
    #[must_use]
    pub(crate) fn solve(&self, [mut re, mut im]: ComplexVector<R, N, C>) -> ComplexVector<R, N, C> {
        let [l, m] = &self.factors;
        for k in 0..Self::SIZE {
            let other = self.exchanges.get(k);
            re.exchange(k, other);
            im.exchange(k, other);
        }
        for k in 0..Self::SIZE {
            let known = [re.get(k), im.get(k)];
            for i in k + 1..Self::SIZE {
                let [a, b] = times([l.get(i, k), m.get(i, k)], known);
                *re.at(i) -= a;
                *im.at(i) -= b;
            }
        }
        for k in (0..Self::SIZE).rev() {
            let known = times([re.get(k), im.get(k)], self.inverse_pivots.get(k));
            [*re.at(k), *im.at(k)] = known;
            for i in 0..k {
                let [a, b] = times([l.get(i, k), m.get(i, k)], known);
                *re.at(i) -= a;
                *im.at(i) -= b;
            }
        }
        [re, im]
    }
}
