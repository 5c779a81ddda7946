//! Numbers of about 31 digits, made of pairs of doubles. They are a reference for methods whose errors vanish in double
//! precision.
//!
//! The arithmetic follows Dekker (Numer. Math. 18, 1971) and Knuth. Each operation keeps its own rounding error. It also works in
//! constants, in which the coefficients of methods are computed ([`crate::tableau::Coefficient`]).

mod elementary;

use super::double::{FUSED, mul_add};
use super::{Real, Scalar, sinc};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// The unevaluated sum of two doubles. The second is at most half a unit in the last place of the first.
///
/// Arithmetic has relative errors of a few 2⁻¹⁰⁴, and elementary functions of a few 10⁻³⁰. The range is that of `f64` without its
/// smallest 106 binary orders, in which the second double vanishes.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// Returns `high + low`. It is exact if the pair of doubles can represent the sum.
    #[inline]
    #[must_use]
    pub const fn new(high: f64, low: f64) -> Self {
        let sum = high + low;
        // A sum that is not finite has no remainder.
        if !sum.is_finite() {
            return Self { high: sum, low: 0.0 };
        }
        let added = sum - high;
        Self { high: sum, low: (high - (sum - added)) + (low - added) }
    }

    /// Returns the nearest double.
    #[inline]
    #[must_use]
    pub const fn high(self) -> f64 {
        self.high
    }

    /// Returns the difference to the nearest double.
    #[inline]
    #[must_use]
    pub const fn low(self) -> f64 {
        self.low
    }

    /// Returns `self` + `other`.
    #[inline]
    pub(crate) const fn plus(self, other: Self) -> Self {
        let high = Self::new(self.high, other.high);
        let low = Self::new(self.low, other.low);
        let sum = Self::new(high.high, high.low + low.high);
        Self::new(sum.high, sum.low + low.low)
    }

    /// Returns −`self`.
    #[inline]
    pub(crate) const fn negated(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }

    /// Returns `self` × `other`.
    #[inline]
    pub(crate) const fn times(self, other: Self) -> Self {
        self.completed(other, product(self.high, other.high))
    }

    /// Returns `self` × `other`, given the exact product of their first doubles.
    #[inline]
    const fn completed(self, other: Self, product: Self) -> Self {
        if !product.high.is_finite() {
            return product;
        }
        Self::new(product.high, product.low + (self.high * other.low + self.low * other.high))
    }

    /// Returns `self` / `other`.
    #[inline]
    pub(crate) const fn over(self, other: Self) -> Self {
        let first = self.high / other.high;
        if !first.is_finite() || other.high.is_infinite() {
            return Self { high: first, low: 0.0 };
        }
        let remainder = self.plus(other.times(Self { high: first, low: 0.0 }).negated());
        let second = remainder.high / other.high;
        let third = remainder.plus(other.times(Self { high: second, low: 0.0 }).negated()).high / other.high;
        let quotient = Self::new(first, second);
        Self::new(quotient.high, quotient.low + third)
    }

    /// Returns the product with a power of two, which rounds nothing.
    #[inline]
    fn scale(self, factor: f64) -> Self {
        Self { high: self.high * factor, low: self.low * factor }
    }
}

/// Returns the exact product of two doubles, computed from halves of their digits.
#[inline]
const fn product(a: f64, b: f64) -> DoubleDouble {
    let high = a * b;
    if !high.is_finite() {
        return DoubleDouble { high, low: 0.0 };
    }
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    DoubleDouble { high, low: ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low }
}

/// Returns the exact product of two doubles, by one fused instruction if the target has it.
#[inline]
fn fast_product(a: f64, b: f64) -> DoubleDouble {
    let high = a * b;
    if FUSED && high.is_finite() { DoubleDouble { high, low: mul_add(a, b, -high) } } else { product(a, b) }
}

/// Splits a double into the upper and the lower half of its digits.
#[inline]
const fn split(a: f64) -> (f64, f64) {
    let high = f64::from_bits(a.to_bits() & !0x7ff_ffff);
    (high, a - high)
}

impl Add for DoubleDouble {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        self.completed(other, fast_product(self.high, other.high))
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        self.over(other)
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.negated()
    }
}

macro_rules! assigning {
    ($($trait:ident $method:ident $operator:tt;)*) => {$(
        impl $trait for DoubleDouble {
            #[inline]
            fn $method(&mut self, other: Self) {
                *self = *self $operator other;
            }
        }
    )*};
}

assigning! {
    AddAssign add_assign +;
    SubAssign sub_assign -;
    MulAssign mul_assign *;
    DivAssign div_assign /;
}

impl Real for DoubleDouble {}

impl Scalar for DoubleDouble {
    type Mask = bool;
    type Magnitude = f64;
    const LANES: usize = 1;
    const ZERO: Self = Self { high: 0.0, low: 0.0 };
    const ONE: Self = Self { high: 1.0, low: 0.0 };
    /// The error of arithmetic, 2⁻¹⁰⁴. The distance to the next number varies.
    const EPSILON: f64 = f64::EPSILON * f64::EPSILON;

    #[inline]
    fn from_f64(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }
    #[inline]
    fn from_parts(high: f64, low: f64) -> Self {
        Self::new(high, low)
    }
    #[inline]
    fn to_f64(self) -> f64 {
        self.high
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        f64::abs(self.to_f64())
    }

    fn powf(self, exponent: Self) -> Self {
        elementary::power(self, exponent)
    }
    fn sqrt(self) -> Self {
        elementary::square_root(self)
    }
    fn cbrt(self) -> Self {
        elementary::cube_root(self)
    }
    fn exp(self) -> Self {
        elementary::exponential(self)
    }
    fn ln(self) -> Self {
        elementary::logarithm(self)
    }
    fn sin_cos(self) -> (Self, Self) {
        elementary::sine_and_cosine(self)
    }
    fn tan(self) -> Self {
        let (sine, cosine) = self.sin_cos();
        sine / cosine
    }
    fn asin(self) -> Self {
        elementary::angle(self, elementary::cathetus(self))
    }
    fn acos(self) -> Self {
        elementary::angle(elementary::cathetus(self), self)
    }
    fn atan(self) -> Self {
        elementary::angle(self, Self::ONE)
    }
    fn atan2(self, x: Self) -> Self {
        elementary::angle(self, x)
    }
    fn sinh(self) -> Self {
        elementary::hyperbolic(self).0
    }
    fn cosh(self) -> Self {
        elementary::hyperbolic(self).1
    }
    fn tanh(self) -> Self {
        elementary::hyperbolic_tangent(self)
    }
    fn hypot(self, other: Self) -> Self {
        elementary::distance(self, other)
    }
    fn sinc(self, order: u32) -> Self {
        sinc::derivative(self, order)
    }

    #[inline]
    fn abs(self) -> Self {
        if self.high.is_sign_negative() { -self } else { self }
    }
    #[inline]
    fn sign(self) -> Self {
        Self::from_f64(Scalar::sign(self.high))
    }

    #[inline]
    fn floor(self) -> Self {
        let high = Scalar::floor(self.high);
        // If the first double is whole, the second one decides.
        if high == self.high { Self::new(high, Scalar::floor(self.low)) } else { Self::from_f64(high) }
    }
    #[inline]
    fn modulo(self, divisor: Self) -> Self {
        let rest = self - divisor * (self / divisor).floor();
        // The rounding of the quotient may have crossed a whole number.
        if rest != Self::ZERO && (rest < Self::ZERO) != (divisor < Self::ZERO) {
            rest + divisor
        } else if rest.abs() >= divisor.abs() {
            rest - divisor
        } else {
            rest
        }
    }

    #[inline]
    fn lt(self, other: Self) -> bool {
        self < other
    }
    #[inline]
    fn le(self, other: Self) -> bool {
        self <= other
    }
    #[inline]
    fn equals(self, other: Self) -> bool {
        self == other
    }
    #[inline]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline]
    fn is_finite(self) -> bool {
        self.high.is_finite()
    }
}

#[cfg(test)]
mod tests;
