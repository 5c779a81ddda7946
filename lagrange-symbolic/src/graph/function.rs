//! The mathematical functions, one a file: folding rules, derivatives, the name in emitted code.

mod abs;
mod acos;
mod asin;
mod atan;
mod atan2;
mod cos;
mod cosh;
mod exp;
mod external;
mod floor;
mod ln;
mod max;
mod min;
mod modulo;
mod norm;
mod recip_or_zero;
mod sign;
mod sin;
mod sinc;
mod sinh;
pub(crate) mod spline;
mod tan;
mod tanh;

pub use external::Orders;

use crate::graph::{Graph, Id};

/// A function that may stand in an expression. Roots and powers are products with exponents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Inverse sine.
    Asin,
    /// Inverse cosine.
    Acos,
    /// Inverse tangent.
    Atan,
    /// atan2(y, x), the angle of the point (x, y).
    Atan2,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// The exponential function.
    Exp,
    /// The natural logarithm.
    Ln,
    /// Absolute value.
    Abs,
    /// −1, 0 or 1.
    Sign,
    /// The largest whole number that is not larger.
    Floor,
    /// mod(x, y) = x − y·floor(x/y), with the sign of y.
    Mod,
    /// The smaller of two.
    Min,
    /// The larger of two.
    Max,
    /// The Euclidean norm of all arguments.
    Norm,
    /// 1/x, but 0 at 0: continues the unit vector of a norm.
    RecipOrZero,
    /// The k-th derivative of sin(x)/x.
    Sinc(u32),
    /// A cubic spline, or a derivative of it: of its argument, its knots, its values and its second derivatives there.
    Spline {
        /// Which table of the block it is, or comes from.
        table: u32,
        /// How often it is differentiated by its argument.
        order: u8,
    },
    /// A function of the user's own, or a derivative of it.
    Extern {
        /// Which one.
        index: u32,
        /// How often it is differentiated by each argument.
        orders: Orders,
    },
}

/// Where a function changes its formula or jumps, although it has values on both sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Boundary {
    /// Where two arguments are equal, or a single one is zero.
    Order,
    /// Where the first argument vanishes while the second is negative.
    Axis,
    /// Where the cosine of the argument vanishes.
    Poles,
    /// Where the first argument is a whole multiple of the second, or of 1 where there is none.
    Steps,
}

impl Function {
    /// Where the function changes its formula, and whether it jumps there. Proofs visit both sides of each boundary, and
    /// the test of continuity looks at each boundary with a jump; a function without one is continuous where it is defined.
    pub fn boundary(self) -> Option<(Boundary, bool)> {
        match self {
            Self::Abs | Self::Min | Self::Max => Some((Boundary::Order, false)),
            Self::Sign | Self::RecipOrZero => Some((Boundary::Order, true)),
            Self::Atan2 => Some((Boundary::Axis, true)),
            Self::Tan => Some((Boundary::Poles, true)),
            Self::Floor | Self::Mod => Some((Boundary::Steps, true)),
            Self::Sin
            | Self::Cos
            | Self::Asin
            | Self::Acos
            | Self::Atan
            | Self::Sinh
            | Self::Cosh
            | Self::Tanh
            | Self::Exp
            | Self::Ln
            | Self::Norm
            | Self::Sinc(_)
            // Continuous to the second derivative, by construction.
            | Self::Spline { .. }
            | Self::Extern { .. } => None,
        }
    }

    /// The name a user writes, where there is one, else the one that reads best.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Atan2 => "atan2",
            Self::Sinh => "sinh",
            Self::Cosh => "cosh",
            Self::Tanh => "tanh",
            Self::Exp => "exp",
            Self::Ln => "ln",
            Self::Abs => "abs",
            Self::Sign => "sign",
            Self::Floor => "floor",
            Self::Mod => "mod",
            Self::Min => "min",
            Self::Max => "max",
            Self::Norm => "norm",
            Self::RecipOrZero => "recip_or_zero",
            Self::Sinc(_) => "sinc",
            Self::Spline { .. } => "spline",
            Self::Extern { .. } => "extern",
        }
    }

    /// A simpler node for the call, where the function's rules give one.
    pub(crate) fn fold(self, graph: &mut Graph, arguments: &[Id]) -> Option<Id> {
        match self {
            Self::Sin => sin::fold(graph, arguments[0]),
            Self::Cos => cos::fold(graph, arguments[0]),
            Self::Tan => tan::fold(graph, arguments[0]),
            Self::Asin => asin::fold(graph, arguments[0]),
            Self::Acos => acos::fold(graph, arguments[0]),
            Self::Atan => atan::fold(graph, arguments[0]),
            Self::Atan2 => atan2::fold(graph, arguments[0], arguments[1]),
            Self::Sinh => sinh::fold(graph, arguments[0]),
            Self::Cosh => cosh::fold(graph, arguments[0]),
            Self::Tanh => tanh::fold(graph, arguments[0]),
            Self::Exp => exp::fold(graph, arguments[0]),
            Self::Ln => ln::fold(graph, arguments[0]),
            Self::Abs => abs::fold(graph, arguments[0]),
            Self::Sign => sign::fold(graph, arguments[0]),
            Self::Floor => floor::fold(graph, arguments[0]),
            Self::Mod => modulo::fold(graph, arguments[0], arguments[1]),
            Self::Min => min::fold(graph, arguments[0], arguments[1]),
            Self::Max => max::fold(graph, arguments[0], arguments[1]),
            Self::Norm => norm::fold(graph, arguments),
            Self::RecipOrZero => recip_or_zero::fold(graph, arguments[0]),
            Self::Sinc(order) => sinc::fold(graph, order, arguments[0]),
            Self::Spline { order, .. } => spline::fold(graph, order, arguments),
            Self::Extern { .. } => None,
        }
    }

    /// The partial derivative of the call by its argument `which`; `call` is the node of the call itself.
    pub(crate) fn derivative(self, graph: &mut Graph, call: Id, arguments: &[Id], which: usize) -> Id {
        match self {
            Self::Sin => sin::derivative(graph, arguments[0]),
            Self::Cos => cos::derivative(graph, arguments[0]),
            Self::Tan => tan::derivative(graph, call),
            Self::Asin => asin::derivative(graph, arguments[0]),
            Self::Acos => acos::derivative(graph, arguments[0]),
            Self::Atan => atan::derivative(graph, arguments[0]),
            Self::Atan2 => atan2::derivative(graph, arguments[0], arguments[1], which),
            Self::Sinh => sinh::derivative(graph, arguments[0]),
            Self::Cosh => cosh::derivative(graph, arguments[0]),
            Self::Tanh => tanh::derivative(graph, call),
            Self::Exp => call,
            Self::Ln => ln::derivative(graph, arguments[0]),
            Self::Abs => abs::derivative(graph, arguments[0]),
            Self::Sign => sign::derivative(graph),
            Self::Floor => floor::derivative(graph),
            Self::Mod => modulo::derivative(graph, arguments[0], arguments[1], which),
            // Selections: differentiated branch by branch before this is asked.
            Self::Min | Self::Max => graph.zero(),
            Self::Spline { table, order } if which == 0 => spline::derivative(graph, table, order, arguments),
            // Its data: their part comes as a whole, before this is asked.
            Self::Spline { .. } => graph.zero(),
            Self::Norm => norm::derivative(graph, call, arguments[which]),
            Self::RecipOrZero => recip_or_zero::derivative(graph, call),
            Self::Sinc(order) => sinc::derivative(graph, order, arguments[0]),
            Self::Extern { index, orders } => external::derivative(graph, index, orders, arguments, which),
        }
    }
}

/// Splits off the sign of an odd or even function's argument: `Some(−x)` where the argument is written with a
/// leading minus.
fn without_minus(graph: &mut Graph, argument: Id) -> Option<Id> {
    let (scale, _) = graph.split_scale(argument);
    let negative_number = graph.as_number(argument).is_some_and(|value| value.sign() == dashu_base::Sign::Negative);
    (scale.sign() == dashu_base::Sign::Negative || negative_number).then(|| graph.neg(argument))
}

/// f(−x) = −f(x).
fn fold_odd(graph: &mut Graph, function: Function, argument: Id) -> Option<Id> {
    if graph.is_zero(argument) {
        return Some(argument);
    }
    let positive = without_minus(graph, argument)?;
    let value = graph.call(function, &[positive]);
    Some(graph.neg(value))
}

/// f(−x) = f(x).
fn fold_even(graph: &mut Graph, function: Function, argument: Id) -> Option<Id> {
    let positive = without_minus(graph, argument)?;
    Some(graph.call(function, &[positive]))
}
