//! Several arguments of a linear map at once.
//!
//! No operation is a loop: a map has thousands of them, and compilers need a time that grows with the square of the number of loops of a function.

use crate::scalar::{PACKET, Scalar, places};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// Numbers that a linear map treats alike, such as derivatives in several directions. The factors of the map are single numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(target_feature = "avx512f", repr(align(64)))]
#[cfg_attr(not(target_feature = "avx512f"), repr(align(32)))]
pub struct Bundle<R>(pub [R; PACKET]);

/// Two bundles. Where a map is one long chain of operations, the second one hides the latency of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBundles<R>(pub Bundle<R>, pub Bundle<R>);

impl<R: Scalar> Bundle<R> {
    /// 0 in each place.
    pub const ZERO: Self = Self([R::ZERO; PACKET]);

    /// The number of places.
    pub(super) const WIDTH: usize = PACKET;

    /// The number at a place.
    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> R {
        self.0[place]
    }

    /// Sets the number at a place.
    #[inline(always)]
    pub(super) fn set(&mut self, place: usize, value: R) {
        self.0[place] = value;
    }

    /// Returns `self · factor + addend`.
    #[inline(always)]
    #[must_use]
    pub fn mul_add(self, factor: R, addend: Self) -> Self {
        Self(R::mul_add_packet(self.0, factor, addend.0))
    }
}

impl<R: Scalar> TwoBundles<R> {
    /// 0 in each place.
    pub const ZERO: Self = Self(Bundle::ZERO, Bundle::ZERO);

    /// The number of places.
    pub(super) const WIDTH: usize = 2 * PACKET;

    /// The number at a place.
    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> R {
        if place < PACKET { self.0.at(place) } else { self.1.at(place - PACKET) }
    }

    /// The values of a function at each place.
    #[inline(always)]
    pub(super) fn from_fn(value: impl Fn(usize) -> R) -> Self {
        Self(Bundle(places(&value)), Bundle(places(|place| value(PACKET + place))))
    }

    /// Returns `self · factor + addend`.
    #[inline(always)]
    #[must_use]
    pub fn mul_add(self, factor: R, addend: Self) -> Self {
        Self(self.0.mul_add(factor, addend.0), self.1.mul_add(factor, addend.1))
    }
}

impl<R: Scalar> Add for Bundle<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(R::add_packet(self.0, other.0))
    }
}

impl<R: Scalar> Sub for Bundle<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(R::subtract_packet(self.0, other.0))
    }
}

impl<R: Scalar> Neg for Bundle<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(R::scale_packet(self.0, -R::ONE))
    }
}

impl<R: Scalar> Mul<R> for Bundle<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: R) -> Self {
        Self(R::scale_packet(self.0, factor))
    }
}

impl<R: Scalar> Div<R> for Bundle<R> {
    type Output = Self;
    #[inline(always)]
    fn div(self, divisor: R) -> Self {
        Self(places(|place| self.0[place] / divisor))
    }
}

impl<R: Scalar> Add for TwoBundles<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

impl<R: Scalar> Sub for TwoBundles<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }
}

impl<R: Scalar> Neg for TwoBundles<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl<R: Scalar> Mul<R> for TwoBundles<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: R) -> Self {
        Self(self.0 * factor, self.1 * factor)
    }
}

impl<R: Scalar> Div<R> for TwoBundles<R> {
    type Output = Self;
    #[inline(always)]
    fn div(self, divisor: R) -> Self {
        Self(self.0 / divisor, self.1 / divisor)
    }
}
