//! Symbolica as the engine: pieces of an expression become its atoms, which it differentiates, and what it gives back
//! becomes expressions of the graph again.
//!
//! Written from its public documentation alone. Sums, products, powers with exact exponents, sines, cosines,
//! exponentials and logarithms are its own. Every other function is opaque to it, and the formal derivative that it
//! returns is replaced by the function's own rule.

mod atom;
mod expression;
mod head;
mod instance;
mod number;
mod piece;
mod zero;

use crate::graph::engine::Engine;
use crate::graph::{Graph, Id, Rational};
use ::symbolica::atom::AtomCore;

/// Symbolica 2.2.
#[derive(Clone, Copy, Debug)]
pub struct Symbolica;

impl Symbolica {
    /// Whether Σ cᵢ xᵢ, of the pairs (xᵢ, cᵢ), is 0 in Symbolica's own normal form: a rational function of symbols, of
    /// sines and cosines with their identities, and of opaque parts. `false` proves nothing. [`Engine::start`] must
    /// have succeeded before.
    pub fn vanishes(&self, graph: &Graph, sum: &[(Id, Rational)]) -> bool {
        zero::proves_zero(graph, sum)
    }
}

impl Engine for Symbolica {
    fn start(&self) -> Result<(), String> {
        instance::start()
    }

    fn operands(&self, graph: &mut Graph, id: Id) -> Vec<Id> {
        piece::leaves(graph, id)
    }

    fn partials(
        &self,
        graph: &mut Graph,
        id: Id,
        wanted: &dyn Fn(&Graph, Id) -> bool,
        visit: &mut dyn FnMut(&mut Graph, Id, Id),
    ) {
        let leaves = piece::leaves(graph, id);
        let atom = atom::atom(graph, &leaves, id);
        for (position, &leaf) in leaves.iter().enumerate() {
            if wanted(graph, leaf) {
                let slope = atom.derivative(head::leaf(position));
                match expression::expression(graph, &leaves, slope.as_view()) {
                    Ok(partial) => visit(graph, leaf, partial),
                    Err(unknown) => graph.refuse(unknown),
                }
            }
        }
    }

    fn proves_zero(&self, graph: &Graph, sum: &[(Id, Rational)]) -> bool {
        self.vanishes(graph, sum)
    }
}
