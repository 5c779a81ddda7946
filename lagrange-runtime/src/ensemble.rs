//! Ensembles: many trajectories of one mechanism, on all cores and several at once on each core.
//!
//! A [`Member`] of an ensemble is a mechanism with its parameters and inputs, and an initial state.
//! Members come from any iterator. [`grid`] and the seeded [`Random`] numbers help to write one.
//! The result of each member is a [`Trajectory`], which has the state at the end and not those on
//! the way. A function of the caller receives the trajectories one after the other, in the order
//! of the members. The ensemble itself keeps no trajectory. A sum that the function forms has the
//! same bits for any number of threads.
//!
//! A vector instruction of a processor applies one operation to several numbers. The place of each
//! number is called a *lane*. If the processor has AVX2, AVX-512 or Neon, [`Ensemble::run`]
//! computes 8 or 16 trajectories at the same time on each core, each in a lane of its own. The
//! instructions are chosen at run time. Each lane has its own time, step size and error, and gets
//! the next member when its trajectory ends.
//!
//! - [`Ensemble::run`] takes explicit methods and mechanisms without constraints. The methods are
//!   those with a fixed step ([`ExplicitStep`](crate::method::ExplicitStep)), the embedded pairs,
//!   and the Nyström pair. It uses threads and lanes.
//! - [`Ensemble::run_scalar`] takes every method, and mechanisms with constraints. It uses threads
//!   alone.
//! - [`Ensemble::run_controlled`] is the same for members that have each a controller of their own.
//!
//! All of them take an event that ends a trajectory.
//!
//! No lane depends on another one. A trajectory has the same bits whatever the other lanes compute,
//! and for any number of threads and of members. Its difference from the trajectory of
//! [`integrate`] depends on how it is computed:
//!
//! - without lanes ([`Vectorization::Off`]), there is no difference;
//! - in lanes, the difference is that of rounding, because products are fused and sines differ in
//!   the last digit; an adaptive step size differs as far as it depends on such a digit.
//!
//! If a trajectory fails in a lane, `integrate` computes it again. The error therefore has the
//! time, the state and the remedy that `integrate` reports.
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
//! let report = Ensemble::new(&Rk4::new(1e-2), 2.0).with_threads(2).run(members, None, |trajectory| {
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
mod scalar;

pub use crate::sampling::{Random, grid};
pub use crate::workers::RunOutcome;

use crate::controller::Controller;
use crate::error::{Failure, PrepareError, SolveError};
use crate::event::{Direction, StateFunction};
use crate::method::{Explicit, Method};
use crate::options::{Options, SharedOptions};
use crate::outcome::Outcome;
#[cfg(doc)]
use crate::solve::integrate;
use crate::state::State;
use crate::statistics::Statistics;
use crate::system::Mechanism;
use crate::workers::Workers;
use core::fmt;
use core::ops::ControlFlow;
use core::sync::atomic::AtomicBool;
use std::time::Instant;

/// A mechanism with its parameters and inputs, and an initial state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member<M, const N: usize> {
    /// The mechanism. Its parameters and inputs may differ from member to member.
    pub mechanism: M,
    /// The initial state.
    pub initial: State<f64, N>,
}

/// The result of a member: the end of its trajectory, or an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory<const N: usize> {
    /// The member's place in the iterator of members, from 0.
    pub index: u64,
    /// The end of the trajectory, or the reason why it does not reach the end time.
    pub result: Result<End<N>, MemberError<N>>,
}

/// The end of a trajectory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End<const N: usize> {
    /// The last state.
    pub state: State<f64, N>,
    /// [`Outcome::Finished`], or [`Outcome::Event`] with index 0 at the terminal event.
    pub outcome: Outcome,
    /// The counters of the steps and of the other work.
    pub statistics: Statistics,
}

/// Why a member has no trajectory to the end time.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberError<const N: usize> {
    /// The parameters or inputs of the mechanism are not allowed.
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

/// The reason why a run of an ensemble ended, and the counters of its work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Why the run ended.
    pub outcome: RunOutcome,
    /// The number of trajectories that the caller has received. They are those of the first
    /// members, without a gap.
    pub members: u64,
    /// The number of errors among the received trajectories.
    pub failed: u64,
    /// The sums of the counters of the received trajectories.
    pub statistics: Statistics,
}

/// Whether [`Ensemble::run`] computes several trajectories at once in the lanes of the processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Vectorization {
    /// As many trajectories at once as are fast on this processor: 16 with AVX-512, 8 with AVX2 or
    /// Neon, and one without them.
    #[default]
    Widest,
    /// One trajectory at a time in each thread. The results then have the same bits on all
    /// processors that run the same program.
    Off,
}

/// The settings for the integration of many members: the method, the end time, the options, and the
/// number of threads.
#[derive(Clone, Copy)]
pub struct Ensemble<'a, Y> {
    method: &'a Y,
    t_end: f64,
    end_times: Option<&'a (dyn Fn(u64) -> f64 + Sync)>,
    options: SharedOptions,
    stops: &'a [f64],
    lanes: Vectorization,
    workers: Workers<'a>,
}

impl<Y> fmt::Debug for Ensemble<'_, Y> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ensemble")
            .field("t_end", &self.t_end)
            .field("options", &self.options)
            .field("stops", &self.stops)
            .field("lanes", &self.lanes)
            .field("workers", &self.workers)
            .finish_non_exhaustive()
    }
}

/// A function of (t, q, v) that several threads may call at the same time. An ensemble takes it as
/// an event.
pub type SharedFunction<'a, const N: usize> =
    dyn Fn(f64, &nalgebra::SVector<f64, N>, &nalgebra::SVector<f64, N>) -> f64 + Sync + 'a;

impl<'a, Y> Ensemble<'a, Y> {
    /// Returns the settings for integrations by `method` from each member's initial state to the
    /// time `t_end`, with the default options and on all cores.
    pub fn new(method: &'a Y, t_end: f64) -> Self {
        Self {
            method,
            t_end,
            end_times: None,
            options: SharedOptions::default(),
            stops: &[],
            lanes: Vectorization::Widest,
            workers: Workers::new(),
        }
    }

    /// Sets the options of all integrations. `dense_output` has no effect, because only the last
    /// state of a trajectory is returned.
    #[must_use]
    pub fn with_options(self, options: SharedOptions) -> Self {
        Self { options, ..self }
    }

    /// Sets times at which the steps of all integrations end exactly ([`Options::stops`]).
    #[must_use]
    pub fn with_stops(self, stops: &'a [f64]) -> Self {
        Self { stops, ..self }
    }

    /// Gives each member an end time of its own: `end_time` of [`Trajectory::index`], the member's place in the iterator. It replaces the
    /// end time of [`Ensemble::new`]. An end time that is not finite is an error of this member.
    #[must_use]
    pub fn with_end_times(self, end_time: &'a (dyn Fn(u64) -> f64 + Sync)) -> Self {
        Self { end_times: Some(end_time), ..self }
    }

    /// Returns the end time of the member at a place in the iterator.
    fn end(&self, index: u64) -> f64 {
        self.end_times.map_or(self.t_end, |end_time| end_time(index))
    }

    /// Returns the options of the integration of a member.
    fn options<const N: usize>(&self) -> Options<'a, f64, N> {
        Options { stops: self.stops, ..self.options.into() }
    }

    /// Sets the number of threads. The default is 0, which stands for the number of cores. The
    /// results do not depend on this number.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { workers: self.workers.with_threads(threads), ..self }
    }

    /// Sets whether [`Ensemble::run`] uses lanes. The default is [`Vectorization::Widest`].
    #[must_use]
    pub fn with_lanes(self, lanes: Vectorization) -> Self {
        Self { lanes, ..self }
    }

    /// Ends the run when `flag` is `true`. Another thread or a signal handler may set it.
    ///
    /// Trajectories that the caller has not yet received are dropped. The flag is checked at least
    /// every 512 steps in lanes, and after each trajectory that is computed without lanes.
    #[must_use]
    pub fn with_cancel(self, flag: &'a AtomicBool) -> Self {
        Self { workers: self.workers.with_cancel(flag), ..self }
    }

    /// Ends the run at the time `deadline`. It is checked as often as the flag of
    /// [`Ensemble::with_cancel`]. Trajectories that the caller has not yet received are dropped.
    #[must_use]
    pub fn with_deadline(self, deadline: Instant) -> Self {
        Self { workers: self.workers.with_deadline(deadline), ..self }
    }

    /// Integrates the `members` by an explicit method, in lanes if it can, and passes each
    /// trajectory to `receive`.
    ///
    /// `receive` gets the trajectories in the order of the members, so that
    /// [`Trajectory::index`] tells the progress. The threads of the ensemble call it, but never two
    /// of them at the same time. If it returns `Break`, the run ends. If it panics, or the iterator
    /// or the mechanism does, the run ends and panics too.
    ///
    /// If `event` is given, a trajectory ends at the first zero of this function of (t, q, v) at
    /// which it changes its sign in this direction. It is a terminal
    /// [`Event`](crate::event::Event). In a lane, each step is searched with as many samples as the
    /// option `event_samples` says, from a cubic polynomial through the states at both ends. If a
    /// sample comes near to 0, compared with the variation of the samples, `integrate` makes the
    /// step again and locates the event.
    ///
    /// In each of these cases, a thread computes one trajectory at a time, without lanes:
    ///
    /// - the mechanism has switching functions, and the option `locate_switches` makes steps end at
    ///   their zeros;
    /// - the mechanism has contacts with dry friction;
    /// - the mechanism has states, and an event ends the trajectories;
    /// - stops are set, or the option `max_steps` is;
    /// - the method has an adaptive step and another step control than
    ///   [`StepControl::Tolerance`](crate::control::StepControl::Tolerance);
    /// - the method has an adaptive step, and a relative tolerance is below the rounding of the
    ///   state.
    pub fn run<M, I, F, const N: usize, const U: usize>(
        &self,
        members: I,
        event: Option<(Direction, &SharedFunction<'_, N>)>,
        receive: F,
    ) -> Summary
    where
        Y: Method<f64, N, 0> + Explicit<N> + Sync,
        M: Mechanism<N, 0, U> + Send,
        I: IntoIterator<Item = Member<M, N>>,
        I::IntoIter: Send,
        F: FnMut(Trajectory<N>) -> ControlFlow<()> + Send,
    {
        let mut account = Account::default();
        let end =
            self.workers.share(members.into_iter(), account.receiver(receive), |queue| lanes::work(self, event, queue));
        account.summary(end)
    }

    /// Integrates the `members` by any method, one trajectory at a time in each thread. It passes
    /// each trajectory to `receive` as [`Ensemble::run`] does.
    ///
    /// The `event` ends a trajectory as in [`Ensemble::run`].
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
        let mut account = Account::default();
        let receive = account.receiver(receive);
        let end = self.workers.share(members.into_iter(), receive, |queue| scalar::work(self, event, queue));
        account.summary(end)
    }

    /// Integrates `members` that have each a controller of their own: a closure u(t, q, v), a [`Sampled`](crate::controller::Sampled)
    /// law, or another [`Controller`]. It uses any method, and computes one trajectory at a time in each thread.
    ///
    /// `receive` gets each trajectory as in [`Ensemble::run`], and the controller as the integration has left it. A controller that
    /// sums up a cost, or records what it has done, hands it over in this way. The `event` ends a trajectory as in [`Ensemble::run`].
    ///
    /// ```
    /// use lagrange_runtime::controller::{Law, Sampled};
    /// use lagrange_runtime::ensemble::{Ensemble, Member, Random};
    /// use lagrange_runtime::prelude::*;
    /// use std::ops::ControlFlow;
    ///
    /// #[lagrangian {
    ///     coordinates x;
    ///     kinetic = m*dot(x)^2/2;
    ///     force x = push;
    /// }]
    /// #[derive(Clone)]
    /// struct Cart {
    ///     m: f64,
    ///     #[input]
    ///     push: f64,
    /// }
    ///
    /// // One feedback for carts of unknown mass between 0.5 kg and 2 kg, sampled every 20 ms.
    /// let members = (0..100).map(|index| {
    ///     let m = Random::new(1, index).uniform(0.5..2.0);
    ///     let law = |_: f64, q: &SVector<f64, 1>, v: &SVector<f64, 1>| SVector::from([-4.0 * q[0] - 4.0 * v[0]]);
    ///     let member = Member { mechanism: Cart { m, push: 0.0 }, initial: State::new(0.0, [1.0], [0.0]) };
    ///     (member, Sampled::of(0.02, law))
    /// });
    /// let mut farthest: f64 = 0.0;
    /// let method = Dop853::new();
    /// let summary = Ensemble::new(&method, 20.0).run_controlled(members, None, |trajectory, _| {
    ///     farthest = trajectory.result.map_or(f64::INFINITY, |end| farthest.max(end.state.q[0].abs()));
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!((summary.members, summary.failed), (100, 0));
    /// assert!(farthest < 1e-6);
    /// ```
    pub fn run_controlled<M, K, I, F, const N: usize, const C: usize, const U: usize>(
        &self,
        members: I,
        event: Option<(Direction, &SharedFunction<'_, N>)>,
        mut receive: F,
    ) -> Summary
    where
        Y: Method<f64, N, C> + Sync,
        M: Mechanism<N, C, U> + Send,
        K: Controller<f64, N, U> + Send,
        I: IntoIterator<Item = (Member<M, N>, K)>,
        I::IntoIter: Send,
        F: FnMut(Trajectory<N>, K) -> ControlFlow<()> + Send,
    {
        let mut account = Account::default();
        let add = |index, (result, controller): (MemberResult<N>, K)| {
            account.add(&result);
            receive(Trajectory { index, result }, controller)
        };
        let end = self.workers.share(members.into_iter(), add, |queue| scalar::controlled(self, event, queue));
        account.summary(end)
    }
}

/// The result of a member.
type MemberResult<const N: usize> = Result<End<N>, MemberError<N>>;

/// The sums over the trajectories that the caller has received.
#[derive(Default)]
struct Account {
    failed: u64,
    statistics: Statistics,
}

impl Account {
    /// Returns the function that adds a result to the sums and passes it to `receive`.
    fn receiver<F, const N: usize>(
        &mut self,
        mut receive: F,
    ) -> impl FnMut(u64, MemberResult<N>) -> ControlFlow<()> + Send
    where
        F: FnMut(Trajectory<N>) -> ControlFlow<()> + Send,
    {
        move |index, result| {
            self.add(&result);
            receive(Trajectory { index, result })
        }
    }

    /// Adds a result to the sums.
    fn add<const N: usize>(&mut self, result: &MemberResult<N>) {
        self.failed += u64::from(result.is_err());
        self.statistics += match result {
            Ok(end) => end.statistics,
            Err(MemberError::Solve(error)) => error.statistics,
            Err(MemberError::Prepare(_)) => Statistics::default(),
        };
    }

    /// Returns the summary of a run that has ended with this outcome, after this number of members.
    fn summary(self, (outcome, members): (RunOutcome, u64)) -> Summary {
        Summary { outcome, members, failed: self.failed, statistics: self.statistics }
    }
}

/// Returns the error of a trajectory that fails before its first step.
fn refused<const N: usize>(
    failure: Failure,
    initial: State<f64, N>,
    (coordinates, states): (&'static [&'static str], usize),
) -> MemberError<N> {
    let statistics = Statistics::default();
    MemberError::Solve(SolveError { failure, state: initial, statistics, coordinates, states })
}

/// Returns `function` without the bound [`Sync`], as an event takes it. Only the calling thread
/// uses the result.
fn local<'a, const N: usize>(function: &'a SharedFunction<'a, N>) -> &'a StateFunction<'a, f64, N> {
    function
}
