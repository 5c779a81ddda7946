//! atan: odd; atan′ = 1/(1 + x²).

use super::{Function, fold_odd};
use crate::graph::{Graph, Id};

pub(super) fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    fold_odd(graph, Function::Atan, x)
}

pub(super) fn derivative(graph: &mut Graph, x: Id) -> Id {
    let square = graph.power_integer(x, 2);
    let one = graph.one();
    let sum = graph.add(one, square);
    graph.recip(sum)
}
