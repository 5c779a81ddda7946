//! The search for the event that ends a trajectory in a lane.
//!
//! A lane only finds out whether the event may happen in a step. If so, [`integrate`] makes this
//! step again, without lanes, and locates the event. If it finds none, the trajectory goes on in
//! its lane, with the state that the lane has computed.

use super::super::{End, Member, MemberResult, SharedFunction, local, scalar};
use super::Crew;
use crate::controller::DefaultInputs;
use crate::event::Event;
use crate::method::{Explicit, Method};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::solve::integrate;
use crate::state::State;
use crate::system::Mechanism;
use crate::workers::Queue;
use core::ops::ControlFlow;
use pulp::Simd;

/// `integrate` makes a step again if, at one of the samples, the event's function is nearer to 0
/// than this multiple of its variation over the step. The samples are taken from a cubic
/// polynomial, whose error is a few percent of the variation in a step that resolves the motion.
const NEAR: f64 = 0.25;

/// The samples of an event's function along a step.
struct Samples {
    /// The sign of the function at the start.
    side: f64,
    /// The least and the largest sample, times `side`.
    least: f64,
    largest: f64,
    is_defined: bool,
}

impl Samples {
    fn add(&mut self, value: f64) {
        let height = self.side * value;
        self.is_defined &= !height.is_nan();
        self.least = self.least.min(height);
        self.largest = self.largest.max(height);
    }

    /// Whether the samples stay away from 0 by more than [`NEAR`] times their variation.
    fn stay_away(&self) -> bool {
        self.is_defined && self.least > NEAR * (self.largest - self.least)
    }
}

/// Whether the event may happen in the step from `start` to `end`. The values are those of the
/// event's function at these states. The first one is not 0.
fn may_happen<const N: usize>(
    function: &SharedFunction<'_, N>,
    parts: u32,
    (start, first): (&State<f64, N>, f64),
    (end, last): (&State<f64, N>, f64),
) -> bool {
    let mut samples = Samples { side: first.signum(), least: first.abs(), largest: first.abs(), is_defined: true };
    let at = |part: f64| {
        let State { t, q, v } = between(start, end, part);
        function(t, &q, &v)
    };
    samples.add(last);
    for k in 1..parts {
        samples.add(at(f64::from(k) / f64::from(parts)));
    }
    !samples.stay_away()
}

/// Returns the state at a fraction of the time from `a` to `b`, from the cubic polynomial with the
/// coordinates and velocities of both.
fn between<const N: usize>(a: &State<f64, N>, b: &State<f64, N>, part: f64) -> State<f64, N> {
    let (h, rest) = (b.t - a.t, 1.0 - part);
    let mut state = *a;
    state.t = a.t + h * part;
    for i in 0..N {
        let (rise, from, to) = (b.q[i] - a.q[i], h * a.v[i], h * b.v[i]);
        let bend = rest * (from - rise) - part * (to - rise);
        state.q[i] = rest * a.q[i] + part * b.q[i] + part * rest * bend;
        state.v[i] = (rise + (rest - part) * bend - part * rest * (from + to - 2.0 * rise)) / h;
    }
    state
}

impl<Y, M, S, const N: usize, const U: usize, const W: usize> Crew<'_, Y, M, S, N, U, W>
where
    Y: Method<f64, N, 0> + Explicit<N>,
    M: Mechanism<N, 0, U>,
    S: Simd,
{
    /// Searches the last step of a lane for the event that ends a trajectory. The step began at
    /// `start`.
    ///
    /// Returns whether the trajectory has left the lane, because the event has ended it or because
    /// it was computed again without lanes.
    pub(super) fn search<I, F>(
        &mut self,
        lane: usize,
        start: &State<f64, N>,
        queue: &Queue<'_, I, F, MemberResult<N>>,
    ) -> bool
    where
        I: Iterator<Item = Member<M, N>>,
        F: FnMut(u64, MemberResult<N>) -> ControlFlow<()>,
    {
        let (Some((direction, function)), Some(trajectory)) = (self.event, &mut self.lanes[lane]) else {
            return false;
        };
        let end = self.states.of(lane);
        let first = trajectory.value;
        let last = function(end.t, &end.q, &end.v);
        trajectory.value = last;
        if !may_happen(function, self.options.event_samples, (start, first), (&end, last)) {
            return false;
        }
        let events = [Event::new(local(function)).going(direction).terminal()];
        let size = (end.t - start.t).abs().max(self.options.min_step);
        let options = Options { events: &events, first_step: Some(size), ..self.ensemble.options() };
        let mut state = *start;
        let again = trajectory.member.mechanism.prepare::<f64>().ok().and_then(|system| {
            let mut inputs = DefaultInputs::of(&system);
            integrate(&system, &mut state, end.t, self.ensemble.method, &options, &mut inputs, &mut ()).ok()
        });
        match again {
            Some(report) if matches!(report.outcome, Outcome::Event(_)) => {
                let mut statistics = trajectory.statistics;
                // The step in the lane is replaced by that of `integrate`.
                statistics.steps -= 1;
                statistics += report.statistics;
                let end = End { state, outcome: report.outcome, statistics };
                queue.give(trajectory.index, Ok(end));
                self.lanes[lane] = None;
                true
            }
            Some(report) if last != 0.0 && !last.is_nan() => {
                trajectory.statistics.evaluations += report.statistics.evaluations;
                false
            }
            // Only a search from the start of the trajectory knows on which side of its zero the
            // function is, or at which time and state it fails.
            _ => {
                self.recompute(lane, queue);
                true
            }
        }
    }

    /// Computes a trajectory without lanes.
    pub(super) fn alone(&self, index: u64, member: &Member<M, N>) -> MemberResult<N> {
        scalar::trajectory(self.ensemble, self.event, index, member)
    }
}
