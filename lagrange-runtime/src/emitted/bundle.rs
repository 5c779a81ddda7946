//! Several arguments of a linear map at once.

use crate::scalar::Scalar;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// The numbers of a packet: four double numbers fill a vector register of AVX2.
const PACKET: usize = 4;

/// Numbers that a linear map treats alike, such as entries of several right-hand sides or derivatives in several directions, in `K` packets of
/// four. The factors of the map are single numbers.
///
/// One packet suffices where a map has many independent operations; two hide the latency of a map that is one long chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bundle<R, const K: usize>(pub [[R; PACKET]; K]);

impl<R: Scalar, const K: usize> Bundle<R, K> {
    /// 0 in each place.
    pub const ZERO: Self = Self([[R::ZERO; PACKET]; K]);

    /// How many numbers a bundle has.
    pub(super) const WIDTH: usize = PACKET * K;

    /// The number at a place below `WIDTH`.
    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> R {
        self.0[place / PACKET][place % PACKET]
    }

    /// Sets the number at a place below `WIDTH`.
    #[inline(always)]
    pub(super) fn set(&mut self, place: usize, value: R) {
        self.0[place / PACKET][place % PACKET] = value;
    }

    /// Returns `self · factor + addend`.
    #[inline(always)]
    #[must_use]
    pub fn mul_add(mut self, factor: R, addend: Self) -> Self {
        for (packet, addend) in self.0.iter_mut().zip(addend.0) {
            *packet = R::mul_add_packet(*packet, factor, addend);
        }
        self
    }
}

impl<R: Scalar, const K: usize> Add for Bundle<R, K> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        for (packet, other) in self.0.iter_mut().zip(other.0) {
            *packet = R::add_packet(*packet, other);
        }
        self
    }
}

impl<R: Scalar, const K: usize> Sub for Bundle<R, K> {
    type Output = Self;
    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        for (packet, other) in self.0.iter_mut().zip(other.0) {
            *packet = R::subtract_packet(*packet, other);
        }
        self
    }
}

impl<R: Scalar, const K: usize> Neg for Bundle<R, K> {
    type Output = Self;
    #[inline(always)]
    fn neg(mut self) -> Self {
        for packet in &mut self.0 {
            *packet = packet.map(R::neg);
        }
        self
    }
}

impl<R: Scalar, const K: usize> Mul<R> for Bundle<R, K> {
    type Output = Self;
    #[inline(always)]
    fn mul(mut self, factor: R) -> Self {
        for packet in &mut self.0 {
            *packet = R::scale_packet(*packet, factor);
        }
        self
    }
}

impl<R: Scalar, const K: usize> Div<R> for Bundle<R, K> {
    type Output = Self;
    #[inline(always)]
    fn div(mut self, divisor: R) -> Self {
        for packet in &mut self.0 {
            *packet = packet.map(|value| value / divisor);
        }
        self
    }
}
