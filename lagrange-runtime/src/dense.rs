//! Interpolation within a step.

mod hermite;
mod polynomial;

pub use hermite::Hermite;
pub use polynomial::{MAX_DEGREE, Polynomial};

use crate::constraint::Projection;
use crate::error::Failure;
use crate::options::time_rounding;
use crate::scalar::Real;
use crate::state::State;
use crate::system::System;

/// The interpolant of one step, or of the part of it before an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interpolant<R: Real, const N: usize> {
    start: State<R, N>,
    end: State<R, N>,
    form: Form<R, N>,
}

/// What an interpolant is made of: the method's own, or Hermite's where it has none.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "it lives on the stack, where nothing may be allocated")]
pub enum Form<R: Real, const N: usize> {
    /// From the states and accelerations at both ends.
    Hermite(Hermite<R, N>),
    /// A polynomial from the method's stages.
    Polynomial(Polynomial<R, N>),
}

impl<R: Real, const N: usize> Interpolant<R, N> {
    /// The interpolant of a step between two states.
    pub fn new(start: State<R, N>, end: State<R, N>, form: Form<R, N>) -> Self {
        Self { start, end, form }
    }

    /// The state at the step's start.
    pub fn start(&self) -> &State<R, N> {
        &self.start
    }

    /// The state at the step's end.
    pub fn end(&self) -> &State<R, N> {
        &self.end
    }

    /// What it is made of.
    pub fn form(&self) -> &Form<R, N> {
        &self.form
    }

    /// The state at time `t`; beyond the ends the polynomials are continued. At an end, up to rounding, it is that
    /// end's state.
    pub fn sample(&self, t: R) -> State<R, N> {
        let rounding = time_rounding(t, t);
        if (t - self.end.t).abs() <= rounding {
            return State { t, ..self.end };
        }
        if (t - self.start.t).abs() <= rounding {
            return State { t, ..self.start };
        }
        self.between(t)
    }

    /// The state at time `t`, by the polynomials alone.
    pub(crate) fn between(&self, t: R) -> State<R, N> {
        match &self.form {
            Form::Hermite(hermite) => hermite.interpolate(t),
            Form::Polynomial(polynomial) => polynomial.interpolate(t),
        }
    }

    /// The state at time `t`, brought onto the constraints of `system` by `projection`.
    ///
    /// # Errors
    /// As [`Projection::state`].
    pub fn sample_on<S, const C: usize, const U: usize>(
        &self,
        system: &S,
        projection: &Projection<R, N>,
        t: R,
    ) -> Result<State<R, N>, Failure>
    where
        S: System<R, N, C, U> + ?Sized,
    {
        Ok(projection.state(system, &self.sample(t))?.0)
    }

    /// The same, bent by a cubic so that the polynomials run into the end's state.
    pub(crate) fn joining_ends(self) -> Self {
        let Form::Polynomial(mut polynomial) = self.form else { return self };
        polynomial.join(&self.end);
        Self { form: Form::Polynomial(polynomial), ..self }
    }

    /// The same motion, ending earlier, at `end`.
    pub(crate) fn until(&self, end: State<R, N>) -> Self {
        Self { end, ..*self }
    }
}
