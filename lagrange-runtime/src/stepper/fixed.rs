//! Steps of a fixed size.

use super::point::Point;
use super::switching::Course;
use super::watch::{Passage, left_by};
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
    /// Fixed steps to the end of the section, to an interruption, or until there are `pause` steps.
    ///
    /// What changes from step to step is kept in local variables, so that a loop that nobody observes touches no memory.
    #[inline(always)]
    pub(super) fn fixed_steps<O>(&mut self, observer: &mut O, pause: u64) -> Result<ControlFlow<Outcome>, Failure>
    where
        O: Observer<R, N> + ?Sized,
    {
        let (method, options) = (self.method, self.options);
        let max_steps = self.options.max_steps.unwrap_or(u64::MAX);
        let first = self.statistics().steps;
        let (mut section, mut past, mut now, mut number) = (self.section, self.past, self.now, first);
        let (mut evaluator, workspace, watch) = (self.evaluator.fork(), &mut self.workspace, &mut self.watch);
        let switching = &mut self.switching;
        let switched = evaluator.system().switch_count() != 0 && options.locate_switches;
        let mut watched = false;
        // `None` at a jump: what is done there once would cost the loop its registers.
        let left = loop {
            if number >= max_steps {
                break Some(Err(Failure::MaxSteps { max_steps }));
            }
            let (h, end) = section.next_step();
            watched = !options.events.is_empty() || observer.wants(number + 1, now.state.t, end) > Wants::Nothing;
            // What is carried is copied for nobody: the copies would cost more than many a step.
            if watched || switched || number + 1 >= pause || section.is_at_last() {
                // Brought up to date first, or a look at the step would evaluate for it once more.
                if let Err(failure) = now.refresh(&mut evaluator, method) {
                    break Some(Err(failure));
                }
                past = now;
            }
            let mut over = false;
            let stepped = if switched {
                let stepped = switching.step(&mut evaluator, method, workspace, &mut now, (h, end));
                stepped.map(|(trial, course)| {
                    over = course == Course::Over;
                    trial
                })
            } else {
                step(&mut evaluator, method, workspace, &mut now, h, end)
            };
            let trial = match stepped {
                Ok(trial) => trial,
                Err(failure) => break Some(Err(failure)),
            };
            now = Point::after(trial);
            number += 1;
            if !switched || now.state.t == end {
                section.count_step();
            }
            if section.jump && section.is_done() {
                break None;
            }
            let points = (&mut past, &mut now);
            let passage = match watched {
                false => Ok(Passage::On),
                true => watch.look(&mut evaluator, method, workspace, observer, number, points),
            };
            let passage = if switched && over && passage == Ok(Passage::On) {
                watch.restart(&mut evaluator, method, &mut now)
            } else {
                passage
            };
            if let Some(result) = left_by(passage, number >= pause, section.is_done()) {
                break Some(result);
            }
        };
        if matches!(left, Some(Err(_))) {
            past = now;
        }
        let mut statistics = *evaluator.statistics();
        statistics.steps = number - first;
        *self.evaluator.statistics_mut() += statistics;
        (self.section, self.past, self.now) = (section, past, now);
        left.unwrap_or_else(|| self.arrive(observer, watched, pause))
    }

    /// The end of a section whose last step meets a jump.
    #[cold]
    #[inline(never)]
    fn arrive<O>(&mut self, observer: &mut O, watched: bool, pause: u64) -> Result<ControlFlow<Outcome>, Failure>
    where
        O: Observer<R, N> + ?Sized,
    {
        let (method, number) = (self.method, self.statistics().steps);
        let mut passage = self.now.arrive(&mut self.evaluator, method, self.section.end).map(|()| Passage::On);
        if watched && passage.is_ok() {
            let points = (&mut self.past, &mut self.now);
            passage = self.watch.look(&mut self.evaluator, method, &mut self.workspace, observer, number, points);
        }
        if passage.is_err() {
            self.past = self.now;
        }
        left_by(passage, number >= pause, true).unwrap_or(Ok(ControlFlow::Continue(())))
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
