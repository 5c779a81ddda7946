//! cosh: even; cosh′ = sinh.

use super::{Function, fold_even};
use crate::graph::{Graph, Id};

pub(super) fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    if graph.is_zero(x) {
        return Some(graph.one());
    }
    fold_even(graph, Function::Cosh, x)
}

pub(super) fn derivative(graph: &mut Graph, x: Id) -> Id {
    graph.call(Function::Sinh, &[x])
}
