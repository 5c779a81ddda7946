//! Symbols that cancel in an expression: t in the energy of a bead on a turning wire, or θ̇ in the forcing of a pendulum that is
//! written in double angles. Normal forms prove it for parameters of any sign.

use super::velocity;
use crate::calculus::derivative;
use crate::graph::value::numeric;
use crate::graph::{Graph, Id, Symbol};
use crate::physics::Physics;
use crate::prove::{Domain, Freedom, vanishes_in};
use std::collections::HashMap;

/// The mechanism without the time in energies in which it cancels.
pub(super) fn without_time(graph: &mut Graph, physics: &Physics) -> Physics {
    let mut changed = physics.clone();
    let is_time = |symbol: Symbol| symbol == Symbol::Time;
    let energies = [Some(&mut changed.lagrangian), changed.kinetic.as_mut(), changed.potential.as_mut()];
    for energy in energies.into_iter().flatten() {
        *energy = without(graph, *energy, is_time).unwrap_or(*energy);
    }
    changed
}

/// The rows without the velocities, where they cancel in a row.
pub(super) fn without_velocities(graph: &mut Graph, rows: &mut [Id]) {
    for row in rows {
        *row = without(graph, *row, |symbol| matches!(symbol, Symbol::Velocity(_))).unwrap_or(*row);
    }
}

/// The expression with 0 for the symbols of a kind, where it is analytic in them, and proved to be free of them.
fn without(graph: &mut Graph, expression: Id, is_moving: impl Fn(Symbol) -> bool) -> Option<Id> {
    let (moving, others): (Vec<Symbol>, Vec<Symbol>) = graph.symbols(expression).partition(|symbol| is_moving(*symbol));
    let set = graph.symbol_set(moving.iter().copied());
    let may_cancel = !moving.is_empty()
        && velocity::is_entire(graph, expression, &set)
        && !changes_somewhere(graph, expression, &moving);
    if !may_cancel {
        return None;
    }
    let any_sign: Vec<(Symbol, Freedom)> = others
        .into_iter()
        .filter(|symbol| matches!(symbol, Symbol::Parameter(_)))
        .map(|symbol| (symbol, Freedom::AnySign))
        .collect();
    let domain = Domain::default().freed(graph, &any_sign);
    for &symbol in &moving {
        let slope = derivative(graph, &[expression], symbol)[0];
        if !vanishes_in(graph, slope, &domain) {
            return None;
        }
    }
    let zero = graph.zero();
    let at_zero: HashMap<Symbol, Id> = moving.into_iter().map(|symbol| (symbol, zero)).collect();
    Some(graph.substitute(&[expression], &at_zero)[0])
}

/// Whether an expression has different values where only the moving symbols differ. This costs less than a proof that they cancel.
fn changes_somewhere(graph: &Graph, expression: Id, moving: &[Symbol]) -> bool {
    let fractions: HashMap<Symbol, f64> =
        graph.symbols(expression).zip(1..).map(|(symbol, k)| (symbol, 0.2 + (f64::from(k) * 0.618).fract())).collect();
    let value = |factor: f64| {
        let at = |symbol: Symbol| fractions[&symbol] * if moving.contains(&symbol) { factor } else { 1.0 };
        numeric(graph, &[expression], &at)[0]
    };
    let first = value(1.0);
    [0.37, -1.9, 2.3].into_iter().any(|factor| (value(factor) - first).abs() > 1e-9 * (1.0 + first.abs()))
}
