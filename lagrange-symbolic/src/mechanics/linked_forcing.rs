//! F from the accelerations of intermediate quantities, where L has them.
//!
//! Where ẋₖ(q, v, t) is the rate of xₖ(q, t) and L = L'(q, v, t, ẋ), Lagrange's identities ∂ẋₖ/∂v = ∂xₖ/∂q and
//! d/dt ∂xₖ/∂q = ∂ẋₖ/∂q give, with d/dt at a = 0,
//! Fᵢ = ∂L'/∂qᵢ − d/dt ∂L'/∂vᵢ − Σ ∂xₖ/∂qᵢ d/dt ∂L'/∂ẋₖ + Q − ∂D/∂v.
//! What the direct form computes twice, once in f and once in (∂p/∂q) v, has cancelled.

use super::Physics;
use crate::calculus::{directional, gradient};
use crate::graph::{Graph, Id, Rational, Symbol};
use std::collections::HashMap;

/// F, where some of the intermediate velocities are rates of stated quantities.
pub(super) fn forcing(graph: &mut Graph, physics: &Physics, velocities: &[Id], applied: &[Id]) -> Option<Vec<Id>> {
    let rates = quantities(physics, velocities);
    if rates.is_empty() {
        return None;
    }
    let (speeds, pulls) = (graph.scratch_symbols(rates.len()), graph.scratch_symbols(rates.len()));
    let mut replaced: HashMap<Id, Id> = HashMap::new();
    for (&(rate, _), &speed) in rates.iter().zip(&speeds) {
        replaced.insert(rate, graph.symbol(speed));
    }
    let relaxed = graph.replace(physics.lagrangian, &replaced);
    let back: HashMap<Symbol, Id> = speeds.iter().copied().zip(rates.iter().map(|&(rate, _)| rate)).collect();
    let mut slope = |symbols: &[Symbol]| {
        let slope = gradient(graph, relaxed, symbols);
        graph.substitute(&slope, &back)
    };
    let by_q = slope(&physics.coordinate_symbols());
    let mut changing = slope(&physics.velocity_symbols());
    changing.extend(slope(&speeds));

    let one = graph.one();
    let mut along: Vec<(Symbol, Id)> =
        physics.coordinate_symbols().into_iter().zip(physics.velocities(graph)).collect();
    along.push((Symbol::Time, one));
    let changes = directional(graph, &changing, &along);
    let (by_v, by_rate) = changes.split_at(physics.coordinates as usize);

    let mut work = Vec::new();
    for (&(_, quantity), &pull) in rates.iter().zip(&pulls) {
        let pull = graph.symbol(pull);
        work.push((graph.mul(quantity, pull), Rational::ONE));
    }
    let work = graph.sum(work, Rational::ZERO);
    let pulled = gradient(graph, work, &physics.coordinate_symbols());
    let back: HashMap<Symbol, Id> = pulls.into_iter().zip(by_rate.iter().copied()).collect();
    let pulled = graph.substitute(&pulled, &back);
    let rows = by_q.iter().zip(applied).zip(by_v).zip(&pulled);
    Some(
        rows.map(|(((&slope, &applied), &change), &pulled)| {
            let terms = vec![
                (slope, Rational::ONE),
                (applied, Rational::ONE),
                (change, Rational::NEG_ONE),
                (pulled, Rational::NEG_ONE),
            ];
            graph.sum(terms, Rational::ZERO)
        })
        .collect(),
    )
}

/// Of the velocities, those that are rates of quantities of the block: (rate, quantity).
fn quantities(physics: &Physics, velocities: &[Id]) -> Vec<(Id, Id)> {
    let mut quantities: HashMap<Id, Id> = HashMap::new();
    for &(quantity, rate) in &physics.rates {
        let known = quantities.entry(rate).or_insert(quantity);
        *known = quantity.min(*known);
    }
    velocities.iter().filter_map(|velocity| Some((*velocity, *quantities.get(velocity)?))).collect()
}
