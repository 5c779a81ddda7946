//! Double precision. It uses the elementary functions of the standard library, or those of `libm` without the standard library.

use super::{PACKET, Scalar, sinc, trigonometric};
use crate::error::SingularMass;
use crate::linalg::indefinite::Indefinite;
use crate::linalg::orthogonal::Columns;

/// The vector register that has the numbers of a packet.
#[cfg(target_feature = "avx512f")]
type Register = wide::f64x8;
/// The vector register that has the numbers of a packet.
#[cfg(not(target_feature = "avx512f"))]
type Register = wide::f64x4;

/// Calls a function of the standard library, or the corresponding function of `libm` without the standard library.
macro_rules! platform {
    ($standard:ident, $libm:ident, $($argument:expr),+) => {{
        #[cfg(feature = "std")]
        {
            f64::$standard($($argument),+)
        }
        #[cfg(not(feature = "std"))]
        {
            libm::$libm($($argument),+)
        }
    }};
}

/// Whether [`mul_add`] is one instruction with one rounding.
pub(super) const FUSED: bool = cfg!(all(feature = "std", any(target_feature = "fma", target_arch = "aarch64")));

/// Returns `a * b + c`. It is fused if the target has the instruction, and never a software call.
#[inline(always)]
pub(super) fn mul_add(a: f64, b: f64, c: f64) -> f64 {
    #[cfg(all(feature = "std", any(target_feature = "fma", target_arch = "aarch64")))]
    {
        f64::mul_add(a, b, c)
    }
    #[cfg(not(all(feature = "std", any(target_feature = "fma", target_arch = "aarch64"))))]
    {
        a * b + c
    }
}

impl Scalar for f64 {
    type Mask = bool;
    type Magnitude = f64;
    const LANES: usize = 1;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const EPSILON: f64 = f64::EPSILON;

    fn solve_indefinite(system: Indefinite<'_, Self>) -> Result<(), SingularMass> {
        system.solve()
    }
    fn factor_columns(columns: Columns<'_, Self>) -> (usize, f64) {
        columns.factor()
    }

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn from_parts(high: f64, _low: f64) -> Self {
        high
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        f64::abs(self)
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        mul_add(self, factor, addend)
    }

    // Compilers do not find these vector operations by themselves where thousands of them depend on one another.
    #[inline(always)]
    fn add_packet(a: [Self; PACKET], b: [Self; PACKET]) -> [Self; PACKET] {
        (Register::new(a) + Register::new(b)).to_array()
    }
    #[inline(always)]
    fn subtract_packet(a: [Self; PACKET], b: [Self; PACKET]) -> [Self; PACKET] {
        (Register::new(a) - Register::new(b)).to_array()
    }
    #[inline(always)]
    fn scale_packet(a: [Self; PACKET], factor: Self) -> [Self; PACKET] {
        (Register::new(a) * Register::splat(factor)).to_array()
    }
    #[inline(always)]
    fn mul_add_packet(a: [Self; PACKET], factor: Self, addend: [Self; PACKET]) -> [Self; PACKET] {
        let (a, factor, addend) = (Register::new(a), Register::splat(factor), Register::new(addend));
        if FUSED { a.mul_add(factor, addend) } else { a * factor + addend }.to_array()
    }
    // Compilers make a load and a store for each entry.
    #[inline(always)]
    fn transposed(rows: [[Self; 4]; 4]) -> [[Self; 4]; 4] {
        wide::f64x4::transpose(rows.map(wide::f64x4::new)).map(wide::f64x4::to_array)
    }

    #[inline]
    fn powf(self, exponent: Self) -> Self {
        platform!(powf, pow, self, exponent)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        platform!(sqrt, sqrt, self)
    }
    #[inline]
    fn cbrt(self) -> Self {
        platform!(cbrt, cbrt, self)
    }
    #[inline]
    fn exp(self) -> Self {
        platform!(exp, exp, self)
    }
    #[inline]
    fn ln(self) -> Self {
        platform!(ln, log, self)
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        trigonometric::sin_cos(self)
    }
    #[inline(always)]
    fn sin_cos_of<const L: usize>(angles: [Self; L]) -> ([Self; L], [Self; L]) {
        trigonometric::sin_cos_of(angles)
    }
    #[inline]
    fn tan(self) -> Self {
        platform!(tan, tan, self)
    }
    #[inline]
    fn asin(self) -> Self {
        platform!(asin, asin, self)
    }
    #[inline]
    fn acos(self) -> Self {
        platform!(acos, acos, self)
    }
    #[inline]
    fn atan(self) -> Self {
        platform!(atan, atan, self)
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        platform!(atan2, atan2, self, x)
    }
    #[inline]
    fn sinh(self) -> Self {
        platform!(sinh, sinh, self)
    }
    #[inline]
    fn cosh(self) -> Self {
        platform!(cosh, cosh, self)
    }
    #[inline]
    fn tanh(self) -> Self {
        platform!(tanh, tanh, self)
    }
    #[inline]
    fn hypot(self, other: Self) -> Self {
        Self::norm_of([self, other])
    }
    #[inline(always)]
    fn norm_of<const L: usize>(components: [Self; L]) -> Self {
        let mut sum = 0.0;
        for component in components {
            sum = Scalar::mul_add(component, component, sum);
        }
        // Within these bounds no square has overflowed. A square that has lost digits is below the rounding of the others.
        if (1e-280..=1e300).contains(&sum) { Scalar::sqrt(sum) } else { scaled_norm(&components) }
    }
    #[inline]
    fn sinc(self, order: u32) -> Self {
        sinc::derivative(self, order)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }
    #[inline(always)]
    fn sign(self) -> Self {
        // The sign of 0 is 0, and that of NaN is NaN.
        Self::select(f64::abs(self) > 0.0, 1.0_f64.copysign(self), self)
    }

    #[inline]
    fn floor(self) -> Self {
        platform!(floor, floor, self)
    }
    #[inline]
    fn modulo(self, divisor: Self) -> Self {
        // The remainder is exact and has the sign of the dividend.
        let rest = self % divisor;
        if rest != 0.0 && (rest < 0.0) != (divisor < 0.0) { rest + divisor } else { rest }
    }

    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn le(self, other: Self) -> bool {
        self <= other
    }
    #[inline(always)]
    fn equals(self, other: Self) -> bool {
        self == other
    }
    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
}

/// Returns the square root of a sum of squares, for components whose squares overflow or lose digits.
#[cold]
#[inline(never)]
fn scaled_norm(components: &[f64]) -> f64 {
    components.iter().fold(0.0, |length: f64, &component| platform!(hypot, hypot, length, component))
}

#[cfg(test)]
mod tests {
    use crate::scalar::Scalar;

    #[test]
    fn norms_are_good_to_two_roundings_and_do_not_overflow() {
        let parts = [0.0, 3.0, -4.0, 1e-9, 0.1, 7.3e5, -2.5e-5];
        for a in parts {
            for b in parts {
                let nearest = libm::hypot(a, b);
                assert!((Scalar::hypot(a, b) - nearest).abs() <= 2.0 * f64::EPSILON * nearest, "{a}, {b}");
            }
        }
        for scale in [1e160, 1e-200] {
            let seven = Scalar::norm_of([2.0 * scale, -3.0 * scale, 6.0 * scale]) / scale;
            assert!((seven - 7.0).abs() < 4e-15, "{scale}: {seven}");
        }
        assert_eq!((Scalar::norm_of([0.0; 3]), Scalar::norm_of([5e-324, 0.0])), (0.0, 5e-324));
        assert_eq!(Scalar::norm_of([1.0, f64::NEG_INFINITY]), f64::INFINITY);
        assert!(Scalar::norm_of([1.0, f64::NAN, 2.0]).is_nan());
    }

    #[test]
    fn zero_and_nan_are_their_own_sign() {
        assert_eq!(Scalar::sign(-3.0), -1.0);
        assert_eq!(Scalar::sign(1e-300), 1.0);
        assert_eq!(Scalar::sign(f64::NEG_INFINITY), -1.0);
        assert_eq!((Scalar::sign(0.0), Scalar::sign(-0.0)), (0.0, 0.0));
        assert!(Scalar::sign(f64::NAN).is_nan());
    }

    #[test]
    fn remainders_have_the_sign_of_the_divisor() {
        assert_eq!((Scalar::modulo(7.0, 3.0), Scalar::modulo(-7.0, 3.0)), (1.0, 2.0));
        assert_eq!((Scalar::modulo(7.0, -3.0), Scalar::modulo(-7.0, -3.0)), (-2.0, -1.0));
        assert_eq!((Scalar::modulo(-6.0, 3.0), Scalar::modulo(0.0, 3.0)), (0.0, 0.0));
        assert_eq!((Scalar::floor(-0.5), Scalar::floor(2.0), Scalar::floor(-2.0)), (-1.0, 2.0, -2.0));
        // The product of tiny operands of opposite signs is 0.
        assert_eq!(Scalar::modulo(-1e-200, 3e-200), 2e-200);
        for value in [Scalar::modulo(1.0, 0.0), Scalar::modulo(f64::INFINITY, 1.0), Scalar::floor(f64::NAN)] {
            assert!(value.is_nan());
        }
    }

    /// A remainder stays in its range and differs by whole periods, however the quotient is rounded.
    #[test]
    fn remainders_stay_in_their_range() {
        let divisors = [0.1, 0.7, 3.0, 1e-3, -0.1, -2.5];
        for divisor in divisors {
            for k in -2000..2000 {
                let multiple = f64::from(k) * divisor;
                for x in [multiple, multiple.next_up(), multiple.next_down(), multiple + 0.3 * divisor] {
                    let rest = Scalar::modulo(x, divisor);
                    assert!(rest * divisor.signum() >= 0.0 && rest.abs() <= divisor.abs(), "{x} {divisor}: {rest}");
                    let turns = (x - rest) / divisor;
                    assert!((turns - turns.round()).abs() < 1e-12, "{x} {divisor}: {turns}");
                }
            }
        }
    }

    #[test]
    fn the_smaller_and_the_larger_keep_nan() {
        assert_eq!((Scalar::min(1.0, 2.0), Scalar::min(2.0, 1.0)), (1.0, 1.0));
        assert_eq!((Scalar::max(1.0, 2.0), Scalar::max(2.0, 1.0)), (2.0, 2.0));
        assert_eq!((Scalar::min(f64::INFINITY, 3.0), Scalar::max(f64::NEG_INFINITY, 3.0)), (3.0, 3.0));
        for value in [Scalar::min(f64::NAN, 1.0), Scalar::min(1.0, f64::NAN), Scalar::max(f64::NAN, 1.0)] {
            assert!(value.is_nan());
        }
    }

    #[test]
    fn powers_of_zero_and_of_negative_numbers() {
        assert_eq!((Scalar::powi(0.0, 0), Scalar::powf(0.0, 0.0)), (1.0, 1.0));
        assert_eq!((Scalar::powi(-2.0, 5), Scalar::powi(-2.0, -3)), (-32.0, -0.125));
        assert_eq!(Scalar::powi(1.0, i32::MIN), 1.0);
        assert_eq!((Scalar::powf(-2.0, 2.0), Scalar::cbrt(-27.0)), (4.0, -3.0));
        assert!(Scalar::powf(-2.0_f64, 0.5).is_nan());
    }

    #[test]
    fn the_reciprocal_of_zero_is_zero_where_asked() {
        assert_eq!((0.0.recip_or_zero(), (-0.0).recip_or_zero(), 4.0.recip_or_zero()), (0.0, 0.0, 0.25));
        assert!(f64::NAN.recip_or_zero().is_nan());
    }
}
