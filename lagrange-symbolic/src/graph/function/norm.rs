//! norm: √(Σ xᵢ²), with the unit vector 0 at 0 as its gradient.

use super::{Function, Row, Smoothness};
use crate::graph::value::Arithmetic as _;
use crate::graph::{Graph, Id};

pub(super) const ROW: Row = Row {
    smoothness: Smoothness::Kinked,
    fold: |graph, _, x| fold(graph, x),
    derivative: |graph, call| derivative(graph, call.id, call.arguments[call.which]),
    value: |_, x| Some(value(x)),
    precise: |precise, _, x| {
        let (first, rest) = x.split_first()?;
        let mut total = precise.mul(first, first)?;
        for y in rest {
            let square = precise.mul(y, y)?;
            total = precise.add(&total, &square)?;
        }
        precise.square_root(&total)
    },
    ..Row::named("norm", 1)
};

/// Scaled by the largest, so that squares neither overflow nor vanish.
fn value(x: &[f64]) -> f64 {
    let largest = x.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * x.iter().map(|value| (value / largest).powi(2)).sum::<f64>().sqrt()
}

fn fold(graph: &mut Graph, arguments: &[Id]) -> Option<Id> {
    let zeros = arguments.iter().filter(|&&x| graph.is_zero(x)).count();
    if zeros == 0 && arguments.len() > 1 {
        let square = graph.norm_square(arguments);
        // Pythagoras may have made the square a square: the norm of l·[sin θ, cos θ] is |l|.
        let squares_before = arguments.len();
        let folded = match graph.node(square) {
            crate::graph::Node::Sum { terms, .. } => terms.len() < squares_before,
            _ => true,
        };
        return folded.then(|| graph.sqrt(square)).filter(|&root| !is_bare_root(graph, root, square));
    }
    let rest: Vec<Id> = arguments.iter().copied().filter(|&x| !graph.is_zero(x)).collect();
    match rest.as_slice() {
        [] => Some(graph.zero()),
        [x] => Some(graph.call(Function::Abs, &[*x])),
        _ => Some(graph.call(Function::Norm, &rest)),
    }
}

/// Whether the root could not be taken: then the norm stays a norm, whose gradient is finite at 0.
fn is_bare_root(graph: &Graph, root: Id, square: Id) -> bool {
    let (_, atom) = graph.split_scale(root);
    let (_, inside) = graph.split_scale(square);
    match graph.node(atom) {
        crate::graph::Node::Product(factors) => {
            factors.iter().any(|(base, exponent)| *base == inside || !exponent.is_int())
        }
        _ => false,
    }
}

/// xᵢ/norm, 0 at 0.
fn derivative(graph: &mut Graph, call: Id, argument: Id) -> Id {
    let length = graph.call(Function::RecipOrZero, &[call]);
    graph.mul(argument, length)
}
