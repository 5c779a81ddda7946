//! Modes: quantities that keep their value until a stated condition holds.
//!
//! A mode is a state whose rate is 0. So it is the velocity of a hidden coordinate, and every method, observer and checkpoint carries it. A
//! [`Change`] gives it another value where a condition holds. Conditions are located along the motion like
//! [events](crate::event::Event); a step never goes over a change.

mod rules;

pub use rules::{ChangeRules, Changes};

pub use crate::limits::MAX_CHANGE_VALUES;
use crate::scalar::Real;
use crate::state::State;
use nalgebra::SVector;

/// A change of a mode: where its condition holds, and the mode does not have the new value yet, values are assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The name of the mode.
    pub mode: &'static str,
    /// The components of the state that get values: first the mode, then the targets that the block lists behind `then`.
    pub targets: &'static [Target],
}

/// A component of the state to which a change assigns a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The coordinate of this index in q.
    Coordinate(usize),
    /// The velocity, the state or the mode of this index in v.
    Velocity(usize),
}

/// The number of conditions and assigned values of some changes.
pub(crate) fn count(changes: &[Change]) -> usize {
    changes.iter().map(|change| 1 + change.targets.len()).sum()
}

/// The conditions of all changes and the values that they assign, at one state.
struct Evaluated<'a, R> {
    changes: &'a [Change],
    /// The conditions, then the values of the targets of each change.
    values: &'a [R],
}

impl<R: Real> Evaluated<'_, R> {
    /// The targets of a change with their values.
    fn assigned(&self, index: usize) -> impl Iterator<Item = (Target, R)> {
        let targets = |change: &Change| change.targets.len();
        let first = self.changes.len() + self.changes.iter().take(index).map(targets).sum::<usize>();
        let targets = self.changes.get(index).map_or(&[][..], |change| change.targets);
        targets.iter().copied().zip(self.values.iter().copied().skip(first))
    }

    /// The condition of a change: positive where it holds. It is −1 where the mode has the new value already.
    fn condition<const N: usize>(&self, index: usize, state: &State<R, N>) -> R {
        let has_value = match self.assigned(index).next() {
            Some((Target::Velocity(mode), value)) => {
                component(&state.v, mode).is_none_or(|now| now.to_f64() == value.to_f64())
            }
            _ => true,
        };
        if has_value { -R::ONE } else { self.values.get(index).copied().unwrap_or(-R::ONE) }
    }

    /// The state behind a change. All values are those at the state before it.
    fn behind<const N: usize>(&self, index: usize, state: &State<R, N>) -> State<R, N> {
        let mut behind = *state;
        for (target, value) in self.assigned(index) {
            let (vector, index) = match target {
                Target::Coordinate(index) => (&mut behind.q, index),
                Target::Velocity(index) => (&mut behind.v, index),
            };
            if let Some(component) = vector.iter_mut().nth(index) {
                *component = value;
            }
        }
        behind
    }
}

fn component<R: Real, const N: usize>(vector: &SVector<R, N>, index: usize) -> Option<R> {
    vector.iter().copied().nth(index)
}
