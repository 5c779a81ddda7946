//! State feedback with integrals of outputs.

use super::{Law, StateFeedback};
use crate::error::Failure;
use crate::scalar::Real;
use core::cmp::Ordering;
use nalgebra::{SMatrix, SVector};

/// The law u = u₀ − K_q (q − q₀) − K_v (v − v₀) − K_z z, z(k+1) = z(k) + h (y(k) − r), of the P outputs y = C_q (q − q₀) + C_v
/// (v − v₀).
///
/// Where the loop is stable and the load constant, the outputs come to the setpoint r. `h` is the period of the samples, in the
/// unit of t. With bounds, the integrals stand still while an input is at one, so that they do not run away (windup). A
/// regulator makes it by [`Regulator::integral_feedback`](crate::analysis::Regulator::integral_feedback) (with `std`).
///
/// ```
/// use lagrange_runtime::controller::{IntegralFeedback, Law, StateFeedback};
/// use lagrange_runtime::prelude::*;
///
/// let feedback = StateFeedback::<f64, 1, 1>::new(SMatrix::from([[2.0]]), SMatrix::from([[0.0]]));
/// let seen = [SMatrix::from([[1.0]]), SMatrix::from([[0.0]])];
/// let mut law = IntegralFeedback::new(feedback, seen, SMatrix::from([[10.0]]), 0.1).with_setpoint([3.0].into());
/// let mut at = |t: f64| law.sample(t, &SVector::from([1.0]), &SVector::from([0.0]))[0];
/// // The error is −2: the integral grows by −0.2 a sample.
/// assert_eq!([at(0.0), at(0.1), at(0.2)], [-2.0, 0.0, 2.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntegralFeedback<R: Real, const N: usize, const U: usize, const P: usize> {
    feedback: StateFeedback<R, N, U>,
    seen: [SMatrix<R, P, N>; 2],
    gain: SMatrix<R, U, P>,
    period: R,
    setpoint: SVector<R, P>,
    bounds: [SVector<R, U>; 2],
    /// z before the last sample, and after it.
    before: SVector<R, P>,
    after: SVector<R, P>,
    last: Option<R>,
}

impl<R: Real, const N: usize, const U: usize, const P: usize> IntegralFeedback<R, N, U, P> {
    /// The law with C_q and C_v in `seen`, K_z in `gain`, the setpoint 0, and no bounds.
    #[must_use]
    pub fn new(
        feedback: StateFeedback<R, N, U>,
        seen: [SMatrix<R, P, N>; 2],
        gain: SMatrix<R, U, P>,
        period: R,
    ) -> Self {
        let (zero, most) = (SVector::repeat(R::ZERO), R::from_f64(f64::INFINITY));
        let bounds = [SVector::repeat(-most), SVector::repeat(most)];
        Self { feedback, seen, gain, period, setpoint: zero, bounds, before: zero, after: zero, last: None }
    }

    /// Sets the outputs r that are wanted, as deviations from those at the reference.
    #[must_use]
    pub fn with_setpoint(self, setpoint: SVector<R, P>) -> Self {
        Self { setpoint, ..self }
    }

    /// Bounds the inputs.
    #[must_use]
    pub fn with_bounds(self, lower: SVector<R, U>, upper: SVector<R, U>) -> Self {
        Self { bounds: [lower, upper], ..self }
    }

    /// z after the last sample.
    pub fn integrals(&self) -> &SVector<R, P> {
        &self.after
    }
}

impl<R: Real, const N: usize, const U: usize, const P: usize> Law<R, N, U> for IntegralFeedback<R, N, U, P> {
    fn sample(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
        // A second sample at the same time replaces the first.
        if self.last != Some(t) {
            self.before = self.after;
        }
        self.last = Some(t);
        let wanted = Law::sample(&mut self.feedback, t, q, v);
        let wanted =
            SVector::<R, U>::from_fn(|k, _| (0..P).fold(wanted[k], |sum, i| sum - self.gain[(k, i)] * self.before[i]));
        let [lower, upper] = &self.bounds;
        let input = SVector::<R, U>::from_fn(|k, _| wanted[k].max(lower[k]).min(upper[k]));
        let (q0, v0) = self.feedback.reference();
        let stands = input != wanted;
        self.after = SVector::from_fn(|i, _| {
            let seen = (0..N).fold(-self.setpoint[i], |sum, j| {
                sum + self.seen[0][(i, j)] * (q[j] - q0[j]) + self.seen[1][(i, j)] * (v[j] - v0[j])
            });
            if stands { self.before[i] } else { self.before[i] + self.period * seen }
        });
        input
    }

    fn check(&self) -> Result<(), Failure> {
        Law::<R, N, U>::check(&self.feedback)?;
        let bad = |option, value, allowed| Err(Failure::BadOption { option, value, allowed });
        let numbers =
            self.gain.iter().chain(self.seen[0].iter()).chain(self.seen[1].iter()).chain(self.setpoint.iter());
        if let Some(value) = numbers.map(|value| value.to_f64()).find(|value| !value.is_finite()) {
            return bad("gain", value, "finite");
        }
        let period = self.period.to_f64();
        if !(period > 0.0 && period.is_finite()) {
            return bad("period", period, "positive and finite");
        }
        let [lower, upper] = &self.bounds;
        let crossed = (0..U).find(|&k| lower[k].partial_cmp(&upper[k]).is_none_or(Ordering::is_gt));
        match crossed {
            None => Ok(()),
            Some(k) => bad("lower", lower[k].to_f64(), "a number that is not above `upper`"),
        }
    }
}
