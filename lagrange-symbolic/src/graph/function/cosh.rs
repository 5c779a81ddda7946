//! cosh: even; cosh′ = sinh.

use super::{Function, fold_even, Row, Smoothness};
use crate::graph::{Graph, Id};

pub(super) const ROW: Row = Row {
    latex: Some("\\cosh"),
    smoothness: Smoothness::Analytic,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, call| derivative(graph, call.arguments[0]),
    value: |_, x| Some(x[0].cosh()),
    precise: |precise, _, x| precise.hyperbolic_cosine(&x[0]),
    bounds: Some((1.0, f64::INFINITY)),
    ..Row::of_scalar("cosh")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    if graph.is_zero(x) {
        return Some(graph.one());
    }
    fold_even(graph, Function::Cosh, x)
}

fn derivative(graph: &mut Graph, x: Id) -> Id {
    graph.call(Function::Sinh, &[x])
}
