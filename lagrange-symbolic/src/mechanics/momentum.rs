//! p = ∂L/∂v.

use super::Physics;
use crate::calculus::gradient;
use crate::graph::{Graph, Id};

pub(super) fn momentum(graph: &mut Graph, physics: &Physics) -> Vec<Id> {
    gradient(graph, physics.lagrangian, &physics.velocity_symbols())
}
