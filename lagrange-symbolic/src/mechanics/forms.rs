//! The forms in which an equation can be written. The one of least cost is taken.

use super::state::WithPlaceholders;
use super::{Cost, balance, energy, forcing, linked_forcing, quadratic::QuadraticForm, state};
use crate::graph::{Graph, Id};
use crate::physics::Physics;

/// T, h, p, f and F, each in its cheapest form so far.
#[derive(Debug)]
pub(super) struct Forms {
    /// T, where it is stated by itself.
    pub(super) kinetic: Option<Id>,
    /// h.
    pub(super) energy: Id,
    /// p.
    pub(super) momentum: Vec<Id>,
    /// f.
    pub(super) balance: Vec<Id>,
    /// F.
    pub(super) forcing: Vec<Id>,
}

impl Forms {
    /// The form by derivatives of L, which every L has. The momentum is given, and F where it is known already.
    pub(super) fn direct(
        graph: &mut Graph,
        physics: &Physics,
        momentum: Vec<Id>,
        forcing: Option<Vec<Id>>,
        applied: &[Id],
    ) -> Self {
        let balance = balance::balance(graph, physics, applied);
        let forcing = forcing.unwrap_or_else(|| forcing::forcing(graph, physics, &momentum, &balance));
        let energy = energy::energy(graph, physics, &momentum);
        // T contains the inertia of the hidden coordinates, which is no energy.
        let hidden = state::inertia(graph, physics);
        let kinetic = physics.kinetic.map(|kinetic| graph.sub(kinetic, hidden));
        Self { kinetic, energy, momentum, balance, forcing }
    }

    /// Replaces each quantity by its form with derivatives of M where that is cheaper. L must be quadratic in the
    /// velocities.
    pub(super) fn or_quadratic(
        mut self,
        graph: &mut Graph,
        physics: &Physics,
        form: &QuadraticForm,
        mass: &[Vec<Id>],
        applied: &[Id],
        cost: Cost,
    ) -> Self {
        let other = form.energy(graph, physics);
        self.energy = cheaper(graph, &[], vec![self.energy], vec![other], cost)[0];
        if let (Some(stated), Some(other)) = (self.kinetic, form.kinetic(graph, physics)) {
            self.kinetic = Some(cheaper(graph, &[], vec![stated], vec![other], cost)[0]);
        }
        let other = form.forcing(graph, physics, applied);
        self.forcing = cheaper(graph, mass, self.forcing, other, cost);
        let other = form.momentum(graph, physics);
        self.momentum = cheaper(graph, &[], self.momentum, other, cost);
        let other = form.balance(graph, physics, applied);
        self.balance = cheaper(graph, &[], self.balance, other, cost);
        self
    }

    /// Replaces F by its form with the accelerations of intermediate quantities where that is cheaper. `velocities` are
    /// the rates of these quantities.
    pub(super) fn or_linked(
        mut self,
        graph: &mut Graph,
        physics: &Physics,
        velocities: &[Id],
        applied: &[Id],
        cost: Cost,
    ) -> Self {
        if !velocities.is_empty()
            && let Some(other) = linked_forcing::forcing(graph, physics, velocities, applied)
        {
            self.forcing = cheaper(graph, &[], self.forcing, other, cost);
        }
        self
    }
}

impl Forms {
    /// Puts the states back into the equations, and subtracts from F the part of ṗ that comes from them.
    pub(super) fn restored(self, graph: &mut Graph, placeholders: &WithPlaceholders, changing: &[Id]) -> Self {
        let energy = placeholders.restored(graph, vec![self.energy])[0];
        let rows = self.forcing.into_iter().zip(changing);
        let forcing = rows.map(|(row, &change)| if graph.is_zero(change) { row } else { graph.sub(row, change) });
        let forcing = forcing.collect();
        Self {
            kinetic: self.kinetic.map(|kinetic| placeholders.restored(graph, vec![kinetic])[0]),
            energy,
            momentum: placeholders.restored(graph, self.momentum),
            balance: placeholders.restored(graph, self.balance),
            forcing: placeholders.restored(graph, forcing),
        }
    }
}

/// The cheaper one of two forms of the same quantities. The cost includes `shared`, which is evaluated in any case.
fn cheaper(graph: &mut Graph, shared: &[Vec<Id>], first: Vec<Id>, second: Vec<Id>, cost: Cost) -> Vec<Id> {
    let with_shared = |ids: &[Id]| -> Vec<Id> { shared.iter().flatten().chain(ids).copied().collect() };
    if cost(graph, &with_shared(&second)) < cost(graph, &with_shared(&first)) { second } else { first }
}
