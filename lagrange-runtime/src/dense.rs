//! Interpolation within a step.

mod hermite;
mod polynomial;

pub use hermite::Hermite;
pub use polynomial::{MAX_DEGREE, Polynomial};

use crate::constraint::Projection;
use crate::error::Failure;
use crate::scalar::Real;
use crate::state::State;
use crate::state::time_rounding;
use crate::system::System;

/// The interpolant of one step, or of the part of a step before an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interpolant<R: Real, const N: usize> {
    start: State<R, N>,
    end: State<R, N>,
    form: Form<R, N>,
    /// The number of modes, which are the last velocities and constant in a step.
    modes: usize,
    /// The rows that are held in the step, one bit each.
    held: u64,
}

/// The formula of an interpolant. A method without a formula of its own uses Hermite's.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "it lives on the stack, where nothing may be allocated")]
pub enum Form<R: Real, const N: usize> {
    /// Hermite's interpolant through the states and accelerations at both ends.
    Hermite(Hermite<R, N>),
    /// A polynomial that the method computes from its stages.
    Polynomial(Polynomial<R, N>),
}

impl<R: Real, const N: usize> Interpolant<R, N> {
    /// Returns the interpolant `form` of a step from `start` to `end`.
    pub fn new(start: State<R, N>, end: State<R, N>, form: Form<R, N>) -> Self {
        Self { start, end, form, modes: 0, held: 0 }
    }

    /// The state at the step's start.
    pub fn start(&self) -> &State<R, N> {
        &self.start
    }

    /// The state at the step's end.
    pub fn end(&self) -> &State<R, N> {
        &self.end
    }

    /// The rows, one bit each, whose gap or rate the step keeps at 0: those of closed contacts, of frictions that stick and of constraints that modes keep on. A slip that is a vector has its bit in its first row. States between the ends are off these rows by the error of the
    /// interpolant; [`contact::sample`](crate::contact::sample) has those that are not.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Returns the formula of the interpolant.
    pub fn form(&self) -> &Form<R, N> {
        &self.form
    }

    /// Returns the state at time `t`. At an end of the step, up to rounding of `t`, it is exactly the state of this end. If the step is as
    /// short as the rounding, it is the state of the nearer end. Outside of the step the polynomials are extrapolated.
    pub fn sample(&self, t: R) -> State<R, N> {
        let rounding = time_rounding(t, t);
        let (to_start, to_end) = ((t - self.start.t).abs(), (t - self.end.t).abs());
        if to_end <= rounding && to_end <= to_start {
            return State { t, ..self.end };
        }
        if to_start <= rounding {
            return State { t, ..self.start };
        }
        self.between(t)
    }

    /// Returns the state at time `t` from the polynomials, also at the ends.
    pub(crate) fn between(&self, t: R) -> State<R, N> {
        let mut state = match &self.form {
            Form::Hermite(hermite) => hermite.interpolate(t),
            Form::Polynomial(polynomial) => polynomial.interpolate(t),
        };
        for (now, start) in state.v.iter_mut().zip(&self.start.v).skip(N.saturating_sub(self.modes)) {
            *now = *start;
        }
        state
    }

    /// Returns the state at time `t`, projected onto the constraints of `system` by `projection`.
    ///
    /// # Errors
    /// The errors of [`Projection::state`].
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

    /// Returns the interpolant with a cubic added, so that its polynomials reach the state at the end of the step. Hermite's
    /// interpolant is returned unchanged, because it reaches that state by construction.
    pub(crate) fn joining_ends(self) -> Self {
        let Form::Polynomial(mut polynomial) = self.form else { return self };
        polynomial.join(&self.end);
        Self { form: Form::Polynomial(polynomial), ..self }
    }

    /// Returns the interpolant without the influence of the hidden coordinates on the last `states` velocities.
    #[inline(always)]
    pub(crate) fn without_hidden(mut self, states: usize) -> Self {
        if states > 0
            && let Form::Hermite(hermite) = &mut self.form
        {
            hermite.forget_hidden(states);
        }
        self
    }

    /// Returns the interpolant on which the last `modes` velocities have their values at the start, without rounding.
    #[inline(always)]
    pub(crate) fn with_modes(self, modes: usize) -> Self {
        Self { modes, ..self }
    }

    /// Returns the interpolant of a step in which these rows are held, one bit each.
    #[inline(always)]
    pub(crate) fn with_held(self, held: u64) -> Self {
        Self { held, ..self }
    }

    /// Returns the interpolant with the earlier end `end`. The polynomials stay the same.
    pub(crate) fn until(&self, end: State<R, N>) -> Self {
        Self { end, ..*self }
    }
}
