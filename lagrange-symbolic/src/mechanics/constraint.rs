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
    /// ∂(G v + drift)/∂q, column by column.
    pub rate_q: Vec<Vec<Id>>,
    /// Gᵀλ.
    pub reaction: Vec<Id>,
    /// ∂(Gᵀλ)/∂q, column by column.
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
}

pub(super) fn constraints(graph: &mut Graph, physics: &Physics) -> Constraints {
    let zero = graph.zero();
    let coordinates = physics.coordinate_symbols();
    let velocities = physics.velocities(graph);
    let mut direction: Vec<(Symbol, Id)> = coordinates.iter().copied().zip(velocities).collect();
    direction.push((Symbol::Time, graph.one()));
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
    let curvature = directional(graph, &rate, &direction);
    let multipliers: Vec<Id> = (0..rate.len() as u32).map(|k| graph.symbol(Symbol::Multiplier(k))).collect();
    let mut reaction = Vec::new();
    for i in 0..coordinates.len() {
        let column: Vec<Id> = jacobian.iter().map(|row: &Vec<Id>| row[i]).collect();
        reaction.push(graph.inner(&column, &multipliers));
    }
    let rate_q = coordinates.iter().map(|&symbol| derivative(graph, &rate, symbol)).collect();
    let reaction_q = coordinates.iter().map(|&symbol| derivative(graph, &reaction, symbol)).collect();
    let holonomic = physics.constraints.len();
    Constraints { holonomic, value, scale, jacobian, drift, rate, curvature, rate_q, reaction, reaction_q }
}

/// The sum of the magnitudes of the terms of an expression. A sum inside a product counts term by term too.
pub(super) fn magnitude(graph: &mut Graph, id: Id) -> Id {
    match graph.node(id).clone() {
        Node::Sum { terms, constant } => {
            let parts =
                terms.into_iter().map(|(term, coefficient)| (magnitude(graph, term), coefficient.abs())).collect();
            graph.sum(parts, constant.abs())
        }
        Node::Product(factors) => {
            let parts = factors
                .into_iter()
                .map(|(base, exponent)| {
                    let part =
                        if exponent.is_one() { magnitude(graph, base) } else { graph.call(Function::Abs, &[base]) };
                    (part, exponent)
                })
                .collect();
            graph.product(parts)
        }
        _ => graph.call(Function::Abs, &[id]),
    }
}
