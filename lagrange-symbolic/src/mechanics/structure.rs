//! Facts read off the canonical form: each holds wherever it is claimed; not claimed means not seen.

use super::{Constraints, Physics, Positivity, positive};
use crate::expr::{Graph, Id, Symbol};

/// What is known about a mechanism.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// L, D, Q and the constraints are free of time, and there is no input.
    pub autonomous: bool,
    /// L is free of time, there is no dissipation, force or input, and no constraint does work.
    pub conservative: bool,
    /// M depends on parameters alone.
    pub constant_mass: bool,
    /// L = T(v) − V(q).
    pub separable: bool,
    /// The acceleration does not depend on v.
    pub velocity_free_acceleration: bool,
    /// F = f − (∂p/∂q) v − ∂p/∂t does not depend on v.
    pub velocity_free_forcing: bool,
    /// L is quadratic in v.
    pub quadratic: bool,
    /// M is positive definite at every state.
    pub positive_mass: bool,
    /// M is regular at every state.
    pub regular_momentum: bool,
    /// There is no constraint.
    pub unconstrained: bool,
    /// Every constraint is holonomic.
    pub holonomic: bool,
    /// The coordinates with ∂L/∂q = 0, by index.
    pub cyclic: Vec<u32>,
}

pub(super) fn facts(
    graph: &mut Graph,
    physics: &Physics,
    mass: &[Vec<Id>],
    inertia: &[Id],
    forcing: &[Id],
    constraints: &Constraints,
) -> (Facts, Vec<Positivity>) {
    let is_time = |symbol: Symbol| symbol == Symbol::Time;
    let is_velocity = |symbol: Symbol| matches!(symbol, Symbol::Velocity(_));
    let is_coordinate = |symbol: Symbol| matches!(symbol, Symbol::Coordinate(_));
    let is_variable = |symbol: Symbol| !matches!(symbol, Symbol::Parameter(_) | Symbol::Acceleration(_));
    // M a has the symbols of M.
    let entries: Vec<Id> = if mass.is_empty() { inertia.to_vec() } else { mass.concat() };
    let mass_has = |test: &dyn Fn(Symbol) -> bool| entries.iter().any(|&entry| graph.contains(entry, test));
    let forces = physics.forces.iter().flat_map(|force| force.left.iter().chain(&force.right));
    let applied_time = physics.dissipation.iter().chain(forces).any(|&part| graph.contains(part, is_time));
    let rows = constraints.value.iter().chain(&constraints.rate);
    let held_in_time = rows.clone().any(|&row| graph.contains(row, is_time));
    let workless = constraints.drift.iter().all(|&drift| graph.is_zero(drift));
    let free_of_time = !graph.contains(physics.lagrangian, is_time);
    let constant_mass = !mass_has(&is_variable);
    let velocity_free_mass = !mass_has(&is_velocity);
    let coordinate_free_mass = !mass_has(&is_coordinate);
    let velocity_free_forcing = !forcing.iter().any(|&row| graph.contains(row, is_velocity));
    let velocity_free_holding = !constraints.curvature.iter().any(|&row| graph.contains(row, is_velocity));
    let conservative =
        free_of_time && physics.dissipation.is_none() && physics.forces.is_empty() && physics.inputs == 0 && workless;
    let positive = positive::positive_mass(graph, physics);
    let regular = match &positive {
        Some(conditions) => Some(conditions.clone()),
        None if mass.is_empty() => None,
        None => positive::regular_mass(graph, physics, mass),
    };
    let facts = Facts {
        autonomous: free_of_time && !applied_time && !held_in_time && physics.inputs == 0,
        conservative,
        constant_mass,
        separable: free_of_time && coordinate_free_mass && separable(graph, physics),
        velocity_free_acceleration: velocity_free_mass && velocity_free_forcing && velocity_free_holding,
        velocity_free_forcing,
        quadratic: velocity_free_mass,
        positive_mass: positive.is_some(),
        regular_momentum: regular.is_some(),
        unconstrained: constraints.is_empty(),
        holonomic: constraints.holonomic == constraints.len(),
        cyclic: cyclic(graph, physics),
    };
    (facts, regular.unwrap_or_default())
}

/// Whether ∂²L/∂q∂v vanishes.
fn separable(graph: &mut Graph, physics: &Physics) -> bool {
    let momentum = crate::diff::gradient(graph, physics.lagrangian, &physics.velocity_symbols());
    !momentum.iter().any(|&row| graph.contains(row, |symbol| matches!(symbol, Symbol::Coordinate(_))))
}

fn cyclic(graph: &mut Graph, physics: &Physics) -> Vec<u32> {
    let slope = crate::diff::gradient(graph, physics.lagrangian, &physics.coordinate_symbols());
    (0..physics.coordinates).filter(|&i| graph.is_zero(slope[i as usize])).collect()
}
