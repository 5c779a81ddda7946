//! The functions that the derived code of a mechanism with contacts calls.

use crate::contact::{MAX_ROWS, Ruled};
use crate::error::SingularMass;
use crate::scalar::Scalar;
use crate::system::{Acceleration, System};
use nalgebra::SVector;

/// a and λ at a state where a contact is at rest, or of a mechanism with a friction whose slip is a vector or whose bound contains
/// multipliers. `None` if there is no such friction and every contact slips, and for scalars of several lanes, whose contacts are not
/// decided one by one. In several lanes, they are NaN where there is such a friction, or a constraint that modes switch.
#[allow(clippy::type_complexity, reason = "a result that may be missing")]
pub fn acceleration_at_rest<R: Scalar, S, const N: usize, const C: usize, const U: usize, const W: usize>(
    ruled: &Ruled<'_, S, W>,
    t: R,
    q: &SVector<R, N>,
    v: &SVector<R, N>,
    u: &SVector<R, U>,
) -> Option<Result<Acceleration<R, N, C>, SingularMass>>
where
    S: System<R, N, C, U>,
{
    if R::LANES == 1 {
        return ruled.acceleration_at_rest((t, q, v, u));
    }
    // The derived equations do not contain the forces of these frictions.
    let none = R::from_f64(f64::NAN);
    let unknown = Acceleration { acceleration: SVector::repeat(none), multipliers: SVector::repeat(none) };
    (ruled.system().bound_count() != 0 || ruled.system().latch_count() != 0).then_some(Ok(unknown))
}

/// The forces of the contacts; NaN where the equations cannot be solved for them, and for scalars of several lanes.
pub fn contact_forces<R: Scalar, S, const N: usize, const C: usize, const U: usize, const W: usize>(
    ruled: &Ruled<'_, S, W>,
    t: R,
    q: &SVector<R, N>,
    v: &SVector<R, N>,
    u: &SVector<R, U>,
) -> [R; MAX_ROWS]
where
    S: System<R, N, C, U>,
{
    let known = if R::LANES == 1 { ruled.forces_at((t, q, v, u)).ok() } else { None };
    known.map_or([R::from_f64(f64::NAN); MAX_ROWS], |found| found.forces)
}

/// Replaces the powers of the contacts, which are those from index `first` on, by the powers of the forces that act where
/// contacts stick.
pub fn write_contact_powers<R: Scalar, S, const N: usize, const C: usize, const U: usize, const W: usize>(
    ruled: &Ruled<'_, S, W>,
    (t, q, v, u): (R, &SVector<R, N>, &SVector<R, N>, &SVector<R, U>),
    first: usize,
    out: &mut [R],
) where
    S: System<R, N, C, U>,
{
    if R::LANES == 1
        && let Some(out) = out.get_mut(first..)
    {
        ruled.write_powers((t, q, v, u), out);
    }
}
