//! Several trajectories at once, each in a lane of its own.

mod adaptive;
mod fixed;

use super::kernel::States;
use super::queue::Queue;
use super::{End, Ensemble, Member, MemberError, Trajectory, Vectorization, refused, scalar};
use crate::control::{History, StepControl, ToleranceLaw};
use crate::controller::DefaultInputs;
use crate::method::{Explicit, Method, Pace};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::scalar::Vector;
use crate::statistics::Statistics;
use crate::stepper::Stepper;
use crate::stepper::section::Section;
use crate::system::{Mechanism, System};
use core::marker::PhantomData;
use core::ops::ControlFlow;
use nalgebra::SVector;
use pulp::Simd;
use std::vec::Vec;

/// Integrates members until there are none, in lanes where the processor, the method and the options allow it.
pub(super) fn work<Y, M, I, F, const N: usize, const U: usize>(ensemble: &Ensemble<'_, Y>, queue: &Queue<'_, I, F, N>)
where
    Y: Method<f64, N, 0> + Explicit<N>,
    M: Mechanism<N, 0, U>,
    I: Iterator<Item = Member<M, N>>,
    F: FnMut(Trajectory<N>) -> ControlFlow<()>,
{
    let options: Options<'_, f64, N> = ensemble.options.into();
    let pace = match ensemble.method.pace() {
        Pace::Fixed(_) => Some(None),
        Pace::Adaptive(StepControl::Tolerance(law)) if !options.asks_beyond_reach() => Some(Some(law)),
        Pace::Adaptive(_) => None,
    };
    let law = match pace {
        Some(law)
            if Y::PAYS_IN_LANES
                && ensemble.lanes == Vectorization::Widest
                && options.stops.is_empty()
                && options.max_steps.is_none() =>
        {
            law
        }
        _ => return scalar::work(ensemble, None, queue),
    };
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(simd) = pulp::x86::V4::try_new() {
            return Crew::<Y, M, _, N, U, 16>::new(ensemble, options, simd).work(queue, law);
        }
        if let Some(simd) = pulp::x86::V3::try_new() {
            return Crew::<Y, M, _, N, U, 8>::new(ensemble, options, simd).work(queue, law);
        }
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(simd) = pulp::aarch64::Neon::try_new() {
        return Crew::<Y, M, _, N, U, 8>::new(ensemble, options, simd).work(queue, law);
    }
    let _ = law;
    scalar::work(ensemble, None, queue);
}

/// The trajectories of one thread.
struct Crew<'a, Y, M, S, const N: usize, const U: usize, const W: usize>
where
    M: Mechanism<N, 0, U>,
    S: Simd,
{
    ensemble: &'a Ensemble<'a, Y>,
    options: Options<'a, f64, N>,
    simd: S,
    states: States<N, W>,
    lanes: [Option<Lane<M, N>>; W],
    /// The parameters of each lane, and then the inputs.
    values: Vec<[f64; W]>,
    /// The equations with these values, once they are prepared.
    system: Option<M::Prepared<Vector<S, W>>>,
}

/// A trajectory.
struct Lane<M, const N: usize> {
    index: u64,
    member: Member<M, N>,
    section: Section<f64>,
    statistics: Statistics,
    course: Course,
}

/// The step control of a lane with adaptive steps.
#[derive(Clone, Copy)]
struct Course {
    history: History,
    /// The size proposed for the next step.
    proposal: f64,
    /// The size that is tried; `None` at the start of a step.
    step: Option<f64>,
    /// The number of attempts at the next look at the progress, and the time at the last.
    look: u64,
    last: f64,
}

/// A member that is ready for a lane, or its result.
enum Admission<M, const N: usize> {
    Lane(Lane<M, N>),
    Result(Result<End<N>, MemberError<N>>),
}

impl<'a, Y, M, S, const N: usize, const U: usize, const W: usize> Crew<'a, Y, M, S, N, U, W>
where
    Y: Method<f64, N, 0> + Explicit<N>,
    M: Mechanism<N, 0, U>,
    S: Simd,
{
    fn new(ensemble: &'a Ensemble<'a, Y>, options: Options<'a, f64, N>, simd: S) -> Self {
        let lanes = core::array::from_fn(|_| None);
        Self { ensemble, options, simd, states: States::new(), lanes, values: Vec::new(), system: None }
    }

    fn work<I, F>(mut self, queue: &Queue<'_, I, F, N>, law: Option<ToleranceLaw>)
    where
        I: Iterator<Item = Member<M, N>>,
        F: FnMut(Trajectory<N>) -> ControlFlow<()>,
    {
        match law {
            None => self.fixed(queue),
            Some(law) => self.adaptive(queue, law),
        }
    }

    /// Fills the free lanes. Returns whether any lane has a trajectory, and which lanes are new.
    fn fill<I, F>(&mut self, queue: &Queue<'_, I, F, N>) -> Option<[bool; W]>
    where
        I: Iterator<Item = Member<M, N>>,
        F: FnMut(Trajectory<N>) -> ControlFlow<()>,
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
                            self.place(lane, &trajectory.member, is_idle);
                            self.lanes[lane] = Some(trajectory);
                            *is_new = true;
                        }
                    }
                }
            }
            if queue.is_stopped() {
                return None;
            }
            // A lane without a trajectory repeats that of another one with steps of size 0.
            let running = self.lanes.iter().position(Option::is_some)?;
            for lane in 0..W {
                if self.lanes[lane].is_none() {
                    self.states.set(lane, &self.states.of(running));
                    for row in &mut self.values {
                        row[lane] = row[running];
                    }
                }
            }
            if self.system.is_none() {
                self.system = self.prepare();
            }
            if self.system.is_some() {
                return Some(new);
            }
            // Each lane's values have been prepared by themselves, so this does not happen; it costs no trajectory if it does.
            for lane in 0..W {
                self.recompute(lane, queue);
            }
        }
    }

    /// Checks a member as an integration of its own does.
    fn admit(&self, index: u64, member: Member<M, N>) -> Admission<M, N> {
        let system = match member.mechanism.prepare::<f64>() {
            Ok(system) => system,
            Err(error) => return Admission::Result(Err(MemberError::Prepare(error))),
        };
        let (initial, method) = (member.initial, self.ensemble.method);
        let mut inputs = DefaultInputs::of(&system);
        let mut stepper = match Stepper::new(&system, initial, self.ensemble.t_end, method, &self.options, &mut inputs)
        {
            Ok(stepper) => stepper,
            Err(error) => return Admission::Result(Err(MemberError::Solve(error))),
        };
        let proposal = match method.pace() {
            Pace::Fixed(h) => h,
            Pace::Adaptive(control) => match stepper.next_size(&control) {
                Ok(proposal) => proposal,
                Err(failure) => return Admission::Result(Err(refused(failure, initial, system.coordinates()))),
            },
        };
        let (section, statistics) = (stepper.section(), *stepper.statistics());
        if stepper.is_finished() || (self.options.locate_switches && system.switch_count() != 0) {
            return Admission::Result(scalar::trajectory(self.ensemble, None, &member));
        }
        let course = Course { history: History::default(), proposal, step: None, look: 0, last: initial.t };
        Admission::Lane(Lane { index, member, section, statistics, course })
    }

    /// Writes a member's numbers into a lane, or into all lanes.
    fn place(&mut self, lane: usize, member: &Member<M, N>, is_first: bool) {
        let names = M::PARAMETERS.iter().chain(&M::INPUTS);
        self.values.resize(M::PARAMETERS.len() + U, [f64::NAN; W]);
        for (row, name) in self.values.iter_mut().zip(names) {
            // Every mechanism knows its own names.
            let value = member.mechanism.parameter(name).unwrap_or(f64::NAN);
            if row[lane].to_bits() != value.to_bits() {
                self.system = None;
                row[lane] = value;
            }
            if is_first {
                *row = [value; W];
            }
        }
        self.states.set(lane, &member.initial);
    }

    fn prepare(&self) -> Option<M::Prepared<Vector<S, W>>> {
        let (parameters, inputs) = self.values.split_at_checked(M::PARAMETERS.len())?;
        let parameters: Vec<_> = parameters.iter().map(|row| Vector::new(self.simd, *row)).collect();
        let inputs = SVector::from_fn(|i, _| Vector::new(self.simd, inputs[i]));
        M::prepare_from(&parameters, &inputs).ok()
    }

    /// Hands over the trajectory of a lane, which has reached its end.
    fn finish<I, F>(&mut self, lane: usize, queue: &Queue<'_, I, F, N>)
    where
        I: Iterator<Item = Member<M, N>>,
        F: FnMut(Trajectory<N>) -> ControlFlow<()>,
    {
        if let Some(Lane { index, statistics, .. }) = self.lanes[lane].take() {
            queue.give(index, Ok(End { state: self.states.of(lane), outcome: Outcome::Finished, statistics }));
        }
    }

    /// Computes the trajectory of a lane from its start without lanes: it failed, or needs what lanes cannot do.
    fn recompute<I, F>(&mut self, lane: usize, queue: &Queue<'_, I, F, N>)
    where
        I: Iterator<Item = Member<M, N>>,
        F: FnMut(Trajectory<N>) -> ControlFlow<()>,
    {
        if let Some(Lane { index, member, .. }) = self.lanes[lane].take() {
            queue.give(index, scalar::trajectory(self.ensemble, None, &member));
        }
    }

    const INPUTS: PhantomData<[(); U]> = PhantomData;
}
