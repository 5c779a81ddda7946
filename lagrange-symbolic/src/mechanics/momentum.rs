//! p = ∂L/∂v.

use crate::calculus::gradient;
use crate::graph::{Graph, Id};
use crate::physics::Physics;

pub(super) fn momentum(graph: &mut Graph, physics: &Physics) -> Vec<Id> {
    gradient(graph, physics.lagrangian, &physics.velocity_symbols())
}
