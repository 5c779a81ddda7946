//! Errors as values. Each names its cause and its remedy.

mod component;
mod failure;
#[cfg(feature = "std")]
mod sample;
mod solve;

pub use crate::number::Number;
pub use component::Component;
pub use failure::{CheckpointPart, Failure, Jump};
#[cfg(feature = "std")]
pub use sample::SampleError;
pub use solve::SolveError;

use core::fmt;

/// A pivot of the mass matrix, or of the mass matrix bordered by the constraints, vanished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingularMass {
    /// The row of the pivot.
    pub of: PivotOf,
    /// The pivot's value.
    pub pivot: f64,
}

/// The row of a pivot in the mass matrix bordered by the constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PivotOf {
    /// The row of the coordinate of this index, which has no inertia at this state.
    Coordinate(usize),
    /// The row of a constraint that the others make redundant at this state.
    Constraint {
        /// The constraint's index.
        index: usize,
        /// The constraint's name.
        name: &'static str,
    },
    /// The row of a contact whose force, or whose impulse, does not follow from Coulomb's law.
    Contact {
        /// The contact's index.
        index: usize,
        /// The contact's name.
        name: &'static str,
        /// Whether there are several motions that obey the law. Otherwise there is none.
        several: bool,
    },
    /// The row of a contact that depends on so many others that not every combination of phases is tried, where no phases were found that obey the
    /// law of contact and friction.
    ManyContacts {
        /// The contact's index.
        index: usize,
        /// The contact's name.
        name: &'static str,
    },
    /// The row of a contact that cannot move independently of the others at rest, so that the force on it does not follow from the
    /// motion.
    DependentContact {
        /// The contact's index.
        index: usize,
        /// The contact's name.
        name: &'static str,
    },
}

impl SingularMass {
    /// The error where the pivot of a coordinate vanished.
    #[must_use]
    pub fn at(coordinate: usize, pivot: f64) -> Self {
        Self { of: PivotOf::Coordinate(coordinate), pivot }
    }

    /// The error where the pivot of the constraint of this index among `names` vanished.
    #[must_use]
    pub fn of_constraint(index: usize, names: &[&'static str], pivot: f64) -> Self {
        let name = names.get(index).copied().unwrap_or("constraint without a name");
        Self { of: PivotOf::Constraint { index, name }, pivot }
    }
}

impl SingularMass {
    /// The error where the law of the contact of this index among `names` allows no motion, or `several`.
    #[must_use]
    pub fn of_contact(index: usize, names: &[&'static str], several: bool) -> Self {
        let name = names.get(index).copied().unwrap_or("contact without a name");
        Self { of: PivotOf::Contact { index, name, several }, pivot: 0.0 }
    }

    /// The error where no motion was found at the contact of this index among `names`, and at those that depend on it.
    #[must_use]
    pub fn of_many_contacts(index: usize, names: &[&'static str]) -> Self {
        let name = names.get(index).copied().unwrap_or("contact without a name");
        Self { of: PivotOf::ManyContacts { index, name }, pivot: 0.0 }
    }

    /// The error where the contact of this index among `names` cannot move independently of others at rest.
    #[must_use]
    pub fn of_dependent_contact(index: usize, names: &[&'static str], pivot: f64) -> Self {
        let name = names.get(index).copied().unwrap_or("contact without a name");
        Self { of: PivotOf::DependentContact { index, name }, pivot }
    }
}

/// Why equations cannot be prepared from the parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PrepareError {
    /// A parameter or input is NaN or infinite.
    NotFinite {
        /// The name of the parameter or input.
        parameter: &'static str,
        /// Its value.
        value: f64,
    },
    /// A parameter, or an expression in parameters, is not positive, although the derivation assumed it.
    NotPositive {
        /// Its name, or the expression.
        parameter: &'static str,
        /// Its value.
        value: f64,
    },
    /// An `assume` of the block does not hold.
    AssumptionFails {
        /// The assumption, as written.
        assumption: &'static str,
        /// Its left side minus its right side.
        value: f64,
    },
    /// The slice given to `prepare_from` has the wrong length.
    ParameterCount {
        /// The number of the mechanism's parameters.
        expected: usize,
        /// The number of parameters given.
        given: usize,
    },
}

/// No parameter or input has this name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnknownParameter {
    /// The known names.
    pub known: &'static [&'static str],
}

impl fmt::Display for SingularMass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            PivotOf::Constraint { name, .. } => {
                write!(f, "constraint `{name}` is redundant here: its pivot is {:e}", self.pivot)
            }
            PivotOf::Contact { name, several: true, .. } => {
                write!(
                    f,
                    "the motion at contact `{name}` is not determined: several motions obey the law of contact and friction"
                )
            }
            PivotOf::Contact { name, .. } => {
                write!(f, "no motion at contact `{name}` obeys the law of contact and friction")
            }
            PivotOf::ManyContacts { name, .. } => {
                write!(
                    f,
                    "no motion was found at contact `{name}` and those that depend on it, which obeys the law of contact and friction"
                )
            }
            PivotOf::DependentContact { name, .. } => {
                write!(
                    f,
                    "contact `{name}` cannot move independently of the other contacts at rest, so that its force is not determined"
                )
            }
            PivotOf::Coordinate(index) => {
                write!(f, "the mass matrix is singular: coordinate {index} has pivot {:e}", self.pivot)
            }
        }
    }
}

impl fmt::Display for PrepareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { parameter, value } => {
                write!(f, "parameter `{parameter}` is {}; it must be finite", Number(*value))
            }
            Self::NotPositive { parameter, value } => {
                write!(f, "`{parameter}` is {}; the derivation took it to be positive", Number(*value))
            }
            Self::AssumptionFails { assumption, value } => {
                write!(f, "`assume {assumption}` does not hold: left minus right is {}", Number(*value))
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
