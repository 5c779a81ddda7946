//! What differentiates expressions and brings them to a normal form: the graph's own rules, or another engine in their
//! place.
//!
//! The derivatives of [`calculus`](crate::calculus) go through an expression piece by piece, forward or in reverse, and
//! apply the chain rule between the pieces. An engine says how much of an expression a piece is, and differentiates it.
//! Everything else, from the block to the emitted code, is the same for every engine, because engines return expressions
//! of the graph.

pub(crate) mod builtin;

pub use builtin::Builtin;

use super::{Graph, Id, Rational};

/// Derivatives and normal forms of the expressions of a graph.
pub trait Engine: std::fmt::Debug + Sync {
    /// Makes the engine ready in this process.
    ///
    /// # Errors
    /// Why it cannot be used, in a sentence for the user.
    fn start(&self) -> Result<(), String>;

    /// The operands of the piece whose result is the node `id`: the older nodes that the piece is a function of. A node
    /// may be listed more than once.
    ///
    /// The node `id` is a sum, a product, a power or a call. Selections, minima and maxima are never passed to an
    /// engine, because `calculus` differentiates them branch by branch.
    fn operands(&self, graph: &mut Graph, id: Id) -> Vec<Id>;

    /// Calls `visit` with each operand of the piece that is `wanted` and the partial derivative of the piece by that
    /// operand. An operand may be visited several times; the caller adds its derivatives.
    fn partials(
        &self,
        graph: &mut Graph,
        id: Id,
        wanted: &dyn Fn(&Graph, Id) -> bool,
        visit: &mut dyn FnMut(&mut Graph, Id, Id),
    );

    /// Whether the engine has a normal form of its own in which Σ cᵢ xᵢ, of the given pairs (xᵢ, cᵢ), is 0 for all real values
    /// of the symbols. `false` proves nothing.
    fn proves_zero(&self, graph: &Graph, sum: &[(Id, Rational)]) -> bool {
        let _ = (graph, sum);
        false
    }
}
