//! Where the inputs u come from while a mechanism is integrated (for step sizes, see [`crate::control`]).

mod delayed;
mod law;
mod pid;
mod quantised;
mod sampled;
mod saturated;
mod state_feedback;

pub use delayed::Delayed;
pub use law::Law;
pub use pid::Pid;
pub use quantised::Quantised;
pub use sampled::Sampled;
pub use saturated::Saturated;
pub use state_feedback::StateFeedback;

use crate::error::Failure;
use crate::scalar::Scalar;
use crate::system::System;
use nalgebra::SVector;

/// A source of inputs: u(t, q, v), with the times at which it jumps.
///
/// A closure `FnMut(t, &q, &v) -> u` is a controller without jumps.
pub trait Controller<R: Scalar, const N: usize, const U: usize> {
    /// u at (t, q, v). Called once an evaluation, also inside steps that are rejected later: two calls with the
    /// same arguments between two arrivals must give the same.
    fn input(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U>;

    /// The first time strictly after `from` on the way to `to`, and not beyond it, at which u may jump.
    /// Where `to` < `from`, the way goes backward.
    ///
    /// Steps end there exactly; then [`Controller::arrive`] is called, and what a method carries is computed anew.
    #[inline(always)]
    fn next_discontinuity(&self, from: R, to: R) -> Option<R> {
        let _ = (from, to);
        None
    }

    /// Called with the state at the start of an integration and at each declared discontinuity that it goes on from.
    #[inline(always)]
    fn arrive(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) {
        let _ = (t, q, v);
    }

    /// Whether the controller's own settings make sense; asked once, at the start of an integration.
    ///
    /// # Errors
    /// [`Failure::BadOption`] names the setting.
    fn check(&self) -> Result<(), Failure> {
        Ok(())
    }
}

impl<R: Scalar, const N: usize, const U: usize, F> Controller<R, N, U> for F
where
    F: FnMut(R, &SVector<R, N>, &SVector<R, N>) -> SVector<R, U>,
{
    #[inline(always)]
    fn input(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U> {
        self(t, q, v)
    }
}

/// The values of the mechanism's `#[input]` fields, held constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DefaultInputs<R: Scalar, const U: usize> {
    inputs: SVector<R, U>,
}

impl<R: Scalar, const U: usize> DefaultInputs<R, U> {
    /// The default inputs of `system`.
    #[inline]
    pub fn of<S, const N: usize, const C: usize>(system: &S) -> Self
    where
        S: System<R, N, C, U> + ?Sized,
    {
        Self { inputs: system.default_inputs() }
    }
}

impl<R: Scalar, const N: usize, const U: usize> Controller<R, N, U> for DefaultInputs<R, U> {
    #[inline(always)]
    fn input(&mut self, _: R, _: &SVector<R, N>, _: &SVector<R, N>) -> SVector<R, U> {
        self.inputs
    }
}
