//! The factorisation P A = L U with partial pivoting, for complex matrices. The real and the imaginary parts are separate matrices, so that any
//! scalar serves.

use crate::error::SingularMass;
use crate::scalar::{Real, Scalar};
use nalgebra::{SMatrix, SVector};

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

/// The factors of a regular complex matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ComplexLu<R: Real, const N: usize> {
    /// U is above the diagonal, and L (with unit diagonal) below it.
    factors: [SMatrix<R, N, N>; 2],
    inverse_pivots: [Complex<R>; N],
    /// Step k exchanged row k with row `exchanges[k]` ≥ k.
    exchanges: [usize; N],
}

impl<R: Real, const N: usize> ComplexLu<R, N> {
    /// Factors a matrix, given as its real and its imaginary part. Each row is multiplied by its weight when pivots are compared, since the
    /// units of the rows differ.
    ///
    /// # Errors
    /// [`SingularMass`] with the column in which every candidate for the pivot is 0. A matrix that is not finite gives no error,
    /// but solutions that are not finite.
    #[inline]
    pub(crate) fn weighted(
        [mut re, mut im]: [SMatrix<R, N, N>; 2],
        mut weights: [R::Magnitude; N],
    ) -> Result<Self, SingularMass> {
        let zero = R::Magnitude::ZERO;
        let size = |re: R, im: R| re.magnitude() + im.magnitude();
        let (mut inverse_pivots, mut exchanges) = ([[R::ZERO; 2]; N], [0; N]);
        for k in 0..N {
            let (mut best, mut largest) = (k, zero);
            for i in k..N {
                let candidate = size(re[(i, k)], im[(i, k)]) * weights[i];
                if candidate > largest || i == k {
                    (best, largest) = (i, candidate);
                }
            }
            let pivot = [re[(best, k)], im[(best, k)]];
            if pivot == [R::ZERO; 2] {
                return Err(SingularMass::at(k, 0.0));
            }
            exchanges[k] = best;
            weights.swap(k, best);
            re.swap_rows(k, best);
            im.swap_rows(k, best);
            let inverse = reciprocal(pivot);
            inverse_pivots[k] = inverse;
            for i in k + 1..N {
                [re[(i, k)], im[(i, k)]] = times([re[(i, k)], im[(i, k)]], inverse);
            }
            for j in k + 1..N {
                let factor = [re[(k, j)], im[(k, j)]];
                for i in k + 1..N {
                    let [a, b] = times([re[(i, k)], im[(i, k)]], factor);
                    re[(i, j)] -= a;
                    im[(i, j)] -= b;
                }
            }
        }
        Ok(Self { factors: [re, im], inverse_pivots, exchanges })
    }

    /// Returns the solution z of A z = `right`, both as their real and imaginary parts.
    #[inline]
    #[must_use]
    pub(crate) fn solve(&self, [mut re, mut im]: [SVector<R, N>; 2]) -> [SVector<R, N>; 2] {
        let [l, m] = &self.factors;
        for (k, &exchange) in self.exchanges.iter().enumerate() {
            if exchange < N {
                re.swap_rows(k, exchange);
                im.swap_rows(k, exchange);
            }
        }
        for k in 0..N {
            let known = [re[k], im[k]];
            for i in k + 1..N {
                let [a, b] = times([l[(i, k)], m[(i, k)]], known);
                re[i] -= a;
                im[i] -= b;
            }
        }
        for k in (0..N).rev() {
            let known = times([re[k], im[k]], self.inverse_pivots[k]);
            [re[k], im[k]] = known;
            for i in 0..k {
                let [a, b] = times([l[(i, k)], m[(i, k)]], known);
                re[i] -= a;
                im[i] -= b;
            }
        }
        [re, im]
    }
}
