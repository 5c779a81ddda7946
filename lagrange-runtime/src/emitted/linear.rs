//! Jacobians from linear maps that the state determines: derivatives of the residuals in several directions, and solutions for several
//! right-hand sides.

use super::bundle::{Bundle, TwoBundles};
use super::columns::{Directions, Pattern, Variable, rows_of};
use super::{ConstraintResidualJacobian, ResidualJacobian};
use crate::scalar::{Mask, Scalar};
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
    let (upper, lower) = (residual, constraint_residual);
    solve_all(
        [upper.q.as_slice(), lower.q.as_slice()],
        &solve,
        [jacobian.acceleration_q.as_mut_slice(), jacobian.multipliers_q.as_mut_slice()],
    );
    solve_all(
        [upper.v.as_slice(), lower.v.as_slice()],
        &solve,
        [jacobian.acceleration_v.as_mut_slice(), jacobian.multipliers_v.as_mut_slice()],
    );
    let by_time = upper.t.iter().chain(&lower.t);
    // Most equations do not contain the time.
    if by_time.fold(R::Mask::splat(true), |all, entry| all & entry.equals(R::ZERO)).all() {
        (jacobian.acceleration_t, jacobian.multipliers_t) = (SVector::repeat(R::ZERO), SVector::repeat(R::ZERO));
    } else {
        solve_all(
            [upper.t.as_slice(), lower.t.as_slice()],
            &solve,
            [jacobian.acceleration_t.as_mut_slice(), jacobian.multipliers_t.as_mut_slice()],
        );
    }
    // Inputs are not in constraints.
    let none = SMatrix::<R, C, U>::repeat(R::ZERO);
    solve_all(
        [upper.u.as_slice(), none.as_slice()],
        &solve,
        [jacobian.acceleration_u.as_mut_slice(), jacobian.multipliers_u.as_mut_slice()],
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
    let width = Side::<R>::WIDTH;
    let sides = residual.chunks(width).zip(constraint_residual.chunks(width));
    for ((residual, constraint_residual), columns) in sides.zip(columns.chunks_mut(width)) {
        let right = (
            SVector::from_fn(|row, _| Side::from_fn(|place| residual.get(place).map_or(R::ZERO, |side| -side[row]))),
            SVector::from_fn(|row, _| {
                Side::from_fn(|place| constraint_residual.get(place).map_or(R::ZERO, |side| -side[row]))
            }),
        );
        let (a, multipliers) = solve(&right.0, &right.1);
        for (place, column) in columns.iter_mut().enumerate() {
            column.acceleration = SVector::from_fn(|row, _| a[row].at(place));
            column.multipliers = SVector::from_fn(|row, _| multipliers[row].at(place));
        }
    }
}

/// Solves for the right-hand sides (−∂r, −∂s), which are the columns of two matrices of `N` and `C` rows, and writes the solutions into the columns of
/// two others.
#[inline(always)]
fn solve_all<R: Scalar, const N: usize, const C: usize>(
    [upper, lower]: [&[R]; 2],
    solve: impl Fn(&SVector<Side<R>, N>, &SVector<Side<R>, C>) -> (SVector<Side<R>, N>, SVector<Side<R>, C>),
    [a, multipliers]: [&mut [R]; 2],
) {
    let width = Side::<R>::WIDTH;
    for first in (0..upper.len() / N.max(1)).step_by(width) {
        let (above, below) = (&upper[first * N..], &lower[first * C..]);
        let right = (
            SVector::from_fn(|row, _| {
                Side::from_fn(|place| above.get(place * N + row).map_or(R::ZERO, |entry| -*entry))
            }),
            SVector::from_fn(|row, _| {
                Side::from_fn(|place| below.get(place * C + row).map_or(R::ZERO, |entry| -*entry))
            }),
        );
        let solution = solve(&right.0, &right.1);
        write(&solution.0, &mut a[first * N..]);
        write(&solution.1, &mut multipliers[first * C..]);
    }
}

/// Writes the numbers of each place into a column.
#[inline(always)]
fn write<R: Scalar, const N: usize>(solution: &SVector<Side<R>, N>, columns: &mut [R]) {
    for (place, column) in columns.chunks_mut(N.max(1)).take(Side::<R>::WIDTH).enumerate() {
        for (entry, bundle) in column.iter_mut().zip(solution) {
            *entry = bundle.at(place);
        }
    }
}
