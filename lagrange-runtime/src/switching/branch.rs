//! The branch of the equations that a state is on.

use crate::scalar::Real;
use crate::set::Set;

/// The signs of a system's switching functions. The equations are smooth along a motion that stays on one branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    positive: Set,
    negative: Set,
}

impl Branch {
    /// The branch with these values of the switching functions.
    #[inline(always)]
    pub(crate) fn of<'a, R: Real>(values: impl Iterator<Item = &'a R>) -> Self {
        let mut branch = Self { positive: Set::EMPTY, negative: Set::EMPTY };
        for (index, &value) in values.enumerate() {
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

    /// Removes the signs of switching functions.
    pub(crate) fn clear(&mut self, switches: Set) {
        self.positive = self.positive & !switches;
        self.negative = self.negative & !switches;
    }

    /// The switching functions whose signs differ.
    #[inline(always)]
    pub(crate) fn differs(self, other: Self) -> Set {
        (self.positive ^ other.positive) | (self.negative ^ other.negative)
    }

    /// The switching functions that are negative.
    pub(crate) fn negative(self) -> Set {
        self.negative
    }

    /// Whether one of `count` switching functions is 0 or NaN, and so has no sign.
    #[inline(always)]
    pub(crate) fn has_unsigned(self, count: usize) -> bool {
        let signed = self.positive | self.negative;
        (0..count).any(|index| !signed.contains(index))
    }
}
