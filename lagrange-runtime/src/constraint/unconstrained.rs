//! A system as if it had no constraints.

use super::Augmentation;
use crate::error::SingularMass;
use crate::linalg::lu::Lu;
use crate::scalar::Real;
use crate::system::{
    Acceleration, AccelerationJacobian, Balance, BalanceJacobian, Energies, Equations, Facts, Fingerprint, Parameters,
    System,
};
use nalgebra::{SMatrix, SVector};

/// A system of `C` constraints without them: d/dt p = f, so M a = F. What a method between
/// [`Impulses`](crate::method::Impulses) integrates.
///
/// M must be regular by itself, but between [`Impulses`](crate::method::Impulses), which give an inertia to what the constraints keep from
/// moving where M is singular at every state. The facts are those of the system with its constraints, which claim no more than holds without
/// them but for [`Facts::regular_momentum`]; the sensors are those of the system too. The contract does not hold what the
/// derivatives of a = M⁻¹F need, so these are NaN: methods take those of [`System::balance_jacobian`].
#[derive(Debug)]
pub struct Unconstrained<'a, S: ?Sized, const C: usize> {
    system: &'a S,
    augmentation: Augmentation<C>,
}

impl<'a, S: ?Sized, const C: usize> Unconstrained<'a, S, C> {
    /// `system` without its constraints.
    pub fn new(system: &'a S) -> Self {
        Self { system, augmentation: Augmentation::none() }
    }

    /// `system` without its constraints, and with the inertia ½ ρ (G v + ∂g/∂t)² added to L: without it, a mass matrix that only the
    /// constraints make regular would be singular here.
    pub(crate) fn augmented(system: &'a S, augmentation: Augmentation<C>) -> Self {
        Self { system, augmentation }
    }
}

impl<S, R, const N: usize, const C: usize, const U: usize> System<R, N, 0, U> for Unconstrained<'_, S, C>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    fn facts(&self) -> &'static Facts {
        self.system.facts()
    }

    fn coordinates(&self) -> &'static [&'static str] {
        self.system.coordinates()
    }

    fn fingerprint(&self) -> Fingerprint {
        self.system.fingerprint()
    }

    fn parameters(&self) -> Parameters<'_, R> {
        self.system.parameters()
    }

    fn default_inputs(&self) -> SVector<R, U> {
        self.system.default_inputs()
    }

    fn balance(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Balance<R, N> {
        self.augmentation.balance(self.system, (t, q, v), self.system.balance(t, q, v, u))
    }

    fn balance_jacobian(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> BalanceJacobian<R, N, U> {
        self.augmentation.balance_jacobian(self.system, (t, q, v), self.system.balance_jacobian(t, q, v, u))
    }

    fn equations(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Equations<R, N> {
        self.augmentation.equations(self.system, (t, q, v), self.system.equations(t, q, v, u))
    }

    fn acceleration(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<Acceleration<R, N, 0>, SingularMass> {
        let Equations { mass_matrix, forcing } = System::<R, N, 0, U>::equations(self, t, q, v, u);
        let acceleration = Lu::new(mass_matrix)?.solve(&forcing);
        Ok(Acceleration { acceleration, multipliers: SVector::repeat(R::ZERO) })
    }

    /// a, with derivatives that are NaN.
    fn acceleration_jacobian(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<AccelerationJacobian<R, N, 0, U>, SingularMass> {
        let Acceleration { acceleration, multipliers } = System::<R, N, 0, U>::acceleration(self, t, q, v, u)?;
        let unknown = R::from_f64(f64::NAN);
        Ok(AccelerationJacobian {
            acceleration,
            multipliers,
            acceleration_q: SMatrix::repeat(unknown),
            acceleration_v: SMatrix::repeat(unknown),
            acceleration_t: SVector::repeat(unknown),
            acceleration_u: SMatrix::repeat(unknown),
            multipliers_q: SMatrix::repeat(unknown),
            multipliers_v: SMatrix::repeat(unknown),
            multipliers_t: SVector::repeat(unknown),
            multipliers_u: SMatrix::repeat(unknown),
        })
    }

    fn parameter_count(&self) -> usize {
        self.system.parameter_count()
    }

    /// NaN in every column.
    fn acceleration_parameters(
        &self,
        _: R,
        _: &SVector<R, N>,
        _: &SVector<R, N>,
        _: &SVector<R, U>,
        columns: &mut [Acceleration<R, N, 0>],
    ) -> Result<(), SingularMass> {
        let unknown = SVector::repeat(R::from_f64(f64::NAN));
        for column in columns.iter_mut().take(self.system.parameter_count()) {
            column.acceleration = unknown;
        }
        Ok(())
    }

    fn velocity_correction(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        p: &SVector<R, N>,
    ) -> Result<SVector<R, N>, SingularMass> {
        // Inputs have no part in p and M.
        let u = self.system.default_inputs();
        let momentum = System::<R, N, 0, U>::balance(self, t, q, v, &u).momentum;
        let mass_matrix = System::<R, N, 0, U>::equations(self, t, q, v, &u).mass_matrix;
        Ok(v + Lu::new(mass_matrix)?.solve(&(p - momentum)))
    }

    fn energies(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Energies<R> {
        self.system.energies(t, q, v, u)
    }

    fn power_names(&self) -> &'static [&'static str] {
        self.system.power_names()
    }

    fn powers(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        self.system.powers(t, q, v, u, out);
    }

    fn output_names(&self) -> &'static [&'static str] {
        self.system.output_names()
    }

    fn outputs(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        self.system.outputs(t, q, v, u, out);
    }

    fn switch_count(&self) -> usize {
        self.system.switch_count()
    }

    fn switch_names(&self) -> &'static [&'static str] {
        self.system.switch_names()
    }

    fn switches(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        self.system.switches(t, q, v, u, out);
    }
}
