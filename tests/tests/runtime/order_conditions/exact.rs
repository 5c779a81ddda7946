//! Numbers without rounding, and with rounding far below what is tested.

use dashu_float::FBig;
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::ops::{Add, Mul, Sub};

/// A decimal number of 220 bits.
pub(crate) type Number = FBig;

/// What order conditions need of a number.
pub(crate) trait Exact: Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// A fraction of small integers.
    fn fraction(numerator: i64, denominator: i64) -> Self;
    /// A coefficient as it is printed.
    fn parse(text: &str) -> Self;
    /// |value|, rounded, and more than 0 where the value is not 0.
    fn size(&self) -> f64;
    /// Whether it vanishes.
    fn is_zero(&self) -> bool;
    /// 1.
    fn one() -> Self {
        Self::fraction(1, 1)
    }
}

impl Exact for RBig {
    fn fraction(numerator: i64, denominator: i64) -> Self {
        Self::from(IBig::from(numerator)) / Self::from(IBig::from(denominator))
    }

    fn parse(text: &str) -> Self {
        match text.split_once('/') {
            Some((numerator, denominator)) => decimal(numerator) / decimal(denominator),
            None => decimal(text),
        }
    }

    fn size(&self) -> f64 {
        let value = self.to_f64().value().abs();
        if self.is_zero() { value } else { value.max(f64::MIN_POSITIVE) }
    }

    fn is_zero(&self) -> bool {
        *self == RBig::ZERO
    }
}

impl Exact for Number {
    fn fraction(numerator: i64, denominator: i64) -> Self {
        let wide = |value: i64| FBig::from(value).with_precision(220).value();
        wide(numerator) / wide(denominator)
    }

    fn parse(text: &str) -> Self {
        let exact = RBig::parse(text);
        let wide = |value: IBig| FBig::from(value).with_precision(220).value();
        wide(exact.numerator().clone()) / wide(exact.denominator().clone().into())
    }

    fn size(&self) -> f64 {
        self.to_f64().value().abs()
    }

    fn is_zero(&self) -> bool {
        *self == Number::ZERO
    }
}

/// A decimal, `-1.25e-3`, as a fraction.
fn decimal(text: &str) -> RBig {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: IBig = format!("{whole}{part}").parse().expect("digits");
    let exponent: i64 = exponent.parse::<i64>().expect("an exponent") - i64::try_from(part.len()).expect("few digits");
    let power = RBig::from(IBig::from(10).pow(usize::try_from(exponent.unsigned_abs()).expect("a small exponent")));
    if exponent < 0 { RBig::from(digits) / power } else { RBig::from(digits) * power }
}
