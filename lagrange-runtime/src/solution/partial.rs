//! The solution of an integration that failed.

use super::Solution;
use crate::error::{Failure, SolveError};
use crate::scalar::Real;
use core::fmt;

/// The error of an integration, and the solution up to it.
#[derive(Clone, PartialEq)]
pub struct PartialSolution<R: Real, const N: usize, const U: usize = 0> {
    /// The error.
    pub error: SolveError<R, N>,
    /// The solution up to the error.
    pub solution: Solution<R, N, U>,
}

/// The error, and how much was stored, without the states: it is what `unwrap` and `expect` print.
impl<R: Real, const N: usize, const U: usize> fmt::Debug for PartialSolution<R, N, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("PartialSolution");
        shown.field("error", &self.error).field("stored_states", &self.solution.len()).finish_non_exhaustive()
    }
}

impl<R: Real, const N: usize, const U: usize> fmt::Display for PartialSolution<R, N, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<R: Real, const N: usize, const U: usize> core::error::Error for PartialSolution<R, N, U> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(as_error(&self.error.failure))
    }
}

/// Returns a failure as an error. It is compiled here, and not again in every crate that passes a [`PartialSolution`] on.
#[inline(never)]
fn as_error(failure: &Failure) -> &(dyn core::error::Error + 'static) {
    failure
}
