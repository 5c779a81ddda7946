//! M = ∂p/∂v: symmetric, one half differentiated.

use crate::diff::derivative;
use crate::expr::{Graph, Id, Symbol};

pub(super) fn mass_matrix(graph: &mut Graph, momentum: &[Id]) -> Vec<Vec<Id>> {
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
    mass
}
