//! Switching functions: what changes sign where an absolute value, a sign, a minimum, a maximum or a condition of the
//! stated quantities changes its branch, or a table its piece.

use super::Physics;
use crate::expr::{Graph, Id, Node, Symbol};
use crate::function::{Function, spline};

/// Each switching function that depends on the state or the time, once.
pub(super) fn switches(graph: &mut Graph, physics: &Physics) -> Vec<Id> {
    let forces = physics.forces.iter().flat_map(|force| force.left.iter().chain(&force.right));
    let mut roots = vec![physics.lagrangian];
    roots.extend(physics.dissipation.iter().chain(forces).chain(&physics.constraints).chain(&physics.nonholonomic));
    let mut switches = Vec::new();
    for id in graph.reachable(&roots) {
        let switch = match graph.node(id).clone() {
            Node::Call(Function::Abs | Function::Sign, arguments) => arguments[0],
            Node::Call(Function::Min | Function::Max, arguments) => graph.sub(arguments[0], arguments[1]),
            Node::Compare(_, a, b) => graph.sub(a, b),
            Node::Call(Function::Spline { table, .. }, arguments) => {
                let Some(switch) = spline::switch(graph, table, &arguments) else { continue };
                switch
            }
            _ => continue,
        };
        let moves = |symbol| matches!(symbol, Symbol::Coordinate(_) | Symbol::Velocity(_) | Symbol::Time);
        if graph.contains(switch, moves) && !switches.contains(&switch) {
            switches.push(switch);
        }
    }
    switches
}
