//! From Symbolica back to the graph: an atom as an expression of its leaves.

use super::head::{self, Head};
use super::number;
use crate::graph::engine::builtin::power_partial;
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Rational};
use ::symbolica::atom::representation::FunView;
use ::symbolica::atom::{AtomView, Symbol};

/// The expression that an atom is, made by the graph's canonical constructors.
///
/// # Errors
/// A sentence that names the part of the atom for which the graph has no expression.
pub(super) fn expression(graph: &mut Graph, leaves: &[Id], view: AtomView<'_>) -> Result<Id, String> {
    match view {
        AtomView::Num(_) => Ok(graph.number(exact(view)?)),
        AtomView::Var(variable) => named(graph, leaves, variable.get_symbol()).ok_or_else(|| unknown(view)),
        AtomView::Add(sum) => {
            let mut terms = Vec::new();
            for term in &sum {
                terms.push((expression(graph, leaves, term)?, Rational::ONE));
            }
            Ok(graph.sum(terms, Rational::ZERO))
        }
        AtomView::Mul(product) => {
            let mut factors = Vec::new();
            for factor in &product {
                factors.push(power(graph, leaves, factor)?);
            }
            Ok(graph.product(factors))
        }
        AtomView::Pow(_) => {
            let factor = power(graph, leaves, view)?;
            Ok(graph.product(vec![factor]))
        }
        AtomView::Fun(call) => function(graph, leaves, call, view),
    }
}

/// A factor as base and exponent.
fn power(graph: &mut Graph, leaves: &[Id], view: AtomView<'_>) -> Result<(Id, Rational), String> {
    let AtomView::Pow(pair) = view else { return Ok((expression(graph, leaves, view)?, Rational::ONE)) };
    let (base, exponent) = pair.get_base_exp();
    if matches!(base, AtomView::Var(variable) if variable.get_symbol() == Symbol::E) {
        let exponent = expression(graph, leaves, exponent)?;
        return Ok((graph.call(Function::Exp, &[exponent]), Rational::ONE));
    }
    let base = expression(graph, leaves, base)?;
    if let AtomView::Num(_) = exponent {
        return Ok((base, exact(exponent)?));
    }
    let exponent = expression(graph, leaves, exponent)?;
    Ok((graph.power(base, exponent), Rational::ONE))
}

fn named(graph: &mut Graph, leaves: &[Id], symbol: Symbol) -> Option<Id> {
    if symbol == head::pi() {
        return Some(graph.pi());
    }
    if symbol == Symbol::E {
        let one = graph.one();
        return Some(graph.call(Function::Exp, &[one]));
    }
    leaves.get(head::position(symbol)?).copied()
}

fn function(graph: &mut Graph, leaves: &[Id], call: FunView<'_>, view: AtomView<'_>) -> Result<Id, String> {
    let symbol = call.get_symbol();
    if symbol == Symbol::DERIVATIVE {
        return derivative(graph, leaves, call).ok_or_else(|| unknown(view))?;
    }
    let mut arguments = Vec::new();
    for argument in &call {
        arguments.push(expression(graph, leaves, argument)?);
    }
    apply(graph, symbol, &arguments).ok_or_else(|| unknown(view))
}

fn apply(graph: &mut Graph, symbol: Symbol, arguments: &[Id]) -> Option<Id> {
    let own = [
        (Symbol::SIN, Function::Sin),
        (Symbol::COS, Function::Cos),
        (Symbol::EXP, Function::Exp),
        (Symbol::LOG, Function::Ln),
    ];
    if let Some((_, function)) = own.iter().find(|(own, _)| *own == symbol) {
        return Some(graph.call(*function, arguments));
    }
    match (head::head(symbol)?, arguments) {
        (Head::Power, &[base, exponent]) => Some(graph.power(base, exponent)),
        (Head::Call(function), _) => Some(graph.call(function, arguments)),
        _ => None,
    }
}

/// A formal derivative: the orders by each argument, one of which is 1 and the others 0, then the function, then its
/// arguments.
fn derivative(graph: &mut Graph, leaves: &[Id], formal: FunView<'_>) -> Option<Result<Id, String>> {
    let parts: Vec<AtomView<'_>> = formal.iter().collect();
    let count = parts.len() / 2;
    let orders: Vec<Rational> = parts[..count].iter().filter_map(|&order| exact(order).ok()).collect();
    let (&AtomView::Var(name), given) = parts.get(count..)?.split_first()? else { return None };
    let which = orders.iter().position(Rational::is_one)?;
    let is_first = orders.iter().filter(|order| !order.is_zero()).count() == 1;
    if orders.len() != count || given.len() != count || !is_first {
        return None;
    }
    let mut arguments = Vec::new();
    for &argument in given {
        match expression(graph, leaves, argument) {
            Ok(argument) => arguments.push(argument),
            Err(unknown) => return Some(Err(unknown)),
        }
    }
    let value = apply(graph, name.get_symbol(), &arguments)?;
    Some(Ok(match (head::head(name.get_symbol())?, arguments.as_slice()) {
        (Head::Call(function), arguments) => function.derivative(graph, value, arguments, which),
        (Head::Power, &[base, exponent]) => power_partial(graph, value, base, exponent, which),
        _ => return None,
    }))
}

fn exact(view: AtomView<'_>) -> Result<Rational, String> {
    number::from_symbolica(view).ok_or_else(|| unknown(view))
}

fn unknown(view: AtomView<'_>) -> String {
    format!("it gave back `{view}`, which has no counterpart here")
}
