//! Mechanisms made of mechanisms: a block and the blocks of its parts as one block.
//!
//! [`Source`] has the tokens of a mechanism and of its parts, and [`spec`] makes one syntax tree of them. `exchange.rs` says how the tokens of a
//! part reach the expansion of the whole.

mod energies;
mod exchange;
mod include;
mod marker;
mod members;
mod open;
mod outside;
mod source;
mod walk;

pub(crate) use exchange::{Exchange, left_behind};
pub(crate) use marker::are_parts;
pub use open::check_alone;
pub use source::Source;

use crate::meaning::constants;
use crate::parse::{self, last_name};
use crate::report::{Mistake, Report};
use crate::syntax::{Expr, Field, Group, PartField, Spec, StatementKind, plain};
use energies::Energies;
use include::{Included, Part, include};
use outside::Outside;
use proc_macro2::{Ident, TokenStream};

/// Makes one block and one struct of a mechanism and all its parts.
///
/// # Errors
/// Every mistake of syntax in the block, and every mistake in how it states and uses its parts.
pub fn spec(source: &Source) -> Result<Spec, Report> {
    let mut spec = parse::parse(source.block.clone(), source.item.clone())?;
    let mut report = Report::new();
    let mut outside = Outside::default();
    let mut energies = Energies::default();
    let mut included = Vec::new();
    let mut of_parts = source.parts.iter();
    for statement in &spec.statements {
        let StatementKind::Part { name, length, path } = &statement.kind else { continue };
        if outside.parts.contains(&plain(name)) {
            of_parts.next();
            report.add(Mistake::DuplicateLet { name: plain(name) }, name);
            continue;
        }
        outside.parts.push(plain(name));
        let Some(field) = stated(&spec, name, length.as_ref(), path, &mut report) else {
            of_parts.next();
            continue;
        };
        let type_name = last_name(path).map(|name| plain(&name)).unwrap_or_default();
        let part_source = of_parts.next().and_then(Option::as_ref);
        let Some(part_source) = part_source else {
            report.add(Mistake::PartHasMistakes { name: plain(name), type_name }, name);
            continue;
        };
        // The mistakes of the part are reported at its definition, and then it has no tokens here.
        let inner = self::spec(part_source)?;
        let part = Part { name, field, type_name, documentation: &statement.documentation };
        included.push((part.field.clone(), include(&part, inner, &spec, &mut outside, &mut energies, &mut report)));
    }
    if source.parts.is_empty() {
        return report.propagate(spec);
    }
    outside.rename(&mut spec.statements);
    report.append(outside.report);
    std::mem::take(&mut report).propagate(())?;
    energies.add(&mut spec, &mut report);
    put(&mut spec, included);
    let units = outside.units;
    units.into_iter().for_each(|(name, unit)| open::give_unit(&mut spec.statements, &name, &unit, &mut report));
    report.propagate(spec)
}

/// Puts the parts in the places of their statements and of their fields.
fn put(spec: &mut Spec, included: Vec<(PartField, Included)>) {
    let mut statements = Vec::new();
    let mut fields: Vec<(usize, Vec<Field>)> = Vec::new();
    let mut included = included.into_iter();
    for statement in std::mem::take(&mut spec.statements) {
        if !matches!(statement.kind, StatementKind::Part { .. }) {
            statements.push(statement);
        } else if let Some((field, part)) = included.next() {
            let start = statements.len();
            statements.extend(part.statements);
            let moved = |group: Group| Group {
                statements: group.statements.start + start..group.statements.end + start,
                ..group
            };
            spec.groups.extend(part.groups.into_iter().map(moved));
            spec.given.extend(part.given);
            let order = spec.item.parts.iter().position(|other| other.ident == field.ident);
            fields.push((order.unwrap_or_default(), part.fields));
        }
    }
    spec.statements = statements;
    fields.sort_by_key(|(order, _)| *order);
    for (order, of_part) in fields.into_iter().rev() {
        let position = spec.item.parts[order].position;
        spec.item.fields.splice(position..position, of_part);
    }
}

/// The field of a part, if it is the one that the statement says.
fn stated(
    spec: &Spec,
    name: &Ident,
    length: Option<&Expr>,
    path: &TokenStream,
    report: &mut Report,
) -> Option<PartField> {
    let type_name = last_name(path)?;
    let form = match length {
        Some(length) => format!("[{type_name}; {length}]"),
        None => type_name.to_string(),
    };
    if type_name == spec.item.item.ident {
        report.add(Mistake::CircularPart { name: plain(name), type_name: plain(&type_name) }, name);
        return None;
    }
    let Some(field) = spec.item.parts.iter().find(|field| field.ident == *name) else {
        report.add(Mistake::PartWithoutField { name: plain(name), form }, name);
        return None;
    };
    // Mistakes in constants are reported when the whole block is read.
    let known = constants(spec, &mut Report::new());
    let length = length.map(|length| known.whole(length).ok().and_then(|length| usize::try_from(length).ok()));
    let is_same = field.type_name == type_name
        && match (length, field.length) {
            (None, None) => true,
            (Some(Some(stated)), Some(found)) => stated == found,
            _ => false,
        };
    if !is_same {
        let element = plain(&field.type_name);
        let found = field.length.map_or(element.clone(), |length| format!("[{element}; {length}]"));
        report.add(Mistake::PartFieldDiffers { name: plain(name), found, form }, name);
        return None;
    }
    Some(field.clone())
}
