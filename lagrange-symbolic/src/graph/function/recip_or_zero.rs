//! r(x) = 1/x with r(0) = 0. Its derivative is −r(x)², which is 0 at 0.

use super::{Boundary, Function, Row, Smoothness, fold_odd};
use crate::graph::{Graph, Id};

pub(super) const ROW: Row = Row {
    smoothness: Smoothness::Kinked,
    boundary: Some((Boundary::Order, true)),
    is_selection: true,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, call| derivative(graph, call.id),
    value: |_, x| Some(if x[0] == 0.0 { 0.0 } else { x[0].recip() }),
    precise: |precise, _, x| match precise.sign(&x[0])? {
        0 => Some(precise.whole(0)),
        _ => precise.div(&precise.whole(1), &x[0]),
    },
    ..Row::named("recip_or_zero", 1)
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    if graph.is_zero(x) {
        return Some(x);
    }
    if graph.as_number(x).is_some() {
        return Some(graph.recip(x));
    }
    fold_odd(graph, Function::RecipOrZero, x)
}

fn derivative(graph: &mut Graph, call: Id) -> Id {
    let square = graph.power_integer(call, 2);
    graph.neg(square)
}
