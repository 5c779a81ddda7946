//! One or several doubles that are computed together. The sine and the cosine are written for this trait.

use super::double::{FUSED, mul_add};
use core::ops::{Add, Mul, Neg, Sub};
use wide::bytemuck::cast;
use wide::{f64x2, f64x4, u64x2, u64x4};

/// The arithmetic on one or several doubles, and the last operation of a sine and cosine.
pub(super) trait Packet:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// Whether [`Packet::mul_add`] has one rounding.
    const FUSED: bool;

    /// Returns the same number in each place.
    fn splat(value: f64) -> Self;

    /// Returns `self * factor + addend`. It is fused if the target has the instruction.
    fn mul_add(self, factor: Self, addend: Self) -> Self;

    /// Returns `self` with the sign of `other`. Unless `self` is 0, its sign must already be that of `other`.
    fn with_sign_of(self, other: Self) -> Self;

    /// Exchanges sine and cosine and sets their signs. The last two bits of `quadrant` decide.
    fn rotate(sine: Self, cosine: Self, quadrant: Self) -> (Self, Self);
}

impl Packet for f64 {
    const FUSED: bool = FUSED;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        mul_add(self, factor, addend)
    }

    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        Self::from_bits(self.to_bits() | (other.to_bits() & (1 << 63)))
    }

    /// The last bit exchanges sine and cosine. The second bit is the sign of the sine. The sign of the cosine is that of the sine
    /// a quarter turn later.
    #[inline(always)]
    fn rotate(sine: Self, cosine: Self, quadrant: Self) -> (Self, Self) {
        // Each comparison is between floats and is used once. The compiler then emits a selection by a mask instead of a jump.
        let quadrant = quadrant.to_bits();
        let odd = quadrant & 1;
        let sine_stays = Self::from_bits(odd | 1.0_f64.to_bits()) == 1.0;
        let cosine_stays = Self::from_bits(odd | 2.0_f64.to_bits()) == 2.0;
        let (sine, cosine) = (if sine_stays { sine } else { cosine }, if cosine_stays { cosine } else { sine });
        (
            Self::from_bits(sine.to_bits() ^ ((quadrant & 2) << 62)),
            Self::from_bits(cosine.to_bits() ^ ((quadrant.wrapping_add(1) & 2) << 62)),
        )
    }
}

/// Implements [`Packet`] for the doubles of one register. Compilers do not find this vectorisation by themselves here.
macro_rules! register {
    ($float:ty, $bits:ty) => {
        impl Packet for $float {
            const FUSED: bool = FUSED;

            #[inline(always)]
            fn splat(value: f64) -> Self {
                Self::splat(value)
            }

            #[inline(always)]
            fn mul_add(self, factor: Self, addend: Self) -> Self {
                if FUSED { Self::mul_add(self, factor, addend) } else { self * factor + addend }
            }

            #[inline(always)]
            fn with_sign_of(self, other: Self) -> Self {
                self | (other & Self::splat(-0.0))
            }

            #[inline(always)]
            fn rotate(sine: Self, cosine: Self, quadrant: Self) -> (Self, Self) {
                let quadrant: $bits = cast(quadrant);
                let one = <$bits>::splat(1);
                // 0 − 1 sets all bits if the last bit is set.
                let exchange: Self = cast(<$bits>::splat(0) - (quadrant & one));
                let sign = |turns: $bits| -> Self { cast((turns << 62_u64) & <$bits>::splat(1 << 63)) };
                (
                    exchange.bitselect(cosine, sine) ^ sign(quadrant),
                    exchange.bitselect(sine, cosine) ^ sign(quadrant + one),
                )
            }
        }
    };
}

register!(f64x2, u64x2);
register!(f64x4, u64x4);

/// Several packets that are computed together. Each operation is made on all of them before the next operation, so that the processor has
/// independent operations to work on.
#[cfg(feature = "ensemble")]
#[derive(Clone, Copy)]
pub(super) struct Several<P, const K: usize>(pub(super) [P; K]);

#[cfg(feature = "ensemble")]
impl<P: Packet, const K: usize> Several<P, K> {
    /// Applies an operation to each packet and those of `other` and `third` at its place.
    ///
    /// The functions of the standard library that map arrays are not always inlined.
    #[inline(always)]
    fn with(mut self, other: Self, third: Self, operation: impl Fn(P, P, P) -> P) -> Self {
        for i in 0..K {
            self.0[i] = operation(self.0[i], other.0[i], third.0[i]);
        }
        self
    }
}

#[cfg(feature = "ensemble")]
impl<P: Packet, const K: usize> Add for Several<P, K> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, other, |x, y, _| x + y)
    }
}

#[cfg(feature = "ensemble")]
impl<P: Packet, const K: usize> Sub for Several<P, K> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, other, |x, y, _| x - y)
    }
}

#[cfg(feature = "ensemble")]
impl<P: Packet, const K: usize> Mul for Several<P, K> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, other, |x, y, _| x * y)
    }
}

#[cfg(feature = "ensemble")]
impl<P: Packet, const K: usize> Neg for Several<P, K> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.with(self, self, |x, _, _| -x)
    }
}

#[cfg(feature = "ensemble")]
impl<P: Packet, const K: usize> Packet for Several<P, K> {
    const FUSED: bool = P::FUSED;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([P::splat(value); K])
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self.with(factor, addend, P::mul_add)
    }

    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        self.with(other, other, |x, sign, _| x.with_sign_of(sign))
    }

    #[inline(always)]
    fn rotate(mut sine: Self, mut cosine: Self, quadrant: Self) -> (Self, Self) {
        for i in 0..K {
            (sine.0[i], cosine.0[i]) = P::rotate(sine.0[i], cosine.0[i], quadrant.0[i]);
        }
        (sine, cosine)
    }
}
