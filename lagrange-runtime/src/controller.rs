//! The sources of the inputs u during an integration. For the control of step sizes, see [`crate::control`].

mod delayed;
mod estimate_feedback;
mod integral_feedback;
mod law;
mod pid;
mod quantised;
mod sampled;
mod saturated;
mod state_feedback;

pub use delayed::Delayed;
pub use estimate_feedback::{EstimateFeedback, ObservedModel};
pub use integral_feedback::IntegralFeedback;
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
    /// u at (t, q, v). It is called once for each evaluation, also inside steps that are rejected later. Between two calls of
    /// [`Controller::arrive`] it must be a pure function: equal arguments give equal inputs.
    fn input(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) -> SVector<R, U>;

    /// The first time strictly after `from`, and not beyond `to`, at which u may jump. With `to` < `from` the integration goes
    /// backward.
    ///
    /// A step ends there exactly. Then [`Controller::arrive`] is called, and the method computes again what it carries from
    /// step to step.
    #[inline(always)]
    fn next_discontinuity(&self, from: R, to: R) -> Option<R> {
        let _ = (from, to);
        None
    }

    /// Called with the state at the start of an integration, and at each discontinuity from which the integration goes on.
    #[inline(always)]
    fn arrive(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>) {
        let _ = (t, q, v);
    }

    /// Whether u is known before [`Controller::arrive`] is called at the start of an integration, because the controller was used before and
    /// keeps its value. At a start, impacts then come before the sample, as they do along a motion.
    fn holds(&self) -> bool {
        false
    }

    /// Whether u changes only at the times that [`Controller::next_discontinuity`] gives, as the default inputs and samples do. A method whose order needs the
    /// derivatives of the inputs, [`Rodas5P`](crate::method::Rodas5P), refuses any other controller. The default is `false`.
    fn is_piecewise_constant(&self) -> bool {
        false
    }

    /// Checks the controller's own settings; called once, at the start of an integration.
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

/// The values of the mechanism's `#[input]` fields, constant in time.
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

    fn is_piecewise_constant(&self) -> bool {
        true
    }
}
