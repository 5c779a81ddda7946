//! What the names of a block mean: constants, coordinates, fields, functions, definitions.

use super::exact::{IndexedElement, Known, element_name};
use super::order::{self, Definition};
use super::scope::{Binding, Scope};
use super::table::Stated;
use super::value::{Shape, Value};
use crate::graph::Id;
use crate::meaning::{Extern, Let, Named};
use crate::report::{Mistake, Report};
use crate::syntax::{CoordinateArray, Expr, ExprKind, Field, Spec, StatementKind, element, plain};
use proc_macro2::Ident;
use std::collections::BTreeSet;

/// The most coordinates of a block.
pub(super) const MOST_COORDINATES: usize = 1000;

/// The constants of the block.
pub(crate) fn constants(spec: &Spec, report: &mut Report) -> Known {
    // A constant with the name of a field or a coordinate is reported already, and left out.
    let mut taken: BTreeSet<String> = spec.item.fields.iter().map(|field| plain(&field.ident)).collect();
    for statement in &spec.statements {
        match &statement.kind {
            StatementKind::Coordinates(declared) => {
                taken.extend(declared.iter().map(|declared| plain(&declared.name)));
            }
            StatementKind::State { name, .. } | StatementKind::Mode { name, .. } => {
                taken.insert(plain(name));
            }
            _ => {}
        }
    }
    let mut waiting: Vec<(&Ident, &Expr)> = spec
        .statements
        .iter()
        .filter_map(|statement| match &statement.kind {
            StatementKind::Const { name, value } => Some((name, value)),
            _ => None,
        })
        .filter(|(name, _)| !taken.contains(&plain(name)))
        .collect();
    let names: BTreeSet<String> = waiting.iter().map(|(name, _)| plain(name)).collect();
    let mut known = Known::default();
    // Constants may be stated in any order: those that use no other constant are computed first, then those that use
    // them.
    while !waiting.is_empty() {
        let (ready, rest): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|(_, value)| !uses_any(value, &names, &known));
        for (name, value) in &ready {
            let value = known.rational(value).map_err(|fault| {
                if let Some(fault) = fault {
                    report.add(fault.0, fault.1);
                }
            });
            known.constants.entry(plain(name)).or_insert(value.ok());
        }
        if ready.is_empty() {
            let cycle: Vec<String> = rest.iter().map(|(name, _)| format!("`{}`", plain(name))).collect();
            report.add(Mistake::CyclicLet { cycle: cycle.join(", ") }, rest[0].0);
            known.constants.extend(rest.iter().map(|(name, _)| (plain(name), None)));
            return known;
        }
        waiting = rest;
    }
    known
}

/// Whether an expression uses one of the names whose values are not known yet.
fn uses_any(expr: &Expr, names: &BTreeSet<String>, known: &Known) -> bool {
    match &expr.kind {
        ExprKind::Name(name) => {
            let name = plain(name);
            names.contains(&name) && !known.constants.contains_key(&name)
        }
        _ => expr.parts().into_iter().any(|part| uses_any(part, names, known)),
    }
}

/// The names of all coordinates and virtual displacements as stated.
pub(crate) fn coordinate_idents(spec: &Spec) -> impl Iterator<Item = &Ident> {
    let declared = spec.statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Coordinates(declared) => Some(declared),
        _ => None,
    });
    declared.flatten().map(|declared| &declared.name)
}

/// Every coordinate, the elements of arrays one by one.
pub(crate) fn coordinates(spec: &Spec, known: &Known, report: &mut Report) -> Vec<Named> {
    declared(spec, known, report, false)
}

/// Every virtual displacement, the elements of arrays one by one.
pub(crate) fn virtuals(spec: &Spec, known: &Known, report: &mut Report) -> Vec<Named> {
    declared(spec, known, report, true)
}

fn declared(spec: &Spec, known: &Known, report: &mut Report, is_virtual: bool) -> Vec<Named> {
    let mut coordinates: Vec<Named> = Vec::new();
    let mut seen = BTreeSet::new();
    for statement in &spec.statements {
        let StatementKind::Coordinates(declared) = &statement.kind else { continue };
        for declared in declared.iter().filter(|declared| declared.is_virtual == is_virtual) {
            let name = plain(&declared.name);
            if !seen.insert(name.clone()) {
                continue;
            }
            let Some(lengths) = lengths(declared, known, report) else { continue };
            let size = lengths.iter().fold(1, |size: usize, length| size.saturating_mul(*length));
            if size.saturating_add(coordinates.len()) > MOST_COORDINATES {
                let before = coordinates.len();
                let mistake = Mistake::TooManyCoordinates { name, before, limit: MOST_COORDINATES };
                report.add(mistake, &declared.name);
                return coordinates;
            }
            for indices in all_indices(&lengths) {
                coordinates.push(Named {
                    name: element(&name, &indices),
                    ident: declared.name.clone(),
                    indices,
                    documentation: statement.documentation.clone(),
                    symbol: None,
                    range: declared.range,
                    number: None,
                });
            }
        }
    }
    coordinates
}

fn lengths(declared: &CoordinateArray, known: &Known, report: &mut Report) -> Option<Vec<usize>> {
    let mut lengths = Vec::new();
    for length in &declared.lengths {
        match known.whole(length) {
            Ok(whole) => match usize::try_from(whole).ok().filter(|whole| (1..=MOST_COORDINATES).contains(whole)) {
                Some(length) => lengths.push(length),
                None => {
                    let mistake = Mistake::LengthRange {
                        name: plain(&declared.name),
                        found: whole.to_string(),
                        limit: MOST_COORDINATES,
                    };
                    report.add(mistake, length.place);
                    return None;
                }
            },
            Err(fault) => {
                if let Some(fault) = fault {
                    report.add(fault.0, fault.1);
                }
                return None;
            }
        }
    }
    Some(lengths)
}

/// The numbers of a field, the elements of arrays one by one.
pub(crate) fn field_numbers(field: &Field) -> Vec<Named> {
    let name = plain(&field.ident);
    all_indices(&field.lengths)
        .into_iter()
        .map(|indices| Named {
            name: element(&name, &indices),
            ident: field.ident.clone(),
            indices,
            documentation: field.documentation.clone(),
            symbol: field.symbol.clone(),
            range: field.range,
            number: Some(field.number.clone()),
        })
        .collect()
}

/// Every combination of indices below the lengths, the last running fastest.
fn all_indices(lengths: &[usize]) -> Vec<Vec<usize>> {
    lengths.iter().fold(vec![Vec::new()], |all, length| {
        all.iter().flat_map(|indices| (0..*length).map(move |last| [&indices[..], &[last]].concat())).collect()
    })
}

/// Reads every definition once; later uses share its nodes.
pub(crate) fn definitions(spec: &Spec, scope: &mut Scope<'_>) -> Vec<Let> {
    let mut definitions: Vec<Definition<'_>> = Vec::new();
    let mut statements: Vec<usize> = Vec::new();
    let mut seen: BTreeSet<(String, Vec<i64>)> = BTreeSet::new();
    for (position, statement) in spec.statements.iter().enumerate() {
        let StatementKind::Let { name, indices, value, .. } = &statement.kind else { continue };
        let elements = match scope.known.elements(indices) {
            Ok(elements) => elements,
            Err(fault) => {
                scope.fault(fault);
                scope.bind(plain(name), Binding::Value(None));
                continue;
            }
        };
        for IndexedElement { indices, locals } in elements {
            let is_new = seen.insert((plain(name), indices.clone()));
            if !is_new {
                if !indices.is_empty() {
                    let name_text = element_name(&plain(name), &indices);
                    scope.report.add(Mistake::DuplicateLet { name: name_text }, name);
                    break;
                }
                continue;
            }
            definitions.push(Definition { name, indices, locals, value });
            statements.push(position);
        }
    }
    let is_shape: Vec<bool> = definitions.iter().map(|definition| scope.is_shape(definition.value)).collect();
    let quantities = definitions.iter().zip(&is_shape).filter(|(_, is_shape)| !**is_shape);
    for (definition, _) in quantities.filter(|(definition, _)| !definition.indices.is_empty()) {
        scope.declare_element(plain(definition.name), definition.indices.clone());
    }
    missing(spec, &seen, scope);
    let mut values: Vec<Option<Value>> = vec![None; definitions.len()];
    let order = order::in_order(&definitions, &scope.known, &mut scope.report);
    // Definitions that are left out of the order are reported already. Their uses are not reported again.
    let ordered: BTreeSet<usize> = order.iter().copied().collect();
    for (index, definition) in definitions.iter().enumerate() {
        if !ordered.contains(&index) && is_shape[index] {
            scope.bind_shape(definition, None);
        } else if !ordered.contains(&index) {
            scope.bind_element(plain(definition.name), definition.indices.clone(), None);
        }
    }
    // If one element of a statement fails, the others are not read.
    let mut failed: BTreeSet<usize> = BTreeSet::new();
    for index in order {
        let definition = &definitions[index];
        if is_shape[index] {
            let shape = scope.defined_shape(definition);
            scope.bind_shape(definition, shape);
            continue;
        }
        let value = if failed.contains(&statements[index]) {
            None
        } else {
            let value = scope.with_indices(&definition.locals, |scope| number(scope, definition));
            value.and_then(|value| in_shape(spec, definition, value, scope))
        };
        if value.is_none() {
            failed.insert(statements[index]);
        }
        let bound = component_of(spec, definition).unwrap_or(&definition.indices);
        scope.bind_element(plain(definition.name), bound.to_vec(), value.clone());
        values[index] = value;
    }
    definitions
        .iter()
        .zip(values)
        .zip(statements)
        .filter_map(|((definition, value), position)| {
            let value = value?;
            Some(Let {
                name: definition.text(),
                ident: definition.name.clone(),
                indices: definition.indices.clone(),
                shape: value.shape,
                values: value.entries,
                documentation: spec.statements[position].documentation.clone(),
            })
        })
        .collect()
}

/// Reports the elements that a block leaves open in quantities that it gives to an array of parts.
fn missing(spec: &Spec, seen: &BTreeSet<(String, Vec<i64>)>, scope: &mut Scope<'_>) {
    for given in &spec.given {
        let name = plain(&given.name);
        // A quantity without any definition is reported already, and one that is stated by components where these stand.
        let mut stated = seen.iter().filter(|(other, _)| *other == name).peekable();
        if stated.peek().is_none() || stated.any(|(_, indices)| indices.len() > given.parts.len()) {
            continue;
        }
        let all = all_indices(&given.parts).into_iter();
        let all = all.map(|indices| indices.into_iter().map(|index| index as i64).collect::<Vec<_>>());
        let mut is_first = true;
        for indices in all.filter(|indices| !seen.contains(&(name.clone(), indices.clone()))) {
            let quantity = element_name(&name, &indices);
            let mistake = Mistake::GivenWithoutValue {
                quantity: quantity.clone(),
                type_name: given.type_name.clone(),
                form: quantity,
            };
            if std::mem::take(&mut is_first) {
                scope.report.add(mistake, given.place);
            }
            scope.bind_element(name.clone(), indices, None);
        }
    }
}

/// The indices of the quantity of a part of which a definition states a component, which is a mistake.
fn component_of<'d>(spec: &Spec, definition: &'d Definition<'_>) -> Option<&'d [i64]> {
    let name = plain(definition.name);
    let given = spec.given.iter().find(|given| plain(&given.name) == name)?;
    (definition.indices.len() > given.parts.len()).then(|| &definition.indices[..given.parts.len()])
}

/// The value of a definition, if it has the shape that a part states for it.
fn in_shape(spec: &Spec, definition: &Definition<'_>, value: Value, scope: &mut Scope<'_>) -> Option<Value> {
    let name = plain(definition.name);
    let Some(given) = spec.given.iter().find(|given| plain(&given.name) == name) else { return Some(value) };
    let expected = match given.lengths[..] {
        [] => Shape::Scalar,
        [length] => Shape::Vector(length),
        [rows, columns] => Shape::Matrix(rows, columns),
        // The part itself has a mistake, which is reported where it is defined.
        _ => return Some(value),
    };
    let (quantity, found, help) = match component_of(spec, definition) {
        Some(indices) => {
            let whole = element_name(&name, indices);
            let help = format!("state it whole: `let {whole} = …;`");
            (whole, "a component".to_owned(), help)
        }
        None if value.shape == expected => return Some(value),
        None => (definition.text(), value.shape.to_string(), String::new()),
    };
    let mistake = Mistake::GivenShape { quantity, expected: expected.to_string(), found, help };
    scope.report.add(mistake, definition.value.place);
    None
}

/// The value of a definition. It must consist of numbers.
fn number(scope: &mut Scope<'_>, definition: &Definition<'_>) -> Option<Value> {
    let value = scope.value(definition.value)?;
    if value.shape == Shape::Condition {
        let what = format!("`let {}`", definition.text());
        let help = format!("write it where it decides: `if {} {{ a }} else {{ b }}`", definition.value);
        let mistake = Mistake::ScalarNeeded { what, found: value.shape.to_string(), help };
        scope.report.add(mistake, definition.value.place);
        return None;
    }
    Some(value)
}

/// Declares the functions of the block. Calls `assume` with the conditions on parameters that the tables need.
pub(crate) fn functions(spec: &Spec, scope: &mut Scope<'_>, assume: &mut dyn FnMut(&str, Id, Id)) -> Vec<Extern> {
    let mut externs = Vec::new();
    for statement in &spec.statements {
        let (name, declared) = match &statement.kind {
            StatementKind::Extern(function) => (plain(&function.name), scope.declare_extern(function, &mut externs)),
            StatementKind::Table { name, arguments, knots, values, interpolation, slopes, .. } => {
                let text = plain(name);
                let (interpolation, slopes) = (*interpolation, slopes.as_ref());
                let stated = Stated { arguments, knots, values, interpolation, slopes };
                let declared = scope.declare_table(name, &stated, &mut |upper, lower| assume(&text, upper, lower));
                (text, declared)
            }
            _ => continue,
        };
        scope.functions.entry(name).or_insert(declared);
    }
    externs
}
