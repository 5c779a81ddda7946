//! Checks that need no values: names that collide, statements that are missing or stated twice.

use super::message::Mistake;
use super::place::Place;
use super::report::Report;
use super::syntax::{Energy, Spec, StatementKind, plain};
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet};

/// Reports every collision and every gap.
pub(crate) fn check(spec: &Spec, report: &mut Report) {
    names(spec, report);
    statements(spec, report);
}

fn names(spec: &Spec, report: &mut Report) {
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
        let StatementKind::Coordinates(names) = &statement.kind else { continue };
        for ident in names {
            none = false;
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
    let mut lets = BTreeSet::new();
    for statement in &spec.statements {
        let StatementKind::Let { name: ident, .. } = &statement.kind else { continue };
        let name = plain(ident);
        if reserved(ident) {
            continue;
        }
        if fields.contains(&name) {
            mistakes.add(Mistake::LetIsField { name }, ident);
        } else if coordinates.contains(&name) {
            mistakes.add(Mistake::LetIsCoordinate { name }, ident);
        } else if !lets.insert(name.clone()) {
            mistakes.add(Mistake::DuplicateLet { name }, ident);
        }
    }
    if none {
        mistakes.add(Mistake::MissingCoordinates {}, &spec.item.item.ident);
    }
    report.append(mistakes);
}

fn statements(spec: &Spec, report: &mut Report) {
    let mut stated: BTreeMap<Energy, Place> = BTreeMap::new();
    for statement in &spec.statements {
        let StatementKind::Energy { energy, keyword, .. } = &statement.kind else { continue };
        let place = Place::from(keyword);
        if stated.insert(*energy, place).is_some() {
            report.add(Mistake::DuplicateStatement { keyword: energy.keyword().to_owned() }, place);
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
            None => report.add(Mistake::MissingLagrangian {}, &spec.item.item.ident),
        }
    }
}
