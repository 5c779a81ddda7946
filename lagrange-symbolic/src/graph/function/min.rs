//! min: the differentiation of a graph takes it branch by branch, as a selection.

use crate::graph::{Graph, Id};

pub(super) fn fold(graph: &mut Graph, a: Id, b: Id) -> Option<Id> {
    if a == b {
        return Some(a);
    }
    match (graph.as_number(a), graph.as_number(b)) {
        (Some(x), Some(y)) => Some(if x < y { a } else { b }),
        _ => None,
    }
}
