//! F in a form that uses the accelerations of intermediate quantities of L.
//!
//! Where ẋₖ(q, v, t) is the rate of xₖ(q, t) and L = L'(q, v, t, ẋ), Lagrange's identities ∂ẋₖ/∂v = ∂xₖ/∂q and
//! d/dt ∂xₖ/∂q = ∂ẋₖ/∂q give, with d/dt at a = 0,
//! Fᵢ = ∂L'/∂qᵢ − d/dt ∂L'/∂vᵢ − Σ ∂xₖ/∂qᵢ d/dt ∂L'/∂ẋₖ + Q − ∂D/∂v.
//! The terms that the direct form contains twice, once in f and once in (∂p/∂q) v, have cancelled.

use super::sparse_mass::{Drift, SparseMass};
use crate::calculus::{directional, gradient};
use crate::graph::{Graph, Id, Rational, Symbol};
use crate::physics::Physics;
use std::collections::HashMap;

/// F in this form. `None` where no intermediate velocity is the rate of a stated quantity.
pub(super) fn forcing(graph: &mut Graph, physics: &Physics, velocities: &[Id], applied: &[Id]) -> Option<Vec<Id>> {
    let rates = quantities(physics, velocities);
    if rates.is_empty() {
        return None;
    }
    let relaxed = Relaxed::new(graph, physics, &rates);
    let free = relaxed.free(graph, physics, applied);
    let by_rate = relaxed.restored(graph, &relaxed.by_rate);
    let flow = flow(graph, physics);
    let by_rate = directional(graph, &by_rate, &flow);
    let placeholders = graph.scratch_symbols(rates.len());
    let mut work = Vec::new();
    for (&(_, quantity), &placeholder) in rates.iter().zip(&placeholders) {
        let placeholder = graph.symbol(placeholder);
        work.push((graph.mul(quantity, placeholder), Rational::ONE));
    }
    let work = graph.sum(work, Rational::ZERO);
    let reduced = gradient(graph, work, &physics.coordinate_symbols());
    let back: HashMap<Symbol, Id> = placeholders.into_iter().zip(by_rate.iter().copied()).collect();
    let reduced = graph.substitute(&reduced, &back);
    Some(free.iter().zip(&reduced).map(|(&free, &reduced)| graph.sub(free, reduced)).collect())
}

/// F in parts. `None` unless every intermediate velocity is the rate of a stated quantity, each ∂L'/∂ẋ is a combination of the ẋ with
/// constant coefficients, and ∂L'/∂v does not depend on them.
pub(super) fn drift(
    graph: &mut Graph,
    physics: &Physics,
    (sparse, velocities): (&SparseMass, &[Id]),
    applied: &[Id],
) -> Option<Drift> {
    let rates = quantities(physics, velocities);
    if rates.is_empty() || rates.len() < velocities.len() || !physics.states.is_empty() {
        return None;
    }
    let relaxed = Relaxed::new(graph, physics, &rates);
    let is_speed = |symbol: &Symbol| relaxed.speeds.contains_key(symbol);
    let is_constant =
        |&slope: &Id| graph.symbols(slope).all(|symbol| is_speed(&symbol) || matches!(symbol, Symbol::Parameter(_)));
    let is_apart = |&slope: &Id| !graph.symbols(slope).any(|symbol| is_speed(&symbol));
    if !relaxed.by_rate.iter().all(is_constant) || !relaxed.by_v.iter().all(is_apart) {
        return None;
    }
    let forces = relaxed.free(graph, physics, applied);
    let flow = flow(graph, physics);
    let changes = directional(graph, velocities, &flow);
    let mut own = Vec::new();
    for (&change, definition) in changes.iter().zip(&sparse.definitions) {
        let mut terms = vec![(change, Rational::ONE)];
        for &(unknown, coefficient) in definition.iter().filter(|(unknown, _)| *unknown >= sparse.coordinates) {
            terms.push((graph.mul(coefficient, changes[unknown - sparse.coordinates]), Rational::NEG_ONE));
        }
        own.push(graph.sum(terms, Rational::ZERO));
    }
    Some(Drift { forces, rates: own })
}

/// L' with its slopes.
struct Relaxed {
    /// The symbols that stand for the ẋ, with these.
    speeds: HashMap<Symbol, Id>,
    by_q: Vec<Id>,
    by_v: Vec<Id>,
    by_rate: Vec<Id>,
}

impl Relaxed {
    fn new(graph: &mut Graph, physics: &Physics, rates: &[(Id, Id)]) -> Self {
        let speeds = graph.scratch_symbols(rates.len());
        let mut replaced: HashMap<Id, Id> = HashMap::new();
        for (&(rate, _), &speed) in rates.iter().zip(&speeds) {
            replaced.insert(rate, graph.symbol(speed));
        }
        let relaxed = graph.replace(physics.lagrangian, &replaced);
        let mut slope = |symbols: &[Symbol]| gradient(graph, relaxed, symbols);
        Self {
            by_q: slope(&physics.coordinate_symbols()),
            by_v: slope(&physics.velocity_symbols()),
            by_rate: slope(&speeds),
            speeds: speeds.iter().copied().zip(rates.iter().map(|&(rate, _)| rate)).collect(),
        }
    }

    /// Slopes in which the ẋ stand again.
    fn restored(&self, graph: &mut Graph, slopes: &[Id]) -> Vec<Id> {
        graph.substitute(slopes, &self.speeds)
    }

    /// ∂L'/∂q − d/dt ∂L'/∂v + Q − ∂D/∂v.
    fn free(&self, graph: &mut Graph, physics: &Physics, applied: &[Id]) -> Vec<Id> {
        let by_q = self.restored(graph, &self.by_q);
        let by_v = self.restored(graph, &self.by_v);
        let flow = flow(graph, physics);
        let changes = directional(graph, &by_v, &flow);
        let rows = by_q.iter().zip(applied).zip(&changes);
        rows.map(|((&slope, &applied), &change)| {
            let terms = vec![(slope, Rational::ONE), (applied, Rational::ONE), (change, Rational::NEG_ONE)];
            graph.sum(terms, Rational::ZERO)
        })
        .collect()
    }
}

/// The direction of d/dt at a = 0.
fn flow(graph: &mut Graph, physics: &Physics) -> Vec<(Symbol, Id)> {
    let one = graph.one();
    let velocities = physics.velocities(graph);
    physics.coordinate_symbols().into_iter().zip(velocities).chain([(Symbol::Time, one)]).collect()
}

/// The intermediate velocities that are rates of quantities of the block, as pairs (rate, quantity).
fn quantities(physics: &Physics, velocities: &[Id]) -> Vec<(Id, Id)> {
    let mut quantities: HashMap<Id, Id> = HashMap::new();
    for &(quantity, rate) in &physics.rates {
        let known = quantities.entry(rate).or_insert(quantity);
        *known = quantity.min(*known);
    }
    velocities.iter().filter_map(|velocity| Some((*velocity, *quantities.get(velocity)?))).collect()
}
