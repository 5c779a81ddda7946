//! How L depends on the velocities: where it is smooth, where it is quadratic, and where it has kinks.
//!
//! A Lagrangian with a selection in the velocities, such as b y max(ẋ, ẏ), has second derivatives that are free of v on
//! each branch, but it is quadratic only on a branch. So "M is free of v" implies a quadratic L only where L is smooth
//! for all velocities.

use crate::graph::function::{Function, Smoothness};
use crate::graph::{Graph, Id, Node, Symbol, SymbolSet, rational};
use crate::physics::Physics;

/// The symbols of all velocities.
pub(super) fn velocities(graph: &Graph, physics: &Physics) -> SymbolSet {
    graph.symbol_set(physics.velocity_symbols())
}

/// The symbols of all velocities that are no modes: those that may pass a kink.
pub(super) fn moving_velocities(graph: &Graph, physics: &Physics) -> SymbolSet {
    graph.symbol_set(physics.velocity_symbols().into_iter().filter(|&symbol| !graph.is_mode(symbol)))
}

/// Whether L = ½ vᵀM v + p₀·v + L₀ for all v, with M, p₀ and L₀ free of v. `inertia` contains the symbols of M.
pub(super) fn is_quadratic(graph: &Graph, physics: &Physics, inertia: &[Id]) -> bool {
    let moving = velocities(graph, physics);
    // L is smooth for all velocities, and its second derivatives do not depend on them.
    is_entire(graph, physics.lagrangian, &moving) && !inertia.iter().any(|&entry| graph.touches(entry, &moving))
}

/// Whether an expression is affine in the velocities.
pub(super) fn is_affine(graph: &mut Graph, expression: Id) -> bool {
    let own: Vec<Symbol> = graph.symbols(expression).filter(|symbol| matches!(symbol, Symbol::Velocity(_))).collect();
    let moving = graph.symbol_set(own.iter().copied());
    is_entire(graph, expression, &moving)
        && own.into_iter().all(|symbol| {
            let slope = crate::calculus::derivative(graph, &[expression], symbol)[0];
            !graph.touches(slope, &moving)
        })
}

/// Whether structure shows that an expression is analytic in the symbols at all their values, whatever the values of
/// other symbols are. `false` proves nothing.
pub(super) fn is_entire(graph: &Graph, expression: Id, moving: &SymbolSet) -> bool {
    let mut pending = vec![expression];
    let mut seen = std::collections::HashSet::new();
    while let Some(id) = pending.pop() {
        if !graph.touches(id, moving) || !seen.insert(id) {
            continue;
        }
        match operands(graph, id, moving) {
            Some(operands) => pending.extend(operands),
            None => return false,
        }
    }
    true
}

/// Whether every node that depends on symbols of both sets is analytic in all of them.
pub(super) fn mixes_smoothly(graph: &Graph, expression: Id, first: &SymbolSet, second: &SymbolSet) -> bool {
    let both = |id: Id| graph.touches(id, first) && graph.touches(id, second);
    let either = |id: Id| operands(graph, id, first).is_some() && operands(graph, id, second).is_some();
    graph.reachable(&[expression]).into_iter().all(|id| !both(id) || either(id))
}

/// Whether one of the symbols decides a sign or a branch of an expression.
pub(super) fn has_kinks(graph: &Graph, expression: Id, moving: &SymbolSet) -> bool {
    let mut pending = vec![expression];
    let mut seen = std::collections::HashSet::new();
    while let Some(id) = pending.pop() {
        if !graph.touches(id, moving) || !seen.insert(id) {
            continue;
        }
        match graph.node(id) {
            Node::Compare(..) => return true,
            Node::Call(function, _) if function.row().smoothness == Smoothness::Kinked => return true,
            node => match operands(graph, id, moving) {
                Some(operands) => pending.extend(operands),
                None => crate::graph::for_each_operand(node, |operand| pending.push(operand)),
            },
        }
    }
    false
}

/// The parts of which a node is an analytic function at all values of the parts. `None` where this is not known.
fn operands(graph: &Graph, id: Id, moving: &SymbolSet) -> Option<Vec<Id>> {
    match graph.node(id) {
        Node::Number(_) | Node::Pi | Node::Symbol(_) => Some(Vec::new()),
        Node::Sum { terms, .. } => Some(terms.iter().map(|(term, _)| *term).collect()),
        Node::Product(factors) => {
            let mut parts = Vec::new();
            for (base, exponent) in factors {
                if !graph.touches(*base, moving) {
                    continue;
                }
                if !exponent.is_int() || exponent.sign() == dashu_base::Sign::Negative {
                    return None;
                }
                let is_even = (exponent.clone() / rational(2, 1)).is_int();
                match graph.node(*base) {
                    // The square of a norm is a sum of squares.
                    Node::Call(Function::Norm | Function::Abs, arguments) if is_even => parts.extend(arguments.iter()),
                    _ => parts.push(*base),
                }
            }
            Some(parts)
        }
        Node::Select(condition, yes, no) if !graph.touches(*condition, moving) => Some(vec![*yes, *no]),
        Node::Call(function, arguments) if function.row().smoothness == Smoothness::Analytic => {
            Some(arguments.to_vec())
        }
        _ => None,
    }
}
