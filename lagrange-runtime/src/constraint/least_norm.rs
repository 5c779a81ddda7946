//! Redundant constraints that do not contradict each other: the motion is determined, and of all multipliers the
//! shortest are taken.

use super::{name, rounding};
use crate::error::SingularMass;
use crate::linalg::bordered::{NullSpace, Redundancy};
use crate::scalar::{Real, Scalar};
use crate::system::{
    Acceleration, AccelerationJacobian, Balance, BalanceJacobian, Constraint, ConstraintHidden, Energies, Equations,
    Facts, Fingerprint, System,
};
use nalgebra::SVector;

/// A system whose redundant constraints share the load: of all λ with the same Gᵀλ the one of least Σ λ².
///
/// A row of which the others leave at most a fraction `tolerance` of its norm counts as redundant. The state must meet
/// the constraints as precisely, so keep it on them: [`Projected`](crate::method::Projected). The share of each constraint
/// is a convention, not physics: that is not determined for rigid bodies.
#[derive(Clone, Copy, Debug)]
pub struct LeastNorm<'a, S: ?Sized> {
    system: &'a S,
    tolerance: f64,
}

impl<'a, S: ?Sized> LeastNorm<'a, S> {
    /// `system` with a tolerance for redundancy, such as 1e-8.
    pub fn new(system: &'a S, tolerance: f64) -> Self {
        Self { system, tolerance }
    }
}

impl<S, R, const N: usize, const C: usize, const U: usize> System<R, N, C, U> for LeastNorm<'_, S>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    super::delegated!(system);

    /// The shortest λ; where redundant constraints contradict each other, [`SingularMass`] names one.
    fn acceleration(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<Acceleration<R, N, C>, SingularMass> {
        let Equations { mass_matrix, forcing } = self.system.equations(t, q, v, u);
        let border = self.system.constraint(t, q).jacobian;
        let held = -self.system.constraint_hidden(t, q, v, &SVector::repeat(R::ZERO)).curvature;
        let blocks = NullSpace::new(&mass_matrix, &border, Redundancy::LeastNorm(self.tolerance))
            .map_err(|singular| singular.named(self.system.constraints()))?;
        let (acceleration, multipliers) = blocks.solve(&forcing, &held);
        let least = rounding(&border, &acceleration);
        for row in blocks.border().dependent() {
            let terms = (0..N).fold(held[row].to_f64().abs(), |sum, i| {
                sum + (border[(row, i)].to_f64() * acceleration[i].to_f64()).abs()
            });
            let left = (0..N).fold(-held[row], |sum, i| sum + border[(row, i)] * acceleration[i]).to_f64();
            if left.abs() > (Scalar::sqrt(self.tolerance.max(R::EPSILON)) * terms).max(least[row]) {
                let constraint = Some(name(self.system, row));
                return Err(SingularMass { coordinate: row, pivot: left, constraint });
            }
        }
        Ok(Acceleration { acceleration, multipliers })
    }

    /// That of the system itself, where its constraints are independent.
    ///
    /// # Errors
    /// [`SingularMass`] where they are not.
    fn acceleration_jacobian(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<AccelerationJacobian<R, N, C, U>, SingularMass> {
        self.system.acceleration_jacobian(t, q, v, u)
    }

    /// Those of the system itself, where its constraints are independent.
    ///
    /// # Errors
    /// [`SingularMass`] where they are not.
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
