//! A coefficient of a tableau: its printed digits, and their value as the sum of two doubles.

use super::Parts;
use crate::scalar::{DoubleDouble, Scalar};

/// A coefficient as it is printed, either a fraction of integers or a decimal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficient {
    /// The digits, such as `-7200/2197`, `0.161` or `2.76e-2`.
    pub text: &'static str,
    number: DoubleDouble,
}

impl Coefficient {
    /// The coefficient 0.
    pub const ZERO: Self = Self { text: "0", number: DoubleDouble::ZERO };

    /// Returns the coefficient with these digits. It is used in constants, where a text that is no number does not compile.
    pub(super) const fn new(text: &'static str) -> Self {
        let digits = text.as_bytes();
        let (numerator, end) = decimal(digits, 0);
        if end == digits.len() {
            return Self { text, number: numerator };
        }
        assert!(digits[end] == b'/', "a coefficient is a decimal or a fraction");
        let (denominator, end) = decimal(digits, end + 1);
        assert!(end == digits.len(), "a coefficient is a decimal or a fraction");
        Self { text, number: numerator.over(denominator) }
    }

    /// Whether the coefficient is 0.
    #[inline(always)]
    pub const fn is_zero(self) -> bool {
        self.number.high() == 0.0
    }

    /// Returns the nearest scalar, to about 31 digits.
    #[inline(always)]
    pub fn value<R: Scalar>(self) -> R {
        R::from_parts(self.number.high(), self.number.low())
    }

    /// Returns `self` − `other`, to about 31 digits of the larger one.
    pub const fn minus(self, other: Self) -> Parts {
        let difference = self.number.plus(other.number.negated());
        Parts { high: difference.high(), low: difference.low() }
    }

    /// Returns the differences of two vectors, entry by entry.
    pub(crate) const fn differences<const LENGTH: usize>(a: &[Self; LENGTH], b: &[Self; LENGTH]) -> [Parts; LENGTH] {
        let mut differences = [Parts { high: 0.0, low: 0.0 }; LENGTH];
        let mut k = 0;
        while k < LENGTH {
            differences[k] = a[k].minus(b[k]);
            k += 1;
        }
        differences
    }
}

const TEN: DoubleDouble = DoubleDouble::new(10.0, 0.0);

/// Returns the decimal that starts at `start`, and the position at which it ends.
const fn decimal(digits: &[u8], start: usize) -> (DoubleDouble, usize) {
    let mut at = start;
    let negative = at < digits.len() && digits[at] == b'-';
    if negative {
        at += 1;
    }
    let first = at;
    let (mut value, mut exponent, mut fraction) = (DoubleDouble::ZERO, 0_i32, false);
    while at < digits.len() {
        match digits[at] {
            digit @ b'0'..=b'9' => {
                value = value.times(TEN).plus(DoubleDouble::new((digit - b'0') as f64, 0.0));
                if fraction {
                    exponent -= 1;
                }
            }
            b'.' => fraction = true,
            _ => break,
        }
        at += 1;
    }
    assert!(at > first, "a coefficient has digits");
    if at < digits.len() && digits[at] == b'e' {
        at += 1;
        let below = digits[at] == b'-';
        if below {
            at += 1;
        }
        let mut power = 0;
        while at < digits.len() && digits[at].is_ascii_digit() {
            power = power * 10 + (digits[at] - b'0') as i32;
            at += 1;
        }
        exponent += if below { -power } else { power };
    }
    let (mut power, mut left) = (DoubleDouble::ONE, exponent.unsigned_abs());
    while left > 0 {
        power = power.times(TEN);
        left -= 1;
    }
    value = if exponent < 0 { value.over(power) } else { value.times(power) };
    (if negative { value.negated() } else { value }, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_rounded_correctly() {
        for (text, value) in [("1/3", 1.0 / 3.0), ("-7200/2197", -7200.0 / 2197.0), ("28561/56430", 28561.0 / 56430.0)]
        {
            assert_eq!(Coefficient::new(text).value::<f64>(), value, "{text}");
        }
    }

    #[test]
    fn decimals_are_rounded_correctly() {
        for text in
            ["0.161", "-54.43015693531650356362661113962531089783", "2.76e-2", "0.5260015195876773187855875e-1", "3e3"]
        {
            assert_eq!(Coefficient::new(text).value::<f64>(), text.parse::<f64>().unwrap(), "{text}");
        }
    }

    #[test]
    fn the_second_double_is_the_remainder() {
        let third = Coefficient::new("0.333333333333333333333333333333333333333333").value::<DoubleDouble>();
        let exact = DoubleDouble::from_f64(1.0) / DoubleDouble::from_f64(3.0);
        assert!((third - exact).to_f64().abs() < 1e-31);
        let none: DoubleDouble = Coefficient::new("1/3").minus(Coefficient::new("0.25")).value();
        assert!((none * DoubleDouble::from_f64(12.0) - DoubleDouble::from_f64(1.0)).to_f64().abs() < 1e-31);
    }
}
