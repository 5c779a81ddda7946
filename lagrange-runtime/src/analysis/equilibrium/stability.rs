//! Whether a mechanism stays near an equilibrium.

use super::Equilibrium;
use crate::analysis::AnalysisError;
use crate::analysis::linearization::linearize_in;
use crate::analysis::matrix::{dense, eigenvalues};
use crate::analysis::tangent::TangentBasis;
use crate::system::Linearise;
use nalgebra::{Complex, DMatrix, SymmetricEigen};
use std::vec::Vec;

/// A real part below this fraction of the largest eigenvalue counts as 0. A double eigenvalue is only as accurate as the square
/// root of the rounding.
const AXIS: f64 = 1e-7;

/// A second derivative of the energy below this fraction of the terms that cancel in it is scaled by these terms instead of by
/// itself. Together with [`AXIS`], a stiffness below 1e-12 of these terms counts as rounding.
const CANCELLED: f64 = 1e-5;

/// The stability of an equilibrium, as far as the linearisation and the energy decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All eigenvalues have negative real parts: motions nearby tend to the equilibrium.
    AsymptoticallyStable,
    /// The energy has a strict minimum at the equilibrium, and does not grow: motions nearby stay nearby.
    Stable,
    /// An eigenvalue has a positive real part: some motions nearby leave.
    Unstable,
    /// Some eigenvalues are on the imaginary axis, and the energy has no strict minimum: terms of higher order decide.
    Undecided,
}

/// The eigenvalues of the linearisation at an equilibrium, and the verdict that follows from them and from the energy.
#[derive(Clone, Debug, PartialEq)]
pub struct Stability {
    /// The verdict.
    pub verdict: Verdict,
    /// The eigenvalues of A in 1/(unit of time), those of larger real part first. Coordinates that the equations do not contain
    /// are omitted.
    pub eigenvalues: Vec<Complex<f64>>,
    /// The smallest eigenvalue of the energy's Hessian on the tangent space, with each independent coordinate scaled by its own
    /// second derivative. It is `None` where the energy does not decide.
    pub hessian: Option<f64>,
}

/// Judges whether `system` stays near `equilibrium`.
///
/// A coordinate that the equations do not contain is omitted, so that a relative equilibrium is compared with neighbours of any
/// phase. Let the mechanism be conservative and its constraints holonomic. Then an equilibrium at which
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

/// A without the coordinates whose column vanishes: the first `positions` states are coordinates.
fn without_phases(a: &DMatrix<f64>, positions: usize) -> DMatrix<f64> {
    let phases: Vec<usize> = (0..positions).filter(|&k| a.column(k).amax() == 0.0).collect();
    a.clone().remove_columns_at(&phases).remove_rows_at(&phases)
}

/// ∂(f + Gᵀλ)/∂q, and the sum of the magnitudes of its two terms.
fn stiffness<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    equilibrium: &Equilibrium<N, C, U>,
) -> (DMatrix<f64>, DMatrix<f64>) {
    let Equilibrium { state, inputs, multipliers, .. } = equilibrium;
    let by_force = dense(&system.balance_jacobian(state.t, &state.q, &state.v, inputs).balance_q);
    if C == 0 {
        let terms = by_force.abs();
        return (by_force, terms);
    }
    let by_reaction = dense(&system.constraint_hidden(state.t, &state.q, &state.v, multipliers).reaction_q);
    let terms = by_force.abs() + by_reaction.abs();
    (by_force + by_reaction, terms)
}

/// The largest rate √(k/m) that a coordinate would have if the terms of its stiffness did not cancel. A double
/// eigenvalue 0 is computed with an error that is small compared to this rate. Where all eigenvalues are rounding errors, the error is
/// not small compared to the largest of them.
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

/// The smallest eigenvalue of the scaled H; `None` where the kinetic energy is not positive definite.
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
