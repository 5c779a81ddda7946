//! One coefficient: its digits, and their value as the sum of two doubles.

use super::Parts;
use crate::scalar::Scalar;

/// A coefficient as it is printed: a fraction of integers, or a decimal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficient {
    /// The digits: `-7200/2197`, `0.161`, `2.76e-2`.
    pub text: &'static str,
    high: f64,
    low: f64,
}

impl Coefficient {
    /// 0.
    pub const ZERO: Self = Self { text: "0", high: 0.0, low: 0.0 };

    /// The coefficient with these digits; used in constants, where text that is no number does not compile.
    pub(super) const fn new(text: &'static str) -> Self {
        let digits = text.as_bytes();
        let (numerator, end) = decimal(digits, 0);
        if end == digits.len() {
            return Self { text, high: numerator.0, low: numerator.1 };
        }
        assert!(digits[end] == b'/', "a coefficient is a decimal or a fraction");
        let (denominator, end) = decimal(digits, end + 1);
        assert!(end == digits.len(), "a coefficient is a decimal or a fraction");
        let value = divide(numerator, denominator);
        Self { text, high: value.0, low: value.1 }
    }

    /// Whether it vanishes.
    #[inline(always)]
    pub const fn is_zero(self) -> bool {
        self.high == 0.0
    }

    /// The nearest scalar, to about 31 digits.
    #[inline(always)]
    pub fn value<R: Scalar>(self) -> R {
        R::from_parts(self.high, self.low)
    }

    /// `self` − `other`, to about 31 digits of the larger one.
    pub const fn minus(self, other: Self) -> Parts {
        let (high, low) = add((self.high, self.low), (-other.high, -other.low));
        Parts { high, low }
    }

    /// The differences of two vectors, entry by entry.
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

/// The unevaluated sum of two doubles.
type Pair = (f64, f64);

/// The decimal that starts at `start`, and where it ends.
const fn decimal(digits: &[u8], start: usize) -> (Pair, usize) {
    let mut at = start;
    let negative = at < digits.len() && digits[at] == b'-';
    if negative {
        at += 1;
    }
    let first = at;
    let (mut value, mut exponent, mut fraction) = ((0.0, 0.0), 0_i32, false);
    while at < digits.len() {
        match digits[at] {
            digit @ b'0'..=b'9' => {
                value = add(multiply(value, (10.0, 0.0)), ((digit - b'0') as f64, 0.0));
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
    let (mut ten, mut left) = ((1.0, 0.0), exponent.unsigned_abs());
    while left > 0 {
        ten = multiply(ten, (10.0, 0.0));
        left -= 1;
    }
    value = if exponent < 0 { divide(value, ten) } else { multiply(value, ten) };
    (if negative { (-value.0, -value.1) } else { value }, at)
}

/// The rounded sum of two doubles, and what it lost.
const fn two_sum(a: f64, b: f64) -> Pair {
    let sum = a + b;
    let added = sum - a;
    (sum, (a - (sum - added)) + (b - added))
}

/// The rounded product of two doubles, and what it lost (T. J. Dekker, Numer. Math. 18, 1971).
const fn two_product(a: f64, b: f64) -> Pair {
    const HALF: u64 = !0x7ff_ffff;
    let product = a * b;
    let (a_high, b_high) = (f64::from_bits(a.to_bits() & HALF), f64::from_bits(b.to_bits() & HALF));
    let (a_low, b_low) = (a - a_high, b - b_high);
    (product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low)
}

const fn add(a: Pair, b: Pair) -> Pair {
    let high = two_sum(a.0, b.0);
    let low = two_sum(a.1, b.1);
    let sum = two_sum(high.0, high.1 + low.0);
    two_sum(sum.0, sum.1 + low.1)
}

const fn multiply(a: Pair, b: Pair) -> Pair {
    let product = two_product(a.0, b.0);
    two_sum(product.0, product.1 + (a.0 * b.1 + a.1 * b.0))
}

const fn divide(a: Pair, b: Pair) -> Pair {
    let first = a.0 / b.0;
    let whole = multiply(b, (first, 0.0));
    let remainder = add(a, (-whole.0, -whole.1));
    let second = remainder.0 / b.0;
    let part = multiply(b, (second, 0.0));
    let third = add(remainder, (-part.0, -part.1)).0 / b.0;
    let quotient = two_sum(first, second);
    two_sum(quotient.0, quotient.1 + third)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::DoubleDouble;

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
