//! The stability of an equilibrium: whether motions that start near it stay near it.

use super::Equilibrium;
use crate::analysis::AnalysisError;
use crate::analysis::eigenvalues::eigenvalues_within;
use crate::analysis::linearization::linearize_in;
use crate::analysis::matrix::dense;
use crate::analysis::tangent::TangentBasis;
use crate::analysis::units::balanced_norm;
use crate::state::State;
use crate::system::Linearise;
use nalgebra::{Complex, DMatrix, SymmetricEigen};
use std::vec::Vec;

/// A second derivative counts as 0 if it is below this many roundings of the terms that cancel in it.
const ROUNDINGS: f64 = 64.0;

/// The number of later times at which the linearisation is compared with itself. Each is eight times as far away as the one before.
const LATER_TIMES: i32 = 20;

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
    /// Terms of higher order decide. Some eigenvalues are on the imaginary axis
    /// ([`Stability::on_axis`]), and the second derivatives of the energy show no strict minimum.
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
    /// The eigenvalues whose real parts are 0 as far as rounding tells. Each is judged by the error
    /// that rounding of the matrix causes in it, and not by the other eigenvalues.
    pub on_axis: Vec<Complex<f64>>,
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
/// The eigenvalues of one instant do not decide the stability of equations that depend on time: with
/// Mathieu's equation, an oscillator whose stiffness varies periodically may grow although it is
/// damped at every instant. Such equations are refused. [`Shooting`](crate::analysis::Shooting) gives
/// the Floquet multipliers of periodic motions instead.
///
/// # Errors
/// Those of [`linearize`](crate::analysis::linearize). [`AnalysisError::NotApplicable`] where the
/// equations at the equilibrium depend on time explicitly.
pub fn stability<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    equilibrium: &Equilibrium<N, C, U>,
) -> Result<Stability, AnalysisError> {
    let Equilibrium { state, inputs, .. } = equilibrium;
    let basis = TangentBasis::at(system, state)?;
    let near = linearize_in(system, state, inputs, basis.clone())?;
    let terms = terms(system, equilibrium, &basis, near.a());
    steady_in_time(system, equilibrium, &basis, near.a(), &terms)?;
    let phases = phases(near.a(), basis.positions().len());
    let without = |matrix: &DMatrix<f64>| matrix.clone().remove_columns_at(&phases).remove_rows_at(&phases);
    let found = eigenvalues_within(&without(near.a()), &without(&terms))?;
    let facts = system.facts();
    let is_energy_constant = facts.conservative && (facts.holonomic || facts.unconstrained);
    let curvature = match is_energy_constant {
        true => smallest_curvature(system, equilibrium, &basis)?,
        false => None,
    };
    let grows = found.iter().any(|pole| pole.value.re > pole.error);
    let decays = found.iter().all(|pole| pole.value.re < -pole.error);
    // The motions near an equilibrium of constant energy do not shrink, so that only growth is beyond rounding.
    let verdict = match curvature {
        Some(curvature) if curvature.smallest > curvature.rounding => Verdict::Stable,
        _ if grows => Verdict::Unstable,
        _ if decays && !is_energy_constant => Verdict::AsymptoticallyStable,
        _ => Verdict::Undecided,
    };
    let on_axis = found.iter().filter(|pole| pole.value.re.abs() <= pole.error).map(|pole| pole.value).collect();
    let eigenvalues = found.iter().map(|pole| pole.value).collect();
    Ok(Stability { verdict, eigenvalues, on_axis, hessian: curvature.map(|curvature| curvature.smallest) })
}

/// Fails if the equilibrium or the matrix `a` of the linearisation change with time. They are compared at later times, from a small
/// part of the fastest rate's time on, each eight times as far away as the one before.
fn steady_in_time<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    equilibrium: &Equilibrium<N, C, U>,
    basis: &TangentBasis,
    a: &DMatrix<f64>,
    terms: &DMatrix<f64>,
) -> Result<(), AnalysisError> {
    if system.facts().autonomous {
        return Ok(());
    }
    let Equilibrium { state, inputs, .. } = equilibrium;
    let at = |t: f64| system.balance_jacobian(t, &state.q, &state.v, inputs);
    let here = at(state.t);
    let by_u = system.balance_rates(state.t, &state.q, &state.v, inputs).balance_u;
    let size = here.balance.abs()
        + here.balance_q.abs() * state.q.abs()
        + here.balance_v.abs() * state.v.abs()
        + by_u.abs() * inputs.abs();
    let rounding = ROUNDINGS * N as f64 * f64::EPSILON;
    let rate = balanced_norm(a);
    let first = if rate > 0.0 { 1e-3 / rate } else { 1.0 }.max(state.t.abs() * f64::EPSILON.sqrt());
    for power in 0..LATER_TIMES {
        let t = state.t + first * 8.0_f64.powi(power);
        let later = State { t, ..*state };
        let balance = at(t).balance;
        let moves = (0..N).any(|i| {
            let change = (balance[i] - here.balance[i]).abs();
            exceeds(change, rounding * (size[i] + balance[i].abs()))
        });
        let moves = moves || constraints_change(system, equilibrium, t);
        let changes = match linearize_in(system, &later, inputs, basis.clone()) {
            Ok(near) => near
                .a()
                .iter()
                .zip(a)
                .zip(terms)
                .any(|((later, now), terms)| exceeds((later - now).abs(), rounding * (terms + later.abs()))),
            Err(_) => true,
        };
        if moves || changes {
            let what = if moves { "forces" } else { "linearised equations" };
            return Err(AnalysisError::NotApplicable {
                analysis: "the stability of an equilibrium",
                needs: std::format!(
                    "equations that do not depend on time explicitly; the {what} at the equilibrium change between t = {} and t = \
                     {t}, and eigenvalues of one instant decide nothing. For periodic equations, `Shooting` with the period fixed gives \
                     Floquet's multipliers",
                    state.t
                ),
            });
        }
    }
    Ok(())
}

/// Returns whether a change is more than rounding, or no number.
fn exceeds(change: f64, rounding: f64) -> bool {
    !change.is_finite() || change > rounding
}

/// Returns whether a constraint has another value at the time `t` than at the equilibrium.
fn constraints_change<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    equilibrium: &Equilibrium<N, C, U>,
    t: f64,
) -> bool {
    if const { C == 0 } {
        return false;
    }
    let state = &equilibrium.state;
    let (now, later) = (system.constraint(state.t, &state.q), system.constraint(t, &state.q));
    let size = later.jacobian.abs() * state.q.abs();
    let rounding = ROUNDINGS * N as f64 * f64::EPSILON;
    let changes = |row: usize| {
        let change = (later.value[row] - now.value[row]).abs();
        exceeds(change, rounding * size[row])
    };
    (0..system.holonomic_count().min(C)).any(changes)
}

/// Returns the coordinates that the equations do not contain, whose columns of `a` are 0. The first
/// `positions` rows and columns belong to coordinates.
fn phases(a: &DMatrix<f64>, positions: usize) -> Vec<usize> {
    (0..positions).filter(|&k| a.column(k).amax() == 0.0).collect()
}

/// Returns the magnitudes of the terms that cancel in the entries of the matrix `a` of the
/// linearisation. A stiffness may be a small difference of large forces, and an eigenvalue then has
/// the rounding of these forces.
fn terms<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    equilibrium: &Equilibrium<N, C, U>,
    basis: &TangentBasis,
    a: &DMatrix<f64>,
) -> DMatrix<f64> {
    let mut found = a.abs();
    let count = basis.positions().len();
    if !basis.velocities().starts_with(basis.positions()) {
        return found;
    }
    let Equilibrium { state, inputs, .. } = equilibrium;
    let mass = dense(&system.equations(state.t, &state.q, &state.v, inputs).mass_matrix);
    let tangent = basis.position_by_position();
    let Some(inverse) = (tangent.transpose() * mass * tangent).try_inverse() else { return found };
    let forces = tangent.abs().transpose() * stiffness(system, equilibrium).1 * tangent.abs();
    let by_position = inverse.abs() * forces;
    for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
        let entry = &mut found[(count + i, j)];
        *entry = entry.max(by_position[(i, j)]);
    }
    found
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

/// The smallest eigenvalue of the energy's scaled Hessian.
#[derive(Clone, Copy)]
struct Curvature {
    smallest: f64,
    /// The error of `smallest` that rounding of the terms of the Hessian causes.
    rounding: f64,
}

/// Returns the smallest eigenvalue of the scaled H. Returns `None` if the kinetic energy is not
/// positive definite, or if no coordinate is left.
fn smallest_curvature<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    equilibrium: &Equilibrium<N, C, U>,
    basis: &TangentBasis,
) -> Result<Option<Curvature>, AnalysisError> {
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
    let rounding = ROUNDINGS * free.len() as f64 * f64::EPSILON;
    let scale = |(entry, terms): (&f64, &f64)| entry.abs().max(rounding * terms).max(f64::MIN_POSITIVE).sqrt();
    let scale: Vec<f64> = hessian.diagonal().iter().zip(terms.diagonal().iter()).map(scale).collect();
    let scaled = |i: usize, j: usize, entry: f64| entry / (scale[i] * scale[j]);
    let errors = DMatrix::from_fn(free.len(), free.len(), |i, j| rounding * scaled(i, j, terms[(i, j)]));
    let hessian =
        DMatrix::from_fn(free.len(), free.len(), |i, j| scaled(i, j, 0.5 * (hessian[(i, j)] + hessian[(j, i)])));
    let factors = SymmetricEigen::try_new(hessian, f64::EPSILON, 10_000);
    Ok(factors.map(|factors| Curvature { smallest: factors.eigenvalues.min(), rounding: errors.norm() }))
}
