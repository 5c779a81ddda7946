//! The derivatives that linearisation and controllers need.

use super::{Acceleration, AccelerationJacobian, BalanceRates, OutputRow, System};
use crate::error::SingularMass;
use crate::scalar::Scalar;
use nalgebra::SVector;

/// The derivatives of a system's accelerations, multipliers and outputs, for linearisation, sensitivities and control. No method
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

    /// Writes outputs with their derivatives: `rows[k]` is the row of the output of index `outputs[k]` in the order of
    /// [`Sensors::output_names`](super::Sensors::output_names). It has y, ∂y/∂q, ∂y/∂v, ∂y/∂t, ∂y/∂u, and what ẏ and ÿ contain without accelerations, see
    /// [`OutputRow`]. A row without an output is NaN.
    ///
    /// It neither allocates nor panics. The derivatives are written out up to a size, by the shortest of three ways; beyond that, and for outputs of accelerations,
    /// multipliers, forces of contacts or functions of the user, they come from dual numbers. Under constraints they are partial derivatives, for which q
    /// and v vary independently. An output that the equations cannot be solved for has NaN as its value and derivatives.
    ///
    /// A derived mechanism with outputs implements it. The default, for systems written by hand, writes NaN.
    ///
    /// ```
    /// use lagrange_runtime::prelude::*;
    /// use lagrange_runtime::system::OutputRow;
    ///
    /// #[lagrangian {
    ///     coordinates a, b;
    ///     let elbow = [l*cos(a), l*sin(a)];
    ///     let tip   = elbow + [l*cos(a + b), l*sin(a + b)];
    ///     kinetic = m*norm2(dot(elbow))/2 + m*norm2(dot(tip))/2;
    ///     output hand = tip;
    /// }]
    /// struct Arm {
    ///     m: f64,
    ///     l: f64,
    /// }
    ///
    /// let (l, a, b) = (0.5_f64, 0.3_f64, 0.9_f64);
    /// let arm = Arm { m: 1.0, l }.prepare::<f64>()?;
    /// let (q, v, u) = (SVector::from([a, b]), SVector::from([2.0, -1.0]), SVector::from([]));
    /// let mut hand = [OutputRow::undefined(); 2];
    /// arm.output_jacobian(0.0, &q, &v, &u, &[0, 1], &mut hand);
    /// // J = ∂hand/∂q and J̇ v, by hand.
    /// assert!((hand[0].q[0] + l * (a.sin() + (a + b).sin())).abs() < 1e-15);
    /// assert!((hand[1].q[1] - l * (a + b).cos()).abs() < 1e-15);
    /// assert!((hand[0].drift - hand[0].q.dot(&v)).abs() < 1e-15);
    /// assert!((hand[0].bias + l * (4.0 * a.cos() + (a + b).cos())).abs() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn output_jacobian(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
        outputs: &[usize],
        rows: &mut [OutputRow<R, N, U>],
    ) {
        let _ = (t, q, v, u, outputs);
        rows.fill(OutputRow::undefined());
    }
}
