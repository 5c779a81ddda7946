//! sinh: odd; sinh′ = cosh.

use super::{Function, fold_odd, Row, Smoothness};
use crate::graph::{Graph, Id};

pub(super) const ROW: Row = Row {
    latex: Some("\\sinh"),
    smoothness: Smoothness::Analytic,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, call| derivative(graph, call.arguments[0]),
    value: |_, x| Some(x[0].sinh()),
    precise: |precise, _, x| precise.hyperbolic_sine(&x[0]),
    ..Row::of_scalar("sinh")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    fold_odd(graph, Function::Sinh, x)
}

fn derivative(graph: &mut Graph, x: Id) -> Id {
    graph.call(Function::Cosh, &[x])
}
