//! The written-out solution of a system of linear equations for any right-hand side, in two routines: the factors, which the state
//! determines, and the solution from the factors and a right-hand side. The derivatives of a and λ are solutions of one system for
//! many right-hand sides.

use super::{Builder, Layout, Level, Operation, Part, Routine, Value};
use crate::graph::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// The two routines.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The factors, and the mask that says whether the pivots are safe.
    pub factors: Routine,
    /// The solution. Its right-hand side is the argument, and in the rows of the constraints λ. It reads the factors.
    pub solution: Routine,
    /// The factors, in the order of the first routine's outputs.
    pub given: Vec<Value>,
}

/// The right-hand side of [`Solution`]: `n` entries for the coordinates, and `c` for the constraints.
pub(super) fn right_hand_side(builder: &mut Builder, n: usize, c: usize) -> Vec<Value> {
    let coordinates = (0..n as u32).map(Operation::Argument);
    let constraints = (0..c as u32).map(|row| Operation::Symbol(Symbol::Multiplier(row)));
    coordinates.chain(constraints).map(|operation| builder.push(operation)).collect()
}

impl Solution {
    /// Splits the solution for [`right_hand_side`] at the values that do not depend on it. `None` where such a value is no number.
    pub(super) fn split(builder: &Builder, solution: &[Value], safe: Value) -> Option<Self> {
        let mut depends = BTreeMap::new();
        let mut given = BTreeSet::new();
        for &value in solution {
            visit(builder, value, &mut depends, &mut given);
        }
        let is_number = |value: &Value| !builder.operation(*value).is_mask() && !is_data(builder.operation(*value));
        if !given.iter().all(is_number) || !solution.iter().all(|value| depends[value]) {
            return None;
        }
        let layout = Layout::default().with(Part::Factors, given.iter().copied()).with(Part::Safe, [safe]);
        Some(Self {
            factors: Routine::laid_out(builder, layout),
            solution: Routine::from_given(builder, solution, &given),
            given: given.into_iter().collect(),
        })
    }
}

/// Finds out whether a value depends on the right-hand side. Collects the operands of such values that do not, and that `prepare` does not
/// compute.
fn visit(builder: &Builder, value: Value, depends: &mut BTreeMap<Value, bool>, given: &mut BTreeSet<Value>) -> bool {
    if let Some(&known) = depends.get(&value) {
        return known;
    }
    let operation = builder.operation(value);
    let operands = operation.operands();
    let is_entry = matches!(operation, Operation::Argument(_) | Operation::Symbol(Symbol::Multiplier(_)));
    let found: Vec<bool> = operands.iter().map(|&operand| visit(builder, operand, depends, given)).collect();
    let result = is_entry || found.contains(&true);
    if result {
        let fixed = operands.iter().zip(&found).filter(|(_, found)| !**found).map(|(operand, _)| *operand);
        given.extend(fixed.filter(|&operand| builder.level(operand) > Level::Parameter));
    }
    depends.insert(value, result);
    result
}

/// Whether an operation gives several numbers.
fn is_data(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::SineCosine(_)
            | Operation::Numbers(_)
            | Operation::Table(_)
            | Operation::Piece(..)
            | Operation::Solution(..)
    )
}
