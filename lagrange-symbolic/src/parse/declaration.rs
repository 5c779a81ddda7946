//! Statements that declare constants, functions and options of the block: `const`, `extern`, `table`, `crate`,
//! `max_operations`.

use super::cursor::Cursor;
use super::expression::Parser;
use crate::report::{Mistake, Place};
use crate::syntax::{ExprKind, ExternFunction, FunctionUnits, Interpolation, StatementKind, plain};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// The form of an `extern` statement.
const EXTERN_FORM: &str = "extern f(x, y) = path::f, d(x) = path::fx, d(y) = path::fy;";

/// The form of a `table` statement.
const TABLE_FORM: &str = "table f(x) = spline([x0, x1, …], [y0, y1, …]);";

/// The form of a `table` statement of two arguments.
const SURFACE_FORM: &str = "table f(x, y) = spline([x0, x1, …], [y0, y1, …], [[f00, f01, …], [f10, f11, …], …]);";

/// The forms of the right side of a `table` statement of two arguments.
const SURFACE_WHY: &str =
    "the values have a row for each knot of the first argument; the other form is `linear(x, y, rows)`";

/// The forms of the right side of a `table` statement.
const TABLE_WHY: &str = "the other forms are `spline(x, y, [first, last])` with the slopes at the ends, `pchip(x, y)`, which is monotone \
                         where the values are, and `linear(x, y)`";

/// What stands instead of a file in a `table` statement.
const TABLE_OF_FILE: &str = "a block reads no files, so that its expansion depends on the source alone: write the numbers of the file \
                             into the block, or read it where the program runs and give them as fields, `x: [f64; 20], y: [f64; 20]`, \
                             for `spline(x, y)`";

/// Functions that read files elsewhere.
const FILE_READERS: [&str; 9] =
    ["include", "include_str", "include_bytes", "csv", "file", "read", "load", "loadtxt", "read_csv"];

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
        let (arguments, units) = self.arguments(EXTERN_FORM, cursor)?;
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
        Some(StatementKind::Extern(ExternFunction { name, arguments, path, derivatives, units }))
    }

    /// `name(x) = spline(knots, values)`, or another interpolation
    pub(crate) fn table(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        let name = self.name("a table", cursor)?;
        let place = cursor.place();
        let (names, units) = self.arguments(TABLE_FORM, cursor)?;
        let (own_form, why) = match names.len() {
            1 => (TABLE_FORM, TABLE_WHY),
            2 => (SURFACE_FORM, SURFACE_WHY),
            _ => {
                let (found, why) = (count(names.len()), format!("a table of two arguments is `{SURFACE_FORM}`"));
                return self.fail(Mistake::Form { form: TABLE_FORM.to_owned(), found, why }, place);
            }
        };
        self.equals(&format!("`table {}(…)`", plain(&name)), cursor)?;
        let place = cursor.place();
        if let Some(reader) = FILE_READERS.into_iter().find(|reader| cursor.at_word(reader)) {
            let why = TABLE_OF_FILE.to_owned();
            let mistake = Mistake::Form { form: own_form.to_owned(), found: format!("`{reader}`"), why };
            return self.fail(mistake, place);
        }
        let spline = self.expression(cursor)?;
        let (text, whole) = (spline.to_string(), place.to(spline.place));
        let form = |found: String| Mistake::Form { form: own_form.to_owned(), found, why: why.to_owned() };
        let ExprKind::Call { function, arguments } = spline.kind else {
            return self.fail(form(format!("`{text}`")), whole);
        };
        let Some(interpolation) = Interpolation::of(&plain(&function)) else {
            return self.fail(form(format!("`{text}`")), whole);
        };
        if names.len() == 2 && interpolation == Interpolation::Monotone {
            return self.fail(form("`pchip`".to_owned()), whole);
        }
        let slopes = usize::from(names.len() == 1 && interpolation == Interpolation::Spline);
        let (least, found) = (names.len() + 1, arguments.len());
        if !(least..=least + slopes).contains(&found) {
            return self.fail(form(count(found)), whole);
        }
        let mut arguments = arguments.into_iter();
        let knots = arguments.by_ref().take(names.len()).collect();
        let values = arguments.next()?;
        let slopes = arguments.next();
        Some(StatementKind::Table { name, arguments: names, knots, values, interpolation, slopes, units })
    }

    /// `= path`
    pub(crate) fn runtime_path(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        self.equals("`crate`", cursor)?;
        self.path("crate = path;", cursor).map(StatementKind::Crate)
    }

    /// Names between parentheses with the units of the arguments and of the value, as far as they are stated:
    /// `(x: m, y): N`.
    fn arguments(&mut self, form: &str, cursor: &mut Cursor) -> Option<(Vec<Ident>, FunctionUnits)> {
        let Some(group) = cursor.eat_group(Delimiter::Parenthesis) else { return self.form(form, cursor) };
        let stated = self.elements(&group, |parser, cursor| {
            let name = parser.name("the name of an argument", cursor)?;
            Some((name, parser.behind_colon(cursor)?))
        })?;
        let (names, arguments) = stated.into_iter().unzip();
        let value = self.behind_colon(cursor)?;
        Some((names, FunctionUnits { arguments, value }))
    }

    /// Names between parentheses.
    fn names_in_parentheses(&mut self, form: &str, cursor: &mut Cursor) -> Option<Vec<Ident>> {
        let Some(group) = cursor.eat_group(Delimiter::Parenthesis) else { return self.form(form, cursor) };
        self.elements(&group, |parser, cursor| parser.name("the name of an argument", cursor))
    }

    /// A path of Rust: `a::b::c`, with or without `::` or `$crate` before it.
    pub(super) fn path(&mut self, form: &str, cursor: &mut Cursor) -> Option<TokenStream> {
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
