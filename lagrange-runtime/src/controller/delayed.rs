//! A delay of measurements by a number of samples.

use super::Law;
use crate::error::Failure;
use crate::scalar::Real;
use nalgebra::SVector;

/// A law that gets q and v of `D` samples ago, and the present time.
///
/// For the first `D` samples it gets the first measurement. It is a law of a [`Sampled`](super::Sampled) controller, whose
/// period is the unit of the delay. It stores `D` + 1 measurements on the stack.
///
/// ```
/// use lagrange_runtime::controller::{Delayed, Law};
/// use lagrange_runtime::prelude::*;
///
/// let copy = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| *q;
/// let mut late = Delayed::<_, f64, 1, 2>::new(copy);
/// let seen: Vec<f64> = (0..5).map(|k| {
///     let x = f64::from(k);
///     late.sample(x, &SVector::from([x]), &SVector::from([0.0]))[0]
/// }).collect();
/// assert_eq!(seen, [0.0, 0.0, 0.0, 1.0, 2.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delayed<L, R: Real, const N: usize, const D: usize> {
    inner: L,
    /// The measurements before the newest. That of sample k has the index k modulo D.
    past: [(SVector<R, N>, SVector<R, N>); D],
    /// The newest measurement, with its time.
    newest: Option<(R, SVector<R, N>, SVector<R, N>)>,
    /// The number of samples before the newest.
    count: usize,
}

impl<L, R: Real, const N: usize, const D: usize> Delayed<L, R, N, D> {
    /// Gives `inner` measurements that are `D` samples old.
    #[must_use]
    pub fn new(inner: L) -> Self {
        let zero = SVector::repeat(R::ZERO);
        Self { inner, past: [(zero, zero); D], newest: None, count: 0 }
    }

    /// The law that gets the delayed measurements.
    pub fn inner(&self) -> &L {
        &self.inner
    }

    /// Stores a measurement. Returns the one that is `D` samples older.
    fn push(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> (SVector<R, N>, SVector<R, N>) {
        match self.newest {
            None => self.past = [(*q, *v); D],
            // A second sample at the same time replaces the first.
            Some((last, ..)) if last == t => {}
            Some((_, q, v)) => {
                if let Some(place) = self.past.get_mut(self.count % D.max(1)) {
                    *place = (q, v);
                }
                self.count = self.count.wrapping_add(1);
            }
        }
        self.newest = Some((t, *q, *v));
        // The oldest measurement is the next to be replaced.
        self.past.get(self.count % D.max(1)).copied().unwrap_or((*q, *v))
    }
}

impl<L, R: Real, const N: usize, const U: usize, const D: usize> Law<R, N, U> for Delayed<L, R, N, D>
where
    L: Law<R, N, U>,
{
    #[inline]
    fn sample(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
        let (q, v) = self.push(t, q, v);
        self.inner.sample(t, &q, &v)
    }

    fn check(&self) -> Result<(), Failure> {
        self.inner.check()
    }
}
