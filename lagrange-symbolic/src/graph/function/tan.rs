//! tan: odd; tan′ = 1 + tan².

use super::{Function, fold_odd};
use crate::graph::{Graph, Id};

pub(super) fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    fold_odd(graph, Function::Tan, x)
}

pub(super) fn derivative(graph: &mut Graph, call: Id) -> Id {
    let square = graph.power_integer(call, 2);
    let one = graph.one();
    graph.add(one, square)
}
