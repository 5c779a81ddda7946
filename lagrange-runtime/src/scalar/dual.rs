//! Dual numbers, which carry their derivatives. They give exact sensitivities of any computed value.

use super::{Real, Scalar};
use core::array::from_fn;
use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A value and its derivatives by `D` variables.
///
/// Use [`Dual::variable`] for the variables and [`Dual::constant`] for all other numbers. Each result then contains its partial
/// derivatives. Duals of duals give second derivatives.
///
/// Comparisons, also by `==`, use the values alone. Selection selects values and derivatives together. The derivative of |x| is
/// sign x, and that of sign x is 0. At the edge of a domain, as for √x at 0, a derivative is infinite. The derivative by a
/// variable on which the argument does not depend stays 0.
#[derive(Clone, Copy, Debug)]
pub struct Dual<R: Scalar, const D: usize> {
    /// The value.
    pub value: R,
    /// The partial derivatives of the value.
    pub derivatives: [R; D],
}

impl<R: Scalar, const D: usize> Dual<R, D> {
    /// Returns a number that depends on no variable.
    #[inline(always)]
    #[must_use]
    pub fn constant(value: R) -> Self {
        Self { value, derivatives: [R::ZERO; D] }
    }

    /// Returns the variable `index` with this value. If `index` is not below `D`, it is a constant.
    #[inline(always)]
    #[must_use]
    pub fn variable(value: R, index: usize) -> Self {
        Self { value, derivatives: from_fn(|k| if k == index { R::ONE } else { R::ZERO }) }
    }

    /// Returns the quotient, with the derivative (x/y)′ = (x′ − (x/y) y′)/y.
    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        let value = self.value / divisor.value;
        let inverse = divisor.value.recip();
        let derivatives = from_fn(|k| (self.derivatives[k] - value * divisor.derivatives[k]) * inverse);
        Self { value, derivatives }
    }

    /// Returns f(self), given the value of f and its derivative there.
    #[inline(always)]
    fn chain(self, value: R, slope: R) -> Self {
        Self { value, derivatives: self.derivatives.map(|derivative| slope * derivative) }
    }

    /// Returns f(self) if the derivative of f may be infinite. A derivative of `self` that is 0 stays 0.
    #[inline(always)]
    fn chain_guarded(self, value: R, slope: R) -> Self {
        Self { value, derivatives: self.derivatives.map(|derivative| guarded(slope, derivative)) }
    }

    /// Returns f(self, other), given the value of f and both partial derivatives there.
    #[inline(always)]
    fn chain_two(self, other: Self, value: R, slope: R, other_slope: R) -> Self {
        Self {
            value,
            derivatives: from_fn(|k| guarded(slope, self.derivatives[k]) + guarded(other_slope, other.derivatives[k])),
        }
    }
}

/// Returns `slope * derivative`, or 0 if `derivative` is 0.
#[inline(always)]
fn guarded<R: Scalar>(slope: R, derivative: R) -> R {
    R::select(derivative.equals(R::ZERO), R::ZERO, slope * derivative)
}

/// A number so large that it stands for one that overflows, and so small that a product of three is finite in the precision of the scalar.
fn large<R: Scalar>() -> R {
    R::from_f64(if R::EPSILON > 1e-10 { 1e12 } else { 1e100 })
}

/// A factor of a derivative. If it is infinite, it is replaced by a finite number of its sign.
///
/// The value to which such a derivative belongs is then infinite itself, and an error. Only a function that saturates makes it finite again,
/// such as 1/(1 + eᵘ) and tanh(eᵘ). The slope of that function is 0 there. Times ∞ it would be NaN; the derivative is 0.
#[inline(always)]
fn bounded<R: Scalar>(factor: R) -> R {
    R::select(factor.abs().equals(R::from_f64(f64::INFINITY)), factor.sign() * large::<R>(), factor)
}

impl<R: Scalar, const D: usize> PartialEq for Dual<R, D> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<R: Real, const D: usize> PartialOrd for Dual<R, D> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl<R: Real, const D: usize> Real for Dual<R, D> {}

impl<R: Scalar, const D: usize> Add for Dual<R, D> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let derivatives = from_fn(|k| self.derivatives[k] + other.derivatives[k]);
        Self { value: self.value + other.value, derivatives }
    }
}

impl<R: Scalar, const D: usize> Sub for Dual<R, D> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let derivatives = from_fn(|k| self.derivatives[k] - other.derivatives[k]);
        Self { value: self.value - other.value, derivatives }
    }
}

impl<R: Scalar, const D: usize> Mul for Dual<R, D> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (x, y) = (bounded(self.value), bounded(other.value));
        let derivatives = from_fn(|k| self.derivatives[k].mul_add(y, x * other.derivatives[k]));
        Self { value: self.value * other.value, derivatives }
    }
}

impl<R: Scalar, const D: usize> Div for Dual<R, D> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.over(other)
    }
}

impl<R: Scalar, const D: usize> Neg for Dual<R, D> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { value: -self.value, derivatives: self.derivatives.map(R::neg) }
    }
}

macro_rules! assigning {
    ($($trait:ident $method:ident $operator:tt;)*) => {$(
        impl<R: Scalar, const D: usize> $trait for Dual<R, D> {
            #[inline(always)]
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

impl<R: Scalar, const D: usize> Scalar for Dual<R, D> {
    type Mask = R::Mask;
    type Magnitude = f64;
    const LANES: usize = R::LANES;
    const ZERO: Self = Self { value: R::ZERO, derivatives: [R::ZERO; D] };
    const ONE: Self = Self { value: R::ONE, derivatives: [R::ZERO; D] };
    const EPSILON: f64 = R::EPSILON;
    const DERIVATIVE_ORDER: u32 = R::DERIVATIVE_ORDER + 1;
    const DERIVATIVES: usize = R::DERIVATIVES + D * (1 + R::DERIVATIVES);

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self::constant(R::from_f64(value))
    }
    #[inline(always)]
    fn from_parts(high: f64, low: f64) -> Self {
        Self::constant(R::from_parts(high, low))
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self.value.to_f64()
    }
    /// Returns the derivatives of the value first, then each own derivative followed by its derivatives.
    #[inline(always)]
    fn derivative(self, index: usize) -> f64 {
        let Some(own) = index.checked_sub(R::DERIVATIVES) else { return self.value.derivative(index) };
        let (own, of_own) = (own / (1 + R::DERIVATIVES), own % (1 + R::DERIVATIVES));
        match (self.derivatives.get(own), of_own.checked_sub(1)) {
            (Some(own), None) => own.to_f64(),
            (Some(own), Some(index)) => own.derivative(index),
            (None, _) => 0.0,
        }
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        f64::abs(self.to_f64())
    }
    #[inline(always)]
    fn without_derivatives(self) -> Self {
        Self::constant(self.value.without_derivatives())
    }
    fn keeping_derivatives(self, kept: impl Fn(usize) -> bool) -> Self {
        let kept = &kept;
        let mut derivatives = self.derivatives;
        for (k, own) in derivatives.iter_mut().enumerate() {
            let first = R::DERIVATIVES + k * (1 + R::DERIVATIVES);
            let rest = own.keeping_derivatives(|index| kept(first + 1 + index));
            *own = if kept(first) { rest } else { rest - rest.without_derivatives() };
        }
        Self { value: self.value.keeping_derivatives(kept), derivatives }
    }

    #[inline(always)]
    fn recip(self) -> Self {
        let inverse = self.value.recip();
        Self { value: inverse, derivatives: self.derivatives.map(|derivative| -(inverse * derivative) * inverse) }
    }
    #[inline]
    fn powi(self, exponent: i32) -> Self {
        if exponent == 0 {
            return Self::ONE;
        }
        let slope = R::from_f64(f64::from(exponent)) * self.value.powi(exponent.saturating_sub(1));
        let power = self.chain_guarded(self.value.powi(exponent), slope);
        if exponent < 0 {
            return power;
        }
        // Where this power overflows, its derivative may too. An infinite derivative of the argument comes from a pole, and stays.
        let derivatives = from_fn(|k| {
            let is_finite = self.derivatives[k].abs().lt(R::from_f64(f64::INFINITY));
            R::select(is_finite, bounded(power.derivatives[k]), power.derivatives[k])
        });
        Self { value: power.value, derivatives }
    }
    #[inline]
    fn powf(self, exponent: Self) -> Self {
        let (x, y) = (self.value, exponent.value);
        let value = x.powf(y);
        // The derivative y x^(y−1) is 0 if y = 0, and x^y ln x is 0 if x^y is 0. Both hold also at x = 0.
        let slope = R::select(y.equals(R::ZERO), R::ZERO, y * x.powf(y - R::ONE));
        let exponent_slope = R::select(value.equals(R::ZERO), R::ZERO, value * x.ln());
        self.chain_two(exponent, value, slope, exponent_slope)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain_guarded(root, (root + root).recip())
    }
    #[inline]
    fn cbrt(self) -> Self {
        let root = self.value.cbrt();
        self.chain_guarded(root, (R::from_f64(3.0) * root * root).recip())
    }
    #[inline(always)]
    fn exp(self) -> Self {
        let value = self.value.exp();
        self.chain(value, bounded(value))
    }
    #[inline(always)]
    fn ln(self) -> Self {
        self.chain_guarded(self.value.ln(), self.value.recip())
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = self.value.sin_cos();
        (self.chain(sine, cosine), self.chain(cosine, -sine))
    }
    #[inline]
    fn tan(self) -> Self {
        let tangent = self.value.tan();
        self.chain(tangent, tangent.mul_add(tangent, R::ONE))
    }
    #[inline]
    fn asin(self) -> Self {
        self.chain_guarded(self.value.asin(), inverse_cathetus(self.value))
    }
    #[inline]
    fn acos(self) -> Self {
        self.chain_guarded(self.value.acos(), -inverse_cathetus(self.value))
    }
    #[inline]
    fn atan(self) -> Self {
        self.chain(self.value.atan(), self.value.mul_add(self.value, R::ONE).recip())
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        let distance = self.value.hypot(x.value);
        let (up, across) = (self.value / distance, x.value / distance);
        self.chain_two(x, self.value.atan2(x.value), across / distance, -(up / distance))
    }
    #[inline]
    fn sinh(self) -> Self {
        self.chain(self.value.sinh(), bounded(self.value.cosh()))
    }
    #[inline]
    fn cosh(self) -> Self {
        self.chain(self.value.cosh(), bounded(self.value.sinh()))
    }
    #[inline]
    fn tanh(self) -> Self {
        let tangent = self.value.tanh();
        self.chain(tangent, (R::ONE - tangent) * (R::ONE + tangent))
    }
    #[inline]
    fn hypot(self, other: Self) -> Self {
        // The unit vector of the vector 0 is 0.
        let distance = self.value.hypot(other.value);
        let divisor = R::select(distance.equals(R::ZERO), R::ONE, distance);
        self.chain_two(other, distance, self.value / divisor, other.value / divisor)
    }
    #[inline]
    fn sinc(self, order: u32) -> Self {
        self.chain(self.value.sinc(order), self.value.sinc(order.saturating_add(1)))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.chain(self.value.abs(), self.value.sign())
    }
    #[inline(always)]
    fn sign(self) -> Self {
        Self::constant(self.value.sign())
    }

    #[inline(always)]
    fn floor(self) -> Self {
        Self::constant(self.value.floor())
    }
    #[inline]
    fn modulo(self, divisor: Self) -> Self {
        let rest = self.value.modulo(divisor.value);
        // The quotient is a whole number up to rounding.
        let turns = ((self.value - rest) / divisor.value + R::from_f64(0.5)).floor();
        self.chain_two(divisor, rest, R::ONE, -turns)
    }

    #[inline(always)]
    fn lt(self, other: Self) -> R::Mask {
        self.value.lt(other.value)
    }
    #[inline(always)]
    fn le(self, other: Self) -> R::Mask {
        self.value.le(other.value)
    }
    #[inline(always)]
    fn equals(self, other: Self) -> R::Mask {
        self.value.equals(other.value)
    }
    #[inline(always)]
    fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        Self {
            value: R::select(mask, yes.value, no.value),
            derivatives: from_fn(|k| R::select(mask, yes.derivatives[k], no.derivatives[k])),
        }
    }
    /// Whether the value and all derivatives are finite.
    #[inline(always)]
    fn is_finite(self) -> R::Mask {
        self.derivatives.iter().fold(self.value.is_finite(), |all, derivative| all & derivative.is_finite())
    }
}

/// Returns 1/√(1 − x²).
#[inline]
fn inverse_cathetus<R: Scalar>(x: R) -> R {
    ((R::ONE - x) * (R::ONE + x)).sqrt().recip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::{DoubleDouble, Lanes};

    type One = Dual<f64, 1>;

    /// Compares the derivative by dual numbers to a central difference in 31 digits.
    macro_rules! check {
        ($x:expr, |$argument:ident| $function:expr) => {{
            fn of<R: Real>($argument: R) -> R {
                $function
            }
            let step = DoubleDouble::from_f64(1e-10);
            let x = DoubleDouble::from_f64($x);
            let slope = ((of(x + step) - of(x - step)) / (step + step)).to_f64();
            let dual = of(One::variable($x, 0));
            let text = stringify!($function);
            let value: f64 = of($x);
            assert!((dual.value - value).abs() <= 4.0 * f64::EPSILON * value.abs(), "{text} at {}", $x);
            assert!((dual.derivatives[0] - slope).abs() <= 1e-14 * (1.0 + slope.abs()), "{text} at {}: {slope}", $x);
        }};
    }

    #[test]
    fn derivatives_are_those_of_the_functions() {
        for x in [0.3, 0.9, -0.4] {
            check!(x, |x| x + x * x - R::ONE / x);
            check!(x, |x| -x / (x * x + R::ONE));
            check!(x, |x| x.mul_add(x, x));
            check!(x, |x| x.recip());
            check!(x, |x| x.powi(5) + x.powi(-3) + x.powi(1) + x.powi(0));
            check!(x, |x| x.cbrt());
            check!(x, |x| x.exp());
            check!(x, |x| x.sin());
            check!(x, |x| x.cos());
            check!(x, |x| x.tan());
            check!(x, |x| x.asin());
            check!(x, |x| x.acos());
            check!(x, |x| x.atan());
            check!(x, |x| x.atan2(x * x - R::ONE));
            check!(x, |x| x.sinh());
            check!(x, |x| x.cosh());
            check!(x, |x| x.tanh());
            check!(x, |x| x.hypot(R::ONE + x));
            check!(x, |x| x.sinc(0) + x.sinc(1) + x.sinc(2));
            check!(x, |x| x.abs() * x.sign());
            check!(x, |x| x.floor() * x);
            check!(x, |x| (R::from_f64(10.0) * x).modulo(R::ONE + x * x));
            check!(x, |x| (x * x).modulo(-x));
            check!(x, |x| x.min(x * x) + x.max(x * x));
            check!(x, |x| x.abs().sqrt() + x.abs().ln());
            check!(x, |x| x.abs().powf(x));
            check!(x, |x| (x * x).recip_or_zero());
        }
    }

    #[test]
    fn the_edges_of_domains() {
        let zero = One::variable(0.0, 0);
        assert_eq!((zero.abs().derivatives, zero.sign().derivatives), ([0.0], [0.0]));
        assert_eq!(zero.sqrt().derivatives, [f64::INFINITY]);
        assert_eq!(One::constant(0.0).sqrt().derivatives, [0.0]);
        // The derivatives of the length of a vector and of the factor 1/length are 0 at the vector 0.
        assert_eq!((zero.hypot(zero).derivatives, zero.recip_or_zero().derivatives), ([0.0], [0.0]));
        assert_eq!(
            (zero.powi(0).derivatives, zero.powi(1).derivatives, zero.powi(2).derivatives),
            ([0.0], [1.0], [0.0])
        );
        for (exponent, slope) in [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (0.5, f64::INFINITY)] {
            assert_eq!(zero.powf(One::constant(exponent)).derivatives, [slope], "exponent {exponent}");
        }
        // 0^y is 0 for all y > 0. A negative number has integer powers.
        assert_eq!(One::constant(0.0).powf(One::variable(2.0, 0)).derivatives, [0.0]);
        assert_eq!(One::variable(-2.0, 0).powf(One::constant(3.0)).derivatives, [12.0]);
    }

    #[test]
    fn selection_takes_value_and_derivatives_together() {
        let x = One::variable(0.0, 0);
        let safe = One::select(x.equals(One::ZERO), One::ONE, x / x);
        assert_eq!((safe.value, safe.derivatives), (1.0, [0.0]));
        assert!(x < One::ONE && x == One::ZERO && x.le(One::ZERO));
        assert!(!Dual { value: 1.0, derivatives: [f64::NAN] }.is_finite());
    }

    #[test]
    fn duals_of_duals_give_second_derivatives() {
        let x = Dual::<One, 1>::variable(One::variable(0.7, 0), 0);
        let (sine, _) = x.sin_cos();
        assert!((sine.derivatives[0].derivatives[0] + 0.7_f64.sin()).abs() < 1e-15);
    }

    /// Returns the angular acceleration of a pendulum from its parameters (length, gravity), as derived code receives them.
    fn acceleration<R: Scalar>(parameters: &[R], angle: R) -> R {
        -(parameters[1] / parameters[0]) * angle.sin()
    }

    #[test]
    fn sensitivities_to_parameters_in_every_lane() {
        type Wide = Dual<Lanes<f64, 2>, 2>;
        let parameters = [Wide::variable(Lanes([2.0, 4.0]), 0), Wide::variable(Lanes([9.8, 9.8]), 1)];
        let a = acceleration(&parameters, Wide::constant(Lanes([0.5, 0.5])));
        let sine = 0.5_f64.sin();
        for (lane, length) in [2.0, 4.0].into_iter().enumerate() {
            assert!((a.value.0[lane] + 9.8 / length * sine).abs() < 1e-15);
            assert!((a.derivatives[0].0[lane] - 9.8 / (length * length) * sine).abs() < 1e-15);
            assert!((a.derivatives[1].0[lane] + sine / length).abs() < 1e-15);
        }
    }
}
