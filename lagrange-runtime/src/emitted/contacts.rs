//! The functions that the derived code of a mechanism with contacts calls.

use crate::error::SingularMass;
use crate::friction;
use crate::scalar::Scalar;
use crate::system::{Acceleration, System};
use nalgebra::SVector;

/// a and λ at a state where a contact is at rest; `None` where every contact slips, and for scalars of several lanes, whose
/// contacts are not decided one by one.
#[allow(clippy::type_complexity, reason = "a result that may be missing")]
pub fn acceleration_at_rest<R: Scalar, S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: R,
    q: &SVector<R, N>,
    v: &SVector<R, N>,
    u: &SVector<R, U>,
) -> Option<Result<Acceleration<R, N, C>, SingularMass>>
where
    S: System<R, N, C, U> + ?Sized,
{
    if R::LANES > 1 { None } else { friction::acceleration_at_rest(system, (t, q, v, u)) }
}

/// Replaces the powers of the contacts, which are those from index `first` on, by the powers of the forces that act where
/// contacts stick.
pub fn write_contact_powers<R: Scalar, S, const N: usize, const C: usize, const U: usize>(
    system: &S,
    (t, q, v, u): (R, &SVector<R, N>, &SVector<R, N>, &SVector<R, U>),
    first: usize,
    out: &mut [R],
) where
    S: System<R, N, C, U> + ?Sized,
{
    if R::LANES == 1
        && let Some(out) = out.get_mut(first..)
    {
        friction::write_powers(system, (t, q, v, u), out);
    }
}
