//! The zeros that are sought along a step belong to the events of the options and to the changes of the system's modes.

use super::{Direction, Event};
use crate::scalar::Real;

/// An event, or a change of a mode. A change happens where its condition begins to hold, and maps the state.
pub(super) enum Watched<'a, 'e, R: Real, const N: usize> {
    Event(&'a Event<'e, R, N>),
    /// The change of this index.
    Change(usize),
}

impl<R: Real, const N: usize> Clone for Watched<'_, '_, R, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Real, const N: usize> Copy for Watched<'_, '_, R, N> {}

impl<R: Real, const N: usize> Watched<'_, '_, R, N> {
    /// The crossings that count.
    pub(super) fn direction(self) -> Direction {
        match self {
            Self::Event(event) => event.direction,
            Self::Change(_) => Direction::Rising,
        }
    }

    /// Whether it maps the state.
    pub(super) fn maps(self) -> bool {
        match self {
            Self::Event(event) => event.map.is_some(),
            Self::Change(_) => true,
        }
    }

    pub(super) fn is_terminal(self) -> bool {
        match self {
            Self::Event(event) => event.terminal,
            Self::Change(_) => false,
        }
    }

    /// Whether the motion ends or restarts there.
    pub(super) fn interrupts(self) -> bool {
        self.is_terminal() || self.maps()
    }
}
