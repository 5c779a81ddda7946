//! Modes: quantities that keep their value until a stated condition holds.

use super::arithmetic::{same_shape, scalar_needed};
use super::restrict;
use super::scope::Scope;
use super::state::{Law, Stated};
use super::value::{Shape, Value};
use crate::graph::function::Function;
use crate::graph::{FIRST_VIRTUAL, Graph, Id, Node, Relation, Symbol};
use crate::physics::Change;
use crate::report::{Mistake, Place};
use crate::syntax::{Expr, When};
use std::collections::BTreeSet;

/// The most conditions and assigned values of all changes, as many as the runtime has room for.
const MOST_VALUES: usize = 128;

/// Reads the changes of the modes, with the places of their targets. `beside_contacts` says whether there is a contact or a dry friction.
pub(super) fn changes(
    modes: &[Stated<'_>],
    scope: &mut Scope<'_>,
    first: usize,
    beside_contacts: bool,
) -> (Vec<Change>, Vec<Vec<Place>>) {
    let (mut changes, mut places) = (Vec::new(), Vec::new());
    let mut values = 0;
    for (index, mode) in (first as u32..).zip(modes) {
        let Law::Changes(stated) = mode.law else { continue };
        let name = &mode.named.name;
        for when in stated {
            let read = scope.with_indices(&mode.element.locals, |scope| {
                change(scope, (name, Symbol::Velocity(index)), when, beside_contacts)
            });
            let Some((change, targets)) = read else { continue };
            values += 1 + change.assigned.len();
            if values > MOST_VALUES {
                scope.report.add(Mistake::TooManyChanges { mode: name.clone(), most: MOST_VALUES }, &mode.named.ident);
                return (changes, places);
            }
            changes.push(change);
            places.push(targets);
        }
    }
    unchanged(modes, scope, first, &changes);
    (changes, places)
}

/// Reports modes to which no change assigns.
fn unchanged(modes: &[Stated<'_>], scope: &mut Scope<'_>, first: usize, changes: &[Change]) {
    if !scope.report.is_empty() {
        return;
    }
    let assigned: BTreeSet<Id> =
        changes.iter().flat_map(|change| &change.assigned).map(|(target, _)| *target).collect();
    for (index, mode) in (first as u32..).zip(modes) {
        let own = scope.graph.symbol(Symbol::Velocity(index));
        if !assigned.contains(&own) {
            scope.report.add(Mistake::ModeUnchanged { mode: mode.named.name.clone() }, &mode.named.ident);
        }
    }
}

/// Reads one change.
fn change(
    scope: &mut Scope<'_>,
    (name, own): (&str, Symbol),
    when: &When,
    beside_contacts: bool,
) -> Option<(Change, Vec<Place>)> {
    let condition = scope.condition(&when.condition, "what follows `when`");
    let value = scope.value(&when.value);
    let own = Value::scalar(scope.graph.symbol(own));
    let mut assignments = Vec::new();
    let mut is_whole = true;
    for (target, right) in &when.then {
        let (left_value, right_value) = (scope.value(target), scope.value(right));
        match (left_value, right_value) {
            (Some(left_value), Some(right_value)) => assignments.push((target, left_value, right, right_value)),
            _ => is_whole = false,
        }
    }
    let (condition, value) = (condition?, value?);
    if value.shape != Shape::Scalar {
        scope.report.add(scalar_needed(&format!("the value of mode `{name}`"), &value), when.value.place);
        return None;
    }
    if !is_whole {
        return None;
    }
    if beside_contacts {
        let condition = Value::scalar(condition);
        let values = assignments.iter().map(|(_, _, right, value)| (*right, value));
        for (expr, value) in [(&when.condition, &condition), (&when.value, &value)].into_iter().chain(values) {
            if !restrict::of_known_phases(scope, name, expr, value) {
                return None;
            }
        }
    }
    let mut assigned = vec![(own.entries[0], value.entries[0])];
    let mut places = vec![when.value.place];
    for (target, left, right, value) in assignments {
        let place = target.place.to(right.place);
        scope.checked(same_shape("an assignment", &left, &value), place)?;
        for (&left, &value) in left.entries.iter().zip(&value.entries) {
            assign(scope, name, (target, left), value, &mut assigned)?;
            places.push(target.place);
        }
    }
    Some((Change { mode: name.to_owned(), condition: positive_where(&mut scope.graph, condition), assigned }, places))
}

/// Adds an assignment to a symbol of the state.
fn assign(
    scope: &mut Scope<'_>,
    name: &str,
    (target, left): (&Expr, Id),
    value: Id,
    assigned: &mut Vec<(Id, Id)>,
) -> Option<()> {
    let (mode, found) = (name.to_owned(), target.to_string());
    let mistake = match scope.graph.node(left) {
        Node::Symbol(Symbol::Coordinate(index) | Symbol::Velocity(index)) if *index < FIRST_VIRTUAL => {
            if assigned.iter().all(|(other, _)| *other != left) {
                assigned.push((left, value));
                return Some(());
            }
            Mistake::ModeTargetTwice { mode, found }
        }
        _ => Mistake::ModeTarget { mode, found },
    };
    scope.report.add(mistake, target.place);
    None
}

/// A function that is positive where a condition holds, and negative where it does not. It is 0 at the boundary.
fn positive_where(graph: &mut Graph, condition: Id) -> Id {
    match *graph.node(condition) {
        Node::Truth(holds) => graph.integer(if holds { 1 } else { -1 }),
        Node::Compare(Relation::Less | Relation::LessEqual, a, b) => graph.sub(b, a),
        Node::Compare(Relation::Equal, a, b) => {
            let difference = graph.sub(a, b);
            let distance = graph.call(Function::Abs, &[difference]);
            graph.neg(distance)
        }
        Node::And(a, b) | Node::Or(a, b) => {
            let is_both = matches!(graph.node(condition), Node::And(..));
            let parts = [positive_where(graph, a), positive_where(graph, b)];
            graph.call(if is_both { Function::Min } else { Function::Max }, &parts)
        }
        Node::Not(inner) => {
            let inner = positive_where(graph, inner);
            graph.neg(inner)
        }
        Node::Select(choice, yes, no) => {
            let (yes, no) = (positive_where(graph, yes), positive_where(graph, no));
            graph.select(choice, yes, no)
        }
        // No other node is a condition.
        _ => condition,
    }
}
