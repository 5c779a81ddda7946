//! The k-th derivative of sin(x)/x: even for even k, odd for odd k; the next one is its derivative.

use super::{Function, fold_even, fold_odd};
use crate::graph::{Graph, Id, rational};

pub(super) fn fold(graph: &mut Graph, order: u32, x: Id) -> Option<Id> {
    if graph.is_zero(x) {
        // sinc = Σ (−1)ⁿ x²ⁿ/(2n+1)!, so its k-th derivative at 0 is (−1)^(k/2)/(k+1) for even k, 0 for odd k.
        let value = match order % 4 {
            0 => rational(1, u64::from(order) + 1),
            2 => rational(-1, u64::from(order) + 1),
            _ => rational(0, 1),
        };
        return Some(graph.number(value));
    }
    if order.is_multiple_of(2) {
        fold_even(graph, Function::Sinc(order), x)
    } else {
        fold_odd(graph, Function::Sinc(order), x)
    }
}

pub(super) fn derivative(graph: &mut Graph, order: u32, x: Id) -> Id {
    graph.call(Function::Sinc(order + 1), &[x])
}
