//! One step at a time: the code path of every integration.

mod adaptive;
mod checkpoint;
mod diagnosis;
mod drift;
mod fixed;
mod point;
mod progress;
mod section;
mod switching;
mod watch;

pub use checkpoint::Checkpoint;
use drift::Drift;
use point::{Point, view};
use progress::Progress;
use section::Section;
use switching::Switching;
use watch::Watch;

use crate::constraint;
use crate::control::History;
use crate::controller::Controller;
use crate::error::{Component, Failure, SolveError};
use crate::evaluator::Evaluator;
use crate::event::{Event, EventFunction, MAX_EVENTS, MAX_FUNCTIONS, MAX_SWITCHES};
use crate::method::{Method, Pace};
use crate::observer::{Observer, StepView};
use crate::options::Options;
use crate::scalar::Real;
use crate::solve::Outcome;
use crate::state::State;
use crate::statistics::Statistics;
use crate::system::System;
use core::ops::ControlFlow;

/// An integration in progress, from a state towards a time.
///
/// A fixed step's times are `start + n·h`, not accumulated, and the last step is shortened to land on the end (a
/// remainder within rounding of h makes a whole step). Steps also land on the controller's discontinuities, from each
/// of which the count starts anew. The system, the options and the controller are borrowed: to change a parameter or an
/// input by hand, start another stepper at [`Stepper::state`].
#[derive(Debug)]
pub struct Stepper<'a, S, M, K, R, const N: usize, const C: usize, const U: usize>
where
    S: System<R, N, C, U> + ?Sized,
    M: Method<S, R, N, C, U>,
    K: ?Sized,
    R: Real,
{
    evaluator: Evaluator<'a, S, K, R, N, C, U>,
    method: &'a M,
    options: &'a Options<'a, R, N>,
    t_end: R,
    section: Section<R>,
    now: Point<R, N, M::Memory>,
    past: Point<R, N, M::Memory>,
    /// The next step's size where it adapts: none before the first.
    proposal: Option<R>,
    history: History,
    workspace: M::Workspace,
    watch: Watch<'a, R, N>,
    switching: Switching<R>,
    drift: Drift<C>,
    progress: Progress<R>,
}

impl<'a, S, M, K, R, const N: usize, const C: usize, const U: usize> Stepper<'a, S, M, K, R, N, C, U>
where
    S: System<R, N, C, U> + ?Sized,
    M: Method<S, R, N, C, U>,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    /// An integration of `system` by `method` from `initial` to time `t_end`, which may lie before it.
    ///
    /// # Errors
    /// An option, a setting or a component of the initial state that makes no sense is named; a singular mass matrix too,
    /// and the constraint that the initial state breaks.
    #[inline]
    pub fn new(
        system: &'a S,
        initial: State<R, N>,
        t_end: R,
        method: &'a M,
        options: &'a Options<'a, R, N>,
        controller: &'a mut K,
    ) -> Result<Self, SolveError<R, N>> {
        let mut evaluator = Evaluator::new(system, controller).with_options(options);
        match Self::begin(&mut evaluator, &initial, t_end, method, options) {
            Ok((memory, section)) => {
                let mut now = Point::initial(initial, memory);
                if options.stops.contains(&initial.t) {
                    now.depart(section.departure());
                }
                Ok(Self::between(evaluator, method, options, t_end, section, now))
            }
            Err(failure) => Err(SolveError {
                failure: diagnosis::at_start(&mut evaluator, failure, &initial),
                state: initial,
                statistics: *evaluator.statistics(),
                coordinates: system.coordinates(),
            }),
        }
    }

    /// An integration that has come to `now` in `section`, and remembers nothing else.
    fn between(
        evaluator: Evaluator<'a, S, K, R, N, C, U>,
        method: &'a M,
        options: &'a Options<'a, R, N>,
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
        }
    }

    fn begin(
        evaluator: &mut Evaluator<'a, S, K, R, N, C, U>,
        initial: &State<R, N>,
        t_end: R,
        method: &M,
        options: &Options<'_, R, N>,
    ) -> Result<(M::Memory, Section<R>), Failure> {
        if let Some((component, value)) = first_not_finite(initial) {
            return Err(Failure::BadState { component, value: value.to_f64() });
        }
        constraint::check(evaluator.system(), initial)?;
        check(evaluator, initial, t_end, method, options)?;
        options.check_evaluation_times(initial.t, t_end)?;
        let section = enter(evaluator.controller(), initial, t_end, options, method.pace())?;
        if options.locate_switches && evaluator.system().switch_count() != 0 {
            evaluator.check_switches(initial)?;
        }
        Ok((method.start(evaluator, initial)?, section))
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

    /// Makes one accepted step; nothing where the end is reached.
    ///
    /// # Errors
    /// The failure, with the state before the step, which remains.
    pub fn step(&mut self) -> Result<(), SolveError<R, N>> {
        let stop = self.statistics().steps + 1;
        self.drive(&mut (), stop).map(|_| ())
    }

    /// Makes steps until the end, a terminal event, or until `observer` breaks off.
    ///
    /// # Errors
    /// The failure, with the state before the step, which remains.
    pub fn run<O: Observer<R, N> + ?Sized>(&mut self, observer: &mut O) -> Result<Outcome, SolveError<R, N>> {
        self.drive(observer, u64::MAX)
    }

    /// The state reached.
    ///
    /// # Errors
    /// Where the velocity must be computed from a momentum and cannot be: a singular mass matrix, or no convergence.
    #[inline]
    pub fn state(&mut self) -> Result<State<R, N>, SolveError<R, N>> {
        match self.now.synchronise(&mut self.evaluator, self.method) {
            Ok(state) => Ok(state),
            Err(failure) => Err(self.error(failure)),
        }
    }

    /// The last step, with the accelerations at its ends if `interpolation` is set; before the first step, and where an event interrupted the
    /// motion or a step failed, an empty one.
    ///
    /// # Errors
    /// As [`Stepper::state`]; also a singular mass matrix where an acceleration is wanted.
    pub fn view(&mut self, interpolation: bool) -> Result<StepView<R, N>, SolveError<R, N>> {
        let number = self.statistics().steps;
        match view(
            &mut self.evaluator,
            self.method,
            &mut self.workspace,
            number,
            &mut self.past,
            &mut self.now,
            interpolation,
        ) {
            Ok(view) => Ok(view),
            Err(failure) => Err(self.error(failure)),
        }
    }

    /// Makes steps until the end, until the number of steps is `stop`, or until `observer` breaks off.
    #[inline(always)]
    pub(crate) fn drive<O>(&mut self, observer: &mut O, stop: u64) -> Result<Outcome, SolveError<R, N>>
    where
        O: Observer<R, N> + ?Sized,
    {
        while !self.is_finished() {
            if let Err(failure) = self.enter_section() {
                return Err(self.error(failure));
            }
            let pause = stop.min(self.next_measurement());
            let flow = match self.method.pace() {
                Pace::Fixed(_) => self.fixed_steps(observer, pause),
                Pace::Adaptive(control) => self.adaptive_steps(&control, observer, pause),
            };
            if C != 0 {
                self.measure_drift(matches!(flow, Ok(ControlFlow::Break(Outcome::Event(_)))));
            }
            match flow {
                Ok(ControlFlow::Continue(())) if self.statistics().steps >= stop => return Ok(Outcome::Stopped),
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(outcome)) => return Ok(outcome),
                Err(failure) => return Err(self.error(failure)),
            }
        }
        Ok(Outcome::Finished)
    }

    /// Goes on to the next section where one is done.
    fn enter_section(&mut self) -> Result<(), Failure> {
        if self.section.end == self.now.state.t || self.watch.memory.restarted {
            let state = self.now.synchronise(&mut self.evaluator, self.method)?;
            self.now.forget_inputs(self.method);
            if self.watch.memory.restarted {
                self.history = History::default();
                self.switching.forget();
                if self.options.events.is_empty() {
                    self.watch.memory.restarted = false;
                }
            }
            let pace = self.method.pace();
            let jumped = self.section.jump && self.section.end == state.t;
            self.section = enter(self.evaluator.controller(), &state, self.t_end, self.options, pace)?;
            if jumped {
                self.now.depart(self.section.departure());
            }
        }
        Ok(())
    }

    #[cold]
    fn error(&mut self, failure: Failure) -> SolveError<R, N> {
        // Where even the velocity cannot be computed, the last one known is the best there is.
        let state = self.now.synchronise(&mut self.evaluator, self.method).unwrap_or(self.now.state);
        let coordinates = self.evaluator.system().coordinates();
        let failure = self.diagnosed(failure, &state);
        SolveError { failure, state, statistics: *self.evaluator.statistics(), coordinates }
    }
}

/// Whether settings make sense, of whatever part.
fn check<S, M, K, R, const N: usize, const C: usize, const U: usize>(
    evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
    state: &State<R, N>,
    t_end: R,
    method: &M,
    options: &Options<'_, R, N>,
) -> Result<(), Failure>
where
    S: System<R, N, C, U> + ?Sized,
    M: Method<S, R, N, C, U>,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    options.check_settings(state.t, t_end)?;
    check_events(evaluator.system(), options)?;
    let count = evaluator.system().switch_count();
    if options.locate_switches && count > MAX_SWITCHES {
        return Err(Failure::TooManySwitches { count });
    }
    match method.pace() {
        Pace::Fixed(h) if !(h > R::ZERO && h.is_finite()) => {
            return Err(Failure::bad_option("h", h, "positive and finite"));
        }
        Pace::Fixed(_) => {}
        Pace::Adaptive(control) => control.check()?,
    }
    evaluator.controller().check()
}

/// Whether every event's function exists.
fn check_events<S, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    options: &Options<'_, R, N>,
) -> Result<(), Failure>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    if options.events.len() > MAX_EVENTS {
        let count = R::from_f64(options.events.len() as f64);
        return Err(Failure::bad_option("events.len()", count, "at most 256"));
    }
    for (event, Event { function, .. }) in options.events.iter().enumerate() {
        match *function {
            EventFunction::Output(index) if index >= system.output_names().len().min(MAX_FUNCTIONS) => {
                return Err(Failure::UnknownOutput { event, index, outputs: system.output_names() });
            }
            EventFunction::Switch(index) if index >= system.switch_count().min(MAX_FUNCTIONS) => {
                return Err(Failure::UnknownSwitch { event, index, count: system.switch_count() });
            }
            EventFunction::State(_) | EventFunction::Output(_) | EventFunction::Switch(_) => {}
        }
    }
    Ok(())
}

/// The section from `state` to the next stop, the controller's next discontinuity, or to `t_end`, with the controller told.
fn enter<R: Real, K: Controller<R, N, U> + ?Sized, const N: usize, const U: usize>(
    controller: &mut K,
    state: &State<R, N>,
    t_end: R,
    options: &Options<'_, R, N>,
    pace: Pace<R>,
) -> Result<Section<R>, Failure> {
    let t = state.t;
    if t == t_end {
        return Ok(Section::empty(t));
    }
    controller.arrive(t, &state.q, &state.v);
    let stop = options.next_stop(t, t_end);
    let t_end = stop.unwrap_or(t_end);
    let end = match controller.next_discontinuity(t, t_end) {
        None => t_end,
        Some(next) => {
            let beyond = if t < t_end { t < next && next <= t_end } else { t > next && next >= t_end };
            if !beyond {
                return Err(Failure::bad_option(
                    "next_discontinuity",
                    next,
                    "after the time asked from and not after `t_end`",
                ));
            }
            next
        }
    };
    let jump = stop.is_some_and(|stop| stop == end);
    Ok(Section::new(t, end, pace)?.ending_in_jump(jump))
}

#[cold]
#[inline(never)]
fn not_finite<R: Real, const N: usize>(state: State<R, N>) -> Failure {
    Failure::NotFinite { component: first_not_finite(&state).map(|(component, _)| component) }
}

fn first_not_finite<R: Real, const N: usize>(state: &State<R, N>) -> Option<(Component, R)> {
    let coordinates = state.q.iter().enumerate().map(|(index, &value)| (Component::Coordinate(index), value));
    let velocities = state.v.iter().enumerate().map(|(index, &value)| (Component::Velocity(index), value));
    let mut components = core::iter::once((Component::Time, state.t)).chain(coordinates).chain(velocities);
    components.find(|(_, value)| !value.is_finite())
}
