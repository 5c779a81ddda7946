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
        f.debug_struct("SolveError")
            .field("failure", debug(&self.failure))
            .field("state", &self.state)
            .field("statistics", &self.statistics)
            .field("coordinates", &self.coordinates)
            .field("states", &self.states)
            .finish()
    }
}

/// Returns a failure as what is written for debugging. It is compiled here, and not again in every crate that writes a [`SolveError`].
#[inline(never)]
fn debug(failure: &Failure) -> &dyn fmt::Debug {
    failure
}

impl<R: Real, const N: usize> fmt::Display for SolveError<R, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Names { all: self.coordinates, first_state: N.saturating_sub(self.states) };
        self.failure.describe(f, names)?;
        let settings = matches!(
            self.failure,
            Failure::BadOption { .. }
                | Failure::BadState { .. }
                | Failure::BadEvaluationTime { .. }
                | Failure::UnknownOutput { .. }
                | Failure::UnknownSwitch { .. }
        );
        if settings {
            return Ok(());
        }
        let State { t, q, v } = &self.state;
        write_state(f, t.to_f64(), N, names, &|index| (q[index].to_f64(), v[index].to_f64()))?;
        write!(f, ", after {} steps; {}", self.statistics.steps, self.failure.remedy())
    }
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
