//! From the syntax tree to the model: names bound, definitions read in order, statements given their meaning.

use super::arithmetic::same_shape;
use super::item::Field;
use super::message::Mistake;
use super::order::{self, Definition};
use super::report::Report;
use super::restrict;
use super::scope::{Binding, Scope};
use super::syntax::{Energy, Expr, Spec, Statement, StatementKind, plain};
use super::value::{Shape, Value};
use crate::expr::{Graph, Id, Symbol};
use crate::model::{Force, Let, Model, Named};
use std::collections::BTreeMap;

/// An energy as stated, with its value.
pub(crate) struct Stated<'s> {
    pub(crate) expr: &'s Expr,
    pub(crate) id: Id,
}

/// A force as stated, with its sides' values.
struct StatedForce<'s> {
    statement: &'s Statement,
    left: (&'s Expr, Value),
    right: (&'s Expr, Value),
}

/// Gives the block its meaning: every statement but the claims, as expressions of one graph.
///
/// # Errors
/// Every mistake in names, shapes, and what may stand where.
pub fn elaborate(spec: &Spec) -> Result<Model, Report> {
    let coordinates = coordinates(spec);
    let (inputs, parameters): (Vec<&Field>, Vec<&Field>) = spec.item.fields.iter().partition(|field| field.is_input);
    let inputs: Vec<Named> = inputs.into_iter().map(named_field).collect();
    let parameters: Vec<Named> = parameters.into_iter().map(named_field).collect();

    let mut scope = Scope::new(Graph::new(), None);
    super::check::check(spec, &mut scope.report);
    scope.bind_symbols(&coordinates, Symbol::Coordinate);
    scope.bind_symbols(&parameters, Symbol::Parameter);
    scope.bind_symbols(&inputs, Symbol::Input);
    let lets = definitions(spec, &mut scope);
    let energies = energies(spec, &mut scope);
    let forces = forces(spec, &mut scope);
    for (energy, stated) in &energies {
        restrict::energy(&mut scope, *energy, stated);
    }
    for force in &forces {
        restrict::force_left(&mut scope, force.left.0, &force.left.1);
        restrict::force_right(&mut scope, force.right.0, &force.right.1);
    }

    let id = |energy: Energy| energies.get(&energy).map(|stated| stated.id);
    let kinetic = id(Energy::Kinetic);
    let zero = scope.graph.zero();
    let potential = kinetic.map(|_| id(Energy::Potential).unwrap_or(zero));
    let lagrangian = match (id(Energy::Lagrangian), kinetic, potential) {
        (Some(lagrangian), ..) => lagrangian,
        (None, Some(kinetic), Some(potential)) => scope.graph.sub(kinetic, potential),
        _ => zero,
    };
    let dissipation = id(Energy::Dissipation);
    let forces: Vec<Force> = forces
        .into_iter()
        .map(|force| Force {
            name: force.left.0.to_string(),
            left: force.left.1.entries,
            right: force.right.1.entries,
            place: force.statement.place,
        })
        .collect();
    let report = std::mem::take(&mut scope.report);
    report.propagate(())?;

    let roots: Vec<Id> = [lagrangian]
        .into_iter()
        .chain(kinetic)
        .chain(dissipation)
        .chain(forces.iter().flat_map(|force| force.right.iter().copied()))
        .collect();
    let warnings = unused_inputs(&scope.graph, &inputs, &roots);
    Ok(Model {
        graph: scope.graph,
        item: spec.item.item.clone(),
        coordinates,
        parameters,
        inputs,
        lagrangian,
        kinetic,
        potential,
        dissipation,
        forces,
        constraints: Vec::new(),
        nonholonomic: Vec::new(),
        outputs: Vec::new(),
        assumptions: Vec::new(),
        lets,
        warnings,
        field_uses: scope.field_uses,
    })
}

fn coordinates(spec: &Spec) -> Vec<Named> {
    let mut coordinates: Vec<Named> = Vec::new();
    for statement in &spec.statements {
        let StatementKind::Coordinates(names) = &statement.kind else { continue };
        for ident in names {
            let name = plain(ident);
            if coordinates.iter().all(|other| other.name != name) {
                let documentation = statement.documentation.clone();
                coordinates.push(Named {
                    name,
                    ident: ident.clone(),
                    indices: Vec::new(),
                    documentation,
                    number: None,
                });
            }
        }
    }
    coordinates
}

fn named_field(field: &Field) -> Named {
    Named {
        name: plain(&field.ident),
        ident: field.ident.clone(),
        indices: Vec::new(),
        documentation: field.documentation.clone(),
        number: Some(field.number.clone()),
    }
}

/// Reads every definition once; later uses share its nodes.
fn definitions(spec: &Spec, scope: &mut Scope<'_>) -> Vec<Let> {
    let definitions: Vec<Definition<'_>> = spec
        .statements
        .iter()
        .filter_map(|statement| match &statement.kind {
            StatementKind::Let { name, value } => {
                Some(Definition { name, value, documentation: &statement.documentation })
            }
            _ => None,
        })
        .collect();
    let mut values: Vec<Option<Value>> = vec![None; definitions.len()];
    let order = order::in_order(&definitions, &mut scope.report);
    // What is left out of the order is reported already: its uses are silent.
    for (index, definition) in definitions.iter().enumerate() {
        if !order.contains(&index) {
            scope.bind(plain(definition.name), Binding::Let(None));
        }
    }
    for index in order {
        let definition = &definitions[index];
        let value = scope.value(definition.value).filter(|value| {
            let is_number = value.shape != Shape::Condition;
            if !is_number {
                let what = format!("`let {}`", plain(definition.name));
                let mistake = Mistake::ScalarNeeded { what, found: value.shape.to_string() };
                scope.report.add(mistake, definition.value.place);
            }
            is_number
        });
        scope.bind(plain(definition.name), Binding::Let(value.clone()));
        values[index] = value;
    }
    definitions
        .iter()
        .zip(values)
        .filter_map(|(definition, value)| {
            let value = value?;
            Some(Let {
                name: plain(definition.name),
                ident: definition.name.clone(),
                shape: value.shape,
                values: value.entries,
                documentation: definition.documentation.to_owned(),
            })
        })
        .collect()
}

fn energies<'s>(spec: &'s Spec, scope: &mut Scope<'_>) -> BTreeMap<Energy, Stated<'s>> {
    let mut energies = BTreeMap::new();
    for statement in &spec.statements {
        let StatementKind::Energy { energy, value: expr, .. } = &statement.kind else { continue };
        if let Some(id) = scope.scalar(expr, &format!("`{}`", energy.keyword())) {
            energies.entry(*energy).or_insert(Stated { expr, id });
        }
    }
    energies
}

fn forces<'s>(spec: &'s Spec, scope: &mut Scope<'_>) -> Vec<StatedForce<'s>> {
    let mut forces = Vec::new();
    for statement in &spec.statements {
        let StatementKind::Force { left, right } = &statement.kind else { continue };
        let (left_value, right_value) = (scope.value(left), scope.value(right));
        let (Some(left_value), Some(right_value)) = (left_value, right_value) else { continue };
        let place = left.place.to(right.place);
        if scope.checked(same_shape("a force", &left_value, &right_value), place).is_some() {
            forces.push(StatedForce { statement, left: (left, left_value), right: (right, right_value) });
        }
    }
    forces
}

fn unused_inputs(graph: &Graph, inputs: &[Named], roots: &[Id]) -> Report {
    let mut warnings = Report::new();
    for (index, input) in (0..).zip(inputs) {
        if !roots.iter().any(|root| graph.depends_on(*root, Symbol::Input(index))) {
            warnings.add(Mistake::UnusedInput { input: input.name.clone() }, &input.ident);
        }
    }
    warnings
}
