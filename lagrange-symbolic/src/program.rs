//! Straight-line programs: the graph's expressions as single operations in static single assignment.
//!
//! One [`Builder`] contains the operations of all evaluations of a mechanism, so that values that depend on parameters
//! alone are shared between them and computed once, in `prepare`. A [`Routine`] consists of the operations that one
//! evaluation needs, in order.

mod angles;
mod border;
mod build;
mod bundles;
mod composite;
mod count;
mod dyad;
mod evaluations;
mod implicit;
mod layout;
mod linear;
mod link;
mod lower;
mod multipliers;
mod order;
mod pattern;
mod pieces;
mod routine;
mod saturate;
mod solve;
mod sparse;
mod spline;

pub use build::Builder;
pub use bundles::Bundles;
pub use count::OperationCount;
pub use evaluations::Evaluations;
pub use implicit::ImplicitProgram;
pub use layout::{Layout, Part};
pub use linear::LinearMap;
pub use pattern::Pattern;
pub use pieces::{Piece, Pieces};
pub use routine::{Routine, Step};
pub use solve::Factor;
pub use sparse::SparseFactor;
pub use spline::{Numbers, used_tables};

use crate::graph::function::Function;
use crate::graph::{Rational, Relation, Symbol};

/// The result of one operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Value(u32);

impl Value {
    /// Position among the builder's operations.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// When the result of an operation is known: the latest of the levels of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Numbers.
    Constant,
    /// Parameters: computed once, in `prepare`.
    Parameter,
    /// Parameters and inputs.
    Input,
    /// Time.
    Time,
    /// Coordinates.
    Position,
    /// Velocities, and everything that depends on them.
    Velocity,
}

/// One operation on earlier values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// An exact number, rounded on emission.
    Constant(Rational),
    /// π.
    Pi,
    /// The rounding unit ε of the scalar in use.
    Epsilon,
    /// An argument of the evaluation, or a parameter.
    Symbol(Symbol),
    /// The i-th component of a further vector argument (a momentum, an acceleration).
    Argument(u32),
    /// a + b.
    Add(Value, Value),
    /// a − b.
    Subtract(Value, Value),
    /// a·b.
    Multiply(Value, Value),
    /// a/b.
    Divide(Value, Value),
    /// −a.
    Negate(Value),
    /// 1/a.
    Reciprocal(Value),
    /// ±(a·b) ± c.
    MultiplyAdd {
        /// a.
        factor: Value,
        /// b.
        multiplier: Value,
        /// c.
        addend: Value,
        /// Whether a·b is subtracted.
        negate_product: bool,
        /// Whether c is subtracted.
        negate_addend: bool,
    },
    /// √a.
    SquareRoot(Value),
    /// a^b for a ≥ 0.
    Power(Value, Value),
    /// Sine and cosine of one angle.
    SineCosine(Value),
    /// The sine of a [`SineCosine`](Self::SineCosine) pair.
    Sine(Value),
    /// The cosine of a [`SineCosine`](Self::SineCosine) pair.
    Cosine(Value),
    /// The data of a spline, if they are all numbers, by their index in [`Builder::numbers`].
    Numbers(u32),
    /// The data of a spline as values: knots, values, second derivatives.
    Table(Box<[Value]>),
    /// The piece of a spline (first operand) that contains an argument (second operand): a knot, then four
    /// coefficients.
    Piece(Value, Value),
    /// An entry of a [`Piece`](Self::Piece).
    Entry(u8, Value),
    /// The solution of the equations of this index among [`Graph::implicits`](crate::graph::Graph::implicits), of their arguments:
    /// its components, and 1 where it is found.
    Solution(u32, Box<[Value]>),
    /// A number of a [`Solution`](Self::Solution).
    Component(u32, Value),
    /// Any other function.
    Call(Function, Box<[Value]>),
    /// A comparison, giving a mask.
    Compare(Relation, Value, Value),
    /// Both masks.
    And(Value, Value),
    /// Either mask.
    Or(Value, Value),
    /// The mask's negation.
    Not(Value),
    /// A constant mask.
    Truth(bool),
    /// The second operand where the mask is true, else the third.
    Select(Value, Value, Value),
}

impl Operation {
    /// Whether the result is a mask.
    pub fn is_mask(&self) -> bool {
        matches!(self, Self::Compare(..) | Self::And(..) | Self::Or(..) | Self::Not(_) | Self::Truth(_))
    }

    /// The operands, in order.
    pub fn operands(&self) -> Vec<Value> {
        match self {
            Self::Constant(_)
            | Self::Pi
            | Self::Epsilon
            | Self::Symbol(_)
            | Self::Argument(_)
            | Self::Numbers(_)
            | Self::Truth(_) => Vec::new(),
            Self::Add(a, b)
            | Self::Subtract(a, b)
            | Self::Multiply(a, b)
            | Self::Divide(a, b)
            | Self::Power(a, b)
            | Self::Piece(a, b)
            | Self::Compare(_, a, b)
            | Self::And(a, b)
            | Self::Or(a, b) => vec![*a, *b],
            Self::Negate(a)
            | Self::Reciprocal(a)
            | Self::SquareRoot(a)
            | Self::SineCosine(a)
            | Self::Sine(a)
            | Self::Cosine(a)
            | Self::Entry(_, a)
            | Self::Component(_, a)
            | Self::Not(a) => vec![*a],
            Self::MultiplyAdd { factor, multiplier, addend, .. } => vec![*factor, *multiplier, *addend],
            Self::Call(_, arguments) | Self::Solution(_, arguments) | Self::Table(arguments) => arguments.to_vec(),
            Self::Select(mask, yes, no) => vec![*mask, *yes, *no],
        }
    }
}
