//! Adaptive steps in lanes.

use super::super::kernel::{Attempt, Attempted};
use super::super::{Member, MemberResult};
use super::{Course, Crew};
use crate::control::{StepControl, ToleranceLaw};
use crate::method::{Explicit, Method};
use crate::options::Options;
use crate::scalar::{Fused, Lanes};
use crate::state::time_rounding;
use crate::stepper::adaptive::{limited, proposal, reaches};
use crate::system::{Mechanism, System};
use crate::workers::Queue;
use core::ops::ControlFlow;
use pulp::Simd;

/// The number of attempts between two checks of the progress of a lane.
const WINDOW: u64 = 10_000;

/// The fraction of the time span that a trajectory must advance in [`WINDOW`] attempts. A slower
/// trajectory is computed again by `integrate`, which finds out whether it fails.
const SLOW: f64 = 1e-4;

/// An attempt at a step.
#[derive(Clone, Copy, Default)]
struct Tried {
    /// The size that step control wants.
    step: f64,
    /// The smallest size that step control may choose.
    smallest: f64,
    /// The size that is tried, with the sign of the direction. At the end of the section it is the
    /// remaining time.
    h: f64,
    /// The time at the end of the step.
    end: f64,
    ends_section: bool,
}

/// Returns the step to try from the time `t`. It ends at the time `target` at the latest.
fn next<const N: usize>(course: &Course<N>, options: &Options<'_, f64, N>, t: f64, target: f64) -> Tried {
    let smallest = (10.0 * f64::EPSILON * t.abs()).max(options.min_step);
    let step = course.step.unwrap_or_else(|| limited(course.proposal, smallest, options.max_step));
    let ends_section = reaches(step, (target - t).abs(), time_rounding(t, target));
    let h = match ends_section {
        true => target - t,
        false if target < t => -step,
        false => step,
    };
    Tried { step, smallest, h, end: if ends_section { target } else { t + h }, ends_section }
}

/// The decision about an attempt.
enum Verdict {
    Accepted,
    Rejected,
    /// The attempt is rejected although it had the smallest size, so that the integration fails, or after so many others that its error may
    /// be rounding.
    Lost,
}

/// The most rejected attempts at a step whose tolerances follow the motion. After more of them its errors may be rounding; `integrate`
/// finds out.
const REFUSALS: u32 = 8;

/// Decides about the attempt `tried`, and sets the size of the next one. `square` is the square of the error
/// relative to the tolerances, or `None` if the state at the end is not finite.
fn judge<const N: usize>(
    course: &mut Course<N>,
    tried: &Tried,
    square: Option<f64>,
    law: ToleranceLaw,
    exponent: u32,
) -> Verdict {
    let made = tried.h.abs();
    let factor = match square {
        Some(square) => {
            let verdict = law.judge(&mut course.history, square, exponent);
            if verdict.accepted {
                course.proposal = proposal(made, tried.step, verdict.factor);
                (course.step, course.rejected) = (None, 0);
                return Verdict::Accepted;
            }
            verdict.factor
        }
        None => {
            course.history.rejected = true;
            StepControl::<f64>::shrink()
        }
    };
    course.rejected += 1;
    if course.sizes.is_some() && course.rejected > REFUSALS {
        return Verdict::Lost;
    }
    let step = made * factor;
    let is_small = step < tried.smallest || step == 0.0;
    if is_small && (tried.step <= tried.smallest || made <= tried.smallest) {
        return Verdict::Lost;
    }
    course.step = Some(if is_small { tried.smallest } else { step });
    Verdict::Rejected
}

impl<Y, M, S, const N: usize, const U: usize, const W: usize> Crew<'_, Y, M, S, N, U, W>
where
    Y: Method<f64, N, 0> + Explicit<N>,
    M: Mechanism<N, 0, U>,
    S: Simd,
{
    /// Integrates members with adaptive steps until there are none. All lanes make an attempt at
    /// the same time, each with its own time, step size and error.
    pub(super) fn adaptive<I, F>(&mut self, queue: &Queue<'_, I, F, MemberResult<N>>, law: ToleranceLaw)
    where
        I: Iterator<Item = Member<M, N>>,
        F: FnMut(u64, MemberResult<N>) -> ControlFlow<()>,
    {
        let (simd, method) = (self.simd, self.ensemble.method);
        let exponent = method.error_power();
        let mut accelerations = [[0.0; W]; N];
        let mut stages = method.stages::<Lanes<Fused, W>>();
        let mut current = false;
        while let Some(new) = self.fill(queue) {
            current &= !new.contains(&true);
            let mut tried = [Tried::default(); W];
            let (mut h, mut end) = ([0.0; W], self.states.t);
            for (i, lane) in self.lanes.iter().enumerate() {
                if let Some(lane) = lane {
                    tried[i] = next(&lane.course, &self.options, self.states.t[i], lane.section.end);
                    (h[i], end[i]) = (tried[i].h, tried[i].end);
                }
            }
            let Some(system) = &self.system else { return };
            let (states, options, state_count) = (&self.states, &self.options, system.state_count());
            let attempt = Attempt {
                method,
                stages: &mut stages,
                system,
                options,
                states,
                accelerations: &mut accelerations,
                current,
                absolute: &self.absolute,
                h,
                end,
                inputs: Self::INPUTS,
            };
            let Attempted { states, accelerations: at_ends, squares, evaluations } = simd.vectorize(attempt);
            let evaluations = evaluations - u64::from(!current);
            current = at_ends.is_some();
            for i in 0..W {
                let Some(lane) = &mut self.lanes[i] else { continue };
                // The counts are those of `integrate`. It evaluates the acceleration at the start
                // of a step unless the step before has given it. For the first step, `admit` has
                // counted this evaluation, unless the option `first_step` made it unnecessary.
                let is_start = lane.course.step.is_none() && !new[i] && at_ends.is_none();
                let unasked = new[i] && self.options.first_step.is_some();
                lane.statistics.evaluations += evaluations + u64::from(is_start || unasked);
                let square = states.is_finite(i).then_some(squares[i]);
                match judge(&mut lane.course, &tried[i], square, law, exponent) {
                    Verdict::Accepted => {
                        lane.statistics.steps += 1;
                        if let Some(sizes) = lane.course.sizes {
                            let sizes = sizes.including(&states.of(i)).if_they_count(&self.options, state_count);
                            lane.course.sizes = sizes;
                            self.set_tolerances(i, sizes);
                        }
                        let start = self.event.map(|_| self.states.of(i));
                        self.states.set(i, &states.of(i));
                        if let Some(at_ends) = &at_ends {
                            for (row, at_end) in accelerations.iter_mut().zip(at_ends) {
                                row[i] = at_end[i];
                            }
                        }
                        if start.is_some_and(|start| self.search(i, &start, queue)) {
                            continue;
                        }
                        if tried[i].ends_section {
                            self.finish(i, queue);
                            continue;
                        }
                    }
                    Verdict::Rejected => lane.statistics.rejected += 1,
                    Verdict::Lost => {
                        self.recompute(i, queue);
                        continue;
                    }
                }
                let Some(lane) = &mut self.lanes[i] else { continue };
                let made = lane.statistics.steps + lane.statistics.rejected;
                if made >= lane.course.look + WINDOW {
                    let advance = (self.states.t[i] - lane.course.last).abs();
                    (lane.course.look, lane.course.last) = (made, self.states.t[i]);
                    let span = (lane.section.end - lane.member.initial.t).abs();
                    if advance < SLOW * span {
                        self.recompute(i, queue);
                    }
                }
            }
        }
    }
}
