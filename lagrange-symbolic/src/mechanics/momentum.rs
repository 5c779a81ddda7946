//! p = ∂L/∂v.

use super::Physics;
use crate::diff::gradient;
use crate::expr::{Graph, Id};

pub(super) fn momentum(graph: &mut Graph, physics: &Physics) -> Vec<Id> {
    gradient(graph, physics.lagrangian, &physics.velocity_symbols())
}
