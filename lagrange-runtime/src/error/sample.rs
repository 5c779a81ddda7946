//! Why a stored solution has no state at a time.

use super::{Failure, Number};
use core::fmt;

/// Why a solution has no state at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SampleError {
    /// The option `dense_output` was not set.
    NoDenseOutput,
    /// The solution has no step.
    Empty,
    /// The time is outside the integrated span.
    Outside {
        /// The time asked for.
        t: f64,
        /// The initial time.
        from: f64,
        /// The last time.
        to: f64,
    },
    /// The sample could not be brought onto the constraints.
    Constraint(Failure),
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDenseOutput => write!(f, "the solution has no interpolants; set `dense_output` in the options"),
            Self::Empty => write!(f, "the solution has no step to interpolate in"),
            Self::Outside { t, from, to } => {
                let [t, from, to] = [*t, *from, *to].map(Number);
                write!(f, "t = {t} is outside the solution, which goes from {from} to {to}")
            }
            Self::Constraint(failure) => write!(f, "the sample could not be projected: {failure}"),
        }
    }
}

impl core::error::Error for SampleError {}
