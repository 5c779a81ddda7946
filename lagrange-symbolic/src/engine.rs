//! What differentiates expressions and brings them to a normal form: the built-in graph, or Symbolica behind the feature
//! `symbolica`.
//!
//! [`diff`](crate::diff) goes through an expression piece by piece, forward or in reverse, and applies the chain rule
//! between them; an engine says how much of an expression a piece is, and differentiates it. Everything else, from the
//! block to the emitted code, is the same for every engine, because what an engine gives back are expressions of the
//! graph.

mod builtin;
#[cfg(feature = "symbolica")]
mod symbolica;

pub use builtin::Builtin;
#[cfg(feature = "symbolica")]
pub use symbolica::Symbolica;

use crate::expr::{Graph, Id, Rational};
use crate::prove::ParameterSigns;

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

    /// Whether the engine's normal form of Σ cᵢ xᵢ, of the given pairs (xᵢ, cᵢ), is 0: parameters have the stated signs, and
    /// all else is real. `false` proves nothing.
    fn proves_zero(&self, graph: &Graph, sum: &[(Id, Rational)], signs: &ParameterSigns) -> bool;
}

/// The engine of the macro: Symbolica where the feature is on, else the built-in one.
pub fn chosen() -> &'static dyn Engine {
    #[cfg(feature = "symbolica")]
    return &Symbolica;
    #[cfg(not(feature = "symbolica"))]
    &Builtin
}
