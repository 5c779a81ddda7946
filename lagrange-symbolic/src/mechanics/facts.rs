//! Facts about a mechanism that the structure of its expressions proves. A fact that is `false` may still be true.

use super::cancelled::depends_on_time;
use super::{Constraints, Positivity, Resolved, generalized, positive_mass, velocity};
use crate::calculus::gradient;
use crate::graph::{Graph, Id, Symbol};
use crate::physics::{Physics, Slip};

/// What is known about a mechanism.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// L, D, Q and the constraints are free of time, and there is no input.
    pub autonomous: bool,
    /// L is free of time, there is no dissipation, force or input, and no constraint does work.
    pub conservative: bool,
    /// M depends on parameters alone. An L with a kink in the velocities has no M, and the fact is about M off the
    /// kinks.
    pub constant_mass: bool,
    /// L = T(v) − V(q).
    pub separable: bool,
    /// The acceleration does not depend on v.
    pub velocity_free_acceleration: bool,
    /// F = f − (∂p/∂q) v − ∂p/∂t does not depend on v.
    pub velocity_free_forcing: bool,
    /// L is quadratic in v on the whole space of velocities. It does not suffice that each branch of a selection is.
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

/// What the equations consist of, for the facts about them.
pub(super) struct Parts<'e> {
    /// M, or nothing where `inertia` replaces it.
    pub(super) mass: &'e [Vec<Id>],
    /// M a.
    pub(super) inertia: &'e [Id],
    /// p.
    pub(super) momentum: &'e [Id],
    /// F.
    pub(super) forcing: &'e [Id],
    /// The constraints.
    pub(super) constraints: &'e Constraints,
    /// The rates of the coordinates without inertia, and what follows from them. It is empty if all coordinates have inertia.
    pub(super) resolved: &'e Resolved,
}

pub(super) fn facts(graph: &mut Graph, physics: &Physics, parts: &Parts<'_>) -> (Facts, Vec<Positivity>) {
    let &Parts { mass, inertia, momentum, forcing, constraints, resolved } = parts;
    let is_time = |symbol: Symbol| symbol == Symbol::Time;
    let is_velocity = |symbol: Symbol| matches!(symbol, Symbol::Velocity(_));
    let is_variable = |symbol: Symbol| !matches!(symbol, Symbol::Parameter(_) | Symbol::Acceleration(_));
    // M a contains the same symbols as M.
    let entries: Vec<Id> = if mass.is_empty() { inertia.to_vec() } else { mass.concat() };
    let moving = velocity::velocities(graph, physics);
    let has_kinks = velocity::has_kinks(graph, physics.lagrangian, &moving);
    // Methods see a state as a velocity, on which p then depends in another way than by M.
    let quadratic =
        velocity::is_quadratic(graph, physics, &entries) && !physics.momentum_depends_on_states(graph, momentum);
    let forces: Vec<Id> =
        physics.forces.iter().flat_map(|force| generalized(graph, physics, &force.left, &force.right)).collect();
    let rates = physics.states.iter().map(|state| &state.rate);
    let mut applied = physics.dissipation.iter().chain(&forces).chain(rates).chain(&resolved.forces);
    let applied_time = applied.any(|&part| depends_on_time(graph, part));
    let rows = constraints.value.iter().chain(&constraints.rate);
    let constraint_time = rows.clone().any(|&row| graph.contains(row, is_time));
    let contact_time = physics.contacts.iter().any(|contact| {
        let slip = contact.friction.iter().flat_map(|slip| [slip.stated(), slip.bound]);
        slip.chain([contact.gap, contact.rate, contact.restitution])
            .chain(contact.adhesion)
            .any(|part| graph.contains(part, is_time))
    });
    let is_loaded_by_time =
        |slip: &Slip| [slip.stated(), slip.bound].into_iter().any(|part| graph.contains(part, is_time));
    let contact_time = contact_time || physics.loaded.iter().any(|friction| is_loaded_by_time(&friction.slip));
    let contact_time = contact_time
        || physics.slips().filter_map(|slip| slip.breakaway).any(|breakaway| graph.contains(breakaway, is_time));
    let touches = !(physics.contacts.is_empty() && physics.loaded.is_empty());
    let workless = constraints.drift.iter().all(|&drift| graph.is_zero(drift));
    let free_of_time = !graph.contains(physics.lagrangian, is_time);
    let constant_mass = !entries.iter().any(|&entry| graph.contains(entry, is_variable));
    // Where a velocity decides a branch of L, p may jump. F does not show such a jump.
    let velocity_free_forcing = !has_kinks && !forcing.iter().any(|&row| graph.contains(row, is_velocity));
    let velocity_free_curvature = !constraints.curvature.iter().any(|&row| graph.contains(row, is_velocity));
    let conservative =
        free_of_time && physics.dissipation.is_none() && physics.forces.is_empty() && physics.inputs == 0 && workless;
    // A state in V does work, and V(q) must not depend on velocities, which states are to methods.
    let has_states = !physics.states.is_empty();
    let positive = positive_mass::positive_mass(graph, physics);
    let regular = match &positive {
        Some(conditions) => Some(conditions.clone()),
        None if mass.is_empty() || has_kinks => None,
        None => positive_mass::regular_mass(graph, physics, mass),
    };
    let facts = Facts {
        autonomous: free_of_time && !applied_time && !constraint_time && !contact_time && physics.inputs == 0,
        conservative: conservative && !has_states && !touches,
        constant_mass,
        separable: free_of_time && !has_states && !touches && separable(graph, physics),
        velocity_free_acceleration: !touches && quadratic && velocity_free_forcing && velocity_free_curvature,
        velocity_free_forcing,
        quadratic,
        positive_mass: positive.is_some(),
        regular_momentum: regular.is_some(),
        unconstrained: constraints.is_empty(),
        holonomic: constraints.holonomic == constraints.len(),
        cyclic: cyclic(graph, physics, &resolved.momentum),
    };
    (facts, regular.unwrap_or_default())
}

/// Whether ∂²L/∂q∂v vanishes for L as a whole. It does not suffice that it vanishes on each branch of a selection.
fn separable(graph: &mut Graph, physics: &Physics) -> bool {
    let momentum = gradient(graph, physics.lagrangian, &physics.velocity_symbols());
    let positions = graph.symbol_set(physics.coordinate_symbols());
    let moving = velocity::velocities(graph, physics);
    !momentum.iter().any(|&row| graph.touches(row, &positions))
        && velocity::mixes_smoothly(graph, physics.lagrangian, &positions, &moving)
}

/// The coordinates with ∂L/∂q = 0 for L as a whole. It does not suffice that the derivative vanishes on each branch. The
/// terms of L that are linear in velocities without inertia are given by their momenta.
fn cyclic(graph: &mut Graph, physics: &Physics, momenta: &[Id]) -> Vec<u32> {
    let slope = gradient(graph, physics.lagrangian, &physics.coordinate_symbols());
    let is_cyclic = |graph: &Graph, i: u32| {
        let own = graph.symbol_set([Symbol::Coordinate(i)]);
        graph.is_zero(slope[i as usize])
            && velocity::is_entire(graph, physics.lagrangian, &own)
            && !momenta.iter().any(|&momentum| graph.touches(momentum, &own))
    };
    (0..physics.mechanical() as u32).filter(|&i| is_cyclic(graph, i)).collect()
}
