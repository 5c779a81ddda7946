//! What differentiates expressions and brings them to a normal form: the graph's own rules, or another engine in their
//! place.
//!
//! The derivatives of [`calculus`](crate::calculus) go through an expression piece by piece, forward or in reverse, and apply the chain rule
//! between them; an engine says how much of an expression a piece is, and differentiates it. Everything else, from the
//! block to the emitted code, is the same for every engine, because what an engine gives back are expressions of the
//! graph.

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

    /// What the piece that ends in a node is a function of: older nodes, each at least once.
    ///
    /// The node is a sum, a product, a power or a call. Selections, minima and maxima are no engine's concern: they are
    /// differentiated branch by branch, and are pieces of their own.
    fn operands(&self, graph: &mut Graph, id: Id) -> Vec<Id>;

    /// Calls `visit` with operands of the piece and the derivative of the piece by each of them, for all of them that are
    /// `wanted`. An operand may come several times; its derivatives then add.
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
