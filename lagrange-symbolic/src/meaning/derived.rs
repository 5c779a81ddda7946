//! The derived quantities in claims and outputs: those of the equations, accelerations, and partial derivatives.

use super::arithmetic::scalar_needed;
use super::scope::Scope;
use super::value::{Shape, Value};
use crate::calculus::derivative;
use crate::graph::{Id, Node, Symbol};
use crate::prove::Motion;
use crate::report::{Mistake, Place};
use crate::syntax::Expr;
use std::collections::HashMap;

/// The derived quantities that a claim may name, as expressions of the model's graph.
#[derive(Clone, Debug)]
pub struct DerivedNames {
    /// M, by rows.
    pub mass: Vec<Vec<Id>>,
    /// F.
    pub forcing: Vec<Id>,
    /// p.
    pub momentum: Vec<Id>,
    /// f.
    pub balance: Vec<Id>,
    /// h = v·p − L.
    pub energy: Id,
    /// T, where stated.
    pub kinetic: Option<Id>,
    /// V, where stated.
    pub potential: Option<Id>,
    /// D, where stated.
    pub dissipation: Option<Id>,
    /// L.
    pub lagrangian: Id,
    /// M, F, G and γ, from which accelerations and multipliers follow.
    pub motion: Motion,
    /// g_t or b of all rows of the constraints.
    pub drift: Vec<Id>,
    /// The rate of each coordinate without inertia, for the acceleration of its hidden coordinate.
    pub rates: HashMap<Symbol, Id>,
}

impl DerivedNames {
    /// The names of the derived quantities in a claim.
    pub const NAMES: [&str; 9] =
        ["mass", "forcing", "momentum", "balance", "energy", "kinetic", "potential", "dissipation", "lagrangian"];

    /// The names and functions whose values are those of the motion.
    pub(crate) const OF_THE_MOTION: [&str; 6] =
        ["acceleration", "dot(dot(", "multiplier(", "reaction(", "constraint_", "partial("];

    /// The names that are available. The energies that a block does not state have none.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().filter(|name| self.value(name).is_some())
    }

    pub(crate) fn value(&self, name: &str) -> Option<Value> {
        match name {
            "mass" => {
                let columns = self.mass.first().map_or(0, Vec::len);
                let shape = Shape::Matrix(self.mass.len(), columns);
                Some(Value::new(shape, self.mass.concat()))
            }
            "forcing" => Some(Value::vector(self.forcing.clone())),
            "momentum" => Some(Value::vector(self.momentum.clone())),
            "balance" => Some(Value::vector(self.balance.clone())),
            "energy" => Some(Value::scalar(self.energy)),
            "kinetic" => self.kinetic.map(Value::scalar),
            "potential" => self.potential.map(Value::scalar),
            "dissipation" => self.dissipation.map(Value::scalar),
            "lagrangian" => Some(Value::scalar(self.lagrangian)),
            _ => None,
        }
    }
}

impl Scope<'_> {
    /// The derived quantity of this name, where an expression may name it.
    pub(crate) fn derived_quantity(&mut self, name: &str) -> Option<Value> {
        match &self.rows {
            Some(rows) if name == "acceleration" => {
                let symbols = (0..rows.coordinates).map(Symbol::Acceleration);
                Some(Value::vector(symbols.map(|symbol| self.graph.symbol(symbol)).collect()))
            }
            _ => self.derived?.value(name),
        }
    }

    /// Whether the present expression is a claim about the motion.
    pub(crate) fn is_claim_of_motion(&self) -> bool {
        self.derived.is_some() && self.rows.is_some()
    }

    /// A value with the accelerations and multipliers that the equations of motion give. Symbols that these could not be
    /// solved for remain.
    pub(crate) fn on_motion(&mut self, value: Value) -> Value {
        let is_unknown = |symbol| matches!(symbol, Symbol::Acceleration(_) | Symbol::Multiplier(_));
        if !value.entries.iter().any(|id| self.graph.contains(*id, is_unknown)) {
            return value;
        }
        let solved = match self.solution.take() {
            Some(solved) => solved,
            None => self.solved(),
        };
        let entries = self.graph.substitute(&value.entries, &solved);
        self.solution = Some(solved);
        Value::new(value.shape, entries)
    }

    fn solved(&mut self) -> HashMap<Symbol, Id> {
        let Some(derived) = self.derived else { return HashMap::new() };
        let Some(solution) = derived.motion.solution(&mut self.graph, &self.domain) else { return HashMap::new() };
        let accelerations = (0..).map(Symbol::Acceleration).zip(solution.acceleration);
        accelerations.chain((0..).map(Symbol::Multiplier).zip(solution.multipliers)).collect()
    }

    /// `partial(quantity, variable)`: ∂quantity/∂variable, with the accelerations and multipliers as functions of the
    /// state, the inputs and the parameters. A vector of variables gives a vector, or the Jacobian of a vector.
    pub(crate) fn partial_derivative(&mut self, arguments: &[Expr], place: Place) -> Option<Value> {
        let function = "partial".to_owned();
        if !self.is_claim_of_motion() {
            self.report.add(Mistake::OutsideVerify { name: function }, place);
            return None;
        }
        let [quantity, variable] = arguments else {
            let help = "write `partial(quantity, variable)`".to_owned();
            let (expected, found) = ("2 arguments".to_owned(), arguments.len());
            self.report.add(Mistake::ArgumentCount { function, expected, found, help }, place);
            return None;
        };
        let (of, by) = (self.value(quantity), self.value(variable));
        let (of, by) = (of?, by?);
        let by_vector = by.shape != Shape::Scalar;
        let fault = match of.shape {
            Shape::Condition => Some(scalar_needed("the first argument of `partial`", &of)),
            Shape::Matrix(..) if by_vector => {
                let what = "the first argument of `partial` by a vector".to_owned();
                Some(Mistake::VectorNeeded { what, found: of.shape.to_string() })
            }
            _ => None,
        };
        if let Some(fault) = fault {
            self.report.add(fault, quantity.place);
            return None;
        }
        let variables: Option<Vec<Symbol>> = by.entries.iter().map(|id| self.variable(*id)).collect();
        let Some(variables) = variables.filter(|_| matches!(by.shape, Shape::Scalar | Shape::Vector(_))) else {
            self.report.add(Mistake::NoVariable { found: variable.to_string() }, variable.place);
            return None;
        };
        let of = self.on_motion(of);
        let columns: Vec<Vec<Id>> =
            variables.iter().map(|symbol| derivative(&mut self.graph, &of.entries, *symbol)).collect();
        let shape = match (of.shape, by.shape) {
            (shape, Shape::Scalar) => shape,
            (Shape::Vector(rows), _) => Shape::Matrix(rows, columns.len()),
            _ => Shape::Vector(columns.len()),
        };
        let entries = (0..of.entries.len()).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
        Some(Value::new(shape, entries))
    }

    /// The symbol of a coordinate, a velocity, the time, an input or a parameter.
    fn variable(&self, id: Id) -> Option<Symbol> {
        match self.graph.node(id) {
            Node::Symbol(Symbol::Acceleration(_) | Symbol::Multiplier(_) | Symbol::Dummy(_)) => None,
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }
}
