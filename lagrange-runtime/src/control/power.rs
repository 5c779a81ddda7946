//! Approximate powers and logarithms for step control. They use no library function, so every platform gives the same bits.

const MANTISSA: u64 = (1 << 52) - 1;

/// Returns log₂ x of a non-negative number with an absolute error below 2e-4. For subnormal numbers the result is too small, but
/// not below −1024. Infinity gives 1024.
#[inline(always)]
pub(super) fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
    let t = f64::from_bits((bits & MANTISSA) | 1023 << 52) - 1.0;
    // log₂(1 + t) = t + t (1 − t) p(t), where p is a least-squares fit over [0, 1]. The next step waits for the result: what does
    // not depend on p is computed beside it.
    (f64::from(exponent) + t) + t * (1.0 - t) * (0.438_379 + t * (0.080_653 * t - 0.237_501))
}

/// Returns 2ʸ for |y| < 1000 with a relative error below 2e-4.
#[inline(always)]
pub(super) fn exp2(y: f64) -> f64 {
    // The sum with this number has no room for a fraction, so that it is rounded; a whole number then stands in its last bits.
    const ROUNDING: f64 = 6_755_399_441_055_744.0;
    let rounded = (y - 0.5) + ROUNDING;
    let t = y - (rounded - ROUNDING);
    let whole = f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52);
    // 2ᵗ = 1 + t − t (1 − t) p(t), where p is a least-squares fit over [0, 1].
    whole * ((1.0 + t) - t * (1.0 - t) * (0.304_143 + 0.079_145 * t))
}

#[cfg(test)]
mod tests {
    use super::{exp2, log2};

    #[test]
    fn powers_and_logarithms_are_close_enough_to_choose_a_step() {
        for k in 0..4000 {
            let y = f64::from(k) * 0.01 - 20.0;
            assert!((exp2(y) / y.exp2() - 1.0).abs() < 2e-4, "2^{y}");
            let x = y.exp2() * 1.2345;
            assert!((log2(x) - x.log2()).abs() < 2e-4, "log of {x}");
        }
    }

    #[test]
    fn no_error_and_an_infinite_one_have_finite_logarithms() {
        assert_eq!((log2(0.0), log2(1.0), log2(f64::INFINITY)), (-1023.0, 0.0, 1024.0));
        assert_eq!((exp2(0.0), exp2(-3.0)), (1.0, 0.125));
    }
}
