//! Jacobians of mechanisms that are too large to write them out, or that have contacts: the functions themselves are evaluated with
//! dual numbers.

use super::columns::{Directions, Pattern, Variable, rows_of};
use super::constrained::parted;
use super::{ConstraintResidualJacobian, ResidualJacobian};
use crate::error::SingularMass;
use crate::scalar::{Dual, Scalar};
use crate::system::{Acceleration, AccelerationJacobian, Balance, BalanceJacobian, BalanceRates, ConstraintHidden};
use core::array::from_fn;
use core::ops::Range;
use nalgebra::{SMatrix, SVector};

/// The number of derivatives that one run computes. Wider runs are faster, but take longer to compile.
const WIDTH: usize = 2;

/// A number with the derivatives of one run.
pub(super) type Wide<R> = Dual<R, WIDTH>;

/// The values as dual numbers. The `D` values from index `first` on are the variables.
pub fn variables<R: Scalar, const D: usize, const P: usize>(values: &[R; P], first: usize) -> [Dual<R, D>; P] {
    from_fn(|index| variable(values[index], index, first))
}

/// The value at `index` as a dual number. The `D` values from index `first` on are the variables.
fn variable<R: Scalar, const D: usize>(value: R, index: usize, first: usize) -> Dual<R, D> {
    index.checked_sub(first).map_or_else(|| Dual::constant(value), |variable| Dual::variable(value, variable))
}

/// An argument (t, q, v, u).
pub(super) type At<'a, R, const N: usize, const U: usize> =
    (R, &'a SVector<R, N>, &'a SVector<R, N>, &'a SVector<R, U>);

/// Runs a function of (t, q, v, u) for the variables in `range`, which count in the order q, v, t, u. Each run computes the derivatives in a
/// few directions, and passes each of them on with its variable. A direction has one variable, or one group of the pattern.
pub(super) fn sweep<R: Scalar, T, const N: usize, const U: usize>(
    function: impl Fn(Wide<R>, &SVector<Wide<R>, N>, &SVector<Wide<R>, N>, &SVector<Wide<R>, U>) -> T,
    (t, q, v, u): At<'_, R, N, U>,
    range: Range<usize>,
    pattern: Option<&'static Pattern>,
    mut take: impl FnMut(&T, usize, usize),
) {
    for run in Directions::runs(range.clone(), WIDTH, pattern) {
        let at = |value: R, index: usize| {
            run.of(index).map_or_else(|| Dual::constant(value), |direction| Dual::variable(value, direction))
        };
        let q = SVector::from_fn(|i, _| at(q[i], i));
        let v = SVector::from_fn(|i, _| at(v[i], N + i));
        let u = SVector::from_fn(|i, _| at(u[i], 2 * N + 1 + i));
        let result = function(at(t, 2 * N), &q, &v, &u);
        for index in range.clone() {
            if let Some(direction) = run.of(index) {
                take(&result, index, direction);
            }
        }
    }
}

/// A variable's column of a Jacobian: the k-th derivatives of a vector in the rows of the pattern, and 0 elsewhere.
fn column<R: Scalar, const N: usize>(vector: &SVector<Wide<R>, N>, k: usize, rows: Option<&[u16]>) -> SVector<R, N> {
    let Some(rows) = rows else { return vector.map(|component| component.derivatives[k]) };
    let mut column = SVector::<R, N>::repeat(R::ZERO);
    for &row in rows {
        let row = usize::from(row);
        if let (Some(entry), Some(component)) = (column.get_mut(row), vector.get(row)) {
            *entry = component.derivatives[k];
        }
    }
    column
}

/// p, f and their derivatives by q and v.
pub fn balance_jacobian<R: Scalar, const N: usize, const U: usize>(
    balance: impl Fn(Wide<R>, &SVector<Wide<R>, N>, &SVector<Wide<R>, N>, &SVector<Wide<R>, U>) -> Balance<Wide<R>, N>,
    at: At<'_, R, N, U>,
    pattern: Option<&'static Pattern>,
) -> BalanceJacobian<R, N> {
    let mut jacobian: BalanceJacobian<R, N> = BalanceJacobian {
        momentum: SVector::repeat(R::ZERO),
        balance: SVector::repeat(R::ZERO),
        momentum_q: SMatrix::repeat(R::ZERO),
        mass_matrix: SMatrix::repeat(R::ZERO),
        balance_q: SMatrix::repeat(R::ZERO),
        balance_v: SMatrix::repeat(R::ZERO),
    };
    sweep(balance, at, 0..2 * N, pattern, |result: &Balance<Wide<R>, N>, index, k| {
        let rows = rows_of(pattern, index);
        let (momentum, balance) = (column(&result.momentum, k, rows), column(&result.balance, k, rows));
        match Variable::of::<N>(index) {
            Variable::Coordinate(i) => {
                jacobian.momentum_q.set_column(i, &momentum);
                jacobian.balance_q.set_column(i, &balance);
            }
            Variable::Velocity(i) => {
                jacobian.mass_matrix.set_column(i, &momentum);
                jacobian.balance_v.set_column(i, &balance);
            }
            Variable::Time | Variable::Input(_) => {}
        }
        jacobian.momentum = result.momentum.map(|component| component.value);
        jacobian.balance = result.balance.map(|component| component.value);
    });
    jacobian
}

/// The derivatives of p and f by t and u.
pub fn balance_rates<R: Scalar, const N: usize, const U: usize>(
    balance: impl Fn(Wide<R>, &SVector<Wide<R>, N>, &SVector<Wide<R>, N>, &SVector<Wide<R>, U>) -> Balance<Wide<R>, N>,
    at: At<'_, R, N, U>,
    pattern: Option<&'static Pattern>,
) -> BalanceRates<R, N, U> {
    let none = SVector::repeat(R::ZERO);
    let mut rates: BalanceRates<R, N, U> =
        BalanceRates { momentum_t: none, balance_t: none, balance_u: SMatrix::repeat(R::ZERO) };
    sweep(balance, at, 2 * N..2 * N + 1 + U, pattern, |result: &Balance<Wide<R>, N>, index, k| {
        let rows = rows_of(pattern, index);
        let (momentum, balance) = (column(&result.momentum, k, rows), column(&result.balance, k, rows));
        match Variable::of::<N>(index) {
            Variable::Coordinate(_) | Variable::Velocity(_) => {}
            Variable::Time => (rates.momentum_t, rates.balance_t) = (momentum, balance),
            Variable::Input(i) => rates.balance_u.set_column(i, &balance),
        }
    });
    rates
}

/// The derivatives of r = M a − F by q, v, t, u.
pub fn residual_jacobian<R: Scalar, const N: usize, const U: usize>(
    residual: impl Fn(Wide<R>, &SVector<Wide<R>, N>, &SVector<Wide<R>, N>, &SVector<Wide<R>, U>) -> SVector<Wide<R>, N>,
    at: At<'_, R, N, U>,
    pattern: Option<&'static Pattern>,
) -> ResidualJacobian<R, N, U> {
    let mut jacobian = ResidualJacobian::zero();
    sweep(residual, at, 0..2 * N + 1 + U, pattern, |result: &SVector<Wide<R>, N>, index, k| {
        jacobian.set(index, column(result, k, rows_of(pattern, index)));
    });
    jacobian
}

/// The derivatives of r = M a − F − Gᵀλ and of s = G a + γ by q, v, t, u, from the `S` = N + C rows of both.
pub fn joined_jacobian<R: Scalar, const N: usize, const C: usize, const U: usize, const S: usize>(
    rows: impl Fn(Wide<R>, &SVector<Wide<R>, N>, &SVector<Wide<R>, N>, &SVector<Wide<R>, U>) -> SVector<Wide<R>, S>,
    at: At<'_, R, N, U>,
) -> (ResidualJacobian<R, N, U>, ConstraintResidualJacobian<R, N, C>) {
    let mut jacobian = (ResidualJacobian::zero(), ConstraintResidualJacobian::zero());
    sweep(rows, at, 0..2 * N + 1 + U, None, |result: &SVector<Wide<R>, S>, index, k| {
        let (upper, lower) = parted(&column(result, k, None).data.0[0]);
        jacobian.0.set(index, upper);
        jacobian.1.set(index, lower);
    });
    jacobian
}

/// The hidden constraints with their derivatives by q, from a function that computes them without these.
pub fn hidden_constraints<R: Scalar, const N: usize, const C: usize>(
    hidden: impl Fn(&SVector<Wide<R>, N>) -> ConstraintHidden<Wide<R>, N, C>,
    q: &SVector<R, N>,
) -> ConstraintHidden<R, N, C> {
    let none = SVector::repeat(R::ZERO);
    let mut found: ConstraintHidden<R, N, C> = ConstraintHidden {
        rate: none,
        curvature: none,
        rate_q: SMatrix::repeat(R::ZERO),
        reaction: SVector::repeat(R::ZERO),
        reaction_q: SMatrix::repeat(R::ZERO),
    };
    for first in (0..N).step_by(WIDTH) {
        let result = hidden(&SVector::from_fn(|i, _| variable(q[i], i, first)));
        for k in 0..WIDTH.min(N - first) {
            found.rate_q.set_column(first + k, &column(&result.rate, k, None));
            found.reaction_q.set_column(first + k, &column(&result.reaction, k, None));
        }
        found.rate = result.rate.map(|component| component.value);
        found.curvature = result.curvature.map(|component| component.value);
        found.reaction = result.reaction.map(|component| component.value);
    }
    found
}

/// a, λ and their derivatives by q, v, t, u of a mechanism with contacts, whose forces no residual contains. Each contact keeps the
/// phase that it has at this state.
///
/// # Errors
/// Those of `acceleration`.
pub fn contact_jacobian<R: Scalar, const N: usize, const C: usize, const U: usize>(
    acceleration: impl Fn(
        Wide<R>,
        &SVector<Wide<R>, N>,
        &SVector<Wide<R>, N>,
        &SVector<Wide<R>, U>,
    ) -> Result<Acceleration<Wide<R>, N, C>, SingularMass>,
    at: At<'_, R, N, U>,
) -> Result<AccelerationJacobian<R, N, C, U>, SingularMass> {
    let none = Acceleration { acceleration: SVector::repeat(R::ZERO), multipliers: SVector::repeat(R::ZERO) };
    let mut found: Result<AccelerationJacobian<R, N, C, U>, SingularMass> = Ok(AccelerationJacobian::constant(&none));
    sweep(acceleration, at, 0..2 * N + 1 + U, None, |result, index, k| {
        let (solved, found) = match (result, &mut found) {
            (Ok(solved), Ok(found)) => (solved, found),
            (Ok(_), Err(_)) => return,
            (Err(singular), _) => return found = Err(*singular),
        };
        let (a, multipliers) = (column(&solved.acceleration, k, None), column(&solved.multipliers, k, None));
        match Variable::of::<N>(index) {
            Variable::Coordinate(i) => {
                found.acceleration_q.set_column(i, &a);
                found.multipliers_q.set_column(i, &multipliers);
            }
            Variable::Velocity(i) => {
                found.acceleration_v.set_column(i, &a);
                found.multipliers_v.set_column(i, &multipliers);
            }
            Variable::Time => (found.acceleration_t, found.multipliers_t) = (a, multipliers),
            Variable::Input(i) => {
                found.acceleration_u.set_column(i, &a);
                found.multipliers_u.set_column(i, &multipliers);
            }
        }
        found.acceleration = solved.acceleration.map(|component| component.value);
        found.multipliers = solved.multipliers.map(|component| component.value);
    });
    found
}

/// Writes the derivatives of a and λ of a mechanism with contacts by each of `count` parameters. The given function computes a and λ
/// with the parameters from a given index on as variables. Columns for which there is no room are dropped.
///
/// # Errors
/// Those of `acceleration`.
pub fn contact_columns<R: Scalar, const N: usize, const C: usize>(
    acceleration: impl Fn(usize) -> Result<Acceleration<Wide<R>, N, C>, SingularMass>,
    count: usize,
    columns: &mut [Acceleration<R, N, C>],
) -> Result<(), SingularMass> {
    let count = count.min(columns.len());
    for (chunk, columns) in columns[..count].chunks_mut(WIDTH).enumerate() {
        let solved = acceleration(chunk * WIDTH)?;
        for (k, target) in columns.iter_mut().enumerate() {
            target.acceleration = column(&solved.acceleration, k, None);
            target.multipliers = column(&solved.multipliers, k, None);
        }
    }
    Ok(())
}

/// The derivatives of r and s, whose `S` = N + C rows the given function computes with the parameters from a given index on as variables, by
/// each of `P` parameters.
pub fn joined_parameter_columns<R: Scalar, const N: usize, const C: usize, const P: usize, const S: usize>(
    rows: impl Fn(usize) -> SVector<Wide<R>, S>,
) -> ([SVector<R, N>; P], [SVector<R, C>; P]) {
    let columns: [SVector<R, S>; P] = parameter_columns(rows);
    let parts = columns.map(|column| parted(&column.data.0[0]));
    (parts.map(|(upper, _)| upper), parts.map(|(_, lower)| lower))
}

/// The derivatives of a vector by each of `P` parameters. The given function computes the vector with the parameters from a
/// given index on as variables.
pub fn parameter_columns<R: Scalar, const N: usize, const P: usize>(
    function: impl Fn(usize) -> SVector<Wide<R>, N>,
) -> [SVector<R, N>; P] {
    let mut columns = [SVector::repeat(R::ZERO); P];
    for (chunk, columns) in columns.chunks_mut(WIDTH).enumerate() {
        let result = function(chunk * WIDTH);
        for (k, target) in columns.iter_mut().enumerate() {
            *target = column(&result, k, None);
        }
    }
    columns
}
