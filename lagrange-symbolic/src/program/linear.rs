//! Evaluations that are linear in some of their arguments, in two routines: the factors, which the state determines, and the map from
//! the factors and these arguments. One state has many arguments: the right-hand sides of a system of equations, or the directions of
//! derivatives.

use super::{Builder, Layout, Level, Operation, Part, Routine, Value};
use crate::graph::Symbol;
use std::collections::BTreeSet;

/// A linear map in two routines.
#[derive(Clone, Debug)]
pub struct LinearMap {
    /// The factors of the map, and for solutions the mask that says whether the pivots are safe.
    pub factors: Routine,
    /// The map of the arguments. It reads the factors. An output that depends on no argument is 0.
    pub map: Routine,
    /// The factors, in the order of the first routine's outputs.
    pub given: Vec<Value>,
    /// The values of the map that depend on its arguments.
    pub varying: BTreeSet<Value>,
}

/// The right-hand side of a solution: `n` entries for the coordinates, and `c` for the constraints.
pub(super) fn right_hand_side(builder: &mut Builder, n: usize, c: usize) -> Vec<Value> {
    let coordinates = (0..n as u32).map(Operation::Argument);
    let constraints = (0..c as u32).map(|row| Operation::Symbol(Symbol::Multiplier(row)));
    coordinates.chain(constraints).map(|operation| builder.push(operation)).collect()
}

impl LinearMap {
    /// Splits outputs that are linear in `arguments` at the values that do not depend on these. `None` where such a value is no number.
    pub(super) fn split(
        builder: &Builder,
        outputs: &[Value],
        arguments: &[Value],
        safe: impl IntoIterator<Item = Value>,
    ) -> Option<Self> {
        let arguments: BTreeSet<Value> = arguments.iter().copied().collect();
        let mut needed: BTreeSet<Value> = BTreeSet::new();
        let mut pending: Vec<Value> = outputs.to_vec();
        while let Some(value) = pending.pop() {
            if needed.insert(value) {
                pending.extend(builder.operation(value).operands());
            }
        }
        let (mut varying, mut given) = (BTreeSet::new(), BTreeSet::new());
        // Operands come before the operations that use them.
        for &value in &needed {
            let operands = builder.operation(value).operands();
            if arguments.contains(&value) || operands.iter().any(|operand| varying.contains(operand)) {
                let is_given =
                    |operand: &Value| !varying.contains(operand) && builder.level(*operand) > Level::Parameter;
                given.extend(operands.into_iter().filter(is_given));
                varying.insert(value);
            }
        }
        let is_number = |value: &Value| !builder.operation(*value).is_mask() && !is_data(builder.operation(*value));
        if !given.iter().all(is_number)
            || !outputs.iter().all(|value| varying.contains(value) || builder.is_zero(*value))
        {
            return None;
        }
        let layout = Layout::default().with(Part::Factors, given.iter().copied()).with(Part::Safe, safe);
        Some(Self {
            factors: Routine::laid_out(builder, layout),
            map: Routine::from_given(builder, outputs, &given),
            given: given.into_iter().collect(),
            varying,
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
