//! atan2(y, x): ∂/∂y = x/(x² + y²), ∂/∂x = −y/(x² + y²).

use crate::graph::{Graph, Id};
use dashu_base::Sign;

pub(super) fn fold(graph: &mut Graph, y: Id, x: Id) -> Option<Id> {
    let positive = graph.as_number(x).is_some_and(|value| !value.is_zero() && value.sign() == Sign::Positive);
    (graph.is_zero(y) && positive).then(|| graph.zero())
}

pub(super) fn derivative(graph: &mut Graph, y: Id, x: Id, which: usize) -> Id {
    let square = graph.norm_square(&[y, x]);
    let numerator = if which == 0 { x } else { graph.neg(y) };
    graph.div(numerator, square)
}
