//! What stands in statements and expressions.

use super::tree::{Expr, ExprKind, Indexing, StatementKind, When};

impl Expr {
    /// Calls `see` with the expression and everything in it.
    pub(crate) fn walk<'s>(&'s self, see: &mut impl FnMut(&'s Self)) {
        let mut open = vec![self];
        while let Some(next) = open.pop() {
            see(next);
            open.extend(next.parts());
            if let ExprKind::Integral { integrand: inner, .. } | ExprKind::Sum { term: inner, .. } = &next.kind {
                open.push(inner);
            }
        }
    }
}

impl StatementKind {
    /// The expressions of the statement that have units.
    pub(crate) fn expressions(&self) -> Vec<&Expr> {
        match self {
            Self::Let { value, .. }
            | Self::Energy { value, .. }
            | Self::Output { value, .. }
            | Self::Invariant { value, .. }
            | Self::Assume(value)
            | Self::Const { value, .. } => vec![value],
            Self::Symmetry { change, gauge, .. } => [change].into_iter().chain(gauge).collect(),
            Self::Force { left, right, .. }
            | Self::Torque { left, right, .. }
            | Self::State { left, right, .. }
            | Self::Verify { left, right } => vec![left, right],
            Self::Constraint { left, right, when, .. } => [left, right].into_iter().chain(when.as_deref()).collect(),
            Self::Friction { slip, bound, smooth, breakaway, .. } => {
                [slip, bound].into_iter().chain(smooth).chain(breakaway).collect()
            }
            Self::Contact { sides, restitution, friction, breakaway, adhesion, .. } => {
                let friction = friction.as_deref().map(|(slip, bound)| [slip, bound]);
                let restitution = restitution.as_deref();
                [&sides.0, &sides.1]
                    .into_iter()
                    .chain(restitution)
                    .chain(friction.into_iter().flatten())
                    .chain(breakaway.as_deref())
                    .chain(adhesion.as_deref())
                    .collect()
            }
            Self::Mode { changes, .. } => {
                let mut all = Vec::new();
                for When { condition, value, then } in changes {
                    all.extend([condition, value]);
                    all.extend(then.iter().flat_map(|(target, value)| [target, value]));
                }
                all
            }
            Self::Table { knots, values, slopes, .. } => knots.iter().chain([values]).chain(slopes).collect(),
            Self::Coordinates(_)
            | Self::Extern(_)
            | Self::Allow { .. }
            | Self::Crate(_)
            | Self::MaxOperations(_)
            | Self::Part { .. }
            | Self::MayBePart
            | Self::Given(_)
            | Self::Units(_) => Vec::new(),
        }
    }

    /// The lengths and the bounds of indices in the statement, and the limit that it sets.
    pub(crate) fn bounds(&self) -> Vec<&Expr> {
        let mut all: Vec<&Expr> = match self {
            Self::Coordinates(declared) | Self::Given(declared) => declared.iter().flat_map(|it| &it.lengths).collect(),
            Self::Part { length, .. } => length.iter().collect(),
            Self::MaxOperations(limit) => vec![limit],
            _ => Vec::new(),
        };
        for index in self.indexing() {
            match index {
                Indexing::Element(index) => all.push(index),
                Indexing::Range(range) => all.extend([&range.from, &range.to]),
            }
        }
        all
    }

    /// The indexing of a statement.
    pub(crate) fn indexing(&self) -> &[Indexing] {
        match self {
            Self::Let { indices, .. }
            | Self::Force { indices, .. }
            | Self::Torque { indices, .. }
            | Self::Friction { indices, .. }
            | Self::Contact { indices, .. }
            | Self::State { indices, .. }
            | Self::Mode { indices, .. }
            | Self::Constraint { indices, .. }
            | Self::Output { indices, .. }
            | Self::Invariant { indices, .. }
            | Self::Symmetry { indices, .. } => indices,
            _ => &[],
        }
    }
}
