//! h = v·p − L, Jacobi's integral.

use super::state;
use crate::graph::{Graph, Id};
use crate::physics::Physics;

pub(super) fn energy(graph: &mut Graph, physics: &Physics, momentum: &[Id]) -> Id {
    let velocities = physics.velocities(graph);
    let mechanical = physics.mechanical();
    let work = graph.inner(&momentum[..mechanical], &velocities[..mechanical]);
    // L contains the inertia of the hidden coordinates, which is no energy.
    let hidden = state::inertia(graph, physics);
    let rest = graph.sub(physics.lagrangian, hidden);
    graph.sub(work, rest)
}
