//! Steps of a fixed size.

use super::point::{Point, show};
use super::watch::Passage;
use super::{Stepper, not_finite};
use crate::controller::Controller;
use crate::error::Failure;
use crate::evaluator::Evaluator;
use crate::method::{Method, Trial};
use crate::observer::{Observer, Wants};
use crate::scalar::Real;
use crate::solve::Outcome;
use crate::system::System;
use core::ops::ControlFlow;

impl<S, M, K, R, const N: usize, const C: usize, const U: usize> Stepper<'_, S, M, K, R, N, C, U>
where
    S: System<R, N, C, U> + ?Sized,
    M: Method<S, R, N, C, U>,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    /// Fixed steps to the end of the section, or until told to stop.
    ///
    /// What changes from step to step is kept in local variables, so that a loop that nobody observes touches no memory.
    #[inline(always)]
    pub(super) fn fixed_steps<O>(&mut self, observer: &mut O, stop: u64) -> Result<ControlFlow<Outcome>, Failure>
    where
        O: Observer<R, N> + ?Sized,
    {
        let (method, options) = (self.method, self.options);
        let max_steps = self.options.max_steps.unwrap_or(u64::MAX);
        let first = self.statistics().steps;
        let (mut section, mut past, mut now, mut number) = (self.section, self.past, self.now, first);
        let (mut evaluator, workspace, watch) = (self.evaluator.fork(), &mut self.workspace, &mut self.watch);
        let result = loop {
            if number >= max_steps {
                break Err(Failure::MaxSteps { max_steps });
            }
            let (h, end) = section.next_step();
            let watched = !options.events.is_empty() || observer.wants(number + 1, now.state.t, end) > Wants::Nothing;
            // What is carried is copied for nobody: the copies would cost more than many a step.
            if watched || number + 1 >= stop || section.is_at_last() {
                // Brought up to date first, or a look at the step would evaluate for it once more.
                if let Err(failure) = now.refresh(&mut evaluator, method) {
                    break Err(failure);
                }
                past = now;
            }
            let trial = match step(&mut evaluator, method, workspace, &mut now, h, end) {
                Ok(trial) => trial,
                Err(failure) => break Err(failure),
            };
            now = Point::after(trial);
            number += 1;
            section.count_step();
            if section.jump && section.is_done() {
                let mut arrived = now;
                if let Err(failure) = arrived.arrive(&mut evaluator, method, section.end) {
                    break Err(failure);
                }
                now = arrived;
            }
            let passage = if !watched {
                Ok(Passage::On)
            } else if options.events.is_empty() {
                show(&mut evaluator, method, workspace, observer, number, &mut past, &mut now).map(Passage::from)
            } else {
                // Copies, so that the two points themselves need no address where there are no events.
                let (mut before, mut after) = (past, now);
                let points = (&mut before, &mut after);
                let passage = watch.pass(&mut evaluator, method, workspace, observer, number, points);
                (past, now) = (before, after);
                passage
            };
            match passage {
                Ok(Passage::Ended(event)) => break Ok(ControlFlow::Break(Outcome::Event(event))),
                Ok(Passage::Stopped) => break Ok(ControlFlow::Break(Outcome::Stopped)),
                Ok(_) if number >= stop => break Ok(ControlFlow::Break(Outcome::Stopped)),
                Ok(Passage::Restarted) => break Ok(ControlFlow::Continue(())),
                Ok(Passage::On) if section.is_done() => break Ok(ControlFlow::Continue(())),
                Ok(Passage::On) => {}
                Err(failure) => break Err(failure),
            }
        };
        if result.is_err() {
            past = now;
        }
        let mut statistics = *evaluator.statistics();
        statistics.steps = number - first;
        *self.evaluator.statistics_mut() += statistics;
        (self.section, self.past, self.now) = (section, past, now);
        result
    }
}

/// One step from `now`, checked to be finite.
#[inline(always)]
fn step<S, M, K, R, const N: usize, const C: usize, const U: usize>(
    evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
    method: &M,
    workspace: &mut M::Workspace,
    now: &mut Point<R, N, M::Memory>,
    h: R,
    end: R,
) -> Result<Trial<R, N, M::Memory>, Failure>
where
    S: System<R, N, C, U> + ?Sized,
    M: Method<S, R, N, C, U>,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    now.refresh(evaluator, method)?;
    let trial = method.step(evaluator, workspace, &now.state, &now.memory, h, end)?;
    if trial.state.is_finite() { Ok(trial) } else { Err(not_finite(trial.state)) }
}
