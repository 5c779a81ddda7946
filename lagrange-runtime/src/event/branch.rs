//! The branch of the equations that a state is on.

use super::MAX_FUNCTIONS;
use crate::controller::Controller;
use crate::scalar::Real;
use crate::state::State;
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

    /// The branch at a state, with u from the controller.
    pub(crate) fn at<S, K, R, const N: usize, const C: usize, const U: usize>(
        system: &S,
        controller: &mut K,
        state: &State<R, N>,
    ) -> Self
    where
        S: System<R, N, C, U> + ?Sized,
        K: Controller<R, N, U> + ?Sized,
        R: Real,
    {
        let State { t, q, v } = state;
        let u = controller.input(*t, q, v);
        Self::of(system, *t, q, v, &u)
    }

    /// The switching functions whose signs differ: a bit each.
    pub(crate) fn differs(self, other: Self) -> u64 {
        (self.positive ^ other.positive) | (self.negative ^ other.negative)
    }
}
