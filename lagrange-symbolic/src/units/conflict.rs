//! Two units that should be equal and are not.

use super::linear::Linear;
use crate::syntax::{Expr, plain};
use proc_macro2::Ident;

/// Why two units must be equal.
#[derive(Clone, Copy, Debug)]
pub(super) enum Why<'s> {
    /// Terms that are added.
    Sum,
    /// Sides of `<` and its relatives.
    Comparison,
    /// The two values of an `if`.
    Branches,
    /// Arguments of a function that have the same unit as each other.
    Arguments(&'s Ident),
    /// An argument of a function that is a number.
    Number(&'s Ident),
    /// Components that a function or a product of matrices adds.
    Components,
    /// An exponent that is computed.
    Exponent,
    /// The base of a power whose exponent is computed.
    Base,
    /// The bounds of an integral.
    Bounds,
    /// The sides of a statement.
    Sides(&'static str),
    /// An energy of the block.
    Energy,
    /// The dissipation function.
    Dissipation,
    /// The stated unit of a name.
    Stated(&'s Ident),
    /// An argument of a table or of an outside function.
    Declared(&'s Ident),
    /// The right side of a force.
    Force,
    /// A couple.
    Torque,
    /// The bound of a friction.
    Bound,
    /// The slip rate at which friction becomes smooth.
    Smooth,
    /// The components of a symmetry.
    Symmetry,
    /// The gauge of a symmetry.
    Gauge,
    /// A coefficient of restitution.
    Restitution,
    /// A tensile force of a contact.
    Adhesion,
    /// A coefficient of friction.
    Coefficient,
    /// The moments of inertia of a body.
    Inertia,
    /// A length of a shape.
    Shape,
}

impl Why<'_> {
    /// The reason in words. `other` is the other side, if one side is blamed.
    pub(super) fn text(self, other: Option<&str>) -> String {
        let with = |what: &str| match other {
            Some(other) => format!("in {what} with {other}"),
            None => format!("{what} needs equal units"),
        };
        match self {
            Self::Sum => with("the sum"),
            Self::Comparison => with("the comparison"),
            Self::Branches => "the two values of an `if` have the same unit".to_owned(),
            Self::Arguments(function) => format!("the arguments of `{}` have the same unit", plain(function)),
            Self::Number(function) => {
                format!("the argument of `{}` is a number, or an angle in `rad`, which is 1", plain(function))
            }
            Self::Components => "the components are added, so that they have the same unit".to_owned(),
            Self::Exponent => "an exponent is a number".to_owned(),
            Self::Base => "a power with a computed exponent has a number as its base".to_owned(),
            Self::Bounds => "the bounds of an integral have the same unit".to_owned(),
            Self::Sides(statement) => format!("the two sides of a `{statement}` have the same unit"),
            Self::Energy => {
                "it is an energy; where it is none, as for an energy per mass, `units energy = m^2/s^2;` states its unit".to_owned()
            }
            Self::Dissipation => "the dissipation function is a power: an energy over a time".to_owned(),
            Self::Stated(name) => format!("`{}` is stated in this unit", plain(name)),
            Self::Declared(name) => format!("`{}` has this unit elsewhere", plain(name)),
            Self::Force => "a force times its left side is an energy".to_owned(),
            Self::Torque => "a couple is an energy, since an angle is a number".to_owned(),
            Self::Bound => "the bound of a friction times its slip is an energy".to_owned(),
            Self::Smooth => "a smooth friction is stated with a rate of its slip".to_owned(),
            Self::Symmetry => "each component of a symmetry has the unit of its coordinate times one unit for all".to_owned(),
            Self::Gauge => "the gauge of a symmetry is an energy times a time times the unit of the change of a coordinate over that of the coordinate".to_owned(),
            Self::Adhesion => "an adhesion has the unit of the force on the gap, an energy over the gap".to_owned(),
            Self::Restitution => "a coefficient of restitution is a number".to_owned(),
            Self::Coefficient => "a coefficient of friction is the gap over the slip: a number where both are lengths".to_owned(),
            Self::Shape => "all lengths of a shape have one unit".to_owned(),
            Self::Inertia => "a moment of inertia is a mass times a squared length".to_owned(),
        }
    }
}

/// One of two sides that should have the same unit.
#[derive(Clone, Debug)]
pub(super) enum Side<'s> {
    /// An expression.
    Term(&'s Expr),
    /// A unit that follows from other statements.
    Needed,
}

impl<'s> Side<'s> {
    /// Whether it is this expression.
    pub(super) fn is(&self, expr: &Expr) -> bool {
        matches!(self, Self::Term(term) if std::ptr::eq(*term, expr))
    }

    /// The expression.
    pub(super) fn term(&self) -> Option<&'s Expr> {
        match self {
            Self::Term(term) => Some(term),
            Self::Needed => None,
        }
    }
}

/// Two sides with different units.
#[derive(Clone, Debug)]
pub(super) struct Conflict<'s> {
    pub(super) sides: [Side<'s>; 2],
    pub(super) units: [Linear; 2],
    pub(super) why: Why<'s>,
    /// The index of the statement.
    pub(super) statement: usize,
}
