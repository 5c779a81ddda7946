//! States: ż = f(t, q, v, z, u), as velocities of hidden coordinates with the kinetic energy ½ż².
//!
//! A state in L is a parameter that changes with time: ∂L/∂q and ∂L/∂v are taken at constant z, and dh/dt has the term
//! −∂L/∂z f. The momentum does not contain states, because its rate of change would need their accelerations.

use super::Physics;
use crate::graph::{Graph, Id, Rational, Symbol, rational};
use std::collections::HashMap;

/// A mechanism whose energies contain placeholders for the states.
pub(super) struct WithPlaceholders {
    /// The mechanism with L + ½ Σ z² and T + ½ Σ z², in which placeholders stand for the states that the block has in L.
    pub(super) physics: Physics,
    /// The states for the placeholders.
    states: HashMap<Symbol, Id>,
}

impl WithPlaceholders {
    /// Replaces the states in L, T and V, and adds the inertia of the hidden coordinates.
    pub(super) fn of(graph: &mut Graph, physics: &Physics) -> Self {
        let mut changed = physics.clone();
        let symbols: Vec<Symbol> = physics.state_symbols().collect();
        if symbols.is_empty() {
            return Self { physics: changed, states: HashMap::new() };
        }
        let placeholders = graph.scratch_symbols(symbols.len());
        let (mut hidden, mut states) = (HashMap::new(), HashMap::new());
        for (&symbol, &placeholder) in symbols.iter().zip(&placeholders) {
            hidden.insert(symbol, graph.symbol(placeholder));
            states.insert(placeholder, graph.symbol(symbol));
        }
        let mut replaced = |energy: Id| graph.substitute(&[energy], &hidden)[0];
        let stated = replaced(physics.lagrangian);
        let kinetic = physics.kinetic.map(&mut replaced);
        changed.potential = physics.potential.map(&mut replaced);
        let inertia = inertia(graph, physics);
        changed.lagrangian = graph.add(stated, inertia);
        changed.kinetic = kinetic.map(|kinetic| graph.add(kinetic, inertia));
        Self { physics: changed, states }
    }

    /// Puts the states back in their places.
    pub(super) fn restored(&self, graph: &mut Graph, expressions: Vec<Id>) -> Vec<Id> {
        if self.states.is_empty() { expressions } else { graph.substitute(&expressions, &self.states) }
    }
}

/// ½ Σ z², the kinetic energy of the hidden coordinates.
pub(super) fn inertia(graph: &mut Graph, physics: &Physics) -> Id {
    let mut terms = Vec::new();
    for symbol in physics.state_symbols() {
        let state = graph.symbol(symbol);
        terms.push((graph.mul(state, state), rational(1, 2)));
    }
    graph.sum(terms, Rational::ZERO)
}
