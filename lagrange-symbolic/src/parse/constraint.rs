//! The statements `constraint` and `nonholonomic`.

use super::cursor::Cursor;
use super::expression::Parser;
use super::statement::is_named;
use crate::report::Mistake;
use crate::syntax::{Binary, ConstraintKind, Expr, ExprKind, StatementKind, plain};
use proc_macro2::TokenTree;

impl Parser {
    /// `name[indices]: left == right`, or `name[indices]: left == right when condition`
    pub(super) fn constraint(&mut self, kind: ConstraintKind, cursor: &mut Cursor) -> Option<StatementKind> {
        let keyword = kind.keyword();
        if !is_named(cursor) {
            return self.unnamed(keyword, cursor);
        }
        let name = self.name("a name", cursor)?;
        let indices = self.indexing(&name, cursor)?;
        cursor.eat(":");
        let (left, right) = self.sides(keyword, &format!("{keyword} {}:", plain(&name)), cursor)?;
        let when = if cursor.eat_word("when") { Some(Box::new(self.switching(cursor)?)) } else { None };
        Some(StatementKind::Constraint { kind, name, indices, left, right, when })
    }

    /// The condition behind `when`.
    fn switching(&mut self, cursor: &mut Cursor) -> Option<Expr> {
        let condition = self.expression(cursor)?;
        if cursor.at("=") || cursor.at("!=") {
            return self.fail(Mistake::EqualityCondition {}, cursor.place());
        }
        Some(condition)
    }

    /// A constraint without a name: reports it with the form that it should have.
    fn unnamed(&mut self, keyword: &str, cursor: &mut Cursor) -> Option<StatementKind> {
        let start = cursor.place();
        let mut scratch = Self::default();
        let mut ahead = cursor.clone();
        // `constraint rod x == y` lacks only the colon.
        let named = match cursor.rest() {
            [TokenTree::Ident(name), TokenTree::Ident(_) | TokenTree::Literal(_), ..] => Some(plain(name)),
            _ => None,
        };
        if named.is_some() {
            ahead.next();
        }
        let name_text = named.unwrap_or_else(|| "name".to_owned());
        let left = scratch.expression(&mut ahead);
        if let Some(mistake) = left.as_ref().and_then(|left| inequality(keyword, &name_text, left)) {
            return self.fail(mistake, start.to(ahead.last()));
        }
        let is_definition = ahead.at("=") && !ahead.at("==");
        let right = if ahead.eat("==") || ahead.eat("=") { scratch.expression(&mut ahead) } else { None };
        let place = if left.is_some() { start.to(ahead.last()) } else { start };
        let form = match (left, right) {
            // `constraint rod = x - l`: what stands on the left is the name, unless it is a coordinate.
            (Some(Expr { kind: ExprKind::Name(name), .. }), Some(right))
                if is_definition && !self.coordinates.contains(&plain(&name)) =>
            {
                format!("{keyword} {}: {right} == 0;", plain(&name))
            }
            (Some(left), Some(right)) => format!("{keyword} {name_text}: {left} == {right};"),
            (Some(left), None) => format!("{keyword} {name_text}: {left} == 0;"),
            (None, _) => format!("{keyword} name: left == right;"),
        };
        self.fail(Mistake::ConstraintName { keyword: keyword.to_owned(), form }, place)
    }
}

/// What to say about an inequality in a statement `constraint`, if `left` is one.
pub(super) fn inequality(keyword: &str, name: &str, left: &Expr) -> Option<Mistake> {
    let ExprKind::Binary(operator, left, right) = &left.kind else { return None };
    let (upper, lower) = match operator {
        Binary::GreaterEqual | Binary::Greater => (left, right),
        Binary::LessEqual | Binary::Less => (right, left),
        _ => return None,
    };
    let form = format!("contact {name}: {upper} >= {lower};");
    (keyword == ConstraintKind::Holonomic.keyword()).then_some(Mistake::InequalityConstraint { form })
}
