//! A function of the user's own: opaque, but for the derivatives that come with it.

use super::Function;
use crate::graph::{Graph, Id};

/// How often a function is differentiated by each of its arguments; at most eight of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Orders([u8; 8]);

impl Orders {
    /// The function itself.
    pub const NONE: Self = Self([0; 8]);

    /// Once more by an argument.
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

pub(super) fn derivative(graph: &mut Graph, index: u32, orders: Orders, arguments: &[Id], which: usize) -> Id {
    graph.call(Function::Extern { index, orders: orders.with(which) }, arguments)
}
