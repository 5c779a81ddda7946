//! M = ∂p/∂v: symmetric, one half differentiated.

use super::Physics;
use crate::diff::derivative;
use crate::expr::{Graph, Id, Symbol};

/// Coordinates whose velocity carries no inertia: their row of M vanishes identically.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WithoutInertia {
    /// Indices of the coordinates.
    pub coordinates: Vec<u32>,
}

pub(super) fn mass_matrix(
    graph: &mut Graph,
    physics: &Physics,
    momentum: &[Id],
) -> Result<Vec<Vec<Id>>, WithoutInertia> {
    let n = momentum.len();
    let zero = graph.zero();
    let mut mass = vec![vec![zero; n]; n];
    for j in 0..n {
        // Rows from j on: the column below the diagonal is the row beside it.
        let column = derivative(graph, &momentum[j..], Symbol::Velocity(j as u32));
        for (offset, entry) in column.into_iter().enumerate() {
            mass[j + offset][j] = entry;
            mass[j][j + offset] = entry;
        }
    }
    let coordinates: Vec<u32> =
        (0..physics.coordinates).filter(|&i| mass[i as usize].iter().all(|&entry| graph.is_zero(entry))).collect();
    if coordinates.is_empty() { Ok(mass) } else { Err(WithoutInertia { coordinates }) }
}
