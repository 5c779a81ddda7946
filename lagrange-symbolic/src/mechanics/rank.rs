//! What makes the equations singular at every state: coordinates without inertia, motions without inertia that no constraint
//! holds, constraints that depend on others.
//!
//! Found by evaluation at two points in general position. A matrix that is singular there is so everywhere with probability
//! one; on the constraints, the rank can only be lower.

use super::{Constraints, Physics};
use crate::expr::{Graph, Id, Symbol};
use crate::prove::numeric;

/// A remainder below this multiple of its row's largest entry is rounding.
const NEGLIGIBLE: f64 = 1e-10;

/// How many points are tried for two at which everything is defined.
const CANDIDATES: u32 = 24;

/// Why the equations have no unique solution.
#[derive(Clone, PartialEq, Debug)]
pub enum Degenerate {
    /// A coordinate's row of M vanishes, and no constraint holds the coordinate.
    WithoutInertia {
        /// Its index.
        coordinate: u32,
    },
    /// A motion that the constraints allow has no inertia.
    Motion {
        /// The coordinates that move, each with its rate where that is the same small number at every state.
        rates: Vec<(u32, Option<f64>)>,
    },
    /// Constraints depend on each other.
    Redundant {
        /// Their rows.
        rows: Vec<u32>,
    },
}

/// Every such reason that is found.
pub(super) fn degeneracies(
    graph: &Graph,
    physics: &Physics,
    mass: &[Vec<Id>],
    constraints: &Constraints,
) -> Vec<Degenerate> {
    let n = mass.len();
    let vanishes = |row: &[Id]| row.iter().all(|&entry| graph.is_zero(entry));
    let held = |i: usize| constraints.jacobian.iter().any(|row| !graph.is_zero(row[i]));
    let without: Vec<Degenerate> = (0..n)
        .filter(|&i| vanishes(&mass[i]) && !held(i))
        .map(|i| Degenerate::WithoutInertia { coordinate: i as u32 })
        .collect();
    if !without.is_empty() {
        return without;
    }
    let mut roots: Vec<Id> = mass.iter().flatten().copied().collect();
    roots.extend(constraints.jacobian.iter().flatten());
    let Some(points) = two_points(graph, physics, &roots) else { return Vec::new() };

    // Gᵀμ = 0.
    let redundant = points.each_ref().map(|values| {
        let border = &values[n * n..];
        let transposed = (0..n).map(|i| border.chunks(n).map(|row| row[i]).collect()).collect();
        null_vectors(transposed, constraints.len())
    });
    if let [Some(vector), Some(_)] = redundant.each_ref().map(|vectors| vectors.first()) {
        return vec![Degenerate::Redundant { rows: support(vector).map(|k| k as u32).collect() }];
    }
    // M x + Gᵀμ = 0, G x = 0.
    let motions = points.each_ref().map(|values| {
        let size = n + constraints.len();
        let mut matrix = vec![vec![0.0; size]; size];
        for (i, row) in values.chunks(n).enumerate() {
            for (j, &entry) in row.iter().enumerate() {
                matrix[i][j] = entry;
                matrix[j][i] = entry;
            }
        }
        null_vectors(matrix, size)
    });
    let [Some(first), Some(second)] = motions.each_ref().map(|vectors| vectors.first()) else { return Vec::new() };
    let rates = support(&first[..n])
        .map(|i| {
            let rate = (first[i] * 12.0).round() / 12.0;
            let constant = [first[i], second[i]].iter().all(|value| (value - rate).abs() < 1e-9);
            (i as u32, constant.then_some(rate))
        })
        .collect();
    vec![Degenerate::Motion { rates }]
}

/// The coordinates whose row of M a vanishes; what may be said of a mechanism whose M is not derived entry by entry.
pub(super) fn without_inertia(graph: &Graph, inertia: &[Id]) -> Vec<Degenerate> {
    (0..)
        .zip(inertia)
        .filter(|(_, row)| graph.is_zero(**row))
        .map(|(coordinate, _)| Degenerate::WithoutInertia { coordinate })
        .collect()
}

/// Whether M is singular at every state.
pub(super) fn is_singular(graph: &Graph, physics: &Physics, mass: &[Vec<Id>]) -> bool {
    let n = mass.len();
    let roots: Vec<Id> = mass.iter().flatten().copied().collect();
    let singular = |values: &Vec<f64>| !null_vectors(values.chunks(n).map(<[f64]>::to_vec).collect(), n).is_empty();
    two_points(graph, physics, &roots).is_some_and(|points| points.iter().all(singular))
}

/// The indices of the entries that are not zero.
fn support(vector: &[f64]) -> impl Iterator<Item = usize> + '_ {
    vector.iter().enumerate().filter(|(_, value)| value.abs() > 1e-7).map(|(index, _)| index)
}

/// The values of the expressions at two points in general position, parameters positive.
fn two_points(graph: &Graph, physics: &Physics, roots: &[Id]) -> Option<[Vec<f64>; 2]> {
    let spread = |kind: u32, index: u32, point: u32| {
        let mixed = f64::from(kind) * 0.418_219 + f64::from(index) * 0.618_034 + f64::from(point) * 0.754_878;
        (mixed + 0.1).fract()
    };
    let mut found = (0..CANDIDATES).filter_map(|point| {
        let values = numeric(graph, roots, &|symbol| match symbol {
            Symbol::Parameter(i) => 0.5 + spread(0, i, point),
            Symbol::Coordinate(i) => 2.0 * spread(1, i, point) - 1.0,
            Symbol::Velocity(i) => 2.0 * spread(2, i, point) - 1.0,
            Symbol::Input(i) => 2.0 * spread(3, i, point) - 1.0,
            _ => spread(4, physics.coordinates, point),
        });
        values.iter().all(|value| value.is_finite()).then_some(values)
    });
    Some([found.next()?, found.next()?])
}

/// A basis of the vectors x with A x = 0, the first entry of each that is not zero being one.
fn null_vectors(mut rows: Vec<Vec<f64>>, columns: usize) -> Vec<Vec<f64>> {
    for row in &mut rows {
        let largest = row.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
        if largest > 0.0 {
            row.iter_mut().for_each(|entry| *entry /= largest);
        }
    }
    // Gauss–Jordan elimination with complete pivoting: pivots[k] is the column that row k determines.
    let mut pivots: Vec<usize> = Vec::new();
    while pivots.len() < rows.len() {
        let done = pivots.len();
        let free = |column: &usize| !pivots.contains(column);
        let candidates = (done..rows.len()).flat_map(|i| (0..columns).filter(free).map(move |j| (i, j)));
        let largest = candidates.max_by(|a, b| rows[a.0][a.1].abs().total_cmp(&rows[b.0][b.1].abs()));
        let Some((i, j)) = largest.filter(|&(i, j)| rows[i][j].abs() > NEGLIGIBLE) else { break };
        rows.swap(done, i);
        let pivot = rows[done][j];
        rows[done].iter_mut().for_each(|entry| *entry /= pivot);
        let chosen = rows[done].clone();
        for (k, row) in rows.iter_mut().enumerate() {
            let factor = row[j];
            if k != done && factor != 0.0 {
                row.iter_mut().zip(&chosen).for_each(|(entry, chosen)| *entry -= factor * chosen);
            }
        }
        pivots.push(j);
    }
    let free: Vec<usize> = (0..columns).filter(|column| !pivots.contains(column)).collect();
    free.into_iter()
        .map(|column| {
            let mut vector = vec![0.0; columns];
            vector[column] = 1.0;
            for (row, &pivot) in rows.iter().zip(&pivots) {
                vector[pivot] = -row[column];
            }
            let first = support(&vector).next().map_or(1.0, |index| vector[index]);
            vector.iter_mut().for_each(|entry| *entry /= first);
            vector
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::null_vectors;

    #[test]
    fn null_vectors_of_a_matrix_of_rank_one() {
        let vectors = null_vectors(vec![vec![1.0, 2.0, 0.0], vec![2.0, 4.0, 0.0]], 3);
        assert_eq!(vectors.len(), 2);
        for vector in vectors {
            assert!((vector[0] + 2.0 * vector[1]).abs() < 1e-15, "{vector:?}");
        }
        assert!(null_vectors(vec![vec![1.0, 2.0], vec![2.0, 4.1]], 2).is_empty());
        assert_eq!(null_vectors(Vec::new(), 1), [[1.0]]);
    }
}
