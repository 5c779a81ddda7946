//! A function of the user's own. Nothing is known of it but the derivatives that its statement gives.

use super::{Function, Row, Smoothness};
use crate::graph::{Graph, Id};

pub(super) const ROW: Row = Row {
    smoothness: Smoothness::OnDomain,
    derivative: |graph, call| derivative(graph, call.function, call.arguments, call.which),
    ..Row::named("extern", 1)
};

/// How often a function is differentiated by each of its arguments; at most eight of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Orders([u8; 8]);

impl Orders {
    /// No derivative: the function itself.
    pub const NONE: Self = Self([0; 8]);

    /// These orders, with one more derivative by `argument`.
    #[must_use]
    pub fn with(mut self, argument: usize) -> Self {
        self.0[argument] = self.0[argument].saturating_add(1);
        self
    }

    /// The arguments by which it is differentiated, each as often as it is.
    pub fn arguments(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(argument, order)| (0..order).map(move |_| argument))
    }
}

fn derivative(graph: &mut Graph, function: Function, arguments: &[Id], which: usize) -> Id {
    let Function::Extern { index, orders } = function else { return graph.zero() };
    graph.call(Function::Extern { index, orders: orders.with(which) }, arguments)
}
