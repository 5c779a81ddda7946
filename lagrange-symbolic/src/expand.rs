//! The whole derivation: tokens → Spec → Graph → Equations → Program → tokens.

mod claims;
mod conserved;
mod first_order;
mod odd;
mod signs;
mod summary;

pub use conserved::Conserved;

use crate::emit::{Coordinate, Emission, Field, FieldType, emit, unfinished};
use crate::graph::Symbol;
use crate::graph::engine::Engine;
use crate::graph::function::{Function, Orders};
use crate::meaning::{self, Constraint, Model, Named};
use crate::mechanics::{Contact, Equations, Force, Friction, Loaded, Physics, State, derive};
use crate::print::written;
use crate::program::{Builder, Evaluations, Operation};
use crate::prove::{Continuity, continuity};
use crate::report::{Mistake, Place, Report};
use crate::syntax::{Energy, NumberType, Spec, StatementKind};
use crate::{calculus, parse};
use proc_macro2::TokenStream;
use quote::quote;

/// The expansion of `#[lagrangian { block }] item`: the struct with its equations, or the struct with the messages.
pub fn expand(block: TokenStream, item: TokenStream) -> TokenStream {
    let runtime = parse::runtime_path(&block).unwrap_or_else(|| quote!(::lagrange_runtime));
    let expansion = parse::parse(block.clone(), item.clone())
        .and_then(|spec| derived(&spec, (fingerprint(&block, &item), &written(&block)), &runtime));
    expansion.unwrap_or_else(|report| {
        let (coordinates, inputs) = (parse::coordinate_names(&block), parse::input_count(&item));
        let constraints = parse::constraint_count(&block);
        unfinished(&parse::without_helpers(item), &coordinates, constraints, inputs, &report, &runtime)
    })
}

/// A hash of a block and its struct that distinguishes mechanisms: FNV-1a of the tokens.
fn fingerprint(block: &TokenStream, item: &TokenStream) -> u64 {
    let text = format!("{block} {item}");
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// A mechanism with its derived equations. The expansion is written from it, and tests examine it.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The block's meaning, with the graph that holds every expression.
    pub model: Model,
    /// The derived quantities.
    pub equations: Equations,
    /// The constants of the motion, and how each was established.
    pub invariants: Vec<(String, Conserved)>,
}

/// Elaborates a block, derives its equations and decides its claims, by the engine that the macro uses.
///
/// # Errors
/// Every mistake of the first phase that finds one.
pub fn derivation(spec: &Spec) -> Result<Derivation, Report> {
    derivation_by(calculus::chosen(), spec)
}

/// Elaborates a block, derives its equations and decides its claims, by an engine of the caller's choice.
///
/// # Errors
/// Every mistake of the first phase that finds one. The first phase checks that the engine can be used.
pub fn derivation_by(engine: &'static dyn Engine, spec: &Spec) -> Result<Derivation, Report> {
    engine.start().map_err(|reason| unavailable(reason, &spec.item.item))?;
    let mut model = meaning::elaborate_by(engine, spec)?;
    bounded(&model)?;
    model.graph.limit_nodes(max_operations(&model).saturating_mul(NODES_PER_OPERATION));
    let is_claim =
        |kind: &StatementKind| matches!(kind, StatementKind::Verify { .. } | StatementKind::Invariant { .. });
    let claims = spec.statements.iter().any(|statement| is_claim(&statement.kind));
    summary::invariants_with_contacts(spec, &model).propagate(())?;
    summary::claims_with_loads(spec, &model).propagate(())?;
    if let Some(term) = odd::term(&model) {
        let place = spec.statements.iter().find(|statement| states_dissipation(&statement.kind));
        model
            .warnings
            .add(Mistake::OddDissipation { term }, place.map_or((&spec.item.item.ident).into(), |found| found.place));
    }
    let needs_mass = claims || !(model.frictions.is_empty() && model.contacts.is_empty() && model.loaded.is_empty());
    let stated = physics(&model, needs_mass);
    first_order::find(&mut model, &stated)?;
    let physics = physics(&model, needs_mass);
    let equations = derive(&mut model.graph, &physics, Builder::weight_of);
    bounded(&model)?;
    let mut equations = equations.map_err(|reasons| summary::degeneracies(&model, &reasons))?;
    first_order::continuous(&model, &equations.resolved).propagate(())?;
    first_order::resolve(&mut model, &equations.resolved)?;
    summary::shared_slips(&model, &equations.contacts).propagate(())?;
    summary::unsigned_frictions(&model, &equations.unsigned).propagate(())?;
    let disguised: Vec<Constraint> =
        equations.integrable.iter().filter_map(|&row| model.rows().nth(row as usize).cloned()).collect();
    for row in disguised {
        model.warnings.add(Mistake::HolonomicInDisguise { constraint: row.name }, &row.ident);
    }
    if let Some(coordinate) = jumping_momentum(&model, &equations) {
        let coordinate = &model.coordinates[coordinate as usize];
        model.warnings.add(Mistake::MomentumJumps { coordinate: coordinate.name.clone() }, &coordinate.ident);
    }
    let settled = claims::settle(spec, &mut model, &mut equations);
    bounded(&model)?;
    let invariants = settled?;
    Ok(Derivation { model, equations, invariants })
}

fn states_dissipation(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::Energy { energy: Energy::Dissipation, .. })
}

/// The first coordinate whose momentum jumps because L has a kink in the velocities.
fn jumping_momentum(model: &Model, equations: &Equations) -> Option<u32> {
    let moving = |symbol: Symbol| matches!(symbol, Symbol::Coordinate(_) | Symbol::Velocity(_) | Symbol::Time);
    equations.kinked.iter().copied().find(|&coordinate| {
        let momentum = equations.momentum[coordinate as usize];
        matches!(continuity(&model.graph, momentum, &model.domain, &moving), Continuity::Jumps(_))
    })
}

/// The most operations of an evaluation, unless the block states another number. A function of this size takes rustc
/// several seconds.
const MAX_OPERATIONS: usize = 30_000;

/// The most nodes that a derivation may make for each operation that the longest evaluation may have. Most derivations
/// make fewer than three, intermediate results included.
const NODES_PER_OPERATION: usize = 8;

fn max_operations(model: &Model) -> usize {
    model.max_operations.unwrap_or(MAX_OPERATIONS)
}

/// Fails where the graph reached its largest size, or where the engine returned a result that the graph has no
/// expression for.
fn bounded(model: &Model) -> Result<(), Report> {
    if let Some(reason) = model.graph.refused() {
        return Err(unavailable(reason.to_owned(), &model.item));
    }
    if model.graph.is_exhausted() { Err(too_large(model, "the derivation".to_owned())) } else { Ok(()) }
}

/// Fails where an evaluation has more operations than allowed.
fn within_limit(model: &Model, evaluations: &Evaluations) -> Result<(), Report> {
    bounded(model)?;
    let longest = evaluations.counts().into_iter().max_by_key(|(_, count)| count.total());
    match longest {
        Some((name, count)) if count.total() as usize > max_operations(model) => {
            Err(too_large(model, format!("`{name}`")))
        }
        _ => Ok(()),
    }
}

fn unavailable(reason: String, item: &syn::ItemStruct) -> Report {
    Report::of(Mistake::EngineUnavailable { reason }, Place::from(&item.ident))
}

fn too_large(model: &Model, what: String) -> Report {
    let mut report = Report::new();
    report.add(Mistake::TooLarge { what, limit: max_operations(model) }, &model.item.ident);
    report
}

/// The quantities from which the equations are derived. Claims may name any entry of M.
fn physics(model: &Model, needs_mass: bool) -> Physics {
    Physics {
        coordinates: model.coordinates.len() as u32,
        states: model
            .states
            .iter()
            .zip(&model.coordinates[model.mechanical()..])
            .map(|(state, named)| State { name: named.name.clone(), rate: state.rate, guard: None, inertia: None })
            .collect(),
        without_inertia: model.without_inertia.len(),
        parameters: model.parameters.len() as u32,
        inputs: model.inputs.len() as u32,
        lagrangian: model.lagrangian,
        kinetic: model.kinetic,
        potential: model.potential,
        dissipation: model.dissipation,
        forces: model
            .forces
            .iter()
            .map(|force| Force { name: force.name.clone(), left: force.left.clone(), right: force.right.clone() })
            .collect(),
        frictions: model
            .frictions
            .iter()
            .map(|&meaning::Friction { slip, rate, bound, .. }| Friction { slip, rate, bound })
            .collect(),
        smooth: model.smooth_frictions.iter().map(|friction| [friction.bound, friction.width]).collect(),
        loaded: model
            .loaded
            .iter()
            .map(|&meaning::Friction { ref name, slip, rate, bound, part, .. }| Loaded {
                name: name.clone(),
                friction: Friction { slip, rate, bound },
                part,
            })
            .collect(),
        contacts: model
            .contacts
            .iter()
            .map(|contact| Contact {
                name: contact.name.clone(),
                gap: contact.gap,
                rate: contact.rate,
                restitution: contact.restitution,
                friction: contact.friction.map(|friction| Friction {
                    slip: friction.slip,
                    rate: friction.rate,
                    bound: friction.coefficient,
                }),
            })
            .collect(),
        constraints: model.constraints.iter().map(|row| row.value).collect(),
        nonholonomic: model.nonholonomic.iter().map(|row| row.value).collect(),
        constraint_names: model.rows().map(|row| row.name.clone()).collect(),
        outputs: model.outputs.iter().map(|output| output.value).collect(),
        assumptions: model.assumptions.iter().map(|assumption| assumption.value).collect(),
        regular: model.regular,
        rates: model.rates.clone(),
        bodies: model.bodies.clone(),
        needs_mass,
    }
}

/// The expansion of a block without mistakes.
fn derived(spec: &Spec, (fingerprint, block): (u64, &str), runtime: &TokenStream) -> Result<TokenStream, Report> {
    let mut derivation = derivation(spec)?;
    let evaluations = Evaluations::new(&mut derivation.model.graph, &derivation.equations);
    within_limit(&derivation.model, &evaluations)?;
    underivable(&derivation.model, &evaluations).map_or(Ok(()), Err)?;
    warn_of_density(&mut derivation, &evaluations);
    let Derivation { model, equations, .. } = &derivation;
    let coordinates: Vec<Coordinate> = model.coordinates.iter().map(coordinate).collect();
    let emission = Emission {
        item: &model.item,
        runtime,
        coordinates: &coordinates,
        states: model.states.len(),
        without_inertia: model.without_inertia.len(),
        parameters: &fields(&model.parameters),
        inertial: &summary::inertial(&derivation),
        inputs: &fields(&model.inputs),
        constraints: &model.rows().map(|row| row.name.clone()).collect::<Vec<_>>(),
        singular_mass: equations.singular_mass,
        holonomic: model.constraints.len(),
        forces: model.forces.len() - model.frictions.len(),
        contacts: &equations.contacts.names(model.frictions.iter().map(|friction| &friction.name[..])),
        contact_switches: &equations.contacts.switches,
        contact_laws: &equations.contacts.laws,
        outputs_of_forces: &summary::outputs_of_forces(model),
        outputs: &model.outputs.iter().map(|output| output.name.clone()).collect::<Vec<_>>(),
        switches: &summary::switches(&derivation),
        powers: &equations.powers,
        externs: &model.externs,
        facts: &equations.facts,
        checks: &summary::checks(&derivation),
        evaluations: &evaluations,
        hoisted_text: &summary::hoisted(&derivation, &evaluations),
        fingerprint,
        block,
        summary: &summary::first_paragraph(&model.item.attrs),
        documentation: &summary::struct_documentation(&derivation, &evaluations),
        equations_text: &summary::equations_text(&derivation),
        equations_latex: &summary::equations_latex(&derivation),
        field_uses: &model.field_uses,
    };
    let warnings = &model.warnings;
    let expansion = emit(&emission);
    Ok(quote!(#warnings #expansion))
}

/// The number of operations of an evaluation above which densely coupled velocities cause a warning.
const MANY_OPERATIONS: u32 = 8_000;

/// The coupling is dense if each velocity, of a coordinate or an intermediate one, is coupled with more than this number of others on
/// average.
const MANY_NEIGHBOURS: usize = 8;

/// Warns of long evaluations that come from a dense coupling of the velocities.
fn warn_of_density(derivation: &mut Derivation, evaluations: &Evaluations) {
    let Derivation { model, equations, .. } = derivation;
    let coordinates = model.coordinates.len();
    let operations = evaluations.counts().into_iter().map(|(_, count)| count.total()).max().unwrap_or(0);
    let (velocities, coupled) = match &equations.sparse_mass {
        Some(sparse) => {
            let terms = sparse.definitions.iter().map(Vec::len).sum::<usize>();
            (coordinates + sparse.definitions.len(), sparse.hessian.len() + terms)
        }
        None => {
            let entries = equations.mass.iter().flatten().filter(|entry| !model.graph.is_zero(**entry));
            (coordinates, entries.count() / 2)
        }
    };
    if operations >= MANY_OPERATIONS && coupled > MANY_NEIGHBOURS * velocities {
        let each = operations / coordinates.max(1) as u32;
        let mistake = Mistake::DenseMass { coordinates, operations, each };
        model.warnings.add(mistake, &model.item.ident);
    }
}

/// Reports derivatives of the user's own functions that the equations need and the block does not state.
fn underivable(model: &Model, evaluations: &Evaluations) -> Option<Report> {
    let mut missing = Vec::new();
    let programs = evaluations.implicits.iter().map(|program| &program.builder);
    for operation in programs.chain([&evaluations.builder]).flat_map(Builder::operations) {
        let Operation::Call(Function::Extern { index, orders }, _) = operation else { continue };
        let function = &model.externs[*index as usize];
        let is_given = *orders == Orders::NONE || function.derivatives.iter().any(|(given, _)| given == orders);
        if !is_given && !missing.contains(&(*index, *orders)) {
            missing.push((*index, *orders));
        }
    }
    missing.sort_unstable();
    let mut report = Report::new();
    for (index, orders) in missing {
        let function = &model.externs[index as usize];
        let by: Vec<&str> = orders.arguments().map(|argument| function.arguments[argument].as_str()).collect();
        let mistake = Mistake::MissingDerivative { name: function.name.clone(), by: by.join(", ") };
        report.add(mistake, &function.ident);
    }
    (!report.is_empty()).then_some(report)
}

fn coordinate(named: &Named) -> Coordinate {
    Coordinate { ident: named.ident.clone(), indices: named.indices.clone(), name: named.name.clone() }
}

fn fields(named: &[Named]) -> Vec<Field> {
    named
        .iter()
        .map(|named| Field {
            ident: named.ident.clone(),
            indices: named.indices.clone(),
            name: named.name.clone(),
            kind: match named.number {
                Some(NumberType::F32) => FieldType::Single,
                Some(NumberType::Generic(_)) => FieldType::Generic,
                Some(NumberType::F64) | None => FieldType::Double,
            },
            documentation: named.documentation.clone(),
        })
        .collect()
}

impl From<&Named> for Place {
    fn from(named: &Named) -> Self {
        Self::from(&named.ident)
    }
}
