//! asin: odd; asin′ = 1/√(1 − x²).

use super::{Function, fold_odd, Row, Smoothness};
use crate::graph::{Graph, Id, rational};

pub(super) const ROW: Row = Row {
    latex: Some("\\arcsin"),
    smoothness: Smoothness::OnDomain,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, call| derivative(graph, call.arguments[0]),
    value: |_, x| Some(x[0].asin()),
    precise: |precise, _, x| precise.arcsine(&x[0]),
    bounds: Some((-1.58, 1.58)),
    ..Row::of_scalar("asin")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    fold_odd(graph, Function::Asin, x)
}

pub(super) fn derivative(graph: &mut Graph, x: Id) -> Id {
    let square = graph.power_integer(x, 2);
    let one = graph.one();
    let rest = graph.sub(one, square);
    graph.power_rational(rest, &rational(-1, 2))
}
