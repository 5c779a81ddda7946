//! The statement `mode`.

use super::cursor::Cursor;
use super::expression::Parser;
use crate::report::Mistake;
use crate::syntax::{Expr, StatementKind, When, plain};
use proc_macro2::{Ident, TokenTree};

impl Parser {
    /// `name[indices] = when condition { value } then target = value, … when …`, or the name alone, for a mode that only other modes change.
    pub(super) fn mode(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        if !matches!(cursor.peek(), Some(TokenTree::Ident(_))) {
            return self.mode_form("name", cursor);
        }
        let name = self.name("a name", cursor)?;
        let indices = self.indexing(&name, cursor)?;
        let mut changes = Vec::new();
        if !(cursor.is_empty() || cursor.at(";")) {
            if !cursor.eat("=") || !cursor.at_word("when") {
                return self.mode_form(&plain(&name), cursor);
            }
            while cursor.eat_word("when") {
                changes.push(self.when(&name, cursor)?);
            }
        }
        Some(StatementKind::Mode { name, indices, changes })
    }

    /// `condition { value } then target = value, …`, behind the word `when`.
    fn when(&mut self, name: &Ident, cursor: &mut Cursor) -> Option<When> {
        let condition = self.expression(cursor)?;
        if cursor.at("=") || cursor.at("!=") {
            return self.fail(Mistake::EqualityCondition {}, cursor.place());
        }
        let value = self.branch(cursor)?;
        let mut then: Vec<(Expr, Expr)> = Vec::new();
        if cursor.eat_word("then") {
            loop {
                let target = self.expression(cursor)?;
                self.equals(&format!("`mode {}`, behind `then`", plain(name)), cursor)?;
                then.push((target, self.expression(cursor)?));
                if !cursor.eat(",") || cursor.is_empty() || cursor.at(";") || cursor.at_word("when") {
                    break;
                }
            }
        }
        Some(When { condition, value, then })
    }

    /// A mode without a name, or without changes behind `=`. Reports it with the form that it should have.
    fn mode_form(&mut self, name: &str, cursor: &mut Cursor) -> Option<StatementKind> {
        let form = format!("mode {name} = when condition {{ value }};");
        let (found, place) = (cursor.found(), cursor.place());
        self.fail(Mistake::ModeForm { form, found }, place)
    }
}
