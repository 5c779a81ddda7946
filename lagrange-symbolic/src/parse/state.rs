//! The statement `state`.

use super::cursor::Cursor;
use super::expression::Parser;
use super::statement::is_named;
use crate::report::Mistake;
use crate::syntax::{StatementKind, plain};
use proc_macro2::TokenTree;

impl Parser {
    /// `name[indices]: dot(name[indices]) == rate`, `name[indices]: unit, dot(name[indices]) == rate`
    pub(super) fn state(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        if !is_named(cursor) {
            return self.state_form("name", cursor);
        }
        let name = self.name("a name", cursor)?;
        let indices = self.indexing(&name, cursor)?;
        let unit = match has_comma(cursor) {
            true => self.behind_colon(cursor)?.filter(|_| cursor.eat(",")),
            false => None,
        };
        if unit.is_none() {
            cursor.eat(":");
        }
        let (left, right) = self.sides("state", &format!("state {}:", plain(&name)), cursor)?;
        Some(StatementKind::State { name, indices, unit, left, right })
    }

    /// A state without its name and `:`. Reports it with the form that it should have.
    fn state_form(&mut self, name: &str, cursor: &mut Cursor) -> Option<StatementKind> {
        // `state z = …;` and `state z;` have a name, but no equation.
        let name = match cursor.rest() {
            [TokenTree::Ident(found), TokenTree::Punct(_), ..] => plain(found),
            _ => name.to_owned(),
        };
        let (form, place) = (format!("state {name}: dot({name}) == …;"), cursor.place());
        self.fail(Mistake::StateForm { form }, place)
    }
}

/// Whether a `,` stands before the equation, so that a unit stands before it.
fn has_comma(cursor: &Cursor) -> bool {
    let sign = |token: &TokenTree| match token {
        TokenTree::Punct(punct) if ",=;".contains(punct.as_char()) => Some(punct.as_char()),
        _ => None,
    };
    cursor.rest().iter().find_map(sign) == Some(',')
}
