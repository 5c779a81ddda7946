//! The derivatives of accelerations from derivatives of the residuals in directions, by M⁻¹. Its columns are solutions for unit vectors, of which half
//! are computed, because M is symmetric.

use super::bundle::Bundle;
use super::columns::{Pattern, rows_of};
use super::linear::ranges;
use super::run::{Map, NO_ARGUMENT, Run, Slots, Start};
use crate::error::SingularMass;
use crate::scalar::{Mask, PACKET, SQUARE, Scalar};
use crate::system::{Acceleration, AccelerationJacobian};
use nalgebra::SVector;

/// The number of bundles that hold a column of `n` entries.
pub const fn bundles(n: usize) -> usize {
    n.div_ceil(PACKET)
}

/// A symmetric matrix, row by row, in bundles.
type Rows<R, const N: usize, const B: usize> = [[Bundle<R>; B]; N];

/// The derivatives of a from M ∂a = −∂r, from the derivatives of r in directions of q, of v, and of (t, u), for r = M a − F. `solution` solves this
/// system for several right-hand sides. In `pattern`, each coordinate and each velocity is alone in its group.
pub fn sloped_jacobian<R: Scalar, const N: usize, const U: usize, const S: usize, const T: usize, const B: usize>(
    a: &SVector<R, N>,
    solution: Map<N, T, impl Fn(Run<'_, R, T>)>,
    by_coordinates: Map<N, S, impl Fn(Run<'_, R, S>)>,
    by_velocities: Map<N, S, impl Fn(Run<'_, R, S>)>,
    by_others: Map<N, S, impl Fn(Run<'_, R, S>)>,
    pattern: Option<&'static Pattern>,
) -> Result<AccelerationJacobian<R, N, 0, U>, SingularMass> {
    let solved = Acceleration { acceleration: *a, multipliers: SVector::from([]) };
    let mut found = Ok(AccelerationJacobian::constant(&solved));
    let inverse = inverse::<R, N, T, B>(&solution);
    let Ok(jacobian) = &mut found else { return found };
    let mut slots: Slots<R, S> = [Bundle::ZERO; S];
    by_coordinates.columns(&mut slots, Start { is_zero: true, is_symmetric: false }, |arguments, slots| {
        multiply(&inverse, by_coordinates.outputs, slots, arguments, &mut jacobian.acceleration_q.data.0);
    });
    by_velocities.columns(&mut slots, Start { is_zero: false, is_symmetric: false }, |arguments, slots| {
        multiply(&inverse, by_velocities.outputs, slots, arguments, &mut jacobian.acceleration_v.data.0);
    });
    let [_, _, others] = ranges::<N, U>();
    by_others.sweep(&mut slots, others.clone(), pattern, |run, slopes| {
        let columns = jacobian.acceleration_t.data.0.iter_mut().chain(&mut jacobian.acceleration_u.data.0);
        for (index, column) in others.clone().zip(columns) {
            let Some(place) = run.of(index) else { continue };
            let entry = |row: usize| [slopes[row].at(place); 1];
            match rows_of(pattern, index) {
                Some(rows) => products(&inverse, rows, entry, [Some(column)]),
                None => {
                    let all: [u16; N] = core::array::from_fn(|row| row as u16);
                    products(&inverse, &all, entry, [Some(column)]);
                }
            }
        }
    });
    found
}

/// M⁻¹ from its columns up to the bundle of the diagonal.
#[inline(never)]
fn inverse<R: Scalar, const N: usize, const T: usize, const B: usize>(
    solution: &Map<N, T, impl Fn(Run<'_, R, T>)>,
) -> Rows<R, N, B> {
    let mut inverse = [[Bundle::ZERO; B]; N];
    let mut slots: Slots<R, T> = [Bundle::ZERO; T];
    let mut index = 0;
    solution.columns(&mut slots, Start { is_zero: true, is_symmetric: true }, |_, slots| {
        for (row, &slot) in inverse.iter_mut().zip(solution.outputs).take((index + 1) * PACKET) {
            row[index] = slots[slot];
        }
        index += 1;
    });
    for left in 0..B {
        for right in left + 1..B {
            for (part, first) in (left * PACKET..(left + 1) * PACKET).step_by(SQUARE).enumerate() {
                for (other, below) in (right * PACKET..N.min((right + 1) * PACKET)).step_by(SQUARE).enumerate() {
                    let square = R::transposed(core::array::from_fn(|row| {
                        core::array::from_fn(|column| inverse[first + row][right].at(other * SQUARE + column))
                    }));
                    for (row, entries) in inverse[below..].iter_mut().zip(&square) {
                        row[left].0[part * SQUARE..][..SQUARE].copy_from_slice(entries);
                    }
                }
            }
        }
    }
    inverse
}

/// −M⁻¹ times the columns of a bundle, two at a time. Rows in which all of them are 0 are left out.
#[inline(never)]
fn multiply<R: Scalar, const N: usize, const S: usize, const B: usize>(
    inverse: &Rows<R, N, B>,
    outputs: &[usize; N],
    slots: &Slots<R, S>,
    arguments: &[u16],
    columns: &mut [[R; N]; N],
) {
    let (mut rows, mut count) = ([0; N], 0);
    for (row, &slot) in outputs.iter().enumerate() {
        rows[count] = row as u16;
        let is_zero = slots[slot].0.iter().fold(R::Mask::splat(true), |all, entry| all & entry.equals(R::ZERO));
        count += usize::from(!is_zero.all());
    }
    for (pair, arguments) in arguments.chunks(2).enumerate() {
        let entry = |row: usize| {
            let slope = &slots[outputs[row]];
            [slope.at(2 * pair), slope.at(2 * pair + 1)]
        };
        let index = |place: usize| {
            arguments.get(place).filter(|&&argument| argument != NO_ARGUMENT).map(|&argument| usize::from(argument))
        };
        match (index(0), index(1)) {
            (Some(first), Some(second)) => {
                if let Ok([first, second]) = columns.get_disjoint_mut([first, second]) {
                    products(inverse, &rows[..count], entry, [Some(first), Some(second)]);
                }
            }
            (Some(first), None) => products(inverse, &rows[..count], entry, [Some(&mut columns[first]), None]),
            _ => {}
        }
    }
}

/// The most bundles of a column whose sums stay in registers.
const MOST: usize = 6;

/// −M⁻¹ times columns with entries in the given rows.
#[inline(always)]
fn products<R: Scalar, const N: usize, const B: usize, const C: usize>(
    inverse: &Rows<R, N, B>,
    rows: &[u16],
    entry: impl Fn(usize) -> [R; C],
    mut columns: [Option<&mut [R; N]>; C],
) {
    let parts = B.div_ceil(MOST);
    let longest = B.div_ceil(parts.max(1));
    for first in (0..B).step_by(longest.max(1)) {
        match longest.min(B - first) {
            1 => tile::<R, N, B, C, 1>(inverse, rows, &entry, first, &mut columns),
            2 => tile::<R, N, B, C, 2>(inverse, rows, &entry, first, &mut columns),
            3 => tile::<R, N, B, C, 3>(inverse, rows, &entry, first, &mut columns),
            4 => tile::<R, N, B, C, 4>(inverse, rows, &entry, first, &mut columns),
            5 => tile::<R, N, B, C, 5>(inverse, rows, &entry, first, &mut columns),
            _ => tile::<R, N, B, C, MOST>(inverse, rows, &entry, first, &mut columns),
        }
    }
}

/// `K` bundles of the products, from the one with the number `first` on.
#[inline(always)]
fn tile<R: Scalar, const N: usize, const B: usize, const C: usize, const K: usize>(
    inverse: &Rows<R, N, B>,
    rows: &[u16],
    entry: &impl Fn(usize) -> [R; C],
    first: usize,
    columns: &mut [Option<&mut [R; N]>; C],
) {
    let mut sums = [[Bundle::ZERO; C]; K];
    for &row in rows {
        let (entries, row) = (entry(usize::from(row)), &inverse[usize::from(row)][first..first + K]);
        for (sums, &part) in sums.iter_mut().zip(row) {
            for (sum, &entry) in sums.iter_mut().zip(&entries) {
                *sum = part.mul_add(entry, *sum);
            }
        }
    }
    for (part, sums) in sums.into_iter().enumerate() {
        let start = (first + part) * PACKET;
        for (column, sum) in columns.iter_mut().zip(sums) {
            if let Some(column) = column {
                let entries = (-sum).0;
                let into = &mut column[start..N.min(start + PACKET)];
                let count = into.len();
                into.copy_from_slice(&entries[..count]);
            }
        }
    }
}

/// The derivatives of a by parameters, from the columns ∂r. `solution` solves the equations of [`sloped_jacobian`]. Columns for which there is no room
/// are dropped.
pub fn mapped_columns<R: Scalar, const N: usize, const P: usize, const T: usize>(
    solution: &Map<N, T, impl Fn(Run<'_, R, T>)>,
    residual: &[SVector<R, N>; P],
    columns: &mut [Acceleration<R, N, 0>],
) {
    let mut slots: Slots<R, T> = [Bundle::ZERO; T];
    for (residual, columns) in residual.chunks(PACKET).zip(columns.chunks_mut(PACKET)) {
        for (row, slot) in slots.iter_mut().enumerate().take(N) {
            for (place, column) in residual.iter().enumerate() {
                slot.set(place, -column[row]);
            }
        }
        solution.of_all(&mut slots);
        for (place, column) in columns.iter_mut().enumerate() {
            column.acceleration = SVector::from_fn(|row, _| slots[solution.outputs[row]].at(place));
        }
    }
}
