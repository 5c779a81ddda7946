//! The errors of a request for a simulation.

use super::simulate::Summary;
use crate::suggest::explain;
use lagrange_runtime::error::Number;
use std::fmt;

/// A request that could not be met.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestError {
    /// No mechanism has this name.
    UnknownModel {
        /// The unknown name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// No method of integration has this name.
    UnknownMethod {
        /// The unknown name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// No parameter or input has this name.
    UnknownParameter {
        /// The unknown name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// No coordinate or velocity has this name.
    UnknownCoordinate {
        /// The unknown name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// No coordinate, velocity or output has this name.
    UnknownQuantity {
        /// The unknown name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// No parameter, input, coordinate or velocity has this name.
    UnknownVariable {
        /// The unknown name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// A name stands in the wrong list of a request. Either a parameter or an input stands among
    /// the initial values, or a coordinate or a velocity stands among the parameters and inputs.
    Misplaced {
        /// The misplaced name.
        name: String,
        /// `true` for a parameter or an input, `false` for a coordinate or a velocity.
        is_parameter: bool,
    },
    /// A parameter, an input, a coordinate or a velocity is given two values.
    Repeated {
        /// The repeated name.
        name: String,
        /// Its first two values.
        values: [f64; 2],
    },
    /// A value is not allowed. The text names the value and says which values are allowed.
    BadValue(String),
    /// A law of an input cannot be used. The text says why.
    BadLaw(String),
    /// The integration or the analysis failed.
    Failed(FailedRun),
}

/// An integration or an analysis that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedRun {
    /// Why and where it failed, and what to change.
    pub text: String,
    /// The motion up to the last good state, with [`Outcome::Stopped`](lagrange_runtime::prelude::Outcome::Stopped), if an
    /// integration failed. An analysis has no motion.
    pub last: Option<Box<Summary>>,
}

/// The names by which the library calls what the command line calls otherwise, and the remedies that only a program in Rust has, with what remains
/// of them.
const OPTIONS: [(&str, &str); 10] = [
    ("`Radau5`", "`--method radau5`"),
    ("`max_steps`", "`--max-steps`"),
    (", or take the multipliers of least norm: `LeastNorm::new(&system, 1e-4)`", ""),
    ("bring it onto the constraints with `initialise`", "bring it onto the constraints"),
    (", `locate_switches`, and the mechanism itself in place of a system that wraps it", ""),
    ("; `Projected` keeps a method on them", ""),
    (", or let `TangentBasis::at` choose", ""),
    ("set `locate_switches`, if it is false, so that steps end on the switch; if they do already, smooth", "smooth"),
    ("set `locate_switches` to false, which leaves them to the error estimate", "state fewer of them in one mechanism"),
    (
        "where the block says `assume` of them, `prepare` refuses others",
        "the block refuses others where it says `assume` of them",
    ),
];

/// A message of the library with the options of the command line in place of the library's own names.
pub(super) fn in_options(text: &str) -> String {
    OPTIONS.iter().fold(text.to_owned(), |text, (name, option)| text.replace(name, option))
}

/// The failure of a computation that has no motion.
pub(super) fn without_motion(error: impl fmt::Display) -> RequestError {
    RequestError::Failed(FailedRun { text: in_options(&error.to_string()), last: None })
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, name, known) = match self {
            Self::UnknownModel { name, known } => ("model", name, known),
            Self::UnknownMethod { name, known } => ("method", name, known),
            Self::UnknownParameter { name, known } => ("parameter", name, known),
            Self::UnknownCoordinate { name, known } => ("coordinate or velocity", name, known),
            Self::UnknownQuantity { name, known } => ("coordinate, velocity or output", name, known),
            Self::UnknownVariable { name, known } => ("parameter, input, coordinate or velocity", name, known),
            Self::Misplaced { name, is_parameter: true } => {
                return write!(
                    f,
                    "`{name}` is a parameter or an input and has no initial value; --set {name}=VALUE changes it, or the table [set] \
                     of a settings file"
                );
            }
            Self::Misplaced { name, is_parameter: false } => {
                return write!(
                    f,
                    "`{name}` is a coordinate or a velocity, which --set does not change; --initial {name}=VALUE sets where it \
                     starts, or the table [initial] of a settings file"
                );
            }
            Self::Repeated { name, values: [first, second] } => {
                return write!(f, "`{name}` is given twice, as {} and as {}", Number(*first), Number(*second));
            }
            Self::BadValue(text) | Self::BadLaw(text) | Self::Failed(FailedRun { text, .. }) => {
                return f.write_str(text);
            }
        };
        write!(f, "no {kind} `{name}`")?;
        explain(f, name, known)
    }
}

impl std::error::Error for RequestError {}
