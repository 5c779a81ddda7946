//! Zero crossings of functions along a motion.

mod passing;
mod sides;
mod watched;

pub use crate::limits::{MAX_EVENTS, MAX_FUNCTIONS, MAX_SWITCHES};
pub(crate) use crate::set::Set;
use crate::zeros::{Along, NODES, Search, Zero};
pub(crate) use passing::{CLOSE, EventMemory, Pass, Passed, Scene, Step, pass, rounding};
use sides::Sides;

use crate::scalar::Real;
use crate::state::State;
use core::fmt;
use nalgebra::SVector;

/// A function of (t, q, v) whose zeros along the motion are sought.
///
/// The function is evaluated on each step's interpolant, at nine times in each of a few parts of the step
/// ([`Options::event_samples`](crate::options::Options::event_samples)). A part is divided until its values exclude a zero between them, or
/// enclose a single one, which is located to the rounding of the time. So the zeros that are found depend on the function and not on
/// the length of the steps. A function that changes too fast for 2000 parts of a step is counted in
/// [`Statistics::coarse_searches`](crate::statistics::Statistics::coarse_searches), and zeros of it may be missing. A dip below 0 that is
/// so narrow that no value shows it is not found.
///
/// A value within 16 roundings of the components of the state counts as 0, and 0 has no sign. A
/// function that touches 0, or stays 0 for a while, and returns to its former sign has no event. A
/// function that stays 0 for a while and then has the other sign has one event, at the end of that while. The zero at which an
/// integration starts is no event, unless the event maps the state and its [`Direction`] says that the motion is to cross the
/// zero. A zero that the motion reaches at the end of the integration, at a stop or at a sample of the controller, and
/// would cross, is an event there: it comes before the sample.
///
/// Events whose zeros differ by no more than a rounding of the time happen together, in the order of the options: each maps the
/// state that the one before it leaves. What shortens a step, such as a map or a switch, shortens the search for all other events. After
/// an event has acted, its function may still be at the same zero. The event is
/// found there again only if the motion, or another event's map, turns back to the zero. Every other event is found however
/// close it is. A function that a map, or an impact, makes jump over 0 has no event.
///
/// At an impact, the motion is thrown back from the floor. A function that is 0 there, such as the gap, has an event if the motion before
/// the impact would have crossed the zero. The event comes before the impact, so that its state is that before the impact.
///
/// A function that is NaN along the motion stops the integration with
/// [`Failure::UndefinedEvent`](crate::error::Failure::UndefinedEvent).
#[derive(Clone, Copy)]
pub struct Event<'a, R: Real, const N: usize> {
    /// The function.
    pub function: EventFunction<'a, R, N>,
    /// The crossings that count, in the direction of the integration.
    pub direction: Direction,
    /// Whether the integration ends at this event.
    pub terminal: bool,
    /// The map of the state at the event, such as an impact or a switch. The motion goes on from the state that the map
    /// returns. Its time is ignored. If there are constraints, the state is brought onto them by the least change, or under
    /// [`Projected`](crate::method::Projected) by its projection. An event with a map happens at the last resolved time before
    /// the change of sign, so that an impact is met before it penetrates.
    pub map: Option<&'a StateMap<'a, R, N>>,
    /// The code that finds events and acts on them. Only events lead to it, so that programs without events do not contain it.
    #[doc(hidden)]
    pub pass: Pass<R, N>,
}

/// A function of the state: the user's, or the system's.
#[derive(Clone, Copy)]
pub enum EventFunction<'a, R: Real, const N: usize> {
    /// Any function of t, q, v.
    State(&'a StateFunction<'a, R, N>),
    /// The system's output of this index, below [`MAX_FUNCTIONS`].
    Output(usize),
    /// The system's switching function of this index, below [`MAX_FUNCTIONS`].
    Switch(usize),
}

/// A function of (t, q, v).
pub type StateFunction<'a, R, const N: usize> = dyn Fn(R, &SVector<R, N>, &SVector<R, N>) -> R + 'a;

/// A function from states to states.
pub type StateMap<'a, R, const N: usize> = dyn Fn(&State<R, N>) -> State<R, N> + 'a;

/// Which changes of sign count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Both.
    #[default]
    Any,
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
}

/// An event that occurred.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occurrence<R: Real, const N: usize> {
    /// The event's index among those of the options.
    pub event: usize,
    /// The state at the zero, before the map.
    pub before: State<R, N>,
    /// The state from which the motion goes on. It differs from `before` if the event maps the state, or if constraints require
    /// it. An impact follows the events of its instant: an observer is told of it by [`Observer::instant`](crate::observer::Observer::instant),
    /// and the events of a [`Solution`](crate::solution::Solution) have the state after it.
    pub after: State<R, N>,
}

impl<'a, R: Real, const N: usize> Event<'a, R, N> {
    /// An event at every zero of `function`; the integration goes on.
    pub fn new(function: &'a StateFunction<'a, R, N>) -> Self {
        Self::of(EventFunction::State(function))
    }

    /// An event at every zero of a function of the user or of the system; the integration goes on.
    pub fn of(function: EventFunction<'a, R, N>) -> Self {
        Self { function, direction: Direction::Any, terminal: false, map: None, pass }
    }

    /// The event restricted to crossings in one direction.
    #[must_use]
    pub fn going(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// The event made to end the integration.
    #[must_use]
    pub fn terminal(self) -> Self {
        Self { terminal: true, ..self }
    }

    /// The event with a map of the state.
    #[must_use]
    pub fn mapping(self, map: &'a StateMap<'a, R, N>) -> Self {
        Self { map: Some(map), ..self }
    }

    /// The event made to restart the method from its state. Use it where the equations, or a controller, change.
    ///
    /// The state stays as it is. The method and its step control forget the motion before it.
    #[must_use]
    pub fn restarting(self) -> Self {
        self.mapping(&|state: &State<R, N>| *state)
    }

    /// Whether the motion ends or restarts at this event.
    pub(crate) fn interrupts(&self) -> bool {
        self.terminal || self.map.is_some()
    }
}

impl<R: Real, const N: usize> fmt::Debug for Event<'_, R, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("function", &self.function)
            .field("direction", &self.direction)
            .field("terminal", &self.terminal)
            .field("maps", &self.map.is_some())
            .finish()
    }
}

impl<R: Real, const N: usize> fmt::Debug for EventFunction<'_, R, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::State(_) => f.write_str("State(..)"),
            Self::Output(index) => write!(f, "Output({index})"),
            Self::Switch(index) => write!(f, "Switch({index})"),
        }
    }
}

impl Direction {
    /// Whether a crossing to this sign counts.
    pub(crate) fn admits<R: Real>(self, to: R) -> bool {
        match self {
            Self::Any => true,
            Self::Rising => to > R::ZERO,
            Self::Falling => to < R::ZERO,
        }
    }
}
