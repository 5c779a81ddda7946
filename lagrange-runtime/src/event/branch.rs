//! The branch of the equations that a state is on.

use super::set::Set;
use crate::limits::MAX_SWITCHES;
use crate::scalar::Real;
use crate::system::System;
use nalgebra::SVector;

/// The number of switching functions that fit into one word of a set.
const FEW: usize = 64;

/// The signs of a system's switching functions. The equations are smooth along a motion that stays on one branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    positive: Set,
    negative: Set,
}

impl Branch {
    /// The branch at (t, q, v, u).
    #[inline(always)]
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
        // Most systems have few switching functions. The larger array is cleared only for the others.
        if system.switch_count() <= FEW {
            Self::within::<FEW, _, _, N, C, U>(system, t, q, v, u)
        } else {
            Self::within::<MAX_SWITCHES, _, _, N, C, U>(system, t, q, v, u)
        }
    }

    #[inline(always)]
    fn within<const ROOM: usize, S, R, const N: usize, const C: usize, const U: usize>(
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
        let mut values = [R::ZERO; ROOM];
        let count = system.switch_count();
        system.switches(t, q, v, u, values.get_mut(..count).unwrap_or(&mut []));
        let mut branch = Self { positive: Set::EMPTY, negative: Set::EMPTY };
        for (index, &value) in values.iter().enumerate().take(count) {
            branch.positive.put(index, value > R::ZERO);
            branch.negative.put(index, value < R::ZERO);
        }
        branch
    }

    /// Replaces the sign of a switching function.
    pub(crate) fn put(&mut self, index: usize, positive: bool) {
        self.positive.put(index, positive);
        self.negative.put(index, !positive);
    }

    /// The switching functions whose signs differ.
    #[inline(always)]
    pub(crate) fn differs(self, other: Self) -> Set {
        (self.positive ^ other.positive) | (self.negative ^ other.negative)
    }

    /// Whether one of `count` switching functions is 0 or NaN, and so has no sign.
    #[inline(always)]
    pub(crate) fn has_unsigned(self, count: usize) -> bool {
        let signed = self.positive | self.negative;
        (0..count).any(|index| !signed.contains(index))
    }
}

/// The first switching function that is NaN at (t, q, v, u).
#[cold]
#[inline(never)]
pub(crate) fn undefined_switch<S, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: R,
    q: SVector<R, N>,
    v: SVector<R, N>,
    u: SVector<R, U>,
) -> Option<usize>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    let mut values = [R::ZERO; MAX_SWITCHES];
    system.switches(t, &q, &v, &u, values.get_mut(..system.switch_count())?);
    values.iter().position(|value| !(*value >= R::ZERO || *value <= R::ZERO))
}
