//! The state of a mechanism at one time.

use crate::scalar::Scalar;
use nalgebra::SVector;

/// Time, coordinates and velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct State<R: Scalar, const N: usize> {
    /// t.
    pub t: R,
    /// q, in the order of the mechanism's coordinates.
    pub q: SVector<R, N>,
    /// v = q̇, in the same order.
    pub v: SVector<R, N>,
}

impl<R: Scalar, const N: usize> State<R, N> {
    /// The state at time `t` with coordinates `q` and velocities `v`, each an array or a vector.
    #[inline]
    pub fn new(t: R, q: impl Into<SVector<R, N>>, v: impl Into<SVector<R, N>>) -> Self {
        Self { t, q: q.into(), v: v.into() }
    }

    /// Whether q and v are all finite.
    #[inline(always)]
    pub(crate) fn is_finite(&self) -> bool
    where
        R: crate::scalar::Real,
    {
        // One sum decides, unless it overflows by itself.
        let mut sum = R::ZERO;
        for i in 0..N {
            sum += self.q[i];
            sum += self.v[i];
        }
        sum.is_finite() || Self::components_are_finite(*self)
    }

    /// By value, so that the state that is asked needs no address.
    #[cold]
    #[inline(never)]
    fn components_are_finite(self) -> bool
    where
        R: crate::scalar::Real,
    {
        self.q.iter().chain(&self.v).all(|component| component.is_finite())
    }
}

/// The difference of two states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference<R: Scalar, const N: usize> {
    /// That of q.
    pub q: SVector<R, N>,
    /// That of v.
    pub v: SVector<R, N>,
}

impl<R: Scalar, const N: usize> Difference<R, N> {
    /// No difference.
    pub fn zero() -> Self {
        Self { q: SVector::repeat(R::ZERO), v: SVector::repeat(R::ZERO) }
    }
}
