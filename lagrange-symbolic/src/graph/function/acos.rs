//! acos; acos′ = −1/√(1 − x²).

use super::{Row, Smoothness};
use crate::graph::{Graph, Id, rational};

pub(super) const ROW: Row = Row {
    latex: Some("\\arccos"),
    smoothness: Smoothness::OnDomain,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, call| derivative(graph, call.arguments[0]),
    value: |_, x| Some(x[0].acos()),
    precise: |precise, _, x| precise.arccosine(&x[0]),
    bounds: Some((0.0, 3.15)),
    ..Row::of_scalar("acos")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    if graph.is_one(x) {
        return Some(graph.zero());
    }
    if graph.is_zero(x) {
        let pi = graph.pi();
        return Some(graph.scale(&rational(1, 2), pi));
    }
    None
}

fn derivative(graph: &mut Graph, x: Id) -> Id {
    let derivative = super::asin::derivative(graph, x);
    graph.neg(derivative)
}
