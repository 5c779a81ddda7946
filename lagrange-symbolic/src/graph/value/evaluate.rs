//! Evaluation of expressions in any arithmetic: one walk over the graph, operands first.
//!
//! Both branches of a selection are evaluated, but only the one that is taken has to be defined.

use super::implicit::implicit;
use super::spline::spline;
use crate::graph::function::Function;
use crate::graph::function::spline::split;
use crate::graph::{Graph, Id, Node, Rational, Relation, Symbol};

/// The numbers that an expression is evaluated in; `None` is a value outside a function's domain.
pub trait Arithmetic {
    /// A number.
    type Value: Clone;

    /// An exact number.
    fn rational(&mut self, value: &Rational) -> Option<Self::Value>;

    /// π.
    fn pi(&mut self) -> Option<Self::Value>;

    /// a + b.
    fn add(&mut self, a: &Self::Value, b: &Self::Value) -> Option<Self::Value>;

    /// a·b.
    fn mul(&mut self, a: &Self::Value, b: &Self::Value) -> Option<Self::Value>;

    /// a^e for an exact exponent; real for a ≥ 0 only, where the exponent is no integer.
    fn power_rational(&mut self, a: &Self::Value, exponent: &Rational) -> Option<Self::Value>;

    /// a^b.
    fn power(&mut self, a: &Self::Value, b: &Self::Value) -> Option<Self::Value>;

    /// A function of its arguments; splines are made of the operations above.
    fn call(&mut self, function: Function, arguments: &[Self::Value]) -> Option<Self::Value>;

    /// Whether `a relation b`.
    fn compare(&mut self, relation: Relation, a: &Self::Value, b: &Self::Value) -> Option<bool>;
}

/// The value of a node: a number or a truth value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Evaluated<V> {
    /// A number.
    Real(V),
    /// A truth value.
    Truth(bool),
}

impl<V> Evaluated<V> {
    /// The number, where it is one.
    pub fn real(&self) -> Option<&V> {
        match self {
            Self::Real(value) => Some(value),
            Self::Truth(_) => None,
        }
    }

    /// The truth value, where it is one.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Self::Real(_) => None,
            Self::Truth(value) => Some(*value),
        }
    }
}

/// The values of the given nodes, which must be [`Graph::reachable`] from the roots of interest: operands first.
///
/// `symbol` gives the symbols' values; a symbol without one makes all that needs it undefined. The result is
/// indexed by [`Id::index`]; nodes outside `order` are undefined.
pub fn evaluate<A: Arithmetic>(
    arithmetic: &mut A,
    graph: &Graph,
    order: &[Id],
    symbol: &mut dyn FnMut(Symbol) -> Option<A::Value>,
) -> Vec<Option<Evaluated<A::Value>>> {
    let length = order.iter().map(|id| id.index() + 1).max().unwrap_or(0);
    let mut values: Vec<Option<Evaluated<A::Value>>> = vec![None; length];
    for &id in order {
        values[id.index()] = match graph.node(id) {
            Node::Symbol(wanted) => symbol(*wanted).map(Evaluated::Real),
            node => graph_value(arithmetic, graph, node, &|operand: Id| values.get(operand.index())?.as_ref()),
        };
    }
    values
}

/// The value of a node of a graph that is no symbol, from those of its operands.
pub(crate) fn graph_value<'v, A: Arithmetic>(
    arithmetic: &mut A,
    graph: &Graph,
    node: &Node,
    value: &impl Fn(Id) -> Option<&'v Evaluated<A::Value>>,
) -> Option<Evaluated<A::Value>>
where
    A::Value: 'v,
{
    let Node::Call(Function::Implicit { index, part }, arguments) = node else {
        return node_value(arithmetic, node, value);
    };
    let arguments: Option<Vec<A::Value>> = arguments.iter().map(|id| value(*id)?.real().cloned()).collect();
    implicit(arithmetic, graph, (*index, *part), &arguments?).map(Evaluated::Real)
}

/// The value of a node that is no symbol and that no equation defines, from those of its operands.
pub(crate) fn node_value<'v, A: Arithmetic>(
    arithmetic: &mut A,
    node: &Node,
    value: &impl Fn(Id) -> Option<&'v Evaluated<A::Value>>,
) -> Option<Evaluated<A::Value>>
where
    A::Value: 'v,
{
    let real = |id: &Id| value(*id)?.real();
    let truth = |id: &Id| value(*id)?.truth();
    let number = match node {
        Node::Number(value) => arithmetic.rational(value)?,
        Node::Pi => arithmetic.pi()?,
        Node::Symbol(_) => return None,
        Node::Sum { terms, constant } => {
            let mut total = if constant.is_zero() { None } else { Some(arithmetic.rational(constant)?) };
            for (id, coefficient) in terms {
                let value = real(id)?;
                let term = if coefficient.is_one() {
                    value.clone()
                } else {
                    let coefficient = arithmetic.rational(coefficient)?;
                    arithmetic.mul(&coefficient, value)?
                };
                total = Some(match total {
                    Some(total) => arithmetic.add(&total, &term)?,
                    None => term,
                });
            }
            total?
        }
        Node::Product(factors) => {
            let mut total: Option<A::Value> = None;
            for (id, exponent) in factors {
                let value = real(id)?;
                let factor =
                    if exponent.is_one() { value.clone() } else { arithmetic.power_rational(value, exponent)? };
                total = Some(match total {
                    Some(total) => arithmetic.mul(&total, &factor)?,
                    None => factor,
                });
            }
            total?
        }
        Node::Power(base, exponent) => arithmetic.power(real(base)?, real(exponent)?)?,
        Node::Call(Function::Spline { order, .. }, arguments) => {
            let arguments: Vec<Option<&A::Value>> = arguments.iter().map(real).collect();
            let (x, data) = split(&arguments)?;
            spline(arithmetic, *order, (*x)?, &data)?
        }
        Node::Call(function, arguments) => {
            let arguments: Option<Vec<A::Value>> = arguments.iter().map(|id| real(id).cloned()).collect();
            arithmetic.call(*function, &arguments?)?
        }
        Node::Select(condition, yes, no) => {
            let taken = if truth(condition)? { yes } else { no };
            return value(*taken).cloned();
        }
        Node::Truth(value) => return Some(Evaluated::Truth(*value)),
        Node::Compare(relation, a, b) => {
            return arithmetic.compare(*relation, real(a)?, real(b)?).map(Evaluated::Truth);
        }
        Node::And(a, b) => return Some(Evaluated::Truth(truth(a)? && truth(b)?)),
        Node::Or(a, b) => return Some(Evaluated::Truth(truth(a)? || truth(b)?)),
        Node::Not(a) => return Some(Evaluated::Truth(!truth(a)?)),
    };
    Some(Evaluated::Real(number))
}
