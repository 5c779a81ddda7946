//! Evaluation in binary floating point of any precision, with a cautious domain: what cannot be decided is undefined.

use super::evaluate::Arithmetic;
use crate::graph::function::Function;
use crate::graph::{Rational, Relation};
use dashu_base::{Abs as _, Sign};
use dashu_float::math::FpResult;
use dashu_float::math::cache::ConstCache;
use dashu_float::round::mode::HalfEven;
use dashu_float::{Context, FBig};
use dashu_int::IBig;

/// A number of the stated precision.
pub type Real = FBig<HalfEven, 2>;

/// Magnitudes beyond 2^±LARGEST_EXPONENT are undefined: they cost time and prove nothing.
const LARGEST_EXPONENT: i64 = 1 << 13;

/// Arithmetic of a stated number of bits.
pub struct Precise {
    bits: usize,
    context: Context<HalfEven>,
    cache: ConstCache,
    /// Whether an exponential that is too small to represent is 0 instead of undefined.
    flushes: bool,
}

impl Precise {
    /// Numbers of so many bits (at least 2).
    pub fn new(bits: usize) -> Self {
        let bits = bits.max(2);
        Self { bits, context: Context::new(bits), cache: ConstCache::new(), flushes: false }
    }

    /// Numbers of so many bits (at least 2), in which an exponential that is too small to represent is 0. Limits use
    /// this: such a term is negligible there.
    pub(crate) fn flushing(bits: usize) -> Self {
        Self { flushes: true, ..Self::new(bits) }
    }

    /// The difference of two numbers.
    pub fn subtract(&mut self, a: &Real, b: &Real) -> Option<Real> {
        keep(self.context.sub(a.repr(), b.repr()))
    }

    /// −1, 0 or 1; undefined where the number is so small that only rounding may have kept it from 0.
    pub(crate) fn sign(&self, x: &Real) -> Option<i8> {
        if is_zero(x) {
            return Some(0);
        }
        if magnitude(x) < -(self.bits as i64) / 2 {
            return None;
        }
        Some(if x.sign() == Sign::Negative { -1 } else { 1 })
    }

    /// The sign of a − b, relative to their size.
    fn order(&mut self, a: &Real, b: &Real) -> Option<i8> {
        let difference = self.subtract(a, b)?;
        if is_zero(&difference) {
            return Some(0);
        }
        let largest = [a, b].into_iter().filter(|x| !is_zero(x)).map(magnitude).max().unwrap_or(0).max(0);
        if magnitude(&difference) < largest - (self.bits as i64) / 2 {
            return None;
        }
        self.sign(&difference)
    }

    /// The largest whole number that is not larger; undefined where only rounding may have put the number on its side.
    pub(crate) fn floor(&mut self, x: &Real) -> Option<Real> {
        let below = x.clone().floor();
        let above = self.add(&below, &self.one())?;
        self.order(x, &below)?;
        self.order(x, &above)?;
        Some(below)
    }

    fn one(&self) -> Real {
        self.whole(1)
    }

    /// How many bits the numbers have.
    pub(crate) fn bits(&self) -> usize {
        self.bits
    }

    /// The quotient of two numbers.
    pub(crate) fn div(&self, a: &Real, b: &Real) -> Option<Real> {
        if is_zero(b) {
            return None;
        }
        keep(self.context.div(a.repr(), b.repr()))
    }

    /// A whole number.
    pub(crate) fn whole(&self, value: i64) -> Real {
        self.context.convert_int::<2>(IBig::from(value)).value()
    }

    /// √x, for x ≥ 0.
    pub(crate) fn square_root(&self, x: &Real) -> Option<Real> {
        keep(self.context.sqrt(x.repr()))
    }

    /// sin x.
    pub(crate) fn sine(&mut self, x: &Real) -> Option<Real> {
        keep(self.context.sin(x.repr(), Some(&mut self.cache)))
    }

    /// cos x.
    pub(crate) fn cosine(&mut self, x: &Real) -> Option<Real> {
        keep(self.context.cos(x.repr(), Some(&mut self.cache)))
    }

    /// tan x.
    pub(crate) fn tangent(&mut self, x: &Real) -> Option<Real> {
        keep(self.context.tan(x.repr(), Some(&mut self.cache)))
    }

    /// asin x, for |x| ≤ 1.
    pub(crate) fn arcsine(&mut self, x: &Real) -> Option<Real> {
        if x.clone().abs() > self.one() {
            return None;
        }
        keep(self.context.asin(x.repr(), Some(&mut self.cache)))
    }

    /// acos x, for |x| ≤ 1.
    pub(crate) fn arccosine(&mut self, x: &Real) -> Option<Real> {
        if x.clone().abs() > self.one() {
            return None;
        }
        keep(self.context.acos(x.repr(), Some(&mut self.cache)))
    }

    /// atan x.
    pub(crate) fn arctangent(&mut self, x: &Real) -> Option<Real> {
        keep(self.context.atan(x.repr(), Some(&mut self.cache)))
    }

    /// The angle of the point (x, y); 0 at the origin.
    pub(crate) fn angle(&mut self, y: &Real, x: &Real) -> Option<Real> {
        if is_zero(y) && is_zero(x) {
            return Some(Real::ZERO);
        }
        keep(self.context.atan2(y.repr(), x.repr(), Some(&mut self.cache)))
    }

    /// sinh x; undefined where it is too large to be worth computing with.
    pub(crate) fn hyperbolic_sine(&mut self, x: &Real) -> Option<Real> {
        if is_vast(x) {
            return None;
        }
        keep(self.context.sinh(x.repr(), Some(&mut self.cache)))
    }

    /// cosh x; undefined where it is too large to be worth computing with.
    pub(crate) fn hyperbolic_cosine(&mut self, x: &Real) -> Option<Real> {
        if is_vast(x) {
            return None;
        }
        keep(self.context.cosh(x.repr(), Some(&mut self.cache)))
    }

    /// tanh x.
    pub(crate) fn hyperbolic_tangent(&mut self, x: &Real) -> Option<Real> {
        if is_vast(x) {
            return self.flushes.then(|| self.whole(if x.sign() == Sign::Negative { -1 } else { 1 }));
        }
        keep(self.context.tanh(x.repr(), Some(&mut self.cache)))
    }

    /// ln x, for x > 0.
    pub(crate) fn logarithm(&mut self, x: &Real) -> Option<Real> {
        if self.sign(x)? <= 0 {
            return None;
        }
        keep(self.context.ln(x.repr(), Some(&mut self.cache)))
    }

    /// eˣ; undefined where it is too large to be worth computing with.
    pub(crate) fn exp(&mut self, x: &Real) -> Option<Real> {
        if is_vast(x) {
            return (self.flushes && x.sign() == Sign::Negative).then_some(Real::ZERO);
        }
        keep(self.context.exp(x.repr(), Some(&mut self.cache)))
    }
}

impl Arithmetic for Precise {
    type Value = Real;

    fn rational(&mut self, value: &Rational) -> Option<Real> {
        let numerator = self.context.convert_int::<2>(value.numerator().clone()).value();
        let denominator = self.context.convert_int::<2>(value.denominator().clone().into()).value();
        self.div(&numerator, &denominator)
    }

    fn pi(&mut self) -> Option<Real> {
        Some(self.context.pi::<2>(Some(&mut self.cache)).value())
    }

    fn add(&mut self, a: &Real, b: &Real) -> Option<Real> {
        keep(self.context.add(a.repr(), b.repr()))
    }

    fn mul(&mut self, a: &Real, b: &Real) -> Option<Real> {
        keep(self.context.mul(a.repr(), b.repr()))
    }

    fn power_rational(&mut self, a: &Real, exponent: &Rational) -> Option<Real> {
        let power = i64::try_from(exponent.numerator()).ok()?;
        let root = usize::try_from(exponent.denominator()).ok().filter(|&root| root <= 1024)?;
        if is_zero(a) {
            return (power > 0).then(|| a.clone());
        }
        if magnitude(a).saturating_mul(power).saturating_abs() / root as i64 > LARGEST_EXPONENT {
            return None;
        }
        if root > 1 && a.sign() == Sign::Negative {
            return None;
        }
        let base = match root {
            1 => a.clone(),
            2 => keep(self.context.sqrt(a.repr()))?,
            _ => keep(self.context.nth_root(root, a.repr()))?,
        };
        if power == 1 {
            return Some(base);
        }
        keep(self.context.powi(base.repr(), IBig::from(power)))
    }

    fn power(&mut self, a: &Real, b: &Real) -> Option<Real> {
        if is_zero(a) || a.sign() == Sign::Negative {
            return None;
        }
        let logarithm = keep(self.context.ln(a.repr(), Some(&mut self.cache)))?;
        let exponent = self.mul(&logarithm, b)?;
        self.exp(&exponent)
    }

    fn call(&mut self, function: Function, arguments: &[Real]) -> Option<Real> {
        function.precise_value(self, arguments)
    }

    fn compare(&mut self, relation: Relation, a: &Real, b: &Real) -> Option<bool> {
        let order = self.order(a, b)?;
        Some(match relation {
            Relation::Less => order < 0,
            Relation::LessEqual => order <= 0,
            Relation::Equal => order == 0,
        })
    }
}

/// The exponent e of a number between 2^(e−1) and 2^e; the number must not be zero.
pub(crate) fn magnitude(x: &Real) -> i64 {
    x.repr().exponent() as i64 + x.repr().digits() as i64
}

/// A finite result of a size worth computing with.
fn keep(result: FpResult<Real>) -> Option<Real> {
    let value = result.ok()?.value();
    if value.repr().is_infinite() {
        return None;
    }
    if is_zero(&value) {
        // Zeros have no sign here, because atan2 would depend on it.
        return Some(Real::ZERO);
    }
    (magnitude(&value).abs() <= LARGEST_EXPONENT).then_some(value)
}

/// The number in decimal with so many significant digits.
pub(crate) fn decimal(x: &Real, digits: usize) -> String {
    if is_zero(x) {
        return "0".to_string();
    }
    let value = x.clone().with_base_and_precision::<10>(digits).value();
    let first = value.repr().exponent() as i64 + value.repr().digits() as i64;
    if (-6..=15).contains(&first) { format!("{value}") } else { format!("{value:e}") }
}

/// Whether exponentials of the number, or of its negative, are beyond the magnitudes that are computed with.
fn is_vast(x: &Real) -> bool {
    !is_zero(x) && magnitude(x) > 13
}

/// Whether the finite number is 0, of either sign.
pub(crate) fn is_zero(x: &Real) -> bool {
    x.repr().significand().is_zero()
}
