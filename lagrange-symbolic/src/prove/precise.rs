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
    /// Whether an exponential that is too small to be computed with is 0.
    flushes: bool,
}

impl Precise {
    /// Numbers of so many bits (at least 2).
    pub fn new(bits: usize) -> Self {
        let bits = bits.max(2);
        Self { bits, context: Context::new(bits), cache: ConstCache::new(), flushes: false }
    }

    /// The same, where exponentials below all other numbers are 0: for limits, in which they count for nothing.
    pub(super) fn flushing(bits: usize) -> Self {
        Self { flushes: true, ..Self::new(bits) }
    }

    /// The difference of two numbers.
    pub fn subtract(&mut self, a: &Real, b: &Real) -> Option<Real> {
        keep(self.context.sub(a.repr(), b.repr()))
    }

    /// −1, 0 or 1; undefined where the number is so small that only rounding may have kept it from 0.
    fn sign(&self, x: &Real) -> Option<i8> {
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
    fn floor(&mut self, x: &Real) -> Option<Real> {
        let below = x.clone().floor();
        let above = self.add(&below, &self.one())?;
        self.order(x, &below)?;
        self.order(x, &above)?;
        Some(below)
    }

    fn integer(&self, value: u32) -> Real {
        self.context.convert_int::<2>(IBig::from(value)).value()
    }

    fn one(&self) -> Real {
        self.integer(1)
    }

    /// The quotient of two numbers.
    pub(super) fn div(&self, a: &Real, b: &Real) -> Option<Real> {
        if is_zero(b) {
            return None;
        }
        keep(self.context.div(a.repr(), b.repr()))
    }

    fn sine(&mut self, x: &Real) -> Option<Real> {
        keep(self.context.sin(x.repr(), Some(&mut self.cache)))
    }

    fn cosine(&mut self, x: &Real) -> Option<Real> {
        keep(self.context.cos(x.repr(), Some(&mut self.cache)))
    }

    fn exp(&mut self, x: &Real) -> Option<Real> {
        if !is_zero(x) && magnitude(x) > 13 {
            return (self.flushes && x.sign() == Sign::Negative).then_some(Real::ZERO);
        }
        keep(self.context.exp(x.repr(), Some(&mut self.cache)))
    }

    /// The k-th derivative of sin(x)/x.
    fn sinc(&mut self, order: u32, x: &Real) -> Option<Real> {
        let small = is_zero(x) || magnitude(x) < 2 + i64::from(order.min(64));
        if !small {
            // From x s = sin x, differentiated k times: x s⁽ᵏ⁾ + k s⁽ᵏ⁻¹⁾ = sin(x + k π/2).
            let (sine, cosine) = (self.sine(x)?, self.cosine(x)?);
            let mut value = self.div(&sine, x)?;
            for n in 1..=order {
                let wave = if n % 2 == 0 { sine.clone() } else { cosine.clone() };
                let wave = if n % 4 >= 2 { -wave } else { wave };
                let count = self.integer(n);
                let product = self.mul(&count, &value)?;
                let rest = self.subtract(&wave, &product)?;
                value = self.div(&rest, x)?;
            }
            return Some(value);
        }
        // Σ (−1)ⁿ x^(2n−k) / ((2n+1) (2n−k)!) over 2n ≥ k.
        let first = order.div_ceil(2);
        let square = self.mul(x, x)?;
        let (mut power, mut total) = (if order.is_multiple_of(2) { self.one() } else { x.clone() }, Real::ZERO);
        for n in first..first + 4 * self.bits as u32 {
            let term = self.div(&power, &self.integer(2 * n + 1))?;
            total = if n % 2 == 0 { self.add(&total, &term)? } else { self.subtract(&total, &term)? };
            let next = 2 * n - order;
            let step = self.div(&square, &self.integer((next + 1) * (next + 2)))?;
            power = self.mul(&power, &step)?;
            if is_zero(&power) || magnitude(&power) < -2 * self.bits as i64 {
                return Some(total);
            }
        }
        None
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
        let x = arguments.first()?;
        let second = || arguments.get(1);
        let (context, one) = (self.context, self.one());
        let within_one = || x.clone().abs() <= one;
        match function {
            Function::Sin => self.sine(x),
            Function::Cos => self.cosine(x),
            Function::Tan => keep(context.tan(x.repr(), Some(&mut self.cache))),
            Function::Asin if within_one() => keep(context.asin(x.repr(), Some(&mut self.cache))),
            Function::Acos if within_one() => keep(context.acos(x.repr(), Some(&mut self.cache))),
            Function::Asin | Function::Acos => None,
            Function::Atan => keep(context.atan(x.repr(), Some(&mut self.cache))),
            Function::Atan2 => {
                let abscissa = second()?;
                if is_zero(x) && is_zero(abscissa) {
                    return Some(Real::ZERO);
                }
                keep(context.atan2(x.repr(), abscissa.repr(), Some(&mut self.cache)))
            }
            Function::Sinh | Function::Cosh if !is_zero(x) && magnitude(x) > 13 => None,
            Function::Sinh => keep(context.sinh(x.repr(), Some(&mut self.cache))),
            Function::Cosh => keep(context.cosh(x.repr(), Some(&mut self.cache))),
            Function::Tanh if !is_zero(x) && magnitude(x) > 13 => {
                self.flushes.then(|| if x.sign() == Sign::Negative { -one } else { one })
            }
            Function::Tanh => keep(context.tanh(x.repr(), Some(&mut self.cache))),
            Function::Exp => self.exp(x),
            Function::Ln if self.sign(x)? > 0 => keep(context.ln(x.repr(), Some(&mut self.cache))),
            Function::Ln => None,
            Function::Abs => Some(x.clone().abs()),
            Function::Sign => match self.sign(x)? {
                0 => Some(Real::ZERO),
                sign => Some(if sign < 0 { -one } else { one }),
            },
            Function::Floor => self.floor(x),
            Function::Mod => {
                let divisor = second()?;
                let turns = self.div(x, divisor)?;
                let turns = self.floor(&turns)?;
                let whole = self.mul(divisor, &turns)?;
                self.subtract(x, &whole)
            }
            Function::Min => second().map(|y| x.min(y).clone()),
            Function::Max => second().map(|y| x.max(y).clone()),
            Function::Norm => {
                let mut total = self.mul(x, x)?;
                for y in &arguments[1..] {
                    let square = self.mul(y, y)?;
                    total = self.add(&total, &square)?;
                }
                keep(context.sqrt(total.repr()))
            }
            Function::RecipOrZero => match self.sign(x)? {
                0 => Some(Real::ZERO),
                _ => self.div(&one, x),
            },
            Function::Sinc(order) => self.sinc(order, x),
            Function::Spline { .. } | Function::Extern { .. } => None,
        }
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
pub(super) fn magnitude(x: &Real) -> i64 {
    x.repr().exponent() as i64 + x.repr().digits() as i64
}

/// A finite result of a size worth computing with.
fn keep(result: FpResult<Real>) -> Option<Real> {
    let value = result.ok()?.value();
    if value.repr().is_infinite() {
        return None;
    }
    if is_zero(&value) {
        // Zeros have no sign here: atan2 would tell them apart.
        return Some(Real::ZERO);
    }
    (magnitude(&value).abs() <= LARGEST_EXPONENT).then_some(value)
}

/// The number in decimal with so many significant digits.
pub(super) fn decimal(x: &Real, digits: usize) -> String {
    if is_zero(x) {
        return "0".to_string();
    }
    let value = x.clone().with_base_and_precision::<10>(digits).value();
    let first = value.repr().exponent() as i64 + value.repr().digits() as i64;
    if (-6..=15).contains(&first) { format!("{value}") } else { format!("{value:e}") }
}

/// Whether the finite number is 0, of either sign.
pub(super) fn is_zero(x: &Real) -> bool {
    x.repr().significand().is_zero()
}
