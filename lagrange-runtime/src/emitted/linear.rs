//! Jacobians from linear maps that the state determines: derivatives of the residuals in several directions, and solutions for several
//! right-hand sides.

use super::bundle::{Bundle, TwoBundles};
use super::columns::{Pattern, Variable, rows_of};
use super::constrained::parted;
use super::run::{Map, Run, Slots};
use super::{ConstraintResidualJacobian, ResidualJacobian};
use crate::scalar::{Mask, Scalar};
use crate::system::{Acceleration, AccelerationJacobian};
use core::ops::Range;
use nalgebra::{SMatrix, SVector};

/// Derivatives in directions.
pub(super) type Slope<R> = Bundle<R>;

/// Right-hand sides, and solutions.
pub(super) type Side<R> = TwoBundles<R>;

/// The derivatives of r = M a − F by q, v, t, u, from its derivatives in directions of q, of v, and of (t, u), which has 1 + U components.
pub fn residual_columns<R: Scalar, const N: usize, const U: usize, const S: usize>(
    by_coordinates: Map<N, S, impl Fn(Run<'_, R, S>)>,
    by_velocities: Map<N, S, impl Fn(Run<'_, R, S>)>,
    by_others: Map<N, S, impl Fn(Run<'_, R, S>)>,
    pattern: Option<&'static Pattern>,
) -> ResidualJacobian<R, N, U> {
    let mut jacobian = ResidualJacobian::<R, N, U>::zero();
    let mut set = |index: usize, column: [R; N]| jacobian.set(index, SVector::from(column));
    let mut slots: Slots<R, S> = [Bundle::ZERO; S];
    let [coordinates, velocities, others] = ranges::<N, U>();
    sweep(&by_coordinates, &mut slots, coordinates, pattern, &mut set);
    sweep(&by_velocities, &mut slots, velocities, pattern, &mut set);
    sweep(&by_others, &mut slots, others, pattern, &mut set);
    jacobian
}

/// The derivatives of r = M a − F − Gᵀλ and of s = G a + γ by q, v, t, u, from those of the `ROWS` = N + C rows of both in directions of q, of v,
/// and of (t, u), which has 1 + U components.
pub fn joined_columns<R: Scalar, const N: usize, const C: usize, const U: usize, const ROWS: usize, const S: usize>(
    by_coordinates: Map<ROWS, S, impl Fn(Run<'_, R, S>)>,
    by_velocities: Map<ROWS, S, impl Fn(Run<'_, R, S>)>,
    by_others: Map<ROWS, S, impl Fn(Run<'_, R, S>)>,
) -> (ResidualJacobian<R, N, U>, ConstraintResidualJacobian<R, N, C>) {
    let mut jacobian = (ResidualJacobian::zero(), ConstraintResidualJacobian::zero());
    let mut set = |index: usize, column: [R; ROWS]| {
        let (upper, lower) = parted(&column);
        jacobian.0.set(index, upper);
        jacobian.1.set(index, lower);
    };
    let mut slots: Slots<R, S> = [Bundle::ZERO; S];
    let [coordinates, velocities, others] = ranges::<N, U>();
    sweep(&by_coordinates, &mut slots, coordinates, None, &mut set);
    sweep(&by_velocities, &mut slots, velocities, None, &mut set);
    sweep(&by_others, &mut slots, others, None, &mut set);
    jacobian
}

/// Runs the derivative in directions of the variables in `range`, and passes on the column of each.
#[inline(always)]
fn sweep<R: Scalar, const N: usize, const S: usize>(
    slope: &Map<N, S, impl Fn(Run<'_, R, S>)>,
    slots: &mut Slots<R, S>,
    range: Range<usize>,
    pattern: Option<&'static Pattern>,
    set: &mut impl FnMut(usize, [R; N]),
) {
    slope.sweep(slots, range.clone(), pattern, |run, slopes| {
        for index in range.clone() {
            if let Some(place) = run.of(index) {
                set(index, column(slopes, place, rows_of(pattern, index)));
            }
        }
    });
}

/// The places of q, of v, and of (t, u) among the variables.
pub(super) fn ranges<const N: usize, const U: usize>() -> [Range<usize>; 3] {
    [0..N, N..2 * N, 2 * N..2 * N + 1 + U]
}

/// M from its products with vectors.
pub fn mass_matrix<R: Scalar, const N: usize, const S: usize>(
    map: Map<N, S, impl Fn(Run<'_, R, S>)>,
) -> SMatrix<R, N, N> {
    let mut matrix = SMatrix::<R, N, N>::repeat(R::ZERO);
    let mut slots: Slots<R, S> = [Bundle::ZERO; S];
    map.sweep(&mut slots, 0..N, None, |run, products| {
        for index in run.variables(&(0..N)) {
            if let Some(place) = run.of(index) {
                matrix.set_column(index, &SVector::<R, N>::from_fn(|row, _| products[row].at(place)));
            }
        }
    });
    matrix
}

/// The column at a place of a run: in the rows of the pattern, and 0 elsewhere.
#[inline(always)]
pub(super) fn column<R: Scalar, const N: usize>(slopes: &[Slope<R>; N], place: usize, rows: Option<&[u16]>) -> [R; N] {
    let Some(rows) = rows else { return core::array::from_fn(|row| slopes[row].at(place)) };
    let mut column = [R::ZERO; N];
    for &row in rows {
        if let (Some(entry), Some(slope)) = (column.get_mut(usize::from(row)), slopes.get(usize::from(row))) {
            *entry = slope.at(place);
        }
    }
    column
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
    // Most equations do not contain the time.
    let by_time = residual.t.iter().chain(&constraint_residual.t);
    let skipped = usize::from(by_time.fold(R::Mask::splat(true), |all, entry| all & entry.equals(R::ZERO)).all());
    let variable = |index: usize| Variable::of::<N>(if index < 2 * N { index } else { index + skipped });
    let none = ([R::ZERO; N], [R::ZERO; C]);
    for first in (0..2 * N + 1 + U - skipped).step_by(Side::<R>::WIDTH) {
        let mut columns = [(&none.0, &none.1); Side::<f64>::WIDTH];
        for (place, column) in columns.iter_mut().enumerate() {
            *column = side(residual, constraint_residual, &variable(first + place), &none.1).unwrap_or(*column);
        }
        let solution = solve(
            &SVector::from_fn(|row, _| Side::from_fn(|place| -columns[place].0[row])),
            &SVector::from_fn(|row, _| Side::from_fn(|place| -columns[place].1[row])),
        );
        for place in 0..columns.len() {
            let Some((a, multipliers)) = target(&mut jacobian, &variable(first + place)) else { break };
            *a = core::array::from_fn(|row| solution.0[row].at(place));
            *multipliers = core::array::from_fn(|row| solution.1[row].at(place));
        }
    }
    jacobian
}

/// The columns of ∂r and ∂s by a variable; `None` after the last input. Inputs are not in constraints: `none` is their column of ∂s.
#[inline(always)]
fn side<'a, R: Scalar, const N: usize, const C: usize, const U: usize>(
    upper: &'a ResidualJacobian<R, N, U>,
    lower: &'a ConstraintResidualJacobian<R, N, C>,
    variable: &Variable,
    none: &'a [R; C],
) -> Option<(&'a [R; N], &'a [R; C])> {
    match *variable {
        Variable::Coordinate(i) => Some((upper.q.data.0.get(i)?, lower.q.data.0.get(i)?)),
        Variable::Velocity(i) => Some((upper.v.data.0.get(i)?, lower.v.data.0.get(i)?)),
        Variable::Time => Some((&upper.t.data.0[0], &lower.t.data.0[0])),
        Variable::Input(i) => Some((upper.u.data.0.get(i)?, none)),
    }
}

/// The columns of the derivatives of a and λ by a variable; `None` after the last input.
#[inline(always)]
fn target<'a, R: Scalar, const N: usize, const C: usize, const U: usize>(
    jacobian: &'a mut AccelerationJacobian<R, N, C, U>,
    variable: &Variable,
) -> Option<(&'a mut [R; N], &'a mut [R; C])> {
    let found = jacobian;
    match *variable {
        Variable::Coordinate(i) => {
            Some((found.acceleration_q.data.0.get_mut(i)?, found.multipliers_q.data.0.get_mut(i)?))
        }
        Variable::Velocity(i) => {
            Some((found.acceleration_v.data.0.get_mut(i)?, found.multipliers_v.data.0.get_mut(i)?))
        }
        Variable::Time => Some((&mut found.acceleration_t.data.0[0], &mut found.multipliers_t.data.0[0])),
        Variable::Input(i) => Some((found.acceleration_u.data.0.get_mut(i)?, found.multipliers_u.data.0.get_mut(i)?)),
    }
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
