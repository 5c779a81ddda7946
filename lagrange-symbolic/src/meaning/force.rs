//! Forces and dry friction.

use super::arithmetic::scalar_needed;
use super::elaborate::{each_element, sides};
use super::exact::{concrete, element_name};
use super::restrict;
use super::scope::Scope;
use super::value::Shape;
use crate::graph::function::Function;
use crate::meaning::{Force, Friction};
use crate::report::Mistake;
use crate::syntax::{Spec, StatementKind, plain};
use std::collections::BTreeSet;

/// The most contacts of a mechanism: `MAX_CONTACTS` of the runtime.
pub(super) const MOST_CONTACTS: usize = 8;

/// The stated forces.
pub(super) fn forces(spec: &Spec, scope: &mut Scope<'_>) -> Vec<Force> {
    let mut forces = Vec::new();
    for statement in &spec.statements {
        let StatementKind::Force { indices, left, right } = &statement.kind else { continue };
        each_element(scope, indices, |scope, _| {
            let (left_value, right_value) = sides(scope, "a force", (left, right))?;
            let accepted = restrict::force_left(scope, "force", left, &left_value);
            if !(restrict::force_right(scope, right, &right_value) && accepted) {
                return None;
            }
            forces.push(Force {
                name: concrete(left, &scope.known).to_string(),
                left: left_value.entries,
                right: right_value.entries,
                place: statement.place,
            });
            Some(())
        });
    }
    forces
}

/// The contacts with dry friction. Each one adds the force −b sign(s) on its slip, where s is the slip rate, to `forces`.
pub(super) fn frictions(spec: &Spec, scope: &mut Scope<'_>, forces: &mut Vec<Force>) -> Vec<Friction> {
    let mut frictions: Vec<Friction> = Vec::new();
    let mut seen: BTreeSet<(String, Vec<i64>)> = BTreeSet::new();
    for statement in &spec.statements {
        let StatementKind::Friction { name, indices, slip, bound } = &statement.kind else { continue };
        each_element(scope, indices, |scope, element| {
            let text = element_name(&plain(name), element);
            if !seen.insert((plain(name), element.to_vec())) {
                scope.report.add(Mistake::DuplicateFriction { name: text }, name);
                return None;
            }
            let (slip_value, bound_value) = (scope.value(slip), scope.value(bound));
            let (slip_value, bound_value) = (slip_value?, bound_value?);
            for (expr, value, side) in [(slip, &slip_value, "slip"), (bound, &bound_value, "bound")] {
                if value.shape != Shape::Scalar {
                    let mistake = scalar_needed(&format!("the {side} of `friction {text}`"), value);
                    scope.report.add(mistake, expr.place);
                    return None;
                }
            }
            let accepted = restrict::force_left(scope, "friction", slip, &slip_value);
            if !(restrict::force_right(scope, bound, &bound_value) && accepted) {
                return None;
            }
            if frictions.len() == MOST_CONTACTS {
                scope.report.add(Mistake::TooManyFrictions { name: text, most: MOST_CONTACTS }, name);
                return None;
            }
            let (slip, bound) = (slip_value.entries[0], bound_value.entries[0]);
            let rate = match scope.total_derivative(&slip_value) {
                Ok(rate) => rate.entries[0],
                Err(_) => return None,
            };
            let direction = scope.graph.call(Function::Sign, &[rate]);
            let force = scope.graph.mul(bound, direction);
            let right = scope.graph.neg(force);
            forces.push(Force { name: text.clone(), left: vec![slip], right: vec![right], place: statement.place });
            frictions.push(Friction { name: text, ident: name.clone(), slip, rate, bound });
            Some(())
        });
    }
    frictions
}
