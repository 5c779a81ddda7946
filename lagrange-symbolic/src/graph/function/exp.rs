//! exp: its own derivative.

use super::{Row, Smoothness};
use crate::graph::{Graph, Id};

pub(super) const ROW: Row = Row {
    latex: Some("\\exp"),
    smoothness: Smoothness::Analytic,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |_, call| call.id,
    value: |_, x| Some(x[0].exp()),
    precise: |precise, _, x| precise.exp(&x[0]),
    ..Row::of_scalar("exp")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    graph.is_zero(x).then(|| graph.one())
}
