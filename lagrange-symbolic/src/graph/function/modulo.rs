//! mod(x, y) = x − y·floor(x/y), with the sign of y: ∂/∂x = 1, ∂/∂y = −floor(x/y), both off the jumps.

use super::Function;
use crate::graph::{Graph, Id, Node, Rational};

pub(super) fn fold(graph: &mut Graph, x: Id, y: Id) -> Option<Id> {
    if graph.is_zero(y) {
        return None;
    }
    if graph.is_zero(x) || matches!(graph.node(x), Node::Call(Function::Mod, inner) if inner[1] == y) {
        return Some(x);
    }
    let (value, divisor) = (graph.as_number(x)?, graph.as_number(y)?);
    let turns = Rational::from((value / divisor).floor());
    let rest = value - divisor * turns;
    Some(graph.number(rest))
}

pub(super) fn derivative(graph: &mut Graph, x: Id, y: Id, which: usize) -> Id {
    if which == 0 {
        return graph.one();
    }
    let turns = graph.div(x, y);
    let turns = graph.call(Function::Floor, &[turns]);
    graph.neg(turns)
}
