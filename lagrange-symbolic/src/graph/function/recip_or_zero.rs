//! 1/x, but 0 at 0: −(itself)² is its derivative, finite at 0 likewise.

use super::{Function, fold_odd};
use crate::graph::{Graph, Id};

pub(super) fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    if graph.is_zero(x) {
        return Some(x);
    }
    if graph.as_number(x).is_some() {
        return Some(graph.recip(x));
    }
    fold_odd(graph, Function::RecipOrZero, x)
}

pub(super) fn derivative(graph: &mut Graph, call: Id) -> Id {
    let square = graph.power_integer(call, 2);
    graph.neg(square)
}
