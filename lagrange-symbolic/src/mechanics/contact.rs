//! Contacts with dry friction: the slip rate s = W v + ∂slip/∂t, W = ∂slip/∂q, ds/dt = W a + curvature, the bound b, and the
//! forcing without friction.

use super::Physics;
use super::switch::switches;
use crate::calculus::{derivative, directional};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Symbol};

/// The contacts of a mechanism.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// s of each contact.
    pub rate: Vec<Id>,
    /// W, row by row.
    pub direction: Vec<Vec<Id>>,
    /// ds/dt without the accelerations.
    pub curvature: Vec<Id>,
    /// b of each contact.
    pub bound: Vec<Id>,
    /// F without the forces of friction; empty without contacts.
    pub forcing: Vec<Id>,
    /// For each contact, the index of the switching function that is its slip rate.
    pub switches: Vec<usize>,
    /// The contacts that have no phases of their own, by index: the sign of the expression, which is the slip rate up to a
    /// factor, decides a branch of another statement too.
    pub shared: Vec<(usize, Id)>,
}

impl Contacts {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rate.is_empty()
    }
}

/// The contacts. `others` are forces that are not among those of the mechanism.
pub(super) fn contacts(graph: &mut Graph, physics: &Physics, forcing: &[Id], all: &[Id], others: &[Id]) -> Contacts {
    let mut found = Contacts::default();
    if physics.frictions.is_empty() {
        return found;
    }
    let coordinates = physics.coordinate_symbols();
    let velocities = physics.velocities(graph);
    let mut along: Vec<(Symbol, Id)> = coordinates.iter().copied().zip(velocities).collect();
    along.push((Symbol::Time, graph.one()));
    let mut terms: Vec<Vec<Id>> = forcing.iter().map(|&entry| vec![entry]).collect();
    for (index, friction) in physics.frictions.iter().enumerate() {
        let direction: Vec<Id> =
            coordinates.iter().map(|&symbol| derivative(graph, &[friction.slip], symbol)[0]).collect();
        let sign = graph.call(Function::Sign, &[friction.rate]);
        let force = graph.mul(friction.bound, sign);
        for (row, &entry) in terms.iter_mut().zip(&direction) {
            row.push(graph.mul(entry, force));
        }
        found.curvature.push(directional(graph, &[friction.rate], &along)[0]);
        found.rate.push(friction.rate);
        found.direction.push(direction);
        found.bound.push(friction.bound);
        let switch = decided(graph, sign).and_then(|switch| all.iter().position(|&other| other == switch));
        match switch.filter(|&switch| !of_others(graph, physics, index, others).contains(&all[switch])) {
            Some(switch) => found.switches.push(switch),
            None => found.shared.push((index, switch.map_or(friction.rate, |switch| all[switch]))),
        }
    }
    found.forcing = terms.iter().map(|row| graph.add_all(row)).collect();
    found
}

/// The argument of the sign that an expression is, up to its own sign.
fn decided(graph: &Graph, sign: Id) -> Option<Id> {
    match graph.node(sign) {
        Node::Call(Function::Sign, arguments) => Some(arguments[0]),
        Node::Sum { terms, .. } if terms.len() == 1 => decided(graph, terms[0].0),
        _ => None,
    }
}

/// The switching functions of all statements but one friction.
fn of_others(graph: &mut Graph, physics: &Physics, index: usize, forces: &[Id]) -> Vec<Id> {
    let mut others = physics.clone();
    let first = physics.forces.len() - physics.frictions.len();
    others.forces.remove(first + index);
    switches(graph, &others, forces)
}
