//! tanh: odd; tanh′ = 1 − tanh².

use super::{Function, fold_odd, Row, Smoothness};
use crate::graph::{Graph, Id};

pub(super) const ROW: Row = Row {
    latex: Some("\\tanh"),
    smoothness: Smoothness::Analytic,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, call| derivative(graph, call.id),
    value: |_, x| Some(x[0].tanh()),
    precise: |precise, _, x| precise.hyperbolic_tangent(&x[0]),
    bounds: Some((-1.0, 1.0)),
    ..Row::of_scalar("tanh")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    fold_odd(graph, Function::Tanh, x)
}

fn derivative(graph: &mut Graph, call: Id) -> Id {
    let square = graph.power_integer(call, 2);
    let one = graph.one();
    graph.sub(one, square)
}
