//! Constraints at run time: rank, consistent states, projection, stabilisation.
//!
//! Notation: the holonomic rows are g(q, t) = 0. They and the nonholonomic rows have the hidden constraint G v + drift = 0, and
//! its derivative G a + γ = 0. For a mechanism without constraints, these functions do nothing.
//!
//! - [`initialise`] makes a state consistent, in stages: q, then v, then a and λ;
//! - [`check`] finds the constraint that a state breaks most, and its residual;
//! - [`Rank`] finds the constraints that depend on others at a state;
//! - [`Projected`](crate::method::Projected) keeps any one-step method on the constraints, [`Baumgarte`] pulls it towards
//!   them, and [`LeastNorm`] gives redundant constraints their multipliers.

mod baumgarte;
mod delegated;
mod initialise;
mod least_norm;
mod projection;
mod rank;
mod unconstrained;

pub use baumgarte::Baumgarte;
pub use initialise::{Consistent, check, initialise};
pub use least_norm::LeastNorm;
pub use projection::Projection;
pub use rank::Rank;
pub use unconstrained::Unconstrained;

use crate::linalg::singular_values::column_norms;
use crate::scalar::{Real, Scalar};
use crate::system::{Constraint, System};
use delegated::{delegated, derivatives, sensors};
use nalgebra::{SMatrix, SVector};

/// The length by which each row of G is divided near a loss of rank: max(|G|, √(σ |Ġ|/|v|)), in one metric. A row that vanishes
/// at a singular configuration is compared with what the motion makes of it. σ is the magnitude of the terms that cancel in the
/// constraint; with it and |v|, the second length has the unit of the first.
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

/// The rounding that may remain of a row, as a multiple of ε times its scale.
pub(crate) const ROUND_OFF: f64 = 256.0;

/// The name of a row.
fn name<S, R, const N: usize, const C: usize, const U: usize>(system: &S, row: usize) -> &'static str
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    system.constraints().get(row).copied().unwrap_or("constraint without a name")
}

/// The first holonomic constraint whose gradient vanishes at (t, q), relative to ∂G/∂q times q.
///
/// No multiplier can enforce such a constraint, and no step size helps.
pub(crate) fn vanishing<S, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: R,
    q: &SVector<R, N>,
) -> Option<&'static str>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    if const { C == 0 } {
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

/// The residuals, with 0 for those that are at most `rounding`.
pub(crate) fn beyond<R: Real, const C: usize>(remainders: SVector<R, C>, rounding: &SVector<f64, C>) -> SVector<R, C> {
    remainders
        .zip_map(rounding, |remainder, rounding| if remainder.to_f64().abs() <= rounding { R::ZERO } else { remainder })
}

/// The row of the largest residual relative to its scale, with the residual and the ratio; `None` where all residuals vanish.
pub(crate) fn worst<R: Real, const C: usize>(
    remainders: &SVector<R, C>,
    scales: &SVector<f64, C>,
) -> Option<(usize, f64, f64)> {
    let mut worst: Option<(usize, f64, f64)> = None;
    for row in 0..C {
        let remainder = remainders[row].to_f64();
        let relative = if remainder == 0.0 { 0.0 } else { remainder.abs() / scales[row] };
        // NaN counts as larger than any number.
        if relative != 0.0 && worst.is_none_or(|(_, _, most)| relative.is_nan() || relative > most) {
            worst = Some((row, remainder, relative));
        }
    }
    worst
}

/// A vector without the last `states` entries, which no constraint contains and which have units of their own.
#[inline(always)]
pub(crate) fn mechanical<R: Real, const N: usize>(x: &SVector<R, N>, states: usize) -> SVector<R, N> {
    if states == 0 {
        return *x;
    }
    SVector::from_fn(|i, _| if i + states < N { x[i] } else { R::ZERO })
}

/// The rounding that may remain of each row, whatever terms cancel in it: 256 ε (Σ |Gᵢ| times the largest |xⱼ| of all coordinates, plus
/// `clock`). The last is the rate of the row in time times t, which is what the rounding of the time changes.
///
/// The terms of a row may vanish at a state, as those of y = x² do at the origin. Then each of them is rounding, and [`scales`]
/// is useless. The largest coordinate bounds what the terms could be.
pub(crate) fn rounding<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
    x: &SVector<R, N>,
    clock: &SVector<R, C>,
) -> SVector<f64, C> {
    let largest = x.iter().fold(0.0_f64, |largest, x| largest.max(x.to_f64().abs()));
    slopes(jacobian).zip_map(clock, |slope, clock| ROUND_OFF * R::EPSILON * (largest * slope + clock.to_f64().abs()))
}

/// The rounding of each g at q: [`rounding`], where the coordinates are those of the mechanism.
pub(crate) fn position_rounding<R: Real, const N: usize, const C: usize>(
    at: &Constraint<R, N, C>,
    t: R,
    q: &SVector<R, N>,
) -> SVector<f64, C> {
    rounding(&at.jacobian, q, &at.drift.map(|drift| drift * t))
}

/// The rates G v + drift of the hidden constraints at (t, q, v), with 0 for those that are rounding. The rate of a row in time is that of
/// its drift.
fn rates_beyond_rounding<S, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    (t, q): (R, &SVector<R, N>),
    (v, rates, jacobian): (&SVector<R, N>, SVector<R, C>, &SMatrix<R, C, N>),
) -> SVector<R, C>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    let v = mechanical(v, system.state_count());
    let rates = beyond(rates, &rounding(jacobian, &v, &SVector::repeat(R::ZERO)));
    // At rest, γ is the derivative of the drift by t. It is seldom needed.
    if t == R::ZERO || rates.iter().all(|rate| *rate == R::ZERO) {
        return rates;
    }
    let at_rest = system.constraint_hidden(t, q, &SVector::repeat(R::ZERO), &SVector::repeat(R::ZERO));
    beyond(rates, &rounding(jacobian, &v, &at_rest.curvature.map(|curvature| curvature * t)))
}

/// The rounding of each g where all coordinates are below the rounding of the mechanism's own length: 256 ε Σ |Gᵢ| times this length,
/// the largest Σ |Gᵢ| / Σ |∂²g/∂qᵢ∂qⱼ| of the rows. It is 0 where a coordinate is larger, and where no row is curved.
///
/// At such a state, the coordinates say nothing about the size of the terms.
fn rounding_at_origin<S, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    (t, q): (R, &SVector<R, N>),
    jacobian: &SMatrix<R, C, N>,
) -> SVector<f64, C>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    let slopes = slopes(jacobian);
    let mut length = 0.0_f64;
    for row in 0..system.holonomic_count().min(C) {
        let unit = SVector::from_fn(|k, _| if k == row { R::ONE } else { R::ZERO });
        let bend = system.constraint_hidden(t, q, &SVector::repeat(R::ZERO), &unit).reaction_q;
        let bend = bend.iter().fold(0.0, |sum, entry| sum + entry.to_f64().abs());
        if bend > 0.0 {
            length = length.max(slopes[row] / bend);
        }
    }
    let is_tiny = |x: &R| x.to_f64().abs() <= R::EPSILON * length;
    let length = if mechanical(q, system.state_count()).iter().all(is_tiny) { length } else { 0.0 };
    slopes.map(|slope| ROUND_OFF * R::EPSILON * length * slope)
}

/// Σ |Gᵢ| of each row.
fn slopes<R: Real, const N: usize, const C: usize>(jacobian: &SMatrix<R, C, N>) -> SVector<f64, C> {
    SVector::from_fn(|row, _| (0..N).fold(0.0, |sum, i| sum + jacobian[(row, i)].to_f64().abs()))
}

/// The magnitude of the terms that cancel in each row: Σ |Gᵢ||xᵢ|, plus the magnitude `row_scales` that the row states itself.
pub(crate) fn scales<R: Real, const N: usize, const C: usize>(
    jacobian: &SMatrix<R, C, N>,
    x: &SVector<R, N>,
    row_scales: &SVector<R, C>,
) -> SVector<f64, C> {
    SVector::from_fn(|row, _| {
        (0..N).fold(row_scales[row].to_f64().abs(), |sum, i| sum + (jacobian[(row, i)].to_f64() * x[i].to_f64()).abs())
    })
}
