//! The common parts of methods in (q, p): their memory, compensated sums, and the velocity that belongs to a momentum.

mod augmentation;
mod constrained;
mod guess;
mod iteration;
mod newton;
mod path;
mod reaction;
mod short;

pub(super) use augmentation::Augmentation;
pub(super) use constrained::{Constrained, constrained};
pub use guess::PastStages;
pub(super) use guess::{GuessFrom, StagePredictor};
pub use iteration::Iteration;
pub(super) use iteration::{Progress, Watch};
pub(super) use newton::{Core, Inertia, Solved, Solver, Span, StepEquations, Unknowns};
pub(super) use path::Path;
pub use reaction::Reaction;
pub(super) use reaction::{
    Increments, LastImpulse, StepEnd, finish, name_pivot, negative_transpose, project, rate_of, reaction_of, sum_of,
};
pub(super) use short::{is_short, short_step};

use crate::error::{Component, Failure};
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::State;
use core::fmt::Debug;
use nalgebra::SVector;

/// The most Newton steps for the velocity that belongs to a momentum.
const MAX_CORRECTIONS: u32 = 20;

/// The values besides q that a method in (q, p) carries from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct CanonicalMemory<R: Real, const N: usize> {
    /// The momentum p.
    pub momentum: SVector<R, N>,
    /// The accumulated rounding error of q.
    q_remainder: SVector<R, N>,
    /// The accumulated rounding error of p.
    p_remainder: SVector<R, N>,
}

/// The memory of a method that carries the momentum itself, so that impulses can be added to it.
pub trait Kicked<R: Real, const N: usize>: Copy + Debug {
    /// Returns the momentum p.
    fn momentum(&self) -> &SVector<R, N>;

    /// Returns the memory after an impulse, with the momentum p + `impulse`. Other values that depend on p are dropped.
    #[must_use]
    fn kicked(&self, impulse: SVector<R, N>) -> Self;
}

/// Implements [`Kicked`] for a memory with a field `canonical`.
macro_rules! kicked {
    ($memory:ident<R, N $(, $size:ident)*>) => {
        impl<R: Real, const N: usize $(, const $size: usize)*> Kicked<R, N> for $memory<R, N $(, $size)*> {
            fn momentum(&self) -> &SVector<R, N> {
                &self.canonical.momentum
            }

            fn kicked(&self, impulse: SVector<R, N>) -> Self {
                Self { canonical: self.canonical.with_impulse(impulse), ..*self }
            }
        }
    };
}
pub(super) use kicked;

impl<R: Real, const N: usize> CanonicalMemory<R, N> {
    /// Returns the memory after an impulse. The rounding error of the sum is carried.
    #[inline]
    pub(super) fn with_impulse(&self, impulse: SVector<R, N>) -> Self {
        let (momentum, p_remainder) = add_compensated(self.momentum, self.p_remainder, impulse);
        Self { momentum, p_remainder, ..*self }
    }

    /// Returns the memory after a correction of the state, from the first to the second one: an impulse that changes the velocity so.
    pub(super) fn held<E, const C: usize>(&self, evaluator: &E, [before, after]: [&State<R, N>; 2]) -> Self
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        let momentum = |at: &State<R, N>| evaluator.momentum(at.t, at.q, at.v).0;
        self.with_impulse(momentum(after) - momentum(before))
    }

    /// Returns the memory with this momentum, with no rounding errors.
    pub(super) fn of(momentum: SVector<R, N>) -> Self {
        let zero = SVector::repeat(R::ZERO);
        Self { momentum, q_remainder: zero, p_remainder: zero }
    }

    /// Returns the memory at the initial `state`, with no rounding errors.
    #[inline]
    pub(super) fn start<E, const C: usize>(evaluator: &mut E, state: &State<R, N>) -> Self
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        Self::of(evaluator.balance(state.t, state.q, state.v).momentum)
    }

    /// Returns q + `increment` for an evaluation.
    #[inline(always)]
    pub(super) fn coordinates(&self, q: &SVector<R, N>, increment: SVector<R, N>) -> SVector<R, N> {
        q + (self.q_remainder + increment)
    }

    /// Returns p + `increment`.
    #[inline(always)]
    pub(super) fn kicked(&self, increment: SVector<R, N>) -> SVector<R, N> {
        self.momentum + (self.p_remainder + increment)
    }

    /// The rounding errors of q and p, which belong to the sums with their next increments.
    pub(super) fn remainders(&self) -> [SVector<R, N>; 2] {
        [self.q_remainder, self.p_remainder]
    }

    /// Returns `momentum` − p − `increment`, in an order in which the first difference is nearly exact.
    #[inline(always)]
    pub(super) fn residual(&self, momentum: SVector<R, N>, increment: SVector<R, N>) -> SVector<R, N> {
        (momentum - self.momentum) - (self.p_remainder + increment)
    }

    /// Returns q and p after their increments. The rounding errors of the sums are carried.
    ///
    /// # Errors
    /// [`Failure::NotFinite`] for a momentum. The stepper checks q.
    #[inline(always)]
    pub(super) fn advance(
        &self,
        q: &SVector<R, N>,
        q_increment: SVector<R, N>,
        p_increment: SVector<R, N>,
    ) -> Result<(SVector<R, N>, Self), Failure> {
        let (q, q_remainder) = add_compensated(*q, self.q_remainder, q_increment);
        let (momentum, p_remainder) = add_compensated(self.momentum, self.p_remainder, p_increment);
        // The sum is not finite if a component is not, and one test is cheaper than N. If it overflows, each component is tested.
        if !sum_of::<R, N>(|i| momentum[i]).is_finite()
            && let Some(i) = (0..N).find(|&i| !momentum[i].is_finite())
        {
            return Err(Failure::NotFinite { component: Some(Component::Velocity(i)) });
        }
        Ok((q, Self { momentum, q_remainder, p_remainder }))
    }

    /// Returns `state` with the velocity that belongs to the momentum. The velocity in `state` is the starting guess. With
    /// constraints the step has already computed the velocity.
    ///
    /// # Errors
    /// [`Failure::SingularMass`], [`Failure::NewtonFailed`], [`Failure::NotFinite`].
    pub(super) fn synchronise<E, const C: usize>(
        &self,
        evaluator: &E,
        state: &State<R, N>,
    ) -> Result<State<R, N>, Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        if const { C > 0 } {
            return Ok(*state);
        }
        let State { t, q, mut v } = *state;
        let quadratic = evaluator.facts().quadratic;
        let small = R::from_f64(R::EPSILON).sqrt();
        let mut previous = None;
        let mut increment = R::ZERO;
        for _ in 0..MAX_CORRECTIONS {
            let corrected = evaluator.velocity_correction(t, q, v, self.momentum)?;
            if let Some(i) = (0..N).find(|&i| !corrected[i].is_finite()) {
                return Err(Failure::NotFinite { component: Some(Component::Velocity(i)) });
            }
            increment = largest(&(corrected - v));
            let scale = largest(&v).max(largest(&corrected));
            v = corrected;
            let stagnates = previous.is_some_and(|previous| increment >= previous) && increment <= small * scale;
            if quadratic || increment == R::ZERO || stagnates {
                return Ok(State { t, q, v });
            }
            previous = Some(increment);
        }
        Err(Failure::NewtonFailed { iterations: MAX_CORRECTIONS, increment: increment.to_f64() })
    }

    /// Returns the velocity at the start of a step. If L is quadratic in v and there are no constraints, it depends on q and p
    /// alone. Otherwise it also depends on the velocity in `state`, to round-off.
    ///
    /// # Errors
    /// The errors of [`CanonicalMemory::synchronise`].
    pub(super) fn velocity<E, const C: usize>(
        &self,
        evaluator: &E,
        state: &State<R, N>,
    ) -> Result<SVector<R, N>, Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        if const { C > 0 } {
            return Ok(state.v);
        }
        let v = if evaluator.facts().quadratic { SVector::repeat(R::ZERO) } else { state.v };
        Ok(self.synchronise(evaluator, &State { v, ..*state })?.v)
    }
}

/// Returns the rounded sum of a value and an increment, and its rounding error (T. J. Dekker's fast two-sum).
///
/// The error is exact if the value is not smaller than the increment. Otherwise it is wrong by at most a rounding of the increment,
/// which has such an error already. D. E. Knuth's two-sum would be exact always, and takes twice the operations.
#[inline(always)]
fn sum_with_error<R: Real>(value: R, increment: R) -> (R, R) {
    let sum = value + increment;
    (sum, increment - (sum - value))
}

/// Returns `value + remainder + increment` as a rounded value and its remainder.
#[inline(always)]
fn add_compensated<R: Real, const N: usize>(
    value: SVector<R, N>,
    remainder: SVector<R, N>,
    increment: SVector<R, N>,
) -> (SVector<R, N>, SVector<R, N>) {
    let (mut sum, mut rest) = (value, remainder);
    for i in 0..N {
        (sum[i], rest[i]) = sum_with_error(value[i], increment[i] + remainder[i]);
    }
    (sum, rest)
}

/// Returns the largest absolute component, or NaN if a component is NaN.
#[inline]
pub(super) fn largest<R: Real, const N: usize>(vector: &SVector<R, N>) -> R {
    vector.iter().fold(R::ZERO, |largest, component| largest.max(component.abs()))
}
