//! mod(x, y) = x − y·floor(x/y), with the sign of y: ∂/∂x = 1, ∂/∂y = −floor(x/y), both off the jumps.

use super::{Boundary, Function, Row, Smoothness};
use crate::graph::value::Arithmetic as _;
use crate::graph::{Graph, Id, Node, Rational};

pub(super) const ROW: Row = Row {
    method: "modulo",
    smoothness: Smoothness::Kinked,
    boundary: Some((Boundary::Steps, true)),
    fold: |graph, _, x| fold(graph, x[0], x[1]),
    derivative: |graph, call| derivative(graph, call.arguments[0], call.arguments[1], call.which),
    value: |_, x| Some(value(x[0], x[1])),
    precise: |precise, _, x| {
        let turns = precise.div(&x[0], &x[1])?;
        let turns = precise.floor(&turns)?;
        let whole = precise.mul(&x[1], &turns)?;
        precise.subtract(&x[0], &whole)
    },
    ..Row::named("mod", 2)
};

/// x − y·floor(x/y), with one rounding.
fn value(x: f64, y: f64) -> f64 {
    let rest = x % y;
    if rest != 0.0 && (rest < 0.0) != (y < 0.0) { rest + y } else { rest }
}

fn fold(graph: &mut Graph, x: Id, y: Id) -> Option<Id> {
    if graph.is_zero(y) {
        return None;
    }
    if graph.is_zero(x) || matches!(graph.node(x), Node::Call(Function::Mod, inner) if inner[1] == y) {
        return Some(x);
    }
    let (value, divisor) = (graph.as_number(x)?, graph.as_number(y)?);
    let turns = Rational::from((value / divisor).floor());
    let rest = value - divisor * turns;
    Some(graph.number(rest))
}

fn derivative(graph: &mut Graph, x: Id, y: Id, which: usize) -> Id {
    if which == 0 {
        return graph.one();
    }
    let turns = graph.div(x, y);
    let turns = graph.call(Function::Floor, &[turns]);
    graph.neg(turns)
}
