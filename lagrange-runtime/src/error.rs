//! What can go wrong, as values: each names the culprit and the remedy.

mod failure;
#[cfg(feature = "std")]
mod sample;
mod solve;

pub use failure::{Component, Failure};
#[cfg(feature = "std")]
pub use sample::{Failed, SampleError};
pub use solve::SolveError;

use core::fmt;

/// A pivot of the mass matrix vanished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingularMass {
    /// Index of the coordinate whose pivot vanished.
    pub coordinate: usize,
    /// The pivot's value.
    pub pivot: f64,
}

/// Parameters from which no runnable equations can be prepared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PrepareError {
    /// A parameter or input is NaN or infinite.
    NotFinite {
        /// Its name.
        parameter: &'static str,
        /// Its value.
        value: f64,
    },
    /// A parameter that the derivation took to be positive is not.
    NotPositive {
        /// Its name.
        parameter: &'static str,
        /// Its value.
        value: f64,
    },
    /// The slice given to `prepare_from` has the wrong length.
    ParameterCount {
        /// How many the mechanism has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
}

/// No parameter or input has this name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnknownParameter {
    /// The names there are.
    pub known: &'static [&'static str],
}

impl fmt::Display for SingularMass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the mass matrix is singular: coordinate {} has pivot {:e}", self.coordinate, self.pivot)
    }
}

impl fmt::Display for PrepareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { parameter, value } => write!(f, "parameter `{parameter}` is {value}; it must be finite"),
            Self::NotPositive { parameter, value } => {
                write!(f, "parameter `{parameter}` is {value}; the derivation took it to be positive")
            }
            Self::ParameterCount { expected, given } => {
                write!(f, "{given} parameters were given; the mechanism has {expected}")
            }
        }
    }
}

impl fmt::Display for UnknownParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no such parameter; the mechanism has ")?;
        for (index, name) in self.known.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}`{name}`")?;
        }
        Ok(())
    }
}

impl core::error::Error for SingularMass {}
impl core::error::Error for PrepareError {}
impl core::error::Error for UnknownParameter {}
