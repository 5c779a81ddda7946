//! h = v·p − L, Jacobi's integral.

use super::Physics;
use crate::graph::{Graph, Id};

pub(super) fn energy(graph: &mut Graph, physics: &Physics, momentum: &[Id]) -> Id {
    let velocities = physics.velocities(graph);
    let work = graph.inner(momentum, &velocities);
    graph.sub(work, physics.lagrangian)
}
