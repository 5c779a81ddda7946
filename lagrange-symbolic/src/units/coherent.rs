//! A unit from its text, as powers of the base units of SI with a factor.

use super::symbol;
use super::unit::{Base, Generator};

/// The mass of the Sun in kilograms, for programs that convert units: 1.3271244e20 m³/s² by the constant of gravitation 6.6743e-11 m³/(kg s²),
/// of which four digits are sure (IAU 2015 Resolution B3; CODATA 2018).
const SUN: f64 = 1.3271244e20 / 6.6743e-11;

/// The symbols of angles, which FMI tells from other numbers.
const ANGLES: [&str; 6] = ["rad", "deg", "arcmin", "arcsec", "rev", "rpm"];

/// A unit: the factor times the product of the powers of kg, m, s, A, K, mol, cd and rad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coherent {
    /// How many coherent units it is.
    pub(crate) factor: f64,
    /// The exponents of kg, m, s, A, K, mol, cd and rad.
    pub(crate) exponents: [f64; 8],
}

impl Coherent {
    const ONE: Self = Self { factor: 1.0, exponents: [0.0; 8] };

    /// The product with a power of another unit.
    fn times(mut self, other: Self, power: f64) -> Self {
        self.factor *= other.factor.powf(power);
        for (exponent, of_other) in self.exponents.iter_mut().zip(other.exponents) {
            *exponent += power * of_other;
        }
        self
    }

    /// The unit of a text such as `kg*m^2/s^2` or `1/(s*m)`; `None` for a text that is no unit.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let signs: Vec<char> = text.chars().filter(|sign| !sign.is_whitespace()).collect();
        let mut reader = Reader { signs: &signs };
        let unit = reader.product()?;
        reader.signs.is_empty().then_some(unit)
    }

    fn named(name: &str) -> Option<Self> {
        let unit = symbol::named(name)?;
        let mut found = Self::ONE;
        for (generator, power) in unit.powers() {
            let power = power.to_f64().value();
            match generator {
                Generator::Base(base) => found.exponents[Base::ALL.iter().position(|known| known == base)?] += power,
                Generator::Prime(prime) => found.factor *= (*prime as f64).powf(power),
                Generator::Pi => found.factor *= std::f64::consts::PI.powf(power),
                Generator::Sun => found.factor *= SUN.powf(power),
            }
        }
        // `mrad` has a prefix.
        if ANGLES.contains(&name) || name.ends_with("rad") {
            found.exponents[7] = 1.0;
        }
        Some(found)
    }
}

struct Reader<'s> {
    signs: &'s [char],
}

impl Reader<'_> {
    fn take(&mut self, sign: char) -> bool {
        let is_next = self.signs.first() == Some(&sign);
        self.signs = &self.signs[usize::from(is_next)..];
        is_next
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let length = self.signs.iter().take_while(|sign| belongs(**sign)).count();
        let (word, rest) = self.signs.split_at(length);
        self.signs = rest;
        word.iter().collect()
    }

    fn product(&mut self) -> Option<Coherent> {
        let mut unit = self.factor()?;
        loop {
            let power = match (self.take('*'), self.take('/')) {
                (true, false) => 1.0,
                (false, true) => -1.0,
                _ => return Some(unit),
            };
            unit = unit.times(self.factor()?, power);
        }
    }

    fn factor(&mut self) -> Option<Coherent> {
        let base = if self.take('(') {
            let inside = self.product()?;
            self.take(')').then_some(inside)?
        } else if self.signs.first()?.is_ascii_digit() {
            Coherent { factor: self.number()?, ..Coherent::ONE }
        } else {
            match &self.word(|sign| sign.is_alphanumeric() || sign == '_')[..] {
                "pi" => Coherent { factor: std::f64::consts::PI, ..Coherent::ONE },
                name => Coherent::named(name)?,
            }
        };
        let power = if self.take('^') { self.exponent()? } else { 1.0 };
        Some(Coherent::ONE.times(base, power))
    }

    /// `1000`, `1.49598e11` or `1e-7`.
    fn number(&mut self) -> Option<f64> {
        let mut text = self.word(|sign| sign.is_ascii_digit() || sign == '.');
        if self.take('e') {
            text.push_str(if self.take('-') { "e-" } else { "e" });
            text.push_str(&self.word(|sign| sign.is_ascii_digit()));
        }
        text.parse().ok()
    }

    /// `2`, `-2`, `(1/2)` or `(-1/2)`.
    fn exponent(&mut self) -> Option<f64> {
        if self.take('(') {
            let sign = if self.take('-') { -1.0 } else { 1.0 };
            let above = self.number()?;
            let below = if self.take('/') { self.number()? } else { 1.0 };
            return self.take(')').then_some(sign * above / below);
        }
        let sign = if self.take('-') { -1.0 } else { 1.0 };
        Some(sign * self.number()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_products_of_base_units() {
        let [energy, other] = ["kg*m^2/s^2", "N*m"].map(|text| Coherent::of(text).expect("a unit"));
        assert_eq!(energy, other);
        assert_eq!(energy, Coherent { factor: 1.0, exponents: [1.0, 2.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0] });
        // A quotient of quotients: rad/s².
        let turning = Coherent::of("(rad/s)/s").expect("a unit");
        assert_eq!(turning.exponents, [0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        let degrees = Coherent::of("deg").expect("a unit");
        assert!((degrees.factor - std::f64::consts::PI / 180.0).abs() < 1e-15, "{degrees:?}");
        assert_eq!(degrees.exponents[7], 1.0);
        assert_eq!(Coherent::of("1000/(m^(1/2)*s)").expect("a unit").exponents[1], -0.5);
        assert_eq!(Coherent::of("1e-7*kg").expect("a unit").factor, 1e-7);
        for none in ["furlong", "", "kg*", "(m", "m)", "m^"] {
            assert_eq!(Coherent::of(none), None, "{none}");
        }
    }
}
