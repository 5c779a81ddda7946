//! The side of its zero on which each event's function is.

use crate::scalar::Real;
use crate::set::Set;

/// The side of each event's function: the sign of its last value that was not 0. A function that touches 0, or stays 0 for a
/// while, keeps its side until it has a value of the other sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Sides {
    positive: Set,
    negative: Set,
    /// The events at whose zero the motion was last interrupted.
    fresh: Set,
}

impl Sides {
    /// The side of an event: −1 or 1, or 0 where its function has been 0 since the start.
    pub(super) fn of<R: Real>(&self, event: usize) -> R {
        match (self.positive.contains(event), self.negative.contains(event)) {
            (true, _) => R::ONE,
            (_, true) => -R::ONE,
            _ => R::ZERO,
        }
    }

    /// Sets an event's side.
    pub(super) fn set<R: Real>(&mut self, event: usize, side: R) {
        self.positive.put(event, side > R::ZERO);
        self.negative.put(event, side < R::ZERO);
    }

    /// Whether the step starts at a zero of this event where events acted.
    pub(super) fn is_fresh(&self, event: usize) -> bool {
        self.fresh.contains(event)
    }

    pub(super) fn set_fresh(&mut self, event: usize, fresh: bool) {
        self.fresh.put(event, fresh);
    }
}
