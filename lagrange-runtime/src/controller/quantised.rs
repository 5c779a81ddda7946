//! Quantisation of measurements to a sensor's steps.

use super::Law;
use crate::error::Failure;
use crate::scalar::Real;
use nalgebra::SVector;

/// A law that gets q and v rounded to whole multiples of a sensor's steps.
///
/// A value x with the step s > 0 becomes s ⌊x/s + ½⌋. A step of 0 does not change the value. This is a law of a
/// [`Sampled`](super::Sampled) controller, not a controller: in continuous time its jumps would stop every method.
///
/// ```
/// use lagrange_runtime::controller::{Law, Quantised};
/// use lagrange_runtime::prelude::*;
///
/// let copy = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| *q;
/// let mut seen = Quantised::new(copy, SVector::from([0.25]), SVector::from([0.0]));
/// assert_eq!(seen.sample(0.0, &SVector::from([0.4]), &SVector::from([0.0]))[0], 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantised<L, R: Real, const N: usize> {
    inner: L,
    positions: SVector<R, N>,
    velocities: SVector<R, N>,
}

impl<L, R: Real, const N: usize> Quantised<L, R, N> {
    /// Gives `inner` the measurements of a sensor with these steps, in the units of the coordinates and velocities.
    #[must_use]
    pub fn new(inner: L, positions: SVector<R, N>, velocities: SVector<R, N>) -> Self {
        Self { inner, positions, velocities }
    }

    /// The law that gets the rounded measurements.
    pub fn inner(&self) -> &L {
        &self.inner
    }
}

/// Each value, rounded to a whole multiple of its step.
#[inline(always)]
fn rounded<R: Real, const N: usize>(values: &SVector<R, N>, steps: &SVector<R, N>) -> SVector<R, N> {
    SVector::from_fn(|i, _| {
        let step = R::select(steps[i].gt(R::ZERO), steps[i], R::ONE);
        let whole = step * (values[i] / step + R::from_f64(0.5)).floor();
        R::select(steps[i].gt(R::ZERO), whole, values[i])
    })
}

impl<L, R: Real, const N: usize, const U: usize> Law<R, N, U> for Quantised<L, R, N>
where
    L: Law<R, N, U>,
{
    #[inline]
    fn sample(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
        self.inner.sample(t, &rounded(q, &self.positions), &rounded(v, &self.velocities))
    }

    fn check(&self) -> Result<(), Failure> {
        for step in self.positions.iter().chain(self.velocities.iter()) {
            if !(*step >= R::ZERO && step.is_finite()) {
                return Err(Failure::bad_option("quantisation step", *step, "finite, and positive or 0"));
            }
        }
        self.inner.check()
    }
}
