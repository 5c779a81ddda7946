//! The written-out solution of a system of linear equations for any right-hand side, in two routines: the factors, which the state
//! determines, and the solution from the factors and a right-hand side. The derivatives of a and λ are solutions of one system for
//! many right-hand sides.

use super::{Builder, Layout, Level, Operation, Part, Routine, Value};
use crate::graph::Symbol;
use std::collections::BTreeSet;

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
        let mut needed: BTreeSet<Value> = BTreeSet::new();
        let mut pending: Vec<Value> = solution.to_vec();
        while let Some(value) = pending.pop() {
            if needed.insert(value) {
                pending.extend(builder.operation(value).operands());
            }
        }
        let (mut depends, mut given) = (BTreeSet::new(), BTreeSet::new());
        // Operands come before the operations that use them.
        for &value in &needed {
            let operation = builder.operation(value);
            let operands = operation.operands();
            let is_entry = matches!(operation, Operation::Argument(_) | Operation::Symbol(Symbol::Multiplier(_)));
            if is_entry || operands.iter().any(|operand| depends.contains(operand)) {
                let is_given =
                    |operand: &Value| !depends.contains(operand) && builder.level(*operand) > Level::Parameter;
                given.extend(operands.into_iter().filter(is_given));
                depends.insert(value);
            }
        }
        let is_number = |value: &Value| !builder.operation(*value).is_mask() && !is_data(builder.operation(*value));
        if !given.iter().all(is_number) || !solution.iter().all(|value| depends.contains(value)) {
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
