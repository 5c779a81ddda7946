//! The step loop that every integration runs through. [`Stepper`] makes one step at a time.

pub(crate) mod adaptive;
#[cfg(feature = "std")]
mod amend;
mod begin;
mod checkpoint;
mod diagnosis;
mod drift;
mod entry;
mod first_step;
mod fixed;
pub(crate) mod judge;
mod point;
mod progress;
pub(crate) mod section;
mod stiffness;
mod switching;
mod watch;

use begin::{Opening, begin};
pub use checkpoint::Checkpoint;
use drift::Drift;
use point::{Point, view};
use progress::Progress;
use section::Section;
use stiffness::{is_beyond_stability, next_check};
use watch::Watch;

use crate::control::History;
use crate::controller::Controller;
use crate::error::{Failure, SolveError};
use crate::evaluate::Setting;
use crate::evaluator::{Evaluator, Fork};
use crate::method::Method;
use crate::observer::{Observer, StepView};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::scalar::Real;
use crate::state::State;
use crate::statistics::Statistics;
use crate::switching::Switching;
pub use crate::switching::{SwitchRules, Switches};
use crate::system::System;
use core::ops::ControlFlow;

/// An integration in progress, from a state towards a time.
///
/// The times of fixed steps are `start + n·h`, so that rounding does not add up. The last step is shortened to end exactly at
/// the end time. A remainder that differs from h by rounding alone makes a whole step. A step also ends at each stop of the
/// options and at each discontinuity of the controller; there the count n starts at 0 again.
///
/// The stepper borrows the system, the options and the controller. To change a parameter or an input by hand, start another
/// stepper at [`Stepper::state`].
#[derive(Debug)]
pub struct Stepper<'a, E, M, R, const N: usize, const C: usize>
where
    M: Method<R, N, C>,
    R: Real,
{
    evaluator: E,
    method: &'a M,
    options: &'a Options<'a, R, N>,
    t_end: R,
    section: Section<R>,
    now: Point<R, N, M::Memory>,
    past: Point<R, N, M::Memory>,
    /// The size of the next adaptive step; `None` before the first.
    proposal: Option<R>,
    history: History,
    workspace: M::Workspace,
    watch: Watch<'a, R, N>,
    switching: Switching<R>,
    drift: Drift<C>,
    progress: Progress<R>,
    /// What happened at the initial state, until it has been told.
    opening: Option<Opening<R, N>>,
}

impl<'a, S, K, M, R, const N: usize, const C: usize, const U: usize>
    Stepper<'a, Evaluator<'a, S, K, R, N, C, U>, M, R, N, C>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    M: Method<R, N, C>,
    R: Real,
{
    /// Starts an integration of `system` by `method` from `initial` to time `t_end`, which may lie before it.
    ///
    /// # Errors
    /// The failure names what is wrong: an option, a setting or a component of the initial state that makes no sense, a
    /// singular mass matrix, or a constraint that the initial state breaks.
    #[inline]
    pub fn new(
        system: &'a S,
        initial: State<R, N>,
        t_end: R,
        method: &'a M,
        options: &'a Options<'a, R, N>,
        controller: &'a mut K,
    ) -> Result<Self, SolveError<R, N>> {
        let mut evaluator = Evaluator::of_method(system, controller, method).with_options(options);
        match begin(&mut evaluator, &initial, t_end, method, options) {
            Ok((mut now, section, opening)) => {
                if options.stops.contains(&initial.t) {
                    now.depart(section.departure());
                }
                let stepper = Self::between(evaluator, (method, options), t_end, section, now);
                Ok(Self { opening: Some(opening), ..stepper })
            }
            Err(failure) => Err(SolveError {
                failure,
                state: initial,
                statistics: *evaluator.statistics(),
                coordinates: system.coordinates(),
                states: system.state_count(),
            }),
        }
    }
}

impl<'a, E, M, R, const N: usize, const C: usize> Stepper<'a, E, M, R, N, C>
where
    E: Fork<R, N, C>,
    M: Method<R, N, C>,
    R: Real,
{
    /// An integration that has reached `now` in `section`, without any history of steps.
    fn between(
        evaluator: E,
        (method, options): (&'a M, &'a Options<'a, R, N>),
        t_end: R,
        section: Section<R>,
        now: Point<R, N, M::Memory>,
    ) -> Self {
        let counts = *evaluator.statistics();
        let made = counts.steps.saturating_add(counts.rejected);
        Self {
            evaluator,
            method,
            options,
            t_end,
            section,
            now,
            past: now,
            proposal: None,
            history: History::default(),
            workspace: method.workspace(),
            watch: Watch::new(options),
            switching: Switching::new(),
            drift: Drift::over((t_end - now.state.t).to_f64().abs()),
            progress: Progress::new(now.state.t, t_end, made),
            opening: None,
        }
    }

    /// Whether the end is reached.
    #[inline]
    pub fn is_finished(&self) -> bool {
        self.now.state.t == self.t_end
    }

    /// The time reached.
    #[inline]
    pub fn time(&self) -> R {
        self.now.state.t
    }

    /// The counters so far.
    #[inline]
    pub fn statistics(&self) -> &Statistics {
        self.evaluator.statistics()
    }

    /// Makes one accepted step. Does nothing where the end is reached.
    ///
    /// # Errors
    /// [`SolveError`] holds the failure and the state before the failed step, at which the stepper stays.
    pub fn step(&mut self) -> Result<(), SolveError<R, N>> {
        let stop = self.statistics().steps + 1;
        self.drive(&mut (), stop).map(|_| ())
    }

    /// Makes steps until the end, a terminal event, or until `observer` breaks off.
    ///
    /// # Errors
    /// [`SolveError`] holds the failure and the state before the failed step, at which the stepper stays.
    pub fn run<O: Observer<R, N> + ?Sized>(&mut self, observer: &mut O) -> Result<Outcome, SolveError<R, N>> {
        self.drive(observer, u64::MAX)
    }

    /// The state reached.
    ///
    /// # Errors
    /// Fails where the velocity must be computed from a momentum and cannot be: the mass matrix is singular, or the iteration
    /// does not converge.
    #[inline]
    pub fn state(&mut self) -> Result<State<R, N>, SolveError<R, N>> {
        match self.now.synchronise(&mut self.evaluator, self.method) {
            Ok(state) => Ok(state),
            Err(failure) => Err(self.error(failure)),
        }
    }

    /// The last step. If `interpolation` is set, it has an interpolant, for which the accelerations at its ends are computed.
    ///
    /// The step is empty, from the state reached to itself, before the first step, where an event interrupted the motion, and
    /// where a step failed. Where a contact is closed or a friction sticks, [`StepView::sample`] of this view is off these by the error of the interpolant;
    /// [`contact::sample`](crate::contact::sample) is not.
    ///
    /// # Errors
    /// Those of [`Stepper::state`]. With `interpolation`, also a singular mass matrix.
    pub fn view(&mut self, interpolation: bool) -> Result<StepView<'static, R, N>, SolveError<R, N>> {
        let number = self.statistics().steps;
        let ends = (&mut self.past, &mut self.now);
        match view(&mut self.evaluator, self.method, &mut self.workspace, number, ends, interpolation) {
            Ok(view) => Ok(view),
            Err(failure) => Err(self.error(failure)),
        }
    }

    /// The section that the motion is in.
    #[cfg(feature = "ensemble")]
    pub(crate) fn section(&self) -> Section<R> {
        self.section
    }

    /// Makes steps until the end, until the number of steps is `stop`, or until `observer` breaks off.
    #[inline(always)]
    pub(crate) fn drive<O>(&mut self, observer: &mut O, stop: u64) -> Result<Outcome, SolveError<R, N>>
    where
        O: Observer<R, N> + ?Sized,
    {
        while !self.is_finished() {
            match self.enter_section(observer) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(outcome)) => return Ok(outcome),
                Err(failure) => return Err(self.error(failure)),
            }
            let check = if M::ADAPTIVE { u64::MAX } else { next_check(self.statistics().steps) };
            let pause = stop.min(self.next_measurement()).min(check);
            let flow =
                if M::ADAPTIVE { self.adaptive_steps(observer, pause) } else { self.fixed_steps(observer, pause) };
            if self.statistics().steps == check && flow.is_ok() {
                self.check_stability();
            }
            if const { C != 0 } {
                self.measure_drift(matches!(flow, Ok(ControlFlow::Break(Outcome::Event(_)))));
            }
            match flow {
                // An instant that ends the motion is done first.
                Ok(ControlFlow::Continue(())) if self.watch.ended.is_some() => {}
                Ok(ControlFlow::Continue(())) if self.statistics().steps >= stop => return Ok(Outcome::Stopped),
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(outcome)) => return Ok(outcome),
                Err(failure) => return Err(self.error(failure)),
            }
        }
        Ok(self.watch.ended.take().map_or(Outcome::Finished, Outcome::Instant))
    }

    /// Counts a fixed step that is longer than its method is stable for. The size is that of the step just made, which switches, samples and stops may have cut.
    #[cold]
    #[inline(never)]
    fn check_stability(&mut self) {
        let Some(stability) = self.method.stability() else { return };
        let h = self.now.state.t - self.past.state.t;
        // The velocity is computed in a copy, so that a check changes no step.
        let (mut now, counted) = (self.now, *self.statistics());
        let synchronised = now.synchronise(&mut self.evaluator, self.method);
        let is_beyond = h != R::ZERO
            && synchronised.is_ok_and(|state| is_beyond_stability(&mut self.evaluator, &state, h, stability));
        let statistics = self.evaluator.statistics_mut();
        *statistics = counted;
        statistics.unstable_checks += u64::from(is_beyond);
    }

    #[cold]
    fn error(&mut self, failure: Failure) -> SolveError<R, N> {
        // Where even the velocity cannot be computed, the last known one is reported.
        let state = self.now.synchronise(&mut self.evaluator, self.method).unwrap_or(self.now.state);
        let (coordinates, states) = (self.evaluator.coordinates(), self.evaluator.state_count());
        let failure = self.diagnosed(failure, &state);
        SolveError { failure, state, statistics: *self.evaluator.statistics(), coordinates, states }
    }
}
