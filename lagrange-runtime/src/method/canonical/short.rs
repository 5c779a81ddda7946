//! Steps that are so short that the equations of a method would divide rounding by them.

use super::{CanonicalMemory, largest};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::State;
use nalgebra::SVector;

/// Whether a step of size `h` is at most √ε of the `step` of a method, so that h² is at most ε times the square of the method's step.
///
/// Such a step is one before a switch or a stop, and has the size 0 between two stops that are a rounding apart. A constraint of positions determines the velocity in a step by g/h, where g is rounding:
/// in 10⁻¹⁶ s this is a metre in a second.
#[inline(always)]
pub(in crate::method) fn is_short<R: Real>(h: R, step: R) -> bool {
    h.abs() <= step.abs() * R::from_f64(R::EPSILON).sqrt()
}

/// Makes a short step of size `h` from a `state` with its velocity to the time `end` with the acceleration a at its start, under the constraints and in the phases of contacts: q' = q + h v + h² a/2, v' = v + h a. `None`
/// where h² a is more than a rounding of the coordinates. The term h² a/2 is there for flights between impacts, which may be as small as that.
///
/// # Errors
/// [`Failure::SingularMass`].
#[cold]
#[allow(clippy::type_complexity, reason = "a state and what is carried with it")]
pub(in crate::method) fn short_step<E, R, const N: usize, const C: usize>(
    evaluator: &mut E,
    (state, canonical): (&State<R, N>, &CanonicalMemory<R, N>),
    h: R,
    end: R,
) -> Result<Option<(State<R, N>, CanonicalMemory<R, N>)>, Failure>
where
    E: Evaluate<R, N, C> + ?Sized,
    R: Real,
{
    let State { t, q, v } = *state;
    let acceleration = evaluator.acceleration(t, q, v)?;
    if largest(&acceleration) * (h * h) > largest(&q) * R::from_f64(R::EPSILON) {
        return Ok(None);
    }
    let (moved, advanced) =
        canonical.advance(&q, (v + acceleration * (h * R::from_f64(0.5))) * h, SVector::repeat(R::ZERO))?;
    let after = State { t: end, q: moved, v: v + acceleration * h };
    Ok(Some((after, advanced.held(evaluator, [state, &after]))))
}
