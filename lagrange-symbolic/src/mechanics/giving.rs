//! A dissipation that gives energy, by its structure.

use super::sign::{Sign, Signs, Used};
use crate::calculus::derivative;
use crate::graph::{Graph, Id, Symbol};
use std::collections::HashMap;

/// The first velocity of the coordinates below `count` along which the dissipation D gives energy: with all other velocities 0, D falls from its value at rest.
///
/// The power of D is −v·∂D/∂v. Where D ≤ D(0) for every v, and D is not constant, D falls along v somewhere, and the power is positive there.
/// `None` where the structure of D does not prove that, with the signs of the parameters that `assumptions` leave.
pub fn gives_energy_along(graph: &mut Graph, dissipation: Id, count: usize, assumptions: &[Id]) -> Option<Symbol> {
    let signs = Signs::new(graph, assumptions);
    let is_velocity = |symbol: &Symbol| matches!(symbol, Symbol::Velocity(index) if (*index as usize) < count);
    let mut velocities: Vec<Symbol> = graph.symbols(dissipation).filter(is_velocity).collect();
    velocities.sort_unstable();
    let zero = graph.zero();
    let rest: HashMap<Symbol, Id> = velocities.iter().map(|velocity| (*velocity, zero)).collect();
    let at_rest = graph.substitute(&[dissipation], &rest)[0];
    velocities.into_iter().find(|velocity| {
        let mut others = rest.clone();
        others.remove(velocity);
        let along = graph.substitute(&[dissipation], &others)[0];
        let slope = derivative(graph, &[along], *velocity)[0];
        let change = graph.sub(along, at_rest);
        !graph.is_zero(slope) && signs.prove(graph, change, Sign::NotPositive, &mut Used::new())
    })
}
