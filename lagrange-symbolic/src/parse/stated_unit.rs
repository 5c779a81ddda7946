//! Units as blocks and structs state them: `kg*m^2/s^2`.

use super::cursor::Cursor;
use super::expression::Parser;
use super::number;
use crate::graph::Rational;
use crate::report::{Mistake, Place, did_you_mean};
use crate::syntax::{Measured, StatedUnit, StatementKind, plain};
use proc_macro2::{Delimiter, Ident, Spacing, TokenTree};

/// The factors of a unit and its text.
type Factors = (Vec<(Ident, Rational)>, String);

/// The largest exponent and the largest denominator of an exponent.
const LARGEST_EXPONENT: i64 = 24;

impl Parser {
    /// A unit; what follows it is left to the caller.
    pub(super) fn unit(&mut self, cursor: &mut Cursor) -> Option<StatedUnit> {
        let place = cursor.place();
        let (factors, text) = self.factors(cursor)?;
        Some(StatedUnit { factors, text, place: place.to(cursor.last()) })
    }

    /// A unit that fills the whole of its tokens.
    pub(super) fn whole_unit(&mut self, cursor: &mut Cursor) -> Option<StatedUnit> {
        let unit = self.unit(cursor)?;
        if cursor.is_empty() { Some(unit) } else { self.no_unit(cursor) }
    }

    /// `: unit`, if it is there. The types `f64` and `f32` are left to the caller.
    pub(super) fn behind_colon(&mut self, cursor: &mut Cursor) -> Option<Option<StatedUnit>> {
        if !begins_unit(cursor) {
            return Some(None);
        }
        cursor.eat(":");
        self.unit(cursor).map(Some)
    }

    /// `time = unit, energy = unit`
    pub(super) fn units(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        let mut stated = Vec::new();
        loop {
            let (found, place) = (cursor.found(), cursor.place());
            let word = cursor.eat_ident().map(|word| plain(&word)).unwrap_or_default();
            let Some(measured) = Measured::ALL.into_iter().find(|measured| measured.word() == word) else {
                let suggestion = did_you_mean(&word, Measured::ALL.map(Measured::word));
                return self.fail(Mistake::UnitsForm { found, suggestion }, place);
            };
            if stated.iter().any(|(other, _)| *other == measured) {
                return self.fail(Mistake::DuplicateSetting { keyword: word }, place);
            }
            self.equals(&format!("`units {word}`"), cursor)?;
            stated.push((measured, self.unit(cursor)?));
            if !cursor.eat(",") || cursor.is_empty() || cursor.at(";") {
                return Some(StatementKind::Units(stated));
            }
        }
    }

    /// Factors with `*` and `/` between them.
    fn factors(&mut self, cursor: &mut Cursor) -> Option<Factors> {
        let (mut factors, mut text) = self.power_of_unit(cursor)?;
        loop {
            let (sign, is_inverse) = match () {
                () if cursor.at("*") => ("*", false),
                () if cursor.at("/") => ("/", true),
                () => return Some((factors, text)),
            };
            cursor.eat(sign);
            let (next, next_text) = self.power_of_unit(cursor)?;
            factors.extend(next.into_iter().map(|(symbol, power)| (symbol, if is_inverse { -power } else { power })));
            text.push_str(sign);
            text.push_str(&next_text);
        }
    }

    /// A symbol, `1`, or a unit between parentheses, with its exponent.
    fn power_of_unit(&mut self, cursor: &mut Cursor) -> Option<Factors> {
        let (mut factors, mut text) = match cursor.peek().cloned() {
            Some(TokenTree::Ident(symbol)) => {
                cursor.next();
                (vec![(symbol.clone(), Rational::ONE)], plain(&symbol))
            }
            Some(TokenTree::Literal(one)) if one.to_string() == "1" => {
                cursor.next();
                (Vec::new(), "1".to_owned())
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                cursor.next();
                let inner =
                    self.deeper(Place::at(group.span_open()), |parser| parser.whole_unit(&mut Cursor::inside(&group)))?;
                (inner.factors, format!("({})", inner.text))
            }
            _ => return self.no_unit(cursor),
        };
        if cursor.eat("^") {
            let (power, power_text) = self.exponent(cursor)?;
            for (_, exponent) in &mut factors {
                *exponent = &*exponent * &power;
            }
            text = format!("{text}^{power_text}");
        }
        Some((factors, text))
    }

    /// A whole number, or a quotient of two between parentheses.
    fn exponent(&mut self, cursor: &mut Cursor) -> Option<(Rational, String)> {
        if let Some(group) = cursor.eat_group(Delimiter::Parenthesis) {
            let mut inside = Cursor::inside(&group);
            let (above, above_text) = self.whole_exponent(&mut inside)?;
            let (below, below_text) = match inside.eat("/") {
                true => self.whole_exponent(&mut inside)?,
                false => (Rational::ONE, "1".to_owned()),
            };
            if !inside.is_empty() || below == Rational::ZERO {
                return self.no_unit(&inside);
            }
            return Some((above / below, format!("({above_text}/{below_text})")));
        }
        self.whole_exponent(cursor)
    }

    fn whole_exponent(&mut self, cursor: &mut Cursor) -> Option<(Rational, String)> {
        let sign = if cursor.eat("-") { "-" } else { "" };
        let limit = Rational::from(LARGEST_EXPONENT);
        let value = match cursor.peek() {
            Some(TokenTree::Literal(literal)) => number::read(&literal.to_string()).ok(),
            _ => None,
        };
        let Some(value) = value.filter(|value| value.is_int() && *value <= limit) else { return self.no_unit(cursor) };
        cursor.next();
        let text = format!("{sign}{}", value.numerator());
        Some((if sign.is_empty() { value } else { -value }, text))
    }

    fn no_unit<T>(&mut self, cursor: &Cursor) -> Option<T> {
        self.fail(Mistake::UnitForm { found: cursor.found() }, cursor.place())
    }
}

/// Whether a `:` and a unit come next. The types `f64` and `f32` are no units.
pub(super) fn begins_unit(cursor: &Cursor) -> bool {
    match cursor.rest() {
        [TokenTree::Punct(colon), TokenTree::Ident(symbol), ..] if colon.as_char() == ':' => {
            !matches!(symbol.to_string().as_str(), "f64" | "f32")
        }
        [TokenTree::Punct(colon), TokenTree::Literal(one), ..] if colon.as_char() == ':' => one.to_string() == "1",
        [TokenTree::Punct(colon), TokenTree::Group(group), ..] if colon.as_char() == ':' => {
            colon.spacing() == Spacing::Alone && group.delimiter() == Delimiter::Parenthesis
        }
        _ => false,
    }
}
