//! Checks that need no values: names that collide, statements that are missing or stated twice.

use super::exact::variables;
use crate::report::{Mistake, Place, Report};
use crate::syntax::{Energy, Indexing, Intrinsic, Spec, StatementKind, plain};
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet};

/// Reports every collision and every missing statement. Returns the names of all quantities of the block.
pub(crate) fn check(spec: &Spec, report: &mut Report) -> BTreeSet<String> {
    parts(spec, report);
    let stated = names(spec, report);
    functions(spec, report);
    indices(spec, &stated, report);
    statements(spec, report);
    stated
}

fn names(spec: &Spec, report: &mut Report) -> BTreeSet<String> {
    let mut reserved = |ident: &Ident| {
        let name = plain(ident);
        let is_reserved = name == "t" || name == "pi";
        if is_reserved {
            report.add(Mistake::ReservedName { name }, ident);
        }
        is_reserved
    };
    let mut mistakes = Report::new();
    let mut fields = BTreeSet::new();
    for field in &spec.item.fields {
        reserved(&field.ident);
        fields.insert(plain(&field.ident));
    }
    let mut coordinates = BTreeSet::new();
    let mut none = true;
    for statement in &spec.statements {
        let StatementKind::Coordinates(declared) = &statement.kind else { continue };
        none &= declared.iter().all(|declared| declared.is_virtual);
        for ident in declared.iter().map(|declared| &declared.name) {
            let name = plain(ident);
            if reserved(ident) {
                continue;
            }
            if fields.contains(&name) {
                mistakes.add(Mistake::CoordinateIsField { name }, ident);
            } else if !coordinates.insert(name.clone()) {
                mistakes.add(Mistake::DuplicateCoordinate { name }, ident);
            }
        }
    }
    let mut states: BTreeMap<String, &str> = BTreeMap::new();
    for statement in &spec.statements {
        let (ident, what) = match &statement.kind {
            StatementKind::State { name, .. } => (name, "state"),
            StatementKind::Mode { name, .. } => (name, "mode"),
            _ => continue,
        };
        none = false;
        let name = plain(ident);
        if reserved(ident) {
            continue;
        }
        let other = match (fields.contains(&name), coordinates.contains(&name), states.get(&name)) {
            (true, ..) => "field",
            (_, true, _) => "coordinate",
            (.., Some(&other)) if other != what => other,
            _ => {
                states.insert(name, what);
                continue;
            }
        };
        mistakes.add(Mistake::StateIsTaken { what: what.to_owned(), name, other: other.to_owned() }, ident);
    }
    let mut constants = BTreeSet::new();
    for statement in &spec.statements {
        let StatementKind::Const { name: ident, .. } = &statement.kind else { continue };
        let name = plain(ident);
        if reserved(ident) {
            continue;
        }
        let other = if fields.contains(&name) {
            "field"
        } else if coordinates.contains(&name) {
            "coordinate"
        } else if let Some(what) = states.get(&name) {
            what
        } else if !constants.insert(name.clone()) {
            "constant"
        } else {
            continue;
        };
        mistakes.add(Mistake::ConstIsTaken { name, other: other.to_owned() }, ident);
    }
    // The number of indices in the definitions of each name; 0 for a plain name.
    let mut lets: BTreeMap<String, usize> = BTreeMap::new();
    for statement in &spec.statements {
        let StatementKind::Let { name: ident, indices, .. } = &statement.kind else { continue };
        let name = plain(ident);
        if reserved(ident) {
            continue;
        }
        if fields.contains(&name) {
            mistakes.add(Mistake::LetIsField { name }, ident);
        } else if coordinates.contains(&name) {
            mistakes.add(Mistake::LetIsCoordinate { name }, ident);
        } else if let Some(what) = states.get(&name) {
            mistakes.add(Mistake::LetIsState { name, what: (*what).to_owned() }, ident);
        } else if constants.contains(&name) {
            mistakes.add(Mistake::DuplicateLet { name }, ident);
        } else {
            match lets.get(&name) {
                // Definitions of the same element are found later, when the indices are known.
                Some(rank) if *rank == indices.len() && *rank > 0 => {}
                Some(_) => mistakes.add(Mistake::DuplicateLet { name }, ident),
                None => {
                    lets.insert(name, indices.len());
                }
            }
        }
    }
    if none {
        mistakes.add(Mistake::MissingCoordinates {}, &spec.item.item.ident);
    }
    report.append(mistakes);
    fields.into_iter().chain(coordinates).chain(states.into_keys()).chain(constants).chain(lets.into_keys()).collect()
}

/// Reports parts whose blocks are not at hand, and quantities that nothing gives.
fn parts(spec: &Spec, report: &mut Report) {
    for statement in &spec.statements {
        match &statement.kind {
            StatementKind::Part { name, .. } => report.add(Mistake::PartElsewhere { name: plain(name) }, name),
            StatementKind::Given(given) => {
                given.iter().for_each(|it| report.add(Mistake::GivenAlone { name: plain(&it.name) }, &it.name));
            }
            _ => {}
        }
    }
}

/// Reports functions of the block that have the name of another function.
fn functions(spec: &Spec, report: &mut Report) {
    let mut seen = BTreeSet::new();
    for statement in &spec.statements {
        let name = match &statement.kind {
            StatementKind::Extern(function) => &function.name,
            StatementKind::Table { name, .. } => name,
            _ => continue,
        };
        let text = plain(name);
        if Intrinsic::names().any(|intrinsic| intrinsic == text) || !seen.insert(text.clone()) {
            report.add(Mistake::FunctionIsTaken { name: text }, name);
        }
    }
}

/// Reports indices of a statement that have the name of something else.
fn indices(spec: &Spec, stated: &BTreeSet<String>, report: &mut Report) {
    for statement in &spec.statements {
        let indexing: &[Indexing] = match &statement.kind {
            StatementKind::Let { indices, .. }
            | StatementKind::Force { indices, .. }
            | StatementKind::Torque { indices, .. }
            | StatementKind::Friction { indices, .. }
            | StatementKind::Contact { indices, .. }
            | StatementKind::State { indices, .. }
            | StatementKind::Mode { indices, .. }
            | StatementKind::Constraint { indices, .. }
            | StatementKind::Output { indices, .. }
            | StatementKind::Invariant { indices, .. }
            | StatementKind::Symmetry { indices, .. } => indices,
            _ => continue,
        };
        let mut seen = BTreeSet::new();
        for variable in variables(indexing) {
            let name = plain(variable);
            if name == "t" || name == "pi" {
                report.add(Mistake::ReservedName { name }, variable);
            } else if stated.contains(&name) {
                report.add(Mistake::IndexIsQuantity { name }, variable);
            } else if !seen.insert(name.clone()) {
                report.add(Mistake::DuplicateRangeVariable { name }, variable);
            }
        }
    }
}

fn statements(spec: &Spec, report: &mut Report) {
    let mut stated: BTreeMap<Energy, Place> = BTreeMap::new();
    let mut settings = BTreeSet::new();
    for statement in &spec.statements {
        let twice = match &statement.kind {
            StatementKind::Energy { energy, keyword, .. } => {
                let place = Place::from(keyword);
                stated.insert(*energy, place).is_some().then(|| (energy.keyword(), place))
            }
            _ => None,
        };
        if let Some((keyword, place)) = twice {
            report.add(Mistake::DuplicateStatement { keyword: keyword.to_owned() }, place);
        }
        let set = match &statement.kind {
            StatementKind::Crate(_) => vec!["crate"],
            StatementKind::MaxOperations(_) => vec!["max_operations"],
            StatementKind::Units(units) => units.iter().map(|(of, _)| of.word()).collect(),
            _ => continue,
        };
        for keyword in set {
            if !settings.insert(keyword) {
                report.add(Mistake::DuplicateSetting { keyword: keyword.to_owned() }, statement.place);
            }
        }
    }
    let has = |energy| stated.contains_key(&energy);
    if has(Energy::Lagrangian) {
        for part in [Energy::Kinetic, Energy::Potential] {
            if let Some(place) = stated.get(&part) {
                report.add(Mistake::LagrangianAndParts { part: part.keyword().to_owned() }, *place);
                break;
            }
        }
    } else if !has(Energy::Kinetic) {
        match stated.get(&Energy::Potential) {
            Some(place) => report.add(Mistake::PotentialAlone {}, *place),
            None if is_first_order(spec) => {}
            None => report.add(Mistake::MissingLagrangian {}, &spec.item.item.ident),
        }
    }
}

/// Whether a block has states and no coordinates, so that it needs no energy.
fn is_first_order(spec: &Spec) -> bool {
    let has = |is_it: fn(&StatementKind) -> bool| spec.statements.iter().any(|statement| is_it(&statement.kind));
    let are_coordinates = |kind: &StatementKind| match kind {
        StatementKind::Coordinates(declared) => declared.iter().any(|declared| !declared.is_virtual),
        _ => false,
    };
    has(|kind| matches!(kind, StatementKind::State { .. })) && !has(are_coordinates)
}
