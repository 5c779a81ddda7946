//! From the syntax tree to the model: names bound, definitions read in order, statements given their meaning.

use super::arithmetic::{same_shape, scalar_needed};
use super::contact::contacts;
use super::define;
use super::exact::{IndexedElement, element_name};
use super::force::{Frictions, MOST_TRIED, forces};
use super::latch;
use super::mode;
use super::reaction::{self, Acting, Elements, Rows};
use super::restrict;
use super::scope::Scope;
use super::state;
use super::value::{Shape, Value};
use super::virtual_displacement;
use crate::graph::engine::{Builtin, Engine};
use crate::graph::{Graph, Id, Symbol};
use crate::meaning::{Model, Named, Places, Vocabulary};
use crate::physics::{Assumption, Contact, Friction, Output, Physics, Row, Slip, SmoothFriction};
use crate::report::{Allowance, Mistake, Place, Report};
use crate::syntax::{
    Binary, ConstraintKind, Energy, Expr, ExprKind, Field, Indexing, Spec, StatementKind, array_of, plain,
};
use proc_macro2::{Ident, TokenStream};
use std::collections::{BTreeMap, BTreeSet};

/// A stated energy with its value.
pub(crate) struct Stated<'s> {
    pub(crate) expr: &'s Expr,
    pub(crate) id: Id,
}

/// Elaborates a block: every statement except the claims becomes expressions of one graph.
///
/// # Errors
/// Every mistake in names and shapes, and every quantity in a statement that may not contain it.
pub fn elaborate(spec: &Spec) -> Result<Model, Report> {
    elaborate_by(&Builtin, spec)
}

/// Elaborates a block on a graph with another engine, which takes the derivatives in the block.
///
/// # Errors
/// Every mistake in names and shapes, and every quantity in a statement that may not contain it.
pub fn elaborate_by(engine: &'static dyn Engine, spec: &Spec) -> Result<Model, Report> {
    let mut scope = Scope::new(Graph::with_engine(engine), None);
    scope.stated = super::check::check(spec, &mut scope.report);
    scope.known = define::constants(spec, &mut scope.report);
    let mut coordinates = define::coordinates(spec, &scope.known, &mut scope.report);
    let mechanical = coordinates.len();
    let virtuals = define::virtuals(spec, &scope.known, &mut scope.report);
    let (stated, own_states) = state::stated(spec, &mut scope, mechanical);
    let (first_mode, modes) = (mechanical + own_states, &stated[own_states..]);
    if !modes.is_empty() {
        scope.graph.set_first_mode(first_mode as u32);
    }
    let states: Vec<Named> = stated.iter().map(|state| state.named.clone()).collect();
    let (inputs, parameters): (Vec<&Field>, Vec<&Field>) = spec.item.fields.iter().partition(|field| field.is_input);
    let inputs: Vec<Named> = inputs.into_iter().flat_map(define::field_numbers).collect();
    let parameters: Vec<Named> = parameters.into_iter().flat_map(define::field_numbers).collect();
    bind(spec, &mut scope, (&coordinates, &virtuals), (&states, mechanical));
    scope.bind_symbols(&parameters, Symbol::Parameter);
    scope.bind_symbols(&inputs, Symbol::Input);

    let mut tables: Vec<(String, Id, Id)> = Vec::new();
    let externs = define::functions(spec, &mut scope, &mut |name, upper, lower| {
        tables.push((name.to_owned(), upper, lower));
    });
    let lets = define::definitions(spec, &mut scope);
    let mut assumptions = assumptions(spec, &mut scope);
    assumptions.extend(tables.into_iter().map(|table| increasing(spec, &mut scope, table)));
    let regular = spec.statements.iter().any(|statement| states_regularity(&statement.kind));
    let continuous = continuous(spec, &mut scope);
    restrict::domain(&mut scope, &assumptions, continuous);
    let energies = energies(spec, &mut scope);
    let (mut forces, places_of_forces) = forces(spec, &mut scope);
    let mut frictions = Frictions::among(mechanical);
    frictions.read(spec, &mut scope, &mut forces, false);
    let (mut contacts, slips) = contacts(spec, &mut scope, frictions.count());
    // Before the constraints, whose multipliers only the bounds of frictions and outputs may name.
    let equations = state::equations(&stated, &mut scope, mechanical);
    let ([holonomic, nonholonomic], latches) = constraints(spec, &mut scope, mechanical);
    latch::join(&mut scope, &mut contacts, frictions.count() + slips.0.len(), latches);
    frictions.read(spec, &mut scope, &mut forces, true);
    let Frictions { plain, smooth, mut loaded, .. } = frictions;
    beside_contacts(&mut scope, &loaded, &contacts);
    loaded.extend(slips.0.into_iter().zip(slips.1));
    among_many(&mut scope, &loaded, plain.0.len());
    restrict::quaternions(&mut scope, &holonomic.0);
    let acting = acting(&mut scope.graph, (&plain.0, &smooth.0), &contacts, &loaded.0);
    if let Some(rows) = &mut scope.rows {
        rows.acting = Some(acting);
    }
    let (lagrangian, [kinetic, potential, dissipation]) = stated_energies(&mut scope.graph, &energies);
    scope.set_momenta(lagrangian);
    let outputs = outputs(spec, &mut scope);
    let opens = contacts.iter().any(|contact| contact.latch.is_none());
    let has_contacts = opens || !(plain.0.is_empty() && loaded.0.is_empty());
    // The forces of rows that modes alone switch follow from a state.
    if let Some(rows) = scope.rows.as_mut().filter(|_| has_contacts || contacts.is_empty()) {
        rows.acting = None;
    }
    let changes = mode::changes(modes, &mut scope, first_mode, has_contacts);
    let mut rows = scope.rows.take().unwrap_or_default();
    rows.acting = None;
    let (runtime, max_operations) = settings(spec, &mut scope);

    let report = std::mem::take(&mut scope.report);
    report.propagate(())?;

    coordinates.extend(states);
    let needs_mass = has_claims(spec);
    let physics = Physics {
        coordinates: coordinates.len() as u32,
        states: equations,
        modes: modes.len(),
        changes: changes.0,
        parameters: parameters.len() as u32,
        inputs: inputs.len() as u32,
        lagrangian,
        kinetic,
        potential,
        dissipation,
        forces,
        frictions: plain.0,
        smooth: smooth.0,
        loaded: loaded.0,
        contacts,
        constraints: holonomic.0,
        nonholonomic: nonholonomic.0,
        outputs: outputs.0,
        assumptions: assumptions.into_iter().map(|(assumption, _)| assumption).collect(),
        regular,
        rates: scope.graph.known_rates(),
        bodies: scope.frames.bodies(),
        needs_mass,
    };
    let mut warnings = Report::allowing(allowances(spec));
    unused_inputs(&scope.graph, &inputs, &physics, &mut warnings);
    for (field, place) in scope.rates_of_fields {
        warnings.add(Mistake::RateOfField { field }, place);
    }
    let rows_of_all = [holonomic.1, nonholonomic.1].concat();
    let mut model = Model {
        graph: scope.graph,
        item: spec.item.item.clone(),
        coordinates,
        parameters,
        inputs,
        physics,
        places: Places {
            forces: places_of_forces,
            frictions: plain.1,
            smooth: smooth.1,
            loaded: loaded.1,
            rows: rows_of_all,
            outputs: outputs.1,
            changes: changes.1,
        },
        domain: scope.domain,
        externs,
        lets,
        runtime,
        max_operations,
        warnings,
        field_uses: scope.field_uses,
        vocabulary: Vocabulary { known: scope.known, functions: scope.functions, rows },
    };
    virtual_displacement::settle(&mut model, &scope.virtuals);
    Ok(model)
}

/// Gives the coordinates, the virtual displacements and the states their symbols. Names of arrays that could not be made are reported already, and are
/// not reported again where they stand.
fn bind(
    spec: &Spec,
    scope: &mut Scope<'_>,
    (coordinates, virtuals): (&[Named], &[Named]),
    (states, mechanical): (&[Named], usize),
) {
    scope.bind_symbols(coordinates, Symbol::Coordinate);
    scope.bind_virtuals(virtuals);
    scope.bind_states(states, mechanical);
    for name in define::coordinate_idents(spec).chain(state::idents(spec)) {
        scope.bind_failed(plain(name));
    }
}

/// The condition that two successive knots of a table increase.
fn increasing(spec: &Spec, scope: &mut Scope<'_>, (table, upper, lower): (String, Id, Id)) -> (Assumption, Place) {
    let text = format!("the knots of table `{table}` increase");
    (Assumption { text, value: scope.graph.sub(upper, lower) }, place_of_table(spec, &table))
}

/// The forces of the contacts by name. Those with rows have the order of `mechanics::contact`.
fn acting(
    graph: &mut Graph,
    (frictions, smooth): (&[Friction], &[SmoothFriction]),
    contacts: &[Contact],
    loaded: &[Friction],
) -> Acting {
    let mut acting = Acting::default();
    let mut row = 0_u32;
    let mut next = || {
        row += 1;
        graph.symbol(Symbol::Force(row - 1))
    };
    let add = |elements: &mut Elements<Id>, name: &str, force: Vec<Id>| {
        let (stated, element) = array_of(name);
        // A `friction` comes before the slip of a contact with the same name.
        elements.entry(stated).or_default().entry(element).or_insert(force);
    };
    smooth.iter().for_each(|friction| add(&mut acting.slips, &friction.name, friction.force.clone()));
    frictions.iter().for_each(|friction| add(&mut acting.slips, &friction.name, vec![next()]));
    for contact in contacts {
        let force = next();
        match contact.latch {
            None => add(&mut acting.gaps, &contact.name, vec![force]),
            Some(latch) => {
                let kind = if latch.is_holonomic { ConstraintKind::Holonomic } else { ConstraintKind::Nonholonomic };
                let value = if latch.is_holonomic { contact.gap } else { contact.rate };
                let (stated, element) = array_of(&contact.name);
                acting.latches.entry(stated).or_default().entry(element).or_default().push((kind, value, force));
            }
        }
    }
    let with_slip = contacts.iter().filter(|contact| contact.friction.is_some());
    with_slip.for_each(|contact| add(&mut acting.slips, &contact.name, vec![next()]));
    for friction in loaded.iter().filter(|friction| friction.part[0] == 0) {
        let force = (0..friction.part[1]).map(|_| next()).collect();
        add(&mut acting.slips, friction.contact.map_or(&friction.name, |contact| &contacts[contact].name), force);
    }
    acting
}

/// Reports a friction whose bound contains multipliers beside a contact that opens and closes, because no law gives its impulse in an impact; and a friction
/// that no derived equation contains beside a constraint that modes switch.
fn beside_contacts(scope: &mut Scope<'_>, (loaded, places): &(Vec<Friction>, Vec<Place>), contacts: &[Contact]) {
    let Some(contact) = contacts.first() else { return };
    let latch = contacts.iter().find(|contact| contact.latch.is_some());
    let is_multiplier = |symbol| matches!(symbol, Symbol::Multiplier(_));
    let has_multiplier = |friction: &Friction| {
        let Slip { bound, breakaway, .. } = friction.slip;
        [Some(bound), breakaway].into_iter().flatten().any(|part| scope.graph.contains(part, is_multiplier))
    };
    let refused = loaded.iter().zip(places).find(|(friction, _)| latch.is_some() || has_multiplier(friction));
    if let Some((friction, place)) = refused {
        let name = friction.name.clone();
        let mistake = match latch {
            Some(latch) => Mistake::FrictionBesideLatch { name, constraint: latch.name.clone() },
            None => Mistake::FrictionBesideContact { name, contact: contact.name.clone() },
        };
        scope.report.add(mistake, *place);
    }
}

/// Reports a scalar friction whose bound contains multipliers among so many rows that not all combinations of their phases are tried.
fn among_many(scope: &mut Scope<'_>, (loaded, places): &(Vec<Friction>, Vec<Place>), others: usize) {
    let is_scalar = |friction: &Friction| friction.part[1] == 1;
    if let Some((friction, place)) = loaded.iter().zip(places).find(|(friction, _)| is_scalar(friction))
        && loaded.len() + others > MOST_TRIED
    {
        scope.report.add(Mistake::LoadedAmongMany { name: friction.name.clone(), most: MOST_TRIED }, *place);
    }
}

/// Reads a statement for each of its elements until one fails.
pub(crate) fn each_element(
    scope: &mut Scope<'_>,
    indices: &[Indexing],
    mut read: impl FnMut(&mut Scope<'_>, &[i64]) -> Option<()>,
) {
    let elements = match scope.known.elements(indices) {
        Ok(elements) => elements,
        Err(fault) => return scope.fault(fault),
    };
    for IndexedElement { indices, locals } in elements {
        if scope.with_indices(&locals, |scope| read(scope, &indices)).is_none() {
            return;
        }
    }
}

fn energies<'s>(spec: &'s Spec, scope: &mut Scope<'_>) -> BTreeMap<Energy, Stated<'s>> {
    let mut energies = BTreeMap::new();
    for statement in &spec.statements {
        let StatementKind::Energy { energy, value: expr, .. } = &statement.kind else { continue };
        if let Some(id) = scope.scalar(expr, &format!("`{}`", energy.keyword())) {
            energies.entry(*energy).or_insert(Stated { expr, id });
        }
    }
    for (energy, stated) in &energies {
        restrict::energy(scope, *energy, stated);
    }
    energies
}

/// L, and T, V and D where they are stated. Beside T, V is zero where it is left out, and L is T − V.
fn stated_energies(graph: &mut Graph, energies: &BTreeMap<Energy, Stated<'_>>) -> (Id, [Option<Id>; 3]) {
    let id = |energy: Energy| energies.get(&energy).map(|stated| stated.id);
    let kinetic = id(Energy::Kinetic);
    let zero = graph.zero();
    let potential = kinetic.map(|_| id(Energy::Potential).unwrap_or(zero));
    let lagrangian = match (id(Energy::Lagrangian), kinetic, potential) {
        (Some(lagrangian), ..) => lagrangian,
        (None, Some(kinetic), Some(potential)) => graph.sub(kinetic, potential),
        _ => zero,
    };
    (lagrangian, [kinetic, potential, id(Energy::Dissipation)])
}

/// Both sides of a statement. They must have the same shape.
pub(super) fn sides(scope: &mut Scope<'_>, what: &str, (left, right): (&Expr, &Expr)) -> Option<(Value, Value)> {
    let (left_value, right_value) = (scope.value(left), scope.value(right));
    let (left_value, right_value) = (left_value?, right_value?);
    scope.checked(same_shape(what, &left_value, &right_value), left.place.to(right.place))?;
    Some((left_value, right_value))
}

/// The rows of the holonomic and of the nonholonomic constraints, with the places of their names.
type Always = [(Vec<Row>, Vec<Place>); 2];

/// The rows of the holonomic and of the nonholonomic constraints, with the places of their names, and the rows of those that modes switch.
/// Outputs may name them after this call.
fn constraints<'s>(spec: &'s Spec, scope: &mut Scope<'_>, coordinates: usize) -> (Always, latch::Rows<'s>) {
    let mut latches = Vec::new();
    let mut rows: Vec<(ConstraintKind, Vec<i64>, &Ident, Row)> = Vec::new();
    let mut seen: BTreeSet<(String, Vec<i64>)> = BTreeSet::new();
    for statement in &spec.statements {
        let StatementKind::Constraint { kind, name, indices, left, right, when } = &statement.kind else { continue };
        each_element(scope, indices, |scope, element| {
            let text = element_name(&plain(name), element);
            if !seen.insert((plain(name), element.to_vec())) {
                scope.report.add(Mistake::DuplicateConstraint { name: text }, name);
                return None;
            }
            let is_on = match when {
                Some(when) => Some(latch::switch(scope, &text, when)?),
                None => None,
            };
            let takes_modes = is_on.is_some() && *kind == ConstraintKind::Holonomic;
            let (left_value, right_value) = sides(scope, "a constraint", (left, right))?;
            let entries = left_value.entries.iter().zip(&right_value.entries);
            let entries: Vec<Id> = entries.map(|(left, right)| scope.graph.sub(*left, *right)).collect();
            for (side, value) in [(left, &left_value), (right, &right_value)] {
                if !restrict::constraint_side(scope, (*kind, takes_modes), &plain(name), side, value) {
                    return None;
                }
            }
            for (component, value) in entries.iter().enumerate() {
                let name_text = if entries.len() == 1 { text.clone() } else { format!("{text}[{component}]") };
                restrict::constraint_row(scope, *kind, &name_text, *value, left.place.to(right.place))?;
                if let Some(is_on) = is_on {
                    latches.push((latch::row(scope, *kind, (name_text, *value, is_on))?, name));
                    continue;
                }
                rows.push((*kind, element.to_vec(), name, Row { name: name_text, value: *value }));
            }
            if *kind == ConstraintKind::Holonomic && is_on.is_none() {
                scope.record_rows([&left_value, &right_value], &entries);
            }
            Some(())
        });
    }
    // The multipliers λ are numbered over the holonomic rows first.
    let (holonomic, nonholonomic): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|(kind, ..)| *kind == ConstraintKind::Holonomic);
    let mut by_name = Rows::new(coordinates as u32);
    for (multiplier, (kind, element, name, row)) in (0..).zip(holonomic.iter().chain(&nonholonomic)) {
        by_name.add(&plain(name), element, reaction::Row { multiplier, kind: *kind, value: row.value });
    }
    by_name.switched = latches.iter().map(|(_, name)| plain(name)).collect();
    scope.rows = Some(by_name);
    let always = [holonomic, nonholonomic];
    let always = always.map(|rows| rows.into_iter().map(|(_, _, name, row)| (row, Place::from(name))).unzip());
    (always, latches)
}

/// The components of the sensors, with the places of their statements.
fn outputs(spec: &Spec, scope: &mut Scope<'_>) -> (Vec<Output>, Vec<Place>) {
    let mut outputs = Vec::new();
    let mut seen: BTreeSet<(String, Vec<i64>)> = BTreeSet::new();
    for statement in &spec.statements {
        let StatementKind::Output { name, indices, value: expr, .. } = &statement.kind else { continue };
        each_element(scope, indices, |scope, element| {
            let text = element_name(&plain(name), element);
            if !seen.insert((plain(name), element.to_vec())) {
                scope.report.add(Mistake::DuplicateOutput { name: text }, name);
                return None;
            }
            let value = scope.value(expr)?;
            if value.shape == Shape::Condition {
                let mistake = scalar_needed(&format!("`output {text}`"), &value);
                scope.report.add(mistake, expr.place);
                return None;
            }
            for (component, entry) in value.entries.iter().enumerate() {
                let name = match value.shape {
                    Shape::Scalar | Shape::Condition => text.clone(),
                    Shape::Vector(_) => format!("{text}[{component}]"),
                    Shape::Matrix(_, columns) => format!("{text}[{}][{}]", component / columns, component % columns),
                };
                outputs.push((Output { name, value: *entry }, statement.place));
            }
            Some(())
        });
    }
    outputs.into_iter().unzip()
}

/// Whether the statement is `assume regular;`.
fn states_regularity(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::Assume(Expr { kind: ExprKind::Name(name), .. }) if name == "regular")
}

/// Whether the block has a claim.
fn has_claims(spec: &Spec) -> bool {
    let is_claim =
        |kind: &StatementKind| matches!(kind, StatementKind::Verify { .. } | StatementKind::Invariant { .. });
    spec.statements.iter().any(|statement| is_claim(&statement.kind))
}

/// The conditions on parameters, with the places of their statements.
fn assumptions(spec: &Spec, scope: &mut Scope<'_>) -> Vec<(Assumption, Place)> {
    let mut assumptions = Vec::new();
    for statement in &spec.statements {
        let StatementKind::Assume(expr) = &statement.kind else { continue };
        if states_regularity(&statement.kind) || asserted(expr).is_some() {
            continue;
        }
        let (larger, smaller) = match &expr.kind {
            ExprKind::Binary(Binary::Greater, left, right) => (left, right),
            ExprKind::Binary(Binary::Less, left, right) => (right, left),
            other => {
                let form = match other {
                    ExprKind::Binary(Binary::GreaterEqual, left, right) => format!("assume {left} > {right};"),
                    ExprKind::Binary(Binary::LessEqual, left, right) => format!("assume {left} < {right};"),
                    _ => "assume left > right;`, `assume regular;` or `assume continuous(expression);".to_owned(),
                };
                scope.report.add(Mistake::AssumptionForm { found: expr.to_string(), form }, expr.place);
                continue;
            }
        };
        let what = "a side of an assumption";
        let (large, small) = (scope.scalar(larger, what), scope.scalar(smaller, what));
        let (Some(large), Some(small)) = (large, small) else { continue };
        let value = scope.graph.sub(large, small);
        if restrict::assumption(scope, expr, value) {
            assumptions.push((Assumption { text: expr.to_string(), value }, statement.place));
        }
    }
    assumptions
}

/// The arguments of `assume continuous(…)`.
fn asserted(expr: &Expr) -> Option<&[Expr]> {
    match &expr.kind {
        ExprKind::Call { function, arguments } if plain(function) == "continuous" => Some(arguments),
        _ => None,
    }
}

/// The quantities in `assume continuous(…)`. The assertion decides cases that cannot be decided otherwise. It does not
/// hide a jump that was found.
fn continuous(spec: &Spec, scope: &mut Scope<'_>) -> Vec<Id> {
    let mut entries = Vec::new();
    for statement in &spec.statements {
        let StatementKind::Assume(expr) = &statement.kind else { continue };
        let Some(arguments) = asserted(expr) else { continue };
        let [argument] = arguments else {
            scope.report.add(
                Mistake::AssumptionForm { found: expr.to_string(), form: "assume left > right;".to_owned() },
                expr.place,
            );
            continue;
        };
        let Some(value) = scope.value(argument) else { continue };
        if value.shape == Shape::Condition {
            let mistake = Mistake::ScalarNeeded {
                what: "what is continuous".to_owned(),
                found: value.shape.to_string(),
                help: String::new(),
            };
            scope.report.add(mistake, argument.place);
            continue;
        }
        entries.extend(value.entries);
    }
    entries
}

/// The path of the runtime and the limit on operations, where they are stated.
fn settings(spec: &Spec, scope: &mut Scope<'_>) -> (Option<TokenStream>, Option<usize>) {
    let mut runtime = None;
    let mut limit = None;
    for statement in &spec.statements {
        match &statement.kind {
            StatementKind::Crate(path) => runtime = Some(path.clone()),
            StatementKind::MaxOperations(expr) => match scope.known.whole(expr) {
                Ok(whole) if whole > 0 => limit = usize::try_from(whole).ok(),
                Ok(_) => scope.report.add(Mistake::OperationLimit {}, expr.place),
                Err(fault) => scope.fault(fault),
            },
            _ => {}
        }
    }
    (runtime, limit)
}

fn place_of_table(spec: &Spec, table: &str) -> Place {
    let is_it = |kind: &StatementKind| matches!(kind, StatementKind::Table { name, .. } if plain(name) == table);
    let statement = spec.statements.iter().find(|statement| is_it(&statement.kind));
    statement.map_or_else(|| (&spec.item.item.ident).into(), |statement| statement.place)
}

/// The warnings that the block and the blocks of its parts allow.
fn allowances(spec: &Spec) -> Vec<Allowance> {
    let mut all = Vec::new();
    for statement in &spec.statements {
        let StatementKind::Allow { lints, part } = &statement.kind else { continue };
        all.extend(lints.iter().map(|lint| Allowance { lint: plain(lint), part: part.clone() }));
    }
    all
}

/// Warns of the inputs that stand in nothing that acts or is measured.
fn unused_inputs(graph: &Graph, inputs: &[Named], physics: &Physics, warnings: &mut Report) {
    let energies = [physics.lagrangian].into_iter().chain(physics.kinetic);
    let roots: Vec<Id> = energies.chain(physics.beside_energies()).collect();
    for (index, input) in (0..).zip(inputs) {
        if !roots.iter().any(|root| graph.depends_on(*root, Symbol::Input(index))) {
            warnings.add(Mistake::UnusedInput { input: input.name.clone() }, &input.ident);
        }
    }
}
