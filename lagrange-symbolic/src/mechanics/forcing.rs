//! F = f − (∂p/∂q) v − ∂p/∂t, by derivatives of L. For L = ½ vᵀM v its quadratic velocity term is −Γᵢⱼₖ vⱼ vₖ, with the
//! Christoffel symbols of the first kind.

use crate::calculus::directional;
use crate::graph::{Graph, Id, Symbol};
use crate::physics::Physics;

pub(super) fn forcing(graph: &mut Graph, physics: &Physics, momentum: &[Id], balance: &[Id]) -> Vec<Id> {
    let one = graph.one();
    let velocities = physics.velocities(graph);
    let mut direction: Vec<(Symbol, Id)> = physics.coordinate_symbols().into_iter().zip(velocities).collect();
    direction.push((Symbol::Time, one));
    let transport = directional(graph, momentum, &direction);
    balance.iter().zip(transport).map(|(&f, transport)| graph.sub(f, transport)).collect()
}
