//! From the meaning of a block to its equations: derived, checked against what they assume, with every claim decided.

mod claims;
mod conserved;
mod dissipation;
mod first_order;
mod lints;
mod messages;
mod signs;
mod symmetry;

pub use conserved::Conserved;
use symmetry::Searched;
pub use symmetry::{FoundSymmetry, Symmetry};

use crate::calculus;
use crate::graph::engine::Engine;
use crate::meaning::{self, Model};
use crate::mechanics::{Equations, derive, differentiate_outputs};
use crate::program::Builder;
use crate::report::{Mistake, Place, Report};
use crate::syntax::Spec;
use crate::units::{self, Units};
use claims::Settled;

/// A mechanism with its derived equations. The expansion is written from it, and tests examine it.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The block's meaning, with the graph that holds every expression.
    pub model: Model,
    /// The derived quantities.
    pub equations: Equations,
    /// The constants of the motion, and how each was established.
    pub invariants: Vec<(String, Conserved)>,
    /// The stated symmetries, whose momenta are the last outputs.
    pub symmetries: Vec<Symmetry>,
    /// The symmetries that the block does not state, as far as they are affine in the coordinates and the time.
    pub found: Vec<FoundSymmetry>,
    /// Whether the search for them ended early, or was not begun, because the mechanism is too large for it.
    pub search_is_cut: bool,
    /// The units of its quantities.
    pub units: Units,
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
    let units = units::check(spec, &model)?;
    model.graph.limit_nodes(max_operations(&model).saturating_mul(NODES_PER_OPERATION));
    messages::claims_without_laws(spec, &model)?;
    dissipation::warn(spec, &mut model);
    lints::warn_of_statements(spec, &mut model);
    let equations = derive(&mut model.graph, &model.physics, Builder::weight_of);
    bounded(&model)?;
    let mut equations = equations.map_err(|reasons| messages::degeneracies(&model, &reasons))?;
    first_order::continuous(&model, &equations.resolved)?;
    first_order::resolve(&mut model, &equations.resolved)?;
    messages::unsuitable_frictions(&model, &equations)?;
    messages::warn_of_constraints(&mut model, &equations);
    messages::warn_of_kinks(&mut model, &equations);
    lints::warn_of_idle_forces(&mut model, &equations);
    let settled = claims::settle(spec, &mut model, &mut equations);
    bounded(&model)?;
    let Settled { invariants, symmetries, searched: Searched { found, is_cut } } = settled?;
    differentiate_outputs(&mut model.graph, &model.physics, &mut equations, Builder::weight_of);
    bounded(&model)?;
    Ok(Derivation { invariants, symmetries, found, search_is_cut: is_cut, model, equations, units })
}

/// The most operations of an evaluation, unless the block states another number. A function of this size takes rustc
/// several seconds.
const MAX_OPERATIONS: usize = 30_000;

/// The most nodes that a derivation may make for each operation that the longest evaluation may have. Most derivations
/// make fewer than three, intermediate results included.
const NODES_PER_OPERATION: usize = 8;

pub(crate) fn max_operations(model: &Model) -> usize {
    model.max_operations.unwrap_or(MAX_OPERATIONS)
}

/// Fails where the graph reached its largest size, or where the engine returned a result that the graph has no
/// expression for.
pub(crate) fn bounded(model: &Model) -> Result<(), Report> {
    if let Some(reason) = model.graph.refused() {
        return Err(unavailable(reason.to_owned(), &model.item));
    }
    if model.graph.is_exhausted() { Err(too_large(model, "the derivation".to_owned())) } else { Ok(()) }
}

fn unavailable(reason: String, item: &syn::ItemStruct) -> Report {
    Report::of(Mistake::EngineUnavailable { reason }, Place::from(&item.ident))
}

pub(crate) fn too_large(model: &Model, what: String) -> Report {
    let mut report = Report::new();
    report.add(Mistake::TooLarge { what, limit: max_operations(model) }, &model.item.ident);
    report
}
