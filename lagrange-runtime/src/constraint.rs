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

use crate::scalar::Real;
use crate::system::System;
use delegated::delegated;
use nalgebra::{SMatrix, SVector};

/// The name of a row.
fn name<S, R, const N: usize, const C: usize, const U: usize>(system: &S, row: usize) -> &'static str
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    system.constraints().get(row).copied().unwrap_or("constraint without a name")
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

/// Σ |Gᵢ||xᵢ| of each row, and what the row says besides: the magnitude of the terms that cancel in it.
fn scales<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
    x: &SVector<R, N>,
    besides: &SVector<R, C>,
) -> SVector<f64, C> {
    SVector::from_fn(|row, _| {
        (0..N).fold(besides[row].to_f64().abs(), |sum, i| sum + (jacobian[(row, i)].to_f64() * x[i].to_f64()).abs())
    })
}
