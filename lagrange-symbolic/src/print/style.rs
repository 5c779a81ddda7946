//! What a notation has to say: how its pieces are put together.

use crate::graph::function::Function;
use crate::graph::{Rational, Relation, Symbol};
use dashu_base::BitTest;

/// How tightly a piece of text holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    /// A choice, or alternatives.
    Or,
    /// Conditions that all hold.
    And,
    /// A comparison.
    Comparison,
    /// A sum, or anything with a minus in front.
    Sum,
    /// A product or quotient.
    Product,
    /// A power.
    Power,
    /// A name, a number, a call.
    Atom,
}

/// Text with the level of its outermost operation.
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
    /// The base's function and its arguments, for notations that write the exponent behind the name.
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
    /// numerator / denominator with the coefficient's two halves; neither half is given where it is 1.
    fn quotient(&self, halves: (Option<String>, Option<String>), numerator: &[Piece], denominator: &[Piece]) -> Piece;
    fn call(&self, function: Function, arguments: &[Piece]) -> Piece;
    fn select(&self, condition: &Piece, yes: &Piece, no: &Piece) -> Piece;
    fn truth(&self, value: bool) -> Piece;
    fn compare(&self, relation: Relation, a: &Piece, b: &Piece) -> Piece;
    fn and(&self, a: &Piece, b: &Piece) -> Piece;
    fn or(&self, a: &Piece, b: &Piece) -> Piece;
    fn not(&self, a: &Piece) -> Piece;

    /// The piece in parentheses, unless it holds together at least as tightly as asked.
    fn at_least(&self, piece: &Piece, level: Level) -> String {
        if piece.level >= level { piece.text.clone() } else { self.parentheses(&piece.text) }
    }
}

/// A positive number's numerator and denominator as text, `None` for 1. What is no small fraction but a short decimal
/// is written as that.
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

/// The decimal of a number that is no small fraction, where it ends after at most nine places.
fn decimal(value: &Rational) -> Option<String> {
    let small = value.numerator().bit_len() <= 5 && value.denominator().bit_len() <= 5;
    if value.is_int() || small {
        return None;
    }
    let places = (1..=9_usize).find(|&places| (value * Rational::from(10).pow(places as isize)).is_int())?;
    let shifted = (value * Rational::from(10).pow(places as isize)).numerator().to_string();
    let padded = format!("{shifted:0>width$}", width = places + 1);
    let (whole, rest) = padded.split_at(padded.len() - places);
    Some(format!("{whole}.{rest}"))
}
