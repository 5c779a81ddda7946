//! The derived equations for readers: the documentation of the struct, text and LaTeX, and what each hoisted value is.

use super::{Conserved, Derivation};
use crate::emit::Check;
use crate::graph::{Id, Symbol};
use crate::meaning::{Constraint, DerivedNames, Model, Named};
use crate::mechanics::{Contacts, Degenerate};
use crate::print::{Equation, LONGEST, Naming, documentation, latex_aligned, text, text_lines};
use crate::program::Evaluations;
use crate::report::{Mistake, Report};
use crate::syntax::{Spec, StatementKind, plain};
use proc_macro2::Ident;

/// The names with which a model's symbols are printed.
pub(super) fn naming(model: &Model) -> Naming {
    let names = |list: &[Named]| list.iter().map(|named| named.name.clone()).collect();
    Naming {
        coordinates: names(&model.coordinates),
        states: model.states.len(),
        parameters: names(&model.parameters),
        inputs: names(&model.inputs),
        multipliers: model.rows().map(|row| format!("multiplier({})", row.name)).collect(),
        functions: model.externs.iter().map(|function| function.name.clone()).collect(),
        tables: model.tables(),
        solutions: model.graph.implicits().iter().map(|equations| solutions(model, &equations.coordinates)).collect(),
    }
}

/// The names of the rates that equations of these coordinates determine, and of the number that says whether they do.
fn solutions(model: &Model, coordinates: &[u32]) -> Vec<String> {
    let names: Vec<&str> =
        coordinates.iter().filter_map(|&index| Some(model.coordinates.get(index as usize)?.name.as_str())).collect();
    let found = format!("found_{}", names.first().copied().unwrap_or_default());
    names.iter().map(|name| format!("rate_{name}")).chain([found]).collect()
}

/// Whether the momentum depends on each parameter.
pub(super) fn inertial(derivation: &Derivation) -> Vec<bool> {
    let Derivation { model, equations, .. } = derivation;
    let stands =
        |index| equations.momentum.iter().any(|&momentum| model.graph.depends_on(momentum, Symbol::Parameter(index)));
    (0..model.parameters.len() as u32).map(stands).collect()
}

/// The equations that are printed: the lower triangle of M, then F, p, the rates of the states and h, then the left sides of the constraints, and
/// the gaps of contacts, and the bounds of frictions that contain multipliers.
/// Large mechanisms print their energies only.
fn derived(derivation: &Derivation) -> Vec<Equation> {
    let Derivation { model, equations, .. } = derivation;
    let names: Vec<&str> = model.coordinates.iter().map(|named| named.name.as_str()).collect();
    let mut list = Vec::new();
    if equations.mass.is_empty() {
        // The matrix is too large to be read entry by entry.
        for (name, energy) in [("kinetic", equations.kinetic), ("potential", equations.potential)] {
            list.extend(energy.map(|energy| Equation::new(name, energy)));
        }
        if has_energy(model) {
            list.push(Equation::new("energy", equations.energy));
        }
        list.extend(rates(derivation));
        return list;
    }
    let mechanical = model.mechanical();
    for (i, row) in equations.mass.iter().take(mechanical).enumerate() {
        for (j, &entry) in row[..=i].iter().enumerate() {
            if !model.graph.is_zero(entry) {
                list.push(Equation::new(&format!("mass[{}, {}]", names[i], names[j]), entry));
            }
        }
    }
    let vectors = [("forcing", &equations.forcing), ("momentum", &equations.momentum)];
    for (quantity, entries) in vectors {
        for (name, &entry) in names.iter().zip(entries).take(mechanical) {
            list.push(Equation::new(&format!("{quantity}[{name}]"), entry));
        }
    }
    list.extend(rates(derivation));
    if has_energy(model) {
        list.push(Equation::new("energy", equations.energy));
    }
    let kinds = [("constraint", &model.constraints), ("nonholonomic", &model.nonholonomic)];
    for (kind, rows) in kinds {
        for row in rows {
            list.push(Equation::new(&format!("{kind}[{}]", row.name), row.value));
        }
    }
    for contact in &model.contacts {
        list.push(Equation::new(&format!("contact[{}]", contact.name), contact.gap));
    }
    for friction in model.loaded.iter().filter(|friction| friction.part[0] == 0) {
        list.push(Equation::new(&format!("friction[{}]", friction.name), friction.bound));
    }
    list
}

/// Whether a model has energies: it has coordinates.
fn has_energy(model: &Model) -> bool {
    model.mechanical() + model.without_inertia.len() > 0
}

/// The equations of the states. A rate that an iteration finds has its equation 0 = r.
fn rates(derivation: &Derivation) -> impl Iterator<Item = Equation> + '_ {
    let Derivation { model, equations, .. } = derivation;
    let mechanical = model.mechanical();
    let named = model.coordinates[mechanical..].iter().zip(&equations.forcing[mechanical..]);
    (mechanical as u32..).zip(named).map(|(index, (state, &rate))| {
        match equations.resolved.implicit.iter().find(|row| row.coordinate == index) {
            Some(row) => Equation::new("0", row.residual),
            None => Equation::new(&format!("dot({})", state.name), rate),
        }
    })
}

/// The first paragraph of the doc comment that a list of attributes makes up, as one line.
pub(super) fn first_paragraph(attributes: &[syn::Attribute]) -> String {
    let text = crate::parse::documentation(attributes);
    let lines = text.lines().map(str::trim).skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// The lines of Markdown with the equations and the cost of each evaluation.
pub(super) fn struct_documentation(derivation: &Derivation, evaluations: &Evaluations) -> Vec<String> {
    let names = naming(&derivation.model);
    let mut lines = vec![String::new()];
    lines.extend(documentation(&derivation.model.graph, "Derived equations", &derived(derivation), &names));
    lines.push(String::new());
    if let [first, others @ ..] = &derivation.model.without_inertia[..] {
        let names = others.iter().fold(format!("`{first}`"), |names, name| format!("{names}, `{name}`"));
        lines.push(format!(
            "Without inertia: {names}. Their rates above follow from their equations, and their values stand among the velocities \
             of a state."
        ));
        lines.push(String::new());
    }
    let solved = if derivation.equations.constraints.is_empty() {
        "They are solved as `mass * acceleration = forcing`."
    } else {
        "They are solved as `mass * acceleration = forcing + transpose(G) * multipliers`, with the constraints zero."
    };
    for (name, how) in &derivation.invariants {
        lines.push(match how {
            Conserved::Proved => format!("`{name}` is conserved (proved)."),
            Conserved::Checked { points } => format!(
                "`{name}` is conserved (checked at {points} states with quantities from 1e-6 to 1e6, not proved)."
            ),
        });
        lines.push(String::new());
    }
    lines.push(format!("{solved} Operations of each evaluation:"));
    lines.push(String::new());
    for (name, count) in evaluations.counts() {
        lines.push(format!("- `{name}`: {count}"));
    }
    lines
}

/// The equations as text, one on a line.
pub(super) fn equations_text(derivation: &Derivation) -> String {
    let names = naming(&derivation.model);
    text_lines(&derivation.model.graph, &derived(derivation), &names, LONGEST).join("\n")
}

/// The equations as a block of LaTeX.
pub(super) fn equations_latex(derivation: &Derivation) -> String {
    let names = naming(&derivation.model);
    latex_aligned(&derivation.model.graph, &derived(derivation), &names, LONGEST)
}

/// The sentence that says how to overrule a finding that is not proved.
fn otherwise(proved: bool) -> String {
    if proved {
        return String::new();
    }
    "; seen at every state that was tried, but not proved: where it does not hold, state `assume regular;`".to_owned()
}

/// The mistakes that make the equations singular at every state.
pub(super) fn degeneracies(model: &Model, reasons: &[Degenerate]) -> Report {
    let mut report = Report::new();
    for reason in reasons {
        match reason {
            Degenerate::WithoutInertia { coordinate } => {
                let (name, place) = named(model, *coordinate);
                report.add(Mistake::NoInertia { coordinate: name }, place);
            }
            Degenerate::NonlinearVelocity { coordinate, jumps } => {
                let (name, place) = named(model, *coordinate);
                let mistake = match jumps {
                    true => Mistake::JumpingVelocity { coordinate: name },
                    false => Mistake::NonlinearVelocity { coordinate: name },
                };
                report.add(mistake, place);
            }
            Degenerate::Undetermined { rates } => {
                let first = &model.coordinates[rates.first().map_or(0, |(index, _)| *index as usize)];
                let mistake = match rates.len() {
                    1 => Mistake::NoInertia { coordinate: first.name.clone() },
                    _ => Mistake::MotionUndetermined { motion: motion(model, rates) },
                };
                report.add(mistake, &first.ident);
            }
            Degenerate::Motion { rates, proved } => {
                let motion = motion(model, rates);
                let first = rates.first().map_or(0, |(index, _)| *index as usize);
                report.add(
                    Mistake::MotionWithoutInertia { motion, otherwise: otherwise(*proved) },
                    &model.coordinates[first].ident,
                );
            }
            Degenerate::Redundant { rows, proved } => {
                let named: Vec<&Constraint> = rows.iter().filter_map(|&row| model.rows().nth(row as usize)).collect();
                let names: Vec<String> = named.iter().map(|row| format!("`{}`", row.name)).collect();
                if let Some(last) = named.last() {
                    let mistake =
                        Mistake::RedundantConstraints { names: names.join(" and "), otherwise: otherwise(*proved) };
                    report.add(mistake, &last.ident);
                }
            }
        }
    }
    report
}

/// The name of a coordinate, and where it is stated.
fn named(model: &Model, coordinate: u32) -> (String, &Ident) {
    let coordinate = &model.coordinates[coordinate as usize];
    (coordinate.name.clone(), &coordinate.ident)
}

/// A motion as text: the rates of its coordinates.
fn motion(model: &Model, rates: &[(u32, Option<f64>)]) -> String {
    let parts = rates.iter().map(|(index, rate)| {
        let name = &model.coordinates[*index as usize].name;
        rate.map_or_else(|| format!("dot({name})"), |rate| format!("dot({name}) = {rate}"))
    });
    format!("`{}`", parts.collect::<Vec<_>>().join(", "))
}

/// The mistakes of contacts that share the sign of their slip rate with another statement.
pub(super) fn shared_slips(model: &Model, contacts: &Contacts) -> Report {
    let mut report = Report::new();
    let frictions = contacts.shared.iter().map(|&(index, switch)| (model.frictions.get(index), switch));
    let loaded = contacts.shared_loads.iter().map(|&(index, switch)| (model.loaded.get(index), switch));
    for (friction, switch) in frictions.chain(loaded) {
        if let Some(friction) = friction {
            let (name, switch) = (friction.name.clone(), text(&model.graph, switch, &naming(model)));
            report.add(Mistake::FrictionShared { name, switch }, &friction.ident);
        }
    }
    report
}

/// The mistakes of smooth frictions whose bound or slip rate may have the wrong sign.
pub(super) fn unsigned_frictions(model: &Model, unsigned: &[[bool; 2]]) -> Report {
    let mut report = Report::new();
    for (friction, [bound, width]) in model.smooth_frictions.iter().zip(unsigned) {
        let (name, written) = (friction.name.clone(), |id| text(&model.graph, id, &naming(model)));
        if *bound {
            report.add(Mistake::SmoothBound { name: name.clone(), bound: written(friction.bound) }, friction.places[0]);
        }
        if *width {
            report.add(Mistake::SmoothRange { name, found: written(friction.width) }, friction.places[1]);
        }
    }
    report
}

/// The mistakes of invariants beside contacts, whose impacts may change what the equations of motion conserve.
pub(super) fn invariants_with_contacts(spec: &Spec, model: &Model) -> Report {
    let mut report = Report::new();
    if model.contacts.is_empty() {
        return report;
    }
    for statement in &spec.statements {
        if let StatementKind::Invariant { name, .. } = &statement.kind {
            report.add(Mistake::ContactInvariant { name: plain(name) }, name);
        }
    }
    report
}

/// The mistakes of claims about the motion beside a friction whose bound contains multipliers, or whose slip is a vector. No derived
/// equation contains its force.
pub(super) fn claims_with_loads(spec: &Spec, model: &Model) -> Report {
    let mut report = Report::new();
    let Some(friction) = model.loaded.first() else { return report };
    for statement in &spec.statements {
        let (kind, claim) = match &statement.kind {
            StatementKind::Invariant { name, .. } => ("invariant", plain(name)),
            StatementKind::Verify { left, right, .. } => {
                let claim = format!("{left} == {right}");
                if !DerivedNames::OF_THE_MOTION.iter().any(|name| claim.contains(name)) {
                    continue;
                }
                ("claim", claim)
            }
            _ => continue,
        };
        let mistake = Mistake::FrictionClaim { kind: kind.to_owned(), claim, friction: friction.name.clone() };
        report.add(mistake, statement.place);
    }
    report
}

/// The outputs that contain the force of a contact.
pub(super) fn outputs_of_forces(model: &Model) -> Vec<usize> {
    let acts = |value| model.graph.contains(value, |symbol| matches!(symbol, Symbol::Force(_)));
    let outputs = model.outputs.iter().enumerate();
    outputs.filter(|(_, output)| acts(output.value)).map(|(index, _)| index).collect()
}

/// What `prepare` checks, as text: the stated assumptions, and the conditions that the proofs of the facts used.
pub(super) fn checks(derivation: &Derivation) -> Vec<Check> {
    let Derivation { model, equations, .. } = derivation;
    let names = naming(model);
    let assumed = model.assumptions.iter().map(|assumption| Check::Assumption(assumption.text.clone()));
    let positive = equations.positivity.iter().map(|positivity| Check::Positive {
        expression: text(&model.graph, positivity.expression, &names),
        strictly: positivity.strictly,
    });
    assumed.chain(positive).collect()
}

/// The switching functions as text.
pub(super) fn switches(derivation: &Derivation) -> Vec<String> {
    let names = naming(&derivation.model);
    derivation.equations.switches.iter().map(|id| text(&derivation.model.graph, *id, &names)).collect()
}

/// What each hoisted value stands for.
pub(super) fn hoisted(derivation: &Derivation, evaluations: &Evaluations) -> Vec<String> {
    let names = naming(&derivation.model);
    let expressions = evaluations.builder.expressions();
    let describe = |id: &Id| format!("`{}`", text(&derivation.model.graph, *id, &names));
    evaluations
        .hoisted
        .iter()
        .map(|value| expressions.get(value).map_or_else(|| "Part of the factored mass matrix.".to_owned(), describe))
        .collect()
}
