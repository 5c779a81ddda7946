//! ln: ln′ = 1/x.

use super::{Row, Smoothness};
use crate::graph::{Graph, Id};

pub(super) const ROW: Row = Row {
    latex: Some("\\ln"),
    smoothness: Smoothness::OnDomain,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, call| derivative(graph, call.arguments[0]),
    value: |_, x| Some(x[0].ln()),
    precise: |precise, _, x| precise.logarithm(&x[0]),
    ..Row::of_scalar("ln")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    graph.is_one(x).then(|| graph.zero())
}

fn derivative(graph: &mut Graph, x: Id) -> Id {
    graph.recip(x)
}
