//! On which side of its zero each event's function is.

use super::set::{CAPACITY, Set};
use crate::scalar::Real;

/// How many events an integration can have.
pub const MAX_EVENTS: usize = CAPACITY;

/// The side of each event's function: the sign of its last value that was not 0. A value of 0 has no side, so that a function
/// that touches 0, or stays there for a while, has changed its side only once a value of the other sign appears.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Sides {
    positive: Set,
    negative: Set,
    /// The events whose zero is where the motion was interrupted last.
    fresh: Set,
}

impl Sides {
    /// The side of an event: −1 or 1, and 0 where its function was 0 from the beginning.
    pub(crate) fn of<R: Real>(&self, event: usize) -> R {
        match (self.positive.contains(event), self.negative.contains(event)) {
            (true, _) => R::ONE,
            (_, true) => -R::ONE,
            _ => R::ZERO,
        }
    }

    /// Sets an event's side.
    pub(crate) fn set<R: Real>(&mut self, event: usize, side: R) {
        self.positive.put(event, side > R::ZERO);
        self.negative.put(event, side < R::ZERO);
    }

    /// Whether the step starts at a zero of this event that was acted on.
    pub(crate) fn is_fresh(&self, event: usize) -> bool {
        self.fresh.contains(event)
    }

    pub(crate) fn set_fresh(&mut self, event: usize, fresh: bool) {
        self.fresh.put(event, fresh);
    }
}
