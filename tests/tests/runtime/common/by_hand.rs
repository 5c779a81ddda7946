//! The contract filled from momentum, balance and their derivatives alone.

use lagrange_runtime::linalg::solve_symmetric;
use lagrange_runtime::prelude::*;
use lagrange_runtime::stepper::{SwitchRules, Switches};
use lagrange_runtime::system::{Acceleration, Balance, BalanceJacobian, Energies, Equations, Facts};

/// The quantities of one mechanism without constraints.
pub(crate) trait ByHand<R: Real, const N: usize, const U: usize>: Send + Sync {
    const FACTS: Facts;
    const COORDINATES: &'static [&'static str];
    /// How many contacts it claims to have.
    const CONTACTS: usize = 0;
    /// How many coordinates are switching functions, and whether it gives the rules for them.
    const SWITCHES: (usize, bool) = (0, false);
    fn balance_jacobian(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> BalanceJacobian<R, N>;
    fn energy(&self, q: &SVector<R, N>, v: &SVector<R, N>) -> R;
    /// a in closed form, where it has one.
    fn acceleration(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Option<SVector<R, N>> {
        let _ = (t, q, v, u);
        None
    }
}

/// A mechanism by hand, as a system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hand<T>(pub(crate) T);

impl<T: ByHand<R, N, U>, R: Real, const N: usize, const U: usize> System<R, N, 0, U> for Hand<T> {
    fn facts(&self) -> &'static Facts {
        &T::FACTS
    }
    fn coordinates(&self) -> &'static [&'static str] {
        T::COORDINATES
    }
    fn row_count(&self) -> usize {
        T::CONTACTS
    }
    fn switch_count(&self) -> usize {
        T::SWITCHES.0
    }
    fn switch_rules(&self) -> Option<&'static dyn SwitchRules<R, N>> {
        if T::SWITCHES.1 { Some(&Switches) } else { None }
    }
    fn switches(&self, _: R, q: &SVector<R, N>, _: &SVector<R, N>, _: &SVector<R, U>, out: &mut [R]) {
        for (out, &q) in out.iter_mut().zip(q) {
            *out = q;
        }
    }
    fn default_inputs(&self) -> SVector<R, U> {
        SVector::repeat(R::ZERO)
    }
    fn balance(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Balance<R, N> {
        let at = self.0.balance_jacobian(t, q, v, u);
        Balance { momentum: at.momentum, balance: at.balance }
    }
    fn balance_jacobian(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> BalanceJacobian<R, N> {
        self.0.balance_jacobian(t, q, v, u)
    }
    fn equations(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Equations<R, N> {
        let at = self.0.balance_jacobian(t, q, v, u);
        let mut forcing = at.balance;
        for (k, &speed) in v.iter().enumerate() {
            forcing -= at.momentum_q.column(k) * speed;
        }
        Equations { mass_matrix: at.mass_matrix, forcing }
    }
    #[inline(always)]
    fn acceleration(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<Acceleration<R, N, 0>, SingularMass> {
        let acceleration = match self.0.acceleration(t, q, v, u) {
            Some(acceleration) => acceleration,
            None => {
                let Equations { mass_matrix, forcing } = self.equations(t, q, v, u);
                solve_symmetric(&mass_matrix, forcing)?
            }
        };
        Ok(Acceleration { acceleration, multipliers: SVector::repeat(R::ZERO) })
    }
    fn energies(&self, _: R, q: &SVector<R, N>, v: &SVector<R, N>, _: &SVector<R, U>) -> Energies<R> {
        Energies { kinetic: None, potential: None, energy: self.0.energy(q, v) }
    }
}

impl<T: ByHand<R, N, U>, R: Real, const N: usize, const U: usize> Sensors<R, N, U> for Hand<T> {}
