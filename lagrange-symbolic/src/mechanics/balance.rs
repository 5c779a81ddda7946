//! f = ∂L/∂q − ∂D/∂v + Q, and the part Q − ∂D/∂v that does not come from L. In the rows of the hidden coordinates, f is the
//! rate of the state.

use crate::calculus::{derivative, gradient};
use crate::graph::{Graph, Id};
use crate::physics::Physics;

/// Q − ∂D/∂v, with `others` in the first rows.
pub(super) fn applied(graph: &mut Graph, physics: &Physics, others: &[Id]) -> Vec<Id> {
    let mut parts: Vec<Vec<Id>> = vec![Vec::new(); physics.coordinates as usize];
    for (row, &other) in parts.iter_mut().zip(others) {
        row.push(other);
    }
    for force in &physics.forces {
        for (row, part) in generalized(graph, physics, &force.left, &force.right).into_iter().enumerate() {
            parts[row].push(part);
        }
    }
    if let Some(dissipation) = physics.dissipation {
        for (row, part) in gradient(graph, dissipation, &physics.mechanical_velocity_symbols()).into_iter().enumerate()
        {
            parts[row].push(graph.neg(part));
        }
    }
    for (row, state) in (physics.mechanical()..).zip(&physics.states) {
        parts[row].push(state.rate);
    }
    parts.iter().map(|row| graph.add_all(row)).collect()
}

/// (∂left/∂q)ᵀ right.
pub(crate) fn generalized(graph: &mut Graph, physics: &Physics, left: &[Id], right: &[Id]) -> Vec<Id> {
    let mut rows = Vec::new();
    for symbol in physics.coordinate_symbols() {
        let column = derivative(graph, left, symbol);
        rows.push(graph.inner(&column, right));
    }
    rows
}

pub(super) fn balance(graph: &mut Graph, physics: &Physics, applied: &[Id]) -> Vec<Id> {
    let slope = gradient(graph, physics.lagrangian, &physics.coordinate_symbols());
    slope.into_iter().zip(applied).map(|(slope, &applied)| graph.add(slope, applied)).collect()
}
