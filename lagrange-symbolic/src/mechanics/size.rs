//! Past which size derivatives are no longer written out.

use super::Physics;
use crate::expr::Graph;

/// A mechanism is large where coordinates times nodes of L exceed this: a Jacobian has an entry per pair of coordinates, and
/// each costs up to as many nodes as L has.
const LARGE: usize = 1000;

/// Whether the Jacobians are evaluated with dual numbers instead of being derived. Constrained mechanisms are derived
/// whole at any size.
pub(super) fn is_large(graph: &Graph, physics: &Physics) -> bool {
    let is_held = !physics.constraints.is_empty() || !physics.nonholonomic.is_empty();
    !is_held && physics.coordinates as usize * graph.reachable(&[physics.lagrangian]).len() > LARGE
}
