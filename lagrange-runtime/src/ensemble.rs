//! Many trajectories of one mechanism: over threads, and several at once in the lanes of a processor.
//!
//! A [`Member`] is a mechanism with its parameters and inputs, and an initial state. Members come from any iterator; a [`grid`]
//! and seeded [`Random`] numbers help to write one. Each [`Trajectory`] goes to a function of the caller, one after the other and
//! in the order of the members. So nothing is stored unless that function stores it, and a sum that it forms is the same to the
//! bit for any number of threads.
//!
//! [`Ensemble::run`] takes the explicit methods: those with a fixed step ([`ExplicitStep`](crate::method::ExplicitStep)) and the
//! embedded pairs. Where the processor has AVX2, AVX-512 or Neon, it computes 8 or 16 trajectories at once. The instructions are
//! chosen at run time. Each lane has its own time, step size and error, and is refilled as soon as its trajectory ends.
//! [`Ensemble::run_scalar`] takes every method, and mechanisms with constraints, by threads alone.
//!
//! No lane depends on another one: a trajectory has the same bits whatever its neighbours, the number of threads and the number
//! of members are. It equals that of [`integrate`] to the bit without lanes ([`Vectorization::Off`]). In lanes, products are fused and
//! sines differ in the last digit; a trajectory then equals that of `integrate` to rounding, and adaptive steps may differ as far
//! as rounding moves them. A trajectory that fails in a lane is computed again by `integrate`, so that its failure has the same
//! time, state and remedy.
//!
//! ```
//! use lagrange_runtime::ensemble::{Ensemble, Member, grid};
//! use lagrange_runtime::prelude::*;
//! use std::ops::ControlFlow;
//!
//! #[lagrangian {
//!     coordinates theta;
//!     kinetic   = m*l^2*dot(theta)^2/2;
//!     potential = -m*g*l*cos(theta);
//! }]
//! #[derive(Clone)]
//! struct Pendulum {
//!     m: f64,
//!     l: f64,
//!     g: f64,
//! }
//!
//! // Pendulums of several lengths from several angles.
//! let members = grid([(0.5, 1.5, 3), (-2.0, 2.0, 101)]).map(|[l, angle]| Member {
//!     mechanism: Pendulum { m: 1.0, l, g: 9.81 },
//!     initial: State::new(0.0, [angle], [0.0]),
//! });
//! let mut largest: f64 = 0.0;
//! let report = Ensemble::new(&Rk4::new(1e-2), 2.0).with_threads(2).run(members, |trajectory| {
//!     if let Ok(end) = &trajectory.result {
//!         largest = largest.max(end.state.v[0].abs());
//!     }
//!     ControlFlow::Continue(())
//! });
//! assert_eq!((report.members, report.failed), (303, 0));
//! assert!(largest > 1.0);
//! ```

mod kernel;
mod lanes;
mod queue;
mod sampling;
mod scalar;

pub use sampling::{Random, grid};

use crate::error::{Failure, PrepareError, SolveError};
use crate::event::{Direction, StateFunction};
use crate::method::{Explicit, Method};
use crate::options::SharedOptions;
use crate::outcome::Outcome;
#[cfg(doc)]
use crate::solve::integrate;
use crate::state::State;
use crate::statistics::Statistics;
use crate::system::Mechanism;
use core::fmt;
use core::ops::ControlFlow;
use core::sync::atomic::AtomicBool;
use queue::Queue;
use std::time::Instant;

/// A mechanism with its parameters and inputs, and an initial state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member<M, const N: usize> {
    /// The mechanism. Its parameters and inputs may differ from member to member.
    pub mechanism: M,
    /// The initial state.
    pub initial: State<f64, N>,
}

/// The trajectory of a member.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory<const N: usize> {
    /// The member's index, from 0.
    pub index: u64,
    /// How it ended, or why it could not be computed.
    pub result: Result<End<N>, MemberError<N>>,
}

/// The end of a trajectory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End<const N: usize> {
    /// The last state.
    pub state: State<f64, N>,
    /// [`Outcome::Finished`], or [`Outcome::Event`] with index 0 at the terminal event.
    pub outcome: Outcome,
    /// The counters of its work.
    pub statistics: Statistics,
}

/// Why a member has no trajectory to the end time.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberError<const N: usize> {
    /// Its parameters make no sense.
    Prepare(PrepareError),
    /// The integration failed. The error has the last good state.
    Solve(SolveError<f64, N>),
}

impl<const N: usize> fmt::Display for MemberError<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prepare(error) => error.fmt(f),
            Self::Solve(error) => error.fmt(f),
        }
    }
}

impl<const N: usize> core::error::Error for MemberError<N> {}

/// How a run of an ensemble ended, and its work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Why the run ended.
    pub outcome: RunOutcome,
    /// The number of trajectories that the caller has received: exactly those of the first members.
    pub members: u64,
    /// How many of them failed.
    pub failed: u64,
    /// The sum of their counters.
    pub statistics: Statistics,
}

/// Why a run of an ensemble ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunOutcome {
    /// Every member has its trajectory.
    Complete,
    /// The function that receives the trajectories broke off.
    Stopped,
    /// The flag of [`Ensemble::with_cancel`] was set.
    Cancelled,
    /// The time of [`Ensemble::with_deadline`] had come.
    Deadline,
}

/// Whether [`Ensemble::run`] uses the lanes of the processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Vectorization {
    /// As many lanes as are fast on this processor: 16 with AVX-512, 8 with AVX2 or Neon, and none without them.
    #[default]
    Widest,
    /// One trajectory at a time. Results have the same bits on every processor for which the program is the same.
    Off,
}

/// The settings under which the members of an ensemble are integrated.
#[derive(Clone, Copy)]
pub struct Ensemble<'a, Y> {
    method: &'a Y,
    t_end: f64,
    options: SharedOptions<'a, f64>,
    threads: usize,
    lanes: Vectorization,
    cancel: Option<&'a AtomicBool>,
    deadline: Option<Instant>,
}

impl<Y> fmt::Debug for Ensemble<'_, Y> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ensemble")
            .field("t_end", &self.t_end)
            .field("options", &self.options)
            .field("threads", &self.threads)
            .field("lanes", &self.lanes)
            .finish_non_exhaustive()
    }
}

/// A function of (t, q, v) that threads share; see [`Ensemble::run_scalar`].
pub type SharedFunction<'a, const N: usize> =
    dyn Fn(f64, &nalgebra::SVector<f64, N>, &nalgebra::SVector<f64, N>) -> f64 + Sync + 'a;

impl<'a, Y> Ensemble<'a, Y> {
    /// Integrations by `method` from each initial state to the time `t_end`, with the default options, on all cores.
    pub fn new(method: &'a Y, t_end: f64) -> Self {
        Self {
            method,
            t_end,
            options: SharedOptions::default(),
            threads: 0,
            lanes: Vectorization::Widest,
            cancel: None,
            deadline: None,
        }
    }

    /// Sets the options. `t_eval` and `dense_output` have no effect.
    #[must_use]
    pub fn with_options(self, options: SharedOptions<'a, f64>) -> Self {
        Self { options, ..self }
    }

    /// Sets the number of threads. 0, the default, stands for the number of cores. The results do not depend on it.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets whether lanes are used.
    #[must_use]
    pub fn with_lanes(self, lanes: Vectorization) -> Self {
        Self { lanes, ..self }
    }

    /// Ends the run when `flag` is set, by another thread or a handler of signals. Trajectories that are being computed are
    /// dropped.
    #[must_use]
    pub fn with_cancel(self, flag: &'a AtomicBool) -> Self {
        Self { cancel: Some(flag), ..self }
    }

    /// Ends the run at this time. Trajectories that are being computed are dropped.
    #[must_use]
    pub fn with_deadline(self, deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..self }
    }

    /// Integrates the `members` by an explicit method, in lanes where that is faster, and passes each trajectory to `receive`.
    ///
    /// `receive` gets the trajectories in the order of the members, so that its index tells the progress. It runs in the threads
    /// of the ensemble, never twice at once. `Break` ends the run.
    ///
    /// These cases are computed without lanes: a mechanism with switching functions on which steps end
    /// (`locate_switches`), the options `stops` and `max_steps`, a step control other than tolerances, and tolerances
    /// below the rounding of the state. Nor do pairs of more than 7 stages use lanes, which do not make them faster.
    pub fn run<M, I, F, const N: usize, const U: usize>(&self, members: I, receive: F) -> Summary
    where
        Y: Method<f64, N, 0> + Explicit<N> + Sync,
        M: Mechanism<N, 0, U> + Send,
        I: IntoIterator<Item = Member<M, N>>,
        I::IntoIter: Send,
        F: FnMut(Trajectory<N>) -> ControlFlow<()> + Send,
    {
        let queue = Queue::new(members.into_iter(), receive, self.cancel, self.deadline);
        self.spread(|| lanes::work(self, &queue));
        queue.summary()
    }

    /// Integrates the `members` by any method, one trajectory at a time in each thread, and passes each trajectory to
    /// `receive` as [`Ensemble::run`] does.
    ///
    /// If `event` is given, a trajectory ends at the zeros of that function of (t, q, v) in that direction, as at a terminal
    /// [`Event`](crate::event::Event).
    pub fn run_scalar<M, I, F, const N: usize, const C: usize, const U: usize>(
        &self,
        members: I,
        event: Option<(Direction, &SharedFunction<'_, N>)>,
        receive: F,
    ) -> Summary
    where
        Y: Method<f64, N, C> + Sync,
        M: Mechanism<N, C, U> + Send,
        I: IntoIterator<Item = Member<M, N>>,
        I::IntoIter: Send,
        F: FnMut(Trajectory<N>) -> ControlFlow<()> + Send,
    {
        let queue = Queue::new(members.into_iter(), receive, self.cancel, self.deadline);
        self.spread(|| scalar::work(self, event, &queue));
        queue.summary()
    }

    /// Runs `work` in each thread.
    fn spread(&self, work: impl Fn() + Sync) {
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, core::num::NonZero::get),
            threads => threads,
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(&work);
            }
            work();
        });
    }
}

/// The failure of a trajectory before its first step.
fn refused<const N: usize>(
    failure: Failure,
    initial: State<f64, N>,
    coordinates: &'static [&'static str],
) -> MemberError<N> {
    let statistics = Statistics::default();
    MemberError::Solve(SolveError { failure, state: initial, statistics, coordinates })
}

/// A function that threads share, as one of a thread.
fn local<'a, const N: usize>(function: &'a SharedFunction<'a, N>) -> &'a StateFunction<'a, f64, N> {
    function
}
