//! sinh: odd; sinh′ = cosh.

use super::{Function, fold_odd};
use crate::graph::{Graph, Id};

pub(super) fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    fold_odd(graph, Function::Sinh, x)
}

pub(super) fn derivative(graph: &mut Graph, x: Id) -> Id {
    graph.call(Function::Cosh, &[x])
}
