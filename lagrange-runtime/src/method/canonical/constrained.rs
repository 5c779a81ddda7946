//! The memories of methods that carry the momentum and the multipliers of constraints.

use super::{CanonicalMemory, Reaction, short_step};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::method::{Estimate, Trial};
use crate::scalar::Real;
use crate::state::State;

/// A memory with the momentum and with the constraints at the state.
pub(in crate::method) trait Constrained<R: Real, const N: usize, const C: usize>: Copy {
    /// The momentum, and the constraints at the state.
    fn parts(&self) -> (&CanonicalMemory<R, N>, &Reaction<R, N, C>);

    /// The memory with other such parts.
    #[must_use]
    fn with(&self, canonical: CanonicalMemory<R, N>, reaction: Reaction<R, N, C>) -> Self;

    /// The memory after a correction of the state, from the first to the second one: an impulse that changes the velocity so.
    fn corrected<E: Evaluate<R, N, C> + ?Sized>(&self, evaluator: &E, states: [&State<R, N>; 2]) -> Self {
        let (canonical, reaction) = self.parts();
        self.with(canonical.held(evaluator, states), reaction.at(evaluator, states[1]))
    }

    /// Makes a short step from a `state` with its velocity, as [`short_step`] does.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    #[cold]
    fn short_trial<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        (h, end): (R, R),
    ) -> Result<Option<Trial<R, N, Self>>, Failure> {
        let (canonical, reaction) = self.parts();
        let stepped = short_step(evaluator, (state, canonical), h, end)?;
        Ok(stepped.map(|(state, canonical)| {
            let memory = self.with(canonical, reaction.at(evaluator, &state));
            Trial { state, memory, estimate: Estimate::None }
        }))
    }
}

/// Implements [`Constrained`] for a memory with the fields `canonical` and `reaction`.
macro_rules! constrained {
    ($memory:ident<R, N $(, $size:ident)*>) => {
        impl<R: Real, const N: usize $(, const $size: usize)*> Constrained<R, N, C> for $memory<R, N $(, $size)*> {
            fn parts(&self) -> (&CanonicalMemory<R, N>, &Reaction<R, N, C>) {
                (&self.canonical, &self.reaction)
            }

            fn with(&self, canonical: CanonicalMemory<R, N>, reaction: Reaction<R, N, C>) -> Self {
                Self { canonical, reaction, ..*self }
            }
        }
    };
}
pub(in crate::method) use constrained;
