//! sin: odd, exact at multiples of π/2; sin′ = cos.

use super::{Function, fold_odd, Row, Smoothness};
use crate::graph::{Graph, Id};

pub(super) const ROW: Row = Row {
    latex: Some("\\sin"),
    smoothness: Smoothness::Analytic,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, call| derivative(graph, call.arguments[0]),
    value: |_, x| Some(x[0].sin()),
    precise: |precise, _, x| precise.sine(&x[0]),
    bounds: Some((-1.0, 1.0)),
    ..Row::of_scalar("sin")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    if let Some(quarter) = super::cos::quarter_turns(graph, x) {
        return Some(graph.integer([0, 1, 0, -1][quarter]));
    }
    fold_odd(graph, Function::Sin, x)
}

fn derivative(graph: &mut Graph, x: Id) -> Id {
    graph.call(Function::Cos, &[x])
}
