//! Past which size derivatives are no longer written out.

use super::Physics;
use crate::expr::{Graph, Id, Node, Symbol};
use crate::function::Function;

/// A mechanism is large where coordinates times nodes of L exceed this: a Jacobian has an entry per pair of coordinates, and
/// each costs up to as many nodes as L has.
const LARGE: usize = 1000;

/// The most knots of a table for which each derivative by one of its parameters, a table of its own, is written out.
const LONG_TABLE: usize = 16;

/// Whether the Jacobians are evaluated with dual numbers instead of being derived. Constrained mechanisms are derived
/// whole at any size.
pub(super) fn is_large(graph: &Graph, physics: &Physics) -> bool {
    let is_held = !physics.constraints.is_empty() || !physics.nonholonomic.is_empty();
    let nodes = graph.reachable(&[physics.lagrangian]);
    let is_long = |id: &Id| match graph.node(*id) {
        Node::Call(Function::Spline { .. }, arguments) => {
            let has_parameters = |&data: &Id| graph.contains(data, |symbol| matches!(symbol, Symbol::Parameter(_)));
            arguments.len() > 3 * LONG_TABLE + 1 && arguments[1..].iter().any(has_parameters)
        }
        _ => false,
    };
    !is_held && (physics.coordinates as usize * nodes.len() > LARGE || nodes.iter().any(is_long))
}
