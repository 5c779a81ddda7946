//! The choice of the shared parts that get names: those without which a printed expression is too long.

use crate::graph::{Graph, Id, Node, for_each_operand};
use std::collections::{HashMap, HashSet};

/// A part shorter than this, in characters, is repeated rather than named.
const WORTH_A_NAME: u64 = 24;

/// The length above which parts are named in any case.
const LONGEST_EVER: u64 = 100_000;

/// The nodes that get names. There are none if all roots together print in at most `longest` characters.
pub(super) fn named(graph: &Graph, roots: &[Id], longest: usize) -> HashSet<Id> {
    let order = graph.reachable(roots);
    let whole = lengths(graph, &order);
    if roots.iter().all(|root| whole[root] <= (longest as u64).min(LONGEST_EVER)) {
        return HashSet::new();
    }
    let mut uses: HashMap<Id, u32> = HashMap::new();
    for &id in &order {
        let node = graph.node(id);
        for_each_operand(node, |operand| *uses.entry(operand).or_default() += 1);
    }
    // Lengths are computed again as names are assigned, from the operands up: a name shortens everything that uses it.
    let mut named = HashSet::new();
    let mut length: HashMap<Id, u64> = HashMap::new();
    for &id in &order {
        let own = node_length(graph, id, &length);
        let shared = uses.get(&id).is_some_and(|&uses| uses > 1);
        let worth = own >= WORTH_A_NAME && shared && is_value(graph.node(id));
        if worth {
            named.insert(id);
        }
        length.insert(id, if worth { 3 } else { own });
    }
    named
}

/// The approximate number of characters of nodes, operands first, when they are written out.
pub(super) fn lengths(graph: &Graph, order: &[Id]) -> HashMap<Id, u64> {
    let mut lengths: HashMap<Id, u64> = HashMap::with_capacity(order.len());
    for &id in order {
        lengths.insert(id, node_length(graph, id, &lengths));
    }
    lengths
}

fn is_value(node: &Node) -> bool {
    match node {
        Node::Sum { terms, constant } => terms.len() > 1 || !constant.is_zero(),
        Node::Product(_) | Node::Power(..) | Node::Call(..) | Node::Select(..) => true,
        _ => false,
    }
}

/// The approximate number of characters of a node, from those of its operands.
fn node_length(graph: &Graph, id: Id, lengths: &HashMap<Id, u64>) -> u64 {
    let node = graph.node(id);
    let mut total: u64 = match node {
        Node::Symbol(_) => 5,
        Node::Number(_) | Node::Pi | Node::Truth(_) | Node::Product(_) | Node::Sum { .. } => 2,
        Node::Call(..) | Node::Power(..) | Node::Not(_) => 5,
        Node::Compare(..) | Node::And(..) | Node::Or(..) => 2,
        Node::Select(..) => 15,
    };
    for_each_operand(node, |operand| {
        total = total.saturating_add(lengths.get(&operand).copied().unwrap_or(0)).saturating_add(2);
    });
    total
}
