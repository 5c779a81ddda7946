//! Functions that generated code of mechanisms with constraints calls, where it does not write out the factorisation or met an
//! unsafe pivot.

use super::ResidualJacobian;
use super::columns::Variable;
use crate::error::SingularMass;
use crate::linalg::{bordered, solve_symmetric};
use crate::scalar::Scalar;
use crate::system::{Acceleration, AccelerationJacobian, System};
use nalgebra::{SMatrix, SVector};

/// Derivatives of s = G a + γ at a constant a. Column k is the derivative by variable k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintResidualJacobian<R: Scalar, const N: usize, const C: usize> {
    /// ∂s/∂q.
    pub q: SMatrix<R, C, N>,
    /// ∂s/∂v.
    pub v: SMatrix<R, C, N>,
    /// ∂s/∂t.
    pub t: SVector<R, C>,
}

impl<R: Scalar, const N: usize> ConstraintResidualJacobian<R, N, 0> {
    /// That of a mechanism without constraints.
    pub fn none() -> Self {
        Self::zero()
    }
}

impl<R: Scalar, const N: usize, const C: usize> ConstraintResidualJacobian<R, N, C> {
    /// 0 in each entry.
    pub(super) fn zero() -> Self {
        Self { q: SMatrix::repeat(R::ZERO), v: SMatrix::repeat(R::ZERO), t: SVector::repeat(R::ZERO) }
    }

    /// Sets the column of a variable, by its place in the order q, v, t, u. Inputs are not in constraints.
    #[inline(always)]
    pub(super) fn set(&mut self, index: usize, column: SVector<R, C>) {
        match Variable::of::<N>(index) {
            Variable::Coordinate(i) => self.q.set_column(i, &column),
            Variable::Velocity(i) => self.v.set_column(i, &column),
            Variable::Time => self.t = column,
            Variable::Input(_) => {}
        }
    }
}

/// The first `N` of several rows, and the `C` rows behind them.
#[inline(always)]
pub(super) fn parted<R: Scalar, const N: usize, const C: usize, const S: usize>(
    rows: &[R; S],
) -> (SVector<R, N>, SVector<R, C>) {
    let at = |row: usize| rows.get(row).copied().unwrap_or(R::ZERO);
    (SVector::from_fn(|row, _| at(row)), SVector::from_fn(|row, _| at(N + row)))
}

/// a and λ from M a = F + Gᵀλ, G a + γ = 0.
///
/// # Errors
/// [`SingularMass`] names the coordinate or the constraint whose pivot vanished.
#[cold]
#[inline(never)]
pub fn constrained_acceleration<R: Scalar, S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: R,
    q: SVector<R, N>,
    v: SVector<R, N>,
    u: SVector<R, U>,
) -> Result<Acceleration<R, N, C>, SingularMass>
where
    S: System<R, N, C, U> + ?Sized,
{
    let equations = system.equations(t, &q, &v, &u);
    let border = system.constraint(t, &q).jacobian;
    let curvature = system.constraint_hidden(t, &q, &v, &SVector::repeat(R::ZERO)).curvature;
    let (acceleration, multipliers) = bordered::solve(&equations.mass_matrix, &border, &equations.forcing, &-curvature)
        .map_err(|singular| singular.named(system.constraints()))?;
    Ok(Acceleration { acceleration, multipliers })
}

/// The derivatives of a and λ from M ∂a − Gᵀ∂λ = −∂r, G ∂a = −∂s, for r = M a − F − Gᵀλ and s = G a + γ. Rows of which
/// at most the fraction `tolerance` is independent of others are left out.
///
/// # Errors
/// Those of [`constrained_acceleration`].
pub fn constrained_jacobian<R: Scalar, S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    (t, q, v, u): (R, &SVector<R, N>, &SVector<R, N>, &SVector<R, U>),
    solved: &Acceleration<R, N, C>,
    residual: &ResidualJacobian<R, N, U>,
    constraint_residual: &ConstraintResidualJacobian<R, N, C>,
    tolerance: f64,
) -> Result<AccelerationJacobian<R, N, C, U>, SingularMass>
where
    S: System<R, N, C, U> + ?Sized,
{
    let mass = system.equations(t, q, v, u).mass_matrix;
    let border = system.constraint(t, q).jacobian;
    let named = |singular: bordered::Singular| singular.named(system.constraints());
    let (acceleration_q, multipliers_q) =
        bordered::solve_independent(&mass, &border, &-residual.q, &-constraint_residual.q, tolerance).map_err(named)?;
    let (acceleration_v, multipliers_v) =
        bordered::solve_independent(&mass, &border, &-residual.v, &-constraint_residual.v, tolerance).map_err(named)?;
    let (acceleration_t, multipliers_t) =
        bordered::solve_independent(&mass, &border, &-residual.t, &-constraint_residual.t, tolerance).map_err(named)?;
    let zero = SMatrix::<R, C, U>::repeat(R::ZERO);
    let (acceleration_u, multipliers_u) =
        bordered::solve_independent(&mass, &border, &-residual.u, &zero, tolerance).map_err(named)?;
    Ok(AccelerationJacobian {
        acceleration: solved.acceleration,
        multipliers: solved.multipliers,
        acceleration_q,
        acceleration_v,
        acceleration_t,
        acceleration_u,
        multipliers_q,
        multipliers_v,
        multipliers_t,
        multipliers_u,
    })
}

/// The derivatives of a and λ by parameters, from the columns ∂r and ∂s. They solve the equations of [`constrained_jacobian`].
/// Columns for which there is no room are dropped.
///
/// # Errors
/// Those of [`constrained_acceleration`].
pub fn solve_constrained_columns<R: Scalar, S, const N: usize, const C: usize, const U: usize, const P: usize>(
    system: &S,
    (t, q, v, u): (R, &SVector<R, N>, &SVector<R, N>, &SVector<R, U>),
    residual: &[SVector<R, N>; P],
    constraint_residual: &[SVector<R, C>; P],
    columns: &mut [Acceleration<R, N, C>],
) -> Result<(), SingularMass>
where
    S: System<R, N, C, U> + ?Sized,
{
    let mass = system.equations(t, q, v, u).mass_matrix;
    let border = system.constraint(t, q).jacobian;
    for ((column, residual), row) in columns.iter_mut().zip(residual).zip(constraint_residual) {
        let (acceleration, multipliers) = bordered::solve(&mass, &border, &-residual, &-row)
            .map_err(|singular| singular.named(system.constraints()))?;
        *column = Acceleration { acceleration, multipliers };
    }
    Ok(())
}

/// v + M⁻¹ (p − ∂L/∂v), with pivoting where M is not positive definite.
///
/// # Errors
/// [`SingularMass`] names the coordinate whose pivot vanished.
#[cold]
#[inline(never)]
pub fn constrained_velocity_correction<R: Scalar, S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: R,
    q: SVector<R, N>,
    v: SVector<R, N>,
    p: SVector<R, N>,
) -> Result<SVector<R, N>, SingularMass>
where
    S: System<R, N, C, U> + ?Sized,
{
    let (mass, missing) = momentum_missing(system, t, &q, &v, &p);
    Ok(v + solve_symmetric(&mass, missing)?)
}

/// The velocity of momentum p on the hidden constraint, for a mechanism whose M is singular at every state.
///
/// # Errors
/// Those of [`constrained_acceleration`].
#[inline(never)]
pub fn singular_velocity_correction<R: Scalar, S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: R,
    q: SVector<R, N>,
    v: SVector<R, N>,
    p: SVector<R, N>,
) -> Result<SVector<R, N>, SingularMass>
where
    S: System<R, N, C, U> + ?Sized,
{
    let (mass, missing) = momentum_missing(system, t, &q, &v, &p);
    let border = system.constraint(t, &q).jacobian;
    let rate = system.constraint_hidden(t, &q, &v, &SVector::repeat(R::ZERO)).rate;
    let (correction, _) =
        bordered::solve(&mass, &border, &missing, &-rate).map_err(|singular| singular.named(system.constraints()))?;
    Ok(v + correction)
}

/// M, and p − ∂L/∂v.
fn momentum_missing<R: Scalar, S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: R,
    q: &SVector<R, N>,
    v: &SVector<R, N>,
    p: &SVector<R, N>,
) -> (SMatrix<R, N, N>, SVector<R, N>)
where
    S: System<R, N, C, U> + ?Sized,
{
    // Neither M nor p depends on inputs.
    let u = system.default_inputs();
    let missing = p - system.balance(t, q, v, &u).momentum;
    (system.equations(t, q, v, &u).mass_matrix, missing)
}
