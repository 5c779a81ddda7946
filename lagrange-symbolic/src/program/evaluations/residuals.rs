//! The residuals of the equations with a and λ as arguments, and their derivatives.

use super::lowering::{Lowering, MOST_ALONE, columns_of};
use crate::calculus::{Network, directional};
use crate::graph::function::Function;
use crate::graph::{Id, Node, Rational, Symbol};
use crate::program::{Layout, LinearMap, Operation, Part, Routine, Step, Value};
use std::collections::{HashMap, HashSet};

/// How many directions a bundle of the runtime has.
const BUNDLE: usize = 4;

/// Derivatives in a direction that take more operations than this are computed by dual numbers.
const LONGEST_SLOPE: u32 = 30_000;

/// How much longer an operation on a bundle takes than one on a number, without wide registers.
const BUNDLE_WEIGHT: u32 = 2;

/// A mass matrix with more operations than this is not written out.
const LONGEST_MASS: usize = 25_000;

/// The nodes of the graph that the maps of directions may take for each node of r. Those of arms take 4.
const NODES_OF_SLOPES: usize = 12;

/// The residuals and their derivatives.
#[derive(Default)]
pub(super) struct Residuals {
    pub(super) residual: Option<Routine>,
    pub(super) joined_residual: Option<Routine>,
    pub(super) residual_slopes: Option<[LinearMap; 3]>,
    pub(super) composite_mass: Option<Routine>,
    pub(super) mass_map: Option<LinearMap>,
    pub(super) residual_jacobian: Option<Routine>,
    pub(super) residual_parameters: Option<Routine>,
}

impl Lowering<'_> {
    /// The residuals, if something needs them. With contacts they do not contain all forces: the derivatives of a and λ are those of dual
    /// numbers.
    pub(super) fn residuals(&mut self, are_needed: bool) -> Residuals {
        let arguments: HashMap<Symbol, Value> =
            (0..self.n as u32).map(|i| (Symbol::Acceleration(i), self.builder.push(Operation::Argument(i)))).collect();
        self.builder.bind(arguments);
        let mut residuals = Residuals::default();
        if !are_needed {
            return residuals;
        }
        let equations = self.equations;
        if let Some(jacobian) = &equations.residual_jacobian {
            let layout = Layout::default()
                .with(Part::ByQ, self.columns(&jacobian.q))
                .with(Part::ByV, self.columns(&jacobian.v))
                .with(Part::ByT, self.all(&jacobian.t))
                .with(Part::ByU, self.columns(&jacobian.u));
            residuals.residual_jacobian = Some(self.routine(layout));
            residuals.residual_parameters = jacobian.parameters.as_ref().map(|columns| {
                let outputs = self.columns(columns);
                Routine::new(&self.builder, &outputs)
            });
        }
        if residuals.residual_parameters.is_none() {
            let is_free = equations.constraints.is_empty();
            let driven = if is_free { &equations.residual } else { &equations.driven };
            let outputs = self.all(driven);
            residuals.residual = Some(Routine::new(&self.builder, &outputs));
            residuals.joined_residual = (!is_free).then(|| {
                let outputs = self.all(&equations.residual);
                Routine::new(&self.builder, &outputs)
            });
            if self.may_have_slopes() {
                if residuals.residual_jacobian.is_none() {
                    residuals.residual_slopes = self.slopes();
                }
                if self.mass.is_empty() {
                    let accelerations = (0..self.n as u32).map(Symbol::Acceleration).collect();
                    residuals.mass_map = self.slope(driven, accelerations);
                }
            }
        }
        if self.mass.is_empty() {
            residuals.composite_mass = self.composite_mass(residuals.mass_map.as_ref());
            residuals.mass_map = residuals.mass_map.filter(|_| residuals.composite_mass.is_none());
        }
        residuals
    }

    /// M by its sparse form. `None` where it has none, or a map that gives M column by column is shorter.
    fn composite_mass(&mut self, map: Option<&LinearMap>) -> Option<Routine> {
        let sparse = self.equations.sparse_mass.as_ref().filter(|_| self.n <= MOST_ALONE)?;
        let mass = self.builder.composite_mass(self.graph, sparse, LONGEST_MASS)?;
        let routine = self.routine(Layout::default().with(Part::Mass, columns_of(&mass, self.n)));
        let by_map = map.map_or(u32::MAX, |map| {
            let runs = self.n.div_ceil(BUNDLE) as u32;
            map.factors.count().weight() + BUNDLE_WEIGHT * runs * map.map.count().weight()
        });
        (routine.count().weight() <= by_map).then_some(routine)
    }

    /// Whether r may be differentiated along directions: the graph has room, and no function of the user, which dual numbers differentiate
    /// without a stated derivative, is in r.
    fn may_have_slopes(&self) -> bool {
        let nodes = self.graph.reachable(&self.equations.residual);
        let is_external = |id: &Id| matches!(self.graph.node(*id), Node::Call(Function::Extern { .. }, _));
        nodes.len().saturating_mul(NODES_OF_SLOPES) <= self.graph.room() && !nodes.iter().any(is_external)
    }

    /// The derivatives of r in directions of q, of v, and of (t, u).
    fn slopes(&mut self) -> Option<[LinearMap; 3]> {
        let n = self.n as u32;
        let symbols = self.equations.residual.iter().flat_map(|&row| self.graph.symbols(row));
        let inputs = symbols.filter_map(|symbol| if let Symbol::Input(i) = symbol { Some(i + 1) } else { None }).max();
        let inputs = inputs.unwrap_or(0);
        let coordinates = (0..n).map(Symbol::Coordinate).collect();
        let velocities = (0..n).map(Symbol::Velocity).collect();
        let others = [Symbol::Time].into_iter().chain((0..inputs).map(Symbol::Input)).collect();
        let rows = &self.equations.residual;
        Some([self.slope(rows, coordinates)?, self.slope(rows, velocities)?, self.slope(rows, others)?])
    }

    /// The derivative of rows in a direction, whose components follow a among the arguments.
    fn slope(&mut self, rows: &[Id], variables: Vec<Symbol>) -> Option<LinearMap> {
        let components = self.graph.scratch_symbols(variables.len());
        let direction: Vec<(Symbol, Id)> = variables
            .into_iter()
            .zip(&components)
            .map(|(variable, &component)| (variable, self.graph.symbol(component)))
            .collect();
        let slopes = directional(self.graph, rows, &direction);
        let mut network = Network::of(self.graph, &slopes, &components)?;
        network.shorten(self.graph, components.len().div_ceil(BUNDLE));
        let (outputs, arguments) = self.network(&network, components.len());
        let map = LinearMap::split(&self.builder, &outputs, &arguments, None)?;
        // An infinite factor would make a number of each other direction, which is 0 there, NaN. That is no loss where a row is not finite either.
        let values = self.builder.lower_all(self.graph, rows);
        let spreading = spreading(&Routine::new(&self.builder, &values));
        let loses = |step: &Step| may_be_infinite(&step.operation) && !spreading.contains(&step.value);
        if map.factors.steps.iter().any(loses) {
            return None;
        }
        let longest = map.map.count().total().max(map.factors.count().total());
        (longest <= LONGEST_SLOPE).then_some(map)
    }

    /// The outputs of a network, and its arguments, which follow a.
    fn network(&mut self, network: &Network, arguments: usize) -> (Vec<Value>, Vec<Value>) {
        let mut values: Vec<Value> = Vec::new();
        let zero = self.builder.constant(Rational::ZERO);
        for (node, terms) in network.terms.iter().enumerate() {
            if node < arguments {
                values.push(self.builder.push(Operation::Argument((self.n + node) as u32)));
                continue;
            }
            let mut sum = zero;
            for (&earlier, &coefficient) in terms {
                let coefficient = self.builder.lower(self.graph, coefficient);
                let product = self.builder.multiply(values[earlier], coefficient);
                sum = self.builder.add(sum, product);
            }
            values.push(sum);
        }
        let outputs = network.outputs.iter().map(|output| output.map_or(zero, |node| values[node])).collect();
        (outputs, values[..arguments].to_vec())
    }
}

/// The values of a routine that make an output infinite or NaN where they are infinite: an output contains them by sums, by products and as
/// numerators.
fn spreading(routine: &Routine) -> HashSet<Value> {
    let mut found: HashSet<Value> = routine.outputs.iter().copied().collect();
    for step in routine.steps.iter().rev() {
        if !found.contains(&step.value) {
            continue;
        }
        match step.operation {
            Operation::Add(..)
            | Operation::Subtract(..)
            | Operation::Multiply(..)
            | Operation::MultiplyAdd { .. }
            | Operation::Negate(_) => found.extend(step.operation.operands()),
            Operation::Divide(numerator, _) => {
                found.insert(numerator);
            }
            _ => {}
        }
    }
    found
}

/// Whether an operation on finite numbers can give an infinite one, apart from overflow of sums and products.
fn may_be_infinite(operation: &Operation) -> bool {
    match operation {
        Operation::SquareRoot(_)
        | Operation::Power(..)
        | Operation::Divide(..)
        | Operation::Reciprocal(_)
        | Operation::Solution(..)
        | Operation::Component(..) => true,
        Operation::Call(function, _) => !function.keeps_finite(),
        _ => false,
    }
}
