//! Errors of an analysis as values. Each names its cause and its remedy.

use crate::error::{Failure, Number, PivotOf, PrepareError, SingularMass};
use nalgebra::Complex;
use std::fmt;
use std::string::{String, ToString};
use std::vec::Vec;

/// Why an analysis has no result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The mass matrix is singular at the state.
    SingularMass {
        /// The coordinate whose pivot vanished, or the constraint that the others make redundant.
        culprit: String,
        /// The pivot's value.
        pivot: f64,
        /// Whether the culprit is a constraint.
        constraint: bool,
    },
    /// The state breaks a constraint, or an evaluation along a motion failed.
    State(Failure),
    /// The equations could not be prepared with these parameters.
    Prepare(PrepareError),
    /// A number is infinite or NaN.
    NotFinite {
        /// The quantity that contains it.
        quantity: String,
    },
    /// A matrix, a vector or a list has the wrong size.
    Shape {
        /// The name of the matrix, vector or list.
        quantity: String,
        /// The rows and columns that it must have.
        expected: (usize, usize),
        /// The rows and columns that it has.
        found: (usize, usize),
    },
    /// A name does not exist.
    UnknownName {
        /// The kind of thing that was asked for.
        kind: &'static str,
        /// The name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// The chosen coordinates do not determine the others.
    NotIndependent {
        /// The chosen coordinates.
        chosen: Vec<String>,
        /// The number of coordinates that must be chosen.
        needed: usize,
    },
    /// An iteration did not converge.
    NotConverged {
        /// The solution that was sought.
        sought: &'static str,
        /// The number of iterations.
        iterations: u32,
        /// The equation that remains broken most.
        worst: String,
        /// The residual of that equation.
        residual: f64,
        /// The remedy.
        remedy: &'static str,
    },
    /// The steps of an iteration go away in one direction and do not become shorter. There is no solution in that direction, or it is
    /// at infinity.
    RunsAway {
        /// The solution that was sought.
        sought: &'static str,
        /// The number of iterations.
        iterations: u32,
        /// The unknown that goes away.
        unknown: String,
        /// The value that the unknown had last.
        value: f64,
    },
    /// The motion that a search for a periodic orbit reaches is an equilibrium: it spans nothing but rounding.
    AtRest {
        /// The number of iterations.
        iterations: u32,
    },
    /// The period of a search for a periodic orbit leaves the range that belongs to its guess.
    PeriodLeavesRange {
        /// The period that the iteration asks for.
        period: f64,
        /// The smallest and the largest period that are allowed.
        allowed: [f64; 2],
        /// The number of iterations.
        iterations: u32,
    },
    /// A matrix that must be symmetric and positive definite (or semidefinite) is not.
    NotPositive {
        /// The matrix's name.
        matrix: String,
        /// The matrix's smallest eigenvalue; NaN where the matrix is not symmetric.
        smallest: f64,
        /// The matrices that are allowed, in words.
        allowed: &'static str,
    },
    /// No feedback stabilises the system: the inputs do not reach an unstable mode.
    NotStabilisable {
        /// The eigenvalue of that mode.
        eigenvalue: Complex<f64>,
    },
    /// The cost does not see a mode that does not decay. The feedback of least cost then leaves the mode as it is, and does not
    /// stabilise the system.
    NotDetectable {
        /// The eigenvalue of that mode.
        eigenvalue: Complex<f64>,
    },
    /// The system is not asymptotically stable. The result exists only for such systems.
    NotStable {
        /// The eigenvalue that is not in the stable region.
        eigenvalue: Complex<f64>,
        /// The result that was asked for.
        sought: &'static str,
        /// The remedy.
        remedy: &'static str,
    },
    /// The analysis does not apply to this mechanism or to these arguments.
    NotApplicable {
        /// The analysis.
        analysis: &'static str,
        /// The condition that it needs.
        needs: String,
    },
}

impl AnalysisError {
    /// The error of a singular mass matrix, with the coordinate's name.
    pub(crate) fn singular(singular: SingularMass, coordinates: &[&str]) -> Self {
        let SingularMass { of, pivot } = singular;
        let (culprit, constraint) = match of {
            PivotOf::Contact { .. } | PivotOf::ManyContacts { .. } | PivotOf::DependentContact { .. } => {
                return Self::State(Failure::SingularMass(singular));
            }
            PivotOf::Constraint { name, .. } => (name.to_string(), true),
            PivotOf::Coordinate(index) => {
                (coordinates.get(index).map_or_else(|| index.to_string(), ToString::to_string), false)
            }
        };
        Self::SingularMass { culprit, pivot, constraint }
    }

    /// The error of a failure of an evaluation or an integration, with the coordinate's name for a singular mass matrix.
    pub(crate) fn failure(failure: Failure, coordinates: &[&str]) -> Self {
        match failure {
            Failure::SingularMass(singular) => Self::singular(singular, coordinates),
            other => Self::State(other),
        }
    }

    /// The error of a matrix of the wrong size.
    pub(crate) fn shape(quantity: impl Into<String>, expected: (usize, usize), found: (usize, usize)) -> Self {
        Self::Shape { quantity: quantity.into(), expected, found }
    }
}

impl From<PrepareError> for AnalysisError {
    fn from(error: PrepareError) -> Self {
        Self::Prepare(error)
    }
}

impl fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SingularMass { culprit, pivot, constraint: true } => write!(
                f,
                "constraint `{culprit}` is redundant at this state: its pivot is {}; leave it out of the mechanism, or take the \
                 multipliers of least norm: `LeastNorm::new(&system, 1e-4)`",
                Number(*pivot)
            ),
            Self::SingularMass { culprit, pivot, constraint: false } => write!(
                f,
                "the mass matrix is singular at this state: coordinate `{culprit}` has pivot {}; choose coordinates that are \
                 regular there, or give the coordinate inertia",
                Number(*pivot)
            ),
            Self::State(failure) => write!(f, "{failure}; {}", failure.remedy()),
            Self::Prepare(error) => write!(f, "{error}; change the parameter"),
            Self::NotFinite { quantity } => {
                write!(
                    f,
                    "{quantity} is infinite or NaN; it must be finite, at a state at which the equations are regular"
                )
            }
            Self::Shape { quantity, expected, found } => {
                write!(f, "{quantity} is {} × {}; it must be {} × {}", found.0, found.1, expected.0, expected.1)
            }
            Self::UnknownName { kind, name, known } => {
                write!(f, "there is no {kind} `{name}`; known: ")?;
                names(f, known)
            }
            Self::NotIndependent { chosen, needed } => {
                write!(f, "the coordinates ")?;
                names(f, chosen)?;
                write!(
                    f,
                    " do not determine the others at this state; choose {needed} that the constraints leave free, or let \
                     `TangentBasis::at` choose"
                )
            }
            Self::NotConverged { sought, iterations, worst, residual, remedy } => write!(
                f,
                "no {sought} was found in {iterations} iterations: `{worst}` remains broken by {}; {remedy}",
                Number(*residual)
            ),
            Self::RunsAway { sought, iterations, unknown, value } => write!(
                f,
                "no {sought} was found: `{unknown}` runs away, and is {} after {iterations} iterations; start from another guess, \
                 or fix `{unknown}` and free an input",
                Number(*value)
            ),
            Self::AtRest { iterations } => write!(
                f,
                "no periodic orbit was found: after {iterations} iterations the motion is an equilibrium; start from another guess, or \
                 find the equilibrium by `EquilibriumSearch`"
            ),
            Self::PeriodLeavesRange { period, allowed, iterations } => write!(
                f,
                "no periodic orbit was found: after {iterations} iterations the period would be {}, outside {} to {}, which are half and \
                 twice the guess; start from another guess of the period",
                Number(*period),
                Number(allowed[0]),
                Number(allowed[1])
            ),
            Self::NotPositive { matrix, smallest, allowed } if smallest.is_nan() => {
                write!(f, "{matrix} is not symmetric; it must be {allowed}")
            }
            Self::NotPositive { matrix, smallest, allowed } => {
                write!(f, "{matrix} has the eigenvalue {}; it must be {allowed}", Number(*smallest))
            }
            Self::NotStabilisable { eigenvalue } => {
                write!(f, "no input reaches the mode of eigenvalue ")?;
                complex(f, *eigenvalue)?;
                write!(f, ", which is not stable; add an input that acts on it")
            }
            Self::NotDetectable { eigenvalue } => {
                write!(f, "the cost does not see the mode of eigenvalue ")?;
                complex(f, *eigenvalue)?;
                write!(f, ", which does not decay; give a state that takes part in it a positive weight")
            }
            Self::NotStable { eigenvalue, sought, remedy } => {
                write!(f, "{sought} does not exist: the eigenvalue ")?;
                complex(f, *eigenvalue)?;
                write!(f, " is not stable; {remedy}")
            }
            Self::NotApplicable { analysis, needs } => write!(f, "{analysis} needs {needs}"),
        }
    }
}

impl std::error::Error for AnalysisError {}

/// Writes names in backquotes, with commas between.
fn names(f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
    for (index, name) in names.iter().enumerate() {
        write!(f, "{}`{name}`", if index == 0 { "" } else { ", " })?;
    }
    if names.is_empty() { write!(f, "none") } else { Ok(()) }
}

/// Writes a complex number as x + iy, with seven digits of each part whatever its size is.
pub(super) fn complex(f: &mut impl fmt::Write, value: Complex<f64>) -> fmt::Result {
    let part = |f: &mut dyn fmt::Write, part: f64| match part.abs() {
        size if size == 0.0 || (1e-3..1e7).contains(&size) => write!(f, "{part:.6}"),
        _ => write!(f, "{part:.6e}"),
    };
    part(f, value.re)?;
    if value.im == 0.0 {
        return Ok(());
    }
    write!(f, " {} ", if value.im < 0.0 { '-' } else { '+' })?;
    part(f, value.im.abs())?;
    write!(f, "i")
}
