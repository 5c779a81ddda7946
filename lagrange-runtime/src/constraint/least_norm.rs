//! Redundant constraints that do not contradict each other. They determine the motion, but not the multipliers: of all
//! multipliers with the same reaction, those of least Σ λ² are taken.

use super::{mechanical, row_weights};
use crate::error::SingularMass;
use crate::linalg::ldlt::Ldlt;
use crate::linalg::orthogonal::PivotedQr;
use crate::linalg::singular_values::{column_norms, smooth_least_norm};
use crate::scalar::{Real, Scalar};
use crate::switching::SwitchRules;
use crate::system::{
    Acceleration, AccelerationJacobian, Balance, BalanceJacobian, BalanceRates, Constraint, ConstraintHidden, Energies,
    Equations, Facts, Fingerprint, Linearise, OutputRow, Sensors, System,
};
use nalgebra::{SMatrix, SVector};

/// A system whose redundant constraints share the reaction: of all λ with the same Gᵀλ, it takes the one of least Σ λ².
///
/// Use it where constraints are redundant at every state, and where a linkage passes a configuration in which they lose rank.
/// There too, the accelerations are a smooth function of the state.
///
/// The system works in the metric of the kinetic energy. Each row of G is divided by max(|G|, √(σ |Ġ|/|v|)), where σ is the
/// magnitude of the terms that cancel in the constraint. Let G act in a direction with the singular value s. The acceleration
/// in that direction obeys the constraint by the fraction s⁸/(s⁸ + `tolerance`⁸), and Newton's law without constraint by the
/// rest. So it meets the constraint to 1e-8 where s is at least ten times the tolerance, and to rounding where s is at least a
/// hundred times the tolerance. A direction with s below the tolerance is free, and the motion goes on by its inertia: through
/// a dead point, into the branch on the other side.
///
/// An error δ of the state's position on its constraints changes the accelerations by δ/s². Choose the tolerance so that this
/// is small, such as 1e-4 for states that meet the constraints to rounding. [`Projected`](crate::method::Projected) keeps
/// states that accurate, and treats the velocities by the same rule.
///
/// The share of each constraint is a convention: for rigid bodies, physics does not determine it. M must be positive definite
/// in the motions that the constraints allow. Source of the idea: E. Bayo, A. Avello, *Singularity-free augmented Lagrangian
/// algorithms for constrained multibody dynamics*, Nonlinear Dynamics 5, 1994, who use the fraction s²/(s² + ε).
#[derive(Clone, Copy, Debug)]
pub struct LeastNorm<'a, S: ?Sized> {
    system: &'a S,
    tolerance: f64,
}

impl<'a, S: ?Sized> LeastNorm<'a, S> {
    /// `system` with a tolerance for redundancy, such as 1e-4.
    pub fn new(system: &'a S, tolerance: f64) -> Self {
        Self { system, tolerance }
    }

    /// The λ of least Σ λ² with Gᵀλ = `reaction`.
    fn share<R: Real, const N: usize, const C: usize>(
        &self,
        border: &SMatrix<R, C, N>,
        reaction: &SVector<R, N>,
    ) -> SVector<R, C> {
        let factors = PivotedQr::new(&SMatrix::<R, N, C>::from_fn(|i, row| border[(row, i)]), self.tolerance);
        factors.shortest(&factors.rotate(*reaction))
    }
}

/// The inertia and the forcing. The inertia is M if it is positive definite, and M + Gᵀ ρ G otherwise. Both give the same a
/// where G a + γ = 0 has a solution. The forcing is F, or what replaces it for the second inertia.
fn inertia<R: Real, const N: usize, const C: usize>(
    equations: &Equations<R, N>,
    border: &SMatrix<R, C, N>,
    curvature: &SVector<R, C>,
) -> Result<(Ldlt<R, N>, SVector<R, N>), SingularMass> {
    let Equations { mass_matrix, forcing } = equations;
    if let Ok(factors) = Ldlt::new(mass_matrix)
        && factors.small_pivots(mass_matrix) >= Scalar::sqrt(R::EPSILON)
    {
        return Ok((factors, *forcing));
    }
    let diagonal = (0..N).fold(R::ZERO, |most, i| Scalar::max(most, mass_matrix[(i, i)].abs()));
    let weight: SVector<R, C> = SVector::from_fn(|row, _| {
        let square = (0..N).fold(R::ZERO, |sum, i| sum + border[(row, i)] * border[(row, i)]);
        diagonal * square.recip_or_zero()
    });
    let lent = SMatrix::<R, N, N>::from_fn(|i, j| {
        (0..C).fold(mass_matrix[(i, j)], |sum, row| sum + border[(row, i)] * weight[row] * border[(row, j)])
    });
    let pushed = SVector::<R, N>::from_fn(|i, _| {
        (0..C).fold(forcing[i], |sum, row| sum - border[(row, i)] * weight[row] * curvature[row])
    });
    Ok((Ldlt::new(&lent)?, pushed))
}

impl<S, R, const N: usize, const C: usize, const U: usize> System<R, N, C, U> for LeastNorm<'_, S>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    super::delegated!(system);

    fn redundancy_tolerance(&self) -> f64 {
        self.tolerance
    }

    /// Takes the λ of least Σ λ². Where redundant constraints contradict each other, [`SingularMass`] names one.
    fn acceleration(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<Acceleration<R, N, C>, SingularMass> {
        let equations = self.system.equations(t, q, v, u);
        let Constraint { jacobian: border, scale, .. } = self.system.constraint(t, q);
        let ConstraintHidden { curvature, rate_q, .. } =
            self.system.constraint_hidden(t, q, v, &SVector::repeat(R::ZERO));
        let (mass, forcing) = inertia(&equations, &border, &curvature)?;
        let free = mass.solve(&forcing);

        // The metric of M uses y = D^(1/2) Lᵀ a.
        let columns = mass.whiten(&SMatrix::<R, N, C>::from_fn(|i, row| border[(row, i)]));
        let missing = SVector::<R, C>::from_fn(|row, _| {
            (0..N).fold(-curvature[row], |rest, i| rest - border[(row, i)] * free[i])
        });
        let rates = mass.whiten(&SMatrix::<R, N, C>::from_fn(|i, row| rate_q[(row, i)]));
        let weights = row_weights(&columns, &rates, &scale, mass.length(v));
        let acceleration = free + mass.unwhiten(&smooth_least_norm(&columns, &weights, &missing, self.tolerance));

        let states = self.system.state_count();
        // What the accelerations with and without the constraints could make of a row, in the metric of M.
        let reach =
            Scalar::max(mass.length(&mechanical(&acceleration, states)), mass.length(&mechanical(&free, states)));
        let gradients = column_norms(&columns);
        for row in 0..C {
            let terms = (0..N)
                .fold(curvature[row].to_f64().abs(), |sum, i| sum + (rate_q[(row, i)].to_f64() * v[i].to_f64()).abs())
                + (gradients[row] * reach).to_f64();
            let left = (0..N).fold(curvature[row], |sum, i| sum + border[(row, i)] * acceleration[i]).to_f64();
            if left.abs() > Scalar::sqrt(self.tolerance.max(R::EPSILON)) * terms {
                return Err(SingularMass::of_constraint(row, self.system.constraints(), left));
            }
        }
        let Equations { mass_matrix, forcing } = equations;
        let reaction = SVector::<R, N>::from_fn(|i, _| {
            (0..N).fold(-forcing[i], |sum, j| sum + mass_matrix[(i, j)] * acceleration[j])
        });
        let multipliers = self.share(&border, &reaction);
        Ok(Acceleration { acceleration, multipliers })
    }
}

impl<S, R, const N: usize, const U: usize> Sensors<R, N, U> for LeastNorm<'_, S>
where
    S: Sensors<R, N, U> + ?Sized,
    R: Real,
{
    super::sensors!(system);
}

impl<S, R, const N: usize, const C: usize, const U: usize> Linearise<R, N, C, U> for LeastNorm<'_, S>
where
    S: Linearise<R, N, C, U> + ?Sized,
    R: Real,
{
    fn parameter_count(&self) -> usize {
        self.system.parameter_count()
    }

    super::derivatives!(system);

    /// The derivatives of the system itself, for independent constraints.
    ///
    /// # Errors
    /// [`SingularMass`] where the constraints are not independent.
    fn acceleration_jacobian(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<AccelerationJacobian<R, N, C, U>, SingularMass> {
        self.system.acceleration_jacobian(t, q, v, u)
    }

    fn acceleration_jacobian_at(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        solved: &Acceleration<R, N, C>,
        tolerance: f64,
    ) -> Result<AccelerationJacobian<R, N, C, U>, SingularMass> {
        self.system.acceleration_jacobian_at(t, q, v, u, solved, tolerance)
    }

    /// The derivatives of the system itself, for independent constraints.
    ///
    /// # Errors
    /// [`SingularMass`] where the constraints are not independent.
    fn acceleration_parameters(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        columns: &mut [Acceleration<R, N, C>],
    ) -> Result<(), SingularMass> {
        self.system.acceleration_parameters(t, q, v, u, columns)
    }
}
