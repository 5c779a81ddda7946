//! What methods in (q, p) share: the state that they carry, compensated sums, and the velocity of a momentum.

mod guess;
mod iteration;
mod newton;
mod path;
mod reaction;

pub use guess::PastStages;
pub(super) use guess::{GuessFrom, StagePredictor};
pub use iteration::Iteration;
pub(super) use newton::{Core, Inertia, Solved, Solver, Span, StepEquations, Unknowns};
pub use reaction::Reaction;
pub(super) use reaction::{
    Increments, LastImpulse, StepEnd, finish, name_pivot, project, rate_of, reaction_of, sum_of,
};

use crate::error::{Component, Failure};
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::State;
use core::fmt::Debug;
use nalgebra::SVector;

/// How many Newton steps the velocity of a momentum may take.
const MAX_CORRECTIONS: u32 = 20;

/// What a method in (q, p) carries from step to step besides q.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub struct CanonicalMemory<R: Real, const N: usize> {
    /// p.
    pub momentum: SVector<R, N>,
    /// What rounding has taken from q so far.
    q_remainder: SVector<R, N>,
    /// What rounding has taken from p so far.
    p_remainder: SVector<R, N>,
}

/// What a method carries where it keeps the momentum itself, so that impulses may be added to it.
pub trait Kicked<R: Real, const N: usize>: Copy + Debug {
    /// p.
    fn momentum(&self) -> &SVector<R, N>;

    /// The same after an impulse: p + `impulse`. What was computed from p besides is forgotten.
    #[must_use]
    fn kicked(&self, impulse: SVector<R, N>) -> Self;
}

/// [`Kicked`] for memories with a field `canonical`.
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
    /// The momentum after an impulse; what rounding takes is carried on.
    #[inline]
    pub(super) fn with_impulse(&self, impulse: SVector<R, N>) -> Self {
        let (momentum, p_remainder) = add_compensated(self.momentum, self.p_remainder, impulse);
        Self { momentum, p_remainder, ..*self }
    }

    /// The momentum of `state`, before any rounding.
    #[inline]
    pub(super) fn start<E, const C: usize>(evaluator: &mut E, state: &State<R, N>) -> Self
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        let zero = SVector::repeat(R::ZERO);
        let momentum = evaluator.balance(state.t, state.q, state.v).momentum;
        Self { momentum, q_remainder: zero, p_remainder: zero }
    }

    /// q + `increment`, for an evaluation.
    #[inline(always)]
    pub(super) fn coordinates(&self, q: &SVector<R, N>, increment: SVector<R, N>) -> SVector<R, N> {
        q + (self.q_remainder + increment)
    }

    /// p + `increment`.
    #[inline(always)]
    pub(super) fn kicked(&self, increment: SVector<R, N>) -> SVector<R, N> {
        self.momentum + (self.p_remainder + increment)
    }

    /// `momentum` − p − `increment`, in an order in which the first difference is nearly exact.
    #[inline(always)]
    pub(super) fn residual(&self, momentum: SVector<R, N>, increment: SVector<R, N>) -> SVector<R, N> {
        (momentum - self.momentum) - (self.p_remainder + increment)
    }

    /// q and p after their increments; what rounding takes is carried on.
    ///
    /// # Errors
    /// [`Failure::NotFinite`] for a momentum; the driver checks q.
    #[inline(always)]
    pub(super) fn advance(
        &self,
        q: &SVector<R, N>,
        q_increment: SVector<R, N>,
        p_increment: SVector<R, N>,
    ) -> Result<(SVector<R, N>, Self), Failure> {
        let (q, q_remainder) = add_compensated(*q, self.q_remainder, q_increment);
        let (momentum, p_remainder) = add_compensated(self.momentum, self.p_remainder, p_increment);
        match (0..N).find(|&i| !momentum[i].is_finite()) {
            Some(i) => Err(Failure::NotFinite { component: Some(Component::Velocity(i)) }),
            None => Ok((q, Self { momentum, q_remainder, p_remainder })),
        }
    }

    /// `state` with the velocity of the momentum, from the one that `state` has as a guess. With constraints, a step has
    /// found it already.
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
        if C > 0 {
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

    /// The velocity at the start of a step from q and p alone, where L is quadratic in v and there are no constraints;
    /// otherwise from that in `state` too, to round-off.
    ///
    /// # Errors
    /// As [`CanonicalMemory::synchronise`].
    pub(super) fn velocity<E, const C: usize>(
        &self,
        evaluator: &E,
        state: &State<R, N>,
    ) -> Result<SVector<R, N>, Failure>
    where
        E: Evaluate<R, N, C> + ?Sized,
    {
        if C > 0 {
            return Ok(state.v);
        }
        let v = if evaluator.facts().quadratic { SVector::repeat(R::ZERO) } else { state.v };
        Ok(self.synchronise(evaluator, &State { v, ..*state })?.v)
    }
}

/// The sum of two numbers and what rounding took from it (D. E. Knuth's two-sum).
#[inline(always)]
fn two_sum<R: Real>(a: R, b: R) -> (R, R) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// `value + remainder + increment` as a rounded value and its remainder.
#[inline(always)]
fn add_compensated<R: Real, const N: usize>(
    value: SVector<R, N>,
    remainder: SVector<R, N>,
    increment: SVector<R, N>,
) -> (SVector<R, N>, SVector<R, N>) {
    let (mut sum, mut rest) = (value, remainder);
    for i in 0..N {
        (sum[i], rest[i]) = two_sum(value[i], increment[i] + remainder[i]);
    }
    (sum, rest)
}

/// The largest absolute component; NaN where one is.
#[inline]
pub(super) fn largest<R: Real, const N: usize>(vector: &SVector<R, N>) -> R {
    vector.iter().fold(R::ZERO, |largest, component| largest.max(component.abs()))
}
