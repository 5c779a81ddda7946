//! The way through a step's events: they are found in order, reported, and acted on. Every [`Event`] leads to this code by a pointer, and nothing
//! else does, so that programs without events do not contain it.

mod along_step;

use super::watched::Watched;
use super::{Along, Direction, Event, EventFunction, MAX_FUNCTIONS, NODES, Occurrence, Search, Sides, Zero};
use crate::dense::Interpolant;
use crate::error::Failure;
use crate::scalar::Real;
use crate::set::Set;
use crate::state::{State, time_rounding};
use along_step::{AlongStep, CLOSE_TO_IMPACT};
pub(crate) use along_step::{CLOSE, rounding};
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
    /// Whether an impact changed the velocity where the next step starts.
    pub(crate) rebounded: bool,
}

impl<R: Real> EventMemory<R> {
    /// The memory at the start of an integration.
    pub(crate) fn new() -> Self {
        Self { sides: Sides::default(), restarted: false, struck: false, mapped_at: None, returns: 0, rebounded: false }
    }

    /// Whether a map changed the state at the event that interrupted the motion last.
    pub(crate) fn has_struck(&self) -> bool {
        self.restarted && self.struck
    }

    /// The time at which a state was last mapped.
    pub(crate) fn mapped_at(&self) -> Option<R> {
        self.mapped_at
    }

    /// Forgets on which side the conditions of changes of modes are, which have the indices from `first` to `last`. The next step finds it
    /// from its start.
    pub(crate) fn forget_changes(&mut self, first: usize, last: usize) {
        for index in first..last {
            self.sides.set(index, R::ZERO);
            self.sides.set_fresh(index, false);
        }
    }
}

/// A step, as the search for events sees it.
pub struct Step<R: Real, const N: usize> {
    /// The states of the step.
    pub(crate) interpolant: Interpolant<R, N>,
    /// The accelerations at its ends.
    pub(crate) accelerations: [SVector<R, N>; 2],
    /// Whether something else happens at its end: an impact throws the motion back, a sample or a stop changes the equations, or the
    /// integration ends. A zero that the motion reaches there, up to rounding, then counts as crossed.
    pub(crate) is_last: bool,
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

    /// The state in which closed contacts have no gap and what sticks does not slip. An interpolant meets this up to its error only.
    fn held(&mut self, state: State<R, N>) -> State<R, N>;

    /// The number of changes of modes.
    fn change_count(&self) -> usize;

    /// The condition of a change of a mode at a state: positive where it holds, and negative where the mode has the new value already.
    fn change_condition(&mut self, index: usize, state: &State<R, N>) -> R;

    /// The state behind a change of a mode, which may break constraints.
    fn change(&mut self, index: usize, state: &State<R, N>) -> State<R, N>;

    /// The name of the mode that a change assigns.
    fn mode(&self, index: usize) -> &'static str;

    /// Counts a search that ended before the values of its function told where its zeros are.
    fn count_coarse_search(&mut self);

    /// Shows the first part of the step, up to the state `end`. Returns whether the observer breaks off.
    fn show_until(&mut self, step: &Step<R, N>, end: &State<R, N>) -> bool;

    /// Reports an event, or a change of a mode, whose index is behind those of the events. Returns whether the observer breaks off.
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

/// The code that goes through the events of a step. It is [`pass`] for every event, and for the changes of modes.
pub(crate) type Pass<R, const N: usize> = fn(
    &[Event<'_, R, N>],
    u32,
    &mut EventMemory<R>,
    &mut dyn Scene<R, N>,
    &Step<R, N>,
) -> Result<Passed<R, N>, Broken<R, N>>;

/// Goes through the events of a step and the changes of modes, up to the first that interrupts the motion. Each function is evaluated at `samples`
/// times or more. The changes have the indices behind those of the events.
pub(crate) fn pass<R: Real, const N: usize>(
    events: &[Event<'_, R, N>],
    samples: u32,
    memory: &mut EventMemory<R>,
    scene: &mut dyn Scene<R, N>,
    step: &Step<R, N>,
) -> Result<Passed<R, N>, Broken<R, N>> {
    let (start, end) = (step.interpolant.start().t, step.interpolant.end().t);
    // In a short step, the rounding of the time would leave nothing of the part.
    let part = (end - start).sign() * ((end - start).abs() * R::from_f64(SLOPE_PART)).max(time_rounding(start, end));
    let mut round = Round { events, samples, scene, step, part };
    let EventMemory { sides, struck, rebounded, .. } = *memory;
    let mut scan = Scan { since: step.interpolant.start().t, sides, struck, rebounded };
    let mut stopped = false;
    loop {
        let (found, sides) = round.next(&scan).map_err(|failure| (failure, None))?;
        let found = found.and_then(|(index, zero)| Some((index, zero, round.watched(index)?)));
        let Some((index, zero, event)) = found else {
            *memory = EventMemory { sides, restarted: false, struck: false, rebounded: false, ..*memory };
            return Ok(Passed::Through { stopped });
        };
        if event.interrupts() {
            return round.interrupt(memory, &scan, (index, zero, event), stopped);
        }
        let state = round.scene.held(step.interpolant.sample(zero.after));
        stopped |= round.scene.report(&Occurrence { event: index, before: state, after: state });
        scan = Scan { since: zero.after, sides, struck: false, rebounded: false };
        scan.sides.set(index, zero.to);
        // A zero that the motion has reached only up to rounding must not be found again from there.
        scan.sides.set_fresh(index, step.is_last && zero.after == step.interpolant.end().t);
    }
}

/// How far the search through a step has come.
struct Scan<R> {
    /// The time from which the search goes on: the start of the step, or the last event in it.
    since: R,
    /// The side of each function there.
    sides: Sides,
    /// Whether a map changed the state there.
    struck: bool,
    /// Whether an impact changed the velocity there.
    rebounded: bool,
}

/// What the events at one time have done so far.
struct Acts<R: Real, const N: usize> {
    t: R,
    state: State<R, N>,
    /// The first terminal event.
    terminal: Option<usize>,
    /// The last event with a map.
    mapped: Option<usize>,
    sides: Sides,
    /// Whether the observer broke off.
    stopped: bool,
}

/// A zero of an event's function.
#[derive(Clone, Copy, PartialEq)]
struct Found<R> {
    zero: Zero<R>,
    /// Whether the motion has reached the zero up to rounding only, and not crossed it.
    is_near: bool,
    /// Whether the motion has crossed the zero, and the event maps the state.
    maps: bool,
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

impl<'a, 'e, R: Real, const N: usize> Round<'a, 'e, R, N> {
    /// The event or the change of a mode that has an index.
    fn watched(&self, index: usize) -> Option<Watched<'a, 'e, R, N>> {
        match self.events.get(index) {
            Some(event) => Some(Watched::Event(event)),
            None => {
                let change = index.checked_sub(self.events.len())?;
                (change < self.scene.change_count()).then_some(Watched::Change(change))
            }
        }
    }

    /// All events, then all changes of modes, with their indices.
    fn all_watched(&self) -> impl Iterator<Item = (usize, Watched<'a, 'e, R, N>)> + Clone + use<'a, 'e, R, N> {
        let events = self.events.iter().map(Watched::Event);
        events.chain((0..self.scene.change_count()).map(Watched::Change)).enumerate()
    }

    /// The failure of an event, or of a change of a mode, that maps the state again and again.
    fn returning(&self, index: usize) -> Failure {
        match self.watched(index) {
            Some(Watched::Change(change)) => Failure::ModeCircle { mode: self.scene.mode(change) },
            _ => Failure::Zeno { event: index },
        }
    }

    /// The earliest event from where the search has come to, with its zero. Of several events at the same time, it is the first in
    /// the order of the options, or the first that has crossed its zero and maps the state: that one leads to all others at its time. The sides
    /// are those before the zero, or at the step's end where there is none.
    #[allow(clippy::type_complexity, reason = "an event and its zero")]
    fn next(&mut self, scan: &Scan<R>) -> Result<(Option<(usize, Zero<R>)>, Sides), Failure> {
        let before = precedes(self.step);
        let mut earliest: Option<(usize, Found<R>)> = None;
        // What shortens the step shortens the search for all other events, until nothing comes before what was found.
        loop {
            let (shortest, mut sides) = (earliest, Sides::default());
            for (index, event) in self.all_watched() {
                let mut wanted = |zero: Zero<R>| event.direction().admits(zero.to);
                let until = earliest.map_or(self.step.interpolant.end().t, |(_, found)| found.zero.after);
                let (found, (side, is_fresh)) = self.first(scan, (index, event), until, &mut wanted)?;
                sides.set(index, side);
                sides.set_fresh(index, is_fresh);
                if let Some(found) = found
                    && earliest.is_none_or(|(other, first)| {
                        let (t, earliest) = (found.zero.after, first.zero.after);
                        let order = (!found.maps, index) < (!first.maps, other);
                        before(t, earliest) && index != other || t == earliest && order
                    })
                {
                    earliest = Some((index, found));
                }
            }
            if earliest == shortest {
                return Ok((earliest.map(|(index, found)| (index, found.zero)), sides));
            }
        }
    }

    /// The first zero of one event for which `wanted` holds, with the side of the function before it. Without such a zero, the
    /// side is that at the time `until`. A flag says that the time was too short for the motion to leave the zero at which it started.
    #[allow(clippy::type_complexity, reason = "a zero, and a side with a flag")]
    fn first(
        &mut self,
        scan: &Scan<R>,
        (index, event): (usize, Watched<'a, 'e, R, N>),
        until: R,
        wanted: &mut dyn FnMut(Zero<R>) -> bool,
    ) -> Result<(Option<Found<R>>, (R, bool)), Failure> {
        let step = self.step;
        let start = if scan.since == step.interpolant.start().t {
            *step.interpolant.start()
        } else {
            step.interpolant.sample(scan.since)
        };
        let mut function = AlongStep { round: self, event };
        let mut side = scan.sides.of::<R>(index);
        let mut acted_on = scan.sides.is_fresh(index);
        let (mut starts_on_zero, mut is_thrown_back) = (false, false);
        if matches!(event, Watched::Change(_)) {
            // A mode changes wherever its condition holds, whatever made it hold. So it does not hold before the start.
            side = -R::ONE;
        } else if scan.rebounded || side == R::ZERO && !acted_on {
            let value = function.value(start.t);
            // An event that acted at the impact, where the motion had reached its zero up to rounding only, must not act again behind it.
            let close = if scan.rebounded && !(acted_on && side * value < R::ZERO) { CLOSE_TO_IMPACT } else { CLOSE };
            match function.side_ahead(&start, &step.accelerations[0], close) {
                // The motion starts here, or an impact made the function jump, or the step before was too short to leave a zero, and
                // an impact ended it. The function is not at its zero now.
                None => (side, acted_on) = (value.sign(), false),
                Some(ahead) if scan.rebounded => {
                    side = if ahead == R::ZERO { side } else { ahead };
                    is_thrown_back = true;
                }
                // The motion was at rest on this event's zero, and another event's map set it in motion.
                Some(ahead) if scan.struck => side = -ahead,
                Some(ahead) => {
                    // A body that is in contact at the start, and approaches, has its impact at once.
                    let meets = event.maps() && event.direction() != Direction::Any && event.direction().admits(ahead);
                    side = if meets { -ahead } else { ahead };
                    starts_on_zero = !meets;
                }
            }
        }
        let parts = function.round.samples.div_ceil(NODES as u32 - 1);
        let fresh = acted_on || starts_on_zero || is_thrown_back;
        let mut search = Search::new(&mut function, [start.t, until], side, parts).leaving_zero(fresh);
        let crossed = search.first(&mut |zero| !(starts_on_zero && zero.after == start.t) && wanted(zero));
        let mut found = crossed.map(|zero| Found { zero, is_near: false, maps: event.maps() });
        let (side, undefined, is_coarse) = (search.side, search.undefined, search.is_coarse());
        let side = (side, search.fresh && side != R::ZERO);
        if is_coarse {
            function.round.scene.count_coarse_search();
        }
        let end = step.interpolant.end();
        if found.is_none() && step.is_last && !precedes(step)(until, end.t) {
            // The motion may have reached a zero up to rounding.
            let ahead = function.side_ahead(end, &step.accelerations[1], CLOSE);
            let zero = Zero { before: end.t, after: end.t, to: -side.0 };
            if ahead.is_some_and(|ahead| ahead * side.0 < R::ZERO) && wanted(zero) {
                let is_near = function.value(end.t) != R::ZERO;
                found = Some(Found { zero, is_near, maps: !is_near && event.maps() });
            }
        }
        match undefined {
            Some(t) => Err(match event {
                Watched::Event(_) => Failure::UndefinedEvent { event: index, t: t.to_f64() },
                Watched::Change(change) => Failure::UndefinedMode { mode: self.scene.mode(change), t: t.to_f64() },
            }),
            None => Ok((found, side)),
        }
    }

    /// Interrupts the motion at an event, and applies the maps of the events that have one.
    fn interrupt(
        &mut self,
        memory: &mut EventMemory<R>,
        scan: &Scan<R>,
        (index, zero, event): (usize, Zero<R>, Watched<'a, 'e, R, N>),
        stopped: bool,
    ) -> Result<Passed<R, N>, Broken<R, N>> {
        let step = self.step;
        let start = *step.interpolant.start();
        // An event that maps the state happens before the change of sign, so that an impact is met before it penetrates.
        let t = if event.maps() { zero.before } else { zero.after };
        let end = self.scene.held(step.interpolant.sample(t));
        if scan.sides.is_fresh(index)
            && event.maps()
            && self.slope(event, &end, &step.accelerations[0]) * zero.to < R::ZERO
        {
            // The motion leaves the zero at which this event acted, but by less than the time can resolve.
            return Err((self.returning(index), Some(end)));
        }
        let stopped = stopped | (t != start.t && self.scene.show_until(step, &end));
        let rounding = time_rounding(t, step.interpolant.end().t);
        let precedes = precedes(step);
        // A zero that lies a rounding behind this one, perhaps behind the end of the step, is at the same time.
        let until = t + rounding * (step.interpolant.end().t - start.t).sign();
        let near = |found: Zero<R>| (found.after - t).abs() <= rounding || (found.before - t).abs() <= rounding;
        let mut acts = Acts { t, state: end, terminal: None, mapped: None, sides: scan.sides, stopped };
        let (mut crossed, mut fired, mut waiting) = (Set::EMPTY, Set::EMPTY, Set::EMPTY);
        for (other, event) in self.all_watched() {
            let (mut crosses, mut fires) = (other == index, other == index);
            let mut wanted = |found: Zero<R>| {
                let admitted = event.direction().admits(found.to);
                // An admitted zero before this time was rounding on the way to it. It is at this time, too.
                let is_here = near(found) || admitted && precedes(found.after, t);
                crosses |= is_here;
                fires |= is_here && admitted;
                is_here || precedes(t, found.before)
            };
            let (found, (side, is_fresh)) =
                self.first(scan, (other, event), until, &mut wanted).map_err(|failure| (failure, None))?;
            let mut waits = crosses && other != index && found.is_some_and(|found| found.is_near);
            if !crosses && event.direction().admits(-side) {
                // The motion may have reached this zero, too, up to rounding.
                let ahead = AlongStep { round: self, event }.side_ahead(&end, &step.accelerations[1], CLOSE);
                waits = ahead.is_some_and(|ahead| ahead * side < R::ZERO);
                (crosses, fires) = if waits { (true, true) } else { (false, fires) };
            }
            acts.sides.set(other, side);
            acts.sides.set_fresh(other, is_fresh);
            crossed.put(other, crosses);
            fired.put(other, fires);
            waiting.put(other, waits);
        }
        // A zero that the motion has reached up to rounding only lies behind those that it has crossed, whose maps may take the motion away from it.
        let stays = self.without_lost(&end, (fired, waiting), &acts.sides)?;
        for (other, event) in self.all_watched().filter(|(other, _)| stays.contains(*other)) {
            if crossed.contains(other) {
                let side = acts.sides.of::<R>(other);
                acts.sides.set(other, if !event.maps() { -side } else { side });
                acts.sides.set_fresh(other, true);
            }
            if fired.contains(other) {
                self.act((other, event), &mut acts)?;
            }
        }
        let Acts { state, terminal, mapped, mut sides, stopped, .. } = acts;
        if scan.sides.is_fresh(index)
            && event.maps()
            && event.direction() != Direction::Any
            && zero.after == start.t
            && sides.of::<R>(index) == zero.to
        {
            // This event acted at the state where the step starts, and again at once, without taking the motion back to its side.
            return Err((self.returning(index), Some(end)));
        }
        if mapped.is_some() {
            self.follow_jumps((&end, &state), &mut sides);
        }
        for (other, event) in self.all_watched() {
            if sides.is_fresh(other) && !event.maps() {
                self.send((other, event), &state, &mut sides);
            }
        }
        memory.sides = sides;
        memory.forget_changes(self.events.len(), self.events.len() + self.scene.change_count());
        (memory.restarted, memory.rebounded) = (true, false);
        memory.struck = mapped.is_some() && state != end;
        if let Some(event) = mapped
            && self.returns_too_often(memory, t, rounding)
        {
            return Err((self.returning(event), Some(state)));
        }
        Ok(Passed::Interrupted { state, terminal, stopped })
    }

    /// All events but those of `waiting` that are no longer at their zero after the maps of the others that fire.
    fn without_lost(
        &mut self,
        end: &State<R, N>,
        (fired, waiting): (Set, Set),
        sides: &Sides,
    ) -> Result<Set, Broken<R, N>> {
        let crossed = fired & !waiting;
        let maps = self.all_watched().filter(|(other, event)| crossed.contains(*other) && event.maps());
        let mut maps = maps.peekable();
        let mut stays = Set::ALL;
        if waiting.is_empty() || maps.peek().is_none() {
            return Ok(stays);
        }
        let target = maps.fold(*end, |state, (_, event)| State { t: end.t, ..self.mapped(event, &state) });
        if !target.is_finite() {
            // The failure names the map when it is applied.
            return Ok(stays);
        }
        let state = self.scene.consistent(&target).map_err(|failure| (failure, Some(*end)))?;
        let a = self.scene.acceleration(&state).unwrap_or(self.step.accelerations[1]);
        for (other, event) in self.all_watched().filter(|(other, _)| waiting.contains(*other)) {
            let ahead = AlongStep { round: self, event }.side_ahead(&state, &a, CLOSE);
            stays.put(other, ahead.is_some_and(|ahead| ahead * sides.of::<R>(other) < R::ZERO));
        }
        Ok(stays)
    }

    /// Applies the map of an event, and reports it.
    fn act(
        &mut self,
        (index, event): (usize, Watched<'a, 'e, R, N>),
        acts: &mut Acts<R, N>,
    ) -> Result<(), Broken<R, N>> {
        let before = acts.state;
        let mut target = before;
        if event.maps() {
            target = State { t: acts.t, ..self.mapped(event, &before) };
            acts.mapped = Some(index);
            if !target.is_finite() {
                return Err((Failure::not_finite(target), Some(before)));
            }
        }
        acts.state = self.scene.consistent(&target).map_err(|failure| (failure, Some(before)))?;
        acts.stopped |= self.scene.report(&Occurrence { event: index, before, after: acts.state });
        if event.maps() {
            // This event is found again in two cases: the motion has left the zero to the side where this map sends it, or
            // it never gets to that side.
            self.send((index, event), &acts.state, &mut acts.sides);
        }
        if event.is_terminal() && acts.terminal.is_none() {
            acts.terminal = Some(index);
        }
        Ok(())
    }

    /// Sets an event's side to the one towards which its function moves from its zero at a state. A map, or the projection onto constraints,
    /// may have moved the state away from the zero: on the side that the event has already, the side stays, whichever way the function moves.
    /// Where the function stays 0, the side stays too.
    fn send(&mut self, (index, event): (usize, Watched<'a, 'e, R, N>), state: &State<R, N>, sides: &mut Sides) {
        let a = self.scene.acceleration(state).unwrap_or(self.step.accelerations[1]);
        let side = match (AlongStep { round: self, event }).side_ahead(state, &a, CLOSE) {
            Some(ahead) => ahead,
            None => {
                let value = self.value(event, state).sign();
                if value == sides.of::<R>(index) { value } else { self.slope(event, state, &a).sign() }
            }
        };
        if side != R::ZERO {
            sides.set(index, side);
        }
    }

    /// Updates the sides of the functions that maps made jump over 0, except for events that fired themselves.
    fn follow_jumps(&mut self, (end, state): (&State<R, N>, &State<R, N>), sides: &mut Sides) {
        for (index, event) in self.all_watched() {
            let (side, after) = (sides.of::<R>(index), self.value(event, state));
            if sides.is_fresh(index) || side * after > R::ZERO || after == R::ZERO {
                continue;
            }
            // A value that a few roundings of the state or of the time can make of 0 is no jump.
            let least = R::from_f64(AlongStep { round: self, event }.rounding(end.t));
            let a = &self.step.accelerations[1];
            let steepest = self.slope(event, end, a).abs().max(self.slope(event, state, a).abs());
            let rounding = (time_rounding(end.t, self.step.interpolant.end().t) / self.part).abs();
            if side == R::ZERO || after.abs() > least.max(steepest * rounding * R::from_f64(4.0)) {
                sides.set(index, after.sign());
            }
        }
    }

    /// Counts maps of the state without resolvable time between. Returns whether there are too many.
    fn returns_too_often(&self, memory: &mut EventMemory<R>, t: R, rounding: R) -> bool {
        let close = |last: R| (t - last).abs() <= R::from_f64(16.0) * rounding;
        memory.returns = if memory.mapped_at.is_some_and(close) { memory.returns.saturating_add(1) } else { 0 };
        memory.mapped_at = Some(t);
        // Beyond this number, at least one event has returned more than `RETURNS` times.
        let most = RETURNS * self.all_watched().filter(|(_, event)| event.maps()).count();
        memory.returns as usize > most
    }

    /// The rise of an event's function along the tangent at a state, from the time `part` before it to the time `part` after it.
    fn slope(&mut self, event: Watched<'a, 'e, R, N>, state: &State<R, N>, a: &SVector<R, N>) -> R {
        let part = self.part;
        let mut at = |part: R| {
            let moved = State { t: state.t + part, q: state.q + state.v * part, v: state.v + a * part };
            self.value(event, &moved)
        };
        at(part) - at(-part)
    }

    /// The state to which an event, or a change of a mode, maps a state.
    fn mapped(&mut self, event: Watched<'a, 'e, R, N>, state: &State<R, N>) -> State<R, N> {
        match event {
            Watched::Event(event) => event.map.map_or(*state, |map| map(state)),
            Watched::Change(change) => self.scene.change(change, state),
        }
    }

    /// An event's function at a state, or the condition of a change of a mode.
    fn value(&mut self, event: Watched<'a, 'e, R, N>, state: &State<R, N>) -> R {
        let State { t, q, v } = state;
        let mut values = [R::ZERO; MAX_FUNCTIONS];
        let event = match event {
            Watched::Event(event) => event,
            Watched::Change(change) => return self.scene.change_condition(change, state),
        };
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
