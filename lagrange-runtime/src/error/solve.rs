//! A failed integration: the failure, the state at which it happened, and the work up to it.

use super::component::Names;
use super::{Failure, Number};
use crate::number::list;
use crate::scalar::Real;
use crate::state::State;
use crate::statistics::Statistics;
use core::fmt;

/// An integration that stopped before its end.
#[derive(Clone, Copy, PartialEq)]
pub struct SolveError<R: Real, const N: usize> {
    /// What happened.
    pub failure: Failure,
    /// The last good state, which is the one before the failed step.
    pub state: State<R, N>,
    /// The counters of the work up to the failure.
    pub statistics: Statistics,
    /// The names of the coordinates and, after them, of the states, for messages.
    pub coordinates: &'static [&'static str],
    /// The number of states: the last entries of v are their values.
    pub states: usize,
}

impl<R: Real, const N: usize> fmt::Debug for SolveError<R, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [failure, statistics] = debug(&self.failure, &self.statistics);
        f.debug_struct("SolveError")
            .field("failure", failure)
            .field("state", &self.state)
            .field("statistics", statistics)
            .field("coordinates", &self.coordinates)
            .field("states", &self.states)
            .finish()
    }
}

/// Returns a failure and counters as what is written for debugging. It is compiled here, and not again in every crate that writes a
/// [`SolveError`].
#[inline(never)]
fn debug<'a>(failure: &'a Failure, statistics: &'a Statistics) -> [&'a dyn fmt::Debug; 2] {
    [failure, statistics]
}

impl<R: Real, const N: usize> fmt::Display for SolveError<R, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Names { all: self.coordinates, first_state: N.saturating_sub(self.states) };
        let State { t, q, v } = &self.state;
        let at = |index: usize| (q[index].to_f64(), v[index].to_f64());
        write_error(f, (&self.failure, self.statistics.steps), names, (t.to_f64(), N, &at))
    }
}

/// Writes a failure after a number of steps. The state and a remedy follow, unless the failure is about settings.
fn write_error(
    f: &mut fmt::Formatter<'_>,
    (failure, steps): (&Failure, u64),
    names: Names<'_>,
    (t, count, at): (f64, usize, &dyn Fn(usize) -> (f64, f64)),
) -> fmt::Result {
    failure.describe(f, names)?;
    let settings = matches!(
        failure,
        Failure::BadOption { .. }
            | Failure::BadState { .. }
            | Failure::BadEvaluationTime { .. }
            | Failure::UnknownOutput { .. }
            | Failure::UnknownSwitch { .. }
    );
    if settings {
        return Ok(());
    }
    write_state(f, t, count, names, at)?;
    write!(f, ", after {steps} steps; {}", failure.remedy())
}

/// Writes a time, and the coordinates and velocities that `at` gives for each of `count` indices. A state has its value alone, which is
/// the velocity of its index.
fn write_state(
    f: &mut fmt::Formatter<'_>,
    t: f64,
    count: usize,
    names: Names<'_>,
    at: &dyn Fn(usize) -> (f64, f64),
) -> fmt::Result {
    write!(f, ", at t = {}, ", Number(t))?;
    list(f, count, "coordinates", |f, index| {
        let (q, v) = at(index);
        let (q, v) = (Number(q), Number(v));
        match names.all.get(index) {
            Some(name) if names.is_state(index) => write!(f, "{name} = {v}"),
            None if names.is_state(index) => write!(f, "v[{index}] = {v}"),
            Some(name) => write!(f, "{name} = {q} (velocity {v})"),
            None => write!(f, "q[{index}] = {q} (velocity {v})"),
        }
    })
}

impl<R: Real, const N: usize> core::error::Error for SolveError<R, N> {}
