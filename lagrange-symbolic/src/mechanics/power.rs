//! dh/dt = Q·v − v·∂D/∂v − ∂L/∂t − ∂L/∂z·ż − λ·g_t − λ·b, term by term.

use super::{Constraints, balance, contact};
use crate::calculus::{derivative, gradient};
use crate::graph::{Graph, Id, Symbol};
use crate::physics::Physics;

/// One term of the power balance.
#[derive(Clone, Debug)]
pub struct Power {
    /// The name of the force or of the constraint, of the state, `dissipation`, or `time`.
    pub name: String,
    /// Its contribution to dh/dt.
    pub value: Id,
}

pub(super) fn powers(graph: &mut Graph, physics: &Physics, constraints: &Constraints) -> Vec<Power> {
    let velocities = physics.velocities(graph);
    let mut powers = Vec::new();
    for force in &physics.forces {
        let generalized = balance::generalized(graph, physics, &force.left, &force.right);
        powers.push(Power { name: force.name.clone(), value: graph.inner(&generalized, &velocities) });
    }
    // The forces of contacts are known to the runtime only, which writes their powers.
    for name in contact::statements(physics) {
        powers.push(Power { name, value: graph.zero() });
    }
    let lost = match physics.dissipation {
        Some(dissipation) => {
            let slope = gradient(graph, dissipation, &physics.mechanical_velocity_symbols());
            let lost = graph.inner(&slope, &velocities[..slope.len()]);
            graph.neg(lost)
        }
        None => graph.zero(),
    };
    powers.push(Power { name: "dissipation".into(), value: lost });
    let explicit = derivative(graph, &[physics.lagrangian], Symbol::Time)[0];
    powers.push(Power { name: "time".into(), value: graph.neg(explicit) });
    for (symbol, state) in physics.state_symbols().zip(&physics.states) {
        let slope = derivative(graph, &[physics.lagrangian], symbol)[0];
        if !graph.is_zero(slope) {
            let gained = graph.mul(slope, state.rate);
            powers.push(Power { name: state.name.clone(), value: graph.neg(gained) });
        }
    }
    for (k, (row, &drift)) in (0..).zip(physics.rows().zip(&constraints.drift)) {
        if !graph.is_zero(drift) {
            let multiplier = graph.symbol(Symbol::Multiplier(k));
            let work = graph.mul(multiplier, drift);
            powers.push(Power { name: row.name.clone(), value: graph.neg(work) });
        }
    }
    powers
}
