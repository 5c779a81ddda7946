//! How much of an expression becomes one atom.
//!
//! Symbolica's atoms are trees: whatever is shared in the graph is written out in an atom as often as it is used. So an
//! atom ends at a sum inside a sum, where a stated quantity is likely to be shared, and where the operand is too large
//! a tree. The operand is then a symbol of the atom, and the chain rule continues below it. An atom also ends where
//! Symbolica's rules are not those of the graph: at selections, and at the bases of roots, which are real and not
//! negative.

use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node};

/// The largest tree that is written out inside another one, in nodes.
const LARGEST: u32 = 256;

/// What a node is made of, with the operands that are symbols of the atom.
pub(super) struct Operand {
    pub(super) id: Id,
    /// Whether the atom ends here.
    pub(super) is_leaf: bool,
}

/// The operands of a piece: the leaves of its atom, ascending, each once.
pub(super) fn leaves(graph: &mut Graph, root: Id) -> Vec<Id> {
    measure(graph);
    let mut leaves = Vec::new();
    let mut pending = vec![root];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(id) = pending.pop() {
        for operand in operands(graph, id) {
            if operand.is_leaf {
                leaves.push(operand.id);
            } else if seen.insert(operand.id) {
                pending.push(operand.id);
            }
        }
    }
    leaves.sort_unstable();
    leaves.dedup();
    leaves
}

/// The operands of a node, in its own order.
pub(super) fn operands(graph: &Graph, id: Id) -> Vec<Operand> {
    let operand = |child: Id, parts: bool| Operand { id: child, is_leaf: parts || is_end(graph, child) };
    match graph.node(id) {
        Node::Sum { terms, .. } => {
            terms.iter().map(|(term, _)| operand(*term, matches!(graph.node(*term), Node::Sum { .. }))).collect()
        }
        Node::Product(factors) => factors.iter().map(|(base, exponent)| operand(*base, !exponent.is_int())).collect(),
        Node::Power(base, exponent) => vec![operand(*base, false), operand(*exponent, false)],
        // A table's data change by a rule of their own, for which each is a piece.
        Node::Call(Function::Spline { .. }, arguments) => {
            arguments.iter().map(|&argument| operand(argument, true)).collect()
        }
        Node::Call(_, arguments) => arguments.iter().map(|&argument| operand(argument, false)).collect(),
        _ => Vec::new(),
    }
}

/// Whether a node is a symbol in every atom that contains it.
fn is_end(graph: &Graph, id: Id) -> bool {
    match graph.node(id) {
        Node::Number(_) | Node::Pi => false,
        Node::Sum { .. } | Node::Product(_) | Node::Power(..) => is_large(graph, id),
        Node::Call(function, _) => {
            matches!(function, Function::Min | Function::Max | Function::Spline { .. }) || is_large(graph, id)
        }
        // Symbols, selections and conditions.
        _ => true,
    }
}

fn is_large(graph: &Graph, id: Id) -> bool {
    graph.tree_sizes.get(id.index()).is_none_or(|&size| size > LARGEST)
}

/// Counts the nodes of the trees that are written out, for all nodes that are not counted yet.
fn measure(graph: &mut Graph) {
    for index in graph.tree_sizes.len()..graph.len() {
        let id = graph.id_at(index);
        let of = |operand: Operand| if operand.is_leaf { 1 } else { graph.tree_sizes[operand.id.index()] };
        let size = operands(graph, id).into_iter().map(of).fold(1, u32::saturating_add);
        graph.tree_sizes.push(size);
    }
}
