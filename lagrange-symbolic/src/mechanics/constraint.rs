//! Constraints: g, G, g_t of holonomic rows, A, b of nonholonomic ones, the hidden constraints, γ, and the reaction Gᵀλ.
//!
//! Holonomic: g(q, t) = 0, G = ∂g/∂q, hidden constraint G v + g_t = 0. Nonholonomic: A(q, t) v + b(q, t) = 0, G = A.
//! The time derivative of G v + g_t, or of A v + b, is G a + γ.

use crate::calculus::{derivative, directional};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Symbol};
use crate::physics::{Physics, Row};
use dashu_base::Abs;
use std::collections::HashMap;

/// The rows of all constraints, holonomic first.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// How many rows are holonomic.
    pub holonomic: usize,
    /// g; zero for a nonholonomic row.
    pub value: Vec<Id>,
    /// The sum of the magnitudes of the terms of g.
    pub scale: Vec<Id>,
    /// G, row by row.
    pub jacobian: Vec<Vec<Id>>,
    /// g_t, or b.
    pub drift: Vec<Id>,
    /// G v + drift.
    pub rate: Vec<Id>,
    /// γ, the quadratic velocity term.
    pub curvature: Vec<Id>,
    /// ∂(G v + drift)/∂q, column by column; none where it would be too large to write out.
    pub rate_q: Vec<Vec<Id>>,
    /// Gᵀλ.
    pub reaction: Vec<Id>,
    /// ∂(Gᵀλ)/∂q, column by column; none where it would be too large to write out.
    pub reaction_q: Vec<Vec<Id>>,
}

impl Constraints {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rate.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rate.is_empty()
    }

    /// Adds γ and the reaction.
    pub(super) fn with_reaction(mut self, graph: &mut Graph, physics: &Physics) -> Self {
        self.curvature = curvature(graph, physics, &self.rate);
        let multipliers: Vec<Id> = (0..self.rate.len() as u32).map(|k| graph.symbol(Symbol::Multiplier(k))).collect();
        for i in 0..physics.coordinates as usize {
            let column: Vec<Id> = self.jacobian.iter().map(|row| row[i]).collect();
            self.reaction.push(graph.inner(&column, &multipliers));
        }
        self
    }

    /// Adds the derivatives of the hidden constraints and of the reaction by q.
    pub(super) fn with_slopes(mut self, graph: &mut Graph, physics: &Physics) -> Self {
        let coordinates = physics.coordinate_symbols();
        self.rate_q = coordinates.iter().map(|&symbol| derivative(graph, &self.rate, symbol)).collect();
        self.reaction_q = coordinates.iter().map(|&symbol| derivative(graph, &self.reaction, symbol)).collect();
        self
    }
}

/// The rows without γ, the reaction and derivatives of these.
pub(super) fn constraints(graph: &mut Graph, physics: &Physics) -> Constraints {
    let zero = graph.zero();
    let coordinates = physics.coordinate_symbols();
    let direction = flow(graph, physics);
    let at_rest: HashMap<Symbol, Id> = physics.velocity_symbols().into_iter().map(|symbol| (symbol, zero)).collect();

    let values = |rows: &[Row]| -> Vec<Id> { rows.iter().map(|row| row.value).collect() };
    let (stated, nonholonomic) = (values(&physics.constraints), values(&physics.nonholonomic));
    let mut rate = directional(graph, &stated, &direction);
    rate.extend(&nonholonomic);
    let mut drift = derivative(graph, &stated, Symbol::Time);
    drift.extend(graph.substitute(&nonholonomic, &at_rest));
    let mut value = stated.clone();
    value.resize(rate.len(), zero);
    let scale = value.iter().map(|&value| magnitude(graph, value)).collect();

    let mut jacobian = vec![Vec::new(); rate.len()];
    for (&position, velocity) in coordinates.iter().zip(physics.velocity_symbols()) {
        let mut column = derivative(graph, &stated, position);
        column.extend(derivative(graph, &nonholonomic, velocity));
        for (row, entry) in jacobian.iter_mut().zip(column) {
            row.push(entry);
        }
    }
    let holonomic = physics.constraints.len();
    Constraints { holonomic, value, scale, jacobian, drift, rate, ..Constraints::default() }
}

/// The direction of time without accelerations: q → v, t → 1.
fn flow(graph: &mut Graph, physics: &Physics) -> Vec<(Symbol, Id)> {
    let velocities = physics.velocities(graph);
    let mut direction: Vec<(Symbol, Id)> = physics.coordinate_symbols().into_iter().zip(velocities).collect();
    direction.push((Symbol::Time, graph.one()));
    direction
}

/// The rate of G v + drift without accelerations.
pub(super) fn curvature(graph: &mut Graph, physics: &Physics, rates: &[Id]) -> Vec<Id> {
    let direction = flow(graph, physics);
    directional(graph, rates, &direction)
}

/// The sum of the magnitudes of the terms of an expression. A sum inside a product counts term by term too, and so does one inside a function that passes the rounding of its arguments on: an absolute value, a norm,
/// a minimum, a maximum and a choice.
pub(super) fn magnitude(graph: &mut Graph, id: Id) -> Id {
    magnitude_of(graph, id, &mut HashMap::new())
}

/// The sum of the magnitudes of the terms of an expression. `known` has the sums of the expressions that were visited: each may stand in many others.
fn magnitude_of(graph: &mut Graph, id: Id, known: &mut HashMap<Id, Id>) -> Id {
    if let Some(&magnitude) = known.get(&id) {
        return magnitude;
    }
    let found = match graph.node(id).clone() {
        Node::Sum { terms, constant } => {
            let parts = terms
                .into_iter()
                .map(|(term, coefficient)| (magnitude_of(graph, term, known), coefficient.abs()))
                .collect();
            graph.sum(parts, constant.abs())
        }
        Node::Product(factors) => {
            let parts = factors
                .into_iter()
                .map(|(base, exponent)| {
                    let part = if exponent.is_one() {
                        magnitude_of(graph, base, known)
                    } else {
                        graph.call(Function::Abs, &[base])
                    };
                    (part, exponent)
                })
                .collect();
            graph.product(parts)
        }
        Node::Call(Function::Abs, arguments) => magnitude_of(graph, arguments[0], known),
        Node::Call(Function::Norm, arguments) => {
            // A norm has the squares of its arguments, so that the sign of a single term does not matter.
            let part_of = |&part: &Id| {
                let [magnitude, absolute] = [magnitude_of(graph, part, known), graph.call(Function::Abs, &[part])];
                if magnitude == absolute { part } else { magnitude }
            };
            let parts: Vec<Id> = arguments.iter().map(part_of).collect();
            graph.call(Function::Norm, &parts)
        }
        Node::Call(Function::Min | Function::Max, arguments) => {
            let parts: Vec<Id> = arguments.iter().map(|&part| magnitude_of(graph, part, known)).collect();
            graph.call(Function::Max, &parts)
        }
        Node::Select(condition, first, second) => {
            let [first, second] = [first, second].map(|part| magnitude_of(graph, part, known));
            graph.select(condition, first, second)
        }
        _ => graph.call(Function::Abs, &[id]),
    };
    known.insert(id, found);
    found
}
