//! States: ż = f(t, q, v, z, u), as velocities of hidden coordinates with the kinetic energy ½ż².
//!
//! A state in L is a parameter that changes with time: ∂L/∂q and ∂L/∂v are taken at constant z, dh/dt has the term −∂L/∂z f,
//! and F has the term −∂p/∂z f, where the inertia depends on z.

use crate::calculus::directional;
use crate::graph::{Graph, Id, Rational, Symbol, rational};
use crate::physics::Physics;
use std::collections::HashMap;

/// A mechanism whose energies contain placeholders for the states.
pub(super) struct WithPlaceholders {
    /// The mechanism with L + ½ Σ μ z² and T + ½ Σ μ z², in which placeholders stand for the states that the block has in L.
    /// The inertia μ of a hidden coordinate is 1, or a placeholder where the state has a guard.
    pub(super) physics: Physics,
    /// The states for the placeholders, and 1 for μ.
    states: HashMap<Symbol, Id>,
    /// The states for the placeholders, and for μ what M has: 1 where the guard holds, else 0.
    guarded: HashMap<Symbol, Id>,
    /// Each placeholder of a state with the rate of the state.
    rates: Vec<(Symbol, Id)>,
}

impl WithPlaceholders {
    /// Replaces the states in L, T and V, and adds the inertia of the hidden coordinates.
    pub(super) fn of(graph: &mut Graph, physics: &Physics) -> Self {
        let mut changed = physics.clone();
        let (mut states, mut guarded, mut rates) = (HashMap::new(), HashMap::new(), Vec::new());
        let symbols: Vec<Symbol> = physics.state_symbols().collect();
        if symbols.is_empty() {
            return Self { physics: changed, states, guarded, rates };
        }
        let (zero, one) = (graph.zero(), graph.one());
        let placeholders = graph.scratch_symbols(symbols.len());
        let mut hidden = HashMap::new();
        for ((&symbol, &placeholder), state) in symbols.iter().zip(&placeholders).zip(&physics.states) {
            hidden.insert(symbol, graph.symbol(placeholder));
            states.insert(placeholder, graph.symbol(symbol));
            rates.push((placeholder, state.rate));
        }
        guarded.clone_from(&states);
        for state in &mut changed.states {
            let Some(guard) = state.guard else { continue };
            let inertia = graph.scratch_symbols(1)[0];
            state.inertia = Some(graph.symbol(inertia));
            states.insert(inertia, one);
            guarded.insert(inertia, graph.select(guard, one, zero));
        }
        let mut replaced = |energy: Id| graph.substitute(&[energy], &hidden)[0];
        let stated = replaced(physics.lagrangian);
        let kinetic = physics.kinetic.map(&mut replaced);
        changed.potential = physics.potential.map(&mut replaced);
        let inertia = inertia(graph, &changed);
        changed.lagrangian = graph.add(stated, inertia);
        changed.kinetic = kinetic.map(|kinetic| graph.add(kinetic, inertia));
        Self { physics: changed, states, guarded, rates }
    }

    /// Puts the states back in their places.
    pub(super) fn restored(&self, graph: &mut Graph, expressions: Vec<Id>) -> Vec<Id> {
        if self.states.is_empty() { expressions } else { graph.substitute(&expressions, &self.states) }
    }

    /// Puts the states back in an entry of M, or in something that M multiplies. The entry of a hidden coordinate is 0 where
    /// its guard fails, so that whoever solves with M finds a vanishing pivot there.
    pub(super) fn restored_inertia(&self, graph: &mut Graph, expressions: Vec<Id>) -> Vec<Id> {
        if self.guarded.is_empty() { expressions } else { graph.substitute(&expressions, &self.guarded) }
    }

    /// (∂p/∂z) f, row by row, which is the part of ṗ that comes from the states. The momentum contains placeholders.
    pub(super) fn change_by_states(&self, graph: &mut Graph, momentum: &[Id]) -> Vec<Id> {
        directional(graph, momentum, &self.rates)
    }
}

/// ½ Σ μ z², the kinetic energy of the hidden coordinates.
pub(super) fn inertia(graph: &mut Graph, physics: &Physics) -> Id {
    let mut terms = Vec::new();
    for (symbol, state) in physics.state_symbols().zip(&physics.states) {
        let value = graph.symbol(symbol);
        let square = graph.mul(value, value);
        let term = state.inertia.map_or(square, |inertia| graph.mul(inertia, square));
        terms.push((term, rational(1, 2)));
    }
    graph.sum(terms, Rational::ZERO)
}
