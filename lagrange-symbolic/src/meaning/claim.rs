//! The claims about the derived equations: `verify left == right`, `invariant name = value` and `symmetry name: change`.

use super::arithmetic::{same_shape, scalar_needed};
use super::derived::DerivedNames;
use super::elaborate::each_element;
use super::exact::element_name;
use super::restrict;
use super::scope::Scope;
use super::value::{Shape, Value};
use crate::graph::{Id, Symbol};
use crate::meaning::Model;
use crate::report::{Mistake, Place, Report};
use crate::syntax::{Spec, StatementKind, plain};
use std::collections::{BTreeSet, HashMap};

/// A claim to be proved: both sides have the same number of components.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The left side's components.
    pub left: Vec<Id>,
    /// The right side's components.
    pub right: Vec<Id>,
    /// The left side as text.
    pub left_text: String,
    /// The right side as text.
    pub right_text: String,
    /// The place of both sides.
    pub place: Place,
}

/// A quantity that is claimed to be constant along every motion.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its name: `h`, `h[2]` for an element or a component.
    pub name: String,
    /// The quantity, a function of q, v and t.
    pub value: Id,
    /// The place of the statement.
    pub place: Place,
}

/// A change of the coordinates that is claimed to change L by a total time derivative at most.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// Its name: `turn`, `turn[2]` for an element.
    pub name: String,
    /// δq of each coordinate, a function of q, v and t.
    pub change: Vec<Id>,
    /// K of δL = dK/dt, where it is stated: a function of q, v and t.
    pub gauge: Option<Id>,
    /// The place of δq.
    pub place: Place,
}

/// The claims of a block.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// The `verify` statements.
    pub equal: Vec<Claim>,
    /// The `invariant` statements.
    pub invariants: Vec<Invariant>,
    /// The `symmetry` statements.
    pub symmetries: Vec<Symmetry>,
}

/// Reads the `verify`, `invariant` and `symmetry` statements. `names` has the derived quantities, in the model's own graph.
///
/// # Errors
/// Every mistake in the claims. The graph then still contains what the equations need.
pub fn elaborate_claims(spec: &Spec, model: &mut Model, names: &DerivedNames) -> Result<Claims, Report> {
    let mut scope = Scope::new(std::mem::take(&mut model.graph), Some(names));
    scope.bind_coordinates(&model.coordinates, model.mechanical());
    scope.bind_symbols(&model.parameters, Symbol::Parameter);
    scope.bind_symbols(&model.inputs, Symbol::Input);
    scope.known = model.vocabulary.known.clone();
    scope.functions = model.vocabulary.functions.clone();
    scope.domain = model.domain.clone();
    scope.rows = Some(model.vocabulary.rows.clone());
    for definition in &model.lets {
        let value = Value::new(definition.shape, definition.values.clone());
        scope.bind_element(plain(&definition.ident), definition.indices.clone(), Some(value));
    }
    let mut equal = Vec::new();
    for statement in &spec.statements {
        let StatementKind::Verify { left, right } = &statement.kind else { continue };
        let (left_value, right_value) = (scope.value(left), scope.value(right));
        let (Some(left_value), Some(right_value)) = (left_value, right_value) else { continue };
        let (left_value, right_value) = (scope.on_motion(left_value), scope.on_motion(right_value));
        let place = left.place.to(right.place);
        if scope.checked(same_shape("a claim", &left_value, &right_value), place).is_some() {
            equal.push(Claim {
                left: left_value.entries,
                right: right_value.entries,
                left_text: left.to_string(),
                right_text: right.to_string(),
                place,
            });
        }
    }
    scope.rows = None;
    let invariants = invariants(spec, &mut scope, &names.rates);
    let symmetries = symmetries(spec, &mut scope, model);
    model.graph = scope.graph;
    model.field_uses.append(&mut scope.field_uses);
    scope.report.propagate(Claims { equal, invariants, symmetries })
}

fn invariants(spec: &Spec, scope: &mut Scope<'_>, rates: &HashMap<Symbol, Id>) -> Vec<Invariant> {
    let mut invariants = Vec::new();
    let mut seen: BTreeSet<(String, Vec<i64>)> = BTreeSet::new();
    for statement in &spec.statements {
        let StatementKind::Invariant { name, indices, value: expr, .. } = &statement.kind else { continue };
        each_element(scope, indices, |scope, element| {
            let text = element_name(&plain(name), element);
            if !seen.insert((plain(name), element.to_vec())) {
                scope.report.add(Mistake::DuplicateInvariant { name: text }, name);
                return None;
            }
            let mut value = scope.value(expr)?;
            value.entries = scope.graph.substitute(&value.entries, rates);
            if value.shape == Shape::Condition {
                let mistake = scalar_needed(&format!("`invariant {text}`"), &value);
                scope.report.add(mistake, expr.place);
                return None;
            }
            if !restrict::invariant(scope, expr, &value) {
                return None;
            }
            for (component, entry) in value.entries.iter().enumerate() {
                let name = if value.entries.len() == 1 { text.clone() } else { format!("{text}[{component}]") };
                invariants.push(Invariant { name, value: *entry, place: expr.place });
            }
            Some(())
        });
    }
    invariants
}

fn symmetries(spec: &Spec, scope: &mut Scope<'_>, model: &Model) -> Vec<Symmetry> {
    let mut symmetries: Vec<Symmetry> = Vec::new();
    let outputs: BTreeSet<&str> = model.physics.outputs.iter().map(|output| stem(&output.name)).collect();
    for statement in &spec.statements {
        let StatementKind::Symmetry { name, indices, change: expr, gauge } = &statement.kind else { continue };
        each_element(scope, indices, |scope, element| {
            let text = element_name(&plain(name), element);
            if outputs.contains(stem(&text)) || symmetries.iter().any(|other| other.name == text) {
                scope.report.add(Mistake::DuplicateSymmetry { name: text }, name);
                return None;
            }
            let change = scope.value(expr)?;
            let coordinates = &model.coordinates[..model.mechanical()];
            if coordinates.is_empty() {
                scope.report.add(Mistake::SymmetryWithoutInertia { name: text }, name);
                return None;
            }
            if change.entries.len() != coordinates.len() || change.shape == Shape::Condition {
                let coordinates: Vec<&str> = coordinates.iter().map(|named| named.name.as_str()).collect();
                let mistake = Mistake::SymmetryShape {
                    name: text,
                    found: change.entries.len(),
                    coordinates: coordinates.join("`, `"),
                };
                scope.report.add(mistake, expr.place);
                return None;
            }
            let gauge = match gauge {
                Some(gauge) => Some((gauge, scope.scalar(gauge, &format!("the `gauge` of `symmetry {text}`"))?)),
                None => None,
            };
            let stated = [(expr, change.clone())].into_iter();
            let stated = stated.chain(gauge.map(|(gauge, id)| (gauge, Value::scalar(id))));
            for (expr, value) in stated {
                if !restrict::symmetry(scope, expr, &value, &text) {
                    return None;
                }
            }
            let gauge = gauge.map(|(_, id)| id);
            symmetries.push(Symmetry { name: text, change: change.entries, gauge, place: expr.place });
            Some(())
        });
    }
    symmetries
}

/// A name without its indices.
fn stem(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}
