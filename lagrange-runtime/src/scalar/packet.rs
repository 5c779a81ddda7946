//! One or two doubles side by side: what the sine and cosine are written over.

use super::double::{FUSED, mul_add};
use core::ops::{Add, Mul, Neg, Sub};
use wide::bytemuck::cast;
use wide::{f64x2, u64x2};

/// Arithmetic on one or several doubles at once, and the last step of a sine and cosine.
pub(super) trait Packet:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// The same number in each place.
    fn splat(value: f64) -> Self;

    /// `self * factor + addend`, fused where the target has the instruction.
    fn mul_add(self, factor: Self, addend: Self) -> Self;

    /// `self`, whose sign is that of `other` unless it is 0, with the sign of `other`.
    fn with_sign_of(self, other: Self) -> Self;

    /// Exchanges sine and cosine and sets their signs by the last two bits of `quadrant`'s representation.
    fn rotate(sine: Self, cosine: Self, quadrant: Self) -> (Self, Self);
}

impl Packet for f64 {
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

    /// The last bit exchanges the two, the second bit is the sine's sign; the cosine's sign is a quarter turn ahead.
    #[inline(always)]
    fn rotate(sine: Self, cosine: Self, quadrant: Self) -> (Self, Self) {
        // Each comparison is one of floats and used once, because it then selects by a mask and not by a jump.
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

/// Two doubles in one register, which compilers do not find by themselves here.
impl Packet for f64x2 {
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
        let quadrant: u64x2 = cast(quadrant);
        let one = u64x2::splat(1);
        // All bits where the last one is set: 0 − 1.
        let exchange: Self = cast(u64x2::splat(0) - (quadrant & one));
        let sign = |turns: u64x2| -> Self { cast((turns << 62_u64) & u64x2::splat(1 << 63)) };
        (exchange.bitselect(cosine, sine) ^ sign(quadrant), exchange.bitselect(sine, cosine) ^ sign(quadrant + one))
    }
}
