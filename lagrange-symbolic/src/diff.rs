//! Derivatives on the graph: forward by one symbol, along a direction, and the gradient in reverse.
//!
//! Each visits a node once; operands come before the nodes that use them, so that no recursion is
//! needed and a derivative costs a small multiple of what is differentiated.

use crate::expr::{Graph, Id, Node, Rational, Relation, Symbol, for_each_operand};
use crate::function::Function;
use std::collections::HashMap;

/// ∂/∂symbol of each expression; remembered in the graph.
pub fn derivative(graph: &mut Graph, roots: &[Id], symbol: Symbol) -> Vec<Id> {
    let one = graph.one();
    let zero = graph.zero();
    let wanted: Vec<Id> = roots
        .iter()
        .copied()
        .filter(|&root| graph.depends_on(root, symbol) && !graph.derivatives.contains_key(&(root, symbol)))
        .collect();
    if !wanted.is_empty() {
        let unknown = |id| graph.depends_on(id, symbol) && !graph.derivatives.contains_key(&(id, symbol));
        for id in graph.reachable_through(&wanted, unknown) {
            let result = if *graph.node(id) == Node::Symbol(symbol) {
                one
            } else {
                forward(graph, id, &|graph, operand| {
                    if graph.depends_on(operand, symbol) {
                        graph.derivatives.get(&(operand, symbol)).copied()
                    } else {
                        None
                    }
                })
            };
            graph.derivatives.insert((id, symbol), result);
        }
    }
    roots.iter().map(|&root| graph.derivatives.get(&(root, symbol)).copied().unwrap_or(zero)).collect()
}

/// Σ ∂/∂symbol · direction of each expression, all symbols at once; total time derivatives are remembered in the graph.
pub fn directional(graph: &mut Graph, roots: &[Id], direction: &[(Symbol, Id)]) -> Vec<Id> {
    let zero = graph.zero();
    let along: HashMap<Symbol, Id> = direction.iter().copied().collect();
    let moving = graph.symbol_set(along.keys().copied());
    let is_rate = is_rate(graph, roots, &along);
    let mut tangent: HashMap<Id, Id> = if is_rate { std::mem::take(&mut graph.rates) } else { HashMap::new() };
    let unknown = |id| graph.touches(id, &moving) && !tangent.contains_key(&id);
    for id in graph.reachable_through(roots, unknown) {
        let result = match graph.node(id) {
            Node::Symbol(symbol) => along.get(symbol).copied().unwrap_or(zero),
            _ => forward(graph, id, &|_, operand| tangent.get(&operand).copied()),
        };
        tangent.insert(id, result);
    }
    let results = roots.iter().map(|root| tangent.get(root).copied().unwrap_or(zero)).collect();
    if is_rate {
        graph.rates = tangent;
    }
    results
}

/// Whether a direction is that of time, q → v, v → a, t → 1, for every symbol of the expressions.
fn is_rate(graph: &Graph, roots: &[Id], along: &HashMap<Symbol, Id>) -> bool {
    let symbols = roots.iter().flat_map(|&root| graph.symbols(root)).chain(along.keys().copied());
    let is = |symbol: &Symbol, rate: Symbol| along.get(symbol).is_some_and(|&id| *graph.node(id) == Node::Symbol(rate));
    symbols.into_iter().all(|symbol| match symbol {
        Symbol::Coordinate(i) => is(&symbol, Symbol::Velocity(i)),
        Symbol::Velocity(i) => is(&symbol, Symbol::Acceleration(i)),
        Symbol::Time => along.get(&symbol).is_some_and(|&id| graph.is_one(id)),
        _ => !along.contains_key(&symbol),
    })
}

/// ∂root/∂symbol for each symbol, in one reverse sweep.
///
/// A selection is swept branch by branch and selects between the gradients: an adjoint that is 0 for the branch
/// not taken would multiply what may be infinite there.
pub fn gradient(graph: &mut Graph, root: Id, symbols: &[Symbol]) -> Vec<Id> {
    let key = (root, symbols.to_vec());
    if let Some(known) = graph.gradients.get(&key) {
        return known.clone();
    }
    let result = swept(graph, root, symbols);
    graph.gradients.insert(key, result.clone());
    result
}

fn swept(graph: &mut Graph, root: Id, symbols: &[Symbol]) -> Vec<Id> {
    let one = graph.one();
    let mut contributions: HashMap<Id, Vec<Id>> = HashMap::new();
    contributions.insert(root, vec![one]);
    let wanted = graph.symbol_set(symbols.iter().copied());
    let mut found: HashMap<Symbol, Vec<Id>> = HashMap::new();
    for id in graph.reachable_through(&[root], |id| graph.touches(id, &wanted)).into_iter().rev() {
        let Some(parts) = contributions.remove(&id) else { continue };
        let adjoint = graph.add_all(&parts);
        let node = graph.node(id).clone();
        if let Node::Symbol(symbol) = node {
            found.entry(symbol).or_default().push(adjoint);
        } else if let Some((condition, yes, no)) = branches(graph, &node) {
            let (yes, no) = (gradient(graph, yes, symbols), gradient(graph, no, symbols));
            for ((&symbol, yes), no) in symbols.iter().zip(yes).zip(no) {
                let slope = graph.select(condition, yes, no);
                found.entry(symbol).or_default().push(graph.mul(adjoint, slope));
            }
        } else {
            let mut operands = Vec::new();
            for_each_operand(&node, |operand| operands.push(operand));
            for (position, operand) in operands.into_iter().enumerate() {
                if !graph.touches(operand, &wanted) {
                    continue;
                }
                if let Some(part) = backward(graph, id, &node, position, adjoint) {
                    contributions.entry(operand).or_default().push(part);
                }
            }
        }
    }
    symbols.iter().map(|symbol| graph.add_all(found.get(symbol).map_or(&[], Vec::as_slice))).collect()
}

/// What a node selects from: (condition, taken where it holds, taken where not).
fn branches(graph: &mut Graph, node: &Node) -> Option<(Id, Id, Id)> {
    match node {
        Node::Select(condition, yes, no) => Some((*condition, *yes, *no)),
        Node::Call(function @ (Function::Min | Function::Max), arguments) => {
            let (a, b) = (arguments[0], arguments[1]);
            let (smaller, larger) = if *function == Function::Min { (a, b) } else { (b, a) };
            Some((graph.compare(Relation::Less, smaller, larger), a, b))
        }
        _ => None,
    }
}

/// The derivative of a node from those of its operands; `None` from `tangent` is a zero.
fn forward(graph: &mut Graph, id: Id, tangent: &dyn Fn(&Graph, Id) -> Option<Id>) -> Id {
    let node = graph.node(id).clone();
    if let Some((condition, yes, no)) = branches(graph, &node) {
        let zero = graph.zero();
        let (yes, no) = (tangent(graph, yes).unwrap_or(zero), tangent(graph, no).unwrap_or(zero));
        return graph.select(condition, yes, no);
    }
    match node {
        Node::Sum { terms, .. } => {
            let parts = terms.iter().filter_map(|(x, c)| Some((tangent(graph, *x)?, c.clone()))).collect();
            graph.sum(parts, Rational::ZERO)
        }
        Node::Product(factors) => {
            let mut parts = Vec::new();
            for (position, (base, _)) in factors.iter().enumerate() {
                if let Some(change) = tangent(graph, *base) {
                    let partial = product_partial(graph, &factors, position);
                    parts.push(graph.mul(partial, change));
                }
            }
            graph.add_all(&parts)
        }
        Node::Power(base, exponent) => {
            let mut parts = Vec::new();
            for (position, operand) in [base, exponent].into_iter().enumerate() {
                if let Some(change) = tangent(graph, operand) {
                    let partial = power_partial(graph, id, base, exponent, position);
                    parts.push(graph.mul(partial, change));
                }
            }
            graph.add_all(&parts)
        }
        Node::Call(function, arguments) => {
            let mut parts = Vec::new();
            for (position, argument) in arguments.iter().enumerate() {
                if let Some(change) = tangent(graph, *argument) {
                    let partial = function.derivative(graph, id, &arguments, position);
                    parts.push(graph.mul(partial, change));
                }
            }
            graph.add_all(&parts)
        }
        // Numbers, conditions, and symbols that are held fixed.
        _ => graph.zero(),
    }
}

/// What an adjoint of the node contributes to its operand at `position`.
fn backward(graph: &mut Graph, id: Id, node: &Node, position: usize, adjoint: Id) -> Option<Id> {
    match node {
        Node::Sum { terms, .. } => Some(graph.scale(&terms[position].1, adjoint)),
        Node::Product(factors) => {
            let partial = product_partial(graph, factors, position);
            Some(graph.mul(partial, adjoint))
        }
        Node::Power(base, exponent) => {
            let partial = power_partial(graph, id, *base, *exponent, position);
            Some(graph.mul(partial, adjoint))
        }
        Node::Call(function, arguments) => {
            let partial = function.derivative(graph, id, arguments, position);
            Some(graph.mul(partial, adjoint))
        }
        _ => None,
    }
}

/// ∂(Π xᵢ^eᵢ)/∂x_k.
fn product_partial(graph: &mut Graph, factors: &[(Id, Rational)], position: usize) -> Id {
    let mut rest: Vec<(Id, Rational)> = factors.to_vec();
    let exponent = rest[position].1.clone();
    rest[position].1 -= Rational::ONE;
    let rest = graph.product(rest);
    graph.scale(&exponent, rest)
}

/// ∂(a^b)/∂a = b a^(b−1), ∂(a^b)/∂b = a^b ln a.
fn power_partial(graph: &mut Graph, id: Id, base: Id, exponent: Id, position: usize) -> Id {
    if position == 0 {
        let one = graph.one();
        let reduced = graph.sub(exponent, one);
        let power = graph.power(base, reduced);
        graph.mul(exponent, power)
    } else {
        let logarithm = graph.call(Function::Ln, &[base]);
        graph.mul(id, logarithm)
    }
}
