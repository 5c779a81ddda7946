//! What a mechanism says of itself: its equations for readers, as text and LaTeX and in the documentation of the struct, and the names
//! of what the emitted code computes and checks.

mod documentation;
mod stated;

use crate::assembly::Source;
use crate::derivation::Derivation;
use crate::graph::{Graph, Id, Symbol};
use crate::meaning::{Let, Model, Shape};
use crate::print::{Equation, Equations, Kept, LONGEST, Naming, kept, text, tidied, written};
use crate::program::Evaluations;
use crate::syntax::Spec;
use documentation::documentation;
use quote::quote;

pub use documentation::Lines;

/// What a mechanism says of itself.
#[derive(Clone, Debug)]
pub struct Texts {
    /// A hash that distinguishes this block and struct from others.
    pub fingerprint: u64,
    /// The block as written.
    pub block: String,
    /// The tokens of the block, of the struct and of the parts, if the mechanism has parts; otherwise empty.
    pub whole: String,
    /// The first paragraph of the struct's doc comment.
    pub summary: String,
    /// The documentation that is added to the struct.
    pub documentation: Vec<Lines>,
    /// The derived equations as text.
    pub equations: String,
    /// The derived equations as LaTeX.
    pub latex: String,
    /// The statements of the block as LaTeX, part by part.
    pub stated: String,
    /// The blocks of the parts and then of the whole, if the mechanism has parts.
    pub stated_text: Option<String>,
    /// The expression of each hoisted value.
    pub hoisted: Vec<String>,
    /// What `prepare` checks, in the order of the evaluations' `checks`.
    pub checks: Vec<Check>,
    /// The switching functions.
    pub switches: Vec<String>,
}

/// A check that `prepare` makes of an expression in parameters.
#[derive(Clone, Debug)]
pub enum Check {
    /// An assumption of the block, as written.
    Assumption(String),
    /// A condition that the proof of a fact used.
    Positive {
        /// The expression as text.
        expression: String,
        /// Whether it must be positive; otherwise it may also be zero.
        strictly: bool,
    },
}

impl Texts {
    /// The texts of a mechanism whose block and struct are these tokens. What is printed has nodes of its own in the graph.
    pub fn of(spec: &Spec, derivation: &mut Derivation, evaluations: &Evaluations, source: &Source) -> Self {
        let shown = Shown::of(derivation);
        let derivation = &*derivation;
        let Derivation { model, equations, .. } = derivation;
        let (graph, names) = (&model.graph, model.naming());
        let printed = shown.equations(graph);
        let forms = Forms {
            block: written(&source.block),
            stated: stated::stated(spec),
            equations: printed.text_lines().join("\n"),
            latex: printed.latex(),
        };
        let documentation = documentation(derivation, evaluations, &forms);
        let Forms { block, stated, equations: text_of_equations, latex } = forms;
        Self {
            fingerprint: fingerprint(source),
            block,
            whole: whole(source),
            summary: first_paragraph(&model.item.attrs),
            documentation,
            equations: text_of_equations,
            latex,
            stated,
            stated_text: stated::stated_text(source),
            hoisted: hoisted(derivation, evaluations),
            checks: checks(derivation),
            switches: equations.switches.iter().map(|id| text(graph, *id, &names)).collect(),
        }
    }
}

/// The statements and the equations, each as text and as LaTeX.
struct Forms {
    block: String,
    stated: String,
    equations: String,
    latex: String,
}

/// The tokens of a mechanism with parts as text. `$crate` is the crate of a part, in which other programs are not.
fn whole(source: &Source) -> String {
    if source.parts.is_empty() { String::new() } else { source.tokens().to_string().replace("$crate", "crate") }
}

/// A hash of a block, its struct and its parts that distinguishes mechanisms: FNV-1a of the tokens.
fn fingerprint(source: &Source) -> u64 {
    let Source { block, item, .. } = source;
    let parts = source.parts_tokens();
    let text = format!("{block} {}", quote!(#item #parts));
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The equations that are printed: the lower triangle of M, then F, p, the rates of the states and h, then the left sides of the constraints,
/// the momenta of symmetries, the gaps of contacts, the bounds of frictions that contain multipliers, and the static bounds of frictions.
/// Large mechanisms print their energies only.
fn printed(derivation: &Derivation) -> Vec<Equation> {
    let Derivation { model, equations, .. } = derivation;
    let physics = &model.physics;
    let names: Vec<&str> = model.coordinates.iter().map(|named| named.name.as_str()).collect();
    let mut list = Vec::new();
    if equations.mass.is_empty() {
        // The matrix is too large to be read entry by entry.
        for (name, energy) in [("kinetic", equations.kinetic), ("potential", equations.potential)] {
            list.extend(energy.map(|energy| Equation::new(name, energy)));
        }
        if has_energy(derivation) {
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
    if has_energy(derivation) {
        list.push(Equation::new("energy", equations.energy));
    }
    let kinds = [("constraint", &physics.constraints), ("nonholonomic", &physics.nonholonomic)];
    for (kind, rows) in kinds {
        for row in rows {
            list.push(Equation::new(&format!("{kind}[{}]", row.name), row.value));
        }
    }
    for symmetry in &derivation.symmetries {
        list.push(Equation::new(&format!("symmetry[{}]", symmetry.name), symmetry.momentum));
    }
    for contact in &physics.contacts {
        let kind = match contact.latch {
            None => "contact",
            Some(latch) if latch.is_holonomic => "constraint",
            Some(_) => "nonholonomic",
        };
        list.push(Equation::new(&format!("{kind}[{}]", contact.name), contact.position().unwrap_or(contact.rate)));
    }
    for friction in physics.loaded.iter().filter(|friction| friction.part[0] == 0 && friction.contact.is_none()) {
        list.push(Equation::new(&format!("friction[{}]", friction.name), friction.slip.bound));
    }
    let contacts = &equations.contacts;
    let names = contacts.names(physics.frictions.iter().map(|friction| &friction.name[..]));
    for (&row, &bound) in contacts.breakaway_rows.iter().zip(&contacts.breakaways) {
        list.push(Equation::new(&format!("breakaway[{}]", names[row]), bound));
    }
    list
}

/// What is printed of a derivation. It adds nodes to the graph, and changes none.
struct Shown {
    list: Vec<Equation>,
    definitions: Vec<Equation>,
    names: Naming,
}

impl Shown {
    /// The equations without branches that are never taken, with like terms combined, and with the names that the block gives to long
    /// expressions.
    fn of(derivation: &mut Derivation) -> Self {
        let (mut list, mut names) = (printed(derivation), derivation.model.naming());
        let Model { graph, lets, .. } = &mut derivation.model;
        // The limit of the derivation is no concern of what is printed.
        graph.limit_nodes(usize::MAX);
        let components =
            lets.iter().flat_map(|definition| (0..).zip(&definition.values).map(move |pair| (definition, pair)));
        let (named, values): (Vec<String>, Vec<Id>) =
            components.map(|(definition, (place, value))| (component(definition, place), *value)).unzip();
        let rights: Vec<Id> = list.iter().map(|equation| equation.right).collect();
        let tidied = tidied(graph, &[rights, values].concat());
        let (rights, values) = tidied.split_at(list.len());
        let named: Vec<(String, Id)> = named.into_iter().zip(values.iter().copied()).collect();
        let Kept { roots, definitions } = kept(graph, rights, &named);
        for (equation, right) in list.iter_mut().zip(roots) {
            equation.right = right;
        }
        let mut defined = Vec::new();
        for (symbol, name, value) in definitions {
            defined.push(Equation::definition(&name, value));
            if let Symbol::Dummy(index) = symbol {
                names.quantities.insert(index, name);
            }
        }
        Self { list, definitions: defined, names }
    }

    fn equations<'a>(&'a self, graph: &'a Graph) -> Equations<'a> {
        let Self { list, definitions, names } = self;
        Equations { graph, list, definitions, names, longest: LONGEST }
    }
}

/// The name of a component of an intermediate quantity.
fn component(definition: &Let, place: usize) -> String {
    match definition.shape {
        Shape::Vector(_) => format!("{}[{place}]", definition.name),
        Shape::Matrix(_, columns) => format!("{}[{}][{}]", definition.name, place / columns, place % columns),
        Shape::Scalar | Shape::Condition => definition.name.clone(),
    }
}

/// Whether a mechanism has energies: it has coordinates.
fn has_energy(derivation: &Derivation) -> bool {
    let Derivation { model, equations, .. } = derivation;
    model.mechanical() + equations.resolved.rates.len() > 0
}

/// The equations of the states, and the changes of the modes. A rate that an iteration finds has its equation 0 = r.
fn rates(derivation: &Derivation) -> impl Iterator<Item = Equation> + '_ {
    let Derivation { model, equations, .. } = derivation;
    let mechanical = model.mechanical();
    let first_mode = model.coordinates.len() - model.physics.modes;
    let named = model.coordinates[mechanical..first_mode].iter().zip(&equations.forcing[mechanical..]);
    let rates = (mechanical as u32..).zip(named).map(|(index, (state, &rate))| {
        match equations.resolved.implicit.iter().find(|row| row.coordinate == index) {
            Some(row) => Equation::new("0", row.residual),
            None => Equation::new(&format!("dot({})", state.name), rate),
        }
    });
    rates.chain(changes(derivation))
}

/// The condition of each change of a mode, which is positive where it holds, and what the change assigns.
fn changes(derivation: &Derivation) -> impl Iterator<Item = Equation> + '_ {
    let Derivation { model, .. } = derivation;
    let names = model.naming();
    model.physics.changes.iter().enumerate().flat_map(move |(index, change)| {
        let condition = Equation::new(&format!("condition[{index}]"), change.condition);
        let assigned = change.assigned.iter().map(|(target, value)| {
            let target = text(&model.graph, *target, &names);
            Equation::new(&format!("change[{index}]({target})"), *value)
        });
        std::iter::once(condition).chain(assigned.collect::<Vec<_>>())
    })
}

/// The first paragraph of the doc comment that a list of attributes makes up, as one line.
fn first_paragraph(attributes: &[syn::Attribute]) -> String {
    let text = crate::parse::documentation(attributes);
    let lines = text.lines().map(str::trim).skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// What `prepare` checks, as text: the stated assumptions, and the conditions that the proofs of the facts used.
fn checks(derivation: &Derivation) -> Vec<Check> {
    let Derivation { model, equations, .. } = derivation;
    let names = model.naming();
    let assumed = model.physics.assumptions.iter().map(|assumption| Check::Assumption(assumption.text.clone()));
    let positive = equations.positivity.iter().map(|positivity| Check::Positive {
        expression: text(&model.graph, positivity.expression, &names),
        strictly: positivity.strictly,
    });
    assumed.chain(positive).collect()
}

/// What each hoisted value stands for.
fn hoisted(derivation: &Derivation, evaluations: &Evaluations) -> Vec<String> {
    let names = derivation.model.naming();
    let expressions = evaluations.builder.expressions();
    let describe = |id: &Id| format!("`{}`", text(&derivation.model.graph, *id, &names));
    evaluations
        .hoisted
        .iter()
        .map(|value| expressions.get(value).map_or_else(|| "Part of the factored mass matrix.".to_owned(), describe))
        .collect()
}
