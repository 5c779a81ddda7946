//! Facts read off the canonical form: each holds wherever it is claimed; not claimed means not seen.

use super::Physics;
use crate::expr::{Graph, Id, Symbol};

/// What is known about a mechanism.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// L, D and Q are free of time, and there is no input.
    pub autonomous: bool,
    /// L is free of time, and there is no dissipation, force or input.
    pub conservative: bool,
    /// M depends on parameters alone.
    pub constant_mass: bool,
    /// L = T(v) − V(q).
    pub separable: bool,
    /// The acceleration does not depend on v.
    pub velocity_free_acceleration: bool,
    /// L is quadratic in v.
    pub quadratic: bool,
    /// The coordinates with ∂L/∂q = 0, by index.
    pub cyclic: Vec<u32>,
}

pub(super) fn facts(graph: &mut Graph, physics: &Physics, mass: &[Vec<Id>], forcing: &[Id]) -> Facts {
    let is_time = |symbol: Symbol| symbol == Symbol::Time;
    let is_velocity = |symbol: Symbol| matches!(symbol, Symbol::Velocity(_));
    let is_coordinate = |symbol: Symbol| matches!(symbol, Symbol::Coordinate(_));
    let is_variable = |symbol: Symbol| !matches!(symbol, Symbol::Parameter(_));
    let mass_has = |test: &dyn Fn(Symbol) -> bool| mass.iter().flatten().any(|&entry| graph.contains(entry, test));
    let forces = physics.forces.iter().flat_map(|force| force.left.iter().chain(&force.right));
    let applied_time = physics.dissipation.iter().chain(forces).any(|&part| graph.contains(part, is_time));
    let free_of_time = !graph.contains(physics.lagrangian, is_time);
    let constant_mass = !mass_has(&is_variable);
    let velocity_free_mass = !mass_has(&is_velocity);
    let velocity_free_forcing = !forcing.iter().any(|&row| graph.contains(row, is_velocity));
    let conservative =
        free_of_time && physics.dissipation.is_none() && physics.forces.is_empty() && physics.inputs == 0;
    Facts {
        autonomous: free_of_time && !applied_time && physics.inputs == 0,
        conservative,
        constant_mass,
        separable: free_of_time && !mass_has(&is_coordinate) && separable(graph, physics),
        velocity_free_acceleration: velocity_free_mass && velocity_free_forcing,
        quadratic: velocity_free_mass,
        cyclic: cyclic(graph, physics),
    }
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
