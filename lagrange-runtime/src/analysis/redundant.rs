//! Derivatives of the accelerations where constraints are redundant.

use super::AnalysisError;
use super::matrix::{dense, least_directions, solve_least_squares};
use super::tangent::{TangentBasis, rank_tolerance};
use crate::error::SingularMass;
use crate::linalg::{bordered, solve_symmetric};
use crate::state::State;
use crate::system::{Acceleration, AccelerationJacobian, Linearise};
use nalgebra::{DMatrix, SVector};

/// The largest part of G a + γ that remains of a redundant row, relative to its terms.
const CONTRADICTION: f64 = 1e-8;
/// The largest curvature of a combination of constraints that vanishes to first order, relative to its terms.
const CURVATURE: f64 = 1e-8;

/// The derivatives of a at a state where some rows of G depend on others. They have a meaning in the directions of `basis`. λ has the
/// least Σ λ² of all with the same reaction.
///
/// A combination nᵀG of the rows that vanishes at the state must vanish around it too. To first order: Tᵀ ∂(Gᵀn)/∂q T = 0 in the
/// tangent space T. Where it does not, the rank of G is higher at the states around, and the state is a dead point. Source: J. García
/// de Jalón, E. Bayo, *Kinematic and Dynamic Simulation of Multibody Systems*, 1994, 3.4; for the condition, A. Müller, *Higher
/// derivatives of the kinematic mapping*, Mech. Mach. Theory 76, 2014.
///
/// # Errors
/// [`AnalysisError::NotApplicable`] at a dead point. [`AnalysisError::SingularMass`] names a constraint that contradicts the others, or
/// a coordinate without inertia.
pub(crate) fn redundant_jacobian<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    state: &State<f64, N>,
    u: &SVector<f64, U>,
    basis: &TangentBasis,
) -> Result<AccelerationJacobian<f64, N, C, U>, AnalysisError> {
    let (State { t, q, v }, tolerance) = (state, rank_tolerance(system));
    let singular = |singular: SingularMass| AnalysisError::singular(singular, system.coordinates());
    let equations = system.equations(*t, q, v, u);
    let border = system.constraint(*t, q).jacobian;
    let hidden = system.constraint_hidden(*t, q, v, &SVector::zeros());
    let (acceleration, some) =
        bordered::solve_independent(&equations.mass_matrix, &border, &equations.forcing, &-hidden.curvature, tolerance)
            .map_err(|error| singular(error.named(system.constraints())))?;
    // The reactions may cancel the forces. Then a is the rounding of the acceleration without constraints.
    let free = solve_symmetric(&equations.mass_matrix, equations.forcing).unwrap_or(acceleration);
    let length = |a: &SVector<f64, N>| a.dot(&(equations.mass_matrix * a)).abs().sqrt();
    let reach = length(&free).max(length(&acceleration));
    for row in 0..C {
        let gradient = border.row(row).transpose();
        // |∇g| in the metric of M⁻¹. A singular M has no such metric: the terms of the row alone decide there.
        let slope = solve_symmetric(&equations.mass_matrix, gradient).map_or(0.0, |x| x.dot(&gradient).abs().sqrt());
        let terms: f64 = (0..N)
            .map(|i| (border[(row, i)] * acceleration[i]).abs() + (hidden.rate_q[(row, i)] * v[i]).abs())
            .sum::<f64>()
            + hidden.curvature[row].abs()
            + slope * reach;
        let left = border.row(row).tr_dot(&acceleration) + hidden.curvature[row];
        if left.abs() > CONTRADICTION * terms {
            return Err(singular(SingularMass::of_constraint(row, system.constraints(), left)));
        }
    }
    check_rank(system, state, basis, &dense(&border))?;
    let reaction = DMatrix::from_column_slice(N, 1, (border.transpose() * some).as_slice());
    let shortest = solve_least_squares(&dense(&border).transpose(), &reaction, tolerance)?;
    let multipliers = SVector::from_fn(|row, _| shortest[row]);
    system
        .acceleration_jacobian_at(*t, q, v, u, &Acceleration { acceleration, multipliers }, tolerance)
        .map_err(singular)
}

/// Checks that the rows of G are as dependent at the states around as they are here.
fn check_rank<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    state: &State<f64, N>,
    basis: &TangentBasis,
    border: &DMatrix<f64>,
) -> Result<(), AnalysisError> {
    let lengths: std::vec::Vec<f64> =
        border.row_iter().map(|row| row.norm()).map(|l| if l > 0.0 { l } else { 1.0 }).collect();
    let columns = DMatrix::from_fn(N, C, |i, row| border[(row, i)] / lengths[row]);
    let redundant = (C + basis.velocities().len()).saturating_sub(N);
    let (_, directions) = least_directions(&columns)?;
    let combinations = directions.columns(0, redundant.min(C));
    let bend = |weights: &dyn Fn(usize) -> f64| {
        let weights = SVector::<f64, C>::from_fn(|row, _| weights(row) / lengths[row]);
        let by_q = dense(&system.constraint_hidden(state.t, &state.q, &SVector::zeros(), &weights).reaction_q);
        basis.velocity_by_velocity().transpose() * by_q * basis.position_by_position()
    };
    let terms: std::vec::Vec<DMatrix<f64>> =
        (0..C).map(|row| bend(&|other| f64::from(u8::from(other == row)))).collect();
    for combination in combinations.column_iter() {
        let whole = bend(&|row| combination[row]);
        let parts = terms.iter().zip(combination.iter()).map(|(term, weight)| term.abs() * weight.abs());
        let scale = parts.fold(whole.abs() * 0.0, |sum, part| sum + part);
        if !whole.iter().zip(&scale).all(|(whole, scale)| whole.abs() <= CURVATURE * scale) {
            let row = combination.icamax();
            return Err(AnalysisError::NotApplicable {
                analysis: "a linearisation",
                needs: std::format!(
                    "a state that is no dead point; here constraint `{}` depends on others on which it does not depend at the \
                     states around",
                    system.constraints().get(row).copied().unwrap_or("without a name")
                ),
            });
        }
    }
    Ok(())
}
