//! Units as exponents of independent generators.

use crate::graph::Rational;
use std::collections::BTreeMap;

/// The base quantities of SI, in the order in which texts name them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Base {
    Mass,
    Length,
    Time,
    Current,
    Temperature,
    Amount,
    Luminosity,
}

impl Base {
    /// All base quantities.
    pub(super) const ALL: [Self; 7] =
        [Self::Mass, Self::Length, Self::Time, Self::Current, Self::Temperature, Self::Amount, Self::Luminosity];

    /// The symbol of the coherent unit.
    fn symbol(self) -> &'static str {
        ["kg", "m", "s", "A", "K", "mol", "cd"][self as usize]
    }
}

/// What units are powers of: the coherent units of the base quantities, the primes, π, and the mass of the Sun in kilograms, which no
/// exact number gives.
///
/// The generators are independent, so that two units are equal if all their exponents are: the exponents of the base quantities are the
/// dimension, and the others the scale.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Generator {
    Base(Base),
    Prime(u64),
    Pi,
    Sun,
}

/// A unit: a product of powers of generators. The empty product is the unit `1`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Unit {
    powers: BTreeMap<Generator, Rational>,
}

impl Unit {
    /// kg·m²/s².
    pub(super) fn joule() -> Self {
        let mut unit = Self::default();
        for (base, power) in [(Base::Mass, 1), (Base::Length, 2), (Base::Time, -2)] {
            unit.multiply(Generator::Base(base), &Rational::from(power));
        }
        unit
    }

    /// The second.
    pub(super) fn second() -> Self {
        let mut unit = Self::default();
        unit.multiply(Generator::Base(Base::Time), &Rational::ONE);
        unit
    }

    /// Multiplies by a power of a generator.
    pub(super) fn multiply(&mut self, generator: Generator, power: &Rational) {
        let sum = match self.powers.get(&generator) {
            Some(known) => known + power,
            None => power.clone(),
        };
        if sum == Rational::ZERO {
            self.powers.remove(&generator);
        } else {
            self.powers.insert(generator, sum);
        }
    }

    /// The product with a power of another unit.
    pub(super) fn times(mut self, other: &Self, power: &Rational) -> Self {
        for (generator, exponent) in &other.powers {
            self.multiply(*generator, &(exponent * power));
        }
        self
    }

    /// The generators with their powers, which are not 0.
    pub(super) fn powers(&self) -> impl Iterator<Item = (&Generator, &Rational)> {
        self.powers.iter()
    }

    /// Whether this is the unit `1`.
    pub(super) fn is_one(&self) -> bool {
        self.powers.is_empty()
    }

    /// Whether the dimension is that of a number.
    pub(super) fn is_scale(&self) -> bool {
        !self.powers.keys().any(|generator| matches!(generator, Generator::Base(_)))
    }

    fn exponent(&self, base: Base) -> Rational {
        self.powers.get(&Generator::Base(base)).cloned().unwrap_or(Rational::ZERO)
    }

    /// The base quantity of which this is a unit.
    fn base(&self) -> Option<Base> {
        let mut dimension = self.powers.iter().filter_map(|(generator, power)| match generator {
            Generator::Base(base) => Some((*base, power)),
            _ => None,
        });
        match (dimension.next(), dimension.next()) {
            (Some((base, power)), None) if *power == Rational::ONE => Some(base),
            _ => None,
        }
    }

    fn of(base: Base) -> Self {
        let mut unit = Self::default();
        unit.multiply(Generator::Base(base), &Rational::ONE);
        unit
    }
}

/// The symbols with which units are written: for each base quantity the first unit of it that is stated.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    symbols: BTreeMap<Base, (String, Unit)>,
    /// Units of angles and other numbers.
    numbers: Vec<(String, Unit)>,
}

impl Vocabulary {
    /// Takes up a symbol that is stated.
    pub(super) fn add(&mut self, symbol: &str, unit: Unit) {
        match unit.base() {
            Some(base) => {
                self.symbols.entry(base).or_insert((symbol.to_owned(), unit));
            }
            None if unit.is_scale() && !unit.is_one() => self.numbers.push((symbol.to_owned(), unit)),
            None => {}
        }
    }

    /// A unit as text: `kg*m^2/s^2`. What the stated symbols do not make up of its scale stands before it as a number.
    pub(super) fn text(&self, unit: &Unit) -> String {
        if let Some((symbol, _)) = self.numbers.iter().find(|(_, number)| number == unit) {
            return symbol.clone();
        }
        let mut rest = unit.clone();
        let mut factors: Vec<(String, Rational)> = Vec::new();
        for base in Base::ALL {
            let power = unit.exponent(base);
            if power == Rational::ZERO {
                continue;
            }
            let (symbol, own) = match self.symbols.get(&base) {
                Some((symbol, own)) => (symbol.as_str(), own.clone()),
                None => (base.symbol(), Unit::of(base)),
            };
            rest = rest.times(&own, &-power.clone());
            factors.push((symbol.to_owned(), power));
        }
        let mut scale: Vec<(String, Rational)> = Vec::new();
        let mut number = Rational::ONE;
        for (generator, power) in &rest.powers {
            match generator {
                Generator::Prime(prime) if power.is_int() => number *= whole_power(*prime, power),
                Generator::Prime(prime) => scale.push((prime.to_string(), power.clone())),
                Generator::Pi => scale.push(("pi".to_owned(), power.clone())),
                Generator::Sun => scale.extend([("Msun".to_owned(), power.clone()), ("kg".to_owned(), -power.clone())]),
                Generator::Base(_) => {}
            }
        }
        scale.extend(factors);
        product(&number, &scale)
    }
}

/// A prime to a whole power.
fn whole_power(prime: u64, power: &Rational) -> Rational {
    let count = isize::try_from(power.numerator().clone()).unwrap_or(0);
    Rational::from(prime).pow(count)
}

/// The most digits of a number that is written exactly.
const MOST_DIGITS: usize = 7;

/// A number in six digits: `1.49598e11`.
fn rounded(number: &Rational) -> String {
    let text = format!("{:.5e}", number.to_f64().value());
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// A product as text, with the factors of negative exponents behind a `/`.
fn product(number: &Rational, factors: &[(String, Rational)]) -> String {
    let written = |(symbol, power): (&String, Rational)| match (power.is_int(), power == Rational::ONE) {
        (_, true) => symbol.clone(),
        (true, _) => format!("{symbol}^{}", power.numerator()),
        (false, _) => format!("{symbol}^({}/{})", power.numerator(), power.denominator()),
    };
    let of_sign = |is_above: bool| {
        let chosen = factors.iter().filter(move |(_, power)| (*power > Rational::ZERO) == is_above);
        chosen.map(move |(symbol, power)| written((symbol, if is_above { power.clone() } else { -power.clone() })))
    };
    let (mut above, mut below): (Vec<String>, Vec<String>) = (of_sign(true).collect(), of_sign(false).collect());
    let (count, divisor) = (number.numerator().to_string(), number.denominator().to_string());
    if count.len().max(divisor.len()) > MOST_DIGITS {
        above.insert(0, rounded(number));
    } else {
        above.splice(0..0, (count != "1").then_some(count));
        below.splice(0..0, (divisor != "1").then_some(divisor));
    }
    let above = if above.is_empty() { "1".to_owned() } else { above.join("*") };
    match below.as_slice() {
        [] => above,
        [single] => format!("{above}/{single}"),
        several => format!("{above}/({})", several.join("*")),
    }
}
