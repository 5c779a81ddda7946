//! Several independent numbers in one scalar. The same equations are then computed for several states at once.

use super::{Mask, Scalar};
use core::ops::{Add, AddAssign, BitAnd, BitOr, Div, DivAssign, Mul, MulAssign, Neg, Not, Sub, SubAssign};

/// `L` independent numbers. Each of them is computed as an `R` would be.
///
/// The implementation uses no vector types. All functions are loops of known length over an array, which the compiler turns into
/// vector instructions if the target has them. For `f64`, `L` = 4 or 8 is a good choice. No decision is made for all lanes
/// together: if a solution fails in one lane, that lane is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lanes<R: Scalar<Mask = bool>, const L: usize>(pub [R; L]);

/// One truth value per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneMask<const L: usize>(pub [bool; L]);

impl<const L: usize> Not for LaneMask<L> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self::each(|lane| !self.0[lane])
    }
}

impl<const L: usize> BitAnd for LaneMask<L> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self::each(|lane| self.0[lane] & other.0[lane])
    }
}

impl<const L: usize> BitOr for LaneMask<L> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self::each(|lane| self.0[lane] | other.0[lane])
    }
}

impl<const L: usize> Mask for LaneMask<L> {
    #[inline(always)]
    fn splat(value: bool) -> Self {
        Self([value; L])
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().fold(false, |any, lane| any | lane)
    }
    #[inline(always)]
    fn all(self) -> bool {
        self.0.iter().fold(true, |all, lane| all & lane)
    }
}

// `each` changes an array in place, since the compiler turns such a loop into instructions for whole registers. It does not do so if the
// array begins as copies of a computed number. The functions of the standard library that build arrays are not always inlined, and
// code that is not inlined is compiled for the default target, without the instructions that were chosen at run time.

impl<const L: usize> LaneMask<L> {
    /// Returns the truth values of `function` at each index.
    #[inline(always)]
    fn each(function: impl Fn(usize) -> bool) -> Self {
        let mut values = [false; L];
        for (lane, value) in values.iter_mut().enumerate() {
            *value = function(lane);
        }
        Self(values)
    }
}

impl<R: Scalar<Mask = bool>, const L: usize> Lanes<R, L> {
    /// Returns the values of `function` for each number and its index.
    #[inline(always)]
    pub(super) fn each(mut self, function: impl Fn(usize, R) -> R) -> Self {
        const { assert!(L > 0, "a scalar has at least one lane") };
        for (lane, value) in self.0.iter_mut().enumerate() {
            *value = function(lane, *value);
        }
        self
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident, $assign_trait:ident $assign_method:ident;)*) => {$(
        impl<R: Scalar<Mask = bool>, const L: usize> $trait for Lanes<R, L> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.each(|lane, value| value.$method(other.0[lane]))
            }
        }

        impl<R: Scalar<Mask = bool>, const L: usize> $assign_trait for Lanes<R, L> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
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

impl<R: Scalar<Mask = bool>, const L: usize> Neg for Lanes<R, L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.each(|_, value| -value)
    }
}

macro_rules! lane_by_lane {
    ($($function:ident)*) => {$(
        #[inline(always)]
        fn $function(self) -> Self {
            self.each(|_, value| value.$function())
        }
    )*};
}

macro_rules! pair_by_pair {
    ($($function:ident)*) => {$(
        #[inline(always)]
        fn $function(self, other: Self) -> Self {
            self.each(|lane, value| value.$function(other.0[lane]))
        }
    )*};
}

macro_rules! compare {
    ($($function:ident)*) => {$(
        #[inline(always)]
        fn $function(self, other: Self) -> LaneMask<L> {
            LaneMask::each(|lane| self.0[lane].$function(other.0[lane]))
        }
    )*};
}

impl<R: Scalar<Mask = bool>, const L: usize> Scalar for Lanes<R, L> {
    type Mask = LaneMask<L>;
    type Magnitude = f64;
    const LANES: usize = L;
    const ZERO: Self = Self([R::ZERO; L]);
    const ONE: Self = Self([R::ONE; L]);
    const EPSILON: f64 = R::EPSILON;
    const DERIVATIVE_ORDER: u32 = R::DERIVATIVE_ORDER;

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self([R::from_f64(value); L])
    }
    #[inline(always)]
    fn from_parts(high: f64, low: f64) -> Self {
        Self([R::from_parts(high, low); L])
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self.0.first().map_or(f64::NAN, |lane| lane.to_f64())
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        f64::abs(self.to_f64())
    }
    #[inline(always)]
    fn without_derivatives(self) -> Self {
        self.each(|_, value| value.without_derivatives())
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self.each(|lane, value| value.mul_add(factor.0[lane], addend.0[lane]))
    }
    #[inline(always)]
    fn powi(self, exponent: i32) -> Self {
        self.each(|_, value| value.powi(exponent))
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let ([sines], [cosines]) = R::sin_cos_of_lanes([self.0]);
        (Self(sines), Self(cosines))
    }
    #[inline(always)]
    fn sin_cos_of<const K: usize>(angles: [Self; K]) -> ([Self; K], [Self; K]) {
        let mut lanes = [[R::ZERO; L]; K];
        for i in 0..K {
            lanes[i] = angles[i].0;
        }
        let (sines, cosines) = R::sin_cos_of_lanes(lanes);
        let mut of = (angles, angles);
        for i in 0..K {
            (of.0[i], of.1[i]) = (Self(sines[i]), Self(cosines[i]));
        }
        of
    }
    #[inline(always)]
    fn sinc(self, order: u32) -> Self {
        self.each(|_, value| value.sinc(order))
    }

    lane_by_lane! { recip sqrt cbrt exp ln tan asin acos atan sinh cosh tanh abs sign floor recip_or_zero }
    pair_by_pair! { powf atan2 hypot modulo min max }
    compare! { lt le gt ge equals }

    #[inline(always)]
    fn select(mask: LaneMask<L>, yes: Self, no: Self) -> Self {
        yes.each(|lane, yes| R::select(mask.0[lane], yes, no.0[lane]))
    }
    #[inline(always)]
    fn is_finite(self) -> LaneMask<L> {
        LaneMask::each(|lane| self.0[lane].is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Dual;

    const VALUES: [f64; 4] = [0.3, -0.9, 0.0, 1e6];

    /// Compares a function of lanes to the same function of each lane.
    fn same(of_lanes: Lanes<f64, 4>, of_each: impl Fn(f64) -> f64) {
        for (lane, x) in VALUES.into_iter().enumerate() {
            assert_eq!(of_lanes.0[lane].to_bits(), of_each(x).to_bits(), "lane {lane}");
        }
    }

    #[test]
    fn each_lane_is_computed_as_if_alone() {
        let x = Lanes(VALUES);
        let two = Lanes::from_f64(2.0);
        same(x + two, |x| x + 2.0);
        same(two - x, |x| 2.0 - x);
        same(x * x, |x| x * x);
        same(two / x, |x| 2.0 / x);
        same(-x, |x| -x);
        same(x.mul_add(two, x), |x| Scalar::mul_add(x, 2.0, x));
        same(x.powi(3), |x| Scalar::powi(x, 3));
        same(x.abs().powf(two), |x| Scalar::powf(x.abs(), 2.0));
        same(x.sqrt(), Scalar::sqrt);
        same(x.cbrt(), Scalar::cbrt);
        same(x.exp(), Scalar::exp);
        same(x.sin(), Scalar::sin);
        same(x.cos(), Scalar::cos);
        same(x.tan(), Scalar::tan);
        same(x.asin(), Scalar::asin);
        same(x.atan2(two), |x| Scalar::atan2(x, 2.0));
        same(x.tanh(), Scalar::tanh);
        same(x.hypot(two), |x| Scalar::hypot(x, 2.0));
        same(x.sinc(1), |x| Scalar::sinc(x, 1));
        same(x.sign(), Scalar::sign);
        same(x.floor(), Scalar::floor);
        same(x.modulo(two), |x| Scalar::modulo(x, 2.0));
        same(x.min(two), |x| Scalar::min(x, 2.0));
        same(x.max(two), |x| Scalar::max(x, 2.0));
        same(x.recip_or_zero(), Scalar::recip_or_zero);
    }

    #[test]
    fn comparison_and_selection_are_lane_by_lane() {
        let x = Lanes(VALUES);
        let positive = x.gt(Lanes::ZERO);
        assert_eq!(positive, LaneMask([true, false, false, true]));
        assert_eq!(!positive | x.equals(Lanes::ZERO), LaneMask([false, true, true, false]));
        assert_eq!(positive & x.le(Lanes::ONE), LaneMask([true, false, false, false]));
        assert!(positive.any() && !positive.all() && LaneMask::<4>::splat(true).all());
        // A division by zero in the branch that is not selected does not affect the result.
        let chosen = Lanes::select(x.equals(Lanes::ZERO), Lanes::ONE, x / x);
        assert_eq!(chosen, Lanes([1.0; 4]));
        assert_eq!(Lanes([1.0, f64::NAN]).is_finite(), LaneMask([true, false]));
    }

    #[test]
    fn lanes_of_other_scalars() {
        let x = Lanes([Dual::<f64, 1>::variable(2.0, 0), Dual::constant(3.0)]);
        let square = x * x;
        assert_eq!((square.0[0].derivatives, square.0[1].derivatives), ([4.0], [0.0]));
        assert_eq!(<Lanes<f32, 3> as Scalar>::from_parts(0.1, 0.0).0, [0.1_f32; 3]);
        assert_eq!((Lanes::<f64, 4>::LANES, x.to_f64()), (4, 2.0));
    }
}
