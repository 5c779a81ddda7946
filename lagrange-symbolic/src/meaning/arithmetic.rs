//! Operators on values, with the shapes that each allows.

use super::value::{Shape, Value};
use crate::graph::{Graph, Id, Rational, Relation};
use crate::report::Mistake;
use crate::syntax::Binary;

/// The part of an operation in which a mistake is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum At {
    Whole,
    Left,
    Right,
}

/// A mistake, and the part of the operation in which it is.
pub(crate) type OperandFault = Box<(Mistake, At)>;

fn fault(mistake: Mistake, at: At) -> OperandFault {
    Box::new((mistake, at))
}

/// Checks that both sides are numbers of the same shape.
pub(crate) fn same_shape(operation: &str, left: &Value, right: &Value) -> Result<(), Mistake> {
    let operation = operation.to_owned();
    match (left.shape, right.shape) {
        (Shape::Vector(left), Shape::Vector(right)) if left != right => {
            Err(Mistake::Lengths { operation, left, right })
        }
        (left, right) if left != right || left == Shape::Condition => {
            Err(Mistake::Shapes { operation, left: left.to_string(), right: right.to_string() })
        }
        _ => Ok(()),
    }
}

/// −v.
pub(crate) fn negate(graph: &mut Graph, value: &Value) -> Result<Value, Mistake> {
    if value.shape == Shape::Condition {
        return Err(scalar_needed("the operand of `-`", value));
    }
    let entries = value.entries.iter().map(|id| graph.neg(*id)).collect();
    Ok(Value::new(value.shape, entries))
}

/// The sum of values of one shape, each added or subtracted.
pub(crate) fn sum(graph: &mut Graph, values: &[(Value, bool)]) -> Value {
    let shape = values.first().map_or(Shape::Scalar, |(value, _)| value.shape);
    let length = values.first().map_or(0, |(value, _)| value.entries.len());
    let entries = (0..length)
        .map(|i| {
            let terms = values
                .iter()
                .map(|(value, added)| (value.entries[i], if *added { Rational::ONE } else { Rational::NEG_ONE }));
            graph.sum(terms.collect(), Rational::ZERO)
        })
        .collect();
    Value::new(shape, entries)
}

/// A scalar times any value, a matrix times a vector, or a matrix times a matrix.
pub(crate) fn multiply(graph: &mut Graph, left: &Value, right: &Value) -> Result<Value, OperandFault> {
    if let (Some(factor), false) = (left.as_scalar(), right.shape == Shape::Condition) {
        return Ok(scale(graph, factor, right));
    }
    if let (Some(factor), false) = (right.as_scalar(), left.shape == Shape::Condition) {
        return Ok(scale(graph, factor, left));
    }
    let (rows, inner, columns, shape) = match (left.shape, right.shape) {
        (Shape::Matrix(rows, inner), Shape::Vector(length)) if inner == length => (rows, inner, 1, Shape::Vector(rows)),
        (Shape::Matrix(rows, inner), Shape::Matrix(length, columns)) if inner == length => {
            (rows, inner, columns, Shape::Matrix(rows, columns))
        }
        (Shape::Matrix(_, columns), right) if right != Shape::Condition => {
            return Err(fault(Mistake::MatrixProduct { columns, found: right.to_string() }, At::Whole));
        }
        (left, right) => {
            return Err(fault(Mistake::VectorProduct { left: left.to_string(), right: right.to_string() }, At::Whole));
        }
    };
    let mut entries = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let products: Vec<Id> = (0..inner)
                .map(|k| graph.mul(left.entries[row * inner + k], right.entries[k * columns + column]))
                .collect();
            entries.push(graph.add_all(&products));
        }
    }
    Ok(Value::new(shape, entries))
}

/// A value divided by a scalar that is not the number zero.
pub(crate) fn divide(graph: &mut Graph, left: &Value, right: &Value) -> Result<Value, OperandFault> {
    let Some(divisor) = right.as_scalar() else {
        return Err(fault(Mistake::VectorDivisor { found: right.shape.to_string() }, At::Right));
    };
    if graph.is_zero(divisor) {
        return Err(fault(Mistake::DivisionByZero {}, At::Right));
    }
    if left.shape == Shape::Condition {
        return Err(fault(scalar_needed("a dividend", left), At::Left));
    }
    let entries = left.entries.iter().map(|id| graph.div(*id, divisor)).collect();
    Ok(Value::new(left.shape, entries))
}

/// A scalar raised to a scalar power.
pub(crate) fn power(graph: &mut Graph, left: &Value, right: &Value) -> Result<Value, OperandFault> {
    let base =
        left.as_scalar().ok_or_else(|| fault(Mistake::VectorPower { found: left.shape.to_string() }, At::Left))?;
    let exponent = right.as_scalar().ok_or_else(|| fault(scalar_needed("an exponent", right), At::Right))?;
    if graph.is_zero(base) && graph.as_number(exponent).is_some_and(|value| *value < Rational::ZERO) {
        return Err(fault(Mistake::DivisionByZero {}, At::Whole));
    }
    Ok(Value::scalar(graph.power(base, exponent)))
}

/// A comparison of scalars.
pub(crate) fn compare(graph: &mut Graph, operator: Binary, left: &Value, right: &Value) -> Result<Value, OperandFault> {
    let side =
        |value: &Value, at| value.as_scalar().ok_or_else(|| fault(scalar_needed("a side of a comparison", value), at));
    let (left, right) = (side(left, At::Left)?, side(right, At::Right)?);
    Ok(Value::condition(match operator {
        Binary::Less => graph.compare(Relation::Less, left, right),
        Binary::LessEqual => graph.compare(Relation::LessEqual, left, right),
        Binary::Greater => graph.compare(Relation::Less, right, left),
        _ => graph.compare(Relation::LessEqual, right, left),
    }))
}

/// Two conditions connected by `&&` or `||`.
pub(crate) fn connect(graph: &mut Graph, operator: Binary, left: &Value, right: &Value) -> Result<Value, OperandFault> {
    let side = |value: &Value, at| match (value.shape, value.entries.as_slice()) {
        (Shape::Condition, [condition]) => Ok(*condition),
        _ => {
            let what = format!("an operand of `{}`", operator.symbol());
            Err(fault(Mistake::ConditionNeeded { what, found: value.shape.to_string() }, at))
        }
    };
    let (left, right) = (side(left, At::Left)?, side(right, At::Right)?);
    Ok(Value::condition(if operator == Binary::And { graph.and(left, right) } else { graph.or(left, right) }))
}

fn scale(graph: &mut Graph, factor: Id, value: &Value) -> Value {
    Value::new(value.shape, value.entries.iter().map(|id| graph.mul(factor, *id)).collect())
}

pub(crate) fn scalar_needed(what: &str, found: &Value) -> Mistake {
    let help = match found.shape {
        Shape::Condition => "a condition stands where it decides: `if condition { a } else { b }`",
        Shape::Vector(_) => "an element is `v[0]`, the length `norm(v)`, its square `norm2(v)`",
        _ => "",
    };
    Mistake::ScalarNeeded { what: what.to_owned(), found: found.shape.to_string(), help: help.to_owned() }
}
