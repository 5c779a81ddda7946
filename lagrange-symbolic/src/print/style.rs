//! A notation: how the parts of an expression are written and combined.

use crate::graph::function::Function;
use crate::graph::{Rational, Relation, Symbol, finite_decimal};
use dashu_base::BitTest;

/// The most decimal places of a number that is written as a decimal.
const PLACES: usize = 9;

/// The precedence of the outermost operation of a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    /// A selection, or conditions connected by "or".
    Or,
    /// Conditions connected by "and".
    And,
    /// A comparison.
    Comparison,
    /// A sum, or a text with a leading minus.
    Sum,
    /// A product or quotient.
    Product,
    /// A power.
    Power,
    /// A name, a number, a call.
    Atom,
}

/// A text with the precedence of its outermost operation.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) level: Level,
}

impl Piece {
    pub(super) fn new(text: impl Into<String>, level: Level) -> Self {
        Self { text: text.into(), level }
    }
}

/// A base and its positive exponent.
pub(super) struct PowerPiece {
    pub(super) base: Piece,
    pub(super) exponent: Rational,
    /// The function and the arguments of a base that is a call. Some notations write the exponent after the function's
    /// name.
    pub(super) call: Option<(Function, Vec<Piece>)>,
}

/// One notation.
pub(super) trait Style {
    fn symbol(&self, symbol: Symbol) -> Piece;
    fn pi(&self) -> Piece;
    /// The name of the n-th shared part, n from 1.
    fn shared(&self, number: usize) -> String;
    fn parentheses(&self, text: &str) -> String;
    fn power(&self, power: &PowerPiece) -> Piece;
    fn general_power(&self, base: &Piece, exponent: &Piece) -> Piece;
    /// numerator / denominator, with the two parts of a coefficient; a part that is 1 is `None`.
    fn quotient(&self, halves: (Option<String>, Option<String>), numerator: &[Piece], denominator: &[Piece]) -> Piece;
    fn call(&self, function: Function, arguments: &[Piece]) -> Piece;
    fn select(&self, condition: &Piece, yes: &Piece, no: &Piece) -> Piece;
    fn truth(&self, value: bool) -> Piece;
    fn compare(&self, relation: Relation, a: &Piece, b: &Piece) -> Piece;
    fn and(&self, a: &Piece, b: &Piece) -> Piece;
    fn or(&self, a: &Piece, b: &Piece) -> Piece;
    fn not(&self, a: &Piece) -> Piece;

    /// The text of the piece. It is in parentheses if its precedence is lower than asked.
    fn at_least(&self, piece: &Piece, level: Level) -> String {
        if piece.level >= level { piece.text.clone() } else { self.parentheses(&piece.text) }
    }
}

/// The numerator and denominator of a positive number as text, `None` for 1. A number that is no small fraction is
/// written as a decimal if it has a short one.
pub(super) fn halves(value: &Rational) -> (Option<String>, Option<String>) {
    if let Some(decimal) = decimal(value) {
        return (Some(decimal), None);
    }
    let half = |one: bool, text: String| (!one).then_some(text);
    (
        half(value.numerator() == &dashu_int::IBig::ONE, value.numerator().to_string()),
        half(value.is_int(), value.denominator().to_string()),
    )
}

/// The decimal of a number that is no small fraction, if it has one that is short enough.
fn decimal(value: &Rational) -> Option<String> {
    let small = value.numerator().bit_len() <= 5 && value.denominator().bit_len() <= 5;
    if value.is_int() || small {
        return None;
    }
    finite_decimal(value, PLACES)
}
