//! Constraints at run time: rank, consistent states, projection, stabilisation.
//!
//! Notation: holonomic rows g(q, t) = 0 and nonholonomic rows, all with the hidden constraint G v + drift = 0 and
//! G a + γ = 0. For a mechanism without constraints there is nothing to do, and nothing is done.
//!
//! - [`initialise`] makes a state consistent, in stages: q, then v, then a and λ;
//! - [`check`] tells which constraint a state breaks most, and by how much;
//! - [`Rank`] tells which constraints depend on others at a state;
//! - [`Projected`](crate::method::Projected) keeps any one-step method on the constraints, [`Baumgarte`] pulls it towards
//!   them, and [`LeastNorm`] gives redundant constraints their multipliers.

mod augmentation;
mod baumgarte;
mod delegated;
mod initialise;
mod least_norm;
mod projection;
mod rank;
mod unconstrained;

pub(crate) use augmentation::Augmentation;
pub use baumgarte::Baumgarte;
pub use initialise::{Consistent, check, initialise};
pub use least_norm::LeastNorm;
pub use projection::Projection;
pub use rank::Rank;
pub use unconstrained::Unconstrained;

use crate::linalg::singular_values::column_norms;
use crate::scalar::{Real, Scalar};
use crate::system::System;
use delegated::{delegated, sensors};
use nalgebra::{SMatrix, SVector};

/// What the rows of G are measured by near a loss of rank: max(|G|, √(σ |Ġ|/|v|)) for each row, in one metric. A row that vanishes
/// altogether at a singular configuration is compared with what it becomes by the motion; σ, the magnitude of the terms that cancel in
/// the constraint, and |v| make this a length of the same unit.
fn row_weights<R: Real, const N: usize, const C: usize>(
    gradients: &SMatrix<R, N, C>,
    rates: &SMatrix<R, N, C>,
    scale: &SVector<R, C>,
    speed: R,
) -> SVector<R, C> {
    let (lengths, changes) = (column_norms(gradients), column_norms(rates));
    SVector::from_fn(|row, _| {
        let future = scale[row].abs() * changes[row] * speed.recip_or_zero();
        Scalar::max(lengths[row], future.sqrt())
    })
}

/// What rounding may leave of a row, as a multiple of ε times its scale.
const ROUND_OFF: f64 = 256.0;

/// The name of a row.
fn name<S, R, const N: usize, const C: usize, const U: usize>(system: &S, row: usize) -> &'static str
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    system.constraints().get(row).copied().unwrap_or("constraint without a name")
}

/// The first holonomic constraint whose gradient vanishes at (t, q): relative to ∂G/∂q times q.
///
/// No multiplier holds such a constraint, and no step size helps.
pub(crate) fn vanishing<S, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: R,
    q: &SVector<R, N>,
) -> Option<&'static str>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    if C == 0 {
        return None;
    }
    let jacobian = system.constraint(t, q).jacobian;
    let row = (0..system.holonomic_count().min(C)).find(|&row| {
        let unit = SVector::from_fn(|k, _| if k == row { R::ONE } else { R::ZERO });
        let bend = system.constraint_hidden(t, q, &SVector::repeat(R::ZERO), &unit).reaction_q;
        (0..N).all(|i| {
            let change = (0..N).fold(0.0, |sum, j| sum + (bend[(i, j)].to_f64() * q[j].to_f64()).abs());
            jacobian[(row, i)].to_f64().abs() <= Scalar::sqrt(R::EPSILON) * change
        })
    })?;
    Some(name(system, row))
}

/// The remainders, with 0 for those that are `rounding`.
fn beyond<R: Real, const C: usize>(remainders: SVector<R, C>, rounding: &SVector<f64, C>) -> SVector<R, C> {
    remainders
        .zip_map(rounding, |remainder, rounding| if remainder.to_f64().abs() <= rounding { R::ZERO } else { remainder })
}

/// The row of the largest remainder relative to its scale, with both; none where all remainders vanish.
fn worst<R: Real, const C: usize>(remainders: &SVector<R, C>, scales: &SVector<f64, C>) -> Option<(usize, f64, f64)> {
    let mut worst: Option<(usize, f64, f64)> = None;
    for row in 0..C {
        let remainder = remainders[row].to_f64();
        let relative = if remainder == 0.0 { 0.0 } else { remainder.abs() / scales[row] };
        // NaN is worse than any number.
        if relative != 0.0 && worst.is_none_or(|(_, _, most)| relative.is_nan() || relative > most) {
            worst = Some((row, remainder, relative));
        }
    }
    worst
}

/// What rounding may leave of each row, whatever cancels in it: 256 ε Σ |Gᵢ| times the largest |xⱼ| of all coordinates.
///
/// The terms of a row may vanish at a state, as those of y = x² do at the origin, where each of them is rounding already: then
/// [`scales`] says nothing. The scale of the other coordinates tells what the row's could be. Coordinates that are all below ε say
/// nothing either, and 1 stands for their scale.
pub(crate) fn rounding<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
    x: &SVector<R, N>,
) -> SVector<f64, C> {
    let largest = x.iter().fold(0.0_f64, |largest, x| largest.max(x.to_f64().abs()));
    let scale = if largest > R::EPSILON { largest } else { 1.0 };
    SVector::from_fn(|row, _| {
        let slope = (0..N).fold(0.0, |sum, i| sum + jacobian[(row, i)].to_f64().abs());
        ROUND_OFF * R::EPSILON * scale * slope
    })
}

/// Σ |Gᵢ||xᵢ| of each row, and what the row says besides: the magnitude of the terms that cancel in it.
pub(crate) fn scales<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
    x: &SVector<R, N>,
    besides: &SVector<R, C>,
) -> SVector<f64, C> {
    SVector::from_fn(|row, _| {
        (0..N).fold(besides[row].to_f64().abs(), |sum, i| sum + (jacobian[(row, i)].to_f64() * x[i].to_f64()).abs())
    })
}
