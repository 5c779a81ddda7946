//! One operation as an expression, with as few parentheses as its precedence allows.

use super::Language;
use super::syntax::Syntax;
use crate::graph::Relation;
use crate::program::Operation;

/// The precedence of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Binding {
    Logic,
    Comparison,
    Sum,
    Product,
    Unary,
    Atom,
}

/// A text with its precedence and the number of operations in it.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) text: String,
    pub(super) binding: Binding,
    pub(super) size: u32,
}

impl Expression {
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self { text: text.into(), binding: Binding::Atom, size: 0 }
    }

    /// The text, in parentheses if its precedence is lower than needed.
    pub(super) fn at(&self, needed: Binding) -> String {
        if self.binding >= needed { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// The expression of an operation from those of its operands. Names, tables and solutions are not written here.
pub(super) fn expression(syntax: &Syntax, operation: &Operation, operands: &[Expression]) -> Expression {
    let size = 1 + operands.iter().map(|operand| operand.size).sum::<u32>();
    let of = |binding: Binding, text: String| Expression { text, binding, size };
    let infix = |binding: Binding, sign: &str, left: Binding, right: Binding| {
        of(binding, format!("{} {sign} {}", operands[0].at(left), operands[1].at(right)))
    };
    let texts = || -> Vec<String> { operands.iter().map(|operand| operand.text.clone()).collect() };
    match operation {
        Operation::Constant(value) => {
            let text = syntax.constant(value);
            let is_plain = syntax.language != Language::C && !text.starts_with('-');
            Expression { text, binding: if is_plain { Binding::Atom } else { Binding::Unary }, size: 0 }
        }
        Operation::Pi => Expression { text: syntax.pi.to_owned(), binding: Binding::Unary, size: 0 },
        Operation::Epsilon => Expression::atom(syntax.epsilon),
        Operation::Truth(value) => Expression::atom(syntax.truths[usize::from(*value)]),
        Operation::Add(..) => infix(Binding::Sum, "+", Binding::Sum, Binding::Product),
        Operation::Subtract(..) => infix(Binding::Sum, "-", Binding::Sum, Binding::Product),
        Operation::Multiply(..) => infix(Binding::Product, "*", Binding::Product, Binding::Unary),
        Operation::Divide(..) => infix(Binding::Product, "/", Binding::Product, Binding::Unary),
        Operation::Negate(_) => of(Binding::Unary, format!("-{}", operands[0].at(Binding::Atom))),
        Operation::Reciprocal(_) => {
            let one = if syntax.language == Language::C { "1" } else { "1.0" };
            of(Binding::Product, format!("{one} / {}", operands[0].at(Binding::Unary)))
        }
        Operation::MultiplyAdd { negate_product, negate_addend, .. } => {
            let product = format!("{} * {}", operands[0].at(Binding::Product), operands[1].at(Binding::Unary));
            let text = match (negate_product, negate_addend) {
                (false, false) => format!("{product} + {}", operands[2].at(Binding::Product)),
                (false, true) => format!("{product} - {}", operands[2].at(Binding::Product)),
                (true, false) => format!("{} - {product}", operands[2].at(Binding::Sum)),
                (true, true) => format!("-({product}) - {}", operands[2].at(Binding::Product)),
            };
            Expression { text, binding: Binding::Sum, size: size + 1 }
        }
        Operation::SquareRoot(_) => of(Binding::Atom, syntax.library_call("sqrt", &texts())),
        Operation::Power(..) => of(Binding::Atom, syntax.library_call("pow", &texts())),
        Operation::Call(function, _) => of(Binding::Atom, syntax.call(*function, &texts())),
        Operation::Compare(relation, ..) => {
            let sign = match relation {
                Relation::Less => "<",
                Relation::LessEqual => "<=",
                Relation::Equal => syntax.equal,
            };
            infix(Binding::Comparison, sign, Binding::Sum, Binding::Sum)
        }
        Operation::And(..) => infix(Binding::Logic, syntax.and, Binding::Comparison, Binding::Comparison),
        Operation::Or(..) => infix(Binding::Logic, syntax.or, Binding::Comparison, Binding::Comparison),
        // Behind `not` Python reads a whole comparison, so that all languages get the same parentheses.
        Operation::Not(_) => of(Binding::Logic, format!("{}{}", syntax.not, operands[0].at(Binding::Atom))),
        Operation::Select(..) => {
            of(Binding::Atom, syntax.select(&operands[0].at(Binding::Comparison), &operands[1].text, &operands[2].text))
        }
        Operation::Symbol(_)
        | Operation::Argument(_)
        | Operation::SineCosine(_)
        | Operation::Sine(_)
        | Operation::Cosine(_)
        | Operation::Numbers(_)
        | Operation::Table(_)
        | Operation::Piece(..)
        | Operation::Entry(..)
        | Operation::Solution(..)
        | Operation::Component(..) => Expression::atom(String::new()),
    }
}
