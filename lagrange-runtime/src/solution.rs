//! Stored solutions.

mod partial;
mod table;

pub use partial::PartialSolution;
pub use table::Table;

use crate::constraint::Projection;
use crate::dense::Interpolant;
use crate::error::SampleError;
use crate::event::Occurrence;
use crate::instant::{Cause, Instant};
use crate::observer::{Observer, StepView, Wants};
use crate::options::Tolerance;
use crate::outcome::Outcome;
use crate::scalar::Real;
use crate::state::State;
use crate::state::time_rounding;
use crate::statistics::{Statistics, Warning};
use crate::system::System;
use core::cell::RefCell;
use core::ops::ControlFlow;
use nalgebra::SVector;
use std::vec::Vec;

/// The result of an integration. `t`, `q`, `v` and `u` have the same length.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<R: Real, const N: usize, const U: usize = 0> {
    /// The times: the initial one and every step's end, or the times of the option `t_eval`. Where an event or an impact changes the
    /// state, its time appears twice among the steps' ends, with the state before and after.
    pub t: Vec<R>,
    /// q at each time.
    pub q: Vec<SVector<R, N>>,
    /// v at each time.
    pub v: Vec<SVector<R, N>>,
    /// u at each time. Where the inputs jump, as at a sample of a controller, they are those after the jump, with which the motion goes on.
    /// A terminal event and the end of the integration come before a sample at their time.
    pub u: Vec<SVector<R, U>>,
    /// The events in the order in which they occurred.
    pub events: Vec<Occurrence<R, N>>,
    /// All that happened at instants, in the order in which it happened: events, switches, impacts, changes of phases, and samples that
    /// changed the inputs.
    pub instants: Vec<Instant<R, N>>,
    /// The counters of the integration's work.
    pub statistics: Statistics,
    /// Whether every coordinate and state stayed below 1000 `atol` of an adaptive method, so that `atol` allowed errors of more than a
    /// thousandth of them. What is 0 throughout does not count. The stored states are compared.
    pub below_tolerance: bool,
    /// How the integration ended.
    pub outcome: Outcome,
    /// The interpolants of all steps in order, if the options asked for dense output.
    pub dense: Option<Vec<Interpolant<R, N>>>,
}

impl<R: Real, const N: usize, const U: usize> Solution<R, N, U> {
    /// The number of stored states.
    pub fn len(&self) -> usize {
        self.t.len()
    }

    /// Whether no state is stored. This happens with an empty `t_eval`, and after an error before the first state.
    pub fn is_empty(&self) -> bool {
        self.t.is_empty()
    }

    /// The stored state of this index, or `None` beyond the last.
    pub fn state(&self, index: usize) -> Option<State<R, N>> {
        Some(State { t: *self.t.get(index)?, q: *self.q.get(index)?, v: *self.v.get(index)? })
    }

    /// The last stored state.
    pub fn last(&self) -> Option<State<R, N>> {
        self.state(self.len().checked_sub(1)?)
    }

    /// The stored states in order.
    pub fn states(&self) -> impl Iterator<Item = State<R, N>> + '_ {
        self.t.iter().zip(&self.q).zip(&self.v).map(|((&t, &q), &v)| State { t, q, v })
    }

    /// The inputs of the last stored state that is not after the time `t` in the direction of the integration; those of the first state
    /// before it, and `None` without states.
    ///
    /// Under a [`Sampled`](crate::controller::Sampled) controller, and without one, these are the u(t) of a solution that stores the ends of
    /// all steps, because every sample ends a step. At the time of a sample they are those after it.
    ///
    /// ```
    /// use lagrange_runtime::analysis::power_audit;
    /// use lagrange_runtime::prelude::*;
    ///
    /// #[lagrangian {
    ///     coordinates x;
    ///     kinetic = m*dot(x)^2/2;
    ///     force x = push;
    /// }]
    /// struct Slider {
    ///     m: f64,
    ///     #[input]
    ///     push: f64,
    /// }
    ///
    /// let system = Slider { m: 2.0, push: 0.0 }.prepare::<f64>()?;
    /// let mut brake = Sampled::new(0.1, |_: f64, _: &SVector<f64, 1>, v: &SVector<f64, 1>| -v);
    /// let options = Options { dense_output: true, ..Options::default() };
    /// let start = State::new(0.0, [0.0], [3.0]);
    /// let solution = solve_with(&system, start, 1.0, &Rk4::new(0.05), &options, &mut brake)?;
    /// assert_eq!(solution.held_inputs(0.07), Some(SVector::from([-3.0])));
    /// // The work of the brake is the energy that the slider lost.
    /// let audit = power_audit(&system, &solution, |t, _, _| solution.held_inputs(t).unwrap_or_default())?;
    /// assert!(audit.works[0].1 < -5.0 && audit.residual.abs() < 1e-13);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn held_inputs(&self, t: R) -> Option<SVector<R, U>> {
        let goes_back = self.t.first() > self.t.last();
        let reached = self.t.partition_point(|&stored| if goes_back { stored >= t } else { stored <= t });
        self.u.get(reached.saturating_sub(1)).copied()
    }

    /// Reasons to doubt the result, though it is no error: constraints that the motion left, and tolerances out of reach.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> + use<R, N, U> {
        self.statistics.warnings().chain(self.below_tolerance.then_some(Warning::BelowTolerance))
    }

    /// The state at any time `t` of the integrated span, by the method's [`Interpolant`]. For the forces of closed contacts and of frictions that stick,
    /// use [`contact::sample`](crate::contact::sample) with the step of `dense` that contains `t`.
    ///
    /// # Errors
    /// [`SampleError`] without `dense_output`, or at a time outside the integrated span.
    pub fn sample(&self, t: R) -> Result<State<R, N>, SampleError> {
        Ok(self.segment(t)?.sample(t))
    }

    /// Like [`Solution::sample`], but brings the state onto the constraints of `system` by `projection`.
    ///
    /// # Errors
    /// Those of [`Solution::sample`], and [`SampleError::Constraint`] where the projection fails.
    pub fn sample_on<const C: usize>(
        &self,
        system: &(impl System<R, N, C, U> + ?Sized),
        projection: &Projection<R, N>,
        t: R,
    ) -> Result<State<R, N>, SampleError> {
        self.segment(t)?.sample_on(system, projection, t).map_err(SampleError::Constraint)
    }

    /// The interpolant of the step that contains time `t`.
    fn segment(&self, t: R) -> Result<&Interpolant<R, N>, SampleError> {
        let segments = self.dense.as_deref().ok_or(SampleError::NoDenseOutput)?;
        let (Some(first), Some(last)) = (segments.first(), segments.last()) else {
            return Err(SampleError::Empty);
        };
        let (from, to) = (first.start().t, last.end().t);
        let (low, high) = if from <= to { (from, to) } else { (to, from) };
        let rounding = time_rounding(from, to);
        if !(t >= low - rounding && t <= high + rounding) {
            return Err(SampleError::Outside { t: t.to_f64(), from: from.to_f64(), to: to.to_f64() });
        }
        let index =
            segments.partition_point(|segment| if from <= to { segment.end().t < t } else { segment.end().t > t });
        Ok(segments.get(index).unwrap_or(last))
    }
}

/// The stored states, with their inputs.
#[derive(Debug)]
pub(crate) struct Nodes<R: Real, const N: usize, const U: usize> {
    t: Vec<R>,
    q: Vec<SVector<R, N>>,
    v: Vec<SVector<R, N>>,
    u: Vec<SVector<R, U>>,
}

/// An observer that stores events, and all that happens at instants.
#[derive(Debug)]
pub(crate) struct Record<R: Real, const N: usize> {
    pub(crate) events: Vec<Occurrence<R, N>>,
    pub(crate) instants: Vec<Instant<R, N>>,
}

impl<R: Real, const N: usize> Observer<R, N> for Record<R, N> {
    fn wants(&self, _: u64, _: R, _: R) -> Wants {
        Wants::Nothing
    }

    fn event(&mut self, occurrence: &Occurrence<R, N>) -> ControlFlow<()> {
        self.events.push(*occurrence);
        ControlFlow::Continue(())
    }

    fn instant(&mut self, instant: &Instant<R, N>) -> ControlFlow<()> {
        // An impact follows the events of its instant, and the motion goes on from the state after it.
        if !matches!(instant.cause, Cause::Event(_)) && instant.before != instant.after {
            let t = instant.before.t;
            let same = |event: &&mut Occurrence<R, N>| (event.after.t - t).abs() <= time_rounding(t, t);
            self.events.iter_mut().rev().take_while(same).for_each(|event| event.after = instant.after);
        }
        self.instants.push(*instant);
        ControlFlow::Continue(())
    }

    fn observe(&mut self, _: &StepView<R, N>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<R: Real, const N: usize, const U: usize> Nodes<R, N, U> {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        let (t, q, v) = (Vec::with_capacity(capacity), Vec::with_capacity(capacity), Vec::with_capacity(capacity));
        Self { t, q, v, u: Vec::new() }
    }

    fn keep(&mut self, state: &State<R, N>, u: SVector<R, U>) {
        self.t.push(state.t);
        self.q.push(state.q);
        self.v.push(state.v);
        self.u.push(u);
    }

    /// Whether every coordinate and every one of the last `states` rates stays below a thousand times its tolerance, and one of them is not 0.
    /// A tolerance above a thousandth of all of them leaves the motion less than three digits.
    pub(crate) fn stay_below(&self, tolerance: &Tolerance<R, N>, states: usize) -> bool {
        let mut moves = false;
        for i in 0..N {
            let (of, tolerance) = if i + states < N {
                (&self.q, tolerance.of_coordinate(i))
            } else {
                (&self.v, tolerance.of_velocity(i))
            };
            let mut size = R::ZERO;
            for x in of {
                size = size.max(x[i].abs());
            }
            if size >= tolerance * R::from_f64(1e3) && size > R::ZERO {
                return false;
            }
            moves |= size > R::ZERO;
        }
        moves
    }

    pub(crate) fn finish(
        self,
        segments: Segments<R, N>,
        Record { events, instants }: Record<R, N>,
        statistics: Statistics,
        outcome: Outcome,
    ) -> Solution<R, N, U> {
        let (t, q, v, u, dense) = (self.t, self.q, self.v, self.u, segments.0);
        Solution { t, q, v, u, events, instants, statistics, below_tolerance: false, outcome, dense }
    }
}

/// Stores states with the inputs of `inputs`: as an observer, the initial state and the ends of the steps.
pub(crate) struct Keeper<'a, R: Real, const N: usize, const U: usize> {
    pub(crate) nodes: Nodes<R, N, U>,
    pub(crate) inputs: &'a dyn Fn(&State<R, N>) -> SVector<R, U>,
}

impl<R: Real, const N: usize, const U: usize> Keeper<'_, R, N, U> {
    pub(crate) fn keep(&mut self, state: &State<R, N>) {
        self.nodes.keep(state, (self.inputs)(state));
    }

    /// Computes the inputs of the last state again if a controller changed them at its time.
    pub(crate) fn renew(&mut self, instant: &Instant<R, N>) {
        let State { t, .. } = instant.after;
        if instant.cause == Cause::Inputs
            && let (Some(stored), Some(u)) = (self.nodes.t.last(), self.nodes.u.last_mut())
            && (*stored - t).abs() <= time_rounding(t, t)
        {
            *u = (self.inputs)(&instant.after);
        }
    }
}

impl<R: Real, const N: usize, const U: usize> Observer<R, N> for Keeper<'_, R, N, U> {
    fn start(&mut self, initial: &State<R, N>) -> ControlFlow<()> {
        self.keep(initial);
        ControlFlow::Continue(())
    }

    fn instant(&mut self, instant: &Instant<R, N>) -> ControlFlow<()> {
        let State { t, q, v } = instant.after;
        // Several things at one instant may have one state after them.
        let Nodes { t: times, q: positions, v: velocities, .. } = &self.nodes;
        let is_last = |State { t, q, v }: &State<R, N>| {
            (times.last(), positions.last(), velocities.last()) == (Some(t), Some(q), Some(v))
        };
        // Changes of modes at the start lead to the first state, which is stored already.
        let opens = times.len() == 1 && matches!(instant.cause, Cause::Mode(_)) && !is_last(&instant.before);
        if instant.before != instant.after && !opens && !is_last(&State { t, q, v }) {
            self.keep(&instant.after);
        }
        if const { U != 0 } {
            self.renew(instant);
        }
        ControlFlow::Continue(())
    }

    fn observe(&mut self, step: &StepView<R, N>) -> ControlFlow<()> {
        self.keep(&step.end);
        ControlFlow::Continue(())
    }
}

/// An observer that renews the inputs of states that something else stores.
pub(crate) struct Renewing<'k, 'a, R: Real, const N: usize, const U: usize>(
    pub(crate) &'k RefCell<Keeper<'a, R, N, U>>,
);

impl<R: Real, const N: usize, const U: usize> Observer<R, N> for Renewing<'_, '_, R, N, U> {
    fn wants(&self, _: u64, _: R, _: R) -> Wants {
        Wants::Nothing
    }

    fn instant(&mut self, instant: &Instant<R, N>) -> ControlFlow<()> {
        self.0.borrow_mut().renew(instant);
        ControlFlow::Continue(())
    }

    fn observe(&mut self, _: &StepView<R, N>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// An observer that stores the steps' interpolants if dense output is wanted.
#[derive(Debug)]
pub(crate) struct Segments<R: Real, const N: usize>(Option<Vec<Interpolant<R, N>>>);

impl<R: Real, const N: usize> Segments<R, N> {
    pub(crate) fn new(dense_output: bool) -> Self {
        Self(dense_output.then(Vec::new))
    }
}

impl<R: Real, const N: usize> Observer<R, N> for Segments<R, N> {
    fn wants(&self, _: u64, _: R, _: R) -> Wants {
        if self.0.is_some() { Wants::Interpolation } else { Wants::Nothing }
    }

    fn observe(&mut self, step: &StepView<R, N>) -> ControlFlow<()> {
        if let (Some(segments), Some(interpolant)) = (&mut self.0, step.interpolant) {
            segments.push(interpolant);
        }
        ControlFlow::Continue(())
    }
}
