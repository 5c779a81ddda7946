//! sign: −1, 0, 1 with sign(0) = 0; odd; its derivative is 0 off the jump.

use super::{Function, fold_odd};
use crate::graph::{Graph, Id, rational};
use dashu_base::Sign;

pub(super) fn fold(graph: &mut Graph, x: Id) -> Option<Id> {
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

pub(super) fn derivative(graph: &mut Graph) -> Id {
    graph.zero()
}
