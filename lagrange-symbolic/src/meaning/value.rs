//! The value of an expression: a scalar, a vector, a matrix or a condition, whose entries are nodes of the graph.

use crate::graph::Id;
use std::fmt::{self, Display, Formatter};

/// The shape of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// One number.
    Scalar,
    /// A vector with so many components.
    Vector(usize),
    /// Rows and columns.
    Matrix(usize, usize),
    /// A condition.
    Condition,
}

impl Display for Shape {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar => formatter.write_str("a scalar"),
            Self::Vector(1) => formatter.write_str("a vector of 1 component"),
            Self::Vector(length) => write!(formatter, "a vector of {length} components"),
            Self::Matrix(rows, columns) => write!(formatter, "a {rows}×{columns} matrix"),
            Self::Condition => formatter.write_str("a condition"),
        }
    }
}

/// An elaborated expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Value {
    pub(crate) shape: Shape,
    /// The entries, row by row.
    pub(crate) entries: Vec<Id>,
    /// The angular velocity, if the value is a rotation matrix that is a product of rotations.
    pub(crate) angular_velocity: Option<AngularVelocity>,
}

/// The angular velocity ω of a rotation matrix R.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AngularVelocity {
    /// ω in the body frame: RᵀṘ = [ω]×.
    pub(crate) body: [Id; 3],
    /// ω in the space frame: ṘRᵀ = [ω]×.
    pub(crate) space: [Id; 3],
}

impl Value {
    pub(crate) fn new(shape: Shape, entries: Vec<Id>) -> Self {
        Self { shape, entries, angular_velocity: None }
    }

    pub(crate) fn scalar(id: Id) -> Self {
        Self::new(Shape::Scalar, vec![id])
    }

    pub(crate) fn condition(id: Id) -> Self {
        Self::new(Shape::Condition, vec![id])
    }

    pub(crate) fn vector(entries: Vec<Id>) -> Self {
        Self::new(Shape::Vector(entries.len()), entries)
    }

    /// The single entry of a scalar.
    pub(crate) fn as_scalar(&self) -> Option<Id> {
        match (self.shape, self.entries.as_slice()) {
            (Shape::Scalar, [id]) => Some(*id),
            _ => None,
        }
    }

    /// The entry with these indices, one for each axis.
    pub(crate) fn element(&self, indices: &[i64]) -> Option<Id> {
        let at = |index: i64, length: usize| usize::try_from(index).ok().filter(|index| *index < length);
        match (self.shape, indices) {
            (Shape::Scalar, []) => self.as_scalar(),
            (Shape::Vector(length), [i]) => Some(self.entries[at(*i, length)?]),
            (Shape::Matrix(rows, columns), [i, j]) => Some(self.entries[at(*i, rows)? * columns + at(*j, columns)?]),
            _ => None,
        }
    }
}
