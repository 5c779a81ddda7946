//! floor: the largest whole number that is not larger; floor(x + n) = floor(x) + n, and its derivative is 0 off the jumps.

use super::{Boundary, Function, Row, Smoothness};
use crate::graph::{Graph, Id, Node, Rational};

pub(super) const ROW: Row = Row {
    smoothness: Smoothness::Kinked,
    boundary: Some((Boundary::Steps, true)),
    is_selection: true,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, _| graph.zero(),
    value: |_, x| Some(x[0].floor()),
    precise: |precise, _, x| precise.floor(&x[0]),
    ..Row::of_scalar("floor")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    match graph.node(x) {
        Node::Number(value) => {
            let whole = Rational::from(value.clone().floor());
            Some(graph.number(whole))
        }
        Node::Call(Function::Floor | Function::Sign, _) => Some(x),
        Node::Sum { terms, constant } => {
            let whole = Rational::from(constant.clone().floor());
            if whole.is_zero() {
                return None;
            }
            let (terms, rest) = (terms.to_vec(), constant - &whole);
            let fraction = graph.sum(terms, rest);
            let below = graph.call(Function::Floor, &[fraction]);
            let whole = graph.number(whole);
            Some(graph.add(below, whole))
        }
        _ => None,
    }
}
