//! Elementary functions by a reduction of the argument and a Taylor series, or by one Newton step from the double's value.

use super::{DoubleDouble, Scalar, fast_product};
use core::f64::consts;

const PI: DoubleDouble = DoubleDouble { high: consts::PI, low: 1.2246467991473532e-16 };
const LN_2: DoubleDouble = DoubleDouble { high: consts::LN_2, low: 2.3190468138462996e-17 };

/// The four parts of π/2.
const HALF_PI: [f64; 4] = [consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591698e-33, 5.562271104316826e-50];

/// The largest angle. Beyond it a double no longer distinguishes quarter turns.
const LARGEST_ANGLE: f64 = 4503599627370496.0;

fn number(value: f64) -> DoubleDouble {
    DoubleDouble::from_f64(value)
}

/// Returns the sum of `first` and the terms after it, until they vanish. Term k ≥ 1 is `ratio(k)` times the term before it.
fn series(first: DoubleDouble, ratio: impl Fn(f64) -> DoubleDouble) -> DoubleDouble {
    let (mut sum, mut term) = (first, first);
    // Every series here ends within 40 terms for its reduced argument.
    for k in 1..40 {
        term *= ratio(f64::from(k));
        sum += term;
        if term.high.abs() <= sum.high.abs() * 1e-34 {
            break;
        }
    }
    sum
}

pub(super) fn square_root(x: DoubleDouble) -> DoubleDouble {
    let root = Scalar::sqrt(x.high);
    if x.high == 0.0 || !root.is_finite() {
        return number(root);
    }
    let remainder = x - fast_product(root, root);
    DoubleDouble::new(root, remainder.high / (2.0 * root))
}

pub(super) fn cube_root(x: DoubleDouble) -> DoubleDouble {
    let root = Scalar::cbrt(x.high);
    if x.high == 0.0 || !root.is_finite() {
        return number(root);
    }
    let square = fast_product(root, root);
    let remainder = x - square * number(root);
    DoubleDouble::new(root, remainder.high / (3.0 * square.high))
}

/// Returns eˣ = 2ᵏ e^r. The series gives s = e^(r/16) − 1. Then (1 + s)² − 1 = s(2 + s) doubles the exponent four times.
pub(super) fn exponential(x: DoubleDouble) -> DoubleDouble {
    let double = Scalar::exp(x.high);
    if double == 0.0 || !double.is_finite() {
        return number(double);
    }
    let k = nearest_integer(x.high / LN_2.high);
    let r = (x - LN_2 * number(k)).scale(1.0 / 16.0);
    let mut less_one = series(r, |n| r / number(n + 1.0));
    for _ in 0..4 {
        less_one *= less_one + number(2.0);
    }
    // The scaling takes two factors, because 2ᵏ itself may be out of range.
    let first = nearest_integer(0.5 * k);
    (less_one + DoubleDouble::ONE).scale(power_of_two(first)).scale(power_of_two(k - first))
}

/// Returns the logarithm y + 2 (x − e^y)/(x + e^y), where y is the logarithm of the double.
pub(super) fn logarithm(x: DoubleDouble) -> DoubleDouble {
    let double = Scalar::ln(x.high);
    if !double.is_finite() {
        return number(double);
    }
    let (y, shift) = (number(double), 0.5 * double);
    // Both sides are scaled by e^(−y/2), because e^y may overflow.
    let (left, right) = (x * exponential(number(-shift)), exponential(number(shift)));
    y + (left - right).scale(2.0) / (left + right)
}

pub(super) fn power(x: DoubleDouble, exponent: DoubleDouble) -> DoubleDouble {
    let integer = nearest_integer(exponent.high);
    if exponent.high.abs() < 1e9 && exponent == number(integer) {
        return x.powi(integer as i32);
    }
    let double = Scalar::powf(x.high, exponent.high);
    if double == 0.0 || !double.is_finite() {
        return number(double);
    }
    exponential(exponent * logarithm(x))
}

/// Returns the sine and cosine. The error is at least 10⁻³² |x|, because π has 62 digits here and x has 31. |x| > 2⁵² gives NaN.
pub(super) fn sine_and_cosine(x: DoubleDouble) -> (DoubleDouble, DoubleDouble) {
    if x.high.abs() > LARGEST_ANGLE || x.high.is_nan() {
        return (number(f64::NAN), number(f64::NAN));
    }
    let n = nearest_integer(x.high * consts::FRAC_2_PI);
    let r = HALF_PI.iter().fold(x, |rest, &part| rest - fast_product(n, part));
    let z = -(r * r);
    let sine = series(r, |k| z / number(2.0 * k * (2.0 * k + 1.0)));
    let cosine = series(DoubleDouble::ONE, |k| z / number(2.0 * k * (2.0 * k - 1.0)));
    match (n as i64).rem_euclid(4) {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// Returns the angle of the point (`x`, `y`). It is the double's angle, corrected by the sine of the remaining angle.
pub(super) fn angle(y: DoubleDouble, x: DoubleDouble) -> DoubleDouble {
    let double = Scalar::atan2(y.high, x.high);
    if y.high == 0.0 || !y.is_finite() || !x.is_finite() {
        // The angle is a multiple of π/4, or NaN.
        let quarters = nearest_integer(double * (4.0 / consts::PI));
        return if double == 0.0 { number(double) } else { PI * number(0.25 * quarters) };
    }
    let (sine, cosine) = sine_and_cosine(number(double));
    let lacking = (y * cosine - x * sine) / distance(y, x);
    number(double) + lacking
}

/// Returns √(1 − x²).
pub(super) fn cathetus(x: DoubleDouble) -> DoubleDouble {
    square_root((DoubleDouble::ONE - x) * (DoubleDouble::ONE + x))
}

pub(super) fn distance(a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let largest = a.high.abs().max(b.high.abs());
    if largest == 0.0 || !(a.is_finite() && b.is_finite()) {
        return number(Scalar::hypot(a.high, b.high));
    }
    // A division by a power of two near the larger component keeps the squares in range.
    let exponent = ((largest.to_bits() >> 52) as f64 - 1023.0).clamp(-1000.0, 1000.0);
    let (a, b) = (a.scale(power_of_two(-exponent)), b.scale(power_of_two(-exponent)));
    square_root(a * a + b * b).scale(power_of_two(exponent))
}

/// Returns sinh and cosh.
pub(super) fn hyperbolic(x: DoubleDouble) -> (DoubleDouble, DoubleDouble) {
    if x.high.abs() < 0.5 {
        let z = x * x;
        let sine = series(x, |k| z / number(2.0 * k * (2.0 * k + 1.0)));
        return (sine, square_root(DoubleDouble::ONE + sine * sine));
    }
    // The square of e^(|x|/2) is halved before it is formed, so that it overflows only if the result does.
    let root = exponential(x.abs().scale(0.5));
    let large = root.scale(0.5) * root;
    let small = large.recip().scale(0.25);
    ((large - small) * number(x.high.signum()), large + small)
}

pub(super) fn hyperbolic_tangent(x: DoubleDouble) -> DoubleDouble {
    // e^(−80) is below the last digit.
    if x.high.abs() > 40.0 {
        return number(x.high.signum());
    }
    let (sine, cosine) = hyperbolic(x);
    sine / cosine
}

/// Returns the nearest integer for |x| < 2⁵¹.
fn nearest_integer(x: f64) -> f64 {
    const ROUNDER: f64 = 6755399441055744.0;
    (x + ROUNDER) - ROUNDER
}

/// Returns 2ᵏ for an integer −1022 ≤ k ≤ 1023.
fn power_of_two(k: f64) -> f64 {
    f64::from_bits(((k + 1023.0) as u64) << 52)
}
