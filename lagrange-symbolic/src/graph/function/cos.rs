//! cos: even, without multiples of π/2 in its argument; cos′ = −sin.

use super::{Function, fold_even, Row, Smoothness};
use crate::graph::{Graph, Id, Node, Rational, rational};

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
    if graph.is_zero(x) {
        return Some(graph.one());
    }
    if let Some((quarter, rest)) = quarter_turns(graph, x) {
        let value = graph.call([Function::Cos, Function::Sin][quarter % 2], &[rest]);
        return Some(if [1, 2].contains(&quarter) { graph.neg(value) } else { value });
    }
    fold_even(graph, Function::Cos, x)
}

fn derivative(graph: &mut Graph, x: Id) -> Id {
    let sine = graph.call(Function::Sin, &[x]);
    graph.neg(sine)
}

/// k mod 4 and r where the angle is r + k·π/2 with a multiple of π/2 as one of its terms.
pub(super) fn quarter_turns(graph: &mut Graph, x: Id) -> Option<(usize, Id)> {
    let (turn, rest) = match graph.node(x) {
        Node::Pi => (Rational::ONE, graph.zero()),
        Node::Sum { terms, constant } => {
            let (mut rest, constant) = (terms.to_vec(), constant.clone());
            let position = rest.iter().position(|(term, _)| *graph.node(*term) == Node::Pi)?;
            let (_, turn) = rest.remove(position);
            (turn, graph.sum(rest, constant))
        }
        _ => return None,
    };
    let quarters = turn * rational(2, 1);
    if !quarters.is_int() {
        return None;
    }
    // The remainder of a division by 4, taken to be non-negative.
    let turns = quarters.clone() / rational(4, 1);
    let remainder = quarters - rational(4, 1) * Rational::from(turns.floor());
    Some((usize::try_from(remainder.numerator()).ok()?, rest))
}
