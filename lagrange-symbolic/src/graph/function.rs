//! The mathematical functions, one a file. Everything that is particular to a function stands in its file: names, folding rules,
//! derivative, values in double and in high precision, smoothness. A new function is a file with a `Row` and a line of the
//! table below; where a block may call it with one scalar, nothing else is needed.

use super::value::{Precise, Real};
use super::{Graph, Id};

pub use external::Orders;

/// What the library knows of a function.
#[derive(Debug)]
pub(crate) struct Row {
    /// The name that a user writes. A function that no block can call has a descriptive name.
    pub(crate) name: &'static str,
    /// Whether a block may call it by that name with one scalar. The module [meaning](crate::meaning) defines all other
    /// calls.
    pub(crate) is_elementary: bool,
    /// How many arguments it has at least.
    pub(crate) arguments: usize,
    /// The upright operator of its name in LaTeX; `None` where it is written in another way.
    pub(crate) latex: Option<&'static str>,
    /// The method of the runtime's `Scalar` that computes it.
    pub(crate) method: &'static str,
    /// Whether the function costs about as much as a selection. Otherwise it is counted as a call of a mathematical
    /// library.
    pub(crate) is_selection: bool,
    /// Where it is analytic.
    pub(crate) smoothness: Smoothness,
    /// Where it changes its formula, and whether it jumps there. Proofs visit both sides of each boundary, and the test of
    /// continuity looks at each boundary with a jump; a function without one is continuous where it is defined.
    pub(crate) boundary: Option<(Boundary, bool)>,
    /// Numbers between which all its values lie.
    pub(crate) bounds: Option<(f64, f64)>,
    /// A simpler node for a call, where the function's rules give one.
    pub(crate) fold: fn(&mut Graph, Function, &[Id]) -> Option<Id>,
    /// The partial derivative of a call by one of its arguments.
    pub(crate) derivative: fn(&mut Graph, &Call<'_>) -> Id,
    /// Its value in doubles; `None` where it has none without data of the user's.
    pub(crate) value: fn(Function, &[f64]) -> Option<f64>,
    /// Its value in high precision; `None` outside its domain.
    pub(crate) precise: fn(&mut Precise, Function, &[Real]) -> Option<Real>,
}

impl Row {
    /// A row with a name and a least number of arguments. All other fields have defaults, which the file of the
    /// function overrides.
    const fn named(name: &'static str, arguments: usize) -> Self {
        Self {
            name,
            is_elementary: false,
            arguments,
            latex: None,
            method: name,
            is_selection: false,
            smoothness: Smoothness::Kinked,
            boundary: None,
            bounds: None,
            fold: |_, _, _| None,
            derivative: |graph, _| graph.zero(),
            value: |_, _| None,
            precise: |_, _, _| None,
        }
    }

    /// A function that a block may call with one scalar.
    const fn of_scalar(name: &'static str) -> Self {
        Self { is_elementary: true, ..Self::named(name, 1) }
    }
}

/// A call whose partial derivative by its argument at `which` is asked for.
pub(crate) struct Call<'a> {
    pub(crate) function: Function,
    /// The node of the call.
    pub(crate) id: Id,
    pub(crate) arguments: &'a [Id],
    pub(crate) which: usize,
}

/// Where a function is analytic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Smoothness {
    /// At all real arguments.
    Analytic,
    /// Inside its domain.
    OnDomain,
    /// Not at its kinks or jumps.
    Kinked,
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

macro_rules! functions {
    ($($(#[$doc:meta])* $variant:ident => $file:ident;)*) => {
        $(mod $file;)*
        mod external;
        mod implicit;
        mod sinc;
        pub(crate) mod spline;

        /// A function that may stand in an expression. Roots and powers are no functions here: they are products with
        /// exponents.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Function {
            $($(#[$doc])* $variant,)*
            /// The k-th derivative of sin(x)/x.
            Sinc(u32),
            /// A cubic spline, or a derivative of it: of its argument, its knots, its values and its second derivatives there.
            Spline {
                /// The index of the block's table that it stands for or was derived from.
                table: u32,
                /// How often it is differentiated by its argument.
                order: u8,
            },
            /// A function of the user's own, or a derivative of it.
            Extern {
                /// The index of the `extern` statement that declares it.
                index: u32,
                /// How often it is differentiated by each argument.
                orders: Orders,
            },
            /// A component of the solution w of r(w, a) = 0, of the arguments a.
            Implicit {
                /// The index of r among [`Graph::implicits`].
                index: u32,
                /// The component of w. The number behind the last one is 1 where w is found, else 0.
                part: u32,
            },
        }

        impl Function {
            /// The functions without data of their own, and sinc.
            const PLAIN: &[Self] = &[$(Self::$variant,)* Self::Sinc(0)];

            /// What is known of the function.
            pub(crate) fn row(self) -> &'static Row {
                match self {
                    $(Self::$variant => &$file::ROW,)*
                    Self::Sinc(_) => &sinc::ROW,
                    Self::Spline { .. } => &spline::ROW,
                    Self::Extern { .. } => &external::ROW,
                    Self::Implicit { .. } => &implicit::ROW,
                }
            }
        }
    };
}

functions! {
    /// Sine.
    Sin => sin;
    /// Cosine.
    Cos => cos;
    /// Tangent.
    Tan => tan;
    /// Inverse sine.
    Asin => asin;
    /// Inverse cosine.
    Acos => acos;
    /// Inverse tangent.
    Atan => atan;
    /// atan2(y, x), the angle of the point (x, y).
    Atan2 => atan2;
    /// Hyperbolic sine.
    Sinh => sinh;
    /// Hyperbolic cosine.
    Cosh => cosh;
    /// Hyperbolic tangent.
    Tanh => tanh;
    /// The exponential function.
    Exp => exp;
    /// The natural logarithm.
    Ln => ln;
    /// Absolute value.
    Abs => abs;
    /// −1, 0 or 1.
    Sign => sign;
    /// The largest whole number that is not larger.
    Floor => floor;
    /// mod(x, y) = x − y·floor(x/y), with the sign of y.
    Mod => modulo;
    /// The smaller of two.
    Min => min;
    /// The larger of two.
    Max => max;
    /// The Euclidean norm of all arguments.
    Norm => norm;
    /// 1/x, but 0 at 0: continues the unit vector of a norm.
    RecipOrZero => recip_or_zero;
}

impl Function {
    /// Whether the value is finite for all finite arguments.
    pub(crate) fn keeps_finite(self) -> bool {
        let has_no_pole =
            matches!(self, Self::Abs | Self::Sign | Self::Floor | Self::Min | Self::Max | Self::Sinc(_) | Self::Norm);
        has_no_pole || self.row().bounds.is_some()
    }

    /// The functions that a block may call with one scalar.
    pub(crate) fn elementary() -> impl Iterator<Item = Self> {
        Self::PLAIN.iter().copied().filter(|function| function.row().is_elementary)
    }

    /// Where the function changes its formula, and whether it jumps there.
    pub fn boundary(self) -> Option<(Boundary, bool)> {
        self.row().boundary
    }

    /// The name that a user writes. A function that no block can call has a descriptive name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// A simpler node for the call, where the function's rules give one.
    pub(crate) fn fold(self, graph: &mut Graph, arguments: &[Id]) -> Option<Id> {
        (self.row().fold)(graph, self, arguments)
    }

    /// The partial derivative of the call by its argument `which`; `id` is the node of the call itself.
    pub(crate) fn derivative(self, graph: &mut Graph, id: Id, arguments: &[Id], which: usize) -> Id {
        (self.row().derivative)(graph, &Call { function: self, id, arguments, which })
    }

    /// The value in doubles; `None` where there is none without data of the user's.
    pub(crate) fn value(self, arguments: &[f64]) -> Option<f64> {
        let row = self.row();
        if arguments.len() < row.arguments { None } else { (row.value)(self, arguments) }
    }

    /// The value in high precision; `None` outside the domain.
    pub(crate) fn precise_value(self, precise: &mut Precise, arguments: &[Real]) -> Option<Real> {
        let row = self.row();
        if arguments.len() < row.arguments { None } else { (row.precise)(precise, self, arguments) }
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
