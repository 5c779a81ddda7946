//! The contract filled from momentum, balance and their derivatives alone.

use lagrange_runtime::linalg::solve_symmetric;
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{
    Acceleration, AccelerationJacobian, Balance, BalanceJacobian, Energies, Equations, Facts,
};

/// The quantities of one mechanism without constraints.
pub(crate) trait ByHand<R: Real, const N: usize, const U: usize>: Send + Sync {
    const FACTS: Facts;
    const COORDINATES: &'static [&'static str];
    fn balance_jacobian(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> BalanceJacobian<R, N, U>;
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
    fn default_inputs(&self) -> SVector<R, U> {
        SVector::repeat(R::ZERO)
    }
    fn balance(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Balance<R, N> {
        let at = self.0.balance_jacobian(t, q, v, u);
        Balance { momentum: at.momentum, balance: at.balance }
    }
    fn balance_jacobian(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> BalanceJacobian<R, N, U> {
        self.0.balance_jacobian(t, q, v, u)
    }
    fn equations(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Equations<R, N> {
        let at = self.0.balance_jacobian(t, q, v, u);
        let mut forcing = at.balance - at.momentum_t;
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
    fn acceleration_jacobian(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<AccelerationJacobian<R, N, 0, U>, SingularMass> {
        // No method tested here asks for these derivatives; NaN would tell if one did.
        let Acceleration { acceleration, multipliers } = System::acceleration(self, t, q, v, u)?;
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
        0
    }
    fn acceleration_parameters(
        &self,
        _: R,
        _: &SVector<R, N>,
        _: &SVector<R, N>,
        _: &SVector<R, U>,
        _: &mut [Acceleration<R, N, 0>],
    ) -> Result<(), SingularMass> {
        Ok(())
    }
    fn velocity_correction(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        p: &SVector<R, N>,
    ) -> Result<SVector<R, N>, SingularMass> {
        let at = self.0.balance_jacobian(t, q, v, &SVector::repeat(R::ZERO));
        Ok(v + solve_symmetric(&at.mass_matrix, p - at.momentum)?)
    }
    fn energies(&self, _: R, q: &SVector<R, N>, v: &SVector<R, N>, _: &SVector<R, U>) -> Energies<R> {
        Energies { kinetic: None, potential: None, energy: self.0.energy(q, v) }
    }
    fn power_names(&self) -> &'static [&'static str] {
        &[]
    }
    fn powers(&self, _: R, _: &SVector<R, N>, _: &SVector<R, N>, _: &SVector<R, U>, _: &mut [R]) {}
}
