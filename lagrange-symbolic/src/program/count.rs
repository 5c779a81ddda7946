//! The number of operations of a routine.

use super::{Operation, Step};
use std::fmt;

/// Operations by kind. A fused multiply-add counts as one of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OperationCount {
    /// Additions, subtractions, negations.
    pub additions: u32,
    /// Multiplications.
    pub multiplications: u32,
    /// Divisions and reciprocals.
    pub divisions: u32,
    /// Square roots.
    pub roots: u32,
    /// Pairs of sine and cosine.
    pub sine_cosine_pairs: u32,
    /// Other functions.
    pub functions: u32,
    /// Comparisons, selections, logic, and functions that consist of these: absolute values, signs, minima, maxima.
    pub selections: u32,
}

impl OperationCount {
    /// The operations of a list of steps.
    pub fn of<'s>(steps: impl IntoIterator<Item = &'s Step>) -> Self {
        let mut count = Self::default();
        for step in steps {
            match &step.operation {
                Operation::Add(..) | Operation::Subtract(..) | Operation::Negate(_) => count.additions += 1,
                Operation::Multiply(..) => count.multiplications += 1,
                Operation::Divide(..) | Operation::Reciprocal(_) => count.divisions += 1,
                Operation::MultiplyAdd { .. } => {
                    count.additions += 1;
                    count.multiplications += 1;
                }
                Operation::SquareRoot(_) => count.roots += 1,
                Operation::SineCosine(_) => count.sine_cosine_pairs += 1,
                Operation::Call(function, _) if function.row().is_selection => count.selections += 1,
                Operation::Power(..)
                | Operation::Call(..)
                | Operation::Solution(..)
                | Operation::Table(_)
                | Operation::Piece(..) => {
                    count.functions += 1;
                }
                Operation::Compare(..)
                | Operation::And(..)
                | Operation::Or(..)
                | Operation::Not(_)
                | Operation::Select(..) => count.selections += 1,
                Operation::Constant(_)
                | Operation::Pi
                | Operation::Epsilon
                | Operation::Symbol(_)
                | Operation::Argument(_)
                | Operation::Sine(_)
                | Operation::Cosine(_)
                | Operation::Numbers(_)
                | Operation::Entry(..)
                | Operation::Component(..)
                | Operation::Truth(_) => {}
            }
        }
        count
    }

    /// The total number of operations.
    pub fn total(&self) -> u32 {
        self.additions
            + self.multiplications
            + self.divisions
            + self.roots
            + self.sine_cosine_pairs
            + self.functions
            + self.selections
    }

    /// The cost of the operations on a current processor, in units of an addition.
    pub fn weight(&self) -> u32 {
        self.additions
            + self.multiplications
            + self.selections
            + 8 * self.divisions
            + 10 * self.roots
            + 20 * self.sine_cosine_pairs
            + 30 * self.functions
    }
}

impl fmt::Display for OperationCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.additions, "addition"),
            (self.multiplications, "multiplication"),
            (self.divisions, "division"),
            (self.roots, "square root"),
            (self.sine_cosine_pairs, "sine/cosine pair"),
            (self.functions, "other function"),
            (self.selections, "selection"),
        ];
        let mut first = true;
        for (count, name) in parts.into_iter().filter(|(count, _)| *count > 0) {
            let separator = if first { "" } else { ", " };
            let plural = if count == 1 { "" } else { "s" };
            write!(f, "{separator}{count} {name}{plural}")?;
            first = false;
        }
        if first {
            write!(f, "no operation")?;
        }
        Ok(())
    }
}
