//! abs: |c·x| = |c|·|x|, |−x| = |x|; abs′ = sign.

use super::{Boundary, Function, Row, Smoothness};
use crate::graph::{Graph, Id, Node};
use dashu_base::{Abs as _, Sign};

pub(super) const ROW: Row = Row {
    smoothness: Smoothness::Kinked,
    boundary: Some((Boundary::Order, false)),
    is_selection: true,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, call| derivative(graph, call.arguments[0]),
    value: |_, x| Some(x[0].abs()),
    precise: |_, _, x| Some(x[0].clone().abs()),
    ..Row::of_scalar("abs")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    if let Some(value) = graph.as_number(x) {
        let magnitude = value.clone().abs();
        return Some(graph.number(magnitude));
    }
    let (scale, atom) = graph.split_scale(x);
    if !scale.is_one() {
        let magnitude = graph.call(Function::Abs, &[atom]);
        return Some(graph.scale(&scale.abs(), magnitude));
    }
    let never_negative = match graph.node(x) {
        Node::Pi | Node::Call(Function::Abs | Function::Norm | Function::Exp | Function::Cosh, _) => true,
        Node::Product(factors) => factors.iter().all(|(_, exponent)| {
            let half = exponent.clone() / crate::graph::rational(2, 1);
            half.is_int() || (!exponent.is_int() && exponent.sign() == Sign::Positive)
        }),
        _ => false,
    };
    never_negative.then_some(x)
}

fn derivative(graph: &mut Graph, x: Id) -> Id {
    graph.call(Function::Sign, &[x])
}
