//! The statements of the block, read one after the other with recovery at each `;`.

use super::cursor::Cursor;
use super::expression::{INDEX_FORM, Parser};
use super::message::Mistake;
use super::place::Place;
use super::report::Report;
use super::suggest::did_you_mean;
use super::syntax::{
    ConstraintKind, CoordinateArray, Energy, Expr, Indexing, Statement, StatementKind, is_name, plain,
};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// The words that begin a statement.
const KEYWORDS: [&str; 18] = [
    "coordinates",
    "let",
    "lagrangian",
    "kinetic",
    "potential",
    "dissipation",
    "force",
    "constraint",
    "nonholonomic",
    "output",
    "invariant",
    "assume",
    "verify",
    "const",
    "extern",
    "table",
    "crate",
    "max_operations",
];

/// Reads the block; statements with mistakes are left out and reported.
pub(crate) fn statements(block: TokenStream) -> (Vec<Statement>, Report) {
    let mut cursor = Cursor::new(block);
    let mut parser = Parser::default();
    let mut statements = Vec::new();
    while !cursor.is_empty() {
        if cursor.eat(";") {
            continue;
        }
        match parser.statement(&mut cursor) {
            Some(statement) => {
                statements.push(statement);
                parser.end_of_statement(&mut cursor);
            }
            None => cursor.recover(),
        }
    }
    (statements, parser.report)
}

impl Parser {
    /// A statement without its `;`.
    fn statement(&mut self, cursor: &mut Cursor) -> Option<Statement> {
        let documentation = self.documentation(cursor)?;
        let place = cursor.place();
        let Some(keyword) = cursor.eat_ident() else {
            return self.fail(Mistake::ExpectedStatement { found: cursor.found() }, place);
        };
        let kind = match keyword.to_string().as_str() {
            "coordinates" => self.coordinates(cursor)?,
            "let" => {
                let (name, indices, value) = self.definition("let", cursor)?;
                StatementKind::Let { name, indices, value }
            }
            "lagrangian" => self.energy(Energy::Lagrangian, keyword, cursor)?,
            "kinetic" => self.energy(Energy::Kinetic, keyword, cursor)?,
            "potential" => self.energy(Energy::Potential, keyword, cursor)?,
            "dissipation" => self.energy(Energy::Dissipation, keyword, cursor)?,
            "force" => self.force(cursor)?,
            "constraint" => self.constraint(ConstraintKind::Holonomic, cursor)?,
            "nonholonomic" => self.constraint(ConstraintKind::Nonholonomic, cursor)?,
            "output" => {
                let (name, indices, value) = self.definition("output", cursor)?;
                StatementKind::Output { name, indices, value }
            }
            "invariant" => {
                let (name, indices, value) = self.definition("invariant", cursor)?;
                StatementKind::Invariant { name, indices, value }
            }
            "assume" => StatementKind::Assume(self.expression(cursor)?),
            "verify" => {
                let (left, right) = self.sides("verify", "verify left == right;", cursor)?;
                StatementKind::Verify { left, right }
            }
            "const" => self.constant(cursor)?,
            "extern" => self.extern_function(cursor)?,
            "table" => self.table(cursor)?,
            "crate" => self.runtime_path(cursor)?,
            "max_operations" => {
                self.equals("`max_operations`", cursor)?;
                StatementKind::MaxOperations(self.expression(cursor)?)
            }
            word => {
                let mistake = if cursor.at("=") && !cursor.at("==") && did_you_mean(word, KEYWORDS).is_empty() {
                    Mistake::MissingLet { name: word.to_owned() }
                } else {
                    Mistake::UnknownStatement { word: word.to_owned(), suggestion: did_you_mean(word, KEYWORDS) }
                };
                return self.fail(mistake, &keyword);
            }
        };
        Some(Statement { kind, documentation, place: place.to(cursor.last()) })
    }

    /// The `;` behind a statement, or what stands in its place.
    fn end_of_statement(&mut self, cursor: &mut Cursor) {
        if cursor.eat(";") {
            return;
        }
        if cursor.is_empty() {
            self.report.add(Mistake::MissingSemicolon { before: "the end of the block".to_owned() }, cursor.last());
        } else if begins_statement(cursor) {
            // The statement that follows is read as usual.
            self.report.add(Mistake::MissingSemicolon { before: cursor.found() }, cursor.last());
        } else {
            let _ = self.finish(cursor);
            cursor.recover();
        }
    }

    /// Doc comments before a statement.
    fn documentation(&mut self, cursor: &mut Cursor) -> Option<String> {
        let mut lines = Vec::new();
        while cursor.at("#") {
            let start = cursor.place();
            cursor.eat("#");
            let line = cursor.eat_group(Delimiter::Bracket).and_then(|group| doc_line(group.stream()));
            match line {
                Some(line) => lines.push(line),
                None => return self.fail(Mistake::BlockAttribute {}, start.to(cursor.last())),
            }
        }
        Some(lines.join("\n"))
    }

    fn coordinates(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        let mut names = Vec::new();
        loop {
            let name = self.name("a coordinate", cursor)?;
            let mut lengths = Vec::new();
            while let Some(group) = cursor.eat_group(Delimiter::Bracket) {
                let found = self.list(&group)?;
                if found.is_empty() {
                    return self.fail(Mistake::MissingLength { name: plain(&name) }, cursor.last());
                }
                lengths.extend(found);
            }
            names.push(CoordinateArray { name, lengths });
            if !cursor.eat(",") || cursor.at(";") {
                return Some(StatementKind::Coordinates(names));
            }
        }
    }

    /// `name[indices] = value`
    fn definition(&mut self, keyword: &str, cursor: &mut Cursor) -> Option<(Ident, Vec<Indexing>, Expr)> {
        let name = self.name("a name", cursor)?;
        let indices = self.indexing(&name, cursor)?;
        self.equals(&format!("`{keyword} {}`", plain(&name)), cursor)?;
        let value = self.expression(cursor)?;
        Some((name, indices, value))
    }

    /// `[0]`, `[i in 1..8]`, or several of them, behind the name of a statement.
    fn indexing(&mut self, name: &Ident, cursor: &mut Cursor) -> Option<Vec<Indexing>> {
        let mut indices = Vec::new();
        while let Some(group) = cursor.eat_group(Delimiter::Bracket) {
            let found = self.elements(&group, |parser, cursor| {
                let is_range = matches!(cursor.peek_second(), Some(TokenTree::Ident(word)) if word == "in");
                if is_range {
                    parser.range(INDEX_FORM, cursor).map(Indexing::Range)
                } else {
                    parser.expression(cursor).map(Indexing::Element)
                }
            })?;
            if found.is_empty() {
                return self.fail(Mistake::MissingIndex { name: plain(name) }, cursor.last());
            }
            indices.extend(found);
        }
        Some(indices)
    }

    /// A force; the ranges between the brackets of its left side index it.
    fn force(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        self.ranges = Some(Vec::new());
        let left = self.expression(cursor);
        let ranges = self.ranges.take().unwrap_or_default();
        let left = left?;
        self.equals("the left side of `force`", cursor)?;
        let right = self.expression(cursor)?;
        Some(StatementKind::Force { indices: ranges.into_iter().map(Indexing::Range).collect(), left, right })
    }

    /// `name[indices]: left == right`
    fn constraint(&mut self, kind: ConstraintKind, cursor: &mut Cursor) -> Option<StatementKind> {
        let keyword = kind.keyword();
        let form = format!("{keyword} name: left == right;");
        let name = self.name("a name", cursor)?;
        let indices = self.indexing(&name, cursor)?;
        if !cursor.eat(":") {
            let mistake = Mistake::ConstraintName { form, found: cursor.found() };
            return self.fail(mistake, cursor.place());
        }
        let (left, right) = self.sides(keyword, &form, cursor)?;
        Some(StatementKind::Constraint { kind, name, indices, left, right })
    }

    fn energy(&mut self, energy: Energy, keyword: Ident, cursor: &mut Cursor) -> Option<StatementKind> {
        self.equals(&format!("`{}`", energy.keyword()), cursor)?;
        let value = self.expression(cursor)?;
        Some(StatementKind::Energy { energy, keyword, value })
    }

    /// `left == right`
    fn sides(&mut self, keyword: &str, form: &str, cursor: &mut Cursor) -> Option<(Expr, Expr)> {
        let left = self.expression(cursor)?;
        if !cursor.eat("==") {
            let form = form.to_owned();
            if cursor.at("=") {
                return self.fail(Mistake::AssignmentInEquality { form }, cursor.place());
            }
            self.sides_only(cursor)?;
            let mistake = Mistake::MissingEquality { keyword: keyword.to_owned(), form, found: cursor.found() };
            return self.fail(mistake, cursor.place());
        }
        let right = self.expression(cursor)?;
        Some((left, right))
    }

    /// Where neither `==` nor an end follows the left side, the left-over itself is the mistake.
    fn sides_only(&mut self, cursor: &Cursor) -> Option<()> {
        if cursor.is_empty() || cursor.at(";") { Some(()) } else { self.finish(cursor) }
    }

    pub(crate) fn name(&mut self, what: &str, cursor: &mut Cursor) -> Option<Ident> {
        let place = cursor.place();
        let found = cursor.found();
        match cursor.eat_ident().filter(is_name) {
            Some(name) => Some(name),
            None => self.fail(Mistake::ExpectedName { what: what.to_owned(), found }, place),
        }
    }

    /// The `=` of a definition.
    pub(crate) fn equals(&mut self, after: &str, cursor: &mut Cursor) -> Option<()> {
        if cursor.at("==") {
            let second = cursor.peek_second().map_or(cursor.place(), Place::of);
            return self.fail(Mistake::EqualityInDefinition {}, cursor.place().to(second));
        }
        if cursor.eat("=") {
            return Some(());
        }
        let mistake = Mistake::ExpectedEquals { after: after.to_owned(), found: cursor.found() };
        self.fail(mistake, cursor.place())
    }
}

/// Whether a keyword and something that can follow it come next.
fn begins_statement(cursor: &Cursor) -> bool {
    let Some(TokenTree::Ident(word)) = cursor.peek() else { return false };
    KEYWORDS.contains(&word.to_string().as_str())
}

/// The text of `doc = "text"`.
fn doc_line(attribute: TokenStream) -> Option<String> {
    let meta: syn::MetaNameValue = syn::parse2(attribute).ok()?;
    match meta.value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) if meta.path.is_ident("doc") => {
            Some(text.value().trim().to_owned())
        }
        _ => None,
    }
}
