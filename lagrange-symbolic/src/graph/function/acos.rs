//! acos; acos′ = −1/√(1 − x²).

use crate::graph::{Graph, Id, rational};

pub(super) fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    if graph.is_one(x) {
        return Some(graph.zero());
    }
    if graph.is_zero(x) {
        let pi = graph.pi();
        return Some(graph.scale(&rational(1, 2), pi));
    }
    None
}

pub(super) fn derivative(graph: &mut Graph, x: Id) -> Id {
    let derivative = super::asin::derivative(graph, x);
    graph.neg(derivative)
}
