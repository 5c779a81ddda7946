//! cos: even, exact at multiples of π/2; cos′ = −sin.

use super::{Function, fold_even, Row, Smoothness};
use crate::graph::{Graph, Id, Node, rational};

pub(super) const ROW: Row = Row {
    latex: Some("\\cos"),
    smoothness: Smoothness::Analytic,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, call| derivative(graph, call.arguments[0]),
    value: |_, x| Some(x[0].cos()),
    precise: |precise, _, x| precise.cosine(&x[0]),
    bounds: Some((-1.0, 1.0)),
    ..Row::of_scalar("cos")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    if let Some(quarter) = quarter_turns(graph, x) {
        return Some(graph.integer([1, 0, -1, 0][quarter]));
    }
    fold_even(graph, Function::Cos, x)
}

fn derivative(graph: &mut Graph, x: Id) -> Id {
    let sine = graph.call(Function::Sin, &[x]);
    graph.neg(sine)
}

/// k mod 4 where the angle is exactly k·π/2.
pub(super) fn quarter_turns(graph: &Graph, x: Id) -> Option<usize> {
    if graph.is_zero(x) {
        return Some(0);
    }
    let (scale, atom) = graph.split_scale(x);
    if *graph.node(atom) != Node::Pi {
        return None;
    }
    let quarters = scale * rational(2, 1);
    if !quarters.is_int() {
        return None;
    }
    // The remainder of a division by 4, taken to be non-negative.
    let turns = quarters.clone() / rational(4, 1);
    let remainder = quarters - rational(4, 1) * crate::graph::Rational::from(turns.floor());
    usize::try_from(remainder.numerator()).ok()
}
