//! ln: ln′ = 1/x.

use crate::graph::{Graph, Id};

pub(super) fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    graph.is_one(x).then(|| graph.zero())
}

pub(super) fn derivative(graph: &mut Graph, x: Id) -> Id {
    graph.recip(x)
}
