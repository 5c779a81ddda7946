//! The units of names: fields, coordinates, states, constants, functions and definitions.

use super::checker::{Checker, Named, Signature};
use super::conflict::Why;
use super::linear::Linear;
use super::quantity::Quantity;
use super::symbol;
use super::unit::Unit;
use crate::graph::Rational;
use crate::meaning::Known;
use crate::syntax::{Expr, ExprKind, FunctionUnits, Indexing, Measured, Spec, StatedUnit, StatementKind, Unary, plain};
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet};

/// The most elements of an array that have a unit each.
const MOST_ELEMENTS: usize = 256;

impl<'s> Checker<'s> {
    /// The units of everything but definitions.
    pub(super) fn declare(&mut self) {
        self.measured();
        let spec: &'s Spec = self.spec;
        let shared = read_by_variable(spec, self.known);
        for field in &spec.item.fields {
            let name = plain(&field.ident);
            let quantity = self.declared(&name, field.unit.as_ref(), &field.lengths, &shared);
            self.names.insert(name, quantity);
        }
        for (index, statement) in spec.statements.iter().enumerate() {
            self.statement = index;
            match &statement.kind {
                StatementKind::Coordinates(declared) => {
                    for declared in declared {
                        let name = plain(&declared.name);
                        let length = |length| self.known.whole(length).ok().and_then(|l| usize::try_from(l).ok());
                        let lengths: Option<Vec<usize>> = declared.lengths.iter().map(length).collect();
                        let lengths = lengths.unwrap_or_default();
                        let quantity = self.declared(&name, declared.unit.as_ref(), &lengths, &shared);
                        self.names.insert(name, quantity);
                    }
                }
                StatementKind::State { name, .. } if !self.names.contains_key(&plain(name)) => {
                    let quantity = self.state(name, shared.contains(&plain(name)));
                    self.names.insert(plain(name), quantity);
                }
                StatementKind::Mode { name, indices, .. } => {
                    // The elements of an array of modes may have several units.
                    let quantity = match indices.is_empty() {
                        true => Quantity::scalar(self.equations.unknown()),
                        false => Quantity::Unknown,
                    };
                    self.names.insert(plain(name), quantity);
                }
                StatementKind::Const { name, value } => {
                    let quantity = self.value(value);
                    self.names.insert(plain(name), quantity);
                }
                _ => {}
            }
        }
        for (index, statement) in spec.statements.iter().enumerate() {
            self.statement = index;
            self.function(&statement.kind);
        }
    }

    /// The units of the time and of energies. Where they are not stated the time is in seconds, and an energy has its dimension and a
    /// scale that follows from the block.
    fn measured(&mut self) {
        let spec: &'s Spec = self.spec;
        let stated = |measured: Measured| {
            let all = spec.statements.iter().filter_map(|statement| match &statement.kind {
                StatementKind::Units(stated) => Some(stated),
                _ => None,
            });
            let unit = all.flatten().find(|(of, _)| *of == measured).map(|(_, unit)| unit)?;
            symbol::read(unit).ok()
        };
        let freed = self.freed.stated.clone();
        let is_freed = |measured: Measured| freed == Some(Named::Measured(measured));
        self.time = match is_freed(Measured::Time) {
            true => self.equations.unknown(),
            false => Linear::known(stated(Measured::Time).unwrap_or_else(Unit::second)),
        };
        self.energy = match stated(Measured::Energy) {
            _ if is_freed(Measured::Energy) => self.equations.unknown(),
            Some(unit) => Linear::known(unit),
            None => {
                let scale = self.equations.unknown_scale();
                scale.times(&Linear::known(Unit::joule()), &Rational::ONE)
            }
        };
    }

    /// The units of a field or of coordinates. The elements of an array have one unit if it is stated, and also if an index that is no
    /// number reads them.
    fn declared(
        &mut self,
        name: &str,
        unit: Option<&StatedUnit>,
        lengths: &[usize],
        shared: &BTreeSet<String>,
    ) -> Quantity {
        let is_freed = matches!(&self.freed.stated, Some(Named::Name(freed)) if freed == name);
        let known = unit.filter(|_| !is_freed).and_then(|stated| symbol::read(stated).ok());
        if let Some(unit) = known {
            return Quantity::Same(Linear::known(unit), lengths.len());
        }
        if unit.is_some() || shared.contains(name) || lengths.iter().product::<usize>() > MOST_ELEMENTS {
            return Quantity::Same(self.equations.unknown(), lengths.len());
        }
        self.each(lengths)
    }

    /// The units of a state, of which all statements are read. Elements that are stated one by one have a unit each.
    fn state(&mut self, of: &Ident, is_shared: bool) -> Quantity {
        let spec: &'s Spec = self.spec;
        let mut rank = 0;
        let mut elements: Vec<(Option<i64>, Option<Unit>)> = Vec::new();
        for statement in &spec.statements {
            let StatementKind::State { name, indices, unit, .. } = &statement.kind else { continue };
            if plain(name) != plain(of) {
                continue;
            }
            rank = indices.len();
            let index = match indices.as_slice() {
                [Indexing::Element(index)] => self.known.whole(index).ok(),
                _ => None,
            };
            elements.push((index, unit.as_ref().and_then(|stated| symbol::read(stated).ok())));
        }
        elements.sort_by_key(|(index, _)| *index);
        let is_numbered = elements.iter().zip(0..).all(|((index, _), number)| *index == Some(number));
        if is_numbered && !is_shared {
            let each =
                elements.into_iter().map(|(_, unit)| unit.map_or_else(|| self.equations.unknown(), Linear::known));
            return Quantity::Each(each.map(Quantity::scalar).collect());
        }
        let stated: Vec<Unit> = elements.into_iter().filter_map(|(_, unit)| unit).collect();
        match stated.as_slice() {
            [] => Quantity::Same(self.equations.unknown(), rank),
            [first, others @ ..] if others.iter().all(|other| other == first) => {
                Quantity::Same(Linear::known(first.clone()), rank)
            }
            _ => Quantity::Unknown,
        }
    }

    /// An unknown unit for each element.
    fn each(&mut self, lengths: &[usize]) -> Quantity {
        match lengths {
            [] => Quantity::scalar(self.equations.unknown()),
            [length, inner @ ..] => Quantity::Each((0..*length).map(|_| self.each(inner)).collect()),
        }
    }

    /// The units of a table or of an outside function.
    fn function(&mut self, kind: &'s StatementKind) {
        match kind {
            StatementKind::Extern(function) => {
                let signature = self.signature(&function.units, function.arguments.len());
                self.functions.insert(plain(&function.name), signature);
            }
            StatementKind::Table { name, arguments, knots, values, slopes, units, .. } => {
                let signature = self.signature(units, arguments.len());
                for (knots, unit) in knots.iter().zip(&signature.arguments) {
                    self.entries(knots, unit, name);
                }
                self.entries(values, &signature.value, name);
                if let (Some(slopes), Some(argument)) = (slopes, signature.arguments.first()) {
                    let slope = signature.value.times(argument, &-Rational::ONE);
                    self.entries(slopes, &slope, name);
                }
                self.functions.insert(plain(name), signature);
            }
            _ => {}
        }
    }

    fn signature(&mut self, units: &FunctionUnits, arguments: usize) -> Signature {
        let mut unit = |stated: Option<&StatedUnit>| {
            let known = stated.and_then(|stated| symbol::read(stated).ok());
            known.map_or_else(|| self.equations.unknown(), Linear::known)
        };
        let stated = (0..arguments).map(|index| units.arguments.get(index).and_then(Option::as_ref));
        Signature { arguments: stated.map(&mut unit).collect(), value: unit(units.value.as_ref()) }
    }

    /// The knots or values of a table. Numbers without a unit have that of the table.
    fn entries(&mut self, expr: &'s Expr, unit: &Linear, table: &'s Ident) {
        match &expr.kind {
            ExprKind::Vector(elements) => elements.iter().for_each(|element| self.entries(element, unit, table)),
            _ if is_plain_number(expr) => {}
            _ => {
                let found = self.value(expr);
                self.needs(expr, &found, unit, Why::Declared(table));
            }
        }
    }

    /// The units of all definitions, each behind those that it names.
    pub(super) fn definitions(&mut self) {
        let spec: &'s Spec = self.spec;
        for index in in_order(spec) {
            let statement = &spec.statements[index];
            let StatementKind::Let { name, indices, unit, value } = &statement.kind else { continue };
            self.statement = index;
            let before = self.locals.len();
            self.locals.extend(variables(&statement.kind).map(|variable| (plain(variable), Quantity::number())));
            let quantity = self.stated(name, unit.as_ref(), value);
            self.locals.truncate(before);
            if indices.is_empty() {
                self.names.entry(plain(name)).or_insert(quantity);
                continue;
            }
            let element = |index: &Indexing| match index {
                Indexing::Element(expr) => self.known.whole(expr).ok(),
                Indexing::Range(_) => None,
            };
            let single: Option<Vec<i64>> = indices.iter().map(element).collect();
            let elements = self.elements.entry(plain(name)).or_default();
            elements.rank = indices.len();
            match single {
                Some(single) => _ = elements.single.insert(single, quantity),
                None if elements.ranged.as_ref().is_none_or(|ranged| *ranged == quantity) => {
                    elements.ranged = Some(quantity);
                }
                None => elements.ranged = Some(Quantity::Unknown),
            }
        }
    }
}

/// The variables of the ranges of a statement.
pub(super) fn variables(kind: &StatementKind) -> impl Iterator<Item = &Ident> {
    kind.indexing().iter().filter_map(|index| match index {
        Indexing::Range(range) => Some(&range.variable),
        Indexing::Element(_) => None,
    })
}

fn is_plain_number(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_) => expr.unit.is_none(),
        ExprKind::Unary(Unary::Negate, operand) => is_plain_number(operand),
        ExprKind::Binary(_, left, right) => is_plain_number(left) && is_plain_number(right),
        _ => false,
    }
}

/// The arrays whose elements are read by an index that is no number.
fn read_by_variable(spec: &Spec, known: &Known) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for expr in spec.statements.iter().flat_map(|statement| statement.kind.expressions()) {
        expr.walk(&mut |part| {
            let ExprKind::Index { of, indices } = &part.kind else { return };
            if indices.iter().all(|index| known.whole(index).is_ok()) {
                return;
            }
            let mut base = of;
            while let ExprKind::Index { of, .. } = &base.kind {
                base = of;
            }
            if let ExprKind::Name(name) = &base.kind {
                names.insert(plain(name));
            }
        });
    }
    names
}

/// The indices of the `let` statements, each behind those whose names it contains. An array may name itself.
fn in_order(spec: &Spec) -> Vec<usize> {
    let mut named: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, statement) in spec.statements.iter().enumerate() {
        if let StatementKind::Let { name, .. } = &statement.kind {
            named.entry(plain(name)).or_default().push(index);
        }
    }
    let needs = |index: usize| {
        let mut found = Vec::new();
        for expr in spec.statements[index].kind.expressions() {
            expr.walk(&mut |part| {
                if let ExprKind::Name(name) = &part.kind {
                    found.extend(named.get(&plain(name)).into_iter().flatten().copied());
                }
            });
        }
        found
    };
    // The statements that stand for single elements come before those of ranges, which may build on them.
    let is_ranged = |index: &usize| variables(&spec.statements[*index].kind).next().is_some();
    let mut roots: Vec<usize> = named.values().flatten().copied().collect();
    roots.sort_unstable_by_key(|index| (is_ranged(index), *index));
    let (mut order, mut seen) = (Vec::new(), BTreeSet::new());
    for root in roots {
        let mut open = vec![(root, false)];
        while let Some((index, is_done)) = open.pop() {
            if is_done {
                order.push(index);
            } else if seen.insert(index) {
                open.push((index, true));
                open.extend(needs(index).into_iter().map(|next| (next, false)));
            }
        }
    }
    order
}
