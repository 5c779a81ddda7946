//! One operation as a Rust expression, with as few parentheses as its precedence allows.

use super::external;
use crate::graph::function::Function;
use crate::graph::{Rational, Relation};
use crate::program::Operation;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

/// The precedence of a Rust expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Binding {
    Logic,
    Sum,
    Product,
    Unary,
    Atom,
}

/// Tokens with their precedence and the number of operations in them.
#[derive(Clone)]
pub(super) struct Expression {
    pub(super) tokens: TokenStream,
    pub(super) binding: Binding,
    pub(super) size: u32,
}

impl Expression {
    pub(super) fn atom(tokens: TokenStream) -> Self {
        Self { tokens, binding: Binding::Atom, size: 0 }
    }

    /// The tokens, in parentheses if their precedence is lower than needed.
    fn at(&self, needed: Binding) -> TokenStream {
        let tokens = &self.tokens;
        if self.binding >= needed { tokens.clone() } else { quote!((#tokens)) }
    }
}

/// The expression of an operation from those of its operands.
pub(super) fn expression(operation: &Operation, operands: &[Expression]) -> Expression {
    let size = 1 + operands.iter().map(|operand| operand.size).sum::<u32>();
    let of = |binding: Binding, tokens: TokenStream| Expression { tokens, binding, size };
    match operation {
        Operation::Constant(value) => Expression::atom(constant(value)),
        Operation::Pi => Expression::atom(quote!(R::from_parts(::core::f64::consts::PI, 1.224_646_799_147_353_2e-16))),
        Operation::Epsilon => Expression::atom(quote!(R::from_f64(R::EPSILON))),
        Operation::Truth(value) => Expression::atom(quote!(<R::Mask as Mask>::splat(#value))),
        // The routine gives names to loads, pairs and pieces.
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
        | Operation::Component(..)
        // Splines are emitted as pieces, and implicit functions as solutions.
        | Operation::Call(Function::Spline { .. } | Function::Implicit { .. }, _) => Expression::atom(TokenStream::new()),
        Operation::Add(..) => {
            let (a, b) = (operands[0].at(Binding::Sum), operands[1].at(Binding::Product));
            of(Binding::Sum, quote!(#a + #b))
        }
        Operation::Subtract(..) => {
            let (a, b) = (operands[0].at(Binding::Sum), operands[1].at(Binding::Product));
            of(Binding::Sum, quote!(#a - #b))
        }
        Operation::Multiply(..) => {
            let (a, b) = (operands[0].at(Binding::Product), operands[1].at(Binding::Unary));
            of(Binding::Product, quote!(#a * #b))
        }
        Operation::Divide(..) => {
            let (a, b) = (operands[0].at(Binding::Product), operands[1].at(Binding::Unary));
            of(Binding::Product, quote!(#a / #b))
        }
        Operation::Negate(_) => {
            let a = operands[0].at(Binding::Unary);
            of(Binding::Unary, quote!(-#a))
        }
        Operation::Reciprocal(_) => method(size, &operands[0], &quote!(recip), &[]),
        Operation::MultiplyAdd { negate_product, negate_addend, .. } => {
            let factor = if *negate_product { negated(&operands[0]) } else { operands[0].clone() };
            let addend = if *negate_addend { negated(&operands[2]) } else { operands[2].clone() };
            method(size + 1, &factor, &quote!(mul_add), &[operands[1].clone(), addend])
        }
        Operation::SquareRoot(_) => method(size, &operands[0], &quote!(sqrt), &[]),
        Operation::Power(..) => method(size, &operands[0], &quote!(powf), &operands[1..]),
        Operation::Call(function, _) => call(size, *function, operands),
        Operation::Compare(relation, ..) => {
            let name = match relation {
                Relation::Less => quote!(lt),
                Relation::LessEqual => quote!(le),
                Relation::Equal => quote!(equals),
            };
            method(size, &operands[0], &name, &operands[1..])
        }
        Operation::And(..) | Operation::Or(..) => {
            let (a, b) = (operands[0].at(Binding::Unary), operands[1].at(Binding::Unary));
            of(Binding::Logic, if matches!(operation, Operation::And(..)) { quote!(#a & #b) } else { quote!(#a | #b) })
        }
        Operation::Not(_) => {
            let a = operands[0].at(Binding::Unary);
            of(Binding::Unary, quote!(!#a))
        }
        Operation::Select(..) => {
            let (mask, yes, no) = (&operands[0].tokens, &operands[1].tokens, &operands[2].tokens);
            of(Binding::Atom, quote!(R::select(#mask, #yes, #no)))
        }
    }
}

fn negated(a: &Expression) -> Expression {
    let tokens = a.at(Binding::Unary);
    Expression { tokens: quote!(-#tokens), binding: Binding::Unary, size: a.size }
}

fn method(size: u32, receiver: &Expression, name: &TokenStream, arguments: &[Expression]) -> Expression {
    let receiver = receiver.at(Binding::Atom);
    let arguments = arguments.iter().map(|argument| &argument.tokens);
    Expression { tokens: quote!(#receiver.#name(#(#arguments),*)), binding: Binding::Atom, size }
}

fn call(size: u32, function: Function, operands: &[Expression]) -> Expression {
    let name = match function {
        Function::Norm => {
            let components: Vec<TokenStream> = operands.iter().map(|operand| operand.tokens.clone()).collect();
            let components = super::routine::array(&components);
            let tokens = quote!(R::norm_of(#components));
            return Expression { tokens, binding: Binding::Atom, size };
        }
        Function::Sinc(order) => {
            let order = Literal::u32_unsuffixed(order);
            return method(size, &operands[0], &quote!(sinc), &[Expression::atom(quote!(#order))]);
        }
        Function::Extern { index, orders } => {
            let name = external::name(index, orders);
            let arguments = operands.iter().map(|operand| &operand.tokens);
            let tokens = quote!(<User as Functions>::#name(#(#arguments),*));
            return Expression { tokens, binding: Binding::Atom, size };
        }
        _ => {
            let method = format_ident!("{}", function.row().method);
            quote!(#method)
        }
    };
    method(size, &operands[0], &name, &operands[1..])
}

/// An exact number, correctly rounded. The remainder is added where the number is no double.
fn constant(value: &Rational) -> TokenStream {
    if value.is_zero() {
        return quote!(R::ZERO);
    }
    if value.is_one() {
        return quote!(R::ONE);
    }
    let high = value.to_f64().value();
    let rest = match Rational::try_from(high) {
        Ok(rounded) => (value - rounded).to_f64().value(),
        Err(_) => 0.0,
    };
    let literal = float(high);
    if rest == 0.0 {
        quote!(R::from_f64(#literal))
    } else {
        let rest = float(rest);
        quote!(R::from_parts(#literal, #rest))
    }
}

/// A float literal as tokens. The sign of a negative number is a separate token.
pub(super) fn float(value: f64) -> TokenStream {
    if !value.is_finite() {
        return if value > 0.0 { quote!(::core::f64::INFINITY) } else { quote!(::core::f64::NEG_INFINITY) };
    }
    let magnitude = Literal::f64_unsuffixed(value.abs());
    if value < 0.0 { quote!(-#magnitude) } else { quote!(#magnitude) }
}
