//! The domain of a claim: the values of parameters, and the states that constraints allow.

use super::parameters::{ParameterSigns, Parameters};
use super::range::Range;
use super::search::Search;
use crate::graph::function::Function;
use crate::graph::value::{Arithmetic, Evaluated, Plain, evaluate};
use crate::graph::{Graph, Id, Node, Rational, Symbol};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A row of g counts as 0 where it is at most this part of the sum of the magnitudes of its terms, or of the change that a relative change
/// of the coordinates by 1 makes.
const ON_MANIFOLD: f64 = 1e-9;

/// What a parameter may be that is not taken to be positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freedom {
    /// Any number.
    AnySign,
    /// Zero alone.
    Zero,
}

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
    /// The ranges of parameters that are not taken to be positive, whatever the assumptions say.
    free: BTreeMap<Symbol, Range>,
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
        Self { assumptions: assumptions.to_vec(), continuous, ..Self::default() }.ranged(graph)
    }

    /// Finds the ranges of the parameters.
    fn ranged(self, graph: &Graph) -> Self {
        let with = |positive| {
            let parameters = Parameters::new(graph, &self.assumptions, positive, &self.free);
            let signs = parameters.signs(graph);
            Self { parameters, signs, ..self.clone() }
        };
        let domain = with(true);
        // If no positive parameters satisfy all assumptions together, none is taken to be positive.
        if self.assumptions.is_empty() || domain.has_parameters(graph) { domain } else { with(false) }
    }

    /// Returns this domain with parameters that need not be positive, or that are 0.
    pub fn freed(&self, graph: &Graph, parameters: &[(Symbol, Freedom)]) -> Self {
        let range = |freedom: &Freedom| match freedom {
            Freedom::AnySign => Range::ALL,
            Freedom::Zero => Range::point(0.0),
        };
        let free = parameters.iter().map(|(symbol, freedom)| (*symbol, range(freedom))).collect();
        Self { free, ..self.clone() }.ranged(graph)
    }

    /// Whether a parameter is taken to be positive though no assumption says so.
    pub fn presumes_positive(&self, parameter: Symbol) -> bool {
        self.parameters.presumes_positive(parameter)
    }

    /// Whether the values of some parameters are drawn from ranges.
    pub(super) fn has_ranges(&self) -> bool {
        !self.assumptions.is_empty() || !self.free.is_empty()
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

    /// Whether each row of g is 0 up to rounding: relative to its terms, or where a relative change of the coordinates by rounding would make
    /// it 0.
    pub(super) fn is_met(&self, graph: &Graph, point: &HashMap<Symbol, f64>) -> bool {
        let order = graph.reachable(&self.expressions().collect::<Vec<_>>());
        let values = evaluate(&mut Plain, graph, &order, &mut |symbol| point.get(&symbol).copied());
        let value =
            |id: Id| values[id.index()].as_ref().and_then(Evaluated::real).map_or(f64::NAN, |value| value.abs());
        // The sums of the magnitudes of all terms, sums inside of products included.
        let mut sizes: HashMap<Id, f64> = HashMap::with_capacity(order.len());
        for &id in &order {
            let size = |id: &Id| sizes.get(id).copied().unwrap_or(f64::NAN);
            let own = match graph.node(id) {
                Node::Sum { terms, constant } => {
                    terms.iter().fold(constant.to_f64().value().abs(), |sum, (term, scale)| {
                        sum + scale.to_f64().value().abs() * size(term)
                    })
                }
                Node::Product(factors) => factors.iter().fold(1.0, |product, (base, exponent)| {
                    let exponent = exponent.to_f64().value();
                    product * if exponent > 0.0 { size(base) } else { value(*base) }.powf(exponent)
                }),
                _ => value(id),
            };
            sizes.insert(id, own);
        }
        self.value.iter().zip(&self.jacobian).all(|(row, gradient)| {
            // The least change of the coordinates with which the row would be 0, and their size.
            let (steepness, size) = (0..).zip(gradient).fold((0.0, 0.0_f64), |(square, size), (i, slope)| {
                let slope = value(*slope);
                let own = point.get(&Symbol::Coordinate(i)).filter(|_| slope != 0.0).map_or(0.0, |q| q.abs());
                (square + slope * slope, size.max(own))
            });
            value(*row) <= ON_MANIFOLD * sizes[row].max(size * steepness.sqrt())
        })
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
