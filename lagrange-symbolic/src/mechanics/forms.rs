//! The forms in which an equation can be written, of which the one of least cost is taken.

use super::{Cost, Physics, balance, energy, forcing, linked_forcing, quadratic::QuadraticForm};
use crate::graph::{Graph, Id};

/// T, h, p, f and F in the cheapest form so far.
#[derive(Debug)]
pub(super) struct Forms {
    /// T, where stated apart.
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
    /// By derivatives of L, whatever it is; p is given.
    pub(super) fn direct(graph: &mut Graph, physics: &Physics, momentum: Vec<Id>, applied: &[Id]) -> Self {
        let balance = balance::balance(graph, physics, applied);
        let forcing = forcing::forcing(graph, physics, &momentum, &balance);
        let energy = energy::energy(graph, physics, &momentum);
        Self { kinetic: physics.kinetic, energy, momentum, balance, forcing }
    }

    /// By derivatives of M, where L is quadratic in the velocities.
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

    /// F by the accelerations of intermediate quantities, where L has such `velocities`.
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

/// Of two forms of the same quantities, the one of less cost beside `shared`, which is evaluated anyway.
fn cheaper(graph: &mut Graph, shared: &[Vec<Id>], first: Vec<Id>, second: Vec<Id>, cost: Cost) -> Vec<Id> {
    let with_shared = |ids: &[Id]| -> Vec<Id> { shared.iter().flatten().chain(ids).copied().collect() };
    if cost(graph, &with_shared(&second)) < cost(graph, &with_shared(&first)) { second } else { first }
}
