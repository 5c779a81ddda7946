//! States: quantities z with an equation ż = f(t, q, v, z, u) of first order. Modes, whose rates are 0, are the last of them.
//!
//! A state is the velocity of a hidden coordinate without physical meaning. The hidden coordinates follow those of the
//! block. No expression contains them.

use super::define::{self, MOST_COORDINATES};
use super::elaborate::sides;
use super::exact::{IndexedElement, element_name};
use super::restrict;
use super::scope::Scope;
use crate::graph::Symbol;
use crate::meaning::Named;
use crate::physics::State;
use crate::report::Mistake;
use crate::syntax::{Expr, Spec, StatementKind, When, plain};
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet};

/// An element of a `state` or `mode` statement before its equation or its changes are read.
pub(super) struct Stated<'s> {
    pub(super) law: Law<'s>,
    pub(super) element: IndexedElement,
    pub(super) named: Named,
}

/// What a statement says of a state.
#[derive(Clone, Copy)]
pub(super) enum Law<'s> {
    /// The two sides of its equation.
    Rate(&'s Expr, &'s Expr),
    /// The changes of a mode.
    Changes(&'s [When]),
}

impl Law<'_> {
    fn is_mode(self) -> bool {
        matches!(self, Self::Changes(_))
    }

    fn noun(self) -> &'static str {
        if self.is_mode() { "mode" } else { "state" }
    }
}

/// The states and, behind them, the modes, with the number of the states. The elements of an array follow each other, in the order of their
/// indices.
pub(super) fn stated<'s>(spec: &'s Spec, scope: &mut Scope<'_>, coordinates: usize) -> (Vec<Stated<'s>>, usize) {
    let (modes, mut states): (Vec<_>, Vec<_>) =
        elements(spec, scope, coordinates).into_iter().partition(|stated| stated.law.is_mode());
    let count = states.len();
    states.extend(modes);
    (states, count)
}

/// The elements of all `state` and `mode` statements, in their order.
fn elements<'s>(spec: &'s Spec, scope: &mut Scope<'_>, coordinates: usize) -> Vec<Stated<'s>> {
    let mut order: Vec<String> = Vec::new();
    let mut arrays: BTreeMap<String, BTreeMap<Vec<i64>, Stated<'s>>> = BTreeMap::new();
    let mut idents: BTreeMap<String, &Ident> = BTreeMap::new();
    let mut count = coordinates;
    // Names that are taken are reported already.
    let fields = spec.item.fields.iter().map(|field| &field.ident);
    let taken: BTreeSet<String> = define::coordinate_idents(spec).chain(fields).map(plain).collect();
    for statement in &spec.statements {
        let (name, indices, law) = match &statement.kind {
            StatementKind::State { name, indices, left, right, .. } => (name, indices, Law::Rate(left, right)),
            StatementKind::Mode { name, indices, changes } => (name, indices, Law::Changes(changes)),
            _ => continue,
        };
        let text = plain(name);
        if taken.contains(&text) || text == "t" || text == "pi" {
            continue;
        }
        let stated = arrays.get(&text).and_then(|array| array.values().next());
        if stated.is_some_and(|stated| stated.law.is_mode() != law.is_mode()) {
            continue;
        }
        let elements = match scope.known.elements(indices) {
            Ok(elements) => elements,
            Err(fault) => {
                scope.fault(fault);
                continue;
            }
        };
        if count + elements.len() > MOST_COORDINATES {
            let mistake = Mistake::TooManyCoordinates { name: text, before: count, limit: MOST_COORDINATES };
            scope.report.add(mistake, name);
            break;
        }
        if !arrays.contains_key(&text) {
            order.push(text.clone());
            idents.insert(text.clone(), name);
        }
        let array = arrays.entry(text.clone()).or_default();
        for element in elements {
            let named = Named {
                name: element_name(&text, &element.indices),
                ident: name.clone(),
                indices: element.indices.iter().filter_map(|&index| usize::try_from(index).ok()).collect(),
                documentation: statement.documentation.clone(),
                symbol: None,
                range: None,
                number: None,
            };
            let stated = Stated { law, named, element };
            let repeated = stated.named.name.clone();
            if array.insert(stated.element.indices.clone(), stated).is_some() {
                scope.report.add(repeated_statement(law, repeated), name);
                break;
            }
            count += 1;
        }
    }
    let mut all = Vec::new();
    for name in order {
        let Some(array) = arrays.remove(&name) else { continue };
        if is_array(&array.keys().map(Vec::as_slice).collect::<Vec<_>>()) {
            all.extend(array.into_values());
        } else if let (Some(ident), Some(first)) = (idents.get(&name), array.values().next()) {
            scope.report.add(Mistake::StateElements { what: first.law.noun().to_owned(), name }, *ident);
        }
    }
    all
}

/// The mistake of stating an element a second time.
fn repeated_statement(law: Law<'_>, name: String) -> Mistake {
    if law.is_mode() { Mistake::DuplicateMode { name } } else { Mistake::DuplicateState { name } }
}

/// Whether sorted indices are all those of an array: from 0 on, with equal lengths.
fn is_array(indices: &[&[i64]]) -> bool {
    let rank = indices.first().map_or(0, |first| first.len());
    if indices.iter().any(|index| index.len() != rank || index.iter().any(|&i| i < 0)) {
        return false;
    }
    let lengths = (0..rank).map(|axis| indices.iter().map(|index| index[axis] as usize + 1).max().unwrap_or(0));
    // The indices are distinct, so that there are as many as the array has elements only if none is missing.
    lengths.fold(1, usize::saturating_mul) == indices.len()
}

/// The names of the states and modes as stated.
pub(super) fn idents(spec: &Spec) -> impl Iterator<Item = &Ident> {
    spec.statements.iter().filter_map(|statement| match &statement.kind {
        StatementKind::State { name, .. } | StatementKind::Mode { name, .. } => Some(name),
        _ => None,
    })
}

/// Reads the equations of the states; the rate of a mode is 0. `first` is the index of the first hidden coordinate.
pub(super) fn equations(stated: &[Stated<'_>], scope: &mut Scope<'_>, first: usize) -> Vec<State> {
    let mut states = Vec::new();
    let mut failed: Option<&Ident> = None;
    for (index, state) in (first as u32..).zip(stated) {
        // If one element fails, the others of its array are not read.
        if failed == Some(&state.named.ident) {
            continue;
        }
        let Law::Rate(left, right) = state.law else {
            states.push(State { name: String::new(), rate: scope.graph.zero(), guard: None, inertia: None });
            continue;
        };
        let own = Symbol::Acceleration(index);
        let rate = scope.with_indices(&state.element.locals, |scope| {
            let own = scope.graph.symbol(own);
            let (left_value, right_value) = sides(scope, "a state", (left, right))?;
            if left_value.as_scalar() != Some(own) {
                let (name, found) = (state.named.name.clone(), left.to_string());
                scope.report.add(Mistake::StateLeft { name, found }, left.place);
                return None;
            }
            restrict::state_right(scope, &state.named.name, right, &right_value).then(|| right_value.entries[0])
        });
        match rate {
            Some(rate) => {
                let name = state.named.name.clone();
                states.push(State { name, rate, guard: None, inertia: None });
            }
            None => failed = Some(&state.named.ident),
        }
    }
    states
}

impl Scope<'_> {
    /// Binds the states, which are the velocities of the hidden coordinates from the index `first` on.
    pub(crate) fn bind_states(&mut self, states: &[Named], first: usize) {
        let first = first as u32;
        self.states = (first, states.iter().map(|state| state.name.clone()).collect());
        self.bind_symbols(states, |index| Symbol::Velocity(first + index));
    }

    /// Binds the coordinates and, from the index `mechanical` on, the states. An array may have both.
    pub(crate) fn bind_coordinates(&mut self, coordinates: &[Named], mechanical: usize) {
        let first = mechanical as u32;
        self.states = (first, coordinates[mechanical..].iter().map(|state| state.name.clone()).collect());
        self.bind_symbols(
            coordinates,
            |index| {
                if index < first { Symbol::Coordinate(index) } else { Symbol::Velocity(index) }
            },
        );
    }

    /// The name of the state that a symbol is.
    pub(crate) fn state(&self, symbol: Symbol) -> Option<&str> {
        let Symbol::Velocity(index) = symbol else { return None };
        self.states.1.get(index.checked_sub(self.states.0)? as usize).map(String::as_str)
    }

    /// The name of the state whose rate a symbol is.
    pub(crate) fn state_of_rate(&self, symbol: Symbol) -> Option<&str> {
        let Symbol::Acceleration(index) = symbol else { return None };
        self.state(Symbol::Velocity(index))
    }
}
