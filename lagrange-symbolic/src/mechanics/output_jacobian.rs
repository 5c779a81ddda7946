//! Derivatives of the outputs y(t, q, v, u), and the parts of their rates without accelerations:
//!
//! ```text
//! ẏ = ∂y/∂v a + drift,        drift = ∂y/∂q v + ∂y/∂t
//! ÿ = ∂y/∂q a + bias          of an output y(t, q, u)
//! ```
//!
//! at constant inputs.

use super::{Cost, plan};
use crate::calculus::{derivative, directional, gradient};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Symbol};
use crate::physics::Physics;
use std::collections::HashMap;

/// The derivatives of the outputs. Those of outputs that are not written out come from dual numbers.
#[derive(Clone, Debug, Default)]
pub struct OutputJacobian {
    /// The indices of the outputs whose derivatives are written out. The other lists have an entry for each of them.
    pub written: Vec<usize>,
    /// y.
    pub values: Vec<Id>,
    /// The derivatives of each output by q, then v, then t, then u.
    pub rows: Vec<Vec<Id>>,
    /// ∂y/∂q v + ∂y/∂t.
    pub drift: Vec<Id>,
    /// ÿ − ∂y/∂q a; `None` for an output that depends on velocities.
    pub bias: Vec<Option<Id>>,
    /// The indices of the outputs whose derivatives come from dual numbers.
    pub others: Vec<usize>,
    /// Those of them that are functions of (t, q, u).
    pub other_positions: Vec<usize>,
}

impl OutputJacobian {
    /// The derivatives of these outputs. Those that contain accelerations, multipliers, forces of contacts or functions of the user are not
    /// written out, and none is where all of them would be too long.
    pub fn of(graph: &mut Graph, physics: &Physics, outputs: &[Id], cost: Cost) -> Self {
        let may_call = has_externs(graph, outputs);
        let is_plain = |&k: &usize| {
            let (output, graph) = (outputs[k], &*graph);
            !is_solved(graph, output) && (!may_call || !has_externs(graph, &[output]))
        };
        let plain: Vec<usize> = (0..outputs.len()).filter(is_plain).collect();
        let values: Vec<Id> = plain.iter().map(|&k| outputs[k]).collect();
        let nodes = graph.reachable(&values).len();
        let sweeps = values.len().min(physics.coordinates as usize) + 1;
        let is_short = nodes.saturating_mul(4 * sweeps) <= graph.room()
            && plan::is_short_output_jacobian(sweeps, cost(graph, &values));
        let mut found = if is_short && !plain.is_empty() {
            Self::written_out(graph, physics, plain, values, cost)
        } else {
            Self::default()
        };
        found.others = (0..outputs.len()).filter(|k| !found.written.contains(k)).collect();
        found.other_positions = found.others.iter().copied().filter(|&k| is_position(graph, outputs[k])).collect();
        found
    }

    fn written_out(graph: &mut Graph, physics: &Physics, written: Vec<usize>, values: Vec<Id>, cost: Cost) -> Self {
        let (zero, flow) = (graph.zero(), physics.flow(graph));
        let rest: HashMap<Symbol, Id> = (0..physics.coordinates).map(|i| (Symbol::Acceleration(i), zero)).collect();
        let rates = directional(graph, &values, &flow);
        let drift = graph.substitute(&rates, &rest);
        let second = directional(graph, &rates, &flow);
        let second = graph.substitute(&second, &rest);
        let positions: Vec<bool> = values.iter().map(|&value| is_position(graph, value)).collect();
        let bias = second.into_iter().zip(&positions).map(|(bias, is_position)| is_position.then_some(bias)).collect();
        let ways = [by_columns(graph, physics, &values), by_rows(graph, physics, &values), {
            by_rates(graph, physics, &values, &drift, &positions)
        }];
        let shared: Vec<Id> = values.iter().chain(&drift).copied().collect();
        let length = |rows: &Vec<Vec<Id>>| -> u32 {
            let all: Vec<Id> = rows.iter().flatten().chain(&shared).copied().collect();
            cost(graph, &all)
        };
        let rows = ways.into_iter().min_by_key(length).unwrap_or_default();
        Self { written, values, rows, drift, bias, ..Self::default() }
    }
}

/// The variables, in the order of a row.
fn variables(physics: &Physics) -> Vec<Symbol> {
    let mut all = [physics.coordinate_symbols(), physics.velocity_symbols()].concat();
    all.push(Symbol::Time);
    all.extend((0..physics.inputs).map(Symbol::Input));
    all
}

/// The rows by the derivatives of all outputs by one variable after the other.
fn by_columns(graph: &mut Graph, physics: &Physics, values: &[Id]) -> Vec<Vec<Id>> {
    let columns: Vec<Vec<Id>> =
        variables(physics).into_iter().map(|variable| derivative(graph, values, variable)).collect();
    (0..values.len()).map(|row| columns.iter().map(|column| column[row]).collect()).collect()
}

/// The rows by the gradient of one output after the other.
fn by_rows(graph: &mut Graph, physics: &Physics, values: &[Id]) -> Vec<Vec<Id>> {
    let variables = variables(physics);
    values.iter().map(|&value| gradient(graph, value, &variables)).collect()
}

/// The rows by gradients, where those by q of a position are the gradients of its rate by v: ∂y/∂q = ∂ẏ/∂v. The velocities of points of bodies
/// are known in their frames, so that this is shorter than the derivatives of products of rotations.
fn by_rates(graph: &mut Graph, physics: &Physics, values: &[Id], drift: &[Id], positions: &[bool]) -> Vec<Vec<Id>> {
    let (variables, velocities) = (variables(physics), physics.velocity_symbols());
    let rows = values.iter().zip(drift).zip(positions);
    rows.map(|((&value, &rate), &is_position)| {
        if !is_position {
            return gradient(graph, value, &variables);
        }
        let others = gradient(graph, value, &variables[velocities.len()..]);
        gradient(graph, rate, &velocities).into_iter().chain(others).collect()
    })
    .collect()
}

/// Whether an output contains what is known only once the equations are solved.
fn is_solved(graph: &Graph, output: Id) -> bool {
    graph
        .contains(output, |symbol| matches!(symbol, Symbol::Acceleration(_) | Symbol::Multiplier(_) | Symbol::Force(_)))
}

/// Whether expressions contain functions of the user, of which derivatives may be missing.
fn has_externs(graph: &Graph, expressions: &[Id]) -> bool {
    let is_external = |id: &Id| matches!(graph.node(*id), Node::Call(Function::Extern { .. }, _));
    graph.reachable(expressions).iter().any(is_external)
}

/// Whether an output is a function of (t, q, u) alone.
fn is_position(graph: &Graph, output: Id) -> bool {
    !is_solved(graph, output) && !graph.contains(output, |symbol| matches!(symbol, Symbol::Velocity(_)))
}
