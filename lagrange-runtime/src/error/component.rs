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

    /// Writes the component under its coordinate's name.
    pub(super) fn describe(self, f: &mut fmt::Formatter<'_>, names: &[&str]) -> fmt::Result {
        let (kind, index) = match self {
            Self::Time => return write!(f, "the time"),
            Self::Coordinate(index) => ("coordinate", index),
            Self::Velocity(index) => ("the velocity of", index),
        };
        match names.get(index) {
            Some(name) => write!(f, "{kind} `{name}`"),
            None => write!(f, "{kind} {index}"),
        }
    }
}
