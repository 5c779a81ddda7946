//! A component of a state, by its kind and its index.

use crate::scalar::Real;
use crate::state::State;
use core::fmt;

/// A component of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// The time t.
    Time,
    /// The coordinate of this index.
    Coordinate(usize),
    /// The velocity of the coordinate of this index.
    Velocity(usize),
}

/// The names of coordinates and states, for messages.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    /// The names of the coordinates, and after them those of the states.
    pub(super) all: &'a [&'a str],
    /// The index of the first state.
    pub(super) first_state: usize,
}

impl Names<'_> {
    /// Whether an index is that of a state.
    pub(super) fn is_state(self, index: usize) -> bool {
        index >= self.first_state
    }

    /// Writes the acceleration of a coordinate, or the rate of a state.
    pub(super) fn describe_acceleration(self, f: &mut fmt::Formatter<'_>, index: usize) -> fmt::Result {
        if self.is_state(index) {
            write!(f, "the rate of ")?;
            return Component::Velocity(index).describe(f, self);
        }
        write!(f, "the acceleration of ")?;
        Component::Coordinate(index).describe(f, self)
    }
}

impl Component {
    /// The first component of a state that is not finite, with its value.
    pub(crate) fn first_not_finite<R: Real, const N: usize>(state: &State<R, N>) -> Option<(Self, R)> {
        if !state.t.is_finite() {
            return Some((Self::Time, state.t));
        }
        for (kind, values) in [(Self::Coordinate as fn(usize) -> Self, &state.q), (Self::Velocity, &state.v)] {
            if let Some(index) = values.iter().position(|value| !value.is_finite()) {
                return Some((kind(index), values[index]));
            }
        }
        None
    }

    /// Writes the component under its name. The value of a state is in v, and its integral over the time in q.
    pub(super) fn describe(self, f: &mut fmt::Formatter<'_>, names: Names<'_>) -> fmt::Result {
        let (kind, index) = match self {
            Self::Time => return write!(f, "the time"),
            Self::Coordinate(index) if names.is_state(index) => ("the integral of state", index),
            Self::Velocity(index) if names.is_state(index) => ("state", index),
            Self::Coordinate(index) => ("coordinate", index),
            Self::Velocity(index) => ("the velocity of", index),
        };
        match names.all.get(index) {
            Some(name) => write!(f, "{kind} `{name}`"),
            None => write!(f, "{kind} {index}"),
        }
    }
}
