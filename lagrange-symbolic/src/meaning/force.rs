//! Forces, couples and dry friction.

use super::arithmetic::scalar_needed;
use super::elaborate::{each_element, sides};
use super::exact::{concrete, element_name};
use super::restrict;
use super::scope::Scope;
use super::torque::torque;
use super::value::Shape;
use crate::calculus::derivative;
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Symbol};
use crate::physics::{Force, Friction, Slip, SmoothFriction};
use crate::report::{Mistake, Place};
use crate::syntax::{Expr, ExprKind, Spec, StatementKind, plain};
use std::collections::BTreeSet;

/// The most rows of contacts of a mechanism: `MAX_ROWS` of the runtime.
pub(super) const MOST_CONTACTS: usize = 64;

/// The most components of a slip that is a vector: `MAX_COMPONENTS` of the runtime.
pub(super) const MOST_COMPONENTS: usize = 8;

/// The most rows of which every combination of phases is tried, whatever they are.
pub(super) const MOST_TRIED: usize = 8;

/// The stated forces and couples, with the places of their left sides.
pub(super) fn forces(spec: &Spec, scope: &mut Scope<'_>) -> Placed<Force> {
    let mut forces = Vec::new();
    for statement in &spec.statements {
        if let StatementKind::Torque { indices, left, right } = &statement.kind {
            each_element(scope, indices, |scope, _| {
                let name = concrete(left, &scope.known).to_string();
                forces.push((torque(scope, name, (left, right))?, left.place));
                Some(())
            });
        }
        let StatementKind::Force { indices, left, right } = &statement.kind else { continue };
        each_element(scope, indices, |scope, _| {
            let (left_value, right_value) = sides(scope, "a force", (left, right))?;
            let accepted = restrict::force_left(scope, "force", left, &left_value);
            if !(restrict::force_right(scope, right, &right_value) && accepted) {
                return None;
            }
            let name = concrete(left, &scope.known).to_string();
            forces.push((Force { name, left: left_value.entries, right: right_value.entries }, left.place));
            Some(())
        });
    }
    forces.into_iter().unzip()
}

/// Items, and the place of each.
pub(super) type Placed<T, P = Place> = (Vec<T>, Vec<P>);

/// The contacts with dry friction.
#[derive(Default)]
pub(super) struct Frictions {
    /// Those whose bounds contain no multiplier. Each one adds the force −b sign(s) on its slip, where s is the slip rate.
    pub(super) plain: Placed<Friction>,
    /// Those that change their direction smoothly, with the places of bound and slip rate. Each one adds its force before those of
    /// `plain`.
    pub(super) smooth: Placed<SmoothFriction, [Place; 2]>,
    /// The components of those whose slips are vectors, and then those whose bounds contain multipliers.
    pub(super) loaded: Placed<Friction>,
    seen: BTreeSet<(String, Vec<i64>)>,
    /// The number of coordinates.
    coordinates: u32,
}

impl Frictions {
    /// No frictions, in a block with so many coordinates.
    pub(super) fn among(coordinates: usize) -> Self {
        Self { coordinates: coordinates as u32, ..Self::default() }
    }

    /// The number of rows of contacts that slip or stick.
    pub(super) fn count(&self) -> usize {
        self.plain.0.len() + self.loaded.0.len()
    }

    /// Reads the statements whose bounds name no multiplier, or, if `loaded`, those whose bounds do. Those can be read only where
    /// the rows of the constraints are known.
    pub(super) fn read(&mut self, spec: &Spec, scope: &mut Scope<'_>, forces: &mut Vec<Force>, loaded: bool) {
        let mut dry = Vec::new();
        for statement in &spec.statements {
            let StatementKind::Friction { name, indices, slip, is_rate, bound, smooth, breakaway } = &statement.kind
            else {
                continue;
            };
            // A smooth friction is a stated force, in which no multiplier may stand.
            if (smooth.is_none() && [bound].into_iter().chain(breakaway).any(names_multiplier)) != loaded {
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
                let held = breakaway.as_ref().map(|expr| (expr, scope.value(expr)));
                let (slip_value, bound_value) = (slip_value?, bound_value?);
                let held = match held {
                    Some((expr, value)) => Some((expr, value?)),
                    None => None,
                };
                let sides = [(slip, &slip_value, "slip"), (bound, &bound_value, "bound")];
                let held_side = held.iter().map(|(expr, value)| (*expr, value, "breakaway"));
                for (expr, value, side) in sides.into_iter().chain(held_side) {
                    let is_slip = side == "slip" && matches!(value.shape, Shape::Vector(_));
                    if value.shape != Shape::Scalar && !is_slip {
                        let mistake = scalar_needed(&format!("the {side} of `friction {text}`"), value);
                        scope.report.add(mistake, expr.place);
                        return None;
                    }
                }
                let accepted = match is_rate {
                    true => restrict::slip_rate(scope, &text, slip, &slip_value),
                    false => restrict::slip(scope, &text, slip, &slip_value),
                };
                let bounds = [(bound, &bound_value)].into_iter().chain(held.iter().map(|(expr, value)| (*expr, value)));
                let accepted = bounds
                    .fold(accepted, |accepted, (expr, value)| restrict::force_right(scope, expr, value) && accepted);
                if !accepted {
                    return None;
                }
                let breakaway = held.as_ref().map(|(expr, value)| (*expr, value.entries[0]));
                if let Some(held) = breakaway
                    && !is_breakaway(scope, &format!("friction `{text}`"), held, (bound, bound_value.entries[0]))
                {
                    return None;
                }
                let size = slip_value.entries.len();
                if smooth.is_none() && size > MOST_COMPONENTS {
                    let mistake = Mistake::SlipComponents { name: text, found: size, most: MOST_COMPONENTS };
                    scope.report.add(mistake, slip.place);
                    return None;
                }
                if smooth.is_none() && self.count() + size > MOST_CONTACTS {
                    scope.report.add(Mistake::TooManyFrictions { name: text, most: MOST_CONTACTS }, name);
                    return None;
                }
                let (place, bound) = (bound.place, bound_value.entries[0]);
                let rates = match is_rate {
                    true => slip_value.entries.clone(),
                    false => scope.total_derivative(&slip_value).ok()?.entries,
                };
                let (right, acting) = match smooth {
                    Some(smooth) => {
                        let width = width(scope, &text, smooth)?;
                        let force = smooth_force(&mut scope.graph, &rates, bound, width);
                        let stated = SmoothFriction { name: text.clone(), force: force.clone(), bound, width };
                        self.smooth.extend([(stated, [place, smooth.place])]);
                        (force, &mut *forces)
                    }
                    None => {
                        let positions = slip_value.entries.iter().zip(&rates).enumerate();
                        let parts = positions.map(|(index, (&position, &rate))| {
                            let breakaway = breakaway.map(|(_, held)| held);
                            let position = (!is_rate).then_some(position);
                            let slip = Slip { position, rate, bound, breakaway };
                            (
                                Friction { name: text.clone(), slip, part: [index, size], contact: None },
                                Place::from(name),
                            )
                        });
                        if loaded || size > 1 {
                            self.loaded.extend(parts);
                            return Some(());
                        }
                        self.plain.extend(parts);
                        let direction = scope.graph.call(Function::Sign, &rates);
                        let force = scope.graph.mul(bound, direction);
                        (vec![scope.graph.neg(force)], &mut dry)
                    }
                };
                acting.push(match is_rate {
                    true => {
                        let indices = (0..self.coordinates).chain(scope.virtuals.indices());
                        along_rates(&mut scope.graph, indices, text, (&rates, &right))
                    }
                    false => Force { name: text, left: slip_value.entries, right },
                });
                Some(())
            });
        }
        forces.extend(dry);
    }
}

/// The generalized force Q = (∂s/∂v)ᵀ f of forces on slip rates, on each coordinate.
fn along_rates(
    graph: &mut Graph,
    coordinates: impl Iterator<Item = u32>,
    name: String,
    (rates, forces): (&[Id], &[Id]),
) -> Force {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for index in coordinates {
        let column = derivative(graph, rates, Symbol::Velocity(index));
        let force = graph.inner(&column, forces);
        if !graph.is_zero(force) {
            left.push(graph.symbol(Symbol::Coordinate(index)));
            right.push(force);
        }
    }
    Force { name, left, right }
}

/// Whether a static bound is allowed. A number below the bound of the slip is reported.
pub(super) fn is_breakaway(
    scope: &mut Scope<'_>,
    owner: &str,
    (expr, held): (&Expr, Id),
    (bound_expr, bound): (&Expr, Id),
) -> bool {
    let above = scope.graph.sub(held, bound);
    let is_below = scope.graph.as_number(above).is_some_and(|number| number.to_f64().value() < 0.0);
    if is_below {
        let (owner, breakaway, bound) = (owner.to_owned(), expr.to_string(), bound_expr.to_string());
        scope.report.add(Mistake::BreakawayBelow { owner, breakaway, bound }, expr.place);
    }
    !is_below
}

/// The force of a smooth friction on each component of its slip.
fn smooth_force(graph: &mut Graph, rates: &[Id], bound: Id, width: Id) -> Vec<Id> {
    if let [rate] = rates {
        let ratio = graph.div(*rate, width);
        let direction = graph.call(Function::Tanh, &[ratio]);
        let force = graph.mul(bound, direction);
        return vec![graph.neg(force)];
    }
    // The derivative of tanh(|s|/v₀) s/|s| has no value at s = 0 that could be computed.
    let (speed, least) = (graph.inner(rates, rates), graph.mul(width, width));
    let square = graph.add(speed, least);
    let length = graph.sqrt(square);
    let ratio = graph.div(bound, length);
    let force = rates.iter().map(|&rate| graph.mul(ratio, rate)).collect::<Vec<_>>();
    force.into_iter().map(|force| graph.neg(force)).collect()
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
