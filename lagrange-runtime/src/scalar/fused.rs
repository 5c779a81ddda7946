//! Doubles whose products are fused with the sum that follows. They are the lanes of ensembles.

use super::packet::Packet;
use super::{Lanes, Scalar, trigonometric};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A double in a lane of an ensemble. [`Scalar::mul_add`] has one rounding, and sines and cosines are computed for all lanes together.
///
/// Code of this type is compiled for instructions that are detected at run time, and these have a fused product. In code that is not
/// inlined there, the fused product is a function call, which is slow and has the same result.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub(crate) struct Fused(pub(crate) f64);

macro_rules! operators {
    ($($trait:ident $method:ident, $assign_trait:ident $assign_method:ident;)*) => {$(
        impl $trait for Fused {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }

        impl $assign_trait for Fused {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                self.0.$assign_method(other.0);
            }
        }
    )*};
}

operators! {
    Add add, AddAssign add_assign;
    Sub sub, SubAssign sub_assign;
    Mul mul, MulAssign mul_assign;
    Div div, DivAssign div_assign;
}

impl Neg for Fused {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Functions of one number that are those of `f64`.
macro_rules! functions {
    ($($function:ident)*) => {$(
        #[inline(always)]
        fn $function(self) -> Self {
            Self(Scalar::$function(self.0))
        }
    )*};
    (pairs: $($function:ident)*) => {$(
        #[inline(always)]
        fn $function(self, other: Self) -> Self {
            Self(Scalar::$function(self.0, other.0))
        }
    )*};
    (comparisons: $($function:ident)*) => {$(
        #[inline(always)]
        fn $function(self, other: Self) -> bool {
            Scalar::$function(self.0, other.0)
        }
    )*};
}

impl Scalar for Fused {
    type Mask = bool;
    type Magnitude = f64;
    const LANES: usize = 1;
    const ZERO: Self = Self(0.0);
    const ONE: Self = Self(1.0);
    const EPSILON: f64 = f64::EPSILON;

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self(value)
    }
    #[inline(always)]
    fn from_parts(high: f64, _low: f64) -> Self {
        Self(high)
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self.0
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        f64::abs(self.to_f64())
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Self(f64::mul_add(self.0, factor.0, addend.0))
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let ([[sine]], [[cosine]]) = Self::sin_cos_of_lanes([[self]]);
        (sine, cosine)
    }
    #[inline(always)]
    fn sin_cos_of_lanes<const K: usize, const L: usize>(angles: [[Self; L]; K]) -> ([[Self; L]; K], [[Self; L]; K]) {
        let mut lanes = [Lanes([Self::ZERO; L]); K];
        for i in 0..K {
            lanes[i].0 = angles[i];
        }
        let (sines, cosines) = trigonometric::sin_cos_of_all(lanes);
        let mut of = (angles, angles);
        for i in 0..K {
            (of.0[i], of.1[i]) = (sines[i].0, cosines[i].0);
        }
        of
    }
    #[inline(always)]
    fn norm_of<const L: usize>(components: [Self; L]) -> Self {
        Self(f64::norm_of(components.map(|component| component.0)))
    }
    #[inline(always)]
    fn sinc(self, order: u32) -> Self {
        Self(Scalar::sinc(self.0, order))
    }
    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn is_finite(self) -> bool {
        self.0.is_finite()
    }

    functions! { sqrt cbrt exp ln tan asin acos atan sinh cosh tanh abs sign floor }
    functions! { pairs: powf atan2 hypot modulo }
    functions! { comparisons: lt le equals }
}

impl<const L: usize> Packet for Lanes<Fused, L> {
    const FUSED: bool = true;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([Fused(value); L])
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Scalar::mul_add(self, factor, addend)
    }

    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        self.each(|lane, value| Fused(value.0.with_sign_of(other.0[lane].0)))
    }

    #[inline(always)]
    fn rotate(sine: Self, cosine: Self, quadrant: Self) -> (Self, Self) {
        // These operations are on bits, so that the compiler makes each of them in all lanes at once. The number n of quarter turns
        // stands in the last bits of the quadrant. If it is odd, all bits of `exchange` are set.
        let rotated = |lane: usize, value: Fused, other: Fused, turns: u64| {
            let (value, other) = (value.0.to_bits(), other.0.to_bits());
            let n = quadrant.0[lane].0.to_bits();
            let exchange = 0_u64.wrapping_sub(n & 1);
            Fused(f64::from_bits(value ^ ((value ^ other) & exchange) ^ ((n.wrapping_add(turns) & 2) << 62)))
        };
        (
            sine.each(|lane, value| rotated(lane, value, cosine.0[lane], 0)),
            cosine.each(|lane, value| rotated(lane, value, sine.0[lane], 1)),
        )
    }
}
