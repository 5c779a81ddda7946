//! Baumgarte's stabilisation.

use crate::error::SingularMass;
use crate::linalg::bordered;
use crate::scalar::Real;
use crate::switching::SwitchRules;
use crate::system::{
    Acceleration, AccelerationJacobian, Balance, BalanceJacobian, BalanceRates, Constraint, ConstraintHidden, Energies,
    Equations, Facts, Fingerprint, Linearise, OutputRow, Sensors, System,
};
use nalgebra::{SMatrix, SVector};

/// A system whose constraints are replaced by g̈ + 2α ġ + β² g = 0, so that a violation decays instead of growing. A
/// nonholonomic row has no g; the violation of its hidden constraint decays as e^(−2αt).
///
/// α and β are rates, in 1/(unit of t). With α = β the decay is critically damped. Gains of 1/h or more make the equations
/// stiff for a step h. The motion on the constraints does not change. Source: J. Baumgarte, *Stabilization of constraints and
/// integrals of motion in dynamical systems*, Comput. Methods Appl. Mech. Eng. 1, 1972.
#[derive(Clone, Copy, Debug)]
pub struct Baumgarte<'a, S: ?Sized, R> {
    system: &'a S,
    alpha: R,
    beta: R,
}

impl<'a, S: ?Sized, R: Real> Baumgarte<'a, S, R> {
    /// `system` with the gains α on the hidden constraint and β on the constraint.
    pub fn new(system: &'a S, alpha: R, beta: R) -> Self {
        Self { system, alpha, beta }
    }
}

impl<S, R, const N: usize, const C: usize, const U: usize> System<R, N, C, U> for Baumgarte<'_, S, R>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    super::delegated!(system);

    fn redundancy_tolerance(&self) -> f64 {
        self.system.redundancy_tolerance()
    }

    fn acceleration(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<Acceleration<R, N, C>, SingularMass> {
        let Equations { mass_matrix, forcing } = self.system.equations(t, q, v, u);
        let at = self.system.constraint(t, q);
        let hidden = self.system.constraint_hidden(t, q, v, &SVector::repeat(R::ZERO));
        let pull = hidden.rate * (self.alpha + self.alpha) + at.value * (self.beta * self.beta);
        let required = -(hidden.curvature + pull);
        let (acceleration, multipliers) = bordered::solve(&mass_matrix, &at.jacobian, &forcing, &required)
            .map_err(|singular| singular.named(self.system.constraints()))?;
        Ok(Acceleration { acceleration, multipliers })
    }
}

impl<S, R, const N: usize, const U: usize> Sensors<R, N, U> for Baumgarte<'_, S, R>
where
    S: Sensors<R, N, U> + ?Sized,
    R: Real,
{
    super::sensors!(system);
}

impl<S, R, const N: usize, const C: usize, const U: usize> Linearise<R, N, C, U> for Baumgarte<'_, S, R>
where
    S: Linearise<R, N, C, U> + ?Sized,
    R: Real,
{
    super::derivatives!(system);

    /// Returns 0. The derivatives by parameters contain β² ∂g/∂(parameter), which a system does not provide.
    fn parameter_count(&self) -> usize {
        0
    }

    /// The derivatives are exact on the constraints. Off the constraints they are correct to first order in the violation.
    fn acceleration_jacobian(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<AccelerationJacobian<R, N, C, U>, SingularMass> {
        let mut jacobian = self.system.acceleration_jacobian(t, q, v, u)?;
        let mass_matrix = self.system.equations(t, q, v, u).mass_matrix;
        let at = self.system.constraint(t, q);
        let hidden = self.system.constraint_hidden(t, q, v, &SVector::repeat(R::ZERO));
        let (double, square) = (self.alpha + self.alpha, self.beta * self.beta);
        let holonomic = self.system.holonomic_count();
        // ∂g vanishes for a nonholonomic row. The ∂/∂t of the hidden constraint is γ without its part ∂/∂q.
        let slope = SMatrix::<R, C, N>::from_fn(
            |row, i| {
                if row < holonomic { at.jacobian[(row, i)] * square } else { R::ZERO }
            },
        );
        let growth = SVector::<R, C>::from_fn(|row, _| {
            let steady = (0..N).fold(hidden.curvature[row], |sum, i| sum - hidden.rate_q[(row, i)] * v[i]);
            steady * double + if row < holonomic { at.drift[row] * square } else { R::ZERO }
        });
        let named = |singular: bordered::Singular| singular.named(self.system.constraints());
        let zero = SMatrix::<R, N, N>::repeat(R::ZERO);
        let required_q = -(hidden.rate_q * double + slope);
        let (by_q, force_q) = bordered::solve(&mass_matrix, &at.jacobian, &zero, &required_q).map_err(named)?;
        let (by_v, force_v) =
            bordered::solve(&mass_matrix, &at.jacobian, &zero, &-(at.jacobian * double)).map_err(named)?;
        let (by_t, force_t) =
            bordered::solve(&mass_matrix, &at.jacobian, &SVector::<R, N>::repeat(R::ZERO), &-growth).map_err(named)?;
        let Acceleration { acceleration, multipliers } = System::acceleration(self, t, q, v, u)?;
        jacobian.acceleration = acceleration;
        jacobian.multipliers = multipliers;
        jacobian.acceleration_q += by_q;
        jacobian.acceleration_v += by_v;
        jacobian.acceleration_t += by_t;
        jacobian.multipliers_q += force_q;
        jacobian.multipliers_v += force_v;
        jacobian.multipliers_t += force_t;
        Ok(jacobian)
    }

    /// Writes no column.
    fn acceleration_parameters(
        &self,
        _: R,
        _: &SVector<R, N>,
        _: &SVector<R, N>,
        _: &SVector<R, U>,
        _: &mut [Acceleration<R, N, C>],
    ) -> Result<(), SingularMass> {
        Ok(())
    }
}
