//! The state of a mechanism at one time.

use crate::scalar::Scalar;
use nalgebra::SVector;

/// A time with the coordinates and velocities at that time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct State<R: Scalar, const N: usize> {
    /// The time t.
    pub t: R,
    /// The coordinates q, in the order in which the mechanism declares them.
    pub q: SVector<R, N>,
    /// The velocities v = q̇, in the order of the coordinates.
    pub v: SVector<R, N>,
}

impl<R: Scalar, const N: usize> State<R, N> {
    /// Returns the state at time `t` with coordinates `q` and velocities `v`. Each of them is an array or a vector.
    #[inline]
    pub fn new(t: R, q: impl Into<SVector<R, N>>, v: impl Into<SVector<R, N>>) -> Self {
        Self { t, q: q.into(), v: v.into() }
    }

    /// Whether all components of q and v are finite.
    #[inline(always)]
    pub(crate) fn is_finite(&self) -> bool
    where
        R: crate::scalar::Real,
    {
        // A finite sum has only finite terms. If the sum is not finite, it may have overflowed, and each component is checked.
        let mut sum = R::ZERO;
        for i in 0..N {
            sum += self.q[i];
            sum += self.v[i];
        }
        sum.is_finite() || Self::components_are_finite(*self)
    }

    /// Takes the state by value, because a reference would force it from registers to memory.
    #[cold]
    #[inline(never)]
    fn components_are_finite(self) -> bool
    where
        R: crate::scalar::Real,
    {
        for i in 0..N {
            if !(self.q[i].is_finite() && self.v[i].is_finite()) {
                return false;
            }
        }
        true
    }
}

/// The difference between two states at the same time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference<R: Scalar, const N: usize> {
    /// The difference of the coordinates q.
    pub q: SVector<R, N>,
    /// The difference of the velocities v.
    pub v: SVector<R, N>,
}

impl<R: Scalar, const N: usize> Difference<R, N> {
    /// Returns the difference of two equal states.
    pub fn zero() -> Self {
        Self { q: SVector::repeat(R::ZERO), v: SVector::repeat(R::ZERO) }
    }
}

/// The largest difference that rounding alone makes between two computations of one time, which is between `a` and `b`.
#[inline]
pub(crate) fn time_rounding<R: crate::scalar::Real>(a: R, b: R) -> R {
    R::from_f64(4.0 * R::EPSILON) * (a.abs() + b.abs())
}
