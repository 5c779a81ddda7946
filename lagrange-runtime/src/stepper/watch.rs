//! The events within a step: they are found, reported to the observer, and acted on.

use super::point::{Ends, Point, observe, show};
use crate::error::Failure;
use crate::evaluator::{Fork, Led, Monitor};
use crate::event::{EventMemory, Occurrence, Pass, Passed, Scene, Step};
use crate::instant::{Cause, Instant};
use crate::method::Method;
use crate::observer::{ByReference, Observer, StepView, Wants};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::scalar::Real;
use crate::state::State;
use core::ops::ControlFlow;
use nalgebra::SVector;

/// The events of the options, and what the search for them remembers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch<'a, R: Real, const N: usize> {
    pub(super) options: &'a Options<'a, R, N>,
    pub(super) memory: EventMemory<R>,
    /// The index among `ends_at` of the first cause that has happened at an instant which is not over.
    pub(super) ended: Option<usize>,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// It went on to its planned end.
    On,
    /// It ended at an event or went over a switch, and the motion restarts there.
    Restarted,
    /// It ended at the terminal event of this index.
    Ended(usize),
    /// The observer broke off.
    Stopped,
}

impl From<ControlFlow<()>> for Passage {
    #[inline(always)]
    fn from(flow: ControlFlow<()>) -> Self {
        if flow.is_break() { Self::Stopped } else { Self::On }
    }
}

/// How the step loop is left after a step with this passage; `None` where the loop goes on. The loop is left by the observer,
/// an event, a pause, the section's end or a failure.
#[inline(always)]
pub(super) fn left_by(
    passage: Result<Passage, Failure>,
    pauses: bool,
    is_done: bool,
) -> Option<Result<ControlFlow<Outcome>, Failure>> {
    match passage {
        Ok(Passage::Ended(event)) => Some(Ok(ControlFlow::Break(Outcome::Event(event)))),
        Ok(Passage::Stopped) => Some(Ok(ControlFlow::Break(Outcome::Stopped))),
        Ok(_) if pauses => Some(Ok(ControlFlow::Continue(()))),
        Ok(Passage::Restarted) => Some(Ok(ControlFlow::Continue(()))),
        Ok(Passage::On) if is_done => Some(Ok(ControlFlow::Continue(()))),
        Ok(Passage::On) => None,
        Err(failure) => Some(Err(failure)),
    }
}

impl<'a, R: Real, const N: usize> Watch<'a, R, N> {
    pub(super) fn new(options: &'a Options<'a, R, N>) -> Self {
        Self { options, memory: EventMemory::new(), ended: None }
    }

    /// Shows the step from `past` to `now` to the observer, and goes through its events where there are any. If the step `is_last`,
    /// an impact or the end of a section follows at its end.
    #[inline(always)]
    pub(super) fn look<E, M, O, const C: usize>(
        &mut self,
        evaluator: &mut E,
        method: &M,
        workspace: &mut M::Workspace,
        observer: &mut O,
        (number, is_last): (u64, bool),
        (past, now): Ends<'_, R, N, M::Memory>,
    ) -> Result<Passage, Failure>
    where
        E: Fork<R, N, C>,
        M: Method<R, N, C>,
        O: Observer<R, N> + ?Sized,
    {
        if self.options.events.is_empty() && evaluator.change_rules().is_none() {
            return show(evaluator, method, workspace, observer, number, (past, now)).map(Passage::from);
        }
        // The calls get the addresses of copies, so that the two points themselves can stay in registers where there are no
        // events.
        let (mut before, mut after) = (*past, *now);
        let points = (&mut before, &mut after);
        let mut observer = ByReference(observer);
        let step = (number, is_last);
        let passage =
            evaluator.with_fork(|evaluator| self.pass(evaluator, method, workspace, &mut observer, step, points));
        (*past, *now) = (before, after);
        passage
    }

    /// Goes through the events of the step from `past` to `now`, and shows it to the observer. Where one interrupts the
    /// motion, `now` becomes the state from which it goes on.
    #[inline(never)]
    fn pass<M, const C: usize>(
        &mut self,
        evaluator: &mut dyn Led<M, R, N, C>,
        method: &M,
        workspace: &mut M::Workspace,
        observer: &mut dyn Observer<R, N>,
        (number, is_last): (u64, bool),
        (past, now): Ends<'_, R, N, M::Memory>,
    ) -> Result<Passage, Failure>
    where
        M: Method<R, N, C>,
    {
        let Some(pass) = self.code(evaluator) else { return Ok(Passage::On) };
        let (start, end) = (past.synchronise(evaluator, method)?, now.synchronise(evaluator, method)?);
        let accelerations = [past.accelerate(evaluator, method)?, now.accelerate(evaluator, method)?];
        let [first, last] = &accelerations;
        let interpolant = evaluator.interpolant(method, workspace, (&start, first), (&end, last))?;
        let interpolant = interpolant.without_hidden(evaluator.state_count()).with_modes(evaluator.mode_count());
        let interpolant = interpolant.with_held(evaluator.phases().closed());
        let step = Step { interpolant, accelerations, is_last };
        let samples = self.options.event_samples.max(1);
        let mut integration = Integration::new(evaluator, method, (&mut *observer, number), self.options);
        let passed = pass(self.options.events, samples, &mut self.memory, &mut integration, &step);
        self.ended = self.ended.or(integration.ended);
        match passed {
            Ok(Passed::Through { mut stopped }) => {
                let view = StepView { number, start, end, interpolant: Some(step.interpolant), holding: None };
                stopped |= observer.wants(number, start.t, end.t) > Wants::Nothing
                    && observe(evaluator, observer, view).is_break();
                Ok(if stopped { Passage::Stopped } else { Passage::On })
            }
            Ok(Passed::Interrupted { state, terminal, stopped }) => {
                *now = Point::initial(state, evaluator.start(method, &state)?);
                // The memory in `past` belongs to the whole step, of which only a part was made.
                *past = *now;
                Ok(match terminal {
                    Some(index) => Passage::Ended(index),
                    None if stopped => Passage::Stopped,
                    None => Passage::Restarted,
                })
            }
            Err((failure, last)) => {
                *now = match last {
                    Some(state) => Point::initial(state, evaluator.start(method, &state)?),
                    None => *past,
                };
                Err(failure)
            }
        }
    }

    /// The code that goes through events and changes of modes, where there are any.
    fn code<const C: usize>(&self, evaluator: &dyn Monitor<R, N, C>) -> Option<Pass<R, N>> {
        match self.options.events.first() {
            Some(event) => Some(event.pass),
            None => evaluator.change_rules().map(|rules| rules.pass()),
        }
    }

    /// Restarts the motion at `now`, behind a switch of the equations, after a step with this passage.
    #[cold]
    pub(super) fn restart<M, const C: usize>(
        &mut self,
        evaluator: &mut dyn Led<M, R, N, C>,
        method: &M,
        now: &mut Point<R, N, M::Memory>,
        passage: Passage,
    ) -> Result<Passage, Failure>
    where
        M: Method<R, N, C>,
    {
        let state = now.synchronise(evaluator, method)?;
        *now = Point::initial(state, evaluator.start(method, &state)?);
        self.memory.restarted = true;
        Ok(if passage == Passage::Stopped { passage } else { Passage::Restarted })
    }
}

/// What an integration gives to the search for events.
pub(super) struct Integration<'a, M: Method<R, N, C>, R: Real, const N: usize, const C: usize> {
    evaluator: &'a mut dyn Led<M, R, N, C>,
    method: &'a M,
    observer: &'a mut dyn Observer<R, N>,
    /// The number of the step.
    number: u64,
    /// The number of events.
    events: usize,
    /// The causes that end the motion.
    ends_at: &'a [Cause],
    /// The index of the first of them that was reported.
    ended: Option<usize>,
}

impl<'a, M: Method<R, N, C>, R: Real, const N: usize, const C: usize> Integration<'a, M, R, N, C> {
    pub(super) fn new(
        evaluator: &'a mut dyn Led<M, R, N, C>,
        method: &'a M,
        (observer, number): (&'a mut dyn Observer<R, N>, u64),
        options: &Options<'a, R, N>,
    ) -> Self {
        let (events, ends_at) = (options.events.len(), options.ends_at);
        Self { evaluator, method, observer, number, events, ends_at, ended: None }
    }
}

impl<M: Method<R, N, C>, R: Real, const N: usize, const C: usize> Scene<R, N> for Integration<'_, M, R, N, C> {
    fn outputs(&mut self, state: &State<R, N>, out: &mut [R]) {
        self.evaluator.outputs(state, out);
    }

    fn switches(&mut self, state: &State<R, N>, out: &mut [R]) {
        self.evaluator.switches(state, out);
    }

    fn acceleration(&mut self, state: &State<R, N>) -> Result<SVector<R, N>, Failure> {
        self.evaluator.acceleration(state.t, state.q, state.v)
    }

    fn consistent(&mut self, state: &State<R, N>) -> Result<State<R, N>, Failure> {
        self.evaluator.consistent(self.method, state)
    }

    fn held(&mut self, state: State<R, N>) -> State<R, N> {
        match self.evaluator.phases().any_sticks() {
            true => self.evaluator.hold(&state, false).unwrap_or(state),
            false => state,
        }
    }

    fn change_count(&self) -> usize {
        self.evaluator.changes().len()
    }

    fn change_condition(&mut self, index: usize, state: &State<R, N>) -> R {
        self.evaluator.change_condition(index, state)
    }

    fn change(&mut self, index: usize, state: &State<R, N>) -> State<R, N> {
        self.evaluator.changed(index, state)
    }

    fn mode(&self, index: usize) -> &'static str {
        self.evaluator.changes().get(index).map_or("", |change| change.mode)
    }

    fn count_coarse_search(&mut self) {
        self.evaluator.statistics_mut().coarse_searches += 1;
    }

    fn show_until(&mut self, step: &Step<R, N>, end: &State<R, N>) -> bool {
        let start = *step.interpolant.start();
        let interpolant = Some(step.interpolant.until(*end));
        let view = StepView { number: self.number, start, end: *end, interpolant, holding: None };
        self.observer.wants(self.number, start.t, end.t) > Wants::Nothing
            && observe(&mut *self.evaluator, &mut *self.observer, view).is_break()
    }

    fn report(&mut self, occurrence: &Occurrence<R, N>) -> bool {
        let Occurrence { event, before, after } = *occurrence;
        if event >= self.events {
            let cause = Cause::Mode(self.mode(event - self.events));
            self.ended = self.ended.or_else(|| self.ends_at.iter().position(|end| *end == cause));
            return self.observer.instant(&Instant { cause, before, after, impulse: R::ZERO }).is_break();
        }
        let instant = Instant { cause: Cause::Event(event), before, after, impulse: R::ZERO };
        self.observer.event(occurrence).is_break() | self.observer.instant(&instant).is_break()
    }
}
