//! Numbers with a unit behind them, which are no expressions.

use super::number::{self, BadNumber};
use proc_macro2::{Literal, TokenTree};

/// The symbols of units that are recognised behind a number.
const SYMBOLS: [&str; 32] = [
    "m", "cm", "mm", "km", "kg", "g", "s", "ms", "min", "h", "N", "kN", "J", "W", "kW", "V", "A", "C", "F", "H", "T",
    "Wb", "Ω", "ohm", "K", "Pa", "Hz", "rad", "deg", "mol", "AU", "day",
];

/// A number with a unit.
pub(super) struct Measured {
    /// The number, as it was written.
    pub(super) number: String,
    /// The unit, as it was written, without spaces.
    pub(super) unit: String,
    /// How many tokens behind the literal belong to the unit.
    pub(super) tokens: usize,
}

/// Returns the number with the unit that begins with `literal`, or `None` if there is no unit. `rest` is what stands behind the literal.
///
/// A name behind a number is a unit if it is the symbol of one: `9.81 m/s^2`. Without a space a single letter may be a parameter, as in
/// `2m*g`; it is a unit if it is divided by another one, as in `9.81m/s^2`.
pub(super) fn behind(literal: &Literal, rest: &[TokenTree]) -> Option<Measured> {
    let (number, mut unit) = match number::read(&literal.to_string()) {
        Ok(_) => (literal.to_string(), String::new()),
        Err(BadNumber::Suffix(number, suffix)) if is_symbol(&suffix) => (number, suffix),
        Err(_) => return None,
    };
    let mut tokens = 0;
    if unit.is_empty() {
        unit = symbol(rest)?;
        tokens = 1;
    }
    let is_certain = tokens > 0 || unit.len() > 1;
    let first = tokens;
    loop {
        // Behind a single letter without a space only a quotient of units tells a unit from a parameter.
        let is_unit = is_certain || tokens > first;
        let signs = if is_unit { "/*" } else { "/" };
        let (text, count) = match &rest[tokens..] {
            [power, TokenTree::Literal(exponent), ..] if is_unit && is_sign(power, "^") => (format!("^{exponent}"), 2),
            [power, minus, TokenTree::Literal(exponent), ..]
                if is_unit && is_sign(power, "^") && is_sign(minus, "-") =>
            {
                (format!("^-{exponent}"), 3)
            }
            [sign @ TokenTree::Punct(_), next @ ..] if is_sign(sign, signs) && symbol(next).is_some() => {
                (format!("{sign}{}", symbol(next)?), 2)
            }
            _ => break,
        };
        unit += &text;
        tokens += count;
    }
    (is_certain || tokens > first).then_some(Measured { number, unit, tokens })
}

fn is_symbol(text: &str) -> bool {
    SYMBOLS.contains(&text)
}

/// The symbol of a unit with which these tokens begin, if it is no function and has no index.
fn symbol(tokens: &[TokenTree]) -> Option<String> {
    let [TokenTree::Ident(name), after @ ..] = tokens else { return None };
    let name = name.to_string();
    (is_symbol(&name) && !matches!(after, [TokenTree::Group(_), ..])).then_some(name)
}

fn is_sign(token: &TokenTree, signs: &str) -> bool {
    matches!(token, TokenTree::Punct(punct) if signs.contains(punct.as_char()))
}
