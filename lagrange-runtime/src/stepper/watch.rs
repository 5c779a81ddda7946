//! The events within a step: they are found, reported to the observer, and acted on.

use super::not_finite;
use super::point::{Ends, Point, show};
use crate::dense::Interpolant;
use crate::error::Failure;
use crate::evaluator::{Fork, Monitor};
use crate::event::{Direction, Event, EventFunction, MAX_FUNCTIONS, Occurrence, Search, Sides, Zero};
use crate::method::Method;
use crate::observer::{ByReference, Observer, StepView, Wants};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::scalar::Real;
use crate::state::State;
use crate::state::time_rounding;
use core::ops::ControlFlow;
use nalgebra::SVector;

/// How often the state may be mapped without resolvable time between, for each event that maps it. A larger number counts as
/// infinite. Bodies in contact pass an impact on and back a few dozen times.
const RETURNS: u32 = 100;

/// The events of the options, and what the search for them remembers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch<'a, R: Real, const N: usize> {
    pub(super) options: &'a Options<'a, R, N>,
    pub(super) memory: EventMemory<R>,
}

/// What the search for events carries from one step to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct EventMemory<R> {
    /// The side of its zero on which each function is.
    sides: Sides,
    /// Whether an event, or a switch of the equations, interrupted the motion where the next step starts.
    pub(super) restarted: bool,
    /// Whether a map changed the state at that interruption.
    struck: bool,
    /// The time at which a state was last mapped.
    mapped_at: Option<R>,
    /// How many times in a row a state was mapped without resolvable time between.
    returns: u32,
}

impl<R: Real> EventMemory<R> {
    /// Whether a map changed the state at the event that interrupted the motion last.
    pub(super) fn has_struck(&self) -> bool {
        self.restarted && self.struck
    }

    /// The time at which a state was last mapped.
    pub(super) fn mapped_at(&self) -> Option<R> {
        self.mapped_at
    }
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

/// A step with its interpolant, and the accelerations at its ends.
struct Step<R: Real, const N: usize> {
    number: u64,
    interpolant: Interpolant<R, N>,
    accelerations: [SVector<R, N>; 2],
}

impl<'a, R: Real, const N: usize> Watch<'a, R, N> {
    pub(super) fn new(options: &'a Options<'a, R, N>) -> Self {
        let memory =
            EventMemory { sides: Sides::default(), restarted: false, struck: false, mapped_at: None, returns: 0 };
        Self { options, memory }
    }

    /// Shows the step from `past` to `now` to the observer, and goes through its events where there are any.
    #[inline(always)]
    pub(super) fn look<E, M, O, const C: usize>(
        &mut self,
        evaluator: &mut E,
        method: &M,
        workspace: &mut M::Workspace,
        observer: &mut O,
        number: u64,
        (past, now): Ends<'_, R, N, M::Memory>,
    ) -> Result<Passage, Failure>
    where
        E: Fork<R, N, C>,
        M: Method<R, N, C>,
        O: Observer<R, N> + ?Sized,
    {
        if self.options.events.is_empty() {
            return show(evaluator, method, workspace, observer, number, (past, now)).map(Passage::from);
        }
        // The calls get the addresses of copies, so that the two points themselves can stay in registers where there are no
        // events.
        let (mut before, mut after) = (*past, *now);
        let points = (&mut before, &mut after);
        let mut observer = ByReference(observer);
        let passage =
            evaluator.with_fork(|evaluator| self.pass(evaluator, method, workspace, &mut observer, number, points));
        (*past, *now) = (before, after);
        passage
    }

    /// Goes through the events of the step from `past` to `now`, and shows it to the observer. Where one interrupts the
    /// motion, `now` becomes the state from which it goes on.
    fn pass<M, const C: usize>(
        &mut self,
        evaluator: &mut dyn Monitor<R, N, C>,
        method: &M,
        workspace: &mut M::Workspace,
        observer: &mut dyn Observer<R, N>,
        number: u64,
        (past, now): Ends<'_, R, N, M::Memory>,
    ) -> Result<Passage, Failure>
    where
        M: Method<R, N, C>,
    {
        let (start, end) = (past.synchronise(evaluator, method)?, now.synchronise(evaluator, method)?);
        let (first, last) = (past.accelerate(evaluator, method)?, now.accelerate(evaluator, method)?);
        let interpolant = method.interpolant(evaluator, workspace, (&start, &first), (&end, &last))?;
        let interpolant = interpolant.without_hidden(evaluator.state_count());
        let step = Step { number, interpolant, accelerations: [first, last] };
        let mut reported = None;
        let mut stopped = false;
        let sides = loop {
            let (found, sides) = match self.next(evaluator, &step, reported) {
                Ok(next) => next,
                Err(failure) => {
                    *now = *past;
                    return Err(failure);
                }
            };
            let Some((index, zero)) = found else { break sides };
            reported = Some((zero.after, index));
            // The index is that of an event. `get` keeps a panic for any other index out of the compiled code.
            let Some(event) = self.options.events.get(index) else { break sides };
            if event.interrupts() {
                let passage = self.interrupt(evaluator, method, observer, &step, (index, zero), now)?;
                // The memory in `past` belongs to the whole step, of which only a part was made.
                *past = *now;
                return Ok(if stopped && passage == Passage::Restarted { Passage::Stopped } else { passage });
            }
            let state = step.interpolant.sample(zero.after);
            stopped |= observer.event(&Occurrence { event: index, before: state, after: state }).is_break();
        };
        self.memory = EventMemory { sides, restarted: false, struck: false, ..self.memory };
        let wants = observer.wants(number, start.t, end.t);
        let view = StepView { number, start, end, interpolant: Some(step.interpolant) };
        stopped |= wants > Wants::Nothing && observer.observe(&view).is_break();
        Ok(if stopped { Passage::Stopped } else { Passage::On })
    }

    /// Restarts the motion at `now`, behind a switch of the equations.
    #[cold]
    pub(super) fn restart<M, const C: usize>(
        &mut self,
        evaluator: &mut dyn Monitor<R, N, C>,
        method: &M,
        now: &mut Point<R, N, M::Memory>,
    ) -> Result<Passage, Failure>
    where
        M: Method<R, N, C>,
    {
        let state = now.synchronise(evaluator, method)?;
        *now = Point::initial(state, method.start(evaluator, &state)?);
        self.memory.restarted = true;
        Ok(Passage::Restarted)
    }

    /// The earliest event after the one last `reported`, with its zero. Of several events at the same time, it is the first in
    /// the order of the options. Where there is none, the sides are those at the step's end.
    #[allow(clippy::type_complexity, reason = "an event and its zero")]
    fn next<const C: usize>(
        &self,
        evaluator: &mut dyn Monitor<R, N, C>,
        step: &Step<R, N>,
        reported: Option<(R, usize)>,
    ) -> Result<(Option<(usize, Zero<R>)>, Sides), Failure> {
        let forward = step.interpolant.end().t > step.interpolant.start().t;
        let before = |a: R, b: R| if forward { a < b } else { a > b };
        let (mut earliest, mut sides): (Option<(usize, Zero<R>)>, _) = (None, Sides::default());
        for (index, event) in self.options.events.iter().enumerate() {
            let wanted = |zero: Zero<R>| {
                event.direction.admits(zero.to)
                    && reported.is_none_or(|(t, last)| before(t, zero.after) || t == zero.after && last < index)
            };
            let (found, side) = self.first(evaluator, step, index, wanted)?;
            sides.set(index, side);
            if let Some(zero) = found
                && earliest.is_none_or(|(_, other)| before(zero.after, other.after))
            {
                earliest = Some((index, zero));
            }
        }
        Ok((earliest, sides))
    }

    /// The first zero of one event for which `wanted` holds, with the side of the function before it. Without such a zero, the
    /// side is that at the step's end.
    #[allow(clippy::type_complexity, reason = "a zero and a side")]
    fn first<const C: usize>(
        &self,
        evaluator: &mut dyn Monitor<R, N, C>,
        step: &Step<R, N>,
        index: usize,
        mut wanted: impl FnMut(Zero<R>) -> bool,
    ) -> Result<(Option<Zero<R>>, R), Failure> {
        let Some(event) = self.options.events.get(index) else { return Ok((None, R::ZERO)) };
        let (start, end) = (*step.interpolant.start(), *step.interpolant.end());
        let part = (end.t - start.t) * R::from_f64(SLOPE_PART);
        let mut rise = |state: &State<R, N>, a: &SVector<R, N>| slope(evaluator, event, state, a, part);
        let slopes = [rise(&start, &step.accelerations[0]), rise(&end, &step.accelerations[1])];
        let origin = value(evaluator, event, &start);
        let mut side = self.memory.sides.of::<R>(index);
        let acted_on = self.memory.sides.is_fresh(index);
        let mut starts_on_zero = !acted_on && side == R::ZERO && origin == R::ZERO && !self.memory.struck;
        if !acted_on && side == R::ZERO && origin != R::ZERO {
            side = origin.sign();
        } else if starts_on_zero {
            let direction = slopes[0].sign();
            // A body that is in contact at the start, and approaches, has its impact at once.
            let meets = event.map.is_some() && event.direction != Direction::Any && event.direction.admits(direction);
            side = if meets { -direction } else { direction };
            starts_on_zero = !meets;
        } else if !acted_on && side == R::ZERO {
            // The motion was at rest on this event's zero, and another event's map set it in motion.
            side = -slopes[0].sign();
        }
        let function = |t: R| value(evaluator, event, &step.interpolant.sample(t));
        let (span, samples) = ([start.t, end.t], self.options.event_samples.max(1));
        let fresh = acted_on || starts_on_zero;
        let mut search = Search { function, span, side, fresh, slopes, samples, undefined: None };
        let found = search.first(|zero| !(starts_on_zero && zero.after == start.t) && wanted(zero));
        let (side, undefined) = (search.side, search.undefined);
        match undefined {
            Some(t) => Err(Failure::UndefinedEvent { event: index, t: t.to_f64() }),
            None => Ok((found, side)),
        }
    }

    /// Ends the step at an event. `now` becomes the state there, after the maps of the events that have one.
    fn interrupt<M, const C: usize>(
        &mut self,
        evaluator: &mut dyn Monitor<R, N, C>,
        method: &M,
        observer: &mut dyn Observer<R, N>,
        step: &Step<R, N>,
        (index, zero): (usize, Zero<R>),
        now: &mut Point<R, N, M::Memory>,
    ) -> Result<Passage, Failure>
    where
        M: Method<R, N, C>,
    {
        let start = *step.interpolant.start();
        // An event that maps the state happens before the change of sign, so that an impact is met before it penetrates.
        let Some(event) = self.options.events.get(index) else { return Ok(Passage::On) };
        let t = if event.map.is_some() { zero.before } else { zero.after };
        let end = step.interpolant.sample(t);
        let number = step.number;
        let mut stopped = false;
        if self.memory.sides.is_fresh(index) && event.map.is_some() {
            let part = (step.interpolant.end().t - start.t) * R::from_f64(SLOPE_PART);
            let rise = slope(evaluator, event, &end, &step.accelerations[0], part);
            if rise * zero.to < R::ZERO {
                // The motion leaves the zero at which this event acted, but by less than the time can resolve.
                *now = Point::initial(end, method.start(evaluator, &end)?);
                return Err(Failure::Zeno { event: index });
            }
        }
        if t != start.t {
            let view = StepView { number, start, end, interpolant: Some(step.interpolant.until(end)) };
            let wants = observer.wants(number, start.t, t);
            stopped = wants > Wants::Nothing && observer.observe(&view).is_break();
        }
        let rounding = time_rounding(t, step.interpolant.end().t);
        let forward = step.interpolant.end().t > start.t;
        let precedes = |a: R, b: R| if forward { a < b } else { a > b };
        let near = |found: Zero<R>| (found.after - t).abs() <= rounding || (found.before - t).abs() <= rounding;
        let (mut state, mut terminal, mut mapped) = (end, None, None);
        let mut sides = self.memory.sides;
        for (other, event) in self.options.events.iter().enumerate() {
            let (mut crosses, mut fires) = (other == index, other == index);
            let (_, side) = self.first(evaluator, step, other, |found| {
                // Events that come before this one have already been reported.
                let is_new = precedes(zero.after, found.after) || found.after == zero.after && other > index;
                crosses |= near(found);
                fires |= near(found) && is_new && event.direction.admits(found.to);
                near(found) || precedes(t, found.before)
            })?;
            sides.set(other, if crosses && event.map.is_none() { -side } else { side });
            sides.set_fresh(other, crosses);
            if !fires {
                continue;
            }
            let before = state;
            let mut target = before;
            if let Some(map) = event.map {
                target = State { t, ..map(&before) };
                mapped = Some(other);
                if !target.is_finite() {
                    *now = Point::initial(before, method.start(evaluator, &before)?);
                    return Err(not_finite(target));
                }
            }
            state = match method.consistent(evaluator, &target) {
                Ok(state) => state,
                Err(failure) => {
                    *now = Point::initial(before, method.start(evaluator, &before)?);
                    return Err(failure);
                }
            };
            stopped |= observer.event(&Occurrence { event: other, before, after: state }).is_break();
            if event.map.is_some() {
                // This event is found again in two cases: the motion has left the zero to the side where this map sends it, or
                // it never gets to that side.
                self.send(evaluator, step, other, &state, &mut sides);
            }
            if event.terminal && terminal.is_none() {
                terminal = Some(other);
            }
        }
        if mapped.is_some() {
            self.follow_jumps(evaluator, step, (&end, &state), &mut sides);
        }
        for (other, event) in self.options.events.iter().enumerate() {
            if sides.is_fresh(other) && event.map.is_none() {
                self.send(evaluator, step, other, &state, &mut sides);
            }
        }
        self.memory.sides = sides;
        self.memory.restarted = true;
        self.memory.struck = mapped.is_some() && state != end;
        *now = Point::initial(state, method.start(evaluator, &state)?);
        if let Some(event) = mapped {
            self.count_return(t, rounding, event)?;
        }
        Ok(match terminal {
            Some(index) => Passage::Ended(index),
            None if stopped => Passage::Stopped,
            None => Passage::Restarted,
        })
    }

    /// Sets an event's side to the one towards which its function moves from its zero at a state. Without a slope the side
    /// stays.
    fn send<const C: usize>(
        &self,
        evaluator: &mut dyn Monitor<R, N, C>,
        step: &Step<R, N>,
        index: usize,
        state: &State<R, N>,
        sides: &mut Sides,
    ) {
        let Some(event) = self.options.events.get(index) else { return };
        let part = (step.interpolant.end().t - step.interpolant.start().t) * R::from_f64(SLOPE_PART);
        let a = evaluator.acceleration(state.t, state.q, state.v).unwrap_or(step.accelerations[1]);
        let direction = slope(evaluator, event, state, &a, part).sign();
        if direction != R::ZERO {
            sides.set(index, direction);
        }
    }

    /// Updates the sides of the functions that maps made jump over 0, except for events that fired themselves.
    fn follow_jumps<const C: usize>(
        &self,
        evaluator: &mut dyn Monitor<R, N, C>,
        step: &Step<R, N>,
        (end, state): (&State<R, N>, &State<R, N>),
        sides: &mut Sides,
    ) {
        let length = step.interpolant.end().t - step.interpolant.start().t;
        let part = length * R::from_f64(SLOPE_PART);
        for (index, event) in self.options.events.iter().enumerate() {
            let (side, after) = (sides.of::<R>(index), value(evaluator, event, state));
            if sides.is_fresh(index) || side * after > R::ZERO || after == R::ZERO {
                continue;
            }
            // A value that a few roundings of the time can make of 0 is no jump.
            let a = &step.accelerations[1];
            let steepest =
                slope(evaluator, event, end, a, part).abs().max(slope(evaluator, event, state, a, part).abs());
            let rounding = (time_rounding(end.t, step.interpolant.end().t) / part).abs();
            if side == R::ZERO || after.abs() > steepest * rounding * R::from_f64(4.0) {
                sides.set(index, after.sign());
            }
        }
    }

    /// Counts maps of the state without resolvable time between. Fails where there are too many.
    fn count_return(&mut self, t: R, rounding: R, event: usize) -> Result<(), Failure> {
        let close = |last: R| (t - last).abs() <= R::from_f64(16.0) * rounding;
        let memory = &mut self.memory;
        memory.returns = if memory.mapped_at.is_some_and(close) { memory.returns + 1 } else { 0 };
        memory.mapped_at = Some(t);
        // Beyond this number, at least one event has returned more than `RETURNS` times.
        let most = RETURNS * self.options.events.iter().filter(|event| event.map.is_some()).count() as u32;
        if memory.returns > most { Err(Failure::Zeno { event }) } else { Ok(()) }
    }
}

/// The part of a step over which slopes along tangents are computed. Only their signs and their rough sizes matter.
const SLOPE_PART: f64 = 1.0 / 131_072.0;

/// The rise of an event's function along the tangent at a state, from the time `part` before it to the time `part` after it.
fn slope<R, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
    event: &Event<'_, R, N>,
    state: &State<R, N>,
    a: &SVector<R, N>,
    part: R,
) -> R
where
    R: Real,
{
    let mut at = |part: R| {
        let moved = State { t: state.t + part, q: state.q + state.v * part, v: state.v + a * part };
        value(evaluator, event, &moved)
    };
    at(part) - at(-part)
}

/// An event's function at a state.
fn value<R, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
    event: &Event<'_, R, N>,
    state: &State<R, N>,
) -> R
where
    R: Real,
{
    let State { t, q, v } = state;
    let mut values = [R::ZERO; MAX_FUNCTIONS];
    match event.function {
        EventFunction::State(function) => function(*t, q, v),
        EventFunction::Output(index) => {
            evaluator.outputs(state, &mut values);
            values.get(index).copied().unwrap_or(R::ZERO)
        }
        EventFunction::Switch(index) => {
            evaluator.switches(state, &mut values);
            values.get(index).copied().unwrap_or(R::ZERO)
        }
    }
}
