//! The branch of the equations that a state is on.

use super::MAX_FUNCTIONS;
use crate::scalar::Real;
use crate::system::System;
use nalgebra::SVector;

/// The signs of a system's switching functions, of which the first [`MAX_FUNCTIONS`] count: a bit each. Between two states
/// of the same branch the equations are smooth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    positive: u64,
    negative: u64,
}

impl Branch {
    /// The branch at (t, q, v, u).
    pub(crate) fn of<S, R, const N: usize, const C: usize, const U: usize>(
        system: &S,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Self
    where
        S: System<R, N, C, U> + ?Sized,
        R: Real,
    {
        let mut values = [R::ZERO; MAX_FUNCTIONS];
        let count = system.switch_count().min(MAX_FUNCTIONS);
        system.switches(t, q, v, u, &mut values[..count]);
        let mut branch = Self { positive: 0, negative: 0 };
        for (index, &value) in values[..count].iter().enumerate() {
            branch.positive |= u64::from(value > R::ZERO) << index;
            branch.negative |= u64::from(value < R::ZERO) << index;
        }
        branch
    }

    /// The switching functions whose signs differ: a bit each.
    pub(crate) fn differs(self, other: Self) -> u64 {
        (self.positive ^ other.positive) | (self.negative ^ other.negative)
    }
}
