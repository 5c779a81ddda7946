//! Inputs between bounds.

use super::{Controller, Law};
use crate::error::Failure;
use crate::scalar::Real;
use nalgebra::SVector;

/// Each input of another controller or law, limited to a lower and an upper bound.
///
/// In continuous time the input has a kink where it meets a bound. The error estimate of adaptive methods reacts to it.
///
/// ```
/// use lagrange_runtime::controller::{Saturated, StateFeedback};
/// use lagrange_runtime::prelude::*;
///
/// let feedback = StateFeedback::<f64, 1, 1>::new(SMatrix::from([[20.0]]), SMatrix::from([[5.0]]));
/// let mut limited = Saturated::new(feedback, SVector::from([-3.0]), SVector::from([3.0]));
/// assert_eq!(limited.input(0.0, &SVector::from([1.0]), &SVector::from([0.0]))[0], -3.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saturated<K, R: Real, const U: usize> {
    inner: K,
    lower: SVector<R, U>,
    upper: SVector<R, U>,
}

impl<K, R: Real, const U: usize> Saturated<K, R, U> {
    /// Limits the inputs of `inner` to `lower` and `upper`, in the units of the inputs. A bound may be infinite.
    #[must_use]
    pub fn new(inner: K, lower: SVector<R, U>, upper: SVector<R, U>) -> Self {
        Self { inner, lower, upper }
    }

    /// The controller or law whose inputs are limited.
    pub fn inner(&self) -> &K {
        &self.inner
    }

    #[inline(always)]
    fn cut(&self, u: &SVector<R, U>) -> SVector<R, U> {
        SVector::from_fn(|k, _| {
            let above = R::select(u[k].lt(self.lower[k]), self.lower[k], u[k]);
            R::select(above.gt(self.upper[k]), self.upper[k], above)
        })
    }

    fn settings(&self) -> Result<(), Failure> {
        for (lower, upper) in self.lower.iter().zip(self.upper.iter()) {
            if upper.to_f64().is_nan() {
                return Err(Failure::bad_option("upper", *upper, "a number that is not below `lower`"));
            }
            if lower > upper || lower.to_f64().is_nan() {
                return Err(Failure::bad_option("lower", *lower, "a number that is not above `upper`"));
            }
        }
        Ok(())
    }
}

impl<K, R: Real, const N: usize, const U: usize> Controller<R, N, U> for Saturated<K, R, U>
where
    K: Controller<R, N, U>,
{
    #[inline(always)]
    fn input(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
        let u = self.inner.input(t, q, v);
        self.cut(&u)
    }

    #[inline(always)]
    fn next_discontinuity(&self, from: R, to: R) -> Option<R> {
        self.inner.next_discontinuity(from, to)
    }

    #[inline(always)]
    fn arrive(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) {
        self.inner.arrive(t, q, v);
    }

    fn holds(&self) -> bool {
        self.inner.holds()
    }

    fn is_piecewise_constant(&self) -> bool {
        self.inner.is_piecewise_constant()
    }

    fn check(&self) -> Result<(), Failure> {
        self.settings()?;
        self.inner.check()
    }
}

impl<K, R: Real, const N: usize, const U: usize> Law<R, N, U> for Saturated<K, R, U>
where
    K: Law<R, N, U>,
{
    #[inline(always)]
    fn sample(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
        let u = self.inner.sample(t, q, v);
        self.cut(&u)
    }

    fn check(&self) -> Result<(), Failure> {
        self.settings()?;
        self.inner.check()
    }
}
