//! The statement `symmetry`.

use super::cursor::Cursor;
use super::expression::Parser;
use super::statement::is_named;
use crate::report::Mistake;
use crate::syntax::{StatementKind, plain};

impl Parser {
    /// `name[indices]: [δq…]` or `name[indices]: [δq…], gauge = K`
    pub(super) fn symmetry(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        if !is_named(cursor) {
            let form = "symmetry name: [1, 0];".to_owned();
            let why = "behind the name and a colon stands the change of each coordinate".to_owned();
            return self.fail(Mistake::Form { form, found: cursor.found(), why }, cursor.place());
        }
        let name = self.name("a name", cursor)?;
        let indices = self.indexing(&name, cursor)?;
        cursor.eat(":");
        let change = self.expression(cursor)?;
        let mut gauge = None;
        if cursor.eat(",") && !cursor.is_empty() && !cursor.at(";") {
            if !cursor.at_word("gauge") {
                let form = format!("symmetry {}: {change}, gauge = …;", plain(&name));
                let why = "all components stand in one vector, and its one property is the K of δL = dK/dt".to_owned();
                return self.fail(Mistake::Form { form, found: cursor.found(), why }, cursor.place());
            }
            cursor.next();
            self.equals("`gauge`", cursor)?;
            gauge = Some(self.expression(cursor)?);
        }
        Some(StatementKind::Symmetry { name, indices, change, gauge })
    }
}
