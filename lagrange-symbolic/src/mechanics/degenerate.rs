//! Why equations of motion have no unique solution at any state: coordinates without inertia, motions without inertia
//! that the constraints allow, and redundant constraints.
//!
//! Singular matrices are found by evaluation at points in general position: first in double precision, then, if they
//! seem singular there, with so many digits that a small pivot differs from a rounding error. A matrix of analytic
//! entries that is singular at such points is singular everywhere with probability one. On the constraints its rank can
//! only be lower. Where switches divide the states, points with every combination of sides must have been reached, else
//! nothing is claimed. Null vectors with constant rational entries, and two constraints with parallel gradients, are
//! proved as well.

use super::Constraints;
use super::singular::{Bordered, Regularity, regularity};
use crate::graph::{Graph, Id, Rational};
use crate::physics::Physics;
use crate::prove::vanishes;

/// Why the equations have no unique solution.
#[derive(Clone, PartialEq, Debug)]
pub enum Degenerate {
    /// A coordinate's row of M vanishes, and no constraint contains the coordinate.
    WithoutInertia {
        /// Its index.
        coordinate: u32,
    },
    /// A coordinate without inertia stands before one with inertia.
    Early {
        /// Its index.
        coordinate: u32,
        /// The last coordinate with inertia.
        other: u32,
    },
    /// A contact contains a coordinate without inertia.
    InContact {
        /// Its index.
        coordinate: u32,
        /// The name of the contact.
        contact: String,
    },
    /// The equations of coordinates without inertia are not linear in their velocities, and that of this one is free of its own.
    NonlinearVelocity {
        /// Its index.
        coordinate: u32,
        /// Whether the equation jumps where the velocity changes, and is free of it elsewhere, as under dry friction.
        jumps: bool,
    },
    /// A motion of coordinates without inertia meets no resistance, so that their equations do not determine its rate.
    Undetermined {
        /// The coordinates that move, each with its rate where that is the same small number at every state.
        rates: Vec<(u32, Option<f64>)>,
    },
    /// A motion that the constraints allow has no inertia.
    Motion {
        /// The coordinates that move, each with its rate where that is the same small number at every state.
        rates: Vec<(u32, Option<f64>)>,
        /// Whether this is proved. Otherwise it was found at every point that was tried.
        proved: bool,
    },
    /// Constraints depend on each other.
    Redundant {
        /// Their rows.
        rows: Vec<u32>,
        /// Whether this is proved. Otherwise it was found at every point that was tried.
        proved: bool,
    },
}

/// The reasons that are found. If the block asserts that the equations are regular, only proved reasons are listed.
pub(super) fn degeneracies(
    graph: &mut Graph,
    physics: &Physics,
    mass: &[Vec<Id>],
    constraints: &Constraints,
) -> Vec<Degenerate> {
    let n = mass.len();
    let is_constrained = |i: usize| constraints.jacobian.iter().any(|row| !graph.is_zero(row[i]));
    let vanishes = |row: &[Id]| row.iter().all(|&entry| graph.is_zero(entry));
    let without: Vec<Degenerate> = (0..n)
        .filter(|&i| vanishes(&mass[i]) && !is_constrained(i))
        .map(|i| Degenerate::WithoutInertia { coordinate: i as u32 })
        .collect();
    if !without.is_empty() {
        return without;
    }
    let found = redundant(graph, n, constraints).or_else(|| motion(graph, mass, constraints));
    found.into_iter().filter(|reason| is_kept(physics, reason)).collect()
}

/// Whether a reason is listed: what is not proved is not, where the block asserts that the equations are regular.
fn is_kept(physics: &Physics, reason: &Degenerate) -> bool {
    match reason {
        Degenerate::Motion { proved, .. } | Degenerate::Redundant { proved, .. } => *proved || !physics.regular,
        _ => true,
    }
}

/// A vector μ ≠ 0 with Gᵀμ = 0: redundant constraints.
fn redundant(graph: &mut Graph, coordinates: usize, constraints: &Constraints) -> Option<Degenerate> {
    let transposed: Vec<Vec<Id>> =
        (0..coordinates).map(|i| constraints.jacobian.iter().map(|row| row[i]).collect()).collect();
    let Regularity::Singular(vectors) = regularity(graph, &transposed[..], constraints.len()) else { return None };
    let rows: Vec<usize> = support(&vectors[0]).collect();
    let proved = constraints.len() > coordinates
        || is_proved(graph, &transposed, &vectors)
        || matches!(rows[..], [first, second] if are_parallel(graph, constraints, first, second));
    Some(Degenerate::Redundant { rows: rows.into_iter().map(|k| k as u32).collect(), proved })
}

/// A vector (x, μ) ≠ 0 with M x + Gᵀμ = 0 and G x = 0: a motion x without inertia.
fn motion(graph: &mut Graph, mass: &[Vec<Id>], constraints: &Constraints) -> Option<Degenerate> {
    let (n, zero) = (mass.len(), graph.zero());
    let mut matrix: Vec<Vec<Id>> = Vec::new();
    for (i, row) in mass.iter().enumerate() {
        matrix.push(row.iter().copied().chain(constraints.jacobian.iter().map(|row| row[i])).collect());
    }
    matrix.extend(constraints.jacobian.iter().map(|row| {
        let mut row = row.clone();
        row.resize(n + constraints.len(), zero);
        row
    }));
    let Regularity::Singular(vectors) = regularity(graph, &matrix[..], n + constraints.len()) else { return None };
    let rates = rates(&vectors, 0..n);
    Some(Degenerate::Motion { rates, proved: is_proved(graph, &matrix, &vectors) })
}

/// The coordinates of these indices that move, each with its rate where that is the same in all null vectors. Their entries
/// are the first of each vector.
pub(super) fn rates(vectors: &[Vec<f64>], indices: std::ops::Range<usize>) -> Vec<(u32, Option<f64>)> {
    support(&vectors[0][..indices.len()])
        .map(|i| ((indices.start + i) as u32, constant(vectors, i).map(|rate| rate.to_f64().value())))
        .collect()
}

/// Whether A x = 0 is proved for the null vector that was found. Its entries must be constant rational numbers.
fn is_proved(graph: &mut Graph, matrix: &[Vec<Id>], vectors: &[Vec<f64>]) -> bool {
    let Some(vector) = (0..vectors[0].len()).map(|i| constant(vectors, i)).collect::<Option<Vec<Rational>>>() else {
        return false;
    };
    matrix.iter().all(|row| {
        let terms = row.iter().copied().zip(vector.iter().cloned()).collect();
        let sum = graph.sum(terms, Rational::ZERO);
        vanishes(graph, sum)
    })
}

/// Whether every minor of two rows of G is proved to vanish.
fn are_parallel(graph: &mut Graph, constraints: &Constraints, first: usize, second: usize) -> bool {
    let (first, second) = (&constraints.jacobian[first], &constraints.jacobian[second]);
    let columns: Vec<usize> =
        (0..first.len()).filter(|&i| !graph.is_zero(first[i]) || !graph.is_zero(second[i])).collect();
    columns.iter().enumerate().all(|(position, &i)| {
        columns[..position].iter().all(|&j| {
            let (down, up) = (graph.mul(first[i], second[j]), graph.mul(first[j], second[i]));
            let minor = graph.sub(down, up);
            vanishes(graph, minor)
        })
    })
}

/// An entry that all vectors have in common, where it is a multiple of 1/12.
fn constant(vectors: &[Vec<f64>], i: usize) -> Option<Rational> {
    let twelfths = (vectors[0][i] * 12.0).round();
    let is_same = vectors.iter().all(|vector| (vector[i] - twelfths / 12.0).abs() < 1e-9);
    (is_same && twelfths.abs() < 1e9).then(|| crate::graph::rational(twelfths as i64, 12))
}

/// The coordinates whose row of M a vanishes. This test serves mechanisms whose M is not derived entry by entry.
pub(super) fn without_inertia(graph: &Graph, inertia: &[Id]) -> Vec<Degenerate> {
    (0..)
        .zip(inertia)
        .filter(|(_, row)| graph.is_zero(**row))
        .map(|(coordinate, _)| Degenerate::WithoutInertia { coordinate })
        .collect()
}

/// What M lacks to be regular.
pub(super) enum Lack {
    /// Nothing: M is regular at some state, or this was not decided.
    Nothing,
    /// The squares of these rows of G: M + Σ gᵀg is regular.
    Held(Vec<usize>),
    /// More than these squares.
    Unknown,
}

/// What M lacks, where M is given by the rows of M a. `candidates` are the rows of G whose squares may be added.
///
/// # Errors
/// The reasons why the equations have no unique solution, as [`degeneracies`] gives them.
pub(super) fn lack(
    graph: &mut Graph,
    physics: &Physics,
    (inertia, constraints): (&[Id], &Constraints),
    candidates: &[usize],
) -> Result<Lack, Vec<Degenerate>> {
    let (n, none) = (inertia.len(), [].as_slice());
    let jacobian = &constraints.jacobian;
    let decided = |jacobian: &[Vec<Id>], held: &[&[Id]]| {
        regularity(graph, &Bordered { inertia, jacobian, held }, n + jacobian.len())
    };
    if let Regularity::Singular(vectors) = decided(jacobian, none) {
        let motion = || Degenerate::Motion { rates: rates(&vectors, 0..n), proved: false };
        let reason = redundant(graph, n, constraints).unwrap_or_else(motion);
        return if is_kept(physics, &reason) { Err(vec![reason]) } else { Ok(Lack::Unknown) };
    }
    if matches!(decided(&[], none), Regularity::Regular) {
        return Ok(Lack::Nothing);
    }
    let held: Vec<&[Id]> = candidates.iter().map(|&row| &jacobian[row][..]).collect();
    Ok(match decided(&[], &held) {
        Regularity::Regular => Lack::Held(candidates.to_vec()),
        Regularity::Singular(_) => Lack::Unknown,
    })
}

/// Whether M is singular at every state.
pub(super) fn is_singular(graph: &Graph, mass: &[Vec<Id>]) -> bool {
    matches!(regularity(graph, mass, mass.len()), Regularity::Singular(_))
}

/// The indices of the entries that are not zero.
fn support(vector: &[f64]) -> impl Iterator<Item = usize> + '_ {
    vector.iter().enumerate().filter(|(_, value)| value.abs() > 1e-7).map(|(index, _)| index)
}
