//! Constraints that modes switch on and off.

use super::force::MOST_CONTACTS;
use super::restrict;
use super::scope::Scope;
use super::value::Value;
use crate::graph::{Id, Symbol};
use crate::physics::{Contact, Latch};
use crate::report::Mistake;
use crate::syntax::{ConstraintKind, Expr};
use proc_macro2::Ident;
use std::collections::HashMap;

/// The rows of constraints that modes switch, with the names of their statements.
pub(super) type Rows<'s> = Vec<(Contact, &'s Ident)>;

/// The condition behind `when`, as 1 where it holds and 0 elsewhere. It depends on modes and parameters, which are constant along a motion.
pub(super) fn switch(scope: &mut Scope<'_>, name: &str, expr: &Expr) -> Option<Id> {
    let condition = scope.condition(expr, "what follows `when`")?;
    let value = Value::condition(condition);
    restrict::switch(scope, name, expr, &value).then_some(())?;
    let (one, zero) = (scope.graph.one(), scope.graph.zero());
    Some(scope.graph.select(condition, one, zero))
}

/// The row `value` of a constraint that holds where `is_on` is 1.
pub(super) fn row(
    scope: &mut Scope<'_>,
    kind: ConstraintKind,
    (name, value, is_on): (String, Id, Id),
) -> Option<Contact> {
    let zero = scope.graph.zero();
    let latch = Some(Latch { is_holonomic: kind == ConstraintKind::Holonomic, is_on });
    if kind == ConstraintKind::Nonholonomic {
        return Some(Contact {
            name,
            gap: zero,
            rate: value,
            restitution: zero,
            friction: None,
            adhesion: None,
            latch,
        });
    }
    let rate = scope.total_derivative(&Value::scalar(value)).ok()?.entries[0];
    let modes = scope.graph.symbols(value).filter(|symbol| scope.graph.is_mode(*symbol));
    let rates = modes.filter_map(|symbol| match symbol {
        Symbol::Velocity(index) => Some((Symbol::Acceleration(index), zero)),
        _ => None,
    });
    let at_rest: HashMap<Symbol, Id> = rates.collect();
    let rate = scope.graph.substitute(&[rate], &at_rest)[0];
    Some(Contact { name, gap: value, rate, restitution: zero, friction: None, adhesion: None, latch })
}

/// Adds such rows to the contacts, with which they share the number of rows. `others` are the rows of frictions.
pub(super) fn join(scope: &mut Scope<'_>, contacts: &mut Vec<Contact>, others: usize, rows: Rows<'_>) {
    let slips = contacts.iter().filter(|contact| contact.friction.is_some()).count();
    for (row, name) in rows {
        if others + contacts.len() + slips == MOST_CONTACTS {
            scope.report.add(Mistake::TooManyLatches { name: row.name, most: MOST_CONTACTS }, name);
            return;
        }
        contacts.push(row);
    }
}
