//! The stability of an equilibrium: whether motions that start near it stay near it.

use super::Equilibrium;
use crate::analysis::AnalysisError;
use crate::analysis::linearization::linearize_in;
use crate::analysis::matrix::{dense, eigenvalues};
use crate::analysis::tangent::TangentBasis;
use crate::system::Linearise;
use nalgebra::{Complex, DMatrix, SymmetricEigen};
use std::vec::Vec;

/// A real part below this fraction of the largest rate counts as 0. So does an eigenvalue of the
/// energy's scaled Hessian below this number.
///
/// It is about the square root of the rounding, because a double eigenvalue is not more accurate.
const AXIS: f64 = 1e-7;

/// The smallest scale of a second derivative of the energy, as a fraction of the terms that cancel
/// in it.
///
/// A larger second derivative is its own scale. A second derivative below 1e-12 of its terms, which
/// is `AXIS` times this fraction, therefore counts as 0. It may be a rounding error.
const CANCELLED: f64 = 1e-5;

/// The stability of an equilibrium, as far as the linearisation and the energy decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Motions that start near the equilibrium tend to it. All eigenvalues have negative real
    /// parts.
    AsymptoticallyStable,
    /// Motions that start near the equilibrium stay near it. The energy has a strict minimum at the
    /// equilibrium and does not grow.
    Stable,
    /// Some motions that start near the equilibrium leave it. An eigenvalue has a positive real
    /// part.
    Unstable,
    /// Terms of higher order decide. Some eigenvalues are on the imaginary axis, and the second
    /// derivatives of the energy show no strict minimum.
    Undecided,
}

/// The eigenvalues of the linearisation at an equilibrium, and the verdict that follows from them and from the energy.
#[derive(Clone, Debug, PartialEq)]
pub struct Stability {
    /// The verdict.
    pub verdict: Verdict,
    /// The eigenvalues of the linearisation's matrix A in 1/(unit of time), those of larger real
    /// part first. Coordinates that the equations do not contain are omitted.
    pub eigenvalues: Vec<Complex<f64>>,
    /// The smallest eigenvalue of the energy's Hessian on the tangent space. Each independent
    /// coordinate is scaled by its own second derivative. The value is `None` if the theorem of
    /// [`stability`] does not apply.
    pub hessian: Option<f64>,
}

/// Judges whether `system` stays near `equilibrium`.
///
/// A coordinate that the equations do not contain is omitted. A relative equilibrium therefore
/// counts as stable even if this coordinate, such as the angle of a spin, moves away.
///
/// Let the mechanism be conservative and its constraints holonomic. Then an equilibrium at which
///
/// ```text
/// H = −∂(f + Gᵀλ)/∂x + ∂f_x/∂w M_ww⁻¹ ∂p_w/∂x
/// ```
///
/// is positive definite on the tangent space is stable. Here w are the steady velocities, and x the other coordinates. Without
/// steady velocities this is the theorem of Lagrange and Dirichlet, with them that of Routh. Source: D. R. Merkin,
/// *Introduction to the Theory of Stability*, 3 and 6.
///
/// # Errors
/// Those of [`linearize`](crate::analysis::linearize).
pub fn stability<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    equilibrium: &Equilibrium<N, C, U>,
) -> Result<Stability, AnalysisError> {
    let Equilibrium { state, inputs, .. } = equilibrium;
    let basis = TangentBasis::at(system, state)?;
    let near = linearize_in(system, state, inputs, basis.clone())?;
    let eigenvalues = eigenvalues(&without_phases(near.a(), basis.positions().len()))?;
    let largest = eigenvalues.iter().fold(0.0_f64, |largest, value| largest.max(value.norm()));
    let largest = largest.max(natural_rate(system, equilibrium, &basis));
    let rightmost = eigenvalues.first().map_or(f64::NEG_INFINITY, |value| value.re);
    let facts = system.facts();
    let hessian = match facts.conservative && (facts.holonomic || facts.unconstrained) {
        true => smallest_curvature(system, equilibrium, &basis)?,
        false => None,
    };
    let verdict = if rightmost > AXIS * largest {
        Verdict::Unstable
    } else if rightmost < -AXIS * largest {
        Verdict::AsymptoticallyStable
    } else if hessian.is_some_and(|smallest| smallest > AXIS) {
        Verdict::Stable
    } else {
        Verdict::Undecided
    };
    Ok(Stability { verdict, eigenvalues, hessian })
}

/// Returns the matrix `a` without the coordinates that the equations do not contain. Their columns
/// are 0. The first `positions` rows and columns belong to coordinates.
fn without_phases(a: &DMatrix<f64>, positions: usize) -> DMatrix<f64> {
    let phases: Vec<usize> = (0..positions).filter(|&k| a.column(k).amax() == 0.0).collect();
    a.clone().remove_columns_at(&phases).remove_rows_at(&phases)
}

/// Returns ∂(f + Gᵀλ)/∂q, and the sum of the magnitudes of ∂f/∂q and ∂(Gᵀλ)/∂q.
fn stiffness<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    equilibrium: &Equilibrium<N, C, U>,
) -> (DMatrix<f64>, DMatrix<f64>) {
    let Equilibrium { state, inputs, multipliers, .. } = equilibrium;
    let by_force = dense(&system.balance_jacobian(state.t, &state.q, &state.v, inputs).balance_q);
    if const { C == 0 } {
        let terms = by_force.abs();
        return (by_force, terms);
    }
    let by_reaction = dense(&system.constraint_hidden(state.t, &state.q, &state.v, multipliers).reaction_q);
    let terms = by_force.abs() + by_reaction.abs();
    (by_force + by_reaction, terms)
}

/// Returns the largest rate √(k/m) that a coordinate would have if the terms of its stiffness k did
/// not cancel.
///
/// The error of a computed eigenvalue is small compared to this rate. It need not be small compared
/// to the largest eigenvalue, because all of them may be rounding errors.
fn natural_rate<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    equilibrium: &Equilibrium<N, C, U>,
    basis: &TangentBasis,
) -> f64 {
    let Equilibrium { state, inputs, .. } = equilibrium;
    let mass = dense(&system.equations(state.t, &state.q, &state.v, inputs).mass_matrix);
    let (_, terms) = stiffness(system, equilibrium);
    let tangent = basis.position_by_position();
    let inertia = (tangent.transpose() * mass * tangent).diagonal();
    let stiffness = (tangent.abs().transpose() * terms * tangent.abs()).diagonal();
    let square = |(stiffness, inertia): (&f64, &f64)| if *inertia > 0.0 { stiffness / inertia } else { 0.0 };
    stiffness.iter().zip(&inertia).map(square).fold(0.0_f64, f64::max).sqrt()
}

/// Returns the smallest eigenvalue of the scaled H. Returns `None` if the kinetic energy is not
/// positive definite, or if no coordinate is left.
fn smallest_curvature<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    equilibrium: &Equilibrium<N, C, U>,
    basis: &TangentBasis,
) -> Result<Option<f64>, AnalysisError> {
    let Equilibrium { state, inputs, steady, .. } = equilibrium;
    let at = system.balance_jacobian(state.t, &state.q, &state.v, inputs);
    let (by_q, mut terms) = stiffness(system, equilibrium);
    let tangent = basis.position_by_position();
    let mass = dense(&at.mass_matrix);
    let reduced_mass = tangent.transpose() * &mass * tangent;
    if reduced_mass.cholesky().is_none() {
        return Ok(None);
    }
    let inertia = mass.select_rows(steady).select_columns(steady);
    let carried = match inertia.cholesky() {
        _ if steady.is_empty() => DMatrix::zeros(N, N),
        Some(factors) => {
            let momentum = dense(&at.momentum_q).select_rows(steady);
            dense(&at.balance_v).select_columns(steady) * factors.solve(&momentum)
        }
        None => return Ok(None),
    };
    let free: Vec<usize> = (0..basis.positions().len()).filter(|&k| !steady.contains(&basis.positions()[k])).collect();
    let directions = tangent.select_columns(&free);
    let hessian = directions.transpose() * (&carried - by_q) * &directions;
    if hessian.is_empty() || !hessian.iter().all(|entry| entry.is_finite()) {
        return Ok(None);
    }
    terms += carried.abs();
    let terms = directions.abs().transpose() * terms * directions.abs();
    let scale = |(entry, terms): (&f64, &f64)| entry.abs().max(CANCELLED * terms).max(f64::MIN_POSITIVE).sqrt();
    let scale: Vec<f64> = hessian.diagonal().iter().zip(terms.diagonal().iter()).map(scale).collect();
    let scaled = DMatrix::from_fn(free.len(), free.len(), |i, j| {
        0.5 * (hessian[(i, j)] + hessian[(j, i)]) / (scale[i] * scale[j])
    });
    Ok(SymmetricEigen::try_new(scaled, f64::EPSILON, 10_000).map(|factors| factors.eigenvalues.min()))
}
