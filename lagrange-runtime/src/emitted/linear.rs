//! Jacobians from linear maps that the state determines: derivatives of the residuals in several directions, and solutions for several
//! right-hand sides.

use super::bundle::{Bundle, TwoBundles};
use super::columns::{Directions, Pattern, Variable, rows_of};
use super::{ConstraintResidualJacobian, ResidualJacobian};
use crate::scalar::Scalar;
use crate::system::{Acceleration, AccelerationJacobian};
use nalgebra::{SMatrix, SVector};

/// Derivatives in directions.
type Slope<R> = Bundle<R>;

/// Right-hand sides, and solutions.
type Side<R> = TwoBundles<R>;

/// The derivatives of r = M a − F by q, v, t, u, from its derivatives in directions of q and in directions of (v, t, u), `D` = N + 1 + U
/// components.
pub fn residual_columns<R: Scalar, const N: usize, const U: usize, const D: usize>(
    by_coordinates: impl Fn(&[Slope<R>; N]) -> [Slope<R>; N],
    by_others: impl Fn(&[Slope<R>; D]) -> [Slope<R>; N],
    pattern: Option<&'static Pattern>,
) -> ResidualJacobian<R, N, U> {
    let mut jacobian: ResidualJacobian<R, N, U> = ResidualJacobian {
        q: SMatrix::repeat(R::ZERO),
        v: SMatrix::repeat(R::ZERO),
        t: SVector::repeat(R::ZERO),
        u: SMatrix::repeat(R::ZERO),
    };
    for run in Directions::runs(0..N, Slope::<R>::WIDTH, pattern) {
        let slopes = by_coordinates(&unit(&run, 0));
        take(&slopes, &run, 0..N, pattern, &mut jacobian);
    }
    for run in Directions::runs(N..N + D, Slope::<R>::WIDTH, pattern) {
        let slopes = by_others(&unit(&run, N));
        take(&slopes, &run, N..N + D, pattern, &mut jacobian);
    }
    jacobian
}

/// M from its products with vectors.
pub fn mass_matrix<R: Scalar, const N: usize>(map: impl Fn(&[Slope<R>; N]) -> [Slope<R>; N]) -> SMatrix<R, N, N> {
    let mut matrix = SMatrix::<R, N, N>::repeat(R::ZERO);
    for run in Directions::runs(0..N, Slope::<R>::WIDTH, None) {
        let products = map(&unit(&run, 0));
        for index in 0..N {
            if let Some(place) = run.of(index) {
                matrix.set_column(index, &SVector::<R, N>::from_fn(|row, _| products[row].at(place)));
            }
        }
    }
    matrix
}

/// The directions of a run, for the variables from `first` on.
#[inline(always)]
fn unit<R: Scalar, const D: usize>(run: &Directions, first: usize) -> [Slope<R>; D] {
    let mut directions = [Slope::ZERO; D];
    for (index, direction) in directions.iter_mut().enumerate() {
        if let Some(place) = run.of(first + index) {
            direction.set(place, R::ONE);
        }
    }
    directions
}

/// Takes the columns of the variables of a run.
#[inline(always)]
fn take<R: Scalar, const N: usize, const U: usize>(
    slopes: &[Slope<R>; N],
    run: &Directions,
    range: core::ops::Range<usize>,
    pattern: Option<&'static Pattern>,
    jacobian: &mut ResidualJacobian<R, N, U>,
) {
    for index in range {
        let Some(place) = run.of(index) else { continue };
        let column = match rows_of(pattern, index) {
            Some(rows) => {
                let mut column = SVector::<R, N>::repeat(R::ZERO);
                for &row in rows {
                    if let (Some(entry), Some(slope)) = (column.get_mut(usize::from(row)), slopes.get(usize::from(row)))
                    {
                        *entry = slope.at(place);
                    }
                }
                column
            }
            None => SVector::from_fn(|row, _| slopes[row].at(place)),
        };
        match Variable::of::<N>(index) {
            Variable::Coordinate(i) => jacobian.q.set_column(i, &column),
            Variable::Velocity(i) => jacobian.v.set_column(i, &column),
            Variable::Time => jacobian.t = column,
            Variable::Input(i) => jacobian.u.set_column(i, &column),
        }
    }
}

/// The derivatives of a and λ from M ∂a − Gᵀ∂λ = −∂r, G ∂a = −∂s, for r = M a − F − Gᵀλ and s = G a + γ. `solve` solves this system
/// for several right-hand sides.
pub fn factored_jacobian<R: Scalar, const N: usize, const C: usize, const U: usize>(
    solved: &Acceleration<R, N, C>,
    residual: &ResidualJacobian<R, N, U>,
    constraint_residual: &ConstraintResidualJacobian<R, N, C>,
    solve: impl Fn(&SVector<Side<R>, N>, &SVector<Side<R>, C>) -> (SVector<Side<R>, N>, SVector<Side<R>, C>),
) -> AccelerationJacobian<R, N, C, U> {
    let mut jacobian = AccelerationJacobian::constant(solved);
    solve_all(
        2 * N + 1 + U,
        |index| match Variable::of::<N>(index) {
            Variable::Coordinate(i) => (residual.q.column(i).into(), constraint_residual.q.column(i).into()),
            Variable::Velocity(i) => (residual.v.column(i).into(), constraint_residual.v.column(i).into()),
            Variable::Time => (residual.t, constraint_residual.t),
            Variable::Input(i) => (residual.u.column(i).into(), SVector::repeat(R::ZERO)),
        },
        solve,
        |index, solved| match Variable::of::<N>(index) {
            Variable::Coordinate(i) => {
                jacobian.acceleration_q.set_column(i, &solved.acceleration);
                jacobian.multipliers_q.set_column(i, &solved.multipliers);
            }
            Variable::Velocity(i) => {
                jacobian.acceleration_v.set_column(i, &solved.acceleration);
                jacobian.multipliers_v.set_column(i, &solved.multipliers);
            }
            Variable::Time => {
                jacobian.acceleration_t = solved.acceleration;
                jacobian.multipliers_t = solved.multipliers;
            }
            Variable::Input(i) => {
                jacobian.acceleration_u.set_column(i, &solved.acceleration);
                jacobian.multipliers_u.set_column(i, &solved.multipliers);
            }
        },
    );
    jacobian
}

/// The derivatives of a and λ by parameters, from the columns ∂r and ∂s. `solve` solves the equations of [`factored_jacobian`] for several
/// right-hand sides. Columns for which there is no room are dropped.
pub fn factored_columns<R: Scalar, const N: usize, const C: usize, const P: usize>(
    residual: &[SVector<R, N>; P],
    constraint_residual: &[SVector<R, C>; P],
    solve: impl Fn(&SVector<Side<R>, N>, &SVector<Side<R>, C>) -> (SVector<Side<R>, N>, SVector<Side<R>, C>),
    columns: &mut [Acceleration<R, N, C>],
) {
    solve_all(
        P.min(columns.len()),
        |index| (residual[index], constraint_residual[index]),
        solve,
        |index, solved| columns[index] = solved,
    );
}

/// Solves for the right-hand sides (−∂r, −∂s) of `count` variables, and passes each solution on with its variable.
#[inline(always)]
fn solve_all<R: Scalar, const N: usize, const C: usize>(
    count: usize,
    column: impl Fn(usize) -> (SVector<R, N>, SVector<R, C>),
    solve: impl Fn(&SVector<Side<R>, N>, &SVector<Side<R>, C>) -> (SVector<Side<R>, N>, SVector<Side<R>, C>),
    mut take: impl FnMut(usize, Acceleration<R, N, C>),
) {
    for first in (0..count).step_by(Side::<R>::WIDTH) {
        let mut right = (SVector::<Side<R>, N>::repeat(Side::ZERO), SVector::<Side<R>, C>::repeat(Side::ZERO));
        let variables = first..count.min(first + Side::<R>::WIDTH);
        for (place, index) in variables.clone().enumerate() {
            let (upper, lower) = column(index);
            for (bundle, entry) in right.0.iter_mut().zip(&upper).chain(right.1.iter_mut().zip(&lower)) {
                bundle.set(place, -*entry);
            }
        }
        let (a, multipliers) = solve(&right.0, &right.1);
        for (place, index) in variables.enumerate() {
            let acceleration = SVector::from_fn(|i, _| a[i].at(place));
            let multipliers = SVector::from_fn(|i, _| multipliers[i].at(place));
            take(index, Acceleration { acceleration, multipliers });
        }
    }
}
