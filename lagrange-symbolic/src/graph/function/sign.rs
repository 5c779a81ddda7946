//! sign: −1, 0, 1 with sign(0) = 0; odd; its derivative is 0 off the jump.

use super::{Boundary, Function, Row, Smoothness, fold_odd};
use crate::graph::{Graph, Id, rational};
use dashu_base::Sign;

pub(super) const ROW: Row = Row {
    latex: Some("\\operatorname{sgn}"),
    smoothness: Smoothness::Kinked,
    boundary: Some((Boundary::Order, true)),
    is_selection: true,
    fold: |graph, _, x| fold(graph, x[0]),
    derivative: |graph, _| graph.zero(),
    value: |_, x| Some(if x[0] == 0.0 { 0.0 } else { x[0].signum() }),
    precise: |precise, _, x| {
        let sign = precise.sign(&x[0])?;
        Some(precise.whole(sign.into()))
    },
    ..Row::of_scalar("sign")
};

fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
    if let Some(value) = graph.as_number(x) {
        let sign = match (value.is_zero(), value.sign()) {
            (true, _) => 0,
            (false, Sign::Positive) => 1,
            (false, Sign::Negative) => -1,
        };
        return Some(graph.integer(sign));
    }
    if let Some(folded) = fold_odd(graph, Function::Sign, x) {
        return Some(folded);
    }
    let (scale, atom) = graph.split_scale(x);
    (scale != rational(1, 1)).then(|| graph.call(Function::Sign, &[atom]))
}
