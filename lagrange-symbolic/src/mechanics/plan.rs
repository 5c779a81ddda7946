//! How the equations of a mechanism are written, by its size: decided once, before anything is derived.

use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Symbol};
use crate::physics::Physics;

/// A mechanism is large where coordinates times nodes of L exceed this. A Jacobian has an entry for each pair of
/// coordinates, and each entry costs up to as many nodes as L has.
const LARGE: usize = 1000;

/// The most knots of a table whose derivatives by its parameters are written out. Each derivative is a table of its
/// own.
const LONG_TABLE: usize = 16;

/// The longest derivatives of a residual of bodies that are written out, in units of an addition.
const LONGEST_JACOBIAN: u32 = 10_000;

/// Whether the derivatives of a residual of bodies, of this weight, are short enough to be written out. A derivative by a coordinate or
/// a velocity takes about half as much as the residual: half of the bodies depend on it.
pub(super) fn is_short_jacobian(physics: &Physics, weight: u32) -> bool {
    physics.coordinates.saturating_mul(weight) <= LONGEST_JACOBIAN
}

/// Whether the derivatives of outputs of this weight are short enough to be written out. Each sweep, by one variable or of one output, takes
/// about as much as the outputs.
pub(super) fn is_short_output_jacobian(sweeps: usize, weight: u32) -> bool {
    sweeps.saturating_mul(weight as usize) <= LONGEST_JACOBIAN as usize
}

/// How the equations are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    /// Up to two coordinates: everything is written out, and M is factored as it is.
    Small,
    /// Everything is written out. M is also derived in its sparse form, before its intermediate velocities are
    /// eliminated.
    Sparse,
    /// M stays in its sparse form where it has one. Jacobians are computed by dual numbers instead of being derived.
    Large,
}

impl Plan {
    /// The plan for a mechanism. Mechanisms with constraints are written out at any size, unless they consist of bodies in frames and nothing
    /// names an entry of M.
    pub(super) fn of(graph: &Graph, physics: &Physics) -> Self {
        let is_constrained = physics.rows().next().is_some();
        let is_large = if is_constrained { is_deep(graph, physics) } else { is_large(graph, physics) };
        if is_large {
            Self::Large
        } else if physics.coordinates > 2 {
            Self::Sparse
        } else {
            Self::Small
        }
    }
}

/// Whether the bodies of a mechanism with constraints hang on each other in long rows: the nodes of L that depend on a coordinate or on its velocity,
/// added up over the coordinates.
fn is_deep(graph: &Graph, physics: &Physics) -> bool {
    if physics.bodies.twins.is_empty() || physics.needs_mass {
        return false;
    }
    let nodes = graph.reachable(&[physics.lagrangian]);
    let depends = |id: Id, i: u32| {
        [Symbol::Coordinate(i), Symbol::Velocity(i)].into_iter().any(|symbol| graph.depends_on(id, symbol))
    };
    let dependent = |i: u32| nodes.iter().filter(|&&id| depends(id, i)).count();
    (0..physics.coordinates).map(dependent).sum::<usize>() > LARGE
}

fn is_large(graph: &Graph, physics: &Physics) -> bool {
    let nodes = graph.reachable(&[physics.lagrangian]);
    let is_long = |id: &Id| match graph.node(*id) {
        Node::Call(Function::Spline { .. }, arguments) => {
            let has_parameters = |&data: &Id| graph.contains(data, |symbol| matches!(symbol, Symbol::Parameter(_)));
            arguments.len() > 3 * LONG_TABLE + 1 && arguments[1..].iter().any(has_parameters)
        }
        _ => false,
    };
    physics.coordinates as usize * nodes.len() > LARGE || nodes.iter().any(is_long)
}
