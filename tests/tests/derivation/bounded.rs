//! A number with a running bound of its rounding error, in units of the rounding unit.
//!
//! A sum adds the bounds of its terms and its own size, and a leaf's bound is its size: the bound of a sum is at least
//! the sum of the absolute terms, however much of it cancels, and shrinks where a cancelled factor is small.

use std::ops::{Add, Mul, Neg, Sub};

/// A value and how far rounding may have moved it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounded {
    /// The value.
    pub value: f64,
    /// The bound, to be multiplied by the rounding unit.
    pub bound: f64,
}

impl Bounded {
    /// Exactly 0.
    pub(crate) const ZERO: Self = Self { value: 0.0, bound: 0.0 };
    /// Exactly 1, as what is differentiated by has it.
    pub(crate) const ONE: Self = Self { value: 1.0, bound: 0.0 };

    /// A number that is rounded once.
    pub(crate) fn leaf(value: f64) -> Self {
        Self { value, bound: value.abs() }
    }

    /// Whether it is exactly 0.
    pub(crate) fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// Multiplied by an exact number.
    pub(crate) fn scaled(self, factor: f64) -> Self {
        Self { value: self.value * factor, bound: self.bound * factor.abs() }
    }
}

impl Add for Bounded {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let value = self.value + other.value;
        let own = if self.is_zero() || other.is_zero() { 0.0 } else { value.abs() };
        Self { value, bound: self.bound + other.bound + own }
    }
}

impl Neg for Bounded {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, bound: self.bound }
    }
}

impl Sub for Bounded {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Bounded {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let value = self.value * other.value;
        Self { value, bound: self.value.abs() * other.bound + other.value.abs() * self.bound + value.abs() }
    }
}

impl std::iter::Sum for Bounded {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::ZERO, Add::add)
    }
}
