//! A part within the whole: its statements and fields with the names that they have there.

use super::energies::Energies;
use super::members::Members;
use super::outside::Outside;
use super::walk::{Names, Walk, defined, indexing};
use crate::graph::Rational;
use crate::meaning::constants;
use crate::report::{Mistake, Place, Report};
use crate::syntax::{
    CoordinateArray, Energy, Expr, ExprKind, Field, GivenQuantity, Group, Indexing, Measured, NumberType, PartField,
    Range, Spec, Statement, StatementKind, joined, joined_elements, plain,
};
use proc_macro2::Ident;

/// A part, as the whole states it.
pub(super) struct Part<'s> {
    pub(super) name: &'s Ident,
    pub(super) field: PartField,
    /// The name of its struct.
    pub(super) type_name: String,
    /// The doc comment of its statement.
    pub(super) documentation: &'s str,
}

/// What a part brings into the whole.
#[derive(Debug, Default)]
pub(super) struct Included {
    pub(super) fields: Vec<Field>,
    pub(super) statements: Vec<Statement>,
    pub(super) given: Vec<GivenQuantity>,
    pub(super) groups: Vec<Group>,
}

impl Part<'_> {
    /// The place of its name in the whole.
    fn place(&self) -> Place {
        self.name.into()
    }

    /// The name of a quantity that each part has on its own.
    pub(super) fn own(&self, name: &Ident) -> Ident {
        match self.field.length {
            Some(_) => joined_elements(self.name, name),
            None => joined(self.name, name),
        }
    }

    /// What the names of its own quantities begin with: `left.`, or `link[].` for an array of parts.
    fn prefix(&self) -> String {
        plain(self.name) + if self.field.length.is_some() { "[]." } else { "." }
    }

    fn number(&self, number: usize) -> Expr {
        Expr::new(ExprKind::Number(Rational::from(number)), self.place())
    }

    /// The variable that numbers the parts of an array. No part has its name, which contains a keyword.
    fn variable(&self) -> Option<Ident> {
        self.field.length.map(|_| Ident::new(&format!("in·{}", plain(self.name)), self.name.span()))
    }

    /// The range of all parts of an array.
    fn range(&self) -> Option<Range> {
        let variable = self.variable()?;
        Some(Range { variable, from: self.number(0), to: self.number(self.field.length?) })
    }
}

/// The names of a part within the whole.
struct Inside<'p> {
    part: &'p Part<'p>,
    members: &'p Members,
    /// The index of the part in its array.
    index: Option<Expr>,
    /// Whether a quantity that each part has on its own was met.
    met_own: bool,
}

impl Names for Inside<'_> {
    fn quantity(&mut self, name: &Ident, indices: Vec<Expr>, whole: &Expr) -> Option<Expr> {
        let text = plain(name);
        let (name, index) = if self.members.own.contains(&text) {
            self.met_own = true;
            (self.part.own(name), self.index.clone())
        } else if self.members.shared.contains(&text) {
            (joined(self.part.name, name), None)
        } else {
            return None;
        };
        Some(element(name, index.into_iter().chain(indices).collect(), whole.place))
    }

    fn function(&mut self, name: &Ident) -> Option<Ident> {
        self.members.functions.contains(&plain(name)).then(|| joined(self.part.name, name))
    }

    fn variable(&mut self, name: &Ident) -> Option<Ident> {
        // Behind the name of the part it differs from every name of the whole.
        Some(joined(self.part.name, name))
    }
}

/// A name with its indices.
pub(super) fn element(name: Ident, indices: Vec<Expr>, place: Place) -> Expr {
    let name = Expr::new(ExprKind::Name(name), place);
    match indices.is_empty() {
        true => name,
        false => Expr::new(ExprKind::Index { of: Box::new(name), indices }, place),
    }
}

/// A part within the whole. Its energies are added to `energies`, and its names to `outside`.
pub(super) fn include(
    part: &Part<'_>,
    mut inner: Spec,
    whole: &Spec,
    outside: &mut Outside,
    energies: &mut Energies,
    report: &mut Report,
) -> Included {
    same_units(part, &inner, whole, report);
    let members = Members::of(&inner);
    let named = members.named_energies(&inner);
    outside.learn(part, &members, &named);
    outside.open(part, &members, &constants(&inner, &mut Report::new()), whole);
    let mut included = Included::default();
    for mut field in std::mem::take(&mut inner.item.fields) {
        field.ident = part.own(&field.ident);
        field.lengths.splice(0..0, part.field.length);
        if let NumberType::Generic(_) = field.number {
            match &part.field.number {
                Some(number) => field.number = number.clone(),
                None => {
                    let name = plain(part.name);
                    let (found, form) = (part.type_name.clone(), format!("{}<R>", part.type_name));
                    report.add(Mistake::PartFieldDiffers { name, found, form }, part.name);
                    return included;
                }
            }
        }
        included.fields.push(field);
    }
    let within = |given: GivenQuantity| GivenQuantity {
        name: part.own(&given.name),
        parts: part.field.length.into_iter().chain(given.parts).collect(),
        ..given
    };
    included.given = inner.given.into_iter().map(within).collect();
    included.given.append(&mut outside.given);
    let index = part.variable().map(|variable| Expr::new(ExprKind::Name(variable), part.place()));
    let mut names = Inside { part, members: &members, index, met_own: false };
    let mut starts = Vec::new();
    for statement in inner.statements {
        starts.push(included.statements.len());
        state(statement, &mut names, &named, &mut included.statements, energies, report);
    }
    let end = included.statements.len();
    let own = (plain(part.name), part.field.length);
    let start_of = |index: usize| starts.get(index).copied().unwrap_or(end);
    let within = |group: Group| Group {
        path: std::iter::once(own.clone()).chain(group.path).collect(),
        type_name: group.type_name,
        statements: start_of(group.statements.start)..start_of(group.statements.end),
    };
    let all = Group { path: vec![own.clone()], type_name: part.type_name.clone(), statements: 0..end };
    included.groups = std::iter::once(all).chain(inner.groups.into_iter().map(within)).collect();
    included
}

/// A statement of a part as statements of the whole.
fn state(
    mut statement: Statement,
    names: &mut Inside<'_>,
    named: &std::collections::BTreeSet<Energy>,
    out: &mut Vec<Statement>,
    energies: &mut Energies,
    report: &mut Report,
) {
    let part = names.part;
    if statement.documentation.is_empty() && matches!(statement.kind, StatementKind::Coordinates(_)) {
        part.documentation.clone_into(&mut statement.documentation);
    }
    match &statement.kind {
        // They are the whole's, or hold for the part alone.
        StatementKind::Verify { .. }
        | StatementKind::Invariant { .. }
        | StatementKind::Symmetry { .. }
        | StatementKind::Crate(_)
        | StatementKind::MaxOperations(_)
        | StatementKind::Units(_)
        | StatementKind::MayBePart
        | StatementKind::Part { .. }
        | StatementKind::Given(_) => return,
        StatementKind::Assume(Expr { kind: ExprKind::Name(name), .. }) if name == "regular" => return,
        StatementKind::Assume(_) if part.field.length.is_some() => return assume_each(&statement, names, out),
        _ => {}
    }
    names.met_own = false;
    Walk::new(names).statement(&mut statement.kind);
    if let StatementKind::Energy { energy, value, .. } = statement.kind {
        let term = energy_of(part, energy, value, named.contains(&energy), statement.place, out);
        return energies.push(energy, term);
    }
    match &mut statement.kind {
        StatementKind::Coordinates(declared) => {
            for CoordinateArray { name, lengths, .. } in declared {
                *name = part.own(name);
                lengths.splice(0..0, part.field.length.map(|length| part.number(length)));
            }
        }
        StatementKind::Const { name, .. } => *name = joined(part.name, name),
        StatementKind::Extern(function) => function.name = joined(part.name, &function.name),
        StatementKind::Table { name, .. } => {
            if names.met_own && part.field.length.is_some() {
                report.add(Mistake::TableOfParts { table: plain(name), part: plain(part.name) }, &*name);
            }
            *name = joined(part.name, name);
        }
        StatementKind::Allow { part: within, .. } => within.insert_str(0, &part.prefix()),
        _ => {}
    }
    if let Some(name) = defined(&mut statement.kind) {
        *name = part.own(name);
    }
    if let (Some(indices), Some(range)) = (indexing(&mut statement.kind), part.range()) {
        indices.insert(0, Indexing::Range(range));
    }
    out.push(statement);
}

/// An assumption, for each part of an array.
fn assume_each(statement: &Statement, names: &mut Inside<'_>, out: &mut Vec<Statement>) {
    let variable = names.index.take();
    for index in 0..names.part.field.length.unwrap_or(1) {
        names.index = Some(names.part.number(index));
        let mut statement = statement.clone();
        Walk::new(names).statement(&mut statement.kind);
        out.push(statement);
    }
    names.index = variable;
}

/// The energy of a part as a term of the whole's. If it can be named, a definition is added to `out`.
fn energy_of(
    part: &Part<'_>,
    energy: Energy,
    value: Expr,
    is_named: bool,
    place: Place,
    out: &mut Vec<Statement>,
) -> Expr {
    let range = part.range();
    let mut term = value;
    if is_named {
        let name = part.own(&Ident::new(energy.keyword(), part.name.span()));
        let index = part.variable().map(|variable| Expr::new(ExprKind::Name(variable), part.place()));
        let indices = range.clone().map(Indexing::Range).into_iter().collect();
        let kind = StatementKind::Let { name: name.clone(), indices, unit: None, value: term };
        out.push(Statement { kind, documentation: String::new(), place });
        term = element(name, index.into_iter().collect(), place);
    }
    match range {
        Some(range) => Expr::new(ExprKind::Sum { range: Box::new(range), term: Box::new(term) }, place),
        None => term,
    }
}

/// Reports units of the time and of energies that differ from those of the whole.
fn same_units(part: &Part<'_>, inner: &Spec, whole: &Spec, report: &mut Report) {
    let stated = |spec: &Spec, of: Measured| {
        let all = spec.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Units(units) => Some(units),
            _ => None,
        });
        all.flatten().find(|(measured, _)| *measured == of).map(|(_, unit)| unit.text.clone())
    };
    let has_units = inner.item.fields.iter().any(|field| field.unit.is_some());
    for measured in Measured::ALL {
        let (found, expected) = (stated(inner, measured), stated(whole, measured));
        // The time is in seconds where nothing is stated. The scale of energies follows from the other units.
        let (found, expected) = match measured {
            Measured::Time if found.is_none() && !has_units => continue,
            Measured::Time => (found.unwrap_or_else(|| "s".to_owned()), expected.unwrap_or_else(|| "s".to_owned())),
            Measured::Energy => match found {
                Some(found) => (found, expected.unwrap_or_else(|| "no stated unit".to_owned())),
                None => continue,
            },
        };
        if found != expected {
            let (name, measured) = (plain(part.name), measured.word().to_owned());
            report.add(Mistake::PartUnits { part: name, measured, found, expected }, part.name);
        }
    }
}
