//! The domain of a claim: the values of parameters, and the states that constraints allow.

use super::parameters::{ParameterSigns, Parameters};
use super::search::Search;
use crate::graph::function::Function;
use crate::graph::value::{Arithmetic, evaluate};
use crate::graph::{Graph, Id, Node, Rational, Symbol};
use std::collections::{HashMap, HashSet};

/// The values for which a claim is made. Parameters are positive unless an assumption says otherwise.
#[derive(Clone, Debug, Default)]
pub struct Domain {
    /// Expressions in parameters that are positive.
    pub(super) assumptions: Vec<Id>,
    /// The states that are allowed, where constraints restrict them.
    pub(super) manifold: Option<Manifold>,
    pub(super) parameters: Parameters,
    /// Nodes whose continuity the block asserts where it cannot be decided.
    pub(super) continuous: HashSet<Id>,
    signs: ParameterSigns,
}

impl Domain {
    /// Replaces the expressions that are asserted to be continuous.
    pub(crate) fn replace_continuous(&mut self, replace: &mut impl FnMut(&mut Id)) {
        let mut changed: Vec<Id> = std::mem::take(&mut self.continuous).into_iter().collect();
        changed.sort_unstable();
        changed.iter_mut().for_each(replace);
        self.continuous = changed.into_iter().collect();
    }

    /// The domain of parameters that make the expressions in `assumptions` positive. The expressions in `continuous`
    /// are taken to be continuous where that cannot be decided.
    pub fn new(graph: &Graph, assumptions: &[Id], continuous: &[Id]) -> Self {
        let continuous: HashSet<Id> = graph.reachable(continuous).into_iter().collect();
        let with = |positive| {
            let parameters = Parameters::new(graph, assumptions, positive);
            let signs = parameters.signs(graph);
            let continuous = continuous.clone();
            Self { assumptions: assumptions.to_vec(), manifold: None, parameters, continuous, signs }
        };
        let domain = with(true);
        // If no positive parameters satisfy all assumptions together, none is taken to be positive.
        if assumptions.is_empty() || domain.has_parameters(graph) { domain } else { with(false) }
    }

    /// Returns this domain with its states restricted to the constraints of `manifold`.
    pub fn on(&self, manifold: Option<Manifold>) -> Self {
        Self { manifold, ..self.clone() }
    }

    /// Returns the signs of parameters that follow from the assumptions.
    pub fn signs(&self) -> &ParameterSigns {
        &self.signs
    }

    /// Whether parameters that satisfy all assumptions were found. Assumptions about a user's own function are
    /// believed.
    pub fn has_parameters(&self, graph: &Graph) -> bool {
        let is_opaque = |id: &Id| matches!(graph.node(*id), Node::Call(Function::Extern { .. }, _));
        if graph.reachable(&self.assumptions).iter().any(is_opaque) {
            return true;
        }
        !self.parameters.is_contradictory() && Search::new(graph, self, &[]).parameters(0).is_some()
    }
}

/// The states that satisfy constraints: g(q, t) = 0 and G v + b = 0, with b = ∂g/∂t for a holonomic row.
#[derive(Clone, Debug)]
pub struct Manifold {
    /// How many coordinates there are.
    pub coordinates: u32,
    /// g of the holonomic rows, which come first.
    pub value: Vec<Id>,
    /// G of all rows.
    pub jacobian: Vec<Vec<Id>>,
    /// G v + b of all rows.
    pub rate: Vec<Id>,
}

impl Manifold {
    /// Every expression that a projection evaluates.
    pub(super) fn expressions(&self) -> impl Iterator<Item = Id> {
        self.value.iter().chain(self.jacobian.iter().flatten()).chain(&self.rate).copied()
    }

    /// Projects the coordinates onto g = 0 by so many steps of Newton's method with least change, then the velocities
    /// onto G v + b = 0 by two steps. `None` where an expression is undefined or G has no full rank.
    pub(super) fn project<A: Arithmetic>(
        &self,
        arithmetic: &mut A,
        graph: &Graph,
        order: &[Id],
        known: &mut HashMap<Symbol, A::Value>,
        steps: u32,
    ) -> Option<()> {
        let holonomic = self.value.len();
        for _ in 0..steps {
            self.correct(
                arithmetic,
                graph,
                order,
                known,
                (&self.value, &self.jacobian[..holonomic]),
                Symbol::Coordinate,
            )?;
        }
        for _ in 0..2 {
            self.correct(arithmetic, graph, order, known, (&self.rate, &self.jacobian), Symbol::Velocity)?;
        }
        Some(())
    }

    /// x ← x − Gᵀ (G Gᵀ)⁻¹ r.
    fn correct<A: Arithmetic>(
        &self,
        arithmetic: &mut A,
        graph: &Graph,
        order: &[Id],
        known: &mut HashMap<Symbol, A::Value>,
        (residuals, jacobian): (&[Id], &[Vec<Id>]),
        symbol: fn(u32) -> Symbol,
    ) -> Option<()> {
        let values = evaluate(arithmetic, graph, order, &mut |symbol| known.get(&symbol).cloned());
        let real = |id: &Id| values.get(id.index())?.as_ref()?.real().cloned();
        let residuals: Vec<A::Value> = residuals.iter().map(real).collect::<Option<_>>()?;
        let rows: Vec<Vec<A::Value>> =
            jacobian.iter().map(|row| row.iter().map(real).collect::<Option<_>>()).collect::<Option<_>>()?;
        let mut system = Vec::new();
        for (row, residual) in rows.iter().zip(residuals) {
            let mut line = Vec::new();
            for other in &rows {
                line.push(inner(arithmetic, row, other)?);
            }
            line.push(residual);
            system.push(line);
        }
        let weights = solve(arithmetic, system)?;
        let minus = arithmetic.rational(&Rational::NEG_ONE)?;
        for i in 0..self.coordinates {
            let Some(mut value) = known.get(&symbol(i)).cloned() else { continue };
            for (row, weight) in rows.iter().zip(&weights) {
                let change = arithmetic.mul(&row[i as usize], weight)?;
                let change = arithmetic.mul(&minus, &change)?;
                value = arithmetic.add(&value, &change)?;
            }
            known.insert(symbol(i), value);
        }
        Some(())
    }
}

fn inner<A: Arithmetic>(arithmetic: &mut A, a: &[A::Value], b: &[A::Value]) -> Option<A::Value> {
    let mut sum = arithmetic.rational(&Rational::ZERO)?;
    for (x, y) in a.iter().zip(b) {
        let product = arithmetic.mul(x, y)?;
        sum = arithmetic.add(&sum, &product)?;
    }
    Some(sum)
}

/// Solves a positive definite system by elimination without pivots. The right side is the last entry of each row.
fn solve<A: Arithmetic>(arithmetic: &mut A, mut rows: Vec<Vec<A::Value>>) -> Option<Vec<A::Value>> {
    let size = rows.len();
    let minus = arithmetic.rational(&Rational::NEG_ONE)?;
    for k in 0..size {
        let inverse = arithmetic.power_rational(&rows[k][k].clone(), &Rational::NEG_ONE)?;
        let pivot_row: Vec<A::Value> =
            rows[k].clone().iter().map(|entry| arithmetic.mul(entry, &inverse)).collect::<Option<_>>()?;
        for (i, row) in rows.iter_mut().enumerate() {
            if i == k {
                continue;
            }
            let factor = arithmetic.mul(&minus, &row[k].clone())?;
            for (entry, pivot) in row.iter_mut().zip(&pivot_row) {
                let change = arithmetic.mul(&factor, pivot)?;
                *entry = arithmetic.add(entry, &change)?;
            }
        }
        rows[k] = pivot_row;
    }
    rows.into_iter().map(|mut row| row.pop()).collect()
}
