//! A system without its constraints.

use super::delegated::sensors;
use crate::error::SingularMass;
use crate::linalg::lu::Lu;
use crate::scalar::Real;
use crate::switching::SwitchRules;
use crate::system::{
    Acceleration, Balance, BalanceJacobian, Energies, Equations, Facts, Fingerprint, InertialBalance, Parameters,
    Sensors, System,
};
use nalgebra::SVector;

/// A system of `C` constraints without their reactions: d/dt p = f, so M a = F.
///
/// M alone must be regular. The facts are those of the system with its constraints. All of them but [`Facts::regular_momentum`]
/// are also true without constraints. The sensors are those of the system with its constraints.
#[derive(Debug)]
pub struct Unconstrained<'a, S: ?Sized, const C: usize> {
    system: &'a S,
}

impl<'a, S: ?Sized, const C: usize> Unconstrained<'a, S, C> {
    /// `system` without its constraints.
    pub fn new(system: &'a S) -> Self {
        Self { system }
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

    #[inline(always)]
    fn state_count(&self) -> usize {
        self.system.state_count()
    }
    #[inline(always)]
    fn mode_count(&self) -> usize {
        self.system.mode_count()
    }

    fn changes(&self) -> &'static [crate::change::Change] {
        self.system.changes()
    }

    fn change_values(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        self.system.change_values(t, q, v, u, out);
    }

    fn change_rules(&self) -> Option<&'static dyn crate::change::ChangeRules<R, N>> {
        self.system.change_rules()
    }

    fn gap_count(&self) -> usize {
        self.system.gap_count()
    }
    fn latch_count(&self) -> usize {
        self.system.latch_count()
    }
    fn bound_count(&self) -> usize {
        self.system.bound_count()
    }
    fn breakaway_rows(&self) -> &'static [usize] {
        self.system.breakaway_rows()
    }

    #[inline(always)]
    fn without_inertia_count(&self) -> usize {
        self.system.without_inertia_count()
    }

    fn nominal_ranges(&self) -> &'static [Option<[f64; 2]>] {
        self.system.nominal_ranges()
    }

    fn units(&self) -> &'static crate::system::Units {
        self.system.units()
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
        self.system.balance(t, q, v, u)
    }

    fn inertial_balance(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> InertialBalance<R, N> {
        self.system.inertial_balance(t, q, v, u)
    }
    fn balance_jacobian(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> BalanceJacobian<R, N> {
        self.system.balance_jacobian(t, q, v, u)
    }

    fn balance_by_time(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Option<Balance<R, N>> {
        self.system.balance_by_time(t, q, v, u)
    }

    fn equations(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Equations<R, N> {
        self.system.equations(t, q, v, u)
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

    fn velocity_correction(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        p: &SVector<R, N>,
    ) -> Result<SVector<R, N>, SingularMass> {
        // p and M do not depend on inputs.
        let u = self.system.default_inputs();
        let momentum = System::<R, N, 0, U>::balance(self, t, q, v, &u).momentum;
        let mass_matrix = System::<R, N, 0, U>::equations(self, t, q, v, &u).mass_matrix;
        Ok(v + Lu::new(mass_matrix)?.solve(&(p - momentum)))
    }

    fn energies(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Energies<R> {
        self.system.energies(t, q, v, u)
    }

    fn switch_count(&self) -> usize {
        self.system.switch_count()
    }

    fn switch_rules(&self) -> Option<&'static dyn SwitchRules<R, N>> {
        self.system.switch_rules()
    }

    fn switch_names(&self) -> &'static [&'static str] {
        self.system.switch_names()
    }

    fn switches(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>, out: &mut [R]) {
        self.system.switches(t, q, v, u, out);
    }
}

impl<S, R, const N: usize, const C: usize, const U: usize> Sensors<R, N, U> for Unconstrained<'_, S, C>
where
    S: Sensors<R, N, U> + ?Sized,
    R: Real,
{
    sensors!(system);
}
