//! sin: odd, without multiples of π/2 in its argument; sin′ = cos.

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
    if let Some((quarter, rest)) = super::cos::quarter_turns(graph, x) {
        let value = graph.call([Function::Sin, Function::Cos][quarter % 2], &[rest]);
        return Some(if quarter >= 2 { graph.neg(value) } else { value });
    }
    fold_odd(graph, Function::Sin, x)
}

fn derivative(graph: &mut Graph, x: Id) -> Id {
    graph.call(Function::Cos, &[x])
}
