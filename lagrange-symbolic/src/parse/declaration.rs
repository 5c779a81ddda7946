//! Statements that declare constants, functions and options of the block: `const`, `extern`, `table`, `crate`,
//! `max_operations`.

use super::cursor::Cursor;
use super::expression::Parser;
use crate::report::{Mistake, Place};
use crate::syntax::{ExprKind, ExternFunction, StatementKind, plain};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// The form of an `extern` statement.
const EXTERN_FORM: &str = "extern f(x, y) = path::f, d(x) = path::fx, d(y) = path::fy;";

/// The form of a `table` statement.
const TABLE_FORM: &str = "table f(x) = spline([x0, x1, …], [y0, y1, …]);";

impl Parser {
    /// `name = value`
    pub(crate) fn constant(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        let name = self.name("a name", cursor)?;
        self.equals(&format!("`const {}`", plain(&name)), cursor)?;
        let value = self.expression(cursor)?;
        Some(StatementKind::Const { name, value })
    }

    /// `name(x, y) = path, d(x) = path, …`
    pub(crate) fn extern_function(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        let name = self.name("a function", cursor)?;
        let arguments = self.names_in_parentheses(EXTERN_FORM, cursor)?;
        self.equals(&format!("`extern {}(…)`", plain(&name)), cursor)?;
        let path = self.path(EXTERN_FORM, cursor)?;
        let mut derivatives = Vec::new();
        while cursor.eat(",") {
            if cursor.is_empty() || cursor.at(";") {
                break;
            }
            if !cursor.eat_word("d") {
                return self.form(EXTERN_FORM, cursor);
            }
            let place = cursor.place();
            let by = self.names_in_parentheses(EXTERN_FORM, cursor)?;
            if by.is_empty() {
                let found = "`d()`".to_owned();
                return self.fail(Mistake::Form { form: EXTERN_FORM.to_owned(), found, why: String::new() }, place);
            }
            self.equals("`d(…)`", cursor)?;
            derivatives.push((by, self.path(EXTERN_FORM, cursor)?));
        }
        Some(StatementKind::Extern(ExternFunction { name, arguments, path, derivatives }))
    }

    /// `name(x) = spline(knots, values)`
    pub(crate) fn table(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        let name = self.name("a table", cursor)?;
        let place = cursor.place();
        let arguments = self.names_in_parentheses(TABLE_FORM, cursor)?;
        if arguments.len() != 1 {
            let found = count(arguments.len());
            return self.fail(Mistake::Form { form: TABLE_FORM.to_owned(), found, why: String::new() }, place);
        }
        self.equals(&format!("`table {}(…)`", plain(&name)), cursor)?;
        let place = cursor.place();
        let spline = self.expression(cursor)?;
        match spline.kind {
            ExprKind::Call { function, arguments } if function == "spline" => match <[_; 2]>::try_from(arguments) {
                Ok([knots, values]) => Some(StatementKind::Table { name, knots, values }),
                Err(arguments) => {
                    let found = count(arguments.len());
                    self.fail(Mistake::Form { form: TABLE_FORM.to_owned(), found, why: String::new() }, spline.place)
                }
            },
            _ => {
                let mistake =
                    Mistake::Form { form: TABLE_FORM.to_owned(), found: format!("`{spline}`"), why: String::new() };
                self.fail(mistake, place.to(spline.place))
            }
        }
    }

    /// `= path`
    pub(crate) fn runtime_path(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        self.equals("`crate`", cursor)?;
        self.path("crate = path;", cursor).map(StatementKind::Crate)
    }

    /// Names between parentheses.
    fn names_in_parentheses(&mut self, form: &str, cursor: &mut Cursor) -> Option<Vec<Ident>> {
        let Some(group) = cursor.eat_group(Delimiter::Parenthesis) else { return self.form(form, cursor) };
        self.elements(&group, |parser, cursor| parser.name("the name of an argument", cursor))
    }

    /// A path of Rust: `a::b::c`, with or without `::` or `$crate` before it.
    fn path(&mut self, form: &str, cursor: &mut Cursor) -> Option<TokenStream> {
        let mut path = TokenStream::new();
        let mut take = |cursor: &mut Cursor, count: usize| path.extend((0..count).filter_map(|_| cursor.next()));
        if cursor.at("::") {
            take(cursor, 2);
        } else if cursor.at("$") {
            take(cursor, 1);
        }
        loop {
            if !matches!(cursor.peek(), Some(TokenTree::Ident(_))) {
                return self.form(form, cursor);
            }
            take(cursor, 1);
            if !cursor.at("::") {
                return Some(path);
            }
            take(cursor, 2);
        }
    }

    fn form<T>(&mut self, form: &str, cursor: &Cursor) -> Option<T> {
        let place: Place = cursor.place();
        self.fail(Mistake::Form { form: form.to_owned(), found: cursor.found(), why: String::new() }, place)
    }
}

fn count(arguments: usize) -> String {
    if arguments == 1 { "1 argument".to_owned() } else { format!("{arguments} arguments") }
}
