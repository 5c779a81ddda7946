//! The expression grammar: precedence climbing over the operators of [`Binary`].
//!
//! Every reader returns `None` where it has reported a mistake, so that its caller does not report it again.

use super::cursor::Cursor;
use super::notation;
use super::number::{self, BadNumber};
use super::unit::{self, Measured};
use crate::report::{Mistake, Place, Report};
use crate::syntax::{Binary, Expr, ExprKind, Range, Unary};
use proc_macro2::{Delimiter, Group, Ident, Literal, TokenTree};

/// The depth of nested parentheses, calls and signs beyond which reading stops. No stack overflows at this depth.
const DEEPEST: usize = 64;

/// The number of successive operations beyond which reading stops.
const LONGEST: usize = 2000;

/// Reads expressions and collects their mistakes.
#[derive(Default)]
pub(crate) struct Parser {
    pub(crate) report: Report,
    nesting: usize,
    /// The names of the block's coordinates, as far as they can be read beforehand.
    pub(crate) coordinates: Vec<String>,
    /// The names of the block's parts.
    pub(super) parts: Vec<String>,
    /// The ranges met between the brackets of an index, where they may stand there: on the left side of a force.
    pub(crate) ranges: Option<Vec<Range>>,
}

impl Parser {
    /// A parser for a block with these coordinates and parts.
    pub(crate) fn of(coordinates: Vec<String>, parts: Vec<String>) -> Self {
        Self { coordinates, parts, ..Self::default() }
    }

    /// An expression; what follows it is left to the caller.
    pub(crate) fn expression(&mut self, cursor: &mut Cursor) -> Option<Expr> {
        let expr = self.chain(cursor, 1)?;
        self.foreign_operator(&expr, cursor)?;
        Some(expr)
    }

    /// An expression that fills the whole of its tokens.
    pub(crate) fn whole(&mut self, cursor: &mut Cursor) -> Option<Expr> {
        let expr = self.expression(cursor)?;
        self.finish(cursor)?;
        Some(expr)
    }

    /// Reports what is left over behind an expression.
    pub(crate) fn finish(&mut self, cursor: &Cursor) -> Option<()> {
        if cursor.is_empty() {
            return Some(());
        }
        self.fail(left_over(cursor), cursor.place())
    }

    pub(crate) fn fail<T>(&mut self, mistake: Mistake, place: impl Into<Place>) -> Option<T> {
        self.report.add(mistake, place);
        None
    }

    /// Makes an expression. Reports one that is too long or too deeply nested.
    pub(super) fn build(&mut self, kind: ExprKind, place: Place) -> Option<Expr> {
        let expr = Expr::new(kind, place);
        if expr.height > LONGEST {
            return self.fail(Mistake::TooLong { limit: LONGEST }, place);
        }
        if expr.depth > DEEPEST {
            return self.fail(Mistake::TooDeep { limit: DEEPEST }, place);
        }
        Some(expr)
    }

    /// Operators that bind at least as tightly as `level`, left-associative.
    pub(crate) fn chain(&mut self, cursor: &mut Cursor, level: u32) -> Option<Expr> {
        let mut left = self.unary(cursor)?;
        while let Some(operator) = operator(cursor) {
            if operator.level() < level {
                break;
            }
            let place = cursor.place();
            cursor.eat(operator.symbol());
            let right = self.chain(cursor, operator.level() + 1)?;
            if operator.level() == Binary::Less.level() && compares(&left) {
                return self.fail(Mistake::ComparisonChain { form: unchained(left, operator, &right) }, place);
            }
            let place = left.place.to(right.place);
            left = self.build(ExprKind::Binary(operator, Box::new(left), Box::new(right)), place)?;
        }
        if cursor.at("%") { self.percent(&left, cursor) } else { Some(left) }
    }

    /// A sign or a negation before a power.
    fn unary(&mut self, cursor: &mut Cursor) -> Option<Expr> {
        let first = cursor.place();
        let sign = if cursor.eat("-") {
            Unary::Negate
        } else if cursor.at("!") && !cursor.at("!=") {
            cursor.eat("!");
            Unary::Not
        } else {
            return self.power(cursor);
        };
        let operand = self.deeper(first, |parser| parser.unary(cursor))?;
        let place = first.to(operand.place);
        self.build(ExprKind::Unary(sign, Box::new(operand)), place)
    }

    /// `base ^ exponent`, right-associative; the exponent may carry a minus.
    pub(crate) fn power(&mut self, cursor: &mut Cursor) -> Option<Expr> {
        let base = self.postfix(cursor)?;
        let symbol = cursor.place();
        if cursor.at("**") {
            let second = cursor.peek_second().map_or(symbol, Place::of);
            self.report.add(Mistake::DoubleStar {}, symbol.to(second));
            cursor.eat("**");
        } else if !cursor.eat("^") {
            return Some(base);
        }
        let exponent = self.deeper(symbol, |parser| parser.unary(cursor))?;
        let place = base.place.to(exponent.place);
        self.build(ExprKind::Binary(Binary::Power, Box::new(base), Box::new(exponent)), place)
    }

    /// Indices and method calls behind an operand.
    fn postfix(&mut self, cursor: &mut Cursor) -> Option<Expr> {
        let mut expr = self.primary(cursor)?;
        for _ in 0..DEEPEST {
            if let Some(group) = cursor.eat_group(Delimiter::Bracket) {
                let indices = self.elements(&group, Self::index)?;
                let place = expr.place.to(cursor.last());
                expr = self.build(ExprKind::Index { of: Box::new(expr), indices }, place)?;
            } else if cursor.at(".") && !cursor.at("..") {
                let point = cursor.place();
                cursor.eat(".");
                let Some(function) = cursor.eat_ident() else {
                    return self.behind_a_point(&expr, point, cursor);
                };
                let Some(group) = cursor.eat_group(Delimiter::Parenthesis) else {
                    expr = match self.of_part(&expr, &function) {
                        Some(quantity) => quantity,
                        None => return self.field(&expr, &function, cursor),
                    };
                    continue;
                };
                if let Some(form) = form_of(&function) {
                    let found = format!("`.{function}`");
                    return self.fail(Mistake::RangeForm { form: form.to_owned(), found }, &function);
                }
                let mut arguments = vec![expr];
                arguments.extend(self.list(&group)?);
                let place = arguments[0].place.to(cursor.last());
                expr = self.build(ExprKind::Call { function, arguments }, place)?;
            } else {
                return Some(expr);
            }
        }
        self.fail(Mistake::TooDeep { limit: DEEPEST }, expr.place)
    }

    /// An operand.
    fn primary(&mut self, cursor: &mut Cursor) -> Option<Expr> {
        let place = cursor.place();
        match cursor.peek().cloned() {
            Some(TokenTree::Literal(literal)) => {
                if let Some(measured) = unit::behind(&literal, &cursor.rest()[1..]) {
                    (0..=measured.tokens).for_each(|_| _ = cursor.next());
                    let Measured { number, unit, .. } = measured;
                    return self.fail(Mistake::NumberWithUnit { number, unit }, place.to(cursor.last()));
                }
                let kind = self.number(&literal)?;
                cursor.next();
                if cursor.peek_group(Delimiter::Parenthesis).is_some() {
                    let mistake = Mistake::ImplicitProduct { left: literal.to_string(), right: "(…)".to_owned() };
                    return self.fail(mistake, place.to(cursor.place()));
                }
                let unit = match cursor.eat_group(Delimiter::Bracket) {
                    Some(group) => Some(Box::new(self.whole_unit(&mut Cursor::inside(&group))?)),
                    None => None,
                };
                let number = self.build(kind, place.to(cursor.last()))?;
                Some(Expr { unit, ..number })
            }
            Some(TokenTree::Ident(word)) if word == "if" => {
                cursor.next();
                self.deeper(place, |parser| parser.branches(cursor, place))
            }
            Some(TokenTree::Ident(name)) => {
                cursor.next();
                self.foreign_name(&name, cursor)?;
                match cursor.eat_group(Delimiter::Parenthesis) {
                    Some(group) => self.deeper(place, |parser| parser.call(name, &group)),
                    None => self.build(ExprKind::Name(name), place),
                }
            }
            Some(TokenTree::Group(group)) => match group.delimiter() {
                Delimiter::Bracket if notation::has(&group, ';') => self.rows(&group, place),
                Delimiter::Bracket => {
                    cursor.next();
                    let elements = self.deeper(place, |parser| parser.list(&group))?;
                    self.build(ExprKind::Vector(elements), place)
                }
                Delimiter::Parenthesis if notation::has(&group, ',') => self.tuple(&group, place, false),
                Delimiter::Parenthesis | Delimiter::None => {
                    cursor.next();
                    let inner = self.deeper(place, |parser| parser.whole(&mut Cursor::inside(&group)))?;
                    Some(Expr { place, ..inner })
                }
                Delimiter::Brace => self.fail(Mistake::ExpectedExpression { found: cursor.found() }, place),
            },
            Some(TokenTree::Punct(bar)) if bar.as_char() == '|' => self.bars(cursor),
            Some(TokenTree::Punct(point)) if point.as_char() == '.' => match cursor.peek_second() {
                Some(TokenTree::Literal(digits)) => {
                    let (found, form) = (format!(".{digits}"), format!("0.{digits}"));
                    self.fail(notation::foreign(found, form), place.to(Place::at(digits.span())))
                }
                _ => self.fail(Mistake::ExpectedExpression { found: cursor.found() }, place),
            },
            _ => self.fail(Mistake::ExpectedExpression { found: cursor.found() }, place),
        }
    }

    fn number(&mut self, literal: &Literal) -> Option<ExprKind> {
        let text = literal.to_string();
        let mistake = match number::read(&text) {
            Ok(value) => return Some(ExprKind::Number(value)),
            Err(BadNumber::Suffix(number, suffix)) if suffix == "f64" || suffix == "f32" => {
                Mistake::TypedNumber { number, suffix }
            }
            Err(BadNumber::Suffix(left, right)) => Mistake::ImplicitProduct { left, right },
            Err(BadNumber::Range) => Mistake::NumberRange { number: text },
            Err(BadNumber::NotDecimal) if text.starts_with(|c: char| c.is_ascii_digit()) => {
                Mistake::NotDecimal { found: text }
            }
            Err(BadNumber::NotDecimal) => Mistake::ExpectedExpression { found: text },
        };
        self.fail(mistake, Place::at(literal.span()))
    }

    /// Expressions between delimiters.
    pub(crate) fn list(&mut self, group: &Group) -> Option<Vec<Expr>> {
        self.elements(group, Self::expression)
    }

    /// Elements between delimiters, separated by commas; a comma may stand behind the last.
    pub(crate) fn elements<T>(
        &mut self,
        group: &Group,
        read: impl Fn(&mut Self, &mut Cursor) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut cursor = Cursor::inside(group);
        let mut elements = Some(Vec::new());
        while !cursor.is_empty() {
            let element = read(self, &mut cursor).and_then(|element| {
                if cursor.is_empty() || cursor.at(",") { Some(element) } else { self.finish(&cursor).map(|()| element) }
            });
            match (element, &mut elements) {
                (Some(element), Some(elements)) => elements.push(element),
                (Some(_), None) => {}
                (None, _) => {
                    elements = None;
                    cursor.recover_in_list();
                }
            }
            cursor.eat(",");
        }
        elements
    }

    /// An index. Where ranges may stand, a range is appended to `ranges` and its variable is the index.
    fn index(&mut self, cursor: &mut Cursor) -> Option<Expr> {
        let is_range =
            cursor.peek_second().is_some_and(|token| matches!(token, TokenTree::Ident(word) if word == "in"));
        if !is_range {
            // Slices of other languages: `v[0..2]`, `v[1:3]`, `v[:]`.
            let start = cursor.place();
            let is_mark = |cursor: &Cursor| cursor.at("..") || (cursor.at(":") && !cursor.at("::"));
            let index = if is_mark(cursor) { None } else { Some(self.expression(cursor)?) };
            return match index {
                Some(index) if !is_mark(cursor) => Some(index),
                _ => {
                    if cursor.at("..") {
                        cursor.next();
                    }
                    self.fail(Mistake::RangeInExpression {}, start.to(cursor.place()))
                }
            };
        }
        let place = cursor.place();
        let range = self.range(INDEX_FORM, cursor)?;
        let place = place.to(cursor.last());
        let variable = range.variable.clone();
        match &mut self.ranges {
            Some(ranges) => ranges.push(range),
            None => return self.fail(Mistake::RangeInExpression {}, place),
        }
        self.build(ExprKind::Name(variable), place)
    }

    /// A function and its arguments.
    fn call(&mut self, function: Ident, group: &Group) -> Option<Expr> {
        let place = Place::from(&function).to(Place::at(group.span_close()));
        match function.to_string().as_str() {
            "integral" => self.integral(group, place),
            "sum" => self.sum(group, place),
            "Piecewise" | "piecewise" | "Integral" | "integrate" | "Sum" | "summation" | "quad" => {
                let name = function.to_string();
                let form = match name.as_str() {
                    "Piecewise" | "piecewise" => "if condition { a } else { b }",
                    "Sum" | "summation" => SUM_FORM,
                    _ => INTEGRAL_FORM,
                };
                let help = format!("write `{form}`");
                self.fail(Mistake::UnknownFunction { name, help }, &function)
            }
            _ => {
                let arguments = self.list(group)?;
                self.build(ExprKind::Call { function, arguments }, place)
            }
        }
    }

    /// `variable in from..to`
    pub(crate) fn range(&mut self, form: &str, cursor: &mut Cursor) -> Option<Range> {
        let form = |cursor: &Cursor| {
            let found = if cursor.at("..=") { "`..=`".to_owned() } else { cursor.found() };
            Mistake::RangeForm { form: form.to_owned(), found }
        };
        let Some(variable) = cursor.eat_ident() else { return self.fail(form(cursor), cursor.place()) };
        if !cursor.eat_word("in") {
            return self.fail(form(cursor), cursor.place());
        }
        let from = self.expression(cursor)?;
        if cursor.at("..=") || !cursor.eat("..") {
            return self.fail(form(cursor), cursor.place());
        }
        let to = self.expression(cursor)?;
        Some(Range { variable, from, to })
    }

    /// A range, a comma, and what it ranges over.
    fn ranged(&mut self, form: &str, cursor: &mut Cursor) -> Option<(Range, Expr)> {
        let range = self.range(form, cursor)?;
        if !cursor.eat(",") {
            let mistake = Mistake::RangeForm { form: form.to_owned(), found: cursor.found() };
            return self.fail(mistake, cursor.place());
        }
        let inner = self.expression(cursor)?;
        Some((range, inner))
    }

    fn sum(&mut self, group: &Group, place: Place) -> Option<Expr> {
        let mut cursor = Cursor::inside(group);
        let (range, term) = self.ranged(SUM_FORM, &mut cursor)?;
        cursor.eat(",");
        self.finish(&cursor)?;
        self.build(ExprKind::Sum { range: Box::new(range), term: Box::new(term) }, place)
    }

    fn integral(&mut self, group: &Group, place: Place) -> Option<Expr> {
        let mut cursor = Cursor::inside(group);
        let (range, integrand) = self.ranged(INTEGRAL_FORM, &mut cursor)?;
        let mut nodes = None;
        if cursor.eat(",") && cursor.eat_word("nodes") {
            if !cursor.eat("=") {
                let mistake = Mistake::ExpectedEquals {
                    after: "`nodes`".to_owned(),
                    found: cursor.found(),
                    form: "nodes = 8".to_owned(),
                };
                return self.fail(mistake, cursor.place());
            }
            nodes = Some(Box::new(self.expression(&mut cursor)?));
            cursor.eat(",");
        }
        self.finish(&cursor)?;
        let Range { variable: dummy, from, to } = range;
        let [from, to, integrand] = [from, to, integrand].map(Box::new);
        self.build(ExprKind::Integral { dummy, from, to, integrand, nodes }, place)
    }

    /// What follows the word `if`.
    fn branches(&mut self, cursor: &mut Cursor, place: Place) -> Option<Expr> {
        if let Some(group) = cursor.peek_group(Delimiter::Parenthesis).filter(|group| notation::has(group, ',')) {
            let group = group.clone();
            return self.tuple(&group, place.to(cursor.place()), true);
        }
        let condition = self.expression(cursor)?;
        if cursor.at("=") || cursor.at("!=") {
            return self.fail(Mistake::EqualityCondition {}, cursor.place());
        }
        let then = self.branch(cursor)?;
        if !cursor.eat_word("else") {
            return self.fail(Mistake::IfWithoutElse {}, place.to(cursor.last()));
        }
        let otherwise = if cursor.at_word("if") {
            let place = cursor.place();
            cursor.next();
            self.deeper(place, |parser| parser.branches(cursor, place))?
        } else {
            self.branch(cursor)?
        };
        let [condition, then, otherwise] = [condition, then, otherwise].map(Box::new);
        self.build(ExprKind::If { condition, then, otherwise }, place.to(cursor.last()))
    }

    /// An expression in braces.
    pub(super) fn branch(&mut self, cursor: &mut Cursor) -> Option<Expr> {
        let Some(group) = cursor.eat_group(Delimiter::Brace) else {
            return self.fail(Mistake::ExpectedBraces { found: cursor.found() }, cursor.place());
        };
        self.whole(&mut Cursor::inside(&group))
    }

    /// Reads one level deeper. Reports more than [`DEEPEST`] levels.
    pub(super) fn deeper<T>(&mut self, place: Place, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.nesting == DEEPEST {
            return self.fail(Mistake::TooDeep { limit: DEEPEST }, place);
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }
}

const INTEGRAL_FORM: &str = "integral(x in a..b, integrand)";
const SUM_FORM: &str = "sum(i in a..b, term)";
pub(crate) const INDEX_FORM: &str = "[i in a..b]";

/// How a call of `sum` or `integral` is written.
fn form_of(function: &Ident) -> Option<&'static str> {
    match function.to_string().as_str() {
        "integral" => Some(INTEGRAL_FORM),
        "sum" => Some(SUM_FORM),
        _ => None,
    }
}

/// The binary operator that comes next; powers are read with their base.
fn operator(cursor: &Cursor) -> Option<Binary> {
    const LONG_BEFORE_SHORT: [Binary; 10] = [
        Binary::LessEqual,
        Binary::GreaterEqual,
        Binary::And,
        Binary::Or,
        Binary::Less,
        Binary::Greater,
        Binary::Add,
        Binary::Subtract,
        Binary::Multiply,
        Binary::Divide,
    ];
    if ["+=", "-=", "*=", "/="].into_iter().any(|assignment| cursor.at(assignment)) {
        return None;
    }
    LONG_BEFORE_SHORT.into_iter().find(|operator| cursor.at(operator.symbol()))
}

/// Whether an expression is a comparison.
fn compares(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Binary(operator, ..) if operator.level() == Binary::Less.level())
}

/// `a < b && b < c` for `a < b < c`.
fn unchained(left: Expr, operator: Binary, right: &Expr) -> String {
    let (symbol, first) = (operator.symbol(), left.to_string());
    let ExprKind::Binary(.., middle) = left.kind else { return first };
    format!("{first} && {middle} {symbol} {right}")
}

/// Whether a property of a contact or a friction, `word = value`, comes next.
pub(super) fn begins_property(cursor: &Cursor) -> bool {
    let is_property = ["restitution", "friction", "slip", "smooth", "breakaway", "adhesion"]
        .into_iter()
        .any(|word| cursor.at_word(word));
    let [_, TokenTree::Punct(equals), rest @ ..] = cursor.rest() else { return false };
    let is_equality = matches!(rest, [TokenTree::Punct(second), ..] if second.as_char() == '=');
    is_property && equals.as_char() == '=' && !is_equality
}

/// The mistake in tokens that follow a complete expression.
fn left_over(cursor: &Cursor) -> Mistake {
    let found = cursor.found();
    match cursor.peek() {
        _ if begins_property(cursor) => Mistake::MissingComma { before: found },
        Some(TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Group(_)) => Mistake::MissingOperator { found },
        Some(TokenTree::Punct(_)) if cursor.at("==") || cursor.at("!=") => Mistake::EqualityCondition {},
        Some(TokenTree::Punct(_)) if cursor.at("..") => Mistake::RangeInExpression {},
        _ => Mistake::Unexpected { found },
    }
}
