//! Whether the constraints of a mechanism are known to be independent of each other where it starts.

use super::start::Start;
use crate::derivation::Derivation;
use crate::graph::Symbol;
use crate::graph::value::numeric;

/// A start that violates a constraint by more than this part of its terms says nothing about states that the mechanism can have. A unit
/// refuses such a start.
const NEAR: f64 = 1e-6;

/// A gradient depends on other gradients if at most this part of its length is perpendicular to them. At a start that is [`NEAR`] the constraints,
/// a part of about the size of `NEAR` is perpendicular even where the gradients of the motion depend on each other.
const DEPENDENT: f64 = 1e-5;

/// Whether the gradients of the constraints are independent at the start, and the start meets the constraints. Where the
/// gradients depend on each other, the constraints determine the motion but not its derivatives: a state beside the constraints belongs to no motion.
pub(super) fn are_independent(derivation: &Derivation, start: &Start) -> bool {
    let constraints = &derivation.equations.constraints;
    let rows = constraints.len();
    if rows < 2 {
        return true;
    }
    let roots: Vec<_> = constraints
        .value
        .iter()
        .chain(&constraints.scale)
        .chain(constraints.jacobian.iter().flatten())
        .copied()
        .collect();
    let of = |list: &[f64], index: u32| list.get(index as usize).copied().unwrap_or(0.0);
    let values = numeric(&derivation.model.graph, &roots, &|symbol| match symbol {
        Symbol::Coordinate(index) => of(&start.coordinates, index),
        Symbol::Velocity(index) => of(&start.velocities, index),
        Symbol::Parameter(index) => of(&start.parameters, index),
        Symbol::Input(index) => of(&start.inputs, index),
        Symbol::Time => 0.0,
        _ => f64::NAN,
    });
    let (residuals, rest) = values.split_at(rows);
    let (scales, entries) = rest.split_at(rows);
    let gradients: Vec<&[f64]> = entries.chunks(entries.len() / rows).collect();
    let meets = residuals.iter().zip(scales).zip(&gradients).all(|((residual, scale), gradient)| {
        let terms: f64 = gradient.iter().zip(&start.coordinates).map(|(entry, q)| (entry * q).abs()).sum();
        residual.abs() <= NEAR * (scale + terms)
    });
    meets && is_basis(&gradients)
}

/// Whether vectors are independent, by Gram and Schmidt's method. A vector with NaN is not.
fn is_basis(vectors: &[&[f64]]) -> bool {
    let mut directions: Vec<Vec<f64>> = Vec::new();
    vectors.iter().all(|vector| {
        let mut rest = vector.to_vec();
        // The second pass removes what the rounding of the first one leaves.
        for _ in 0..2 {
            for direction in &directions {
                let part: f64 = rest.iter().zip(direction).map(|(a, b)| a * b).sum();
                rest.iter_mut().zip(direction).for_each(|(entry, along)| *entry -= part * along);
            }
        }
        let length = norm(&rest);
        directions.push(rest.iter().map(|entry| entry / length).collect());
        length > DEPENDENT * norm(vector)
    })
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|entry| entry * entry).sum::<f64>().sqrt()
}
