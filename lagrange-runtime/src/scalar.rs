//! The number type of derived code: one trait, and its implementations for the machine's floats.
//!
//! Derived functions are generic over [`Scalar`] alone, so that the same emitted code runs in
//! single and double precision, on dual numbers, and on several states at once (lanes).
//! Methods that decide something from a value (a step's error, a Newton increment) ask for [`Real`].

mod double;
mod double_double;
mod dual;
mod lanes;
mod packet;
#[cfg(test)]
pub(crate) mod reference;
mod sinc;
mod single;
mod trigonometric;

pub use double_double::DoubleDouble;
pub use dual::Dual;
pub use lanes::{LaneMask, Lanes};

use core::fmt::Debug;
use core::ops::{Add, AddAssign, BitAnd, BitOr, Div, DivAssign, Mul, MulAssign, Neg, Not, Sub, SubAssign};

/// The result of comparing scalars: `bool`, or one truth value per lane.
pub trait Mask:
    Copy + Debug + Send + Sync + 'static + Not<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self>
{
    /// The same truth value in every lane.
    fn splat(value: bool) -> Self;
    /// Whether any lane is true.
    fn any(self) -> bool;
    /// Whether all lanes are true.
    fn all(self) -> bool;
}

impl Mask for bool {
    #[inline(always)]
    fn splat(value: bool) -> Self {
        value
    }
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
    #[inline(always)]
    fn all(self) -> bool {
        self
    }
}

/// Arithmetic, elementary functions, comparison and selection: all that derived code needs.
///
/// Angles are in radians. Every function is total: outside its domain it gives NaN, as IEEE 754
/// arithmetic does, and methods turn that into an error with the time and the state.
pub trait Scalar:
    Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
{
    /// What a comparison gives.
    type Mask: Mask;
    /// How many independent values one scalar holds.
    const LANES: usize;
    /// The additive identity.
    const ZERO: Self;
    /// The multiplicative identity.
    const ONE: Self;
    /// The distance from 1 to the next larger value (of one lane).
    const EPSILON: f64;

    /// The nearest scalar to `value` (in every lane).
    fn from_f64(value: f64) -> Self;

    /// A constant given as its correctly rounded double `high` and the rounded remainder `low`:
    /// scalars wider than `f64` use both.
    fn from_parts(high: f64, low: f64) -> Self;

    /// The value as `f64`: the first lane, the real part, rounded.
    fn to_f64(self) -> f64;

    /// `self * factor + addend`: fused where the target has the instruction, never by a software call.
    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }

    /// `1 / self`.
    #[inline(always)]
    fn recip(self) -> Self {
        Self::ONE / self
    }

    /// An integer power by repeated multiplication; 0⁰ = 1.
    #[inline]
    fn powi(self, exponent: i32) -> Self {
        let mut result = Self::ONE;
        let mut square = self;
        let mut remaining = exponent.unsigned_abs();
        while remaining > 0 {
            if remaining & 1 == 1 {
                result *= square;
            }
            remaining >>= 1;
            if remaining > 0 {
                square *= square;
            }
        }
        if exponent < 0 { result.recip() } else { result }
    }

    /// A real power, defined for `self` ≥ 0 (and integers in `exponent`); 0⁰ = 1.
    fn powf(self, exponent: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Cube root, real for negative arguments.
    fn cbrt(self) -> Self;
    /// The exponential function.
    fn exp(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// Sine and cosine of one angle together.
    fn sin_cos(self) -> (Self, Self);
    /// Sine.
    #[inline(always)]
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    /// Cosine.
    #[inline(always)]
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    /// Sines and cosines of several angles.
    #[inline(always)]
    fn sin_cos_of<const L: usize>(angles: [Self; L]) -> ([Self; L], [Self; L]) {
        let pairs = angles.map(Self::sin_cos);
        (pairs.map(|pair| pair.0), pairs.map(|pair| pair.1))
    }
    /// Tangent.
    fn tan(self) -> Self;
    /// Inverse sine.
    fn asin(self) -> Self;
    /// Inverse cosine.
    fn acos(self) -> Self;
    /// Inverse tangent.
    fn atan(self) -> Self;
    /// The angle of the point (`x`, `self`), in (−π, π].
    fn atan2(self, x: Self) -> Self;
    /// Hyperbolic sine.
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// √(`self`² + `other`²) without undue overflow.
    fn hypot(self, other: Self) -> Self;
    /// The square root of the sum of the squares of `components`, without undue overflow.
    #[inline]
    fn norm_of<const L: usize>(components: [Self; L]) -> Self {
        let mut components = components.into_iter();
        let first = components.next().map_or(Self::ZERO, Self::abs);
        components.fold(first, Self::hypot)
    }
    /// The `order`-th derivative of sin(x)/x, continued analytically through x = 0.
    fn sinc(self, order: u32) -> Self;

    /// Absolute value.
    fn abs(self) -> Self;
    /// −1, 0 or 1; `sign(0) = 0` (unlike `f64::signum`).
    fn sign(self) -> Self;
    /// The largest whole number that is not larger.
    fn floor(self) -> Self;
    /// `self` − `divisor`·⌊`self`/`divisor`⌋, with the sign of the divisor; NaN for a divisor of 0.
    fn modulo(self, divisor: Self) -> Self;
    /// The smaller; a NaN in either argument gives NaN.
    #[inline]
    fn min(self, other: Self) -> Self {
        Self::select(self.lt(other), self, Self::select(self.ge(other), other, self + other))
    }
    /// The larger; a NaN in either argument gives NaN.
    #[inline]
    fn max(self, other: Self) -> Self {
        Self::select(self.gt(other), self, Self::select(self.le(other), other, self + other))
    }
    /// `1 / self`, but 0 at 0: the length of a vector's unit vector, continued by 0.
    #[inline]
    fn recip_or_zero(self) -> Self {
        let zero = self.equals(Self::ZERO);
        Self::select(zero, Self::ZERO, Self::select(zero, Self::ONE, self).recip())
    }

    /// Whether `self < other`, lane by lane.
    fn lt(self, other: Self) -> Self::Mask;
    /// Whether `self <= other`, lane by lane.
    fn le(self, other: Self) -> Self::Mask;
    /// Whether `self > other`, lane by lane.
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        other.lt(self)
    }
    /// Whether `self >= other`, lane by lane.
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        other.le(self)
    }
    /// Whether `self == other`, lane by lane.
    fn equals(self, other: Self) -> Self::Mask;
    /// `yes` where `mask` is true, `no` elsewhere: a selection, so that a NaN in the branch not taken stays there.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Whether the value is neither infinite nor NaN, lane by lane.
    fn is_finite(self) -> Self::Mask;
}

/// A scalar that holds one number and is totally decided by comparison: what a method's decisions need.
pub trait Real: Scalar<Mask = bool> + PartialOrd {}

impl Real for f32 {}
impl Real for f64 {}
