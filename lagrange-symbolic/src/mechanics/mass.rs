//! M = ∂p/∂v. M is symmetric, so that only its lower triangle is differentiated.

use crate::calculus::{derivative, directional};
use crate::graph::{Graph, Id, Symbol};
use crate::physics::Physics;

pub(super) fn mass_matrix(graph: &mut Graph, momentum: &[Id]) -> Vec<Vec<Id>> {
    let n = momentum.len();
    let zero = graph.zero();
    let mut mass = vec![vec![zero; n]; n];
    for j in 0..n {
        // Column j from the diagonal down; the row to the right of the diagonal is the same.
        let column = derivative(graph, &momentum[j..], Symbol::Velocity(j as u32));
        for (offset, entry) in column.into_iter().enumerate() {
            mass[j + offset][j] = entry;
            mass[j][j + offset] = entry;
        }
    }
    mass
}

/// M a, row by row, as the directional derivative of p by v in the direction a. It shares what p shares.
pub(super) fn inertia(graph: &mut Graph, physics: &Physics, momentum: &[Id]) -> Vec<Id> {
    let direction: Vec<(Symbol, Id)> =
        (0..physics.coordinates).map(|i| (Symbol::Velocity(i), graph.symbol(Symbol::Acceleration(i)))).collect();
    directional(graph, momentum, &direction)
}

/// M a, row by row, from the entries of M.
pub(super) fn inertia_of_rows(graph: &mut Graph, mass: &[Vec<Id>]) -> Vec<Id> {
    let accelerations: Vec<Id> = (0..mass.len() as u32).map(|i| graph.symbol(Symbol::Acceleration(i))).collect();
    mass.iter().map(|row| graph.inner(row, &accelerations)).collect()
}
