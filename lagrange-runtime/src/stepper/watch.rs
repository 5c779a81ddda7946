//! Events within a step: found, told, and acted on.

use super::not_finite;
use super::point::{Point, show};
use crate::controller::Controller;
use crate::dense::Interpolant;
use crate::error::Failure;
use crate::evaluator::Evaluator;
use crate::event::{Event, EventFunction, MAX_FUNCTIONS, Occurrence, Search, Zero};
use crate::method::Method;
use crate::observer::{Observer, StepView, Wants};
use crate::options::{Options, time_rounding};
use crate::scalar::Real;
use crate::solve::Outcome;
use crate::state::State;
use crate::system::System;
use core::ops::ControlFlow;
use nalgebra::SVector;

/// How many occurrences closer together than the time resolves are taken to be infinitely many.
const CROWD: u32 = 3;

/// The events, and what is remembered from one to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch<'a, R: Real, const N: usize> {
    pub(super) options: &'a Options<'a, R, N>,
    /// Where an event interrupted the motion and the step starts: the mapped state, before it was made consistent.
    pub(super) restarted: Option<State<R, N>>,
    /// When a state was last mapped.
    pub(super) last: Option<R>,
    /// How many times in a row that happened without resolvable time between.
    pub(super) crowded: u32,
}

/// How a step went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// To its end.
    On,
    /// To an event, from which the motion goes on anew.
    Restarted,
    /// To the terminal event of this index.
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

/// How steps are left after one that went on like this, if they are.
#[inline(always)]
pub(super) fn left_by(
    passage: Result<Passage, Failure>,
    stops: bool,
    is_done: bool,
) -> Option<Result<ControlFlow<Outcome>, Failure>> {
    match passage {
        Ok(Passage::Ended(event)) => Some(Ok(ControlFlow::Break(Outcome::Event(event)))),
        Ok(Passage::Stopped) => Some(Ok(ControlFlow::Break(Outcome::Stopped))),
        Ok(_) if stops => Some(Ok(ControlFlow::Break(Outcome::Stopped))),
        Ok(Passage::Restarted) => Some(Ok(ControlFlow::Continue(()))),
        Ok(Passage::On) if is_done => Some(Ok(ControlFlow::Continue(()))),
        Ok(Passage::On) => None,
        Err(failure) => Some(Err(failure)),
    }
}

/// A step with its motion.
struct Step<R: Real, const N: usize> {
    number: u64,
    interpolant: Interpolant<R, N>,
    accelerations: [SVector<R, N>; 2],
}

impl<'a, R: Real, const N: usize> Watch<'a, R, N> {
    pub(super) fn new(options: &'a Options<'a, R, N>) -> Self {
        Self { options, restarted: None, last: None, crowded: 0 }
    }

    /// Shows the step from `past` to `now` to the observer, and goes through its events where there are any.
    #[expect(clippy::type_complexity, reason = "the two ends of a step")]
    #[inline(always)]
    pub(super) fn look<S, M, K, O, const C: usize, const U: usize>(
        &mut self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        method: &M,
        workspace: &mut M::Workspace,
        observer: &mut O,
        number: u64,
        (past, now): (&mut Point<R, N, M::Memory>, &mut Point<R, N, M::Memory>),
    ) -> Result<Passage, Failure>
    where
        S: System<R, N, C, U> + ?Sized,
        M: Method<S, R, N, C, U>,
        K: Controller<R, N, U> + ?Sized,
        O: Observer<R, N> + ?Sized,
    {
        if self.options.events.is_empty() {
            return show(evaluator, method, workspace, observer, number, past, now).map(Passage::from);
        }
        // Copies, so that the two points themselves need no address where there are no events.
        let (mut before, mut after) = (*past, *now);
        let points = (&mut before, &mut after);
        let passage = evaluator.apart(|evaluator| self.pass(evaluator, method, workspace, observer, number, points));
        (*past, *now) = (before, after);
        passage
    }

    /// Goes through the events of the step from `past` to `now`, and shows it to the observer. Where one interrupts the
    /// motion, `now` becomes the state from which it goes on.
    #[allow(clippy::type_complexity, reason = "the two ends of a step")]
    fn pass<S, M, K, O, const C: usize, const U: usize>(
        &mut self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        method: &M,
        workspace: &mut M::Workspace,
        observer: &mut O,
        number: u64,
        (past, now): (&mut Point<R, N, M::Memory>, &mut Point<R, N, M::Memory>),
    ) -> Result<Passage, Failure>
    where
        S: System<R, N, C, U> + ?Sized,
        M: Method<S, R, N, C, U>,
        K: Controller<R, N, U> + ?Sized,
        O: Observer<R, N> + ?Sized,
    {
        let (start, end) = (past.synchronise(evaluator, method)?, now.synchronise(evaluator, method)?);
        let (first, last) = (past.accelerate(evaluator, method)?, now.accelerate(evaluator, method)?);
        let interpolant = method.interpolant(evaluator, workspace, (&start, &first), (&end, &last))?;
        let step = Step { number, interpolant, accelerations: [first, last] };
        let mut after = None;
        let passage = loop {
            let Some((index, zero)) = self.next(evaluator, &step, after) else { break Passage::On };
            after = Some((zero.after, index));
            let event = &self.options.events[index];
            if !event.interrupts() {
                let state = step.interpolant.sample(zero.after);
                if observer.event(&Occurrence { event: index, before: state, after: state }).is_break() {
                    break Passage::Stopped;
                }
                continue;
            }
            let passage = self.interrupt(evaluator, method, observer, &step, (index, zero), now)?;
            // What the method left behind is of the whole step.
            *past = *now;
            return Ok(passage);
        };
        self.restarted = None;
        let wants = observer.wants(number, start.t, end.t);
        let view = StepView { number, start, end, interpolant: Some(step.interpolant) };
        if wants > Wants::Nothing && observer.observe(&view).is_break() {
            return Ok(Passage::Stopped);
        }
        Ok(passage)
    }

    /// The earliest event after another one.
    fn next<S, K, const C: usize, const U: usize>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        step: &Step<R, N>,
        after: Option<(R, usize)>,
    ) -> Option<(usize, Zero<R>)>
    where
        S: System<R, N, C, U> + ?Sized,
        K: Controller<R, N, U> + ?Sized,
    {
        let forward = step.interpolant.end().t > step.interpolant.start().t;
        let before = |a: R, b: R| if forward { a < b } else { a > b };
        let mut earliest: Option<(usize, Zero<R>)> = None;
        for (index, event) in self.options.events.iter().enumerate() {
            let wanted = |zero: Zero<R>| match after {
                None => true,
                Some((t, last)) => before(t, zero.after) || t == zero.after && last < index,
            };
            let found = self.first(evaluator, step, event, wanted);
            if let Some(zero) = found
                && earliest.is_none_or(|(_, other)| before(zero.after, other.after))
            {
                earliest = Some((index, zero));
            }
        }
        earliest
    }

    /// The first zero of one event that is wanted.
    fn first<S, K, const C: usize, const U: usize>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        step: &Step<R, N>,
        event: &Event<'_, R, N>,
        wanted: impl FnMut(Zero<R>) -> bool,
    ) -> Option<Zero<R>>
    where
        S: System<R, N, C, U> + ?Sized,
        K: Controller<R, N, U> + ?Sized,
    {
        let (start, end) = (*step.interpolant.start(), *step.interpolant.end());
        // Slopes along the tangents, of which only the sign and a rough size matter.
        let part = (end.t - start.t) * R::from_f64(1.0 / 131_072.0);
        let mut rise = |state: &State<R, N>, a: &SVector<R, N>| {
            let mut at = |part: R| {
                let moved = State { t: state.t + part, q: state.q + state.v * part, v: state.v + a * part };
                value(evaluator, event, &moved)
            };
            at(part) - at(-part)
        };
        let slopes = [rise(&start, &step.accelerations[0]), rise(&end, &step.accelerations[1])];
        let at_start = value(evaluator, event, &start);
        // Where the motion was interrupted, a value that the next few roundings of the time would make 0 is 0.
        let resolved = slopes[0].abs() * (time_rounding(start.t, end.t) / part).abs() * R::from_f64(4.0);
        // The projection after an event may leave the zero by the interpolant's error.
        let origin = self.restarted.as_ref().map(|origin| value(evaluator, event, origin));
        let on_zero = at_start == R::ZERO || origin.is_some_and(|origin| origin.abs() <= resolved);
        let side = if on_zero { slopes[0].sign() } else { at_start.sign() };
        let function = |t: R| value(evaluator, event, &step.interpolant.sample(t));
        Search { function, span: [start.t, end.t], side, slopes, samples: self.options.event_samples.max(1) }
            .first(event.direction, wanted)
    }

    /// Ends the step at an event, and makes the state there, mapped where it is to be, the one to go on from.
    fn interrupt<S, M, K, O, const C: usize, const U: usize>(
        &mut self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        method: &M,
        observer: &mut O,
        step: &Step<R, N>,
        (index, zero): (usize, Zero<R>),
        now: &mut Point<R, N, M::Memory>,
    ) -> Result<Passage, Failure>
    where
        S: System<R, N, C, U> + ?Sized,
        M: Method<S, R, N, C, U>,
        K: Controller<R, N, U> + ?Sized,
        O: Observer<R, N> + ?Sized,
    {
        let start = *step.interpolant.start();
        // An impact is met before it penetrates.
        let t = if self.options.events[index].map.is_some() { zero.before } else { zero.after };
        let event = &self.options.events[index];
        if self.restarted.is_some() && event.map.is_some() && (t == start.t || negligible(evaluator, event, step, zero))
        {
            // The motion does not resolvably leave the zero from which it was to go on.
            *now = Point::initial(start, method.start(evaluator, &start)?);
            return Err(Failure::Zeno { event: index });
        }
        let end = step.interpolant.sample(t);
        let number = step.number;
        let view = StepView { number, start, end, interpolant: Some(step.interpolant.until(end)) };
        let wants = observer.wants(number, start.t, t);
        let mut stopped = wants > Wants::Nothing && observer.observe(&view).is_break();
        let (mut state, mut origin, mut terminal, mut mapped) = (end, end, None, false);
        // What happens at the same time happens together.
        let mut current = Some((index, zero));
        while let Some((index, zero)) = current {
            let event = &self.options.events[index];
            let before = state;
            if let Some(map) = event.map {
                origin = State { t, ..map(&state) };
                mapped = true;
                if !origin.is_finite() {
                    *now = Point::initial(before, method.start(evaluator, &before)?);
                    return Err(not_finite(origin));
                }
            }
            state = match method.consistent(evaluator.system(), &origin) {
                Ok(state) => state,
                Err(failure) => {
                    *now = Point::initial(before, method.start(evaluator, &before)?);
                    return Err(failure);
                }
            };
            stopped |= observer.event(&Occurrence { event: index, before, after: state }).is_break();
            if event.terminal && terminal.is_none() {
                terminal = Some(index);
            }
            current = self
                .next(evaluator, step, Some((zero.after, index)))
                .filter(|(_, other)| (other.after - t).abs() <= time_rounding(t, t));
        }
        *now = Point::initial(state, method.start(evaluator, &state)?);
        self.restarted = Some(origin);
        if mapped {
            self.crowd(t, index)?;
        }
        Ok(match terminal {
            Some(index) => Passage::Ended(index),
            None if stopped => Passage::Stopped,
            None => Passage::Restarted,
        })
    }

    /// Counts mapped states without resolvable time between.
    fn crowd(&mut self, t: R, event: usize) -> Result<(), Failure> {
        let close = |last: R| (t - last).abs() <= R::from_f64(1e3) * time_rounding(t, last);
        self.crowded = if self.last.is_some_and(close) { self.crowded + 1 } else { 0 };
        self.last = Some(t);
        if self.crowded >= CROWD { Err(Failure::Zeno { event }) } else { Ok(()) }
    }
}

/// Whether, between the step's start and a zero, an event's function is as small as roundings of the state make it.
fn negligible<S, K, R, const N: usize, const C: usize, const U: usize>(
    evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
    event: &Event<'_, R, N>,
    step: &Step<R, N>,
    zero: Zero<R>,
) -> bool
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    let middle = step.interpolant.sample((step.interpolant.start().t + zero.before) * R::from_f64(0.5));
    let rounded = R::ONE + R::from_f64(64.0 * R::EPSILON);
    let moved = State { t: middle.t, q: middle.q * rounded, v: middle.v * rounded };
    let height = value(evaluator, event, &middle);
    height.abs() <= (value(evaluator, event, &moved) - height).abs()
}

/// An event's function at a state.
fn value<S, K, R, const N: usize, const C: usize, const U: usize>(
    evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
    event: &Event<'_, R, N>,
    state: &State<R, N>,
) -> R
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    let State { t, q, v } = state;
    let mut values = [R::ZERO; MAX_FUNCTIONS];
    match event.function {
        EventFunction::State(function) => function(*t, q, v),
        EventFunction::Output(index) => {
            let u = evaluator.controller().input(*t, q, v);
            evaluator.system().outputs(*t, q, v, &u, &mut values);
            values.get(index).copied().unwrap_or(R::ZERO)
        }
        EventFunction::Switch(index) => {
            let u = evaluator.controller().input(*t, q, v);
            evaluator.system().switches(*t, q, v, &u, &mut values);
            values.get(index).copied().unwrap_or(R::ZERO)
        }
    }
}
