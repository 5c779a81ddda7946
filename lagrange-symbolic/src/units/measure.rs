//! Units as programs need them that convert quantities of the crate `uom`: whole exponents and a factor.

use super::unit::{Base, Generator, Unit};
use crate::graph::Rational;

/// A unit: `factor / divisor` times the product of powers of the base units of SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measure {
    /// The exponents of m, kg, s, A, K, mol and cd, which is the order of `uom`.
    pub(crate) exponents: [i16; 7],
    /// What stands above the line of the factor. Numbers such as 1000 are exact, where a quotient may be rounded.
    pub(crate) factor: f64,
    /// What stands below the line of the factor.
    pub(crate) divisor: f64,
}

/// Why a unit has no [`Measure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unmeasured {
    /// Nobody states the unit, and nothing determines it.
    Undetermined,
    /// A base unit has a broken exponent.
    Broken,
    /// The unit contains the mass of the Sun, which is no exact number of kilograms.
    Solar,
    /// The factor or an exponent is too large for a number.
    Beyond,
    /// The elements of an array have several units.
    Several,
}

/// The largest exponent that `uom` has a name for.
const MOST: i64 = 1024;

impl Measure {
    /// The measure of a unit.
    pub(super) fn of(unit: &Unit) -> Result<Self, Unmeasured> {
        let mut measure = Self { exponents: [0; 7], factor: 1.0, divisor: 1.0 };
        for (generator, power) in unit.powers() {
            let number = match generator {
                Generator::Sun => return Err(Unmeasured::Solar),
                Generator::Base(base) => {
                    measure.exponents[place(*base)] = whole(power)?;
                    continue;
                }
                Generator::Prime(prime) => *prime as f64,
                Generator::Pi => std::f64::consts::PI,
            };
            let size = number.powf(power.to_f64().value().abs());
            match *power > Rational::ZERO {
                true => measure.factor *= size,
                false => measure.divisor *= size,
            }
        }
        if measure.factor.is_finite() && measure.divisor.is_finite() { Ok(measure) } else { Err(Unmeasured::Beyond) }
    }
}

/// The place of a base quantity among the exponents.
fn place(base: Base) -> usize {
    match base {
        Base::Length => 0,
        Base::Mass => 1,
        Base::Time => 2,
        Base::Current => 3,
        Base::Temperature => 4,
        Base::Amount => 5,
        Base::Luminosity => 6,
    }
}

fn whole(power: &Rational) -> Result<i16, Unmeasured> {
    if !power.is_int() {
        return Err(Unmeasured::Broken);
    }
    let power = i64::try_from(power.numerator().clone()).ok().filter(|power| power.abs() <= MOST);
    power.and_then(|power| i16::try_from(power).ok()).ok_or(Unmeasured::Beyond)
}
