//! Functions that the generated code of a mechanism calls. They check parameters, solve linear
//! equations whose factorisation is not written out, solve nonlinear equations, compute derivatives
//! by dual numbers, and evaluate splines.

mod bundle;
mod by_duals;
mod columns;
mod constrained;
mod contacts;
mod implicit;
mod linear;
mod outputs;
mod run;
mod sloped;
mod spline;

pub use bundle::{Bundle, TwoBundles};
pub use by_duals::{
    balance_jacobian, balance_rates, contact_columns, contact_jacobian, hidden_constraints, joined_jacobian,
    joined_parameter_columns, parameter_columns, residual_jacobian, variables,
};
pub use columns::Pattern;
pub use constrained::{
    ConstraintResidualJacobian, constrained_acceleration, constrained_jacobian, constrained_velocity_correction,
    singular_velocity_correction, solve_constrained_columns,
};
pub use contacts::{acceleration_at_rest, contact_forces, write_contact_powers};
pub use implicit::{ImplicitRows, implicit};
pub use linear::{factored_columns, factored_jacobian, joined_columns, mass_matrix, residual_columns};
pub use outputs::{output_biases, output_rows, undefined, write_rows};
pub use run::{Map, NO_ARGUMENT, Place, Run, linear_map};
pub use sloped::{bundles, mapped_columns, sloped_jacobian};
pub use spline::{Numbers, Spline};

use crate::error::{PrepareError, SingularMass};
use crate::linalg::solve_symmetric;
use crate::scalar::{Mask, Scalar};
use crate::system::{Acceleration, AccelerationJacobian, Equations, System};
use nalgebra::{SMatrix, SVector};

/// What may stand as a part of a mechanism.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no part: its block lacks `part;`",
    label = "this struct cannot be a part",
    note = "write `part;` into the block of `{Self}`; the message about a missing macro `{Self}` then disappears"
)]
pub trait Part {}

/// Derivatives of r = M a − F at a constant a. Column k is the derivative by variable k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResidualJacobian<R: Scalar, const N: usize, const U: usize> {
    /// ∂r/∂q.
    pub q: SMatrix<R, N, N>,
    /// ∂r/∂v.
    pub v: SMatrix<R, N, N>,
    /// ∂r/∂t.
    pub t: SVector<R, N>,
    /// ∂r/∂u.
    pub u: SMatrix<R, N, U>,
}

impl<R: Scalar, const N: usize, const U: usize> ResidualJacobian<R, N, U> {
    /// 0 in each entry.
    fn zero() -> Self {
        Self {
            q: SMatrix::repeat(R::ZERO),
            v: SMatrix::repeat(R::ZERO),
            t: SVector::repeat(R::ZERO),
            u: SMatrix::repeat(R::ZERO),
        }
    }

    /// Sets the column of a variable, by its place in the order q, v, t, u.
    #[inline(always)]
    fn set(&mut self, index: usize, column: SVector<R, N>) {
        match columns::Variable::of::<N>(index) {
            columns::Variable::Coordinate(i) => self.q.set_column(i, &column),
            columns::Variable::Velocity(i) => self.v.set_column(i, &column),
            columns::Variable::Time => self.t = column,
            columns::Variable::Input(i) => self.u.set_column(i, &column),
        }
    }
}

/// Checks that an expression in parameters has the sign that the derivation assumed: positive if
/// `strictly` is `true`, and positive or 0 otherwise.
///
/// Scalars of several lanes are not checked, because an error would stop all lanes. A lane in which
/// the mass matrix is not positive definite has NaN as its acceleration instead.
///
/// # Errors
/// [`PrepareError::NotPositive`] with the expression.
pub fn check_positive<R: Scalar>(expression: &'static str, value: R, strictly: bool) -> Result<(), PrepareError> {
    let holds = if strictly { value.gt(R::ZERO) } else { value.ge(R::ZERO) };
    if R::LANES > 1 || holds.all() {
        return Ok(());
    }
    Err(PrepareError::NotPositive { parameter: expression, value: value.to_f64() })
}

/// Checks that an assumption of the block is true in every lane. It is true if `value` is positive.
///
/// # Errors
/// [`PrepareError::AssumptionFails`] with the assumption.
pub fn check_assumption<R: Scalar>(assumption: &'static str, value: R) -> Result<(), PrepareError> {
    if value.gt(R::ZERO).all() {
        return Ok(());
    }
    Err(PrepareError::AssumptionFails { assumption, value: value.to_f64() })
}

/// Checks the number of parameters, and that every parameter and every default input is finite.
///
/// # Errors
/// [`PrepareError::ParameterCount`], or [`PrepareError::NotFinite`] with the name of the first that is not finite.
pub fn check_parameters<R: Scalar>(
    parameters: &[R],
    inputs: &[R],
    parameter_names: &[&'static str],
    input_names: &[&'static str],
) -> Result<(), PrepareError> {
    if parameters.len() != parameter_names.len() {
        return Err(PrepareError::ParameterCount { expected: parameter_names.len(), given: parameters.len() });
    }
    let values = parameters.iter().zip(parameter_names).chain(inputs.iter().zip(input_names));
    for (value, name) in values {
        if !value.is_finite().all() {
            return Err(PrepareError::NotFinite { parameter: name, value: value.to_f64() });
        }
    }
    Ok(())
}

/// Returns a and λ from a result, or NaN for both if the equations could not be solved for them.
pub fn solved<R: Scalar, const N: usize, const C: usize>(
    result: Result<Acceleration<R, N, C>, SingularMass>,
) -> (SVector<R, N>, SVector<R, C>) {
    match result {
        Ok(solved) => (solved.acceleration, solved.multipliers),
        Err(_) => (SVector::repeat(R::from_f64(f64::NAN)), SVector::repeat(R::from_f64(f64::NAN))),
    }
}

/// Solves M a = F for a. It pivots if M is not positive definite.
///
/// # Errors
/// [`SingularMass`] names the coordinate whose pivot vanished.
#[inline]
pub fn acceleration<R: Scalar, const N: usize>(
    equations: &Equations<R, N>,
) -> Result<Acceleration<R, N, 0>, SingularMass> {
    let acceleration = solve_symmetric(&equations.mass_matrix, equations.forcing)?;
    Ok(Acceleration { acceleration, multipliers: SVector::from([]) })
}

/// Solves M a = F for a with pivoting. Generated code calls it if a pivot of its written-out
/// factorisation is not safe.
///
/// This function and the others for such a case take their arguments by value. References would
/// give the caller's state an address and keep it out of registers, even if no pivoting occurs.
///
/// # Errors
/// Those of [`acceleration`].
#[cold]
#[inline(never)]
pub fn pivoted_acceleration<R: Scalar, S: System<R, N, 0, U>, const N: usize, const U: usize>(
    system: &S,
    t: R,
    q: SVector<R, N>,
    v: SVector<R, N>,
    u: SVector<R, U>,
) -> Result<Acceleration<R, N, 0>, SingularMass> {
    acceleration(&system.equations(t, &q, &v, &u))
}

/// Solves M a = F for a with pivoting, as [`pivoted_acceleration`] does. M and F are those of [`equations`], so that a program that asks for
/// accelerations alone contains no other evaluation of M.
///
/// # Errors
/// Those of [`acceleration`].
#[cold]
#[inline(never)]
pub fn pivoted_acceleration_by_residual<R: Scalar, S: System<R, N, 0, U>, const N: usize, const U: usize>(
    system: &S,
    t: R,
    q: SVector<R, N>,
    v: SVector<R, N>,
    u: SVector<R, U>,
) -> Result<Acceleration<R, N, 0>, SingularMass> {
    acceleration(&equations(system, t, &q, &v, &u))
}

/// The acceleration by which [`equations`] finds the columns of M, 2⁶⁴: a power of two, so that no product is rounded. It is larger than the
/// accelerations of a motion, so that the rounding of F does not count beside that of M a.
const LARGE_ACCELERATION: f64 = 18_446_744_073_709_551_616.0;

/// Returns M and F from r = M a − F, which [`System::inverse_dynamics`] evaluates. r is linear in a: column i of M is (r(s eᵢ) − r(0))/s with
/// s = 2⁶⁴, up to rounding.
pub fn equations<R: Scalar, S: System<R, N, C, U>, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: R,
    q: &SVector<R, N>,
    v: &SVector<R, N>,
    u: &SVector<R, U>,
) -> Equations<R, N> {
    let large = R::from_f64(LARGE_ACCELERATION);
    let part = R::from_f64(1.0 / LARGE_ACCELERATION);
    let mut a = SVector::repeat(R::ZERO);
    let at_rest = system.inverse_dynamics(t, q, v, &a, u);
    let mut mass_matrix: SMatrix<R, N, N> = SMatrix::repeat(R::ZERO);
    for index in 0..N {
        a[index] = large;
        let column = (system.inverse_dynamics(t, q, v, &a, u) - at_rest).map(|component| component * part);
        mass_matrix.set_column(index, &column);
        a[index] = R::ZERO;
    }
    Equations { mass_matrix, forcing: -at_rest }
}

/// Returns a and λ of a written-out factorisation, with NaN in the lanes in which a pivot was not
/// safe.
///
/// Another factorisation for some of the lanes would need a branch that all lanes take. With NaN no
/// lane depends on another one. A scalar with one lane is returned unchanged: the generated code
/// calls this function only if its pivots are safe.
#[inline(always)]
pub fn where_safe<R: Scalar, const N: usize, const C: usize>(
    safe: R::Mask,
    mut solved: Acceleration<R, N, C>,
) -> Acceleration<R, N, C> {
    if R::LANES > 1 {
        let nan = R::from_f64(f64::NAN);
        for component in solved.acceleration.iter_mut().chain(solved.multipliers.iter_mut()) {
            *component = R::select(safe, *component, nan);
        }
    }
    solved
}

/// Solves M ∂a = −∂r for the derivatives of a.
///
/// # Errors
/// Those of [`acceleration`].
pub fn acceleration_jacobian<R: Scalar, const N: usize, const U: usize>(
    mass_matrix: &SMatrix<R, N, N>,
    acceleration: &SVector<R, N>,
    residual: &ResidualJacobian<R, N, U>,
) -> Result<AccelerationJacobian<R, N, 0, U>, SingularMass> {
    Ok(AccelerationJacobian {
        acceleration: *acceleration,
        multipliers: SVector::from([]),
        acceleration_q: solve_symmetric(mass_matrix, -residual.q)?,
        acceleration_v: solve_symmetric(mass_matrix, -residual.v)?,
        acceleration_t: solve_symmetric(mass_matrix, -residual.t)?,
        acceleration_u: solve_symmetric(mass_matrix, -residual.u)?,
        multipliers_q: SMatrix::repeat(R::ZERO),
        multipliers_v: SMatrix::repeat(R::ZERO),
        multipliers_t: SVector::repeat(R::ZERO),
        multipliers_u: SMatrix::repeat(R::ZERO),
    })
}

/// Writes −M⁻¹ times each column of `residual` into `columns`. Columns for which `columns` has no
/// room are dropped.
///
/// # Errors
/// Those of [`acceleration`].
pub fn solve_columns<R: Scalar, const N: usize, const P: usize>(
    mass_matrix: &SMatrix<R, N, N>,
    residual: &[SVector<R, N>; P],
    columns: &mut [Acceleration<R, N, 0>],
) -> Result<(), SingularMass> {
    let mut right = SMatrix::<R, N, P>::repeat(R::ZERO);
    for (index, column) in residual.iter().enumerate() {
        right.set_column(index, &-column);
    }
    let solved = solve_symmetric(mass_matrix, right)?;
    for (column, solution) in columns.iter_mut().zip(solved.column_iter()) {
        column.acceleration.copy_from(&solution);
    }
    Ok(())
}

/// Returns v + M⁻¹ (p − ∂L/∂v). It pivots if M is not positive definite.
///
/// # Errors
/// Those of [`acceleration`].
#[cold]
#[inline(never)]
pub fn pivoted_velocity_correction<R: Scalar, S: System<R, N, 0, U>, const N: usize, const U: usize>(
    system: &S,
    t: R,
    q: SVector<R, N>,
    v: SVector<R, N>,
    p: SVector<R, N>,
) -> Result<SVector<R, N>, SingularMass> {
    // Neither the momentum nor the mass matrix depends on inputs.
    let u = system.default_inputs();
    let momentum = system.balance(t, &q, &v, &u).momentum;
    let mass_matrix = system.equations(t, &q, &v, &u).mass_matrix;
    Ok(v + solve_symmetric(&mass_matrix, p - momentum)?)
}
