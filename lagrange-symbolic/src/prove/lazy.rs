//! Evaluation of one expression on the branch that is taken. Operands that a selection does not select are not
//! evaluated.

use super::switch::forced_value;
use crate::graph::value::{Arithmetic, Evaluated, graph_value};
use crate::graph::{Graph, Id, Node, Symbol, for_each_operand};
use std::collections::HashMap;

/// The values found so far; `None` for undefined ones.
pub(super) type Memory<V> = HashMap<Id, Option<Evaluated<V>>>;

/// The value of a node. `side` may fix the side of a switch, or the whole number that a floor is, whatever the values of its operands
/// are.
pub(super) fn evaluate_lazily<A: Arithmetic>(
    arithmetic: &mut A,
    graph: &Graph,
    root: Id,
    memory: &mut Memory<A::Value>,
    symbol: &dyn Fn(Symbol) -> Option<A::Value>,
    side: &dyn Fn(Id) -> Option<i64>,
) -> Option<Evaluated<A::Value>> {
    let mut pending = vec![root];
    while let Some(&id) = pending.last() {
        if memory.contains_key(&id) {
            pending.pop();
            continue;
        }
        let waiting = pending.len();
        let forced = side(id);
        let node = graph.node(id);
        match node {
            Node::Compare(..) if forced.is_some() => {}
            Node::Select(condition, yes, no) => match memory.get(condition) {
                None => pending.push(*condition),
                Some(holds) => {
                    let taken = holds.as_ref().and_then(Evaluated::truth).map(|holds| if holds { *yes } else { *no });
                    pending.extend(taken.filter(|taken| !memory.contains_key(taken)));
                }
            },
            _ => for_each_operand(node, |operand| {
                if !memory.contains_key(&operand) {
                    pending.push(operand);
                }
            }),
        }
        if pending.len() > waiting {
            continue;
        }
        let value = {
            let value = |id: Id| memory.get(&id)?.as_ref();
            match (node, forced) {
                (Node::Symbol(wanted), _) => symbol(*wanted).map(Evaluated::Real),
                (_, Some(side)) => forced_value(arithmetic, node, side, &value),
                _ => graph_value(arithmetic, graph, node, &value),
            }
        };
        memory.insert(id, value);
        pending.pop();
    }
    memory.get(&root).cloned().flatten()
}

/// The number that an expression is equal to, on the branch that is taken.
pub(super) fn value_of<A: Arithmetic>(
    arithmetic: &mut A,
    graph: &Graph,
    root: Id,
    symbol: &dyn Fn(Symbol) -> Option<A::Value>,
) -> Option<A::Value> {
    let value = evaluate_lazily(arithmetic, graph, root, &mut HashMap::new(), symbol, &|_| None)?;
    value.real().cloned()
}
