//! max: the differentiation of a graph takes it branch by branch, as a selection.

use super::{Boundary, Row, Smoothness};
use crate::graph::{Graph, Id};

pub(super) const ROW: Row = Row {
    latex: Some("\\max"),
    smoothness: Smoothness::Kinked,
    boundary: Some((Boundary::Order, false)),
    is_selection: true,
    fold: |graph, _, x| fold(graph, x[0], x[1]),
    // The derivative is taken branch by branch, before this rule could be asked for.
    derivative: |graph, _| graph.zero(),
    value: |_, x| Some(x[0].max(x[1])),
    precise: |_, _, x| Some((&x[0]).max(&x[1]).clone()),
    ..Row::named("max", 2)
};

fn fold(graph: &mut Graph, a: Id, b: Id) -> Option<Id> {
    if a == b {
        return Some(a);
    }
    match (graph.as_number(a), graph.as_number(b)) {
        (Some(x), Some(y)) => Some(if x > y { a } else { b }),
        _ => None,
    }
}
