//! The units of a scalar, a vector or a matrix.

use super::linear::{Equations, Linear};
use crate::graph::Rational;

/// The units of the components of a value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Quantity {
    /// Nothing is known, so that nothing is checked.
    Unknown,
    /// All components have one unit. The rank is 0 for a scalar, 1 for a vector and 2 for a matrix.
    Same(Linear, usize),
    /// The elements of a vector, or the rows of a matrix.
    Each(Vec<Quantity>),
}

impl Quantity {
    /// A scalar.
    pub(super) fn scalar(unit: Linear) -> Self {
        Self::Same(unit, 0)
    }

    /// A number without a unit.
    pub(super) fn number() -> Self {
        Self::scalar(Linear::default())
    }

    /// The number of indices that select a component, as far as it is known.
    pub(super) fn rank(&self) -> Option<usize> {
        match self {
            Self::Unknown => None,
            Self::Same(_, rank) => Some(*rank),
            Self::Each(elements) => elements.first().and_then(Self::rank).map(|rank| rank + 1),
        }
    }

    /// The unit of a scalar.
    pub(super) fn as_scalar(&self) -> Option<&Linear> {
        match self {
            Self::Same(unit, 0) => Some(unit),
            _ => None,
        }
    }

    /// The unit of the components, where they have one in common; that of the first one otherwise.
    pub(super) fn common(&self) -> Option<&Linear> {
        match self {
            Self::Same(unit, _) => Some(unit),
            Self::Each(elements) => elements.first()?.common(),
            Self::Unknown => None,
        }
    }

    /// The components one after the other, where each of them is known.
    pub(super) fn scalars(&self) -> Option<Vec<Self>> {
        match self {
            Self::Same(_, 0) => Some(vec![self.clone()]),
            Self::Each(elements) => Some(elements.iter().map(Self::scalars).collect::<Option<Vec<_>>>()?.concat()),
            Self::Same(..) | Self::Unknown => None,
        }
    }

    /// The same shape with other units.
    pub(super) fn map(&self, change: &mut impl FnMut(&Linear) -> Linear) -> Self {
        match self {
            Self::Unknown => Self::Unknown,
            Self::Same(unit, rank) => Self::Same(change(unit), *rank),
            Self::Each(elements) => Self::Each(elements.iter().map(|element| element.map(change)).collect()),
        }
    }

    /// The product with a power of a scalar's unit.
    pub(super) fn times(&self, unit: &Linear, power: &Rational) -> Self {
        self.map(&mut |own| own.times(unit, power))
    }

    /// The units of all components, equal ones once where they stand for a whole vector.
    pub(super) fn leaves(&self) -> Vec<&Linear> {
        match self {
            Self::Unknown => Vec::new(),
            Self::Same(unit, _) => vec![unit],
            Self::Each(elements) => elements.iter().flat_map(Self::leaves).collect(),
        }
    }

    /// The element with this index, or with any index if none is given.
    pub(super) fn element(&self, index: Option<usize>, equations: &Equations) -> Self {
        match self {
            Self::Unknown | Self::Same(_, 0) => Self::Unknown,
            Self::Same(unit, rank) => Self::Same(unit.clone(), rank - 1),
            Self::Each(elements) => match index {
                Some(index) => elements.get(index).cloned().unwrap_or(Self::Unknown),
                None => {
                    let resolved = |element: &Self| element.map(&mut |unit| equations.resolved(unit));
                    let mut all = elements.iter().map(resolved);
                    let first = all.next().unwrap_or(Self::Unknown);
                    if all.all(|element| element == first) { first } else { Self::Unknown }
                }
            },
        }
    }

    /// Pairs of the components that stand at the same places of two values.
    pub(super) fn pairs<'q>(&'q self, other: &'q Self) -> Vec<(&'q Linear, &'q Linear)> {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Vec::new(),
            (Self::Same(left, _), Self::Same(right, _)) => vec![(left, right)],
            (Self::Same(left, _), other) => other.leaves().into_iter().map(|right| (left, right)).collect(),
            (own, Self::Same(right, _)) => own.leaves().into_iter().map(|left| (left, right)).collect(),
            (Self::Each(left), Self::Each(right)) => {
                left.iter().zip(right).flat_map(|(left, right)| left.pairs(right)).collect()
            }
        }
    }

    /// The columns of a matrix as rows.
    pub(super) fn transposed(&self) -> Self {
        let Self::Each(rows) = self else { return self.clone() };
        let width = rows.iter().find_map(|row| match row {
            Self::Each(elements) => Some(elements.len()),
            _ => None,
        });
        let Some(width) = width else {
            return Self::Unknown;
        };
        let entry = |row: &Self, column: usize| match row {
            Self::Each(elements) => elements.get(column).cloned().unwrap_or(Self::Unknown),
            Self::Same(unit, _) => Self::scalar(unit.clone()),
            Self::Unknown => Self::Unknown,
        };
        Self::Each((0..width).map(|column| Self::Each(rows.iter().map(|row| entry(row, column)).collect())).collect())
    }
}
