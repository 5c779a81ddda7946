//! Sets of events and of switching functions.

use crate::limits::{MAX_EVENTS, MAX_SWITCHES};
use core::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

/// The number of indices that a set can contain.
const CAPACITY: usize = if MAX_EVENTS > MAX_SWITCHES { MAX_EVENTS } else { MAX_SWITCHES };

const WORDS: usize = 4;

const _: () = assert!(64 * WORDS == CAPACITY);

/// A set of indices below [`CAPACITY`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Set([u64; WORDS]);

impl Set {
    /// No index.
    pub(crate) const EMPTY: Self = Self([0; WORDS]);
    /// Every index.
    pub(crate) const ALL: Self = Self([u64::MAX; WORDS]);

    pub(crate) fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    pub(crate) fn contains(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Adds or removes an index. An index beyond the capacity changes nothing.
    #[inline(always)]
    pub(crate) fn put(&mut self, index: usize, member: bool) {
        if let Some(word) = self.0.get_mut(index / 64) {
            let bit = 1 << (index % 64);
            *word = if member { *word | bit } else { *word & !bit };
        }
    }

    /// The smallest index.
    pub(crate) fn first(self) -> Option<usize> {
        (0..WORDS).zip(self.0).find(|(_, word)| *word != 0).map(|(at, word)| 64 * at + word.trailing_zeros() as usize)
    }

    #[inline(always)]
    fn zip(self, other: Self, of: impl Fn(u64, u64) -> u64) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([of(a, e), of(b, f), of(c, g), of(d, h)])
    }
}

impl BitAnd for Set {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Set {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitOrAssign for Set {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitXor for Set {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Not for Set {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self ^ Self::ALL
    }
}
