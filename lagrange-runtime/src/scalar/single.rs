//! Single precision. With the standard library, elementary functions are computed in double precision and rounded once. Without it,
//! they are computed in single precision alone, for processors that have nothing else.

#[cfg(any(test, not(feature = "std")))]
mod alone;

use super::Scalar;
#[cfg(not(feature = "std"))]
use super::sinc;
use crate::error::SingularMass;
use crate::linalg::indefinite::Indefinite;
use crate::linalg::orthogonal::Columns;

/// Computes a function in double precision and rounds it, or calls one of single precision without the standard library.
macro_rules! elementary {
    ($wide:expr, $alone:expr) => {{
        #[cfg(feature = "std")]
        {
            $wide as f32
        }
        #[cfg(not(feature = "std"))]
        {
            $alone
        }
    }};
}

impl Scalar for f32 {
    type Mask = bool;
    type Magnitude = f32;
    const LANES: usize = 1;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const EPSILON: f64 = f32::EPSILON as f64;

    fn solve_indefinite(system: Indefinite<'_, Self>) -> Result<(), SingularMass> {
        system.solve()
    }
    fn factor_columns(columns: Columns<'_, Self>) -> (usize, f64) {
        columns.factor()
    }

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as f32
    }
    #[inline(always)]
    fn from_parts(high: f64, _low: f64) -> Self {
        high as f32
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn magnitude(self) -> f32 {
        f32::abs(self)
    }
    #[inline(always)]
    fn from_count(count: u64) -> Self {
        count as f32
    }

    #[cfg(all(feature = "std", any(target_feature = "fma", target_arch = "aarch64")))]
    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        f32::mul_add(self, factor, addend)
    }

    #[inline]
    fn powf(self, exponent: Self) -> Self {
        elementary!(Scalar::powf(f64::from(self), f64::from(exponent)), libm::powf(self, exponent))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        #[cfg(feature = "std")]
        {
            f32::sqrt(self)
        }
        #[cfg(not(feature = "std"))]
        {
            libm::sqrtf(self)
        }
    }
    #[inline]
    fn cbrt(self) -> Self {
        elementary!(Scalar::cbrt(f64::from(self)), alone::cbrt(self))
    }
    #[inline]
    fn exp(self) -> Self {
        elementary!(Scalar::exp(f64::from(self)), libm::expf(self))
    }
    #[inline]
    fn ln(self) -> Self {
        elementary!(Scalar::ln(f64::from(self)), libm::logf(self))
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        #[cfg(feature = "std")]
        {
            let (sine, cosine) = Scalar::sin_cos(f64::from(self));
            (sine as f32, cosine as f32)
        }
        #[cfg(not(feature = "std"))]
        {
            alone::sin_cos(self)
        }
    }
    #[inline]
    fn tan(self) -> Self {
        elementary!(Scalar::tan(f64::from(self)), alone::tan(self))
    }
    #[inline]
    fn asin(self) -> Self {
        elementary!(Scalar::asin(f64::from(self)), alone::asin(self))
    }
    #[inline]
    fn acos(self) -> Self {
        elementary!(Scalar::acos(f64::from(self)), libm::acosf(self))
    }
    #[inline]
    fn atan(self) -> Self {
        elementary!(Scalar::atan(f64::from(self)), libm::atanf(self))
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        elementary!(Scalar::atan2(f64::from(self), f64::from(x)), libm::atan2f(self, x))
    }
    #[inline]
    fn sinh(self) -> Self {
        elementary!(Scalar::sinh(f64::from(self)), libm::sinhf(self))
    }
    #[inline]
    fn cosh(self) -> Self {
        elementary!(Scalar::cosh(f64::from(self)), libm::coshf(self))
    }
    #[inline]
    fn tanh(self) -> Self {
        elementary!(Scalar::tanh(f64::from(self)), libm::tanhf(self))
    }
    #[inline]
    fn hypot(self, other: Self) -> Self {
        // Squares of numbers in single precision neither overflow nor lose digits in double precision.
        elementary!(
            Scalar::sqrt(f64::from(self) * f64::from(self) + f64::from(other) * f64::from(other)),
            alone::hypot(self, other)
        )
    }
    #[inline]
    fn sinc(self, order: u32) -> Self {
        elementary!(Scalar::sinc(f64::from(self), order), sinc::derivative(self, order))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        f32::abs(self)
    }
    #[inline(always)]
    fn sign(self) -> Self {
        // The sign of 0 is 0, and that of NaN is NaN.
        Self::select(f32::abs(self) > 0.0, 1.0_f32.copysign(self), self)
    }

    #[inline]
    fn floor(self) -> Self {
        elementary!(Scalar::floor(f64::from(self)), libm::floorf(self))
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
        f32::is_finite(self)
    }
}

#[cfg(test)]
mod tests {
    use crate::scalar::Scalar;
    use crate::scalar::reference::Numbers;

    /// Whether `result` is the single nearest to `exact`, or almost as near. Rounding twice may miss the nearest one by very
    /// little.
    fn nearly_nearest(result: f32, exact: f64) -> bool {
        let unit = f64::from(result.abs().next_up() - result.abs());
        (f64::from(result) - exact).abs() <= 0.500001 * unit
    }

    #[test]
    fn functions_are_the_rounded_doubles() {
        for x in Numbers(1).take(10_000).map(|x| (4.0 * x) as f32) {
            let wide = f64::from(x);
            let (sine, cosine) = Scalar::sin_cos(x);
            assert!(nearly_nearest(sine, libm::sin(wide)) && nearly_nearest(cosine, libm::cos(wide)), "{x}");
            assert!(nearly_nearest(Scalar::exp(x), libm::exp(wide)), "{x}");
            assert!(nearly_nearest(Scalar::atan2(x, 0.7), libm::atan2(wide, f64::from(0.7_f32))), "{x}");
            assert!(nearly_nearest(Scalar::hypot(x, 0.7), libm::hypot(wide, f64::from(0.7_f32))), "{x}");
        }
    }

    #[test]
    fn the_range_is_used_fully() {
        assert_eq!(Scalar::hypot(3e38_f32, 0.0), 3e38);
        assert_eq!(Scalar::hypot(3e-45_f32, 4e-45), (3e-45_f64.hypot(4e-45)) as f32);
        assert_eq!(Scalar::sign(-0.0_f32), 0.0);
        assert_eq!(
            (Scalar::floor(-1.5_f32), Scalar::modulo(-1.5_f32, 1.0), Scalar::modulo(1.5_f32, -1.0)),
            (-2.0, 0.5, -0.5)
        );
        assert!(Scalar::sin(f32::INFINITY).is_nan());
    }
}
