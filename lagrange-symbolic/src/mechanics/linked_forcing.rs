//! F in a form that uses the accelerations of intermediate quantities of L.
//!
//! Where ẋₖ(q, v, t) is the rate of xₖ(q, t) and L = L'(q, v, t, ẋ), Lagrange's identities ∂ẋₖ/∂v = ∂xₖ/∂q and
//! d/dt ∂xₖ/∂q = ∂ẋₖ/∂q give, with d/dt at a = 0,
//! Fᵢ = ∂L'/∂qᵢ − d/dt ∂L'/∂vᵢ − Σ ∂xₖ/∂qᵢ d/dt ∂L'/∂ẋₖ + Q − ∂D/∂v.
//! The terms that the direct form contains twice, once in f and once in (∂p/∂q) v, have cancelled.

use super::Physics;
use crate::calculus::{directional, gradient};
use crate::graph::{Graph, Id, Rational, Symbol};
use std::collections::HashMap;

/// F in this form. `None` where no intermediate velocity is the rate of a stated quantity.
pub(super) fn forcing(graph: &mut Graph, physics: &Physics, velocities: &[Id], applied: &[Id]) -> Option<Vec<Id>> {
    let rates = quantities(physics, velocities);
    if rates.is_empty() {
        return None;
    }
    let (speeds, placeholders) = (graph.scratch_symbols(rates.len()), graph.scratch_symbols(rates.len()));
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
    let mut direction: Vec<(Symbol, Id)> =
        physics.coordinate_symbols().into_iter().zip(physics.velocities(graph)).collect();
    direction.push((Symbol::Time, one));
    let changes = directional(graph, &changing, &direction);
    let (by_v, by_rate) = changes.split_at(physics.coordinates as usize);

    let mut work = Vec::new();
    for (&(_, quantity), &placeholder) in rates.iter().zip(&placeholders) {
        let placeholder = graph.symbol(placeholder);
        work.push((graph.mul(quantity, placeholder), Rational::ONE));
    }
    let work = graph.sum(work, Rational::ZERO);
    let reduced = gradient(graph, work, &physics.coordinate_symbols());
    let back: HashMap<Symbol, Id> = placeholders.into_iter().zip(by_rate.iter().copied()).collect();
    let reduced = graph.substitute(&reduced, &back);
    let rows = by_q.iter().zip(applied).zip(by_v).zip(&reduced);
    Some(
        rows.map(|(((&slope, &applied), &change), &reduced)| {
            let terms = vec![
                (slope, Rational::ONE),
                (applied, Rational::ONE),
                (change, Rational::NEG_ONE),
                (reduced, Rational::NEG_ONE),
            ];
            graph.sum(terms, Rational::ZERO)
        })
        .collect(),
    )
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
