//! tan: odd; tan′ = 1 + tan².

use super::{Boundary, Function, Row, Smoothness, fold_odd};
use crate::graph::{Graph, Id};

pub(super) const ROW: Row = Row {
    latex: Some("\\tan"),
    smoothness: Smoothness::OnDomain,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, call| derivative(graph, call.id),
    value: |_, x| Some(x[0].tan()),
    precise: |precise, _, x| precise.tangent(&x[0]),
    boundary: Some((Boundary::Poles, true)),
    ..Row::of_scalar("tan")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    fold_odd(graph, Function::Tan, x)
}

fn derivative(graph: &mut Graph, call: Id) -> Id {
    let square = graph.power_integer(call, 2);
    let one = graph.one();
    graph.add(one, square)
}
