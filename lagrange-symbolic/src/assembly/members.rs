//! The names of a part.

use crate::syntax::{CoordinateArray, Energy, Spec, StatementKind, plain};
use std::collections::BTreeSet;

/// The names that a part states, as they are shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    /// What each part of an array has on its own: fields, coordinates, definitions, constraints, …
    pub(super) own: BTreeSet<String>,
    /// What all parts of an array share: constants.
    pub(super) shared: BTreeSet<String>,
    /// Functions, which all parts of an array share too.
    pub(super) functions: BTreeSet<String>,
    /// The quantities that it leaves open.
    pub(super) open: Vec<CoordinateArray>,
}

impl Members {
    /// The names of a part.
    pub(super) fn of(spec: &Spec) -> Self {
        let mut members = Self::default();
        members.own.extend(spec.item.fields.iter().map(|field| plain(&field.ident)));
        for statement in &spec.statements {
            match &statement.kind {
                StatementKind::Coordinates(declared) => {
                    members.own.extend(declared.iter().map(|declared| plain(&declared.name)));
                }
                StatementKind::Given(declared) => {
                    members.own.extend(declared.iter().map(|declared| plain(&declared.name)));
                    members.open.extend(declared.iter().cloned());
                }
                StatementKind::Let { name, .. }
                | StatementKind::Friction { name, .. }
                | StatementKind::Contact { name, .. }
                | StatementKind::Constraint { name, .. }
                | StatementKind::Mode { name, .. }
                | StatementKind::State { name, .. }
                | StatementKind::Output { name, .. } => _ = members.own.insert(plain(name)),
                StatementKind::Const { name, .. } => _ = members.shared.insert(plain(name)),
                StatementKind::Extern(function) => _ = members.functions.insert(plain(&function.name)),
                StatementKind::Table { name, .. } => _ = members.functions.insert(plain(name)),
                _ => {}
            }
        }
        members
    }

    /// The energies that a part states, without those whose keyword is the name of another quantity of it.
    pub(super) fn named_energies(&self, spec: &Spec) -> BTreeSet<Energy> {
        let energies = spec.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Energy { energy, .. } => Some(*energy),
            _ => None,
        });
        energies
            .filter(|energy| !self.own.contains(energy.keyword()) && !self.shared.contains(energy.keyword()))
            .collect()
    }
}
