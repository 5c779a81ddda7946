//! asin: odd; asin′ = 1/√(1 − x²).

use super::{Function, fold_odd};
use crate::graph::{Graph, Id, rational};

pub(super) fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    fold_odd(graph, Function::Asin, x)
}

pub(super) fn derivative(graph: &mut Graph, x: Id) -> Id {
    let square = graph.power_integer(x, 2);
    let one = graph.one();
    let rest = graph.sub(one, square);
    graph.power_rational(rest, &rational(-1, 2))
}
