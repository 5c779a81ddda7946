//! The derivatives that linearisation needs.

use super::{Acceleration, AccelerationJacobian, BalanceRates, System};
use crate::error::SingularMass;
use crate::scalar::Scalar;
use nalgebra::SVector;

/// The derivatives of a system's accelerations and multipliers, for linearisation, sensitivities and control design. No method
/// of integration needs them.
///
/// In a mechanism with contacts, the derivatives of a and λ are those in the phases that [`System::acceleration`] finds at the state: what
/// sticks or is closed there stays so, and what slips does not turn. Where a contact is at rest, a itself jumps across this state.
pub trait Linearise<R: Scalar, const N: usize, const C: usize, const U: usize>: System<R, N, C, U> {
    /// The derivatives of p and f by t and u; [`System::balance_jacobian`] gives those by q and v.
    fn balance_rates(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> BalanceRates<R, N, U>;

    /// a, λ and their derivatives by q, v, t, u, from M ∂a − Gᵀ∂λ = ∂F − ∂M a + ∂Gᵀλ, G ∂a = −∂γ − ∂G a.
    ///
    /// # Errors
    /// Those of [`System::acceleration`].
    fn acceleration_jacobian(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<AccelerationJacobian<R, N, C, U>, SingularMass>;

    /// The derivatives of [`Linearise::acceleration_jacobian`] at a solution (a, λ) of the equations that is given. Rows of G of
    /// which at most the fraction `tolerance` of their length is independent of others are left out. So the derivatives also exist where constraints are redundant and λ is not unique,
    /// for changes of the state that are tangent to the constraints.
    ///
    /// The default ignores `solved` and `tolerance`.
    ///
    /// # Errors
    /// [`SingularMass`] names the coordinate whose pivot vanished.
    fn acceleration_jacobian_at(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        solved: &Acceleration<R, N, C>,
        tolerance: f64,
    ) -> Result<AccelerationJacobian<R, N, C, U>, SingularMass> {
        let _ = (solved, tolerance);
        self.acceleration_jacobian(t, q, v, u)
    }

    /// The number of columns that [`Linearise::acceleration_parameters`] writes: one for each parameter.
    fn parameter_count(&self) -> usize;

    /// Writes ∂a/∂(parameter k) and ∂λ/∂(parameter k) into `columns[k]`, in the order of [`Mechanism::PARAMETERS`](crate::system::Mechanism::PARAMETERS).
    ///
    /// # Errors
    /// Those of [`System::acceleration`]. Columns beyond [`Linearise::parameter_count`] are unchanged. Parameters beyond the
    /// last column are dropped.
    fn acceleration_parameters(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        columns: &mut [Acceleration<R, N, C>],
    ) -> Result<(), SingularMass>;
}
