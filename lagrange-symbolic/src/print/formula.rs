//! Expressions of a block in LaTeX, as they are written: nothing is expanded.

use super::latex::Latex;
use super::name::{self, Shown};
use super::style::{Level, Piece, PowerPiece, Style, halves};
use super::{Names, Naming};
use crate::graph::function::Function;
use crate::graph::{Rational, finite_decimal};
use crate::syntax::{Binary, Expr, ExprKind, Intrinsic, Range, Unary, plain};
use proc_macro2::Ident;

/// The most decimal places of a number that is written as a decimal.
const PLACES: usize = 12;

/// What is known of the names in a block.
pub(crate) trait Context {
    /// The name of a quantity, of a function or of a variable of a range, as it is shown.
    fn name(&self, name: &Ident) -> String {
        plain(name)
    }

    /// The LaTeX that the struct states for a field.
    fn symbol(&self, name: &str) -> Option<&str>;

    /// Whether the block defines a function of this name.
    fn is_function(&self, name: &str) -> bool;

    /// Whether a condition holds, if constants alone decide it.
    fn decided(&self, condition: &Expr) -> Option<bool>;
}

/// An expression in LaTeX.
pub(crate) fn formula(expr: &Expr, context: &dyn Context) -> String {
    let names = Naming::default();
    Writer { context, style: Latex { names: &names as &dyn Names } }.piece(expr).text
}

/// The name of a quantity, or of an element of an array.
pub(crate) fn quantity(name: &Ident, indices: &[&Expr], context: &dyn Context) -> String {
    let names = Naming::default();
    Writer { context, style: Latex { names: &names } }.shown(name, indices).latex()
}

/// `i = 0, …, 4` for the values of an index.
pub(crate) fn range(range: &Range, context: &dyn Context) -> String {
    let (from, last) = (formula(&range.from, context), last(&range.to, context));
    format!("{} = {from}, \\ldots, {last}", name::symbol(&context.name(&range.variable)))
}

/// The last value of an index, of which `to` is one past the last.
fn last(to: &Expr, context: &dyn Context) -> String {
    match &to.kind {
        ExprKind::Number(value) => (value - Rational::ONE).to_string(),
        _ => format!("{} - 1", formula(to, context)),
    }
}

/// Whether an expression is a product that begins with a minus.
fn is_negated(expr: &Expr) -> bool {
    let mut first = expr;
    while let ExprKind::Binary(Binary::Multiply | Binary::Divide, left, _) = &first.kind {
        first = left;
    }
    matches!(first.kind, ExprKind::Unary(Unary::Negate, _))
}

struct Writer<'c> {
    context: &'c dyn Context,
    style: Latex<'c>,
}

impl Writer<'_> {
    fn piece(&self, expr: &Expr) -> Piece {
        // Long chains of operators lie to the left, and are walked in a loop.
        let (mut first, mut chain) = (expr, Vec::new());
        while let ExprKind::Binary(operator, left, right) = &first.kind {
            chain.push((*operator, &**left, &**right));
            first = left;
        }
        let is_factor = |operator: Binary| matches!(operator, Binary::Multiply | Binary::Divide);
        // The sign of the first factor is that of the product: -m*g is −(m g).
        let (mut value, mut is_negative) = match (&first.kind, chain.last()) {
            (ExprKind::Unary(Unary::Negate, operand), Some((operator, ..))) if is_factor(*operator) => {
                (self.piece(operand), true)
            }
            _ => (self.operand(first), false),
        };
        for (operator, left, right) in chain.into_iter().rev() {
            if is_negative && !is_factor(operator) {
                (value, is_negative) = (self.negative(&value), false);
            }
            value = self.binary(operator, (left, value), right);
        }
        if is_negative { self.negative(&value) } else { value }
    }

    fn negative(&self, value: &Piece) -> Piece {
        Piece::new(format!("-{}", self.style.at_least(value, Level::Product)), Level::Sum)
    }

    fn binary(&self, operator: Binary, (base, left): (&Expr, Piece), exponent: &Expr) -> Piece {
        if matches!(operator, Binary::Multiply | Binary::Divide)
            && is_negated(base)
            && let Some(positive) = left.text.strip_prefix('-')
        {
            // The sign stands before the whole product.
            let product = self.binary(operator, (exponent, Piece::new(positive, Level::Product)), exponent);
            return Piece::new(format!("-{}", product.text), Level::Sum);
        }
        let right = self.piece(exponent);
        let joined = |sign: &str, levels: [Level; 2], own: Level| {
            let (left, right) = (self.style.at_least(&left, levels[0]), self.style.at_least(&right, levels[1]));
            Piece::new(format!("{left}{sign}{right}"), own)
        };
        let condition = |sign| joined(sign, [Level::Sum; 2], Level::Comparison);
        match operator {
            Binary::Add => joined(" + ", [Level::Sum, Level::Product], Level::Sum),
            Binary::Subtract => joined(" - ", [Level::Sum, Level::Product], Level::Sum),
            Binary::Multiply => {
                let is_number = right.text.starts_with(|sign: char| sign.is_ascii_digit());
                joined(if is_number { " \\cdot " } else { " " }, [Level::Product, Level::Power], Level::Product)
            }
            Binary::Divide => Piece::new(format!("\\frac{{{}}}{{{}}}", left.text, right.text), Level::Power),
            Binary::Power => self.power(base, left, exponent, &right),
            Binary::Less => condition(" < "),
            Binary::LessEqual => condition(" \\le "),
            Binary::Greater => condition(" > "),
            Binary::GreaterEqual => condition(" \\ge "),
            Binary::And => self.style.and(&left, &right),
            Binary::Or => self.style.or(&left, &right),
        }
    }

    fn power(&self, base: &Expr, left: Piece, exponent: &Expr, right: &Piece) -> Piece {
        let ExprKind::Number(value) = &exponent.kind else { return self.style.general_power(&left, right) };
        let call = match &base.kind {
            ExprKind::Call { function, arguments } => match self.intrinsic(function) {
                Some(Intrinsic::Elementary(function)) => Some((function, self.pieces(arguments))),
                _ => None,
            },
            _ => None,
        };
        self.style.power(&PowerPiece { base: left, exponent: value.clone(), call })
    }

    fn pieces(&self, list: &[Expr]) -> Vec<Piece> {
        list.iter().map(|expr| self.piece(expr)).collect()
    }

    fn operand(&self, expr: &Expr) -> Piece {
        if let Some((name, indices)) = expr.named() {
            return Piece::new(self.shown(name, &indices).latex(), Level::Atom);
        }
        match &expr.kind {
            ExprKind::Number(value) => {
                let number = match finite_decimal(value, PLACES) {
                    Some(text) => Piece::new(text, Level::Atom),
                    None => self.style.quotient(halves(value), &[], &[]),
                };
                match &expr.unit {
                    Some(unit) => Piece::new(format!("{}\\,{}", number.text, name::unit(&unit.text)), Level::Product),
                    None => number,
                }
            }
            ExprKind::Call { function, arguments } => self.call(function, arguments),
            ExprKind::Vector(elements) => self.vector(elements),
            ExprKind::Index { of, indices } => {
                let of = self.style.at_least(&self.piece(of), Level::Atom);
                let indices: Vec<String> = indices.iter().map(|index| self.piece(index).text).collect();
                Piece::new(format!("{of}_{{{}}}", indices.join(",")), Level::Atom)
            }
            ExprKind::Unary(Unary::Not, operand) => self.style.not(&self.piece(operand)),
            ExprKind::Unary(Unary::Negate, operand) => self.negative(&self.piece(operand)),
            ExprKind::If { condition, then, otherwise } => match self.context.decided(condition) {
                Some(holds) => self.piece(if holds { then } else { otherwise }),
                None => self.style.select(&self.piece(condition), &self.piece(then), &self.piece(otherwise)),
            },
            ExprKind::Integral { dummy, from, to, integrand, .. } => {
                let (from, to) = (self.piece(from).text, self.piece(to).text);
                let integrand = self.style.at_least(&self.piece(integrand), Level::Product);
                let dummy = name::symbol(&self.context.name(dummy));
                Piece::new(format!("\\int_{{{from}}}^{{{to}}} {integrand} \\, d{dummy}"), Level::Product)
            }
            ExprKind::Sum { range, term } => {
                let (from, last) = (self.piece(&range.from).text, last(&range.to, self.context));
                let variable = name::symbol(&self.context.name(&range.variable));
                let term = self.style.at_least(&self.piece(term), Level::Product);
                Piece::new(format!("\\sum_{{{variable}={from}}}^{{{last}}} {term}"), Level::Product)
            }
            ExprKind::Name(_) | ExprKind::Binary(..) => Piece::new("", Level::Atom),
        }
    }

    /// A column, or the rows of a matrix.
    fn vector(&self, elements: &[Expr]) -> Piece {
        let rows: Vec<String> = elements
            .iter()
            .map(|element| match &element.kind {
                ExprKind::Vector(row) => row.iter().map(|entry| self.piece(entry).text).collect::<Vec<_>>().join(" & "),
                _ => self.piece(element).text,
            })
            .collect();
        Piece::new(format!("\\begin{{pmatrix}} {} \\end{{pmatrix}}", rows.join(" \\\\ ")), Level::Atom)
    }

    fn intrinsic(&self, function: &Ident) -> Option<Intrinsic> {
        let name = plain(function);
        if self.context.is_function(&name) { None } else { Intrinsic::named(&name) }
    }

    fn call(&self, function: &Ident, arguments: &[Expr]) -> Piece {
        let pieces = self.pieces(arguments);
        let inside = pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>().join(", ");
        let between = |sign: &str| {
            let operands: Vec<String> = pieces.iter().map(|piece| self.style.at_least(piece, Level::Power)).collect();
            Piece::new(operands.join(sign), Level::Sum)
        };
        let atom = |text: String| Piece::new(text, Level::Atom);
        match self.intrinsic(function) {
            Some(Intrinsic::Elementary(function) | Intrinsic::Extreme(function)) => self.style.call(function, &pieces),
            Some(Intrinsic::Atan2) => self.style.call(Function::Atan2, &pieces),
            Some(Intrinsic::Modulo) => self.style.call(Function::Mod, &pieces),
            Some(Intrinsic::Sqrt) => atom(format!("\\sqrt{{{inside}}}")),
            Some(Intrinsic::Norm) => atom(format!("\\left\\lVert {inside}\\right\\rVert")),
            Some(Intrinsic::Norm2) => Piece::new(format!("\\left\\lVert {inside}\\right\\rVert^{{2}}"), Level::Power),
            Some(Intrinsic::Inner) => between(" \\cdot "),
            Some(Intrinsic::Cross) => between(" \\times "),
            Some(Intrinsic::Transpose) => match pieces.first() {
                Some(of) => Piece::new(format!("{}^{{T}}", self.style.at_least(of, Level::Atom)), Level::Power),
                None => atom(String::new()),
            },
            Some(Intrinsic::Dot) if arguments.len() == 1 => self.rate(&arguments[0], "\\dot"),
            _ => {
                let symbol = name::symbol(&self.context.name(function));
                match arguments {
                    [of] if plain(function) == "multiplier" && !self.context.is_function("multiplier") => {
                        match of.named() {
                            Some((name, indices)) => atom(self.shown(name, &indices).under("\\lambda")),
                            None => atom(format!("\\lambda_{{{inside}}}")),
                        }
                    }
                    _ => atom(format!("{symbol}\\left({inside}\\right)")),
                }
            }
        }
    }

    /// The total time derivative, with dots over the letter of a quantity.
    fn rate(&self, of: &Expr, dots: &str) -> Piece {
        if let Some((name, indices)) = of.named() {
            return Piece::new(self.shown(name, &indices).with(dots), Level::Atom);
        }
        if let ExprKind::Call { function, arguments } = &of.kind
            && let (Some(Intrinsic::Dot), [inner], "\\dot") = (self.intrinsic(function), &arguments[..], dots)
            && inner.named().is_some()
        {
            return self.rate(inner, "\\ddot");
        }
        let of = self.style.at_least(&self.piece(of), Level::Atom);
        // As a factor it has parentheses, so that what follows is not differentiated too.
        Piece::new(format!("\\frac{{d}}{{dt}} {of}"), Level::Sum)
    }

    fn shown(&self, name: &Ident, indices: &[&Expr]) -> Shown {
        let name = self.context.name(name);
        let indices: Vec<String> = indices.iter().map(|index| self.piece(index).text).collect();
        Shown::new(&name, self.context.symbol(&name), &indices)
    }
}
