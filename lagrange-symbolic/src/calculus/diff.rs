//! Derivatives on the graph: forward by one symbol, rates a direction, and the gradient in reverse.
//!
//! Each function visits every piece of an expression once, operands before what uses them, and lets the graph's
//! [engine](crate::graph::engine) differentiate the piece. So no recursion is needed, and a derivative costs a small
//! multiple of what is differentiated.

use crate::graph::function::{Function, spline};
use crate::graph::{Graph, Id, Node, Rational, Relation, Symbol, for_each_operand};
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
        let unknown =
            |graph: &Graph, id| graph.depends_on(id, symbol) && !graph.derivatives.contains_key(&(id, symbol));
        for id in pieces(graph, &wanted, &unknown) {
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
    let rates: HashMap<Symbol, Id> = direction.iter().copied().collect();
    let moving = graph.symbol_set(rates.keys().copied());
    let is_rate = is_rate(graph, roots, &rates);
    let mut tangent: HashMap<Id, Id> = if is_rate { std::mem::take(&mut graph.rates) } else { HashMap::new() };
    let unknown = |graph: &Graph, id| graph.touches(id, &moving) && !tangent.contains_key(&id);
    for id in pieces(graph, roots, &unknown) {
        let result = match graph.node(id) {
            Node::Symbol(symbol) => rates.get(symbol).copied().unwrap_or(zero),
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

/// Whether a direction is that of time (q → v, v → a, t → 1) for every symbol of the expressions.
fn is_rate(graph: &Graph, roots: &[Id], rates: &HashMap<Symbol, Id>) -> bool {
    let symbols = roots.iter().flat_map(|&root| graph.symbols(root)).chain(rates.keys().copied());
    let is = |symbol: &Symbol, rate: Symbol| rates.get(symbol).is_some_and(|&id| *graph.node(id) == Node::Symbol(rate));
    symbols.into_iter().all(|symbol| match symbol {
        Symbol::Coordinate(i) => is(&symbol, Symbol::Velocity(i)),
        Symbol::Velocity(i) => is(&symbol, Symbol::Acceleration(i)),
        Symbol::Time => rates.get(&symbol).is_some_and(|&id| graph.is_one(id)),
        _ => !rates.contains_key(&symbol),
    })
}

/// ∂root/∂symbol for each symbol, in one reverse sweep.
///
/// The gradient of a selection selects between the gradients of its branches. Multiplying both by an adjoint, which is
/// 0 for the branch not taken, would give 0·∞ where that branch has no finite derivative.
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
    for id in pieces(graph, &[root], &|graph, id| graph.touches(id, &wanted)).into_iter().rev() {
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
        } else if let Node::Call(function @ Function::Spline { table, order }, arguments) = &node {
            if graph.touches(arguments[0], &wanted) {
                let slope = function.derivative(graph, id, arguments, 0);
                contributions.entry(arguments[0]).or_default().push(graph.mul(slope, adjoint));
            }
            for &symbol in symbols {
                if !arguments[1..].iter().any(|&data| graph.depends_on(data, symbol)) {
                    continue;
                }
                let changes = derivative(graph, arguments, symbol);
                let change = spline::change_by_data(graph, (*table, *order), arguments, &changes);
                let part = change.map(|change| graph.mul(change, adjoint));
                found.entry(symbol).or_default().extend(part);
            }
        } else if is_piece(&node) {
            let engine = graph.engine();
            let moves = |graph: &Graph, operand| graph.touches(operand, &wanted);
            engine.partials(graph, id, &moves, &mut |graph, operand, partial| {
                let part = graph.mul(partial, adjoint);
                contributions.entry(operand).or_default().push(part);
            });
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
    let mut parts = Vec::new();
    if let Node::Call(function @ Function::Spline { table, order }, arguments) = &node {
        if let Some(change) = tangent(graph, arguments[0]) {
            let slope = function.derivative(graph, id, arguments, 0);
            parts.push((graph.mul(slope, change), Rational::ONE));
        }
        let zero = graph.zero();
        let changes: Vec<Id> = arguments.iter().map(|&argument| tangent(graph, argument).unwrap_or(zero)).collect();
        if changes[1..].iter().any(|&change| change != zero) {
            let change = spline::change_by_data(graph, (*table, *order), arguments, &changes);
            parts.extend(change.map(|change| (change, Rational::ONE)));
        }
    } else if is_piece(&node) {
        let engine = graph.engine();
        engine.partials(
            graph,
            id,
            &|graph, operand| tangent(graph, operand).is_some(),
            &mut |graph, operand, partial| {
                let Some(change) = tangent(graph, operand) else { return };
                parts.push(match graph.as_number(partial) {
                    Some(number) => (change, number.clone()),
                    None => (graph.mul(partial, change), Rational::ONE),
                });
            },
        );
    }
    graph.sum(parts, Rational::ZERO)
}

/// Whether a node is the engine's to differentiate; the others are selections, splines, and what has no derivative:
/// numbers, conditions, and symbols that are constant in this derivative.
fn is_piece(node: &Node) -> bool {
    match node {
        Node::Sum { .. } | Node::Product(_) | Node::Power(..) => true,
        Node::Call(function, _) => !matches!(function, Function::Min | Function::Max | Function::Spline { .. }),
        _ => false,
    }
}

/// The nodes at which the pieces of the given expressions end, operands first. The search enters only nodes for which
/// `enter` is true.
fn pieces(graph: &mut Graph, roots: &[Id], enter: &dyn Fn(&Graph, Id) -> bool) -> Vec<Id> {
    let engine = graph.engine();
    let mut seen = vec![false; graph.len()];
    let mut pending: Vec<Id> = roots.to_vec();
    let mut found = Vec::new();
    while let Some(id) = pending.pop() {
        if std::mem::replace(&mut seen[id.index()], true) || !enter(graph, id) {
            continue;
        }
        found.push(id);
        if is_piece(graph.node(id)) {
            pending.extend(engine.operands(graph, id));
        } else {
            for_each_operand(graph.node(id), |operand| pending.push(operand));
        }
    }
    found.sort_unstable();
    found
}
