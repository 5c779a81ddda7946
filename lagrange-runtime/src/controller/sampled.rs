//! A sampled controller: a zero-order hold between equidistant samples.

use super::{Controller, Law};
use crate::error::Failure;
use crate::scalar::Real;
use nalgebra::SVector;

/// A zero-order hold: it computes u at the times `origin + k·period`, k an integer, and keeps it constant until the next
/// sample.
///
/// A step ends at every sample. The origin is the time at which the controller is first used, unless [`Sampled::with_origin`]
/// sets it. The clock continues through later integrations: the value at the end of one integration is that at the start of the
/// next. In a backward integration, u is computed at the later end of each interval.
#[derive(Clone, Debug)]
pub struct Sampled<R, F, const U: usize> {
    period: R,
    origin: Option<R>,
    value: Option<SVector<R, U>>,
    /// The number of the last sample, and the time at which it was taken.
    last: Option<(f64, R)>,
    law: F,
}

impl<R: Real, F, const U: usize> Sampled<R, F, U> {
    /// Samples `law`, u(t, q, v), every `period` (in the unit of t; positive).
    pub fn new<const N: usize>(period: R, law: F) -> Self
    where
        F: FnMut(R, &SVector<R, N>, &SVector<R, N>) -> SVector<R, U>,
    {
        Self { period, origin: None, value: None, last: None, law }
    }

    /// Samples a [`Law`] every `period` (in the unit of t; positive).
    pub fn of(period: R, law: F) -> Self {
        Self { period, origin: None, value: None, last: None, law }
    }

    /// The law, with what it remembers.
    pub fn law(&self) -> &F {
        &self.law
    }

    /// Sets the origin, which is the time of a sample.
    pub fn with_origin(mut self, origin: R) -> Self {
        self.origin = Some(origin);
        self
    }

    /// The current value of u; `None` before the first use.
    pub fn value(&self) -> Option<&SVector<R, U>> {
        self.value.as_ref()
    }

    /// The time of the first sample; `None` before the first use and without [`Sampled::with_origin`].
    pub fn origin(&self) -> Option<R> {
        self.origin
    }

    /// Restores the `origin` and the `value` that the controller had before, for an integration that is resumed.
    #[must_use]
    pub fn resumed(self, origin: Option<R>, value: Option<SVector<R, U>>) -> Self {
        Self { origin, value, ..self }
    }

    /// The sample nearest to `t`: its number, its time, and whether that time equals `t` up to rounding.
    fn nearest(&self, origin: R, t: R) -> (f64, R, bool) {
        let number = libm::round(((t - origin) / self.period).to_f64());
        let time = self.time(origin, number);
        let rounding = R::from_f64(4.0 * R::EPSILON) * (t.abs() + origin.abs());
        (number, time, (time - t).abs() <= rounding)
    }

    /// The time of sample `number`. It is computed as a product, so that rounding does not add up.
    fn time(&self, origin: R, number: f64) -> R {
        origin + R::from_f64(number) * self.period
    }
}

impl<R: Real, F, const N: usize, const U: usize> Controller<R, N, U> for Sampled<R, F, U>
where
    F: Law<R, N, U>,
{
    #[inline]
    fn input(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
        match self.value {
            Some(value) => value,
            None => self.law.sample(t, q, v),
        }
    }

    fn next_discontinuity(&self, from: R, to: R) -> Option<R> {
        let origin = self.origin.unwrap_or(from);
        let forward = to > from;
        let before = |a: R, b: R| if forward { a < b } else { a > b };
        let (number, nearest, _) = self.nearest(origin, from);
        // A sample within a rounding ahead is still to be taken, unless it has been.
        let next = if before(from, nearest) && self.last.is_none_or(|(last, _)| last != number) {
            nearest
        } else {
            self.time(origin, if forward { number + 1.0 } else { number - 1.0 })
        };
        before(next, to).then_some(next)
    }

    fn arrive(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) {
        let origin = *self.origin.get_or_insert(t);
        let (number, _, at_sample) = self.nearest(origin, t);
        // An arrival a rounding after a sample is no other sample.
        let is_taken = self.last.is_some_and(|(last, at)| last == number && at != t);
        if at_sample && !is_taken || self.value.is_none() {
            self.last = at_sample.then_some((number, t));
            self.value = Some(self.law.sample(t, q, v));
        }
    }

    fn holds(&self) -> bool {
        self.value.is_some()
    }

    fn is_piecewise_constant(&self) -> bool {
        true
    }

    fn check(&self) -> Result<(), Failure> {
        let positive = self.period > R::ZERO && self.period.is_finite();
        if !positive {
            return Err(Failure::bad_option("period", self.period, "positive and finite"));
        }
        match self.origin {
            Some(origin) if !origin.is_finite() => Err(Failure::bad_option("origin", origin, "finite")),
            _ => self.law.check(),
        }
    }
}
