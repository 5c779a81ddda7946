//! What an expression is worth: a scalar, a vector, a matrix or a condition of graph nodes.

use crate::expr::Id;
use std::fmt::{self, Display, Formatter};

/// The shape of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// One number.
    Scalar,
    /// So many components.
    Vector(usize),
    /// Rows and columns.
    Matrix(usize, usize),
    /// A condition, which holds or does not.
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
    /// Row by row.
    pub(crate) entries: Vec<Id>,
}

impl Value {
    pub(crate) fn scalar(id: Id) -> Self {
        Self { shape: Shape::Scalar, entries: vec![id] }
    }

    pub(crate) fn condition(id: Id) -> Self {
        Self { shape: Shape::Condition, entries: vec![id] }
    }

    pub(crate) fn vector(entries: Vec<Id>) -> Self {
        Self { shape: Shape::Vector(entries.len()), entries }
    }

    /// The single entry of a scalar.
    pub(crate) fn as_scalar(&self) -> Option<Id> {
        match (self.shape, self.entries.as_slice()) {
            (Shape::Scalar, [id]) => Some(*id),
            _ => None,
        }
    }
}
