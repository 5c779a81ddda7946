//! Fixed steps in lanes.

use super::super::kernel::{FixedSteps, Span};
use super::super::{Member, MemberResult};
use super::Crew;
use crate::method::{Explicit, Method};
use crate::system::Mechanism;
use crate::workers::Queue;
use core::ops::ControlFlow;
use pulp::Simd;

/// The largest number of steps in all lanes before the trajectories are checked: whether one has
/// ended or failed, and whether the run must end.
const BATCH: u64 = 512;

impl<Y, M, S, const N: usize, const U: usize, const W: usize> Crew<'_, Y, M, S, N, U, W>
where
    Y: Method<f64, N, 0> + Explicit<N>,
    M: Mechanism<N, 0, U>,
    S: Simd,
{
    /// Integrates members with fixed steps until there are none. All lanes make each step at the
    /// same time.
    ///
    /// The last step of a trajectory may be shorter than the others. It is made while the other
    /// lanes make a step of their usual size, so that no lane waits for it.
    pub(super) fn fixed<I, F>(&mut self, queue: &Queue<'_, I, F, MemberResult<N>>)
    where
        I: Iterator<Item = Member<M, N>>,
        F: FnMut(u64, MemberResult<N>) -> ControlFlow<()>,
    {
        while self.fill(queue).is_some() {
            let mut h = [0.0; W];
            let (mut start, mut done, mut end) = (self.states.t, [0.0; W], self.states.t);
            // Each step is searched for the event that ends a trajectory.
            let mut count = if self.event.is_some() { 1 } else { BATCH };
            for (i, lane) in self.lanes.iter().enumerate() {
                let Some(lane) = lane else { continue };
                let (from, _, made, left) = lane.section.whole_steps();
                (start[i], done[i]) = (from, made as f64);
                (h[i], end[i]) = lane.section.next_step();
                count = count.min(left);
            }
            let span = if count == 0 { Span::To(end) } else { Span::Whole { start, done, count } };
            let count = count.max(1);
            let Some(system) = &self.system else { return };
            let (simd, method) = (self.simd, self.ensemble.method);
            let starts = self.states;
            let steps = FixedSteps::<_, _, N, U, W> { method, system, states: &mut self.states, h, span };
            let evaluations = simd.vectorize(steps);
            for i in 0..W {
                let Some(lane) = &mut self.lanes[i] else { continue };
                lane.section.count_steps(count);
                lane.statistics.steps += count;
                lane.statistics.evaluations += evaluations;
                // A state that is not finite stays so in later steps. It is therefore enough to
                // check it after several steps.
                if !self.states.is_finite(i) {
                    self.recompute(i, queue);
                    continue;
                }
                let is_done = lane.section.is_done();
                if !self.search(i, &starts.of(i), queue) && is_done {
                    self.finish(i, queue);
                }
            }
        }
    }
}
