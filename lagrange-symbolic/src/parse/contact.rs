//! The statement `contact`.

use super::cursor::Cursor;
use super::expression::Parser;
use super::statement::is_named;
use crate::report::{Mistake, Place};
use crate::syntax::{Binary, Expr, ExprKind, StatementKind, plain};
use proc_macro2::Ident;

/// The properties of a contact, in the order of their values below.
const PROPERTIES: [&str; 5] = ["restitution", "friction", "slip", "breakaway", "adhesion"];

impl Parser {
    /// `name[indices]: left >= right, restitution = e, friction = mu, slip = x, breakaway = held, adhesion = f`
    pub(super) fn contact(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        if !is_named(cursor) {
            return self.unnamed_contact(cursor);
        }
        let name = self.name("a name", cursor)?;
        let indices = self.indexing(&name, cursor)?;
        cursor.eat(":");
        let sides = Box::new(self.gap(&name, cursor)?);
        let [restitution, friction, slip, breakaway, adhesion] = self.properties(&name, cursor)?;
        let mut is_rate = false;
        let friction = match (friction, slip) {
            (Some((_, friction)), Some((_, slip))) => {
                let slip = stated_slip(slip);
                is_rate = slip.1;
                Some(Box::new((slip.0, friction)))
            }
            (None, None) => match breakaway {
                Some((word, _)) => return self.fail(lone(&name, "breakaway", "friction"), &word),
                None => None,
            },
            (Some((word, friction)), None) => match slip_of(&sides.0) {
                Some(slip) => {
                    is_rate = true;
                    Some(Box::new((slip, friction)))
                }
                None => return self.fail(lone(&name, "friction", "slip"), &word),
            },
            (None, Some((word, _))) => return self.fail(lone(&name, "slip", "friction"), &word),
        };
        let restitution = restitution.map(|(_, value)| Box::new(value));
        let breakaway = breakaway.map(|(_, value)| Box::new(value));
        let adhesion = adhesion.map(|(_, value)| Box::new(value));
        Some(StatementKind::Contact { name, indices, sides, restitution, friction, is_rate, breakaway, adhesion })
    }

    /// `left >= right`
    fn gap(&mut self, name: &Ident, cursor: &mut Cursor) -> Option<(Expr, Expr)> {
        let gap = self.expression(cursor)?;
        let head = format!("contact {}:", plain(name));
        let wrong = |form: String, found: &str, why: &str| Mistake::ContactForm {
            form,
            found: found.to_owned(),
            why: why.to_owned(),
        };
        if let ExprKind::Binary(operator, left, right) = gap.kind {
            return match operator {
                Binary::GreaterEqual => Some((*left, *right)),
                Binary::LessEqual | Binary::Less => {
                    let form = format!("{head} {right} >= {left}");
                    let found = format!("`{}`", operator.symbol());
                    self.fail(wrong(form, &found, "the gap is the left side minus the right side"), gap.place)
                }
                Binary::Greater => {
                    let form = format!("{head} {left} >= {right}");
                    self.fail(wrong(form, "`>`", "the gap is 0 where the bodies touch"), gap.place)
                }
                _ => {
                    let form = format!("{head} {} >= 0", Expr::new(ExprKind::Binary(operator, left, right), gap.place));
                    self.missing_inequality(form, cursor)
                }
            };
        }
        self.missing_inequality(format!("{head} {gap} >= 0"), cursor)
    }

    /// Reports what stands in place of `>=`.
    fn missing_inequality<T>(&mut self, form: String, cursor: &Cursor) -> Option<T> {
        let why = match cursor.at("==") || cursor.at("=") {
            true => "an equation that always holds is a `constraint`",
            false => "the gap between the bodies is the left side minus the right side",
        };
        let mistake = Mistake::ContactForm { form, found: cursor.found(), why: why.to_owned() };
        self.fail(mistake, cursor.place())
    }

    /// `, word = value` for each property, in any order.
    fn properties(&mut self, name: &Ident, cursor: &mut Cursor) -> Option<[Option<(Ident, Expr)>; 5]> {
        let mut found = [None, None, None, None, None];
        while cursor.eat(",") {
            if cursor.is_empty() || cursor.at(";") {
                break;
            }
            let (text, place) = (cursor.found(), cursor.place());
            let word = cursor.eat_ident();
            let index = word.as_ref().and_then(|word| PROPERTIES.iter().position(|known| word == known));
            let (Some(word), Some(index)) = (word, index) else {
                return self.fail(Mistake::ContactProperty { name: plain(name), found: text }, place);
            };
            self.equals(&format!("`{word}`"), cursor)?;
            let value = self.expression(cursor)?;
            if found[index].is_some() {
                return self
                    .fail(Mistake::ContactPropertyTwice { name: plain(name), property: word.to_string() }, &word);
            }
            found[index] = Some((word, value));
        }
        Some(found)
    }

    /// A contact without a name: reports it with the form that it should have.
    fn unnamed_contact(&mut self, cursor: &mut Cursor) -> Option<StatementKind> {
        let (start, mut ahead) = (cursor.place(), cursor.clone());
        let gap = Self::default().expression(&mut ahead);
        let place: Place = if gap.is_some() { start.to(ahead.last()) } else { start };
        let form = match gap {
            Some(gap @ Expr { kind: ExprKind::Binary(Binary::GreaterEqual, ..), .. }) => {
                format!("contact name: {gap};")
            }
            Some(gap) => format!("contact name: {gap} >= 0;"),
            None => "contact name: left >= right;".to_owned(),
        };
        self.fail(Mistake::ConstraintName { keyword: "contact".to_owned(), form }, place)
    }
}

/// A slip, and whether `rate(…)` states its rate.
pub(super) fn stated_slip(slip: Expr) -> (Expr, bool) {
    match slip.kind {
        ExprKind::Call { function, mut arguments } if function == "rate" && arguments.len() == 1 => {
            let inner = arguments.pop().unwrap_or(Expr::new(ExprKind::Name(function), slip.place));
            (inner, true)
        }
        kind => (Expr::new(kind, slip.place), false),
    }
}

/// The slip of two shapes whose distance is the gap.
fn slip_of(gap: &Expr) -> Option<Expr> {
    match &gap.kind {
        ExprKind::Call { function, arguments } if function == "distance" => {
            let function = Ident::new("slip_velocity", function.span());
            Some(Expr::new(ExprKind::Call { function, arguments: arguments.clone() }, gap.place))
        }
        _ => None,
    }
}

/// A slip without friction, or friction without a slip.
fn lone(name: &Ident, stated: &str, missing: &str) -> Mistake {
    Mistake::ContactFriction { name: plain(name), stated: stated.to_owned(), missing: missing.to_owned() }
}
