//! The computation of several trajectories at once in each thread, each in a lane of its own.

mod adaptive;
mod fixed;
mod terminal;

use super::kernel::lanes as in_lanes;
use super::kernel::{Rows, States};
use super::scalar::{self, Terminal};
use super::{End, Ensemble, Member, MemberError, MemberResult, Vectorization, refused};
use crate::control::{History, Sizes, StepControl, ToleranceLaw};
use crate::controller::DefaultInputs;
use crate::method::{Explicit, Method, Pace};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::scalar::{Fused, Lanes};
use crate::statistics::Statistics;
use crate::stepper::Stepper;
use crate::stepper::section::Section;
use crate::system::{Mechanism, System};
use crate::workers::Queue;
use core::marker::PhantomData;
use core::ops::ControlFlow;
use nalgebra::SVector;
use pulp::Simd;
use std::vec::Vec;

/// Integrates members until there are none, in lanes where the processor, the method and the options allow it.
pub(super) fn work<Y, M, I, F, const N: usize, const U: usize>(
    ensemble: &Ensemble<'_, Y>,
    event: Terminal<'_, N>,
    queue: &Queue<'_, I, F, MemberResult<N>>,
) where
    Y: Method<f64, N, 0> + Explicit<N>,
    M: Mechanism<N, 0, U>,
    I: Iterator<Item = Member<M, N>>,
    F: FnMut(u64, MemberResult<N>) -> ControlFlow<()>,
{
    let options: Options<'_, f64, N> = ensemble.options();
    let pace = match ensemble.method.pace() {
        Pace::Fixed(_) => Some(None),
        Pace::Adaptive(StepControl::Tolerance(law)) if !options.asks_beyond_reach() => Some(Some(law)),
        Pace::Adaptive(_) => None,
    };
    let law = match pace {
        Some(law)
            if ensemble.lanes == Vectorization::Widest && options.stops.is_empty() && options.max_steps.is_none() =>
        {
            law
        }
        _ => return scalar::work(ensemble, event, queue),
    };
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(simd) = pulp::x86::V4::try_new() {
            return Crew::<Y, M, _, N, U, 16>::new(ensemble, event, options, simd).work(queue, law);
        }
        if let Some(simd) = pulp::x86::V3::try_new() {
            return Crew::<Y, M, _, N, U, 8>::new(ensemble, event, options, simd).work(queue, law);
        }
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(simd) = pulp::aarch64::Neon::try_new() {
        return Crew::<Y, M, _, N, U, 8>::new(ensemble, event, options, simd).work(queue, law);
    }
    let _ = law;
    scalar::work(ensemble, event, queue);
}

/// The trajectories that one thread computes at the same time, one in each of `W` lanes.
struct Crew<'a, Y, M, S, const N: usize, const U: usize, const W: usize>
where
    M: Mechanism<N, 0, U>,
    S: Simd,
{
    ensemble: &'a Ensemble<'a, Y>,
    event: Terminal<'a, N>,
    options: Options<'a, f64, N>,
    simd: S,
    states: States<N, W>,
    /// The absolute tolerances of the coordinates and of the velocities.
    absolute: [Rows<N, W>; 2],
    lanes: [Option<Lane<M, N>>; W],
    /// A row for each parameter and then for each input, with one value for each lane.
    values: Vec<[f64; W]>,
    /// The equations with these values. `None` until they are prepared for the current values.
    system: Option<M::Prepared<Lanes<Fused, W>>>,
}

/// The trajectory in a lane.
struct Lane<M, const N: usize> {
    /// The index of the member.
    index: u64,
    member: Member<M, N>,
    section: Section<f64>,
    statistics: Statistics,
    course: Course<N>,
    /// The value of the event's function at the state. 0 if there is no event.
    value: f64,
}

/// The step control of a lane with adaptive steps.
#[derive(Clone, Copy)]
struct Course<const N: usize> {
    history: History,
    /// The sizes that the trajectory has reached, as long as tolerances follow them.
    sizes: Option<Sizes<f64, N>>,
    /// The size proposed for the next step.
    proposal: f64,
    /// The size of the next attempt at a step after a rejected attempt. `None` if the next attempt
    /// is the first at its step.
    step: Option<f64>,
    /// The number of rejected attempts at the step.
    rejected: u32,
    /// The number of attempts at the last check of the progress.
    look: u64,
    /// The time of the trajectory at that check.
    last: f64,
}

/// The start of a member's trajectory.
enum Admission<M, const N: usize> {
    /// The trajectory is ready for a lane.
    Lane(Lane<M, N>),
    /// The trajectory needs no lane, because its result is known already.
    Result(Result<End<N>, MemberError<N>>),
}

impl<'a, Y, M, S, const N: usize, const U: usize, const W: usize> Crew<'a, Y, M, S, N, U, W>
where
    Y: Method<f64, N, 0> + Explicit<N>,
    M: Mechanism<N, 0, U>,
    S: Simd,
{
    fn new(ensemble: &'a Ensemble<'a, Y>, event: Terminal<'a, N>, options: Options<'a, f64, N>, simd: S) -> Self {
        let lanes = core::array::from_fn(|_| None);
        let absolute = [
            core::array::from_fn(|i| [options.atol.of_coordinate(i); W]),
            core::array::from_fn(|i| [options.atol.of_velocity(i); W]),
        ];
        let (states, values) = (States::new(), Vec::new());
        Self { ensemble, event, options, simd, states, absolute, lanes, values, system: None }
    }

    /// Integrates members until there are none, with adaptive steps if there is a `law` for their
    /// size, and with fixed steps otherwise.
    fn work<I, F>(mut self, queue: &Queue<'_, I, F, MemberResult<N>>, law: Option<ToleranceLaw>)
    where
        I: Iterator<Item = Member<M, N>>,
        F: FnMut(u64, MemberResult<N>) -> ControlFlow<()>,
    {
        match law {
            None => self.fixed(queue),
            Some(law) => self.adaptive(queue, law),
        }
    }

    /// Puts members into the free lanes and prepares the equations. Returns which lanes have a new
    /// trajectory, or `None` if no lane has a trajectory or the run has been ended early.
    fn fill<I, F>(&mut self, queue: &Queue<'_, I, F, MemberResult<N>>) -> Option<[bool; W]>
    where
        I: Iterator<Item = Member<M, N>>,
        F: FnMut(u64, MemberResult<N>) -> ControlFlow<()>,
    {
        let mut new = [false; W];
        loop {
            for (lane, is_new) in new.iter_mut().enumerate() {
                while self.lanes[lane].is_none() {
                    let is_idle = self.lanes.iter().all(Option::is_none);
                    let Some((index, member)) = queue.take(is_idle) else { break };
                    match self.admit(index, member) {
                        Admission::Result(result) => queue.give(index, result),
                        Admission::Lane(trajectory) => {
                            self.place(lane, &trajectory.member);
                            self.set_tolerances(lane, trajectory.course.sizes);
                            self.lanes[lane] = Some(trajectory);
                            *is_new = true;
                        }
                    }
                }
            }
            if queue.is_stopped() {
                return None;
            }
            // Each operation is done in all lanes. A lane without a trajectory therefore gets the
            // state and the values of another lane, and makes steps of size 0.
            let running = self.lanes.iter().position(Option::is_some)?;
            for lane in 0..W {
                if self.lanes[lane].is_none() {
                    self.states.set(lane, &self.states.of(running));
                    for row in 0..self.values.len() {
                        self.set_value(row, lane, self.values[row][running]);
                    }
                }
            }
            if self.system.is_none() {
                self.system = self.prepare();
            }
            if self.system.is_some() {
                return Some(new);
            }
            // `admit` has already prepared the values of each lane separately, so that preparing
            // them together does not fail. If it does, the trajectories are computed without lanes.
            for lane in 0..W {
                self.recompute(lane, queue);
            }
        }
    }

    /// Prepares a member, checks it as [`integrate`](crate::solve::integrate) does, and chooses the
    /// size of its first step. If lanes cannot be used for it, its trajectory is computed at once.
    fn admit(&self, index: u64, member: Member<M, N>) -> Admission<M, N> {
        let system = match member.mechanism.prepare::<f64>() {
            Ok(system) => system,
            Err(error) => return Admission::Result(Err(MemberError::Prepare(error))),
        };
        let (initial, method) = (member.initial, self.ensemble.method);
        let mut inputs = DefaultInputs::of(&system);
        let t_end = self.ensemble.end(index);
        let mut stepper = match Stepper::new(&system, initial, t_end, method, &self.options, &mut inputs) {
            Ok(stepper) => stepper,
            Err(error) => return Admission::Result(Err(MemberError::Solve(error))),
        };
        let proposal = match method.pace() {
            Pace::Fixed(h) => h,
            Pace::Adaptive(control) => match stepper.next_size(&control) {
                Ok(proposal) => proposal,
                Err(failure) => {
                    return Admission::Result(Err(refused(
                        failure,
                        initial,
                        (system.coordinates(), system.state_count()),
                    )));
                }
            },
        };
        let (section, statistics) = (stepper.section(), *stepper.statistics());
        let value = self.event.map_or(0.0, |(_, function)| function(initial.t, &initial.q, &initial.v));
        // From a zero, only the slope of the function tells on which side the trajectory begins.
        let has_side = self.event.is_none() || value.abs() > 0.0;
        if stepper.is_finished()
            || !has_side
            || system.row_count() != 0
            || system.mode_count() != 0
            // The search in lanes finds velocities within a step from coordinates. A state has none.
            || (self.event.is_some() && system.state_count() != 0)
            || (self.options.locate_switches && system.switch_count() != 0)
        {
            return Admission::Result(self.alone(index, &member));
        }
        let sizes = self.options.atol.follows().then(Sizes::default);
        let sizes = sizes.map(|sizes| sizes.including(&initial));
        let course =
            Course { history: History::default(), sizes, proposal, step: None, rejected: 0, look: 0, last: initial.t };
        Admission::Lane(Lane { index, member, section, statistics, course, value })
    }

    /// Writes the parameters, the inputs and the initial state of a member into a lane.
    fn place(&mut self, lane: usize, member: &Member<M, N>) {
        self.values.resize(M::PARAMETERS.len() + U, [f64::NAN; W]);
        for (row, name) in M::PARAMETERS.iter().chain(&M::INPUTS).enumerate() {
            // A mechanism has a value for each of its own names, so that NaN does not occur.
            self.set_value(row, lane, member.mechanism.parameter(name).unwrap_or(f64::NAN));
        }
        self.states.set(lane, &member.initial);
    }

    /// Sets the absolute tolerances of a lane: those that follow `sizes`, or the largest ones.
    fn set_tolerances(&mut self, lane: usize, sizes: Option<Sizes<f64, N>>) {
        let Options { atol, .. } = &self.options;
        let followed = sizes.map(|sizes| sizes.tolerances(&self.options));
        let [q, v] = &mut self.absolute;
        for i in 0..N {
            q[i][lane] = followed.map_or(atol.of_coordinate(i), |followed| followed.q[i]);
            v[i][lane] = followed.map_or(atol.of_velocity(i), |followed| followed.v[i]);
        }
    }

    /// Sets a parameter or an input of a lane. If the value is new there, the equations must be
    /// prepared again.
    fn set_value(&mut self, row: usize, lane: usize, value: f64) {
        let old = &mut self.values[row][lane];
        if old.to_bits() != value.to_bits() {
            *old = value;
            self.system = None;
        }
    }

    /// Prepares the equations with the values of all lanes, or returns `None` if that fails.
    fn prepare(&self) -> Option<M::Prepared<Lanes<Fused, W>>> {
        let (parameters, inputs) = self.values.split_at_checked(M::PARAMETERS.len())?;
        let parameters: Vec<_> = parameters.iter().map(in_lanes).collect();
        let inputs = SVector::from_fn(|i, _| in_lanes(&inputs[i]));
        M::prepare_from(&parameters, &inputs).ok()
    }

    /// Passes on the trajectory of a lane that has reached the end time, and frees the lane.
    fn finish<I, F>(&mut self, lane: usize, queue: &Queue<'_, I, F, MemberResult<N>>)
    where
        I: Iterator<Item = Member<M, N>>,
        F: FnMut(u64, MemberResult<N>) -> ControlFlow<()>,
    {
        if let Some(Lane { index, statistics, .. }) = self.lanes[lane].take() {
            queue.give(index, Ok(End { state: self.states.of(lane), outcome: Outcome::Finished, statistics }));
        }
    }

    /// Frees a lane and computes its trajectory from the start, without lanes. This is done if the
    /// trajectory fails or advances slowly, so that the result is that of
    /// [`integrate`](crate::solve::integrate).
    fn recompute<I, F>(&mut self, lane: usize, queue: &Queue<'_, I, F, MemberResult<N>>)
    where
        I: Iterator<Item = Member<M, N>>,
        F: FnMut(u64, MemberResult<N>) -> ControlFlow<()>,
    {
        if let Some(Lane { index, member, .. }) = self.lanes[lane].take() {
            queue.give(index, self.alone(index, &member));
        }
    }

    /// The number of inputs, as a type.
    const INPUTS: PhantomData<[(); U]> = PhantomData;
}
