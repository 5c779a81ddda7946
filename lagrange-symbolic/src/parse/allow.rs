//! The statement `allow`.

use super::cursor::Cursor;
use super::expression::Parser;
use crate::report::{Mistake, did_you_mean};
use crate::syntax::{StatementKind, plain};

impl Parser {
    /// `name, name`
    pub(super) fn allow(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        let mut lints = Vec::new();
        while lints.is_empty() || cursor.eat(",") && !cursor.is_empty() && !cursor.at(";") {
            let (found, place) = (cursor.found(), cursor.place());
            let Some(lint) = cursor.eat_ident() else {
                let why = "the names of warnings stand behind the word, with commas between them".to_owned();
                return self.fail(Mistake::Form { form: "allow unused_field;".to_owned(), found, why }, place);
            };
            let known = || Mistake::LINTS.iter().map(|(name, _)| *name);
            let name = plain(&lint);
            if !known().any(|known| known == name) {
                let suggestion = did_you_mean(&name, known());
                let help = format!("{suggestion} warnings are {}", known().collect::<Vec<_>>().join(" "));
                self.report.add(Mistake::UnknownLint { name, help: help.trim().to_owned() }, &lint);
            }
            lints.push(lint);
        }
        Some(StatementKind::Allow { lints, part: String::new() })
    }
}
