//! The derivatives of accelerations from derivatives of the residuals in directions, which are right-hand sides as they are.

use super::bundle::TwoBundles;
use super::columns::{Pattern, rows_of};
use super::linear::{Side, Slope, column, ranges};
use super::run::{Map, Run, Slots};
use crate::scalar::{Mask, PACKET, Scalar};
use crate::system::{Acceleration, AccelerationJacobian};
use core::ops::Range;
use nalgebra::SVector;

/// The derivatives of a from M ∂a = −∂r, from the derivatives of r in directions of q, of v, and of (t, u), for r = M a − F. `solve` solves
/// this system for several right-hand sides. Derivatives in directions of q and v are right-hand sides as they are: in `pattern`, each of these
/// variables is alone in its group.
pub fn sloped_jacobian<R: Scalar, const N: usize, const U: usize, const S: usize>(
    a: &SVector<R, N>,
    by_coordinates: Map<N, S, impl Fn(Run<'_, R, S>)>,
    by_velocities: Map<N, S, impl Fn(Run<'_, R, S>)>,
    by_others: Map<N, S, impl Fn(Run<'_, R, S>)>,
    pattern: Option<&'static Pattern>,
    solve: impl Fn(&SVector<Side<R>, N>, &SVector<Side<R>, 0>) -> (SVector<Side<R>, N>, SVector<Side<R>, 0>),
) -> AccelerationJacobian<R, N, 0, U> {
    let solved = Acceleration { acceleration: *a, multipliers: SVector::from([]) };
    let mut jacobian = AccelerationJacobian::constant(&solved);
    let mut sides = Sides { jacobian: &mut jacobian, right: SVector::repeat(TwoBundles::ZERO), waiting: None, solve };
    let mut slots: Slots<R, S> = [Slope::ZERO; S];
    let [coordinates, velocities, others] = ranges::<N, U>();
    by_coordinates.sweep(&mut slots, coordinates.clone(), None, |run, slopes| {
        sides.push(Columns::Coordinates(run.variables(&coordinates)), slopes);
    });
    by_velocities.sweep(&mut slots, velocities.clone(), None, |run, slopes| {
        let Range { start, end } = run.variables(&velocities);
        sides.push(Columns::Velocities(start - N..end - N), slopes);
    });
    let (mut by_time, mut by_inputs) = ([[R::ZERO; N]], [[R::ZERO; N]; U]);
    by_others.sweep(&mut slots, others.clone(), pattern, |run, slopes| {
        let columns = by_time.iter_mut().chain(&mut by_inputs);
        for (index, into) in others.clone().zip(columns) {
            if let Some(place) = run.of(index) {
                *into = column(slopes, place, rows_of(pattern, index));
            }
        }
    });
    // Most equations do not contain the time.
    let is_still = by_time[0].iter().fold(R::Mask::splat(true), |all, entry| all & entry.equals(R::ZERO));
    if !is_still.all() {
        sides.push(Columns::Time, &rows(&by_time));
    }
    for (index, columns) in by_inputs.chunks(PACKET).enumerate() {
        let first = index * PACKET;
        sides.push(Columns::Inputs(first..first + columns.len()), &rows(columns));
    }
    sides.finish();
    jacobian
}

/// Columns of a Jacobian, of which a bundle has the entries of each row.
enum Columns {
    Coordinates(Range<usize>),
    Velocities(Range<usize>),
    Time,
    Inputs(Range<usize>),
}

/// Right-hand sides. Two bundles are solved for at a time.
struct Sides<'j, R: Scalar, const N: usize, const U: usize, F> {
    jacobian: &'j mut AccelerationJacobian<R, N, 0, U>,
    right: SVector<Side<R>, N>,
    /// The columns of the first bundle, where there is no second one yet.
    waiting: Option<Columns>,
    solve: F,
}

impl<R: Scalar, const N: usize, const U: usize, F> Sides<'_, R, N, U, F>
where
    F: Fn(&SVector<Side<R>, N>, &SVector<Side<R>, 0>) -> (SVector<Side<R>, N>, SVector<Side<R>, 0>),
{
    #[inline(always)]
    fn push(&mut self, columns: Columns, slopes: &[Slope<R>; N]) {
        let right = self.right.iter_mut().zip(slopes);
        if let Some(earlier) = self.waiting.take() {
            right.for_each(|(side, slope)| side.1 = -*slope);
            self.solve(earlier, columns);
        } else {
            right.for_each(|(side, slope)| side.0 = -*slope);
            self.waiting = Some(columns);
        }
    }

    fn finish(mut self) {
        if let Some(columns) = self.waiting.take() {
            self.solve(columns, Columns::Inputs(0..0));
        }
    }

    #[inline(never)]
    fn solve(&mut self, first: Columns, second: Columns) {
        let (solution, _) = (self.solve)(&self.right, &SVector::from([]));
        self.take(first, |row| solution[row].0);
        self.take(second, |row| solution[row].1);
    }

    /// Takes columns of a solution.
    #[inline(always)]
    fn take(&mut self, columns: Columns, solution: impl Fn(usize) -> Slope<R>) {
        let columns = match columns {
            Columns::Coordinates(range) => &mut self.jacobian.acceleration_q.data.0[range],
            Columns::Velocities(range) => &mut self.jacobian.acceleration_v.data.0[range],
            Columns::Time => &mut self.jacobian.acceleration_t.data.0[..],
            Columns::Inputs(range) => &mut self.jacobian.acceleration_u.data.0[range],
        };
        let mut parts = columns.chunks_mut(SQUARE);
        for part in 0..PACKET / SQUARE {
            let Some(columns) = parts.next() else { break };
            for first in (0..N).step_by(SQUARE) {
                let count = SQUARE.min(N - first);
                let entries = |row: usize| solution(first + row).0;
                let square = R::transposed(core::array::from_fn(|row| {
                    if row < count { quarter(&entries(row), part) } else { [R::ZERO; SQUARE] }
                }));
                for (column, entries) in columns.iter_mut().zip(&square) {
                    column[first..first + count].copy_from_slice(&entries[..count]);
                }
            }
        }
    }
}

/// The number of rows and columns that are transposed together.
const SQUARE: usize = 4;

/// Successive numbers of a packet.
#[inline(always)]
fn quarter<R: Scalar>(packet: &[R; PACKET], part: usize) -> [R; SQUARE] {
    core::array::from_fn(|place| packet[part * SQUARE + place])
}

/// At most as many columns as a bundle has places, as a bundle for each row.
#[inline(always)]
fn rows<R: Scalar, const N: usize>(columns: &[[R; N]]) -> [Slope<R>; N] {
    let mut rows = [Slope::ZERO; N];
    for (part, columns) in columns.chunks(SQUARE).enumerate() {
        for first in (0..N).step_by(SQUARE) {
            let entry = |column: usize, row: usize| columns.get(column)?.get(first + row).copied();
            let square = R::transposed(core::array::from_fn(|column| {
                core::array::from_fn(|row| entry(column, row).unwrap_or(R::ZERO))
            }));
            for (row, entries) in rows[first..].iter_mut().zip(&square) {
                row.0[part * SQUARE..][..SQUARE].copy_from_slice(entries);
            }
        }
    }
    rows
}
