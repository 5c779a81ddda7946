//! Switching functions: they change their sign where an absolute value, a sign, a minimum, a maximum or a condition
//! changes its branch, where floor or mod jumps, and where a table changes its piece.

use super::contact::depends_on_speed;
use crate::graph::function::{Function, spline};
use crate::graph::{Defined, Graph, Id, Implicit, Node, Symbol};
use crate::physics::Physics;

/// The switching functions that depend on the state or the time, each once. `others` are forces from other sources.
pub(super) fn switches(graph: &mut Graph, physics: &Physics, others: &[Id]) -> Vec<Id> {
    let forces = physics.forces.iter().flat_map(|force| force.left.iter().chain(&force.right));
    let mut roots = vec![physics.lagrangian];
    roots.extend(physics.dissipation.iter().chain(forces));
    roots.extend(physics.rows().map(|row| row.value));
    roots.extend(physics.states.iter().map(|state| state.rate).chain(others.iter().copied()));
    for contact in &physics.contacts {
        // What an impact does at another speed changes nothing along a motion.
        let restitution = Some(contact.restitution).filter(|_| !depends_on_speed(graph, contact));
        roots.extend([contact.position().unwrap_or(contact.rate)].into_iter().chain(restitution));
        roots.extend(contact.adhesion);
        roots.extend(contact.friction.iter().flat_map(|slip| [slip.stated(), slip.bound]));
    }
    roots.extend(physics.loaded.iter().flat_map(|friction| [friction.slip.stated(), friction.slip.bound]));
    roots.extend(physics.slips().filter_map(|slip| slip.breakaway));
    let is_multiplier = |symbol| matches!(symbol, Symbol::Multiplier(_));
    let mut switches = Vec::new();
    for id in graph.reachable(&roots) {
        let switch = match graph.node(id).clone() {
            Node::Call(Function::Abs | Function::Sign, arguments) => arguments[0],
            Node::Call(Function::Floor, arguments) => sine_of_turns(graph, arguments[0]),
            Node::Call(Function::Mod, arguments) => {
                let turns = graph.div(arguments[0], arguments[1]);
                sine_of_turns(graph, turns)
            }
            Node::Call(Function::Min | Function::Max, arguments) => graph.sub(arguments[0], arguments[1]),
            Node::Compare(_, a, b) => graph.sub(a, b),
            Node::Call(Function::Spline { table, .. }, arguments) => {
                let Some(switch) = spline::switch(graph, table, &arguments) else { continue };
                switch
            }
            Node::Call(Function::Implicit { index, part: 0 }, _) => {
                let Some(switch) = of_inverse(graph, index, id) else { continue };
                switch
            }
            _ => continue,
        };
        // A mode is constant along a motion.
        let moves = |symbol| {
            matches!(symbol, Symbol::Coordinate(_) | Symbol::Velocity(_) | Symbol::Time) && !graph.is_mode(symbol)
        };
        if graph.contains(switch, moves) && !graph.contains(switch, is_multiplier) && !switches.contains(&switch) {
            switches.push(switch);
        }
    }
    switches
}

/// The switching function of the knots of a table at the value `id` of its inverse. Rates have that of the equations that define them.
fn of_inverse(graph: &mut Graph, index: u32, id: Id) -> Option<Id> {
    let Implicit { of: Defined::Inverse(_), unknowns, residual, .. } = graph.implicits()[index as usize].clone() else {
        return None;
    };
    let unknown = graph.symbol(unknowns[0]);
    graph.reachable(&residual).into_iter().find_map(|part| match graph.node(part).clone() {
        Node::Call(Function::Spline { table, .. }, mut arguments) if arguments[0] == unknown => {
            arguments[0] = id;
            spline::switch(graph, table, &arguments)
        }
        _ => None,
    })
}

/// sin(π x). It changes its sign at every whole number, where floor(x) jumps, and nowhere else. Its zeros are simple,
/// so that event location finds them like those of any smooth function. The value floor(x) itself does not change its
/// sign there.
fn sine_of_turns(graph: &mut Graph, x: Id) -> Id {
    let pi = graph.pi();
    let angle = graph.mul(pi, x);
    graph.call(Function::Sin, &[angle])
}
