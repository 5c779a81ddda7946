//! Nominal ranges of quantities: `0.1..10`.

use super::cursor::Cursor;
use super::expression::Parser;
use super::number;
use crate::report::Mistake;
use proc_macro2::TokenTree;

impl Parser {
    /// `low..high`: two finite numbers with signs, the lower one first.
    pub(super) fn nominal(&mut self, cursor: &mut Cursor) -> Option<[f64; 2]> {
        let place = cursor.place();
        let low = self.end_of_nominal(cursor)?;
        if cursor.at("..=") || !cursor.eat("..") {
            return self.no_nominal(cursor);
        }
        let high = self.end_of_nominal(cursor)?;
        if low >= high {
            let mistake = Mistake::NominalOrder { low: format!("{low:?}"), high: format!("{high:?}") };
            return self.fail(mistake, place.to(cursor.last()));
        }
        Some([low, high])
    }

    /// A range that fills the whole of its tokens.
    pub(super) fn whole_nominal(&mut self, cursor: &mut Cursor) -> Option<[f64; 2]> {
        let range = self.nominal(cursor)?;
        if cursor.is_empty() { Some(range) } else { self.no_nominal(cursor) }
    }

    /// `in low..high`, if it is there.
    pub(super) fn behind_in(&mut self, cursor: &mut Cursor) -> Option<Option<[f64; 2]>> {
        if cursor.eat_word("in") { self.nominal(cursor).map(Some) } else { Some(None) }
    }

    /// A finite number with its sign.
    fn end_of_nominal(&mut self, cursor: &mut Cursor) -> Option<f64> {
        let place = cursor.place();
        let sign = if cursor.eat("-") { -1.0 } else { 1.0 };
        let Some(TokenTree::Literal(literal)) = cursor.peek() else { return self.no_nominal(cursor) };
        let value = number::read(&literal.to_string()).ok().map(|value| sign * value.to_f64().value());
        match value.filter(|value| value.is_finite()) {
            Some(value) => {
                cursor.next();
                Some(value)
            }
            None => self.fail(Mistake::NominalForm { found: cursor.found() }, place.to(cursor.place())),
        }
    }

    fn no_nominal<T>(&mut self, cursor: &Cursor) -> Option<T> {
        self.fail(Mistake::NominalForm { found: cursor.found() }, cursor.place())
    }
}
