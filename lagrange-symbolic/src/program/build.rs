//! The builder. Equal operations are shared, and operations with a 0 or 1 are simplified.

use super::{Level, Numbers, Operation, Value};
use crate::graph::{Id, Rational, Symbol};
use std::collections::HashMap;

/// All operations of a mechanism's evaluations.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    pub(super) operations: Vec<Operation>,
    pub(super) levels: Vec<Level>,
    values: HashMap<Operation, Value>,
    /// The splines whose data are numbers, and the index of each by its data.
    pub(super) numbers: Vec<Numbers>,
    pub(super) number_index: HashMap<Vec<Id>, u32>,
    /// The values of graph nodes that are the same in every evaluation.
    pub(super) lowered: HashMap<Id, Value>,
    /// The values of nodes with accelerations or multipliers, under the present bindings.
    pub(super) bound: HashMap<Id, Value>,
    pub(super) bindings: HashMap<Symbol, Value>,
    /// How many expressions use each node.
    pub(super) parents: HashMap<Id, u32>,
    /// How many rewritten products the product that is being lowered is a part of.
    pub(super) rewritten: u32,
    /// Sums of angles whose sine and cosine come from those of their parts.
    pub(super) split_angles: HashMap<Id, (Id, Id, bool)>,
    /// The sine and cosine of each angle, so that each pair is computed once.
    pub(super) angles: HashMap<Id, (Value, Value)>,
}

impl Builder {
    /// A builder without operations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Every operation, in the order in which they were built.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The splines whose data are numbers.
    pub fn numbers(&self) -> &[Numbers] {
        &self.numbers
    }

    /// The operation that gives a value.
    pub fn operation(&self, value: Value) -> &Operation {
        &self.operations[value.index()]
    }

    /// When a value is known.
    pub fn level(&self, value: Value) -> Level {
        self.levels[value.index()]
    }

    /// The expression of each value that was lowered from one; the earliest if there are several.
    pub fn expressions(&self) -> HashMap<Value, Id> {
        let mut expressions: HashMap<Value, Id> = HashMap::new();
        for (&id, &value) in &self.lowered {
            let known = expressions.entry(value).or_insert(id);
            *known = id.min(*known);
        }
        expressions
    }

    /// The value of an operation, new or shared.
    pub fn push(&mut self, operation: Operation) -> Value {
        if let Some(&value) = self.values.get(&operation) {
            return value;
        }
        let level = match &operation {
            Operation::Symbol(Symbol::Parameter(_)) => Level::Parameter,
            Operation::Symbol(Symbol::Input(_)) => Level::Input,
            Operation::Symbol(Symbol::Time) => Level::Time,
            Operation::Symbol(Symbol::Coordinate(_)) => Level::Position,
            Operation::Symbol(_) | Operation::Argument(_) => Level::Velocity,
            other => other.operands().into_iter().map(|value| self.level(value)).max().unwrap_or(Level::Constant),
        };
        let value = Value(u32::try_from(self.operations.len()).unwrap_or(u32::MAX));
        self.operations.push(operation.clone());
        self.levels.push(level);
        self.values.insert(operation, value);
        value
    }

    /// An exact number.
    pub fn constant(&mut self, value: Rational) -> Value {
        self.push(Operation::Constant(value))
    }

    fn as_constant(&self, value: Value) -> Option<&Rational> {
        match self.operation(value) {
            Operation::Constant(number) => Some(number),
            _ => None,
        }
    }

    /// Whether the value is the number 0.
    pub fn is_zero(&self, value: Value) -> bool {
        self.as_constant(value).is_some_and(Rational::is_zero)
    }

    /// a + b.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) {
            return a;
        }
        match (self.as_negated(a), self.as_negated(b)) {
            (_, Some(b)) => self.subtract(a, b),
            (Some(a), None) => self.subtract(b, a),
            (None, None) => self.push(Operation::Add(a, b)),
        }
    }

    /// a − b.
    pub fn subtract(&mut self, a: Value, b: Value) -> Value {
        if self.is_zero(b) {
            return a;
        }
        if self.is_zero(a) {
            return self.negate(b);
        }
        if a == b {
            return self.constant(Rational::ZERO);
        }
        match self.as_negated(b) {
            Some(b) => self.add(a, b),
            None => self.push(Operation::Subtract(a, b)),
        }
    }

    /// a·b.
    pub fn multiply(&mut self, a: Value, b: Value) -> Value {
        for (value, other) in [(a, b), (b, a)] {
            match self.as_constant(value) {
                Some(number) if number.is_zero() => return value,
                Some(number) if number.is_one() => return other,
                Some(number) if *number == Rational::NEG_ONE => return self.negate(other),
                _ => {}
            }
        }
        match (self.as_negated(a), self.as_negated(b)) {
            (Some(a), Some(b)) => self.multiply(a, b),
            (Some(a), None) => {
                let product = self.multiply(a, b);
                self.negate(product)
            }
            (None, Some(b)) => {
                let product = self.multiply(a, b);
                self.negate(product)
            }
            (None, None) => self.multiply_hoisting(a, b),
        }
    }

    /// a·b of two values that are needed by themselves, too. Merging their hoisted factors would cost one more product.
    pub(super) fn multiply_as_given(&mut self, a: Value, b: Value) -> Value {
        if self.level(a) <= Level::Parameter || self.level(b) <= Level::Parameter {
            return self.multiply(a, b);
        }
        self.push(Operation::Multiply(a.min(b), a.max(b)))
    }

    /// a·b with the hoisted factors of both merged: (k x)·(l y) becomes ((k l) x)·y. The factor with the later level is
    /// last.
    fn multiply_hoisting(&mut self, a: Value, b: Value) -> Value {
        if self.level(a) <= Level::Parameter && self.level(b) <= Level::Parameter {
            return self.push(Operation::Multiply(a.min(b), a.max(b)));
        }
        let ((k, x), (l, y)) = (self.split_hoisted(a), self.split_hoisted(b));
        let merged = match (k, l) {
            (Some(k), Some(l)) => self.multiply(k, l),
            _ => return self.push(Operation::Multiply(a.min(b), a.max(b))),
        };
        match (x, y) {
            (Some(x), Some(y)) if self.level(x) == self.level(y) => {
                let product = self.multiply(x, y);
                self.push(Operation::Multiply(merged.min(product), merged.max(product)))
            }
            (Some(x), Some(y)) => {
                let (early, late) = if self.level(x) < self.level(y) { (x, y) } else { (y, x) };
                let early = self.push(Operation::Multiply(merged.min(early), merged.max(early)));
                self.push(Operation::Multiply(early.min(late), early.max(late)))
            }
            (Some(rest), None) | (None, Some(rest)) => {
                self.push(Operation::Multiply(merged.min(rest), merged.max(rest)))
            }
            (None, None) => merged,
        }
    }

    /// Splits a value into a hoisted factor and the rest. A value that is hoisted as a whole has no rest.
    pub(super) fn split_hoisted(&self, value: Value) -> (Option<Value>, Option<Value>) {
        let hoisted = |value: Value| self.level(value) <= Level::Parameter;
        match self.operation(value) {
            _ if hoisted(value) => (Some(value), None),
            Operation::Multiply(a, b) if hoisted(*a) => (Some(*a), Some(*b)),
            Operation::Multiply(a, b) if hoisted(*b) => (Some(*b), Some(*a)),
            _ => (None, Some(value)),
        }
    }

    /// −a.
    pub fn negate(&mut self, a: Value) -> Value {
        match self.operation(a) {
            Operation::Constant(number) => {
                let number = -number;
                self.constant(number)
            }
            Operation::Negate(inner) => *inner,
            Operation::Subtract(x, y) => {
                let (x, y) = (*x, *y);
                self.push(Operation::Subtract(y, x))
            }
            Operation::Multiply(..) if self.level(a) > Level::Parameter => match self.split_hoisted(a) {
                // The sign is moved into the hoisted factor.
                (Some(factor), Some(rest)) => {
                    let factor = self.negate(factor);
                    self.push(Operation::Multiply(factor.min(rest), factor.max(rest)))
                }
                _ => self.push(Operation::Negate(a)),
            },
            _ => self.push(Operation::Negate(a)),
        }
    }

    fn as_negated(&self, a: Value) -> Option<Value> {
        match self.operation(a) {
            Operation::Negate(inner) => Some(*inner),
            _ => None,
        }
    }

    /// 1/a.
    pub fn reciprocal(&mut self, a: Value) -> Value {
        match self.operation(a) {
            Operation::Constant(number) if !number.is_zero() => {
                let inverse = Rational::ONE / number;
                self.constant(inverse)
            }
            Operation::Reciprocal(inner) => *inner,
            _ => self.push(Operation::Reciprocal(a)),
        }
    }

    /// aⁿ for n ≥ 0, by multiplications that are shared with other powers.
    pub fn power(&mut self, a: Value, exponent: u64) -> Value {
        match exponent {
            0 => self.constant(Rational::ONE),
            1 => a,
            _ => {
                let half = self.power(a, exponent / 2);
                let square = self.multiply(half, half);
                if exponent % 2 == 1 { self.multiply(square, a) } else { square }
            }
        }
    }
}
