//! A checkpoint: what an integration needs to be resumed later, with the same results bit by bit.

#[cfg(feature = "serde")]
mod checksum;
mod origin;
#[cfg(feature = "serde")]
mod sealed;

use super::Stepper;
use super::begin::{check, check_pace, check_rules};
use super::drift::Drift;
use super::point::Point;
use super::section::Section;
use super::watch::Watch;
use crate::contact::Phases;
use crate::control::{History, Sizes};
use crate::controller::Controller;
use crate::error::{Component, Failure, SolveError};
use crate::evaluate::Setting;
use crate::evaluator::{Evaluator, Fork, Monitor};
use crate::event::EventMemory;
use crate::method::{Method, Pace};
use crate::options::Options;
use crate::scalar::Real;
use crate::statistics::Statistics;
use crate::switching::Switching;
use crate::system::System;
use origin::Origin;

/// Everything that an integration carries from one step to the next.
///
/// With the same system, method, options and controller, [`Stepper::resume`] continues the integration with the same states,
/// bit by bit, and the same counters. A checkpoint does not contain what a controller remembers: the caller stores that (see
/// [`Sampled::value`](crate::controller::Sampled::value)). With the `serde` feature a checkpoint can be stored in any format
/// that keeps numbers exactly. It is stored with a checksum, and one that was altered, be it by a single bit, cannot be read. Its
/// fields may change from one version to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        transparent,
        bound(
            serialize = "R: serde::Serialize, Memory: serde::Serialize",
            deserialize = "R: serde::Serialize + serde::Deserialize<'de>, Memory: serde::Serialize + serde::Deserialize<'de>"
        )
    )
)]
pub struct Checkpoint<R: Real, const N: usize, const C: usize, Memory> {
    #[cfg_attr(feature = "serde", serde(with = "sealed"))]
    contents: Contents<R, N, C, Memory>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "R: serde::Serialize, Memory: serde::Serialize",
        deserialize = "R: serde::Deserialize<'de>, Memory: serde::Deserialize<'de>"
    ))
)]
struct Contents<R: Real, const N: usize, const C: usize, Memory> {
    t_end: R,
    section: Section<R>,
    now: Point<R, N, Memory>,
    proposal: Option<R>,
    history: History,
    sizes: Option<Sizes<R, N>>,
    events: EventMemory<R>,
    switching: Switching<R>,
    phases: Phases,
    drift: Drift<C>,
    statistics: Statistics,
    origin: Origin,
}

impl<R: Real, const N: usize, const C: usize, Memory> Checkpoint<R, N, C, Memory> {
    /// The time reached.
    pub fn time(&self) -> R {
        self.contents.now.state.t
    }

    /// The time to which the integration goes.
    pub fn t_end(&self) -> R {
        self.contents.t_end
    }

    /// The counters so far.
    pub fn statistics(&self) -> &Statistics {
        &self.contents.statistics
    }
}

impl<R: Real, const N: usize, const C: usize, Memory> Contents<R, N, C, Memory> {
    /// Fails on the first number that no integration can produce.
    fn check(&self, pace: Pace<R>) -> Result<(), Failure>
    where
        Memory: Copy,
    {
        let bad = |number, value: R, allowed| Err(Failure::BadCheckpoint { number, value: value.to_f64(), allowed });
        let t = self.now.state.t;
        self.section.check(t, self.t_end, pace, self.events.restarted)?;
        if let Some(step) = self.proposal
            && !(step > R::ZERO && step.is_finite())
        {
            return bad("proposed step size", step, "positive and finite");
        }
        if let Some(logarithm) = self.history.fault() {
            return bad("error of a past step", R::from_f64(logarithm), "finite, and at least the smallest kept");
        }
        if let Some(size) = self.sizes.and_then(|sizes| sizes.fault()) {
            return bad("size reached", size, "finite, and not negative");
        }
        if let Some((number, value)) = self.now.fault() {
            return bad(number, value, "finite, and at the time of the state");
        }
        if let Some(last) = self.events.mapped_at()
            && !(last.is_finite() && (self.t_end - last).abs() >= (self.t_end - t).abs())
        {
            return bad("time of the last event", last, "at or before the time reached");
        }
        if let Some(residual) = self.drift.fault() {
            return bad("residual of a constraint", R::from_f64(residual), "a number, and not negative");
        }
        if let Some((number, count)) = self.statistics.fault() {
            return bad(number, R::from_count(count), "less than 2^63");
        }
        match self.switching.fault(t, self.t_end) {
            Some((number, value, allowed)) => bad(number, value, allowed),
            None => Ok(()),
        }
    }
}

impl<E, M, R, const N: usize, const C: usize> Stepper<'_, E, M, R, N, C>
where
    E: Fork<R, N, C>,
    M: Method<R, N, C>,
    R: Real,
{
    /// The checkpoint from which [`Stepper::resume`] continues.
    pub fn checkpoint(&self) -> Checkpoint<R, N, C, M::Memory> {
        let contents = Contents {
            t_end: self.t_end,
            section: self.section,
            now: self.now,
            proposal: self.proposal,
            history: self.history,
            sizes: self.evaluator.sizes(),
            events: self.watch.memory,
            switching: self.switching,
            phases: self.evaluator.phases(),
            drift: self.drift,
            statistics: *self.evaluator.statistics(),
            origin: Origin::of(self.evaluator.fingerprint(), self.method),
        };
        Checkpoint { contents }
    }
}

impl<'a, S, K, M, R, const N: usize, const C: usize, const U: usize>
    Stepper<'a, Evaluator<'a, S, K, R, N, C, U>, M, R, N, C>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    M: Method<R, N, C>,
    R: Real,
{
    /// Resumes the integration that wrote `checkpoint`. [`Stepper::view`] is empty until the next step.
    ///
    /// # Errors
    /// [`Failure::CheckpointMismatch`] says what differs between the integration that wrote the checkpoint and this one: the
    /// mechanism, its parameters or default inputs, the method, its step, or the library's version. The options and the
    /// controller are not compared; the caller must pass the same ones. [`Failure::BadCheckpoint`] names a number that no
    /// integration can have written. Other failures name an option or a setting that makes no sense.
    pub fn resume(
        system: &'a S,
        checkpoint: &Checkpoint<R, N, C, M::Memory>,
        method: &'a M,
        options: &'a Options<'a, R, N>,
        controller: &'a mut K,
    ) -> Result<Self, SolveError<R, N>> {
        let Checkpoint { contents } = checkpoint;
        let Contents {
            t_end,
            section,
            now,
            proposal,
            history,
            sizes,
            events,
            switching,
            phases,
            drift,
            statistics,
            origin,
        } = *contents;
        let mut evaluator = Evaluator::of_method(system, controller, method).with_options(options);
        evaluator.set_phases(phases);
        evaluator.set_sizes(sizes);
        let fault = match Component::first_not_finite(&now.state) {
            Some((component, value)) => Err(Failure::BadState { component, value: value.to_f64() }),
            // The method checks its own conditions on the system. The memory that it computes is not used.
            None => origin
                .check(&Origin::of(system.fingerprint(), method))
                .and_then(|()| check_pace(method))
                .and_then(|()| check_rules(&evaluator, method, options))
                .and_then(|()| check(&evaluator, &now.state, t_end, method.pace(), options))
                .and_then(|()| contents.check(method.pace()))
                .and_then(|()| {
                    let opens = system.gap_count() != 0 || system.latch_count() != 0;
                    let rows = (system.row_count(), opens);
                    check_phases(phases, rows, (method.holds_contacts(), method.resolves_contacts()))
                })
                .and_then(|()| method.start(&mut evaluator, &now.state).map(|_| ())),
        };
        *evaluator.statistics_mut() = statistics;
        if let Err(failure) = fault {
            let (coordinates, states) = (system.coordinates(), system.state_count());
            return Err(SolveError { failure, state: now.state, statistics, coordinates, states });
        }
        let fresh = Self::between(evaluator, (method, options), t_end, section, now);
        Ok(Self { proposal, history, watch: Watch { options, memory: events, ended: None }, switching, drift, ..fresh })
    }
}

/// Fails where the phases cannot be those of an integration with `count` rows, and contacts that open and close or not, by a method that holds or resolves contacts.
fn check_phases(
    phases: Phases,
    (count, touching): (usize, bool),
    (holds, resolves): (bool, bool),
) -> Result<(), Failure> {
    if resolves && phases == Phases::default() {
        return Ok(());
    }
    if !phases.is_impossible(count, touching) && (!phases.known || count > 0 && holds) {
        return Ok(());
    }
    let allowed = "a phase of each contact, for a method that lets contacts stick";
    Err(Failure::BadCheckpoint { number: "set of sticking contacts", value: f64::NAN, allowed })
}
