//! The symbols of units.

use super::unit::{Base, Generator, Unit};
use crate::graph::Rational;
use crate::report::did_you_mean;
use crate::syntax::{StatedUnit, plain};
use proc_macro2::Ident;

/// The exponents of mass, length, time, current, temperature, amount and luminous intensity.
type Dimension = [i8; 7];

/// A symbol, its dimension, the factor to the coherent unit of SI as a quotient, the power of π in it, and whether prefixes stand before it.
type Row = (&'static str, Dimension, (u64, u64), i8, bool);

const NONE: Dimension = [0; 7];
const MASS: Dimension = [1, 0, 0, 0, 0, 0, 0];
const LENGTH: Dimension = [0, 1, 0, 0, 0, 0, 0];
const VOLUME: Dimension = [0, 3, 0, 0, 0, 0, 0];
const TIME: Dimension = [0, 0, 1, 0, 0, 0, 0];
const RATE: Dimension = [0, 0, -1, 0, 0, 0, 0];
const FORCE: Dimension = [1, 1, -2, 0, 0, 0, 0];
const PRESSURE: Dimension = [1, -1, -2, 0, 0, 0, 0];
const ENERGY: Dimension = [1, 2, -2, 0, 0, 0, 0];
const SI: (u64, u64) = (1, 1);

/// All symbols. A name of this list comes before a prefix with a symbol, so that `min` is a minute and `cd` a candela.
const SYMBOLS: [Row; 62] = [
    ("m", LENGTH, SI, 0, true),
    // The kilogram is the coherent unit.
    ("g", MASS, (1, 1000), 0, true),
    ("s", TIME, SI, 0, true),
    ("A", [0, 0, 0, 1, 0, 0, 0], SI, 0, true),
    ("K", [0, 0, 0, 0, 1, 0, 0], SI, 0, true),
    ("mol", [0, 0, 0, 0, 0, 1, 0], SI, 0, true),
    ("cd", [0, 0, 0, 0, 0, 0, 1], SI, 0, true),
    ("rad", NONE, SI, 0, true),
    ("sr", NONE, SI, 0, true),
    ("Hz", RATE, SI, 0, true),
    ("N", FORCE, SI, 0, true),
    ("Pa", PRESSURE, SI, 0, true),
    ("J", ENERGY, SI, 0, true),
    ("W", [1, 2, -3, 0, 0, 0, 0], SI, 0, true),
    ("C", [0, 0, 1, 1, 0, 0, 0], SI, 0, true),
    ("V", [1, 2, -3, -1, 0, 0, 0], SI, 0, true),
    ("F", [-1, -2, 4, 2, 0, 0, 0], SI, 0, true),
    ("ohm", [1, 2, -3, -2, 0, 0, 0], SI, 0, true),
    ("Ω", [1, 2, -3, -2, 0, 0, 0], SI, 0, true),
    ("S", [-1, -2, 3, 2, 0, 0, 0], SI, 0, true),
    ("Wb", [1, 2, -2, -1, 0, 0, 0], SI, 0, true),
    ("T", [1, 0, -2, -1, 0, 0, 0], SI, 0, true),
    ("H", [1, 2, -2, -2, 0, 0, 0], SI, 0, true),
    ("lm", [0, 0, 0, 0, 0, 0, 1], SI, 0, true),
    ("lx", [0, -2, 0, 0, 0, 0, 1], SI, 0, true),
    ("Bq", RATE, SI, 0, true),
    ("Gy", [0, 2, -2, 0, 0, 0, 0], SI, 0, true),
    ("Sv", [0, 2, -2, 0, 0, 0, 0], SI, 0, true),
    ("kat", [0, 0, -1, 0, 0, 1, 0], SI, 0, true),
    ("min", TIME, (60, 1), 0, false),
    ("h", TIME, (3_600, 1), 0, false),
    ("d", TIME, (86_400, 1), 0, false),
    ("day", TIME, (86_400, 1), 0, false),
    // The Julian year.
    ("year", TIME, (31_557_600, 1), 0, false),
    ("deg", NONE, (1, 180), 1, false),
    ("arcmin", NONE, (1, 10_800), 1, false),
    ("arcsec", NONE, (1, 648_000), 1, false),
    ("rev", NONE, (2, 1), 1, false),
    ("rpm", RATE, (1, 30), 1, false),
    ("percent", NONE, (1, 100), 0, false),
    ("L", VOLUME, (1, 1000), 0, true),
    ("l", VOLUME, (1, 1000), 0, true),
    ("tonne", MASS, (1000, 1), 0, false),
    ("ha", [0, 2, 0, 0, 0, 0, 0], (10_000, 1), 0, false),
    ("bar", PRESSURE, (100_000, 1), 0, true),
    ("atm", PRESSURE, (101_325, 1), 0, false),
    ("eV", ENERGY, (1_602_176_634, 1), 0, true),
    ("cal", ENERGY, (4184, 1000), 0, true),
    ("erg", ENERGY, (1, 10_000_000), 0, false),
    ("dyn", FORCE, (1, 100_000), 0, false),
    ("Gauss", [1, 0, -2, -1, 0, 0, 0], (1, 10_000), 0, false),
    ("AU", LENGTH, (149_597_870_700, 1), 0, false),
    ("au", LENGTH, (149_597_870_700, 1), 0, false),
    ("ly", LENGTH, (9_460_730_472_580_800, 1), 0, false),
    ("pc", LENGTH, (96_939_420_213_600_000, 1), -1, true),
    ("Msun", MASS, SI, 0, false),
    ("inch", LENGTH, (254, 10_000), 0, false),
    ("ft", LENGTH, (3048, 10_000), 0, false),
    ("mile", LENGTH, (1_609_344, 1000), 0, false),
    ("lb", MASS, (45_359_237, 100_000_000), 0, false),
    // Pounds of force with the standard gravity 9.80665 m/s².
    ("lbf", FORCE, (45_359_237 * 980_665, 10_000_000_000_000), 0, false),
    ("kgf", FORCE, (980_665, 100_000), 0, false),
];

/// The prefixes of SI with their powers of ten. `da` stands before `d`, since `dam` is a decametre.
const PREFIXES: [(&str, i64); 26] = [
    ("da", 1),
    ("Q", 30),
    ("R", 27),
    ("Y", 24),
    ("Z", 21),
    ("E", 18),
    ("P", 15),
    ("T", 12),
    ("G", 9),
    ("M", 6),
    ("k", 3),
    ("h", 2),
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("u", -6),
    ("µ", -6),
    ("μ", -6),
    ("n", -9),
    ("p", -12),
    ("f", -15),
    ("a", -18),
    ("z", -21),
    ("y", -24),
    ("r", -27),
    ("q", -30),
];

/// The unit of this symbol.
pub(super) fn named(symbol: &str) -> Option<Unit> {
    if let Some(row) = SYMBOLS.iter().find(|row| row.0 == symbol) {
        return Some(of_row(row));
    }
    PREFIXES.iter().find_map(|(prefix, power)| {
        let rest = symbol.strip_prefix(prefix)?;
        let row = SYMBOLS.iter().find(|row| row.0 == rest && row.4)?;
        let mut unit = of_row(row);
        unit.multiply(Generator::Prime(2), &Rational::from(*power));
        unit.multiply(Generator::Prime(5), &Rational::from(*power));
        Some(unit)
    })
}

fn of_row((symbol, dimension, (above, below), pi, _): &Row) -> Unit {
    let mut unit = Unit::default();
    for (base, power) in Base::ALL.into_iter().zip(dimension).filter(|(_, power)| **power != 0) {
        unit.multiply(Generator::Base(base), &Rational::from(*power));
    }
    for (number, power) in [(*above, 1), (*below, -1)] {
        for prime in primes(number) {
            unit.multiply(Generator::Prime(prime), &Rational::from(power));
        }
    }
    unit.multiply(Generator::Pi, &Rational::from(*pi));
    match *symbol {
        // An electronvolt has this number of joules times 10⁻²⁸.
        "eV" => [2, 5].into_iter().for_each(|prime| unit.multiply(Generator::Prime(prime), &Rational::from(-28))),
        // The mass of the Sun in kilograms is no exact number.
        "Msun" => unit.multiply(Generator::Sun, &Rational::ONE),
        _ => {}
    }
    unit
}

/// The prime factors of a number, with their multiplicity.
fn primes(mut number: u64) -> Vec<u64> {
    let mut found = Vec::new();
    let mut divisor = 2;
    while divisor * divisor <= number {
        while number.is_multiple_of(divisor) {
            found.push(divisor);
            number /= divisor;
        }
        divisor += 1;
    }
    found.extend((number > 1).then_some(number));
    found
}

/// The unit that is stated, or the symbol that is none, with what to write instead.
pub(super) fn read(stated: &StatedUnit) -> Result<Unit, (Ident, String)> {
    let mut unit = Unit::default();
    for (symbol, power) in &stated.factors {
        let name = plain(symbol);
        let Some(factor) = named(&name) else { return Err((symbol.clone(), instead(&name))) };
        unit = unit.times(&factor, power);
    }
    Ok(unit)
}

/// What to write in place of a symbol that is no unit.
fn instead(symbol: &str) -> String {
    let known = match symbol {
        "degC" | "celsius" | "Celsius" => {
            Some("a difference of temperatures is in `K`; a temperature in °C has another zero")
        }
        "degF" | "fahrenheit" | "Fahrenheit" => Some("a difference of temperatures is in `K`"),
        "kgm" | "Kg" | "KG" | "kilogram" | "kilograms" => Some("write `kg`"),
        "meter" | "metre" | "meters" | "metres" => Some("write `m`"),
        "sec" | "second" | "seconds" => Some("write `s`"),
        "degree" | "degrees" => Some("write `deg`"),
        "radian" | "radians" => Some("write `rad`"),
        "Nm" => Some("a product has a `*`: `N*m`"),
        "hour" | "hours" => Some("write `h`"),
        "minute" | "minutes" => Some("write `min`"),
        "days" => Some("write `day`"),
        _ => None,
    };
    let suggestion = did_you_mean(symbol, SYMBOLS.iter().map(|row| row.0));
    match known {
        Some(known) => known.to_owned(),
        None if suggestion.is_empty() => {
            let symbols: Vec<&str> = SYMBOLS.iter().map(|row| row.0).collect();
            format!("the symbols are {}, with the prefixes of SI", symbols.join(" "))
        }
        None => suggestion,
    }
}
