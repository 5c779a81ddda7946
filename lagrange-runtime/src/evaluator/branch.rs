//! The switching functions of a system at a state.

use crate::limits::MAX_SWITCHES;
use crate::scalar::Real;
use crate::switching::Branch;
use crate::system::System;
use nalgebra::SVector;

/// The number of switching functions that fit into one word of a set.
const FEW: usize = 64;

/// The branch at (t, q, v, u).
#[inline(always)]
pub(super) fn branch_of<S, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: R,
    q: &SVector<R, N>,
    v: &SVector<R, N>,
    u: &SVector<R, U>,
) -> Branch
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    // Most systems have few switching functions. The larger array is cleared only for the others.
    if system.switch_count() <= FEW {
        within::<FEW, _, _, N, C, U>(system, t, q, v, u)
    } else {
        within::<MAX_SWITCHES, _, _, N, C, U>(system, t, q, v, u)
    }
}

#[inline(always)]
fn within<const ROOM: usize, S, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: R,
    q: &SVector<R, N>,
    v: &SVector<R, N>,
    u: &SVector<R, U>,
) -> Branch
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    let mut values = [R::ZERO; ROOM];
    let count = system.switch_count();
    system.switches(t, q, v, u, values.get_mut(..count).unwrap_or(&mut []));
    Branch::of(values.iter().take(count))
}

/// The first switching function that is NaN at (t, q, v, u).
#[cold]
#[inline(never)]
pub(super) fn undefined_switch<S, R, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: R,
    q: SVector<R, N>,
    v: SVector<R, N>,
    u: SVector<R, U>,
) -> Option<usize>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    let mut values = [R::ZERO; MAX_SWITCHES];
    system.switches(t, &q, &v, &u, values.get_mut(..system.switch_count())?);
    values.iter().position(|value| !(*value >= R::ZERO || *value <= R::ZERO))
}
