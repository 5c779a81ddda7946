//! atan2(y, x): ∂/∂y = x/(x² + y²), ∂/∂x = −y/(x² + y²).

use super::{Boundary, Row, Smoothness};
use crate::graph::{Graph, Id};
use dashu_base::Sign;

pub(super) const ROW: Row = Row {
    latex: Some("\\operatorname{atan2}"),
    smoothness: Smoothness::Kinked,
    boundary: Some((Boundary::Axis, true)),
    bounds: Some((-3.15, 3.15)),
    fold: |graph, _, x| fold(graph, x[0], x[1]),
    derivative: |graph, call| derivative(graph, call.arguments[0], call.arguments[1], call.which),
    value: |_, x| Some(x[0].atan2(x[1])),
    precise: |precise, _, x| precise.angle(&x[0], &x[1]),
    ..Row::named("atan2", 2)
};

fn fold(graph: &mut Graph, y: Id, x: Id) -> Option<Id> {
    let positive = graph.as_number(x).is_some_and(|value| !value.is_zero() && value.sign() == Sign::Positive);
    (graph.is_zero(y) && positive).then(|| graph.zero())
}

fn derivative(graph: &mut Graph, y: Id, x: Id, which: usize) -> Id {
    let square = graph.norm_square(&[y, x]);
    let numerator = if which == 0 { x } else { graph.neg(y) };
    graph.div(numerator, square)
}
