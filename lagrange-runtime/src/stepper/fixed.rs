//! Steps of a fixed size.

use super::Stepper;
use super::point::Point;
use super::watch::{Passage, left_by};
use crate::error::Failure;
use crate::evaluate::Setting;
use crate::evaluator::{Fork, Led, Monitor};
use crate::method::Method;
use crate::observer::{Observer, Wants};
use crate::outcome::Outcome;
use crate::scalar::Real;
use crate::switching::{Branching, Course};
use core::ops::ControlFlow;

impl<E, M, R, const N: usize, const C: usize> Stepper<'_, E, M, R, N, C>
where
    E: Fork<R, N, C>,
    M: Method<R, N, C>,
    R: Real,
{
    /// Makes fixed steps to the end of the section, to an interruption, or until there are `pause` steps.
    ///
    /// Everything that changes from step to step is in local variables. So the loop touches no memory where nobody observes it. The point
    /// before a step is written in place, but only where somebody looks at the step.
    #[inline(always)]
    pub(super) fn fixed_steps<O>(&mut self, observer: &mut O, pause: u64) -> Result<ControlFlow<Outcome>, Failure>
    where
        O: Observer<R, N> + ?Sized,
    {
        let (method, options) = (self.method, self.options);
        let max_steps = self.options.max_steps.unwrap_or(u64::MAX);
        let first = self.statistics().steps;
        // Steps that switches cut short are attempts whose progress is checked, as that of adaptive steps is.
        let mut left = self.progress.left(first + self.statistics().rejected);
        let progress = &mut self.progress;
        let (mut section, mut now, mut number) = (self.section, self.now, first);
        // In a local variable, the point before would be copied in each step.
        let past = &mut self.past;
        let (mut evaluator, workspace, watch) = (self.evaluator.fork(), &mut self.workspace, &mut self.watch);
        let switching = &mut self.switching;
        let rules =
            if options.locate_switches && !method.resolves_contacts() { evaluator.switch_rules() } else { None };
        let switched = rules.is_some();
        let holds = evaluator.switch_count() != 0 && evaluator.phases().any_sticks();
        let has_modes = evaluator.mode_count() != 0;
        let mut watched = false;
        // `None` means that the section ends in a jump. The work that is done there once follows the loop, because inside it
        // would take registers from the loop.
        let left = loop {
            if number >= max_steps {
                break Some(Err(Failure::MaxSteps { max_steps }));
            }
            let (h, target) = section.next_step();
            watched = has_modes
                || !options.events.is_empty()
                || observer.wants(number + 1, now.state.t, target) > Wants::Nothing;
            if let Err(failure) = now.refresh(&mut evaluator, method) {
                break Some(Err(failure));
            }
            // The point is copied only where somebody looks at the step. With some methods the copy costs more than the step.
            if watched || switched || number + 1 >= pause || section.is_at_last() {
                *past = now;
            }
            let ((h, end), cut) = match rules {
                None => ((h, target), None),
                Some(rules) => {
                    if left == 0 {
                        let looked = now.synchronise(&mut evaluator, method);
                        match looked.and_then(|state| progress.look(&mut evaluator, &state, h.abs(), None)) {
                            Ok(more) => left = more,
                            Err(failure) => break Some(Err(failure)),
                        }
                    }
                    left -= 1;
                    match switching.cut_fixed(rules, &mut evaluator, method, &mut now, (h, target)) {
                        Ok((span, cut)) => (span, Some((rules, cut))),
                        Err(failure) => break Some(Err(failure)),
                    }
                }
            };
            let trial = method.step(&mut evaluator, workspace, &now.state, &now.memory, h, end);
            let mut over = false;
            if let Some((rules, cut)) = cut {
                match switching.judge(rules, &mut evaluator, method, trial.as_ref().ok(), &mut now, (cut, end)) {
                    Ok(Course::Strayed) => {
                        evaluator.statistics_mut().rejected += 1;
                        continue;
                    }
                    Ok(Course::Lost(failure)) | Err(failure) => break Some(Err(failure)),
                    Ok(course) => over = matches!(course, Course::Over),
                }
            }
            let trial = match trial {
                Ok(trial) if trial.state.is_finite() => trial,
                Ok(trial) => break Some(Err(Failure::not_finite(trial.state))),
                Err(failure) => break Some(Err(failure)),
            };
            if switched {
                switching.accept();
            }
            now = Point::after(trial);
            number += 1;
            let ends = section.is_at_last() && now.state.t == target;
            if holds && let Err(failure) = now.hold(&mut evaluator, method, ends) {
                break Some(Err(failure));
            }
            let mut meets_contact = false;
            if over {
                match switching.arrive(&mut evaluator, method, (&mut *past, &mut now), section.end) {
                    Ok(meets) => meets_contact = meets,
                    Err(failure) => break Some(Err(failure)),
                }
            }
            if !switched || now.state.t == target {
                section.count_step();
            }
            if section.jump && section.is_done() {
                break None;
            }
            let is_end = watched && now.state.t == section.end;
            let arrived = now.state.t;
            let points = (&mut *past, &mut now);
            let passage = match watched {
                false => Ok(Passage::On),
                true => {
                    watch.look(&mut evaluator, method, workspace, observer, (number, meets_contact || is_end), points)
                }
            };
            let passage = match passage {
                Ok(passage @ (Passage::On | Passage::Stopped)) if switched && over && !watch.memory.restarted => {
                    watch.restart(&mut evaluator, method, &mut now, passage)
                }
                Ok(passage) if switched && over && now.state.t != arrived => {
                    switching.withdraw();
                    Ok(passage)
                }
                passage => passage,
            };
            if let Some(result) = left_by(passage, number >= pause, section.is_done()) {
                break Some(result);
            }
        };
        if matches!(left, Some(Err(_))) {
            *past = now;
        }
        let mut statistics = *evaluator.statistics();
        drop(evaluator);
        statistics.steps = number - first;
        *self.evaluator.statistics_mut() += statistics;
        (self.section, self.now) = (section, now);
        left.unwrap_or_else(|| self.arrive(observer, watched, pause))
    }

    /// Ends a section whose last step meets a jump.
    #[cold]
    #[inline(never)]
    fn arrive<O>(&mut self, observer: &mut O, watched: bool, pause: u64) -> Result<ControlFlow<Outcome>, Failure>
    where
        O: Observer<R, N> + ?Sized,
    {
        let (method, number) = (self.method, self.statistics().steps);
        let evaluator: &mut dyn Led<M, R, N, C> = &mut self.evaluator;
        let mut passage = self.now.arrive(evaluator, method, self.section.end).map(|()| Passage::On);
        if watched && passage.is_ok() {
            let points = (&mut self.past, &mut self.now);
            passage =
                self.watch.look(&mut self.evaluator, method, &mut self.workspace, observer, (number, true), points);
        }
        if passage.is_err() {
            self.past = self.now;
        }
        left_by(passage, number >= pause, true).unwrap_or(Ok(ControlFlow::Continue(())))
    }
}
