//! atan: odd; atan′ = 1/(1 + x²).

use super::{Function, fold_odd, Row, Smoothness};
use crate::graph::{Graph, Id};

pub(super) const ROW: Row = Row {
    latex: Some("\\arctan"),
    smoothness: Smoothness::Analytic,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, call| derivative(graph, call.arguments[0]),
    value: |_, x| Some(x[0].atan()),
    precise: |precise, _, x| precise.arctangent(&x[0]),
    bounds: Some((-1.58, 1.58)),
    ..Row::of_scalar("atan")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    fold_odd(graph, Function::Atan, x)
}

fn derivative(graph: &mut Graph, x: Id) -> Id {
    let square = graph.power_integer(x, 2);
    let one = graph.one();
    let sum = graph.add(one, square);
    graph.recip(sum)
}
