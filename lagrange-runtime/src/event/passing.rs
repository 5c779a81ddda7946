//! The way through a step's events: they are found in order, reported, and acted on. Every [`Event`] leads to this code by a pointer, and nothing
//! else does, so that programs without events do not contain it.

use super::{Direction, Event, EventFunction, MAX_FUNCTIONS, Occurrence, Search, Sides, Zero};
use crate::dense::Interpolant;
use crate::error::Failure;
use crate::scalar::Real;
use crate::state::{State, time_rounding};
use nalgebra::SVector;

/// How often the state may be mapped without resolvable time between, for each event that maps it. A larger number counts as
/// infinite. Bodies in contact pass an impact on and back a few dozen times.
const RETURNS: usize = 100;

/// The part of a step over which slopes along tangents are computed. Only their signs and their rough sizes matter.
const SLOPE_PART: f64 = 1.0 / 131_072.0;

/// What the search for events carries from one step to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EventMemory<R> {
    /// The side of its zero on which each function is.
    sides: Sides,
    /// Whether an event, or a switch of the equations, interrupted the motion where the next step starts.
    pub(crate) restarted: bool,
    /// Whether a map changed the state at that interruption.
    struck: bool,
    /// The time at which a state was last mapped.
    mapped_at: Option<R>,
    /// How many times in a row a state was mapped without resolvable time between.
    returns: u32,
}

impl<R: Real> EventMemory<R> {
    /// The memory at the start of an integration.
    pub(crate) fn new() -> Self {
        Self { sides: Sides::default(), restarted: false, struck: false, mapped_at: None, returns: 0 }
    }

    /// Whether a map changed the state at the event that interrupted the motion last.
    pub(crate) fn has_struck(&self) -> bool {
        self.restarted && self.struck
    }

    /// The time at which a state was last mapped.
    pub(crate) fn mapped_at(&self) -> Option<R> {
        self.mapped_at
    }
}

/// A step, as the search for events sees it.
pub struct Step<R: Real, const N: usize> {
    /// The states of the step.
    pub(crate) interpolant: Interpolant<R, N>,
    /// The accelerations at its ends.
    pub(crate) accelerations: [SVector<R, N>; 2],
}

/// What the search for events needs of the integration: its system, its method and its observer.
pub trait Scene<R: Real, const N: usize> {
    /// The system's outputs at a state.
    fn outputs(&mut self, state: &State<R, N>, out: &mut [R]);

    /// The system's switching functions at a state.
    fn switches(&mut self, state: &State<R, N>, out: &mut [R]);

    /// The acceleration at a state.
    fn acceleration(&mut self, state: &State<R, N>) -> Result<SVector<R, N>, Failure>;

    /// The state that meets the constraints, by the least change of `state`.
    fn consistent(&mut self, state: &State<R, N>) -> Result<State<R, N>, Failure>;

    /// Shows the first part of the step, up to the state `end`. Returns whether the observer breaks off.
    fn show_until(&mut self, step: &Step<R, N>, end: &State<R, N>) -> bool;

    /// Reports an event. Returns whether the observer breaks off.
    fn report(&mut self, occurrence: &Occurrence<R, N>) -> bool;
}

/// How a step passed its events.
pub enum Passed<R: Real, const N: usize> {
    /// No event interrupted the step. `stopped` says whether the observer broke off.
    Through {
        /// Whether the observer broke off.
        stopped: bool,
    },
    /// An event interrupted the motion, which goes on from `state`, or ends there.
    Interrupted {
        /// The state after the event.
        state: State<R, N>,
        /// The index of the event that ends the integration.
        terminal: Option<usize>,
        /// Whether the observer broke off.
        stopped: bool,
    },
}

/// A failure within a step, and the last good state: `None` means that the step's start is.
pub(super) type Broken<R, const N: usize> = (Failure, Option<State<R, N>>);

/// The code that goes through the events of a step. It is [`pass`] for every event.
pub(super) type Pass<R, const N: usize> = fn(
    &[Event<'_, R, N>],
    u32,
    &mut EventMemory<R>,
    &mut dyn Scene<R, N>,
    &Step<R, N>,
) -> Result<Passed<R, N>, Broken<R, N>>;

/// Goes through the events of a step, up to the first that interrupts the motion. Each function is evaluated at `samples` times.
pub(super) fn pass<R: Real, const N: usize>(
    events: &[Event<'_, R, N>],
    samples: u32,
    memory: &mut EventMemory<R>,
    scene: &mut dyn Scene<R, N>,
    step: &Step<R, N>,
) -> Result<Passed<R, N>, Broken<R, N>> {
    let part = (step.interpolant.end().t - step.interpolant.start().t) * R::from_f64(SLOPE_PART);
    let mut round = Round { events, samples, scene, step, part };
    let (mut reported, mut stopped) = (None, false);
    loop {
        let (found, sides) = round.next(memory, reported).map_err(|failure| (failure, None))?;
        let found = found.and_then(|(index, zero)| Some((index, zero, events.get(index)?)));
        let Some((index, zero, event)) = found else {
            *memory = EventMemory { sides, restarted: false, struck: false, ..*memory };
            return Ok(Passed::Through { stopped });
        };
        reported = Some((zero.after, index));
        if event.interrupts() {
            return round.interrupt(memory, (index, zero, event), stopped);
        }
        let state = step.interpolant.sample(zero.after);
        stopped |= round.scene.report(&Occurrence { event: index, before: state, after: state });
    }
}

/// The events of one step.
struct Round<'a, 'e, R: Real, const N: usize> {
    events: &'a [Event<'e, R, N>],
    samples: u32,
    scene: &'a mut dyn Scene<R, N>,
    step: &'a Step<R, N>,
    /// The time over which slopes along tangents are computed, to both sides.
    part: R,
}

impl<'e, R: Real, const N: usize> Round<'_, 'e, R, N> {
    /// The earliest event after the one last `reported`, with its zero. Of several events at the same time, it is the first in
    /// the order of the options. Where there is none, the sides are those at the step's end.
    #[allow(clippy::type_complexity, reason = "an event and its zero")]
    fn next(
        &mut self,
        memory: &EventMemory<R>,
        reported: Option<(R, usize)>,
    ) -> Result<(Option<(usize, Zero<R>)>, Sides), Failure> {
        let before = precedes(self.step);
        let (mut earliest, mut sides): (Option<(usize, Zero<R>)>, _) = (None, Sides::default());
        for (index, event) in self.events.iter().enumerate() {
            let mut wanted = |zero: Zero<R>| {
                event.direction.admits(zero.to)
                    && reported.is_none_or(|(t, last)| before(t, zero.after) || t == zero.after && last < index)
            };
            let (found, side) = self.first(memory, (index, event), &mut wanted)?;
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
    fn first(
        &mut self,
        memory: &EventMemory<R>,
        (index, event): (usize, &Event<'e, R, N>),
        wanted: &mut dyn FnMut(Zero<R>) -> bool,
    ) -> Result<(Option<Zero<R>>, R), Failure> {
        let step = self.step;
        let (start, end) = (*step.interpolant.start(), *step.interpolant.end());
        let slopes =
            [self.slope(event, &start, &step.accelerations[0]), self.slope(event, &end, &step.accelerations[1])];
        let origin = self.value(event, &start);
        let mut side = memory.sides.of::<R>(index);
        let acted_on = memory.sides.is_fresh(index);
        let mut starts_on_zero = !acted_on && side == R::ZERO && origin == R::ZERO && !memory.struck;
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
        let (span, samples, fresh) = ([start.t, end.t], self.samples, acted_on || starts_on_zero);
        let function: &mut dyn FnMut(R) -> R = &mut |t: R| self.value(event, &step.interpolant.sample(t));
        let mut search = Search { function, span, side, fresh, slopes, samples, undefined: None };
        let found = search.first(&mut |zero| !(starts_on_zero && zero.after == start.t) && wanted(zero));
        let (side, undefined) = (search.side, search.undefined);
        match undefined {
            Some(t) => Err(Failure::UndefinedEvent { event: index, t: t.to_f64() }),
            None => Ok((found, side)),
        }
    }

    /// Interrupts the motion at an event, and applies the maps of the events that have one.
    fn interrupt(
        &mut self,
        memory: &mut EventMemory<R>,
        (index, zero, event): (usize, Zero<R>, &Event<'e, R, N>),
        mut stopped: bool,
    ) -> Result<Passed<R, N>, Broken<R, N>> {
        let step = self.step;
        let start = *step.interpolant.start();
        // An event that maps the state happens before the change of sign, so that an impact is met before it penetrates.
        let t = if event.map.is_some() { zero.before } else { zero.after };
        let end = step.interpolant.sample(t);
        if memory.sides.is_fresh(index)
            && event.map.is_some()
            && self.slope(event, &end, &step.accelerations[0]) * zero.to < R::ZERO
        {
            // The motion leaves the zero at which this event acted, but by less than the time can resolve.
            return Err((Failure::Zeno { event: index }, Some(end)));
        }
        if t != start.t {
            stopped |= self.scene.show_until(step, &end);
        }
        let rounding = time_rounding(t, step.interpolant.end().t);
        let precedes = precedes(step);
        let near = |found: Zero<R>| (found.after - t).abs() <= rounding || (found.before - t).abs() <= rounding;
        let (mut state, mut terminal, mut mapped) = (end, None, None);
        let mut sides = memory.sides;
        for (other, event) in self.events.iter().enumerate() {
            let (mut crosses, mut fires) = (other == index, other == index);
            let mut wanted = |found: Zero<R>| {
                // Events that come before this one have already been reported.
                let is_new = precedes(zero.after, found.after) || found.after == zero.after && other > index;
                crosses |= near(found);
                fires |= near(found) && is_new && event.direction.admits(found.to);
                near(found) || precedes(t, found.before)
            };
            let (_, side) = self.first(memory, (other, event), &mut wanted).map_err(|failure| (failure, None))?;
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
                    return Err((Failure::not_finite(target), Some(before)));
                }
            }
            state = self.scene.consistent(&target).map_err(|failure| (failure, Some(before)))?;
            stopped |= self.scene.report(&Occurrence { event: other, before, after: state });
            if event.map.is_some() {
                // This event is found again in two cases: the motion has left the zero to the side where this map sends it, or
                // it never gets to that side.
                self.send((other, event), &state, &mut sides);
            }
            if event.terminal && terminal.is_none() {
                terminal = Some(other);
            }
        }
        if mapped.is_some() {
            self.follow_jumps((&end, &state), &mut sides);
        }
        for (other, event) in self.events.iter().enumerate() {
            if sides.is_fresh(other) && event.map.is_none() {
                self.send((other, event), &state, &mut sides);
            }
        }
        memory.sides = sides;
        memory.restarted = true;
        memory.struck = mapped.is_some() && state != end;
        if let Some(event) = mapped
            && self.returns_too_often(memory, t, rounding)
        {
            return Err((Failure::Zeno { event }, Some(state)));
        }
        Ok(Passed::Interrupted { state, terminal, stopped })
    }

    /// Sets an event's side to the one towards which its function moves from its zero at a state. Without a slope the side
    /// stays.
    fn send(&mut self, (index, event): (usize, &Event<'e, R, N>), state: &State<R, N>, sides: &mut Sides) {
        let a = self.scene.acceleration(state).unwrap_or(self.step.accelerations[1]);
        let direction = self.slope(event, state, &a).sign();
        if direction != R::ZERO {
            sides.set(index, direction);
        }
    }

    /// Updates the sides of the functions that maps made jump over 0, except for events that fired themselves.
    fn follow_jumps(&mut self, (end, state): (&State<R, N>, &State<R, N>), sides: &mut Sides) {
        for (index, event) in self.events.iter().enumerate() {
            let (side, after) = (sides.of::<R>(index), self.value(event, state));
            if sides.is_fresh(index) || side * after > R::ZERO || after == R::ZERO {
                continue;
            }
            // A value that a few roundings of the time can make of 0 is no jump.
            let a = &self.step.accelerations[1];
            let steepest = self.slope(event, end, a).abs().max(self.slope(event, state, a).abs());
            let rounding = (time_rounding(end.t, self.step.interpolant.end().t) / self.part).abs();
            if side == R::ZERO || after.abs() > steepest * rounding * R::from_f64(4.0) {
                sides.set(index, after.sign());
            }
        }
    }

    /// Counts maps of the state without resolvable time between. Returns whether there are too many.
    fn returns_too_often(&self, memory: &mut EventMemory<R>, t: R, rounding: R) -> bool {
        let close = |last: R| (t - last).abs() <= R::from_f64(16.0) * rounding;
        memory.returns = if memory.mapped_at.is_some_and(close) { memory.returns + 1 } else { 0 };
        memory.mapped_at = Some(t);
        // Beyond this number, at least one event has returned more than `RETURNS` times.
        let most = RETURNS * self.events.iter().filter(|event| event.map.is_some()).count();
        memory.returns as usize > most
    }

    /// The rise of an event's function along the tangent at a state, from the time `part` before it to the time `part` after it.
    fn slope(&mut self, event: &Event<'e, R, N>, state: &State<R, N>, a: &SVector<R, N>) -> R {
        let part = self.part;
        let mut at = |part: R| {
            let moved = State { t: state.t + part, q: state.q + state.v * part, v: state.v + a * part };
            self.value(event, &moved)
        };
        at(part) - at(-part)
    }

    /// An event's function at a state.
    fn value(&mut self, event: &Event<'e, R, N>, state: &State<R, N>) -> R {
        let State { t, q, v } = state;
        let mut values = [R::ZERO; MAX_FUNCTIONS];
        let index = match event.function {
            EventFunction::State(function) => return function(*t, q, v),
            EventFunction::Output(index) => {
                self.scene.outputs(state, &mut values);
                index
            }
            EventFunction::Switch(index) => {
                self.scene.switches(state, &mut values);
                index
            }
        };
        values.get(index).copied().unwrap_or(R::ZERO)
    }
}

/// Whether the first of two times comes before the second in the direction of a step.
fn precedes<R: Real, const N: usize>(step: &Step<R, N>) -> impl Fn(R, R) -> bool + use<R, N> {
    let forward = step.interpolant.end().t > step.interpolant.start().t;
    move |a, b| if forward { a < b } else { a > b }
}
