//! Steps whose size follows the error.

use super::Stepper;
use super::first_step::first_step;
use super::judge::judge;
use super::point::Point;
use super::progress::Progress;
use super::section::Section;
use super::stiffness::stiffness;
use super::watch::{Passage, left_by};
use crate::control::{History, StepControl, Verdict};
use crate::error::Failure;
use crate::evaluate::Setting;
use crate::evaluator::{Fork, Monitor};
use crate::method::{Method, Pace};
use crate::observer::{Observer, Wants};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::scalar::Real;
use crate::state::time_rounding;
use crate::switching::{Branching, Course, Switching};
use core::ops::ControlFlow;

impl<E, M, R, const N: usize, const C: usize> Stepper<'_, E, M, R, N, C>
where
    E: Fork<R, N, C>,
    M: Method<R, N, C>,
    R: Real,
{
    /// Returns the size of the next step, before `max_step` and the smallest size limit it.
    #[inline(always)]
    pub(crate) fn next_size(&mut self, control: &StepControl<R>) -> Result<R, Failure> {
        match self.proposal.or(self.options.first_step) {
            Some(step) => Ok(step),
            None => {
                let ends = (self.section.end, self.t_end);
                first_step(control, &mut self.evaluator, self.options, (self.method, &mut self.now), ends)
            }
        }
    }

    /// Makes adaptive steps to the end of the section, to an interruption, or until there are `pause` steps.
    #[inline(always)]
    pub(super) fn adaptive_steps<O>(&mut self, observer: &mut O, pause: u64) -> Result<ControlFlow<Outcome>, Failure>
    where
        O: Observer<R, N> + ?Sized,
    {
        let method = self.method;
        // `begin` has checked that the pace is adaptive.
        let Pace::Adaptive(control) = method.pace() else { return Ok(ControlFlow::Continue(())) };
        let control = &control;
        let first = *self.statistics();
        let proposal = self.next_size(control)?;
        let (mut evaluator, workspace, watch) = (self.evaluator.fork(), &mut self.workspace, &mut self.watch);
        let switched =
            evaluator.switch_rules().is_some() && self.options.locate_switches && !self.method.resolves_contacts();
        let holds = evaluator.switch_count() != 0 && evaluator.phases().any_sticks();
        let mut attempts = Attempts {
            switching: switched.then_some(&mut self.switching),
            over: false,
            control,
            options: self.options,
            section: self.section,
            history: self.history,
            proposal,
            left: match (self.options.max_steps, first.steps + first.rejected) {
                (Some(max), made) => max - made.min(max),
                (None, made) => self.progress.left(made),
            },
            progress: self.progress,
        };
        let (mut past, mut now, mut number) = (self.past, self.now, first.steps);
        let result = loop {
            let next = match attempts.step(&mut evaluator, method, workspace, &mut now, (&*observer, number + 1)) {
                Ok(next) => next,
                Err(failure) => break Err(failure),
            };
            (past, now) = (now, next);
            number += 1;
            if holds && let Err(failure) = now.hold(&mut evaluator, method, now.state.t == attempts.section.end) {
                break Err(failure);
            }
            let mut is_last = now.state.t == attempts.section.end;
            if attempts.over
                && let Some(switching) = attempts.switching.as_deref_mut()
            {
                match switching.arrive(&mut evaluator, method, (&mut past, &mut now), attempts.section.end) {
                    Ok(meets) => is_last |= meets,
                    Err(failure) => break Err(failure),
                }
            }
            let arrived = now.state.t;
            let points = (&mut past, &mut now);
            let passage = watch.look(&mut evaluator, method, workspace, observer, (number, is_last), points);
            let passage = match passage {
                Ok(passage @ (Passage::On | Passage::Stopped))
                    if switched && attempts.over && !watch.memory.restarted =>
                {
                    watch.restart(&mut evaluator, method, &mut now, passage)
                }
                Ok(passage) if switched && attempts.over && now.state.t != arrived => {
                    attempts.withdraw();
                    Ok(passage)
                }
                passage => passage,
            };
            if let Some(result) = left_by(passage, number >= pause, now.state.t == attempts.section.end) {
                break result;
            }
        };
        let (mut statistics, sizes) = (*evaluator.statistics(), evaluator.sizes());
        drop(evaluator);
        self.evaluator.set_sizes(sizes);
        statistics.steps = number - first.steps;
        (self.history, self.proposal, self.progress) = (attempts.history, Some(attempts.proposal), attempts.progress);
        *self.evaluator.statistics_mut() += statistics;
        (self.past, self.now) = (past, now);
        result
    }
}

/// The quantities that attempts at steps use, in addition to the state.
struct Attempts<'a, R: Real, const N: usize> {
    /// The state of the search for switches; `None` where steps do not end on them.
    switching: Option<&'a mut Switching<R>>,
    /// Whether the last step went over a switch.
    over: bool,
    control: &'a StepControl<R>,
    options: &'a Options<'a, R, N>,
    section: Section<R>,
    history: History,
    /// The size to try next.
    proposal: R,
    /// The number of attempts before `max_steps` is reached. Without `max_steps`, the number before the next check of the
    /// progress.
    left: u64,
    progress: Progress<R>,
}

impl<R: Real, const N: usize> Attempts<'_, R, N> {
    /// Takes back what the last step crossed, because an event interrupts the motion before its end.
    #[cold]
    fn withdraw(&mut self) {
        if let Some(switching) = self.switching.as_deref_mut() {
            switching.withdraw();
        }
    }

    /// Attempts a step from `now` until an attempt is accepted.
    #[inline(always)]
    fn step<E, M, O, const C: usize>(
        &mut self,
        evaluator: &mut E,
        method: &M,
        workspace: &mut M::Workspace,
        now: &mut Point<R, N, M::Memory>,
        (observer, number): (&O, u64),
    ) -> Result<Point<R, N, M::Memory>, Failure>
    where
        E: Fork<R, N, C>,
        M: Method<R, N, C>,
        O: Observer<R, N> + ?Sized,
    {
        now.refresh(evaluator, method)?;
        let t = now.state.t;
        let target = self.section.end;
        let remaining = (target - t).abs();
        let rounding = time_rounding(t, target);
        // A proposal below the smallest step is raised to it. The integration fails only if an attempt of that size is
        // rejected.
        let smallest = (R::from_f64(10.0 * R::EPSILON) * t.abs()).max(self.options.min_step);
        let mut step = limited(self.proposal, smallest, self.options.max_step);
        loop {
            if self.left == 0 {
                if let Some(max_steps) = self.options.max_steps {
                    return Err(Failure::MaxSteps { max_steps });
                }
                let state = now.synchronise(evaluator, method)?;
                self.left = self.progress.look(
                    evaluator,
                    &state,
                    step,
                    method.is_limited_by_stability().then_some((stiffness, self.options)),
                )?;
            }
            self.left -= 1;
            // On dual numbers, a size that is computed from the state has derivatives. They are
            // removed, because the motion does not depend on the step size. They would cancel at
            // the end of the section only if the steps had no error, and would grow from section
            // to section.
            step = step.without_derivatives();
            let mut ends_section = reaches(step, remaining, rounding);
            let mut cut = None;
            let wanted = step;
            if let Some(switching) = self.switching.as_deref_mut()
                && let Some(rules) = evaluator.switch_rules()
            {
                let size = if ends_section { remaining } else { step };
                let found = switching.cut(rules, evaluator, method, now, (size, target))?;
                cut = Some(found);
                ends_section &= found.size >= size;
                step = if ends_section { step } else { found.size };
            }
            let (h, end) = if ends_section {
                let end = self.section.limit(t);
                (end - t, end)
            } else {
                let h = if target < t { -step } else { step };
                (h, t + h)
            };
            if method.judges_interpolants() {
                let events = !self.options.events.is_empty() || evaluator.mode_count() != 0;
                let asked = events || observer.wants(number, t, end) == Wants::Interpolation;
                evaluator.set_interpolated(asked);
            }
            let tried = method.step(evaluator, workspace, &now.state, &now.memory, h, end);
            let mut course = Course::Smooth;
            if let (Some(switching), Some(cut)) = (self.switching.as_deref_mut(), cut)
                && let Some(rules) = evaluator.switch_rules()
            {
                course = switching.judge(rules, evaluator, method, tried.as_ref().ok(), now, (cut, end))?;
            }
            self.over = matches!(course, Course::Over);
            if matches!(course, Course::Strayed) {
                evaluator.statistics_mut().rejected += 1;
                step = wanted;
                continue;
            }
            let tried = if let Course::Lost(failure) = course { Err(failure) } else { tried };
            let (factor, cause) = match tried {
                Ok(trial) if trial.state.is_finite() => {
                    let (state, options, history) = (&now.state, self.options, &mut self.history);
                    let exponent = method.error_power();
                    let mut verdict = judge(self.control, evaluator, options, history, (state, &trial), exponent);
                    if self.over {
                        // The step over a switch is a few roundings of the time long. Its error
                        // estimate is not used, because it compares two branches of the equations.
                        verdict = Verdict { accepted: true, factor: R::ONE };
                        self.history.accept();
                    }
                    if verdict.accepted {
                        if let Some(switching) = self.switching.as_deref_mut() {
                            switching.accept();
                        }
                        // A switch may have cut the step short. The proposal takes into account the
                        // size that was wanted before.
                        step = wanted;
                        self.proposal = proposal(h.abs(), step, verdict.factor);
                        let next = Point::after(trial);
                        if ends_section && self.section.jump {
                            let mut arrived = next;
                            evaluator.with_fork(|evaluator| arrived.arrive(evaluator, method, target))?;
                            return Ok(arrived);
                        }
                        return Ok(next);
                    }
                    (verdict.factor, None)
                }
                bad => {
                    let cause = bad.map_or_else(|failure| failure, |trial| Failure::not_finite(trial.state));
                    self.history.rejected = true;
                    (StepControl::<R>::shrink(), Some(cause))
                }
            };
            evaluator.statistics_mut().rejected += 1;
            step = h.abs() * factor;
            if step < smallest || step == R::ZERO {
                // A step of size 0 would be accepted, and lead nowhere.
                if wanted <= smallest || h.abs() <= smallest || smallest == R::ZERO {
                    return Err(too_small(self.options.min_step, smallest, step, cause));
                }
                step = smallest;
            }
        }
    }
}

/// Returns the proposed size, limited to at most `max_step` and then to at least `smallest`.
#[inline(always)]
pub(crate) fn limited<R: Real>(proposal: R, smallest: R, max_step: R) -> R {
    let step = if proposal < max_step { proposal } else { max_step };
    if step < smallest { smallest } else { step }
}

/// Whether a step of this size ends its section. A step that would leave a remainder of the size of
/// rounding ends the section, too, and is stretched to its end.
#[inline(always)]
pub(crate) fn reaches<R: Real>(step: R, remaining: R, rounding: R) -> bool {
    step + (step * R::from_f64(1e-9) + rounding) >= remaining
}

/// Returns the size to try after an accepted step of size `made`. Step control wanted the size
/// `step`; `made` is smaller if a switch or the end of the section cut the step short.
///
/// The result is `made` times `factor`. There is one exception for a step that was cut short: if
/// `factor` is at least 1, or if `made` is less than half of `step`, the result is at least `step`.
/// Such a step does not show that the size `step` is too large.
#[inline(always)]
pub(crate) fn proposal<R: Real>(made: R, step: R, factor: R) -> R {
    let longer = made * factor;
    let whole = made >= step * R::from_f64(0.5);
    if longer > step || factor < R::ONE && whole { longer } else { step }
}

/// Returns the failure of a step whose next attempt would be shorter than the smallest step.
#[cold]
#[inline(never)]
fn too_small<R: Real>(min_step: R, smallest: R, step: R, cause: Option<Failure>) -> Failure {
    let step = step.to_f64();
    if min_step > R::ZERO && min_step >= smallest {
        return Failure::BelowMinStep { min_step: min_step.to_f64(), step };
    }
    cause.unwrap_or(Failure::StepTooSmall { step })
}
