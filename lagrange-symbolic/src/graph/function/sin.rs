//! sin: odd, exact at multiples of π/2; sin′ = cos.

use super::{Function, fold_odd};
use crate::graph::{Graph, Id};

pub(super) fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    if let Some(quarter) = super::cos::quarter_turns(graph, x) {
        return Some(graph.integer([0, 1, 0, -1][quarter]));
    }
    fold_odd(graph, Function::Sin, x)
}

pub(super) fn derivative(graph: &mut Graph, x: Id) -> Id {
    graph.call(Function::Cos, &[x])
}
