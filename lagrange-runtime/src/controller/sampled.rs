//! A sampled controller: a zero-order hold between equidistant samples.

use super::{Controller, Law};
use crate::error::Failure;
use crate::scalar::Real;
use nalgebra::SVector;

/// Computes u at the times `origin + k·period`, k an integer, and holds it until the next.
///
/// Steps land on every sample. The origin is the time at which the controller is first used, unless
/// [`Sampled::with_origin`] sets it; the clock then goes on through later integrations, and a value held at the
/// end of one is still held at the start of the next. Integrated backward, u is computed on entering an interval
/// from its later end.
#[derive(Clone, Debug)]
pub struct Sampled<R, F, const U: usize> {
    period: R,
    origin: Option<R>,
    held: Option<SVector<R, U>>,
    law: F,
}

impl<R: Real, F, const U: usize> Sampled<R, F, U> {
    /// Samples `law`, u(t, q, v), every `period` (in the unit of t; positive).
    pub fn new<const N: usize>(period: R, law: F) -> Self
    where
        F: FnMut(R, &SVector<R, N>, &SVector<R, N>) -> SVector<R, U>,
    {
        Self { period, origin: None, held: None, law }
    }

    /// Samples a [`Law`] every `period` (in the unit of t; positive).
    pub fn of(period: R, law: F) -> Self {
        Self { period, origin: None, held: None, law }
    }

    /// The law, with what it remembers.
    pub fn law(&self) -> &F {
        &self.law
    }

    /// The same with a sample at time `origin`.
    pub fn with_origin(mut self, origin: R) -> Self {
        self.origin = Some(origin);
        self
    }

    /// The value held now: none before the first use.
    pub fn held(&self) -> Option<&SVector<R, U>> {
        self.held.as_ref()
    }

    /// The time of the first sample: none before the first use.
    pub fn origin(&self) -> Option<R> {
        self.origin
    }

    /// The same as it was when it had this `origin` and `held` this value: for an integration that is resumed.
    #[must_use]
    pub fn resumed(self, origin: Option<R>, held: Option<SVector<R, U>>) -> Self {
        Self { origin, held, ..self }
    }

    /// The sample nearest to `t`: its number, its time, and whether `t` is that time up to rounding.
    fn nearest(&self, origin: R, t: R) -> (f64, R, bool) {
        let number = libm::round(((t - origin) / self.period).to_f64());
        let time = self.time(origin, number);
        let rounding = R::from_f64(4.0 * R::EPSILON) * (t.abs() + origin.abs());
        (number, time, (time - t).abs() <= rounding)
    }

    /// The time of sample `number`: a product, so that round-off does not add up.
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
        match self.held {
            Some(held) => held,
            None => self.law.sample(t, q, v),
        }
    }

    fn next_discontinuity(&self, from: R, to: R) -> Option<R> {
        let origin = self.origin.unwrap_or(from);
        let forward = to > from;
        let before = |a: R, b: R| if forward { a < b } else { a > b };
        let (number, nearest, at_sample) = self.nearest(origin, from);
        let next = if !at_sample && before(from, nearest) {
            nearest
        } else {
            self.time(origin, if forward { number + 1.0 } else { number - 1.0 })
        };
        before(next, to).then_some(next)
    }

    fn arrive(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) {
        let origin = *self.origin.get_or_insert(t);
        let (_, _, at_sample) = self.nearest(origin, t);
        if at_sample || self.held.is_none() {
            self.held = Some(self.law.sample(t, q, v));
        }
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
