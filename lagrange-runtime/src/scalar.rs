//! The number types of derived code: the trait [`Scalar`] and its implementations.
//!
//! Derived functions are generic over [`Scalar`] alone. The same emitted code therefore runs in single and double precision, on
//! dual numbers, and on several states at once (lanes). A method that makes decisions by a value, such as the error of a step or
//! a Newton increment, needs [`Real`].

mod double;
mod double_double;
mod dual;
#[cfg(feature = "ensemble")]
mod fused;
mod lanes;
mod packet;
#[cfg(test)]
pub(crate) mod reference;
mod sinc;
mod single;
#[cfg(feature = "std")]
mod taped;
mod trigonometric;

pub use double_double::DoubleDouble;
pub use dual::Dual;
pub use lanes::{LaneMask, Lanes};
#[cfg(feature = "std")]
pub(crate) use taped::Tape;
#[cfg(feature = "std")]
pub use taped::Taped;

#[cfg(feature = "ensemble")]
pub(crate) use fused::Fused;

use crate::error::SingularMass;
use crate::linalg::indefinite::Indefinite;
use crate::linalg::orthogonal::Columns;
use core::fmt::Debug;
use core::ops::{Add, AddAssign, BitAnd, BitOr, Div, DivAssign, Mul, MulAssign, Neg, Not, Sub, SubAssign};

/// How many numbers a packet has. As doubles they fill one vector register: of AVX-512 where the target has it, otherwise of AVX2.
#[doc(hidden)]
pub const PACKET: usize = if cfg!(target_feature = "avx512f") { 8 } else { 4 };

/// The number of rows and columns that are transposed together.
pub(crate) const SQUARE: usize = 4;

/// The values of a function at each place of a packet. No loop is written: derived code calls this thousands of times in one function, and
/// compilers need a time that grows with the square of the number of loops.
#[cfg(target_feature = "avx512f")]
#[inline(always)]
pub(crate) fn places<T>(value: impl Fn(usize) -> T) -> [T; PACKET] {
    [value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7)]
}

/// The values of a function at each place of a packet. No loop is written: derived code calls this thousands of times in one function, and
/// compilers need a time that grows with the square of the number of loops.
#[cfg(not(target_feature = "avx512f"))]
#[inline(always)]
pub(crate) fn places<T>(value: impl Fn(usize) -> T) -> [T; PACKET] {
    [value(0), value(1), value(2), value(3)]
}

/// The result of a comparison between scalars: a `bool`, or one truth value for each lane.
pub trait Mask:
    Copy + Debug + Send + Sync + 'static + Not<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self>
{
    /// Returns the same truth value in every lane.
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

/// The arithmetic, elementary functions, comparisons and selection that derived code needs.
///
/// Angles are in radians. Every function is total: outside its domain it returns NaN, as IEEE 754 arithmetic does. Methods turn
/// NaN into an error with the time and the state.
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
    /// The result of a comparison.
    type Mask: Mask;
    /// The type in which sizes are compared: `f32` for itself, and `f64` for all others. So what compares numbers of single precision
    /// needs no arithmetic of doubles.
    type Magnitude: Real;
    /// The number of independent values in one scalar.
    const LANES: usize;
    /// The additive identity.
    const ZERO: Self;
    /// The multiplicative identity.
    const ONE: Self;
    /// The distance from 1 to the next larger value, in one lane.
    const EPSILON: f64;
    /// The order of the derivatives that a number carries: 0 for plain numbers, and 1 more for a dual number than for its parts.
    const DERIVATIVE_ORDER: u32 = 0;
    /// How many derivatives a number carries that [`Scalar::derivative`] returns: 0 for plain numbers.
    const DERIVATIVES: usize = 0;

    /// Returns the scalar nearest to `value`, in every lane.
    fn from_f64(value: f64) -> Self;

    /// Returns a constant, given as its correctly rounded double `high` and the rounded remainder `low`. Scalars wider than `f64`
    /// use both.
    fn from_parts(high: f64, low: f64) -> Self;

    /// Returns the value rounded to `f64`. Lanes give their first lane, and dual numbers their real part.
    fn to_f64(self) -> f64;

    /// Returns the derivative of this index, below [`Scalar::DERIVATIVES`], rounded to `f64`. Lanes give their first lane.
    #[inline(always)]
    fn derivative(self, index: usize) -> f64 {
        let _ = index;
        0.0
    }

    /// Returns |x| for comparisons, where the derivatives of dual numbers do not count. Lanes give their first lane.
    fn magnitude(self) -> Self::Magnitude;

    /// Returns the number nearest to `count`.
    #[inline(always)]
    fn from_count(count: u64) -> Self {
        Self::from_f64(count as f64)
    }

    /// Returns the number as a constant: dual numbers lose their derivatives. Sizes of steps and times are constants, since a
    /// result depends on them only by its error.
    #[inline(always)]
    fn without_derivatives(self) -> Self {
        self
    }

    /// Returns the number with 0 in place of each derivative whose index is not kept. Indices are those that [`Scalar::derivative`] takes.
    #[inline(always)]
    fn keeping_derivatives(self, kept: impl Fn(usize) -> bool) -> Self {
        let _ = kept;
        self
    }

    /// Returns `self * factor + addend`. It is fused if the target has the instruction, and never a software call.
    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self * factor + addend
    }

    /// Returns `1 / self`.
    #[inline(always)]
    fn recip(self) -> Self {
        Self::ONE / self
    }

    /// Returns an integer power by repeated multiplication. 0⁰ is 1.
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

    /// Returns a real power. It is defined for `self` ≥ 0, and for every `self` if `exponent` is an integer. 0⁰ is 1.
    fn powf(self, exponent: Self) -> Self;
    /// Returns the square root.
    fn sqrt(self) -> Self;
    /// Returns the cube root, which is real also for negative arguments.
    fn cbrt(self) -> Self;
    /// Returns the exponential function.
    fn exp(self) -> Self;
    /// Returns the natural logarithm.
    fn ln(self) -> Self;
    /// Returns the sine and the cosine of an angle.
    fn sin_cos(self) -> (Self, Self);
    /// Returns the sine.
    #[inline(always)]
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    /// Returns the cosine.
    #[inline(always)]
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    /// Returns the sines and the cosines of several angles.
    #[inline(always)]
    fn sin_cos_of<const L: usize>(angles: [Self; L]) -> ([Self; L], [Self; L]) {
        let pairs = angles.map(Self::sin_cos);
        (pairs.map(|pair| pair.0), pairs.map(|pair| pair.1))
    }
    /// The sums of the numbers of two packets.
    #[doc(hidden)]
    #[inline(always)]
    fn add_packet(a: [Self; PACKET], b: [Self; PACKET]) -> [Self; PACKET] {
        places(|i| a[i] + b[i])
    }
    /// The differences of the numbers of two packets.
    #[doc(hidden)]
    #[inline(always)]
    fn subtract_packet(a: [Self; PACKET], b: [Self; PACKET]) -> [Self; PACKET] {
        places(|i| a[i] - b[i])
    }
    /// The products of the numbers of a packet with one number.
    #[doc(hidden)]
    #[inline(always)]
    fn scale_packet(a: [Self; PACKET], factor: Self) -> [Self; PACKET] {
        places(|i| a[i] * factor)
    }
    /// The products of the numbers of a packet with one number, each added to another number.
    #[doc(hidden)]
    #[inline(always)]
    fn mul_add_packet(a: [Self; PACKET], factor: Self, addend: [Self; PACKET]) -> [Self; PACKET] {
        places(|i| a[i].mul_add(factor, addend[i]))
    }
    /// The transpose of a matrix.
    #[doc(hidden)]
    #[inline(always)]
    fn transposed(rows: [[Self; 4]; 4]) -> [[Self; 4]; 4] {
        core::array::from_fn(|column| core::array::from_fn(|row| rows[row][column]))
    }
    /// The sines and cosines of `K` angles in `L` lanes.
    #[doc(hidden)]
    #[inline(always)]
    fn sin_cos_of_lanes<const K: usize, const L: usize>(angles: [[Self; L]; K]) -> ([[Self; L]; K], [[Self; L]; K]) {
        let (mut sines, mut cosines) = (angles, angles);
        for (sine, cosine) in sines.iter_mut().zip(&mut cosines) {
            (*sine, *cosine) = Self::sin_cos_of(*sine);
        }
        (sines, cosines)
    }
    /// Returns the tangent.
    fn tan(self) -> Self;
    /// Returns the inverse sine.
    fn asin(self) -> Self;
    /// Returns the inverse cosine.
    fn acos(self) -> Self;
    /// Returns the inverse tangent.
    fn atan(self) -> Self;
    /// Returns the angle of the point (`x`, `self`), in (−π, π].
    fn atan2(self, x: Self) -> Self;
    /// Returns the hyperbolic sine.
    fn sinh(self) -> Self;
    /// Returns the hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Returns the hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Returns √(`self`² + `other`²). It does not overflow if the result is in range.
    fn hypot(self, other: Self) -> Self;
    /// Returns the square root of the sum of the squares of `components`. It does not overflow if the result is in range.
    #[inline]
    fn norm_of<const L: usize>(components: [Self; L]) -> Self {
        let mut components = components.into_iter();
        let first = components.next().map_or(Self::ZERO, Self::abs);
        components.fold(first, Self::hypot)
    }
    /// Returns the `order`-th derivative of sin(x)/x, continued analytically through x = 0.
    fn sinc(self, order: u32) -> Self;

    /// Returns the absolute value.
    fn abs(self) -> Self;
    /// Returns −1, 0 or 1. Unlike `f64::signum`, `sign(0)` is 0.
    fn sign(self) -> Self;
    /// Returns the largest whole number that does not exceed `self`.
    fn floor(self) -> Self;
    /// Returns `self` − `divisor`·⌊`self`/`divisor`⌋, which has the sign of the divisor. A divisor of 0 gives NaN.
    fn modulo(self, divisor: Self) -> Self;
    /// Returns the smaller number. A NaN in either argument gives NaN.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::select(self.lt(other), self, Self::select(self.ge(other), other, self + other))
    }
    /// Returns the larger number. A NaN in either argument gives NaN.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::select(self.gt(other), self, Self::select(self.le(other), other, self + other))
    }
    /// Returns `1 / self`, or 0 if `self` is 0. It turns a length into the factor that makes a unit vector, and the vector 0
    /// stays 0.
    #[inline(always)]
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
    /// Returns `yes` where `mask` is true and `no` elsewhere. It selects instead of computing, so that a NaN in the other branch
    /// has no effect.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Whether the value is neither infinite nor NaN, lane by lane.
    fn is_finite(self) -> Self::Mask;

    /// Solves a symmetric system that is not definite. For `f64` and `f32` the solver is compiled in this library, and not in every crate.
    ///
    /// # Errors
    /// A pivot that vanishes.
    #[doc(hidden)]
    fn solve_indefinite(system: Indefinite<'_, Self>) -> Result<(), SingularMass> {
        system.solve()
    }

    /// Factors a matrix by reflections, and returns its rank and what remains of the first dependent column. For `f64` and `f32` the code
    /// is compiled in this library, and not in every crate.
    #[doc(hidden)]
    fn factor_columns(columns: Columns<'_, Self>) -> (usize, f64) {
        columns.factor()
    }
}

/// A scalar of one number, whose comparisons give one `bool`. Methods need it to make decisions.
pub trait Real: Scalar<Mask = bool> + PartialOrd {}

impl Real for f32 {}
impl Real for f64 {}
