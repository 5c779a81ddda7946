//! Zero crossings of functions along a motion.

mod branch;
mod search;
mod set;
mod sides;

pub use branch::MAX_SWITCHES;
pub(crate) use branch::{Branch, undefined_switch};
pub(crate) use search::{Search, Zero};
pub(crate) use set::Set;
pub use sides::MAX_EVENTS;
pub(crate) use sides::Sides;

use crate::scalar::Real;
use crate::state::State;
use core::fmt;
use nalgebra::SVector;

/// A function of (t, q, v) whose zeros along the motion are sought.
///
/// It is evaluated on each step's interpolant at both ends and at evenly spaced samples between
/// ([`Options::event_samples`](crate::options::Options::event_samples)). Every change of sign between two samples is
/// found and located to the rounding of the time. So zeros further apart than a sample are all found; a pair of zeros
/// closer together is found where the values, or the slopes at the step's ends, show the approach to it.
///
/// A value of 0 has no sign: a function that touches 0, or is 0 for a while, and returns to its side, has no event; one that
/// is 0 for a while and goes on to the other side has one, at the end of that while. The zero on which an integration starts
/// is no event, unless the event maps the state and its [`Direction`] says that the motion is to cross it.
///
/// Events whose zeros are within a rounding of the time of each other happen together, in the order of the options: each
/// maps the state that the one before it leaves. An event that was acted on is not found again at the same zero, unless the
/// motion, or another event's map, turns it back there; every other event remains to be found, however close it is. A function that a map makes
/// jump over 0 has no event.
///
/// A function that is NaN along the motion ends the integration with [`Failure::UndefinedEvent`](crate::error::Failure::UndefinedEvent).
#[derive(Clone, Copy)]
pub struct Event<'a, R: Real, const N: usize> {
    /// The function.
    pub function: EventFunction<'a, R, N>,
    /// Which crossings count, in the direction of the integration.
    pub direction: Direction,
    /// Whether the integration ends there.
    pub terminal: bool,
    /// What happens to the state there: an impact, a switch. The motion goes on from its result, whose time is not
    /// regarded, and which is brought onto the constraints, if there are any, by the least change (under
    /// [`Projected`](crate::method::Projected) by its projection). An event that maps the state happens at the last
    /// resolved time before the change of sign, so that an impact is met before it penetrates.
    pub map: Option<&'a StateMap<'a, R, N>>,
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

/// A state from a state.
pub type StateMap<'a, R, const N: usize> = dyn Fn(&State<R, N>) -> State<R, N> + 'a;

/// How many outputs and switching functions of a system can serve as events.
pub const MAX_FUNCTIONS: usize = 64;

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
    /// The state at the zero.
    pub before: State<R, N>,
    /// The state from which the motion goes on: another one where the event maps the state, or where constraints ask for it.
    pub after: State<R, N>,
}

impl<'a, R: Real, const N: usize> Event<'a, R, N> {
    /// Every zero of `function`; the integration goes on.
    pub fn new(function: &'a StateFunction<'a, R, N>) -> Self {
        Self::of(EventFunction::State(function))
    }

    /// Every zero of a function; the integration goes on.
    pub fn of(function: EventFunction<'a, R, N>) -> Self {
        Self { function, direction: Direction::Any, terminal: false, map: None }
    }

    /// The same, for crossings in one direction.
    #[must_use]
    pub fn going(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// The same, ending the integration.
    #[must_use]
    pub fn terminal(self) -> Self {
        Self { terminal: true, ..self }
    }

    /// The same, with a map of the state.
    #[must_use]
    pub fn mapping(self, map: &'a StateMap<'a, R, N>) -> Self {
        Self { map: Some(map), ..self }
    }

    /// The same, starting the method anew from the state there: where the equations, or a controller, change.
    ///
    /// The state stays as it is; what the method and its step control remember of the motion before is dropped.
    #[must_use]
    pub fn restarting(self) -> Self {
        self.mapping(&|state: &State<R, N>| *state)
    }

    /// Whether the motion does not simply go on through it.
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
