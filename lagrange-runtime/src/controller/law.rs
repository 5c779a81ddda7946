//! The laws that compute the inputs at a sample.

use crate::error::Failure;
use crate::scalar::Scalar;
use nalgebra::SVector;

/// The function that a [`Sampled`](super::Sampled) controller evaluates once a sample: u from the measured (t, q, v).
///
/// A closure `FnMut(t, &q, &v) -> u` is a law. A law may remember earlier samples, as [`Pid`](super::Pid) and
/// [`Delayed`](super::Delayed) do. It may jump as a function of the state, as [`Quantised`](super::Quantised) does. A
/// [`Controller`](super::Controller) that acts in continuous time may do neither. Laws can be nested:
///
/// ```
/// use lagrange_runtime::controller::{Delayed, Quantised, Sampled, Saturated, StateFeedback};
/// use lagrange_runtime::prelude::*;
///
/// let feedback = StateFeedback::<f64, 1, 1>::new(SMatrix::from([[20.0]]), SMatrix::from([[5.0]]));
/// let limited = Saturated::new(feedback, SVector::from([-3.0]), SVector::from([3.0]));
/// // An encoder of 4096 lines, and a computer that answers a sample late.
/// let encoder = Quantised::new(limited, SVector::from([1.5e-3]), SVector::from([0.0]));
/// let late = Delayed::<_, f64, 1, 1>::new(encoder);
/// let controller = Sampled::of(0.01, late);
/// # let _: Sampled<f64, _, 1> = controller;
/// ```
pub trait Law<R: Scalar, const N: usize, const U: usize> {
    /// u from the measurement of q and v at time t. It is called once a sample. A second call at the same t replaces that
    /// sample.
    fn sample(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U>;

    /// Checks the law's own settings; called once, at the start of an integration.
    ///
    /// # Errors
    /// [`Failure::BadOption`] names the setting.
    fn check(&self) -> Result<(), Failure> {
        Ok(())
    }
}

impl<R: Scalar, const N: usize, const U: usize, F> Law<R, N, U> for F
where
    F: FnMut(R, &SVector<R, N>, &SVector<R, N>) -> SVector<R, U>,
{
    #[inline(always)]
    fn sample(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
        self(t, q, v)
    }
}
