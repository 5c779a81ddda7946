//! Forces and dry friction.

use super::arithmetic::scalar_needed;
use super::elaborate::{each_element, sides};
use super::exact::{concrete, element_name};
use super::restrict;
use super::scope::Scope;
use super::value::Shape;
use crate::graph::function::Function;
use crate::graph::{Id, Symbol};
use crate::meaning::{Force, Friction, SmoothFriction};
use crate::report::Mistake;
use crate::syntax::{Expr, ExprKind, Spec, StatementKind, plain};
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

/// The contacts with dry friction.
#[derive(Default)]
pub(super) struct Frictions {
    /// Those whose bounds contain no multiplier. Each one adds the force −b sign(s) on its slip, where s is the slip rate.
    pub(super) plain: Vec<Friction>,
    /// Those that change their direction smoothly. Each one adds the force −b tanh(s/v₀), before those of `plain`.
    pub(super) smooth: Vec<SmoothFriction>,
    /// Those whose bounds contain multipliers.
    pub(super) loaded: Vec<Friction>,
    seen: BTreeSet<(String, Vec<i64>)>,
}

impl Frictions {
    /// The number of contacts that slip or stick.
    pub(super) fn count(&self) -> usize {
        self.plain.len() + self.loaded.len()
    }

    /// Reads the statements whose bounds name no multiplier, or, if `loaded`, those whose bounds do. Those can be read only where
    /// the rows of the constraints are known.
    pub(super) fn read(&mut self, spec: &Spec, scope: &mut Scope<'_>, forces: &mut Vec<Force>, loaded: bool) {
        let mut dry = Vec::new();
        for statement in &spec.statements {
            let StatementKind::Friction { name, indices, slip, bound, smooth } = &statement.kind else { continue };
            // A smooth friction is a stated force, in which no multiplier may stand.
            if (smooth.is_none() && names_multiplier(bound)) != loaded {
                continue;
            }
            each_element(scope, indices, |scope, element| {
                let text = element_name(&plain(name), element);
                if !self.seen.insert((plain(name), element.to_vec())) {
                    scope.report.add(Mistake::DuplicateFriction { name: text }, name);
                    return None;
                }
                // Only the bound may name the rows of constraints.
                let rows = scope.rows.take();
                let slip_value = scope.value(slip);
                scope.rows = rows;
                let bound_value = scope.value(bound);
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
                if smooth.is_none() && self.count() == MOST_CONTACTS {
                    scope.report.add(Mistake::TooManyFrictions { name: text, most: MOST_CONTACTS }, name);
                    return None;
                }
                let place = bound.place;
                let (slip, bound) = (slip_value.entries[0], bound_value.entries[0]);
                let rate = match scope.total_derivative(&slip_value) {
                    Ok(rate) => rate.entries[0],
                    Err(_) => return None,
                };
                let (right, acting) = match smooth {
                    Some(smooth) => {
                        let width = width(scope, &text, smooth)?;
                        let ratio = scope.graph.div(rate, width);
                        let direction = scope.graph.call(Function::Tanh, &[ratio]);
                        let force = scope.graph.mul(bound, direction);
                        let force = scope.graph.neg(force);
                        let (name, ident, places) = (text.clone(), name.clone(), [place, smooth.place]);
                        self.smooth.push(SmoothFriction { name, ident, force, bound, width, places });
                        (force, &mut *forces)
                    }
                    None => {
                        let friction = Friction { name: text.clone(), ident: name.clone(), slip, rate, bound };
                        if loaded {
                            self.loaded.push(friction);
                            return Some(());
                        }
                        self.plain.push(friction);
                        let direction = scope.graph.call(Function::Sign, &[rate]);
                        let force = scope.graph.mul(bound, direction);
                        (scope.graph.neg(force), &mut dry)
                    }
                };
                acting.push(Force { name: text, left: vec![slip], right: vec![right], place: statement.place });
                Some(())
            });
        }
        forces.extend(dry);
    }
}

/// Whether an expression calls `multiplier` or `reaction`.
fn names_multiplier(expr: &Expr) -> bool {
    let inner = match &expr.kind {
        ExprKind::Call { function, .. } if ["multiplier", "reaction"].contains(&&plain(function)[..]) => return true,
        ExprKind::Integral { integrand: inner, .. } | ExprKind::Sum { term: inner, .. } => Some(&**inner),
        _ => None,
    };
    expr.parts().into_iter().chain(inner).any(names_multiplier)
}

/// The slip rate over which a smooth friction changes its direction: an expression in parameters.
fn width(scope: &mut Scope<'_>, name: &str, expr: &Expr) -> Option<Id> {
    let value = scope.value(expr)?;
    if value.shape != Shape::Scalar {
        scope.report.add(scalar_needed(&format!("`smooth` of `friction {name}`"), &value), expr.place);
        return None;
    }
    let varies = |symbol| !matches!(symbol, Symbol::Parameter(_));
    if scope.graph.contains(value.entries[0], varies) {
        let mistake = Mistake::SmoothRange { name: name.to_owned(), found: expr.to_string() };
        scope.report.add(mistake, expr.place);
        return None;
    }
    Some(value.entries[0])
}
