//! A scalar of several doubles, which are computed in the vector registers of the processor. The
//! program detects its instructions at run time.

use super::double::mul_add;
use super::packet::Packet;
use super::{Mask, Scalar, trigonometric};
use core::fmt;
use core::ops::{Add, AddAssign, BitAnd, BitOr, Div, DivAssign, Mul, MulAssign, Neg, Not, Sub, SubAssign};
use pulp::Simd;

/// `W` doubles, each in a lane of its own, which are computed by the instructions `S`.
///
/// The crate pulp gives access to instructions by a token, a value which proves that the processor
/// has them. Constants have no token, because none exists when the program is compiled. The result
/// of an operation takes the token of an operand. If no operand has one, the lanes are computed one
/// by one. After inlining, the compiler knows for each operation whether there is a token, and
/// emits no test for it.
///
/// No lane depends on another one. With [`pulp::Scalar`] every operation has the same roundings as
/// that of `f64` in a program for the default target. With other instructions products are fused,
/// and sines and cosines differ from those of `f64` by rounding.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Vector<S: Simd, const W: usize> {
    lanes: [f64; W],
    /// The token of the instructions.
    simd: Option<S>,
}

/// One truth value for each lane. All bits of a lane are set for true, and none for false.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct VectorMask<S: Simd, const W: usize> {
    lanes: [f64; W],
    /// The token of the instructions.
    simd: Option<S>,
}

/// The lane of a mask that is true. The lane of a mask that is false is 0.
const TRUE: f64 = f64::from_bits(u64::MAX);

impl<S: Simd, const W: usize> Vector<S, W> {
    /// Returns the vector with these lanes and the token `simd`.
    #[inline(always)]
    pub(crate) fn new(simd: S, lanes: [f64; W]) -> Self {
        Self { lanes, simd: Some(simd) }
    }

    /// Returns the numbers in the lanes.
    #[inline(always)]
    pub(crate) fn lanes(self) -> [f64; W] {
        self.lanes
    }

    /// Returns the same numbers with the token `simd`. The compiler then knows that they have one,
    /// even if it does not know where they come from.
    #[inline(always)]
    pub(crate) fn known(self, simd: S) -> Self {
        Self { lanes: self.lanes, simd: Some(simd) }
    }

    /// Returns the vector with other numbers and the token of this vector.
    #[inline(always)]
    pub(super) fn with_lanes(self, lanes: [f64; W]) -> Self {
        Self { lanes, simd: self.simd }
    }

    /// Applies a function of one `f64` to each lane.
    #[inline(always)]
    fn by_lane(mut self, function: impl Fn(f64) -> f64) -> Self {
        for lane in &mut self.lanes {
            *lane = function(*lane);
        }
        self
    }

    /// Applies a function of two `f64` to each pair of lanes.
    #[inline(always)]
    fn by_lane_with(mut self, other: Self, function: impl Fn(f64, f64) -> f64) -> Self {
        for (lane, other) in self.lanes.iter_mut().zip(&other.lanes) {
            *lane = function(*lane, *other);
        }
        Self { lanes: self.lanes, simd: self.simd.or(other.simd) }
    }
}

/// Applies an operation to all lanes. With a token, `registers` computes the lanes that fill whole
/// registers, and `lane` computes each of the others. Without a token, `lane` computes each lane.
#[inline(always)]
fn unary<S: Simd, const W: usize>(
    simd: Option<S>,
    mut x: [f64; W],
    registers: impl Fn(S, S::f64s) -> S::f64s,
    lane: impl Fn(f64) -> f64,
) -> [f64; W] {
    let rest = match simd {
        Some(simd) => {
            let (full, rest) = S::as_mut_simd_f64s(&mut x);
            for x in full {
                *x = registers(simd, *x);
            }
            rest
        }
        None => &mut x[..],
    };
    for x in rest {
        *x = lane(*x);
    }
    x
}

/// Does the same as [`unary`] for an operation with two operands.
#[inline(always)]
fn binary<S: Simd, const W: usize>(
    simd: Option<S>,
    mut x: [f64; W],
    y: [f64; W],
    registers: impl Fn(S, S::f64s, S::f64s) -> S::f64s,
    lane: impl Fn(f64, f64) -> f64,
) -> [f64; W] {
    let (rest, y) = match simd {
        Some(simd) => {
            let ((full, rest), (y, y_rest)) = (S::as_mut_simd_f64s(&mut x), S::as_simd_f64s(&y));
            for (x, y) in full.iter_mut().zip(y) {
                *x = registers(simd, *x, *y);
            }
            (rest, y_rest)
        }
        None => (&mut x[..], &y[..]),
    };
    for (x, y) in rest.iter_mut().zip(y) {
        *x = lane(*x, *y);
    }
    x
}

/// Does the same as [`unary`] for an operation with three operands.
#[inline(always)]
fn ternary<S: Simd, const W: usize>(
    simd: Option<S>,
    mut x: [f64; W],
    y: [f64; W],
    z: [f64; W],
    registers: impl Fn(S, S::f64s, S::f64s, S::f64s) -> S::f64s,
    lane: impl Fn(f64, f64, f64) -> f64,
) -> [f64; W] {
    let (rest, y, z) = match simd {
        Some(simd) => {
            let (full, rest) = S::as_mut_simd_f64s(&mut x);
            let ((y, y_rest), (z, z_rest)) = (S::as_simd_f64s(&y), S::as_simd_f64s(&z));
            for ((x, y), z) in full.iter_mut().zip(y).zip(z) {
                *x = registers(simd, *x, *y, *z);
            }
            (rest, y_rest, z_rest)
        }
        None => (&mut x[..], &y[..], &z[..]),
    };
    for ((x, y), z) in rest.iter_mut().zip(y).zip(z) {
        *x = lane(*x, *y, *z);
    }
    x
}

/// Returns `yes` if the lane `mask` of a mask is true, and `no` otherwise.
#[inline(always)]
fn choose(mask: f64, yes: f64, no: f64) -> f64 {
    if mask.to_bits() != 0 { yes } else { no }
}

/// Returns the lane of a mask for a truth value.
#[inline(always)]
fn truth(value: bool) -> f64 {
    if value { TRUE } else { 0.0 }
}

impl<S: Simd, const W: usize> fmt::Debug for Vector<S, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lanes.fmt(f)
    }
}

impl<S: Simd, const W: usize> fmt::Debug for VectorMask<S, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lanes.map(|lane| lane.to_bits() != 0).fmt(f)
    }
}

impl<S: Simd, const W: usize> PartialEq for Vector<S, W> {
    fn eq(&self, other: &Self) -> bool {
        self.lanes == other.lanes
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $registers:ident, $assign_trait:ident $assign_method:ident;)*) => {$(
        impl<S: Simd, const W: usize> $trait for Vector<S, W> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let simd = self.simd.or(other.simd);
                Self { lanes: binary(simd, self.lanes, other.lanes, S::$registers, f64::$method), simd }
            }
        }

        impl<S: Simd, const W: usize> $assign_trait for Vector<S, W> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    )*};
}

operators! {
    Add add add_f64s, AddAssign add_assign;
    Sub sub sub_f64s, SubAssign sub_assign;
    Mul mul mul_f64s, MulAssign mul_assign;
    Div div div_f64s, DivAssign div_assign;
}

impl<S: Simd, const W: usize> Neg for Vector<S, W> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { lanes: unary(self.simd, self.lanes, S::neg_f64s, f64::neg), simd: self.simd }
    }
}

macro_rules! mask_operators {
    ($($trait:ident $method:ident $registers:ident $operator:tt;)*) => {$(
        impl<S: Simd, const W: usize> $trait for VectorMask<S, W> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let simd = self.simd.or(other.simd);
                let lane = |x: f64, y: f64| f64::from_bits(x.to_bits() $operator y.to_bits());
                Self { lanes: binary(simd, self.lanes, other.lanes, S::$registers, lane), simd }
            }
        }
    )*};
}

mask_operators! {
    BitAnd bitand and_f64s &;
    BitOr bitor or_f64s |;
}

impl<S: Simd, const W: usize> Not for VectorMask<S, W> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        let lane = |x: f64| f64::from_bits(!x.to_bits());
        Self { lanes: unary(self.simd, self.lanes, S::not_f64s, lane), simd: self.simd }
    }
}

impl<S: Simd, const W: usize> Mask for VectorMask<S, W> {
    #[inline(always)]
    fn splat(value: bool) -> Self {
        Self { lanes: [truth(value); W], simd: None }
    }
    #[inline(always)]
    fn any(self) -> bool {
        !(!self).all()
    }
    #[inline(always)]
    fn all(self) -> bool {
        let Some(simd) = self.simd else { return self.lanes.iter().all(|lane| lane.to_bits() != 0) };
        let (full, rest) = S::as_simd_f64s(&self.lanes);
        let mut all = true;
        for mask in full {
            let is_false = simd.equal_u64s(simd.transmute_u64s_f64s(*mask), simd.splat_u64s(0));
            all &= simd.first_true_m64s(is_false) == S::U64_LANES;
        }
        for lane in rest {
            all &= lane.to_bits() != 0;
        }
        all
    }
}

macro_rules! by_lane {
    ($($function:ident)*) => {$(
        #[inline]
        fn $function(self) -> Self {
            self.by_lane(Scalar::$function)
        }
    )*};
    (pairs: $($function:ident)*) => {$(
        #[inline]
        fn $function(self, other: Self) -> Self {
            self.by_lane_with(other, Scalar::$function)
        }
    )*};
    (comparisons: $($function:ident $registers:ident $operator:tt;)*) => {$(
        #[inline(always)]
        fn $function(self, other: Self) -> VectorMask<S, W> {
            let simd = self.simd.or(other.simd);
            let registers = |simd: S, x, y| {
                simd.select_f64s(simd.$registers(x, y), simd.splat_f64s(TRUE), simd.splat_f64s(0.0))
            };
            let lanes = binary(simd, self.lanes, other.lanes, registers, |x, y| truth(x $operator y));
            VectorMask { lanes, simd }
        }
    )*};
}

impl<S: Simd, const W: usize> Scalar for Vector<S, W> {
    type Mask = VectorMask<S, W>;
    const LANES: usize = W;
    const ZERO: Self = Self { lanes: [0.0; W], simd: None };
    const ONE: Self = Self { lanes: [1.0; W], simd: None };
    const EPSILON: f64 = f64::EPSILON;

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self { lanes: [value; W], simd: None }
    }
    #[inline(always)]
    fn from_parts(high: f64, _low: f64) -> Self {
        Self::from_f64(high)
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self.lanes.first().copied().unwrap_or(f64::NAN)
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        let simd = self.simd.or(factor.simd).or(addend.simd);
        let registers = |simd: S, x, y, z| {
            if Self::FUSED { simd.mul_add_f64s(x, y, z) } else { simd.add_f64s(simd.mul_f64s(x, y), z) }
        };
        let lane = |x: f64, y: f64, z: f64| if Self::FUSED { x.mul_add(y, z) } else { mul_add(x, y, z) };
        Self { lanes: ternary(simd, self.lanes, factor.lanes, addend.lanes, registers, lane), simd }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self { lanes: unary(self.simd, self.lanes, S::sqrt_f64s, Scalar::sqrt), simd: self.simd }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self { lanes: unary(self.simd, self.lanes, S::abs_f64s, f64::abs), simd: self.simd }
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        trigonometric::sin_cos_of_all(self)
    }
    #[inline(always)]
    fn sin_cos_of<const K: usize>(angles: [Self; K]) -> ([Self; K], [Self; K]) {
        // The functions of the standard library that map arrays are not always inlined.
        let (mut sines, mut cosines) = (angles, angles);
        for (sine, cosine) in sines.iter_mut().zip(&mut cosines) {
            (*sine, *cosine) = sine.sin_cos();
        }
        (sines, cosines)
    }
    #[inline]
    fn norm_of<const K: usize>(components: [Self; K]) -> Self {
        let mut norm = Self::ZERO;
        for component in &components {
            norm.simd = norm.simd.or(component.simd);
        }
        for (index, lane) in norm.lanes.iter_mut().enumerate() {
            *lane = Scalar::norm_of(components.map(|component| component.lanes[index]));
        }
        norm
    }
    #[inline]
    fn sinc(self, order: u32) -> Self {
        self.by_lane(|lane| Scalar::sinc(lane, order))
    }
    #[inline(always)]
    fn sign(self) -> Self {
        // The sign of 0 is 0, and that of NaN is NaN.
        let one = Self::select(self.lt(Self::ZERO), -Self::ONE, Self::ONE);
        Self::select(self.abs().gt(Self::ZERO), one, self)
    }

    by_lane! { cbrt exp ln tan asin acos atan sinh cosh tanh floor }
    by_lane! { pairs: powf atan2 hypot modulo }
    by_lane! { comparisons:
        lt less_than_f64s <;
        le less_than_or_equal_f64s <=;
        equals equal_f64s ==;
    }

    #[inline(always)]
    fn select(mask: VectorMask<S, W>, yes: Self, no: Self) -> Self {
        let simd = mask.simd.or(yes.simd).or(no.simd);
        let registers = |simd: S, mask, yes, no| {
            let is_false = simd.equal_u64s(simd.transmute_u64s_f64s(mask), simd.splat_u64s(0));
            simd.select_f64s(is_false, no, yes)
        };
        Self { lanes: ternary(simd, mask.lanes, yes.lanes, no.lanes, registers, choose), simd }
    }
    #[inline(always)]
    fn is_finite(self) -> VectorMask<S, W> {
        self.abs().lt(Self::from_f64(f64::INFINITY))
    }
}

impl<S: Simd, const W: usize> Packet for Vector<S, W> {
    const FUSED: bool = !S::IS_SCALAR && cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self::from_f64(value)
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Scalar::mul_add(self, factor, addend)
    }

    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        let simd = self.simd.or(other.simd);
        let registers = |simd: S, x, sign| simd.or_f64s(x, simd.and_f64s(sign, simd.splat_f64s(-0.0)));
        Self { lanes: binary(simd, self.lanes, other.lanes, registers, Packet::with_sign_of), simd }
    }

    #[inline(always)]
    fn rotate(sine: Self, cosine: Self, quadrant: Self) -> (Self, Self) {
        let simd = sine.simd.or(cosine.simd).or(quadrant.simd);
        // In each lane, `bit(turns, bit, clear, set)` is `set` if the number quadrant + `turns` has
        // the bit `bit`, and `clear` if it does not. The quadrant counts quarter turns.
        let bit = |turns: u64, bit: u64, clear: Self, set: Self| {
            let registers = |simd: S, quadrant, clear, set| {
                let turned = simd.add_u64s(simd.transmute_u64s_f64s(quadrant), simd.splat_u64s(turns));
                let is_clear = simd.equal_u64s(simd.and_u64s(turned, simd.splat_u64s(bit)), simd.splat_u64s(0));
                simd.select_f64s(is_clear, clear, set)
            };
            let lane = |quadrant: f64, clear, set| {
                if quadrant.to_bits().wrapping_add(turns) & bit == 0 { clear } else { set }
            };
            Self { lanes: ternary(simd, quadrant.lanes, clear.lanes, set.lanes, registers, lane), simd }
        };
        let (first, second) = (bit(0, 1, sine, cosine), bit(0, 1, cosine, sine));
        (bit(0, 2, first, -first), bit(1, 2, second, -second))
    }
}
