//! Elementary functions of single precision in single precision: no operation of theirs is one of doubles. They serve processors whose
//! hardware has single precision only, where each operation of doubles is a call of tens of instructions. Exponential functions,
//! logarithms and the inverse tangent are those of `libm`, which are single too.

/// The bits of 2/π behind the binary point, after 32 zeros.
const TWO_OVER_PI: [u32; 8] =
    [0, 0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041, 0xfe51_63ab];

/// π/2 in units of 2⁻³¹, rounded.
const HALF_PI: u64 = 0xc90f_daa2;

/// The reduced argument: |x| = n·π/2 + `r` + `delta`, with |r| ≤ π/4.
struct Remainder {
    /// n modulo 4.
    quadrant: u32,
    r: f32,
    /// What rounding has taken from r.
    delta: f32,
}

/// Reduces a finite |x| ≥ 2⁻²⁴ in integers, after M. H. Payne and R. N. Hanek, *SIGNUM Newsletter* 18 (1983) 19.
///
/// Bits of 2/π whose products with x are multiples of 4 are left out. The 96 bits behind them give n and 62 bits of the fraction. No
/// number of single precision is closer to a multiple of π/2 than 2⁻³⁰ of a quarter turn, so that 32 bits of the remainder are right.
fn reduce(x: f32) -> Remainder {
    let bits = x.to_bits();
    let mantissa = u64::from((bits & 0x007f_ffff) | 0x0080_0000);
    let exponent = (bits >> 23) & 0xff;
    // |x| is mantissa · 2^(exponent − 150), and the first bit of the window has the weight 2 in the product.
    let first = exponent.saturating_sub(120);
    let word = |k: u32| {
        let at = |index: u32| u64::from(TWO_OVER_PI.get(index as usize).copied().unwrap_or(0));
        let index = first / 32 + k;
        ((((at(index) << 32) | at(index + 1)) << (first % 32)) >> 32) & 0xffff_ffff
    };
    let high = (mantissa * word(0)) << 32;
    let product = high.wrapping_add(mantissa * word(1)).wrapping_add((mantissa * word(2)) >> 32);
    let quadrant = product.wrapping_add(1 << 61) >> 62;
    let fraction = product.wrapping_sub(quadrant << 62).cast_signed();
    // fraction = leading · 2^(32 − zeros), and the remainder is `turned` · 2^(−61 − zeros).
    let zeros = fraction.unsigned_abs().leading_zeros();
    let leading = (fraction.unsigned_abs().unbounded_shl(zeros)) >> 32;
    let turned = leading * HALF_PI;
    let above = turned.leading_zeros();
    let turned = turned.unbounded_shl(above);
    let unit = f32::from_bits((106_u32.saturating_sub(zeros + above)) << 23);
    let signed = |part: u64, unit: f32| {
        let size = (part & 0x00ff_ffff) as f32 * unit;
        if fraction < 0 { -size } else { size }
    };
    Remainder {
        quadrant: (quadrant & 3) as u32,
        r: signed(turned >> 40, unit),
        delta: signed(turned >> 16, unit * (1.0 / 16_777_216.0)),
    }
}

/// Returns the sine and the cosine. The error is below 0.9 units in the last place for all angles.
#[inline]
pub(super) fn sin_cos(x: f32) -> (f32, f32) {
    if x.abs() <= core::f32::consts::FRAC_PI_4 {
        let (sine, cosine) = near_zero(x, 0.0);
        // Without this the sine of −0 would be 0.
        return (sine.copysign(x), cosine);
    }
    if !x.is_finite() {
        return (f32::NAN, f32::NAN);
    }
    let Remainder { quadrant, r, delta } = reduce(x);
    let (sine, cosine) = near_zero(r, delta);
    let (sine, cosine) = match quadrant {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    };
    (if x < 0.0 { -sine } else { sine }, cosine)
}

/// Returns the sine and the cosine of r + δ for |r| ≤ π/4. The coefficients are those of S. L. Moshier's Cephes library.
#[inline]
fn near_zero(r: f32, delta: f32) -> (f32, f32) {
    let z = r * r;
    let cube = (-1.951_529_6e-4 * z + 8.332_161e-3) * z - 0.166_666_55;
    let sine = r + (r * z * cube + delta);
    let rest = (2.443_315_7e-5 * z - 1.388_731_6e-3) * z + 4.166_664_6e-2;
    let half = 0.5 * z;
    let parabola = 1.0 - half;
    (sine, parabola + (((1.0 - parabola) - half) + (z * z * rest - r * delta)))
}

/// Returns the tangent. The error is below 2 units in the last place.
pub(super) fn tan(x: f32) -> f32 {
    let (sine, cosine) = sin_cos(x);
    sine / cosine
}

/// Returns the inverse sine. The error is below 2 units in the last place.
pub(super) fn asin(x: f32) -> f32 {
    libm::atan2f(x, libm::sqrtf((1.0 - x) * (1.0 + x)))
}

/// Returns the cube root. The error is below 0.8 units in the last place.
///
/// A third of the exponent is the first guess, good to 5 bits. A step of Halley's method triples these. The square of its first 12 bits
/// is exact, so that a second step loses nothing before its last sum.
pub(super) fn cbrt(x: f32) -> f32 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let is_subnormal = x.abs() < f32::MIN_POSITIVE;
    let scaled = if is_subnormal { x.abs() * 16_777_216.0 } else { x.abs() };
    let improved = |root: f32| {
        let quotient = scaled / (root * root);
        root + root * (quotient - root) / (root + root + quotient)
    };
    let guess = improved(f32::from_bits(scaled.to_bits() / 3 + 709_958_130));
    let short = f32::from_bits((guess.to_bits() + 0x800) & !0xfff);
    let root = improved(short);
    (if is_subnormal { root * (1.0 / 256.0) } else { root }).copysign(x)
}

/// Returns √(a² + b²). The error is below 1.3 units in the last place, and neither square overflows.
pub(super) fn hypot(a: f32, b: f32) -> f32 {
    const LARGE: f32 = 1.267_650_6e30;
    let length = |scale: f32| {
        let (a, b) = (a * scale, b * scale);
        libm::sqrtf(a * a + b * b) / scale
    };
    let largest = a.abs().max(b.abs());
    if a.is_infinite() || b.is_infinite() {
        f32::INFINITY
    } else if largest > 1e18 {
        length(1.0 / LARGE)
    } else if largest < 1e-14 {
        length(LARGE)
    } else {
        length(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::reference::Numbers;

    /// The error of `result` in units in the last place.
    fn units(result: f32, exact: f64) -> f64 {
        let nearest = exact as f32;
        let unit = f64::from(nearest.abs().next_up() - nearest.abs());
        (f64::from(result) - exact).abs() / unit
    }

    /// Checks a function at points of all magnitudes, and returns its largest error.
    fn worst(points: impl Iterator<Item = f32>, error: impl Fn(f32) -> f64) -> f64 {
        let mut worst = 0.0;
        for x in points {
            let found = error(x);
            assert!(found.is_finite(), "{x:e}");
            worst = found.max(worst);
        }
        worst
    }

    /// Every 5003rd number of single precision whose magnitude is from `low` to `high`, with both signs.
    fn numbers(low: f32, high: f32) -> impl Iterator<Item = f32> {
        (low.to_bits()..=high.to_bits()).step_by(5003).flat_map(|bits| [f32::from_bits(bits), -f32::from_bits(bits)])
    }

    #[test]
    fn sines_and_cosines_of_all_magnitudes() {
        let error = |x: f32| {
            let (sine, cosine) = sin_cos(x);
            units(sine, libm::sin(f64::from(x))).max(units(cosine, libm::cos(f64::from(x))))
        };
        let everywhere = worst(numbers(1e-30, f32::MAX), error);
        let usual = worst(Numbers(1).take(300_000).map(|x| (20.0 * x) as f32), error);
        assert!(everywhere < 0.9 && usual < 0.9, "{everywhere} {usual}");
    }

    #[test]
    fn sines_next_to_multiples_of_a_quarter_turn() {
        // The last number is the one of single precision that is closest to a multiple, 2⁻³⁰ away.
        let near = (1..40_000).map(|k| (f64::from(k) * std::f64::consts::FRAC_PI_2) as f32);
        let closest = [16_367_173.0 * 4.722_366_5e21];
        let error = |x: f32| {
            let (sine, cosine) = sin_cos(x);
            units(sine, libm::sin(f64::from(x))).max(units(cosine, libm::cos(f64::from(x))))
        };
        let worst = worst(near.chain(closest), error);
        assert!(worst < 0.9, "{worst}");
    }

    #[test]
    fn ends_and_zeros() {
        assert!(sin_cos(f32::INFINITY).0.is_nan() && sin_cos(f32::NAN).1.is_nan());
        assert_eq!(sin_cos(-0.0).0.to_bits(), (-0.0_f32).to_bits());
        assert_eq!(sin_cos(f32::from_bits(1)), (f32::from_bits(1), 1.0));
        assert_eq!((cbrt(-0.0).to_bits(), cbrt(f32::NEG_INFINITY)), ((-0.0_f32).to_bits(), f32::NEG_INFINITY));
        assert!(cbrt(f32::NAN).is_nan() && asin(1.1).is_nan() && hypot(1.0, f32::NAN).is_nan());
        assert_eq!((hypot(f32::NEG_INFINITY, 1.0), hypot(0.0, 0.0), hypot(3e38, 0.0)), (f32::INFINITY, 0.0, 3e38));
        assert_eq!((asin(1.0), asin(-1.0)), (std::f32::consts::FRAC_PI_2, -std::f32::consts::FRAC_PI_2));
    }

    #[test]
    fn the_other_functions() {
        let root = worst(numbers(f32::from_bits(1), f32::MAX), |x| units(cbrt(x), libm::cbrt(f64::from(x))));
        let tangent = worst(numbers(1e-30, 1e10), |x| units(tan(x), libm::tan(f64::from(x))));
        let inverse = worst(numbers(1e-30, 1.0), |x| units(asin(x), libm::asin(f64::from(x))));
        let length = worst(numbers(1e-44, 2e38), |x| {
            let other = x * 0.7;
            units(hypot(x, other), libm::hypot(f64::from(x), f64::from(other)))
        });
        assert!(root < 0.8 && tangent < 2.0 && inverse < 2.0 && length < 1.3, "{root} {tangent} {inverse} {length}");
    }
}
