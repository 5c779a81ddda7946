//! Contacts that open and close.

use super::arithmetic::scalar_needed;
use super::elaborate::each_element;
use super::exact::element_name;
use super::force::{MOST_COMPONENTS, MOST_CONTACTS, Placed, is_breakaway};
use super::order::indexed;
use super::restrict;
use super::scope::Scope;
use super::value::{Shape, Value};
use crate::graph::{Id, Rational};
use crate::physics::{Contact, Friction, Slip};
use crate::report::{Mistake, Place};
use crate::syntax::{Expr, Spec, StatementKind, plain};
use std::collections::{BTreeSet, HashMap};

/// The contacts, and the components of their slips that are vectors. `frictions` is the number of the rows of `friction` statements.
pub(super) fn contacts(spec: &Spec, scope: &mut Scope<'_>, frictions: usize) -> (Vec<Contact>, Placed<Friction>) {
    let mut contacts: Vec<Contact> = Vec::new();
    let mut slips = Placed::default();
    let mut seen: BTreeSet<(String, Vec<i64>)> = BTreeSet::new();
    let mut rows = frictions;
    for statement in &spec.statements {
        let StatementKind::Contact { name, indices, sides, restitution, friction, is_rate, breakaway, adhesion } =
            &statement.kind
        else {
            continue;
        };
        each_element(scope, indices, |scope, element| {
            let text = element_name(&plain(name), element);
            if !seen.insert((plain(name), element.to_vec())) {
                scope.report.add(Mistake::DuplicateContact { name: text }, name);
                return None;
            }
            let gap = gap(scope, &text, sides);
            if let Some((mistake, place)) = scope.no_gap.take() {
                scope.report.add(mistake, place);
                return None;
            }
            let restitution = match (restitution, gap) {
                (Some(restitution), Some((_, rate))) => coefficient(scope, &text, restitution, rate),
                (Some(_), None) => None,
                (None, _) => Some(scope.graph.zero()),
            };
            let friction = match friction {
                Some(stated) => self::friction(scope, &text, (stated, *is_rate), breakaway.as_deref()),
                None => Some(Vec::new()),
            };
            let adhesion = match adhesion {
                Some(stated) => self::adhesion(scope, &text, stated).map(Some),
                None => Some(None),
            };
            let ((gap, rate), restitution, friction, adhesion) = (gap?, restitution?, friction?, adhesion?);
            rows += 1 + friction.len();
            if rows > MOST_CONTACTS {
                scope.report.add(Mistake::TooManyContacts { name: text, most: MOST_CONTACTS }, name);
                return None;
            }
            let size = friction.len();
            let place = Place::from(name);
            if size > 1 {
                slips.extend(friction.iter().enumerate().map(|(index, &slip)| {
                    let name = format!("{text}.slip");
                    (Friction { name, slip, part: [index, size], contact: Some(contacts.len()) }, place)
                }));
            }
            let friction = friction.first().copied().filter(|_| size == 1);
            contacts.push(Contact { name: text, gap, rate, restitution, friction, adhesion, latch: None });
            Some(())
        });
    }
    (contacts, slips)
}

/// A part of a contact, which must be a scalar.
fn scalar(scope: &mut Scope<'_>, name: &str, part: &str, expr: &Expr) -> Option<Value> {
    let value = scope.value(expr)?;
    if value.shape != Shape::Scalar {
        scope.report.add(scalar_needed(&format!("the {part} of `contact {name}`"), &value), expr.place);
        return None;
    }
    Some(value)
}

/// The gap and its rate.
fn gap(scope: &mut Scope<'_>, name: &str, (left, right): &(Expr, Expr)) -> Option<(Id, Id)> {
    scope.no_gap = None;
    let (left_value, right_value) = (scalar(scope, name, "gap", left), scalar(scope, name, "gap", right));
    let (left_value, right_value) = (left_value?, right_value?);
    let (first, second) = (left_value.entries[0], right_value.entries[0]);
    let gap = Value::scalar(scope.graph.sub(first, second));
    for (side, value) in [(left, &left_value), (right, &right_value)] {
        if !restrict::contact_part(scope, name, "gap", side, value) {
            return None;
        }
    }
    restrict::slides(scope, &format!("the gap of `contact {name}`"), left, &gap).then_some(())?;
    let rate = scope.total_derivative(&gap).ok()?;
    scope.record_rows([&left_value, &right_value], &gap.entries);
    Some((gap.entries[0], rate.entries[0]))
}

/// The coefficient of restitution of a contact whose gap has this rate.
fn coefficient(scope: &mut Scope<'_>, name: &str, expr: &Expr, rate: Id) -> Option<Id> {
    // A symbol stands for the speed of approach, so that velocities that are stated in another way are found.
    scope.approach = Some((name.to_owned(), None));
    let value = scalar(scope, name, "restitution", expr);
    let value = value.filter(|value| restrict::restitution(scope, name, expr, value));
    let approach = scope.approach.take().and_then(|(_, symbol)| symbol);
    let value = value?;
    if let Some(number) = scope.graph.as_number(value.entries[0]) {
        let found = number.to_f64().value();
        if !(0.0..=1.0).contains(&found) {
            scope.report.add(Mistake::RestitutionRange { name: name.to_owned(), found: expr.to_string() }, expr.place);
            return None;
        }
    }
    let Some(approach) = approach else { return Some(value.entries[0]) };
    let speed = scope.graph.neg(rate);
    Some(scope.graph.substitute(&[value.entries[0]], &HashMap::from([(approach, speed)]))[0])
}

impl Scope<'_> {
    /// `approach(name)` is the speed with which the gap of a contact closes before an impact, in the restitution of this contact.
    pub(super) fn approach_speed(&mut self, arguments: &[Expr], place: Place) -> Option<Value> {
        let Some((name, used)) = self.approach.clone() else {
            self.report.add(Mistake::ApproachOutsideRestitution {}, place);
            return None;
        };
        let [argument] = arguments else {
            let (expected, found) = ("1 argument".to_owned(), arguments.len());
            let help = format!("write `approach({name})`");
            let function = "approach".to_owned();
            self.report.add(Mistake::ArgumentCount { function, expected, found, help }, place);
            return None;
        };
        let (base, indices) = indexed(argument);
        let mut element = Vec::new();
        for index in indices {
            match self.known.whole(index) {
                Ok(value) => element.push(value),
                Err(fault) => {
                    self.fault(fault);
                    return None;
                }
            }
        }
        let found = element_name(&base.to_string(), &element);
        if found != name {
            self.report.add(Mistake::ApproachOfAnother { found, name }, argument.place);
            return None;
        }
        let symbol = used.unwrap_or_else(|| self.graph.scratch_symbol());
        self.approach = Some((name, Some(symbol)));
        Some(Value::scalar(self.graph.symbol(symbol)))
    }
}

/// The tensile force that a closed contact bears.
fn adhesion(scope: &mut Scope<'_>, name: &str, expr: &Expr) -> Option<Id> {
    let value = scalar(scope, name, "adhesion", expr)?;
    restrict::force_right(scope, expr, &value).then_some(())?;
    if scope.graph.as_number(value.entries[0]).is_some_and(|number| *number < Rational::ZERO) {
        let (name, found) = (name.to_owned(), expr.to_string());
        scope.report.add(Mistake::NegativeAdhesion { name, found }, expr.place);
        return None;
    }
    Some(value.entries[0])
}

/// The friction of a closed contact: the components of its slip.
fn friction(
    scope: &mut Scope<'_>,
    name: &str,
    ((slip, coefficient), is_rate): (&(Expr, Expr), bool),
    breakaway: Option<&Expr>,
) -> Option<Vec<Slip>> {
    let (slip_value, value) = (scope.value(slip), scalar(scope, name, "friction", coefficient));
    let (slip_value, value) = (slip_value?, value?);
    if !matches!(slip_value.shape, Shape::Scalar | Shape::Vector(_)) {
        scope.report.add(scalar_needed(&format!("the slip of `contact {name}`"), &slip_value), slip.place);
        return None;
    }
    let size = slip_value.entries.len();
    if size > MOST_COMPONENTS {
        let mistake = Mistake::SlipComponents { name: name.to_owned(), found: size, most: MOST_COMPONENTS };
        scope.report.add(mistake, slip.place);
        return None;
    }
    let accepted = match is_rate {
        true => restrict::slip_rate(scope, name, slip, &slip_value),
        false => {
            restrict::contact_part(scope, name, "slip", slip, &slip_value)
                && restrict::slides(scope, &format!("the slip of `contact {name}`"), slip, &slip_value)
        }
    };
    if !(restrict::force_right(scope, coefficient, &value) && accepted) {
        return None;
    }
    let bound = value.entries[0];
    let rates = match is_rate {
        true => slip_value.entries.clone(),
        false => {
            let none = Value::new(slip_value.shape, vec![scope.graph.zero(); slip_value.entries.len()]);
            scope.record_rows([&slip_value, &none], &slip_value.entries);
            scope.total_derivative(&slip_value).ok()?.entries
        }
    };
    let breakaway = match breakaway {
        Some(expr) => {
            let held = scalar(scope, name, "breakaway", expr)?;
            let owner = format!("contact `{name}`");
            let accepted = restrict::force_right(scope, expr, &held)
                && is_breakaway(scope, &owner, (expr, held.entries[0]), (coefficient, bound));
            accepted.then_some(())?;
            Some(held.entries[0])
        }
        None => None,
    };
    let part = |(&stated, rate)| Slip { position: (!is_rate).then_some(stated), rate, bound, breakaway };
    Some(slip_value.entries.iter().zip(rates).map(part).collect())
}
