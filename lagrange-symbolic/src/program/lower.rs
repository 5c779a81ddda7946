//! Graph nodes to operations. Factors that are parameters come first, so that their products are hoisted. Factors with
//! a late level come last, so that the chain of operations from a velocity to the result is short.

use super::saturate::saturating;
use super::{Builder, Level, Operation, Value};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, Symbol, rational};
use dashu_base::Sign;
use std::collections::{BTreeMap, HashMap};

/// Terms, grouped by their varying factors: for each group the fixed factors and numbers.
type Groups = BTreeMap<Vec<(Id, Rational)>, Vec<(Id, Rational)>>;

/// The most times that a product is written in another form, one after another, so that its parts do not overflow.
const MOST_REWRITES: u32 = 12;

impl Builder {
    /// Sets the values of accelerations or multipliers for the expressions that are lowered from now on.
    pub fn bind(&mut self, bindings: HashMap<Symbol, Value>) {
        self.bound.clear();
        self.bindings = bindings;
    }

    /// The values of several expressions.
    pub fn lower_all(&mut self, graph: &mut Graph, ids: &[Id]) -> Vec<Value> {
        ids.iter().map(|&id| self.lower(graph, id)).collect()
    }

    /// The value of an expression.
    pub fn lower(&mut self, graph: &mut Graph, id: Id) -> Value {
        let needs_binding =
            graph.contains(id, |symbol| matches!(symbol, Symbol::Acceleration(_) | Symbol::Multiplier(_)));
        let known = if needs_binding { self.bound.get(&id) } else { self.lowered.get(&id) };
        if let Some(&value) = known {
            return value;
        }
        let value = self.lower_node(graph, id);
        let table = if needs_binding { &mut self.bound } else { &mut self.lowered };
        table.insert(id, value);
        value
    }

    fn lower_node(&mut self, graph: &mut Graph, id: Id) -> Value {
        match graph.node(id).clone() {
            Node::Number(value) => self.constant(value),
            Node::Pi => self.push(Operation::Pi),
            Node::Symbol(symbol) => match self.bindings.get(&symbol) {
                Some(&value) => value,
                None => self.push(Operation::Symbol(symbol)),
            },
            Node::Sum { terms, constant } => self.lower_sum(graph, &terms, &constant),
            Node::Product(factors) => {
                if self.rewritten < MOST_REWRITES
                    && let Some(other) = saturating(graph, &factors)
                {
                    self.rewritten += 1;
                    let value = self.lower(graph, other);
                    self.rewritten -= 1;
                    return value;
                }
                let mut varying = factors.iter().filter(|(base, _)| !hoisted(graph, *base));
                match (varying.next(), varying.next()) {
                    (Some((inner, exponent)), None)
                        if exponent.is_one() && factors.len() > 1 && matches!(graph.node(*inner), Node::Sum { .. }) =>
                    {
                        self.lower_sum(graph, &[(id, Rational::ONE)], &Rational::ZERO)
                    }
                    _ => self.lower_product(graph, &factors),
                }
            }
            Node::Power(base, exponent) => {
                let base = self.lower(graph, base);
                let exponent = self.lower(graph, exponent);
                self.push(Operation::Power(base, exponent))
            }
            Node::Call(Function::Sin, arguments) => self.sine_cosine(graph, arguments[0]).0,
            Node::Call(Function::Cos, arguments) => self.sine_cosine(graph, arguments[0]).1,
            Node::Call(Function::Spline { order, .. }, arguments) => self.lower_spline(graph, order, &arguments),
            Node::Call(Function::Implicit { index, part }, arguments) => {
                let arguments = self.lower_all(graph, &arguments).into();
                let solution = self.push(Operation::Solution(index, arguments));
                self.push(Operation::Component(part, solution))
            }
            Node::Call(function, arguments) => {
                let arguments = self.lower_all(graph, &arguments).into();
                self.push(Operation::Call(function, arguments))
            }
            Node::Select(condition, yes, no) => {
                let condition = self.lower(graph, condition);
                let (yes, no) = (self.lower(graph, yes), self.lower(graph, no));
                self.push(Operation::Select(condition, yes, no))
            }
            Node::Truth(value) => self.push(Operation::Truth(value)),
            Node::Compare(relation, a, b) => {
                let (a, b) = (self.lower(graph, a), self.lower(graph, b));
                self.push(Operation::Compare(relation, a, b))
            }
            Node::And(a, b) => {
                let (a, b) = (self.lower(graph, a), self.lower(graph, b));
                self.push(Operation::And(a, b))
            }
            Node::Or(a, b) => {
                let (a, b) = (self.lower(graph, a), self.lower(graph, b));
                self.push(Operation::Or(a, b))
            }
            Node::Not(a) => {
                let a = self.lower(graph, a);
                self.push(Operation::Not(a))
            }
        }
    }

    /// Groups terms that differ only in their parameters: Σ kᵢ x is (Σ kᵢ) x, with one hoisted coefficient.
    fn lower_sum(&mut self, graph: &mut Graph, terms: &[(Id, Rational)], constant: &Rational) -> Value {
        if terms.iter().all(|(id, _)| hoisted(graph, *id)) {
            return self.lower_plain_sum(graph, terms, constant);
        }
        let mut groups = Groups::new();
        let one = graph.one();
        self.group_terms(graph, terms, constant, (one, Rational::ONE), &mut groups);
        let mut parts: Vec<(Level, Id, Id)> = Vec::new();
        for (varying, coefficients) in groups {
            let coefficient = graph.sum(coefficients, Rational::ZERO);
            let varying = graph.product(varying);
            if !graph.is_zero(coefficient) {
                parts.push((self.level_of(graph, varying), varying, coefficient));
            }
        }
        parts.sort();
        // A positive term comes first, so that the sum starts without a negation.
        let minus = |graph: &Graph, id: Id| is_negative(graph, id);
        if let Some(first) = parts.iter().position(|(_, _, coefficient)| !minus(graph, *coefficient)) {
            let level = parts[first].0;
            if level == parts[0].0 {
                parts[..=first].rotate_right(1);
            }
        }
        let mut total = self.constant(Rational::ZERO);
        for (_, varying, coefficient) in parts {
            let negative = minus(graph, coefficient);
            let magnitude = if negative { graph.neg(coefficient) } else { coefficient };
            let magnitude = self.lower(graph, magnitude);
            let varying = self.lower(graph, varying);
            let term = self.multiply(magnitude, varying);
            total = if negative { self.subtract(total, term) } else { self.add(total, term) };
        }
        total
    }

    /// Groups the terms of k·(Σ cᵢ xᵢ + c) by their varying factors. A sum that has only this use is opened, so that k
    /// is multiplied with its coefficients.
    fn group_terms(
        &self,
        graph: &mut Graph,
        terms: &[(Id, Rational)],
        constant: &Rational,
        (scale, number): (Id, Rational),
        groups: &mut Groups,
    ) {
        if !constant.is_zero() {
            groups.entry(Vec::new()).or_default().push((scale, constant * &number));
        }
        for (id, coefficient) in terms {
            let (mut fixed, varying): (Vec<_>, Vec<_>) =
                graph.factors(*id).into_iter().partition(|(base, _)| hoisted(graph, *base));
            fixed.push((scale, Rational::ONE));
            let fixed = graph.product(fixed);
            let coefficient = coefficient * &number;
            if let [(inner, exponent)] = varying.as_slice()
                && exponent.is_one()
                && self.is_private(*inner)
                && let Node::Sum { terms, constant } = graph.node(*inner).clone()
            {
                self.group_terms(graph, &terms, &constant, (fixed, coefficient), groups);
            } else {
                groups.entry(varying).or_default().push((fixed, coefficient));
            }
        }
    }

    /// Whether at most one expression uses the node.
    fn is_private(&self, id: Id) -> bool {
        self.parents.get(&id).is_none_or(|&count| count <= 1)
    }

    fn lower_plain_sum(&mut self, graph: &mut Graph, terms: &[(Id, Rational)], constant: &Rational) -> Value {
        let mut total = self.constant(constant.clone());
        let (positive, negative): (Vec<_>, Vec<_>) =
            terms.iter().partition(|(_, coefficient)| coefficient.sign() == Sign::Positive);
        for (id, coefficient) in positive {
            let value = self.lower(graph, *id);
            let coefficient = self.constant(coefficient.clone());
            let term = self.multiply(coefficient, value);
            total = self.add(total, term);
        }
        for (id, coefficient) in negative {
            let value = self.lower(graph, *id);
            let coefficient = self.constant(-coefficient);
            let term = self.multiply(coefficient, value);
            total = self.subtract(total, term);
        }
        total
    }

    /// Multiplies factors level by level: parameters, time, coordinates, velocities.
    fn lower_product(&mut self, graph: &mut Graph, factors: &[(Id, Rational)]) -> Value {
        let mut numerators: BTreeMap<Level, Vec<Value>> = BTreeMap::new();
        let mut denominators: BTreeMap<Level, Vec<Value>> = BTreeMap::new();
        for (base, exponent) in factors {
            let magnitude = if exponent.sign() == Sign::Negative { -exponent } else { exponent.clone() };
            let value = self.lower_power(graph, *base, &magnitude);
            let side = if exponent.sign() == Sign::Negative { &mut denominators } else { &mut numerators };
            side.entry(self.level(value)).or_default().push(value);
        }
        let mut total = self.constant(Rational::ONE);
        let levels: std::collections::BTreeSet<Level> = numerators.keys().chain(denominators.keys()).copied().collect();
        for level in levels {
            if let Some(values) = numerators.get(&level) {
                let product = self.multiply_all(values);
                total = self.multiply(total, product);
            }
            if let Some(values) = denominators.get(&level) {
                let product = self.multiply_all(values);
                let inverse = self.reciprocal(product);
                total = self.multiply(total, inverse);
            }
        }
        total
    }

    fn multiply_all(&mut self, values: &[Value]) -> Value {
        let mut total = values[0];
        for &value in &values[1..] {
            total = self.multiply(total, value);
        }
        total
    }

    /// base^exponent for a positive exact exponent.
    fn lower_power(&mut self, graph: &mut Graph, base: Id, exponent: &Rational) -> Value {
        let value = self.lower(graph, base);
        if let Some(power) = as_integer(exponent) {
            return self.power(value, power);
        }
        if let Some(power) = as_integer(&(exponent * rational(2, 1))) {
            let root = self.push(Operation::SquareRoot(value));
            let whole = self.power(value, power / 2);
            return self.multiply(whole, root);
        }
        let exponent = self.constant(exponent.clone());
        self.push(Operation::Power(value, exponent))
    }

    fn level_of(&self, graph: &Graph, id: Id) -> Level {
        graph
            .symbols(id)
            .map(|symbol| match symbol {
                Symbol::Parameter(_) | Symbol::Dummy(_) => Level::Parameter,
                Symbol::Input(_) => Level::Input,
                Symbol::Time => Level::Time,
                Symbol::Coordinate(_) => Level::Position,
                Symbol::Velocity(_) | Symbol::Acceleration(_) | Symbol::Multiplier(_) | Symbol::Force(_) => {
                    Level::Velocity
                }
            })
            .max()
            .unwrap_or(Level::Constant)
    }
}

/// Whether an expression depends on parameters alone.
fn hoisted(graph: &Graph, id: Id) -> bool {
    !graph.contains(id, |symbol| !matches!(symbol, Symbol::Parameter(_)))
}

/// Whether an expression is written with a leading minus.
fn is_negative(graph: &Graph, id: Id) -> bool {
    match graph.node(id) {
        Node::Number(value) => value.sign() == Sign::Negative,
        _ => graph.split_scale(id).0.sign() == Sign::Negative,
    }
}

/// A small non-negative integer exponent.
fn as_integer(exponent: &Rational) -> Option<u64> {
    if exponent.is_int() { u64::try_from(exponent.numerator()).ok().filter(|&power| power <= 1 << 20) } else { None }
}
