//! The derivatives of outputs, by which a unit answers for their directional derivatives.

use crate::calculus::gradient;
use crate::derivation::Derivation;
use crate::graph::Symbol;

/// A derivative of an output that is not 0 everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slope {
    /// The index of the output.
    pub(super) output: usize,
    /// What the derivative is by: a coordinate, a velocity, the time, an input, an acceleration or a multiplier.
    pub(super) by: Symbol,
}

/// Appends the derivatives of all outputs to the outputs.
pub(super) fn append(derivation: &mut Derivation) -> Vec<Slope> {
    let graph = &mut derivation.model.graph;
    let mut slopes = Vec::new();
    for (output, root) in derivation.equations.outputs.clone().into_iter().enumerate() {
        let symbols: Vec<Symbol> =
            graph.symbols(root).filter(|symbol| !matches!(symbol, Symbol::Parameter(_))).collect();
        for (by, slope) in symbols.iter().zip(gradient(graph, root, &symbols)) {
            if !graph.is_zero(slope) {
                derivation.equations.outputs.push(slope);
                slopes.push(Slope { output, by: *by });
            }
        }
    }
    slopes
}

impl Slope {
    /// The name of what the derivative is by in C, and its index.
    pub(super) fn kind(self) -> (&'static str, u32) {
        match self.by {
            Symbol::Coordinate(index) => ("BY_COORDINATE", index),
            Symbol::Velocity(index) => ("BY_VELOCITY", index),
            Symbol::Input(index) => ("BY_INPUT", index),
            Symbol::Acceleration(index) => ("BY_ACCELERATION", index),
            Symbol::Multiplier(index) => ("BY_MULTIPLIER", index),
            // Forces of contacts have no unit, and no other symbol varies.
            Symbol::Time | Symbol::Force(_) | Symbol::Parameter(_) | Symbol::Dummy(_) => ("BY_TIME", 0),
        }
    }
}
