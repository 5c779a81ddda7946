//! Symbols that cancel in an expression: t in the energy of a bead on a turning wire, θ in the inertia of a pendulum that is written in
//! double angles, or θ̇ in its forcing. Normal forms prove it for parameters of any sign.

use super::velocity;
use crate::calculus::derivative;
use crate::graph::value::numeric;
use crate::graph::{Graph, Id, Symbol};
use crate::physics::Physics;
use crate::prove::{Domain, Freedom, vanishes_in};
use std::collections::HashMap;

/// The most nodes of energies times coordinates for which coordinates that cancel are looked for.
const MOST_EVALUATIONS: usize = 50_000;

/// The mechanism without what cancels in it: the time in energies and constraints, a coordinate in an energy, and all coordinates in the part
/// of L that contains velocities.
pub(super) fn without_cancelled(graph: &mut Graph, physics: &Physics) -> Physics {
    let mut changed = physics.clone();
    let energies = [Some(&mut changed.lagrangian), changed.kinetic.as_mut(), changed.potential.as_mut()];
    let rows = changed.constraints.iter_mut().chain(&mut changed.nonholonomic).map(|row| &mut row.value);
    for value in energies.into_iter().flatten().chain(rows) {
        *value = without(graph, *value, is_time).unwrap_or(*value);
    }
    if graph.reachable(&[changed.lagrangian]).len() * changed.mechanical() <= MOST_EVALUATIONS {
        without_coordinates(graph, &mut changed);
    }
    changed
}

fn is_time(symbol: Symbol) -> bool {
    symbol == Symbol::Time
}

fn is_velocity(symbol: Symbol) -> bool {
    matches!(symbol, Symbol::Velocity(_))
}

/// Leaves out each coordinate that cancels in an energy, and the coordinates that cancel in the part of L that contains velocities.
fn without_coordinates(graph: &mut Graph, physics: &mut Physics) {
    for i in 0..physics.mechanical() as u32 {
        let energies = [Some(&mut physics.lagrangian), physics.kinetic.as_mut(), physics.potential.as_mut()];
        for energy in energies.into_iter().flatten() {
            *energy = without(graph, *energy, |symbol| symbol == Symbol::Coordinate(i)).unwrap_or(*energy);
        }
    }
    let velocities = graph.symbol_set(physics.velocity_symbols());
    if !velocity::is_entire(graph, physics.lagrangian, &velocities) {
        return;
    }
    let zero = graph.zero();
    let at_rest = physics.velocity_symbols().into_iter().map(|symbol| (symbol, zero)).collect();
    let resting = graph.substitute(&[physics.lagrangian], &at_rest)[0];
    let moving = graph.sub(physics.lagrangian, resting);
    if let Some(moving) = without(graph, moving, |symbol| matches!(symbol, Symbol::Coordinate(_))) {
        physics.lagrangian = graph.add(moving, resting);
    }
}

/// Whether an expression contains the time, and it does not cancel.
pub(super) fn depends_on_time(graph: &mut Graph, expression: Id) -> bool {
    graph.contains(expression, is_time) && without(graph, expression, is_time).is_none()
}

/// The rows without the velocities, where they cancel in a row.
pub(super) fn without_velocities(graph: &mut Graph, rows: &mut [Id]) {
    for row in rows {
        *row = without(graph, *row, is_velocity).unwrap_or(*row);
    }
}

/// The mass matrix without the velocities, the coordinates and the time, where they cancel in an entry.
pub(super) fn constant_entries(graph: &mut Graph, mass: &mut [Vec<Id>]) {
    for entry in mass.iter_mut().flatten() {
        *entry = without(graph, *entry, is_velocity).unwrap_or(*entry);
        let is_place = |symbol: Symbol| matches!(symbol, Symbol::Coordinate(_) | Symbol::Time);
        *entry = without(graph, *entry, is_place).unwrap_or(*entry);
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
