//! The block's own syntax tree: what the user wrote, with its places.

use crate::graph::Rational;
use crate::report::Place;
use crate::syntax::{FunctionUnits, Item, Measured, StatedUnit};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

/// A parsed block and the struct that it describes.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The struct with its parameters and inputs.
    pub item: Item,
    /// The statements in the order in which they were written.
    pub statements: Vec<Statement>,
    /// The quantities of parts that the block gives, each with its lengths.
    pub given: Vec<GivenQuantity>,
    /// Which statements are those of a part. A part of a part stands behind it.
    pub groups: Vec<Group>,
}

/// The statements of a part in the block that has it.
#[derive(Clone, Debug)]
pub struct Group {
    /// The names of the parts around it and its own, each with the length of an array of parts.
    pub path: Vec<(String, Option<usize>)>,
    /// The name of its struct.
    pub type_name: String,
    /// Its statements.
    pub statements: std::ops::Range<usize>,
}

/// A quantity that a part leaves open, in the block that gives it.
#[derive(Clone, Debug)]
pub struct GivenQuantity {
    /// Its name in the block, `left.base`.
    pub name: Ident,
    /// The lengths that the part states; none for a scalar.
    pub lengths: Vec<usize>,
    /// The lengths of the arrays of parts, the outermost first: each part has the quantity.
    pub parts: Vec<usize>,
    /// The name of the part's struct.
    pub type_name: String,
    /// The name of the part in the block.
    pub place: Place,
}

/// One statement of the block.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it states.
    pub kind: StatementKind,
    /// Its doc comment, empty if there is none.
    pub documentation: String,
    /// From its keyword to its last token before the `;`.
    pub place: Place,
}

/// How the values of a table between its knots follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interpolation {
    /// `linear(knots, values)`: straight lines.
    Linear,
    /// `pchip(knots, values)`: cubic pieces with continuous slopes, monotone where the values are.
    Monotone,
    /// `spline(knots, values)`, `spline(knots, values, slopes)`: cubic pieces with continuous second derivatives.
    Spline,
}

impl Interpolation {
    /// The interpolation of this name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "linear" => Self::Linear,
            "pchip" => Self::Monotone,
            "spline" => Self::Spline,
            _ => return None,
        })
    }
}

/// What a statement states.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `coordinates a, theta[8], r[6][3];`, `virtual shift[3];`
    Coordinates(Vec<CoordinateArray>),
    /// `let name = value;`, `let name: unit = value;`
    Let {
        /// The name given.
        name: Ident,
        /// Which elements it defines; none for a plain name.
        indices: Vec<Indexing>,
        /// Its unit, if it is stated.
        unit: Option<StatedUnit>,
        /// What it stands for.
        value: Expr,
    },
    /// `lagrangian = value;` and its relatives.
    Energy {
        /// Which one.
        energy: Energy,
        /// The keyword as written.
        keyword: Ident,
        /// Its value.
        value: Expr,
    },
    /// `force left = right;`
    Force {
        /// The ranges that stand in its left side.
        indices: Vec<Indexing>,
        /// A function g(q, t), scalar or vector. The generalized force is Q = (∂g/∂q)ᵀ right.
        left: Expr,
        /// The force that is conjugate to the left side.
        right: Expr,
    },
    /// `torque orientation = couple;`
    Torque {
        /// The ranges that stand in its left side.
        indices: Vec<Indexing>,
        /// A rotation matrix or a unit quaternion, a function of q and t.
        left: Expr,
        /// The couple, with components in space.
        right: Expr,
    },
    /// `friction name: slip = bound, breakaway = held;` or `friction name: rate(velocity) = bound, smooth = v0;`
    Friction {
        /// Its name.
        name: Ident,
        /// Which elements it states.
        indices: Vec<Indexing>,
        /// The slip, a function of q and t, or its rate.
        slip: Expr,
        /// Whether `rate(…)` states the rate of the slip.
        is_rate: bool,
        /// The bound of the friction force.
        bound: Expr,
        /// The slip rate over which the force changes its direction, where it does so smoothly.
        smooth: Option<Expr>,
        /// The bound of the force at rest, if it is stated; otherwise it is `bound`.
        breakaway: Option<Expr>,
    },
    /// `contact name: left >= right, restitution = e, friction = mu, slip = x, breakaway = held;`
    Contact {
        /// Its name.
        name: Ident,
        /// Which elements it states.
        indices: Vec<Indexing>,
        /// The two sides of the inequality. The gap is the first minus the second.
        sides: Box<(Expr, Expr)>,
        /// The coefficient of restitution, if it is stated; otherwise it is 0.
        restitution: Option<Box<Expr>>,
        /// The slip and the coefficient of friction, if they are stated.
        friction: Option<Box<(Expr, Expr)>>,
        /// Whether `rate(…)` states the rate of the slip.
        is_rate: bool,
        /// The coefficient of friction at rest, if it is stated.
        breakaway: Option<Box<Expr>>,
        /// The tensile force that the closed contact bears, if it is stated.
        adhesion: Option<Box<Expr>>,
    },
    /// `constraint name: left == right when condition;` or `nonholonomic name: left == right when condition;`
    Constraint {
        /// Which of the two.
        kind: ConstraintKind,
        /// Its name.
        name: Ident,
        /// Which elements it states.
        indices: Vec<Indexing>,
        /// The left side of the equation.
        left: Expr,
        /// The right side of the equation.
        right: Expr,
        /// The condition on modes under which it acts, if it is stated; otherwise it acts always.
        when: Option<Box<Expr>>,
    },
    /// `mode name = when condition { value } then target = value when …;`
    Mode {
        /// Its name.
        name: Ident,
        /// Which elements it states.
        indices: Vec<Indexing>,
        /// Its changes, in the order in which they are stated.
        changes: Vec<When>,
    },
    /// `state name: dot(name) == rate;`, `state name: unit, dot(name) == rate;`
    State {
        /// Its name.
        name: Ident,
        /// Which elements it states.
        indices: Vec<Indexing>,
        /// Its unit, if it is stated.
        unit: Option<StatedUnit>,
        /// The left side, which is the rate of the state.
        left: Expr,
        /// The right side.
        right: Expr,
    },
    /// `output name = value;`, `output name: unit = value;`
    Output {
        /// Its name.
        name: Ident,
        /// Which elements it shows.
        indices: Vec<Indexing>,
        /// Its unit, if it is stated.
        unit: Option<StatedUnit>,
        /// What it shows.
        value: Expr,
    },
    /// `invariant name = value;`, `invariant name: unit = value;`
    Invariant {
        /// Its name.
        name: Ident,
        /// Which elements it claims.
        indices: Vec<Indexing>,
        /// Its unit, if it is stated.
        unit: Option<StatedUnit>,
        /// What is claimed to be constant.
        value: Expr,
    },
    /// `symmetry name: [δq…];`, `symmetry name: [δq…], gauge = K;`
    Symmetry {
        /// Its name.
        name: Ident,
        /// Which elements it states.
        indices: Vec<Indexing>,
        /// δq, with a component for each coordinate.
        change: Expr,
        /// K of δL = dK/dt, where it is stated.
        gauge: Option<Expr>,
    },
    /// `assume left > right;`, `assume regular;`
    Assume(Expr),
    /// `verify left == right;`: a test of the derived equations at compile time.
    Verify {
        /// The derived side.
        left: Expr,
        /// The claimed side.
        right: Expr,
    },
    /// `const name = value;`
    Const {
        /// Its name.
        name: Ident,
        /// An exact number.
        value: Expr,
    },
    /// `extern name(x, y) = path, d(x) = path, …;`
    Extern(ExternFunction),
    /// `table name(x) = spline(knots, values);`, `table name(x, y) = spline(x_knots, y_knots, rows);`
    Table {
        /// Its name.
        name: Ident,
        /// The names of its one or two arguments.
        arguments: Vec<Ident>,
        /// The places at which the values are given, increasing: for each argument.
        knots: Vec<Expr>,
        /// The values there. Those of two arguments have a row for each knot of the first.
        values: Expr,
        /// How values between the knots follow.
        interpolation: Interpolation,
        /// The slopes at the first and the last knot, where they are stated.
        slopes: Option<Expr>,
        /// The units that are stated.
        units: FunctionUnits,
    },
    /// `part name: Type;`, `part name[5]: Type;`
    Part {
        /// Its name, and that of the field.
        name: Ident,
        /// The number of parts, where it is an array of them.
        length: Option<Expr>,
        /// The path of the struct.
        path: TokenStream,
    },
    /// `part;`: this mechanism may stand as a part of others.
    MayBePart,
    /// `given base[2]: m, current;`
    Given(Vec<CoordinateArray>),
    /// `units time = day, energy = J;`
    Units(Vec<(Measured, StatedUnit)>),
    /// `allow unused_input, dot_of_field;`
    Allow {
        /// The names of the warnings.
        lints: Vec<Ident>,
        /// What the names of the part begin with whose block states it; empty for the block itself.
        part: String,
    },
    /// `crate = path;`
    Crate(TokenStream),
    /// `max_operations = limit;`
    MaxOperations(Expr),
}

/// A coordinate or an array of coordinates.
#[derive(Clone, Debug)]
pub struct CoordinateArray {
    /// Its name.
    pub name: Ident,
    /// Its lengths, the outermost first; none for a scalar.
    pub lengths: Vec<Expr>,
    /// Its unit, if it is stated.
    pub unit: Option<StatedUnit>,
    /// The ends of its nominal range, if it is stated: `theta: rad in -3..3`.
    pub range: Option<[f64; 2]>,
    /// Whether it is a virtual displacement, which is 0 at all times.
    pub is_virtual: bool,
}

/// What stands between the brackets behind the name of an indexed statement.
#[derive(Clone, Debug)]
pub enum Indexing {
    /// `[3]`: one element.
    Element(Expr),
    /// `[i in 1..8]`: each of them.
    Range(Range),
}

/// `variable in from..to`
#[derive(Clone, Debug)]
pub struct Range {
    /// The index.
    pub variable: Ident,
    /// The first.
    pub from: Expr,
    /// One past the last.
    pub to: Expr,
}

/// The two kinds of constraints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConstraintKind {
    /// g(q, t) = 0.
    Holonomic,
    /// A(q, t) v + b(q, t) = 0.
    Nonholonomic,
}

impl ConstraintKind {
    /// The keyword that states it.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Holonomic => "constraint",
            Self::Nonholonomic => "nonholonomic",
        }
    }
}

/// A function of the user's own, with its derivatives.
#[derive(Clone, Debug)]
pub struct ExternFunction {
    /// Its name in the block.
    pub name: Ident,
    /// The names of its arguments.
    pub arguments: Vec<Ident>,
    /// The Rust function.
    pub path: TokenStream,
    /// Its derivatives: by which arguments, and the Rust function of each.
    pub derivatives: Vec<(Vec<Ident>, TokenStream)>,
    /// The units that are stated.
    pub units: FunctionUnits,
}

/// The scalar functions that a block defines once each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Energy {
    /// L.
    Lagrangian,
    /// T.
    Kinetic,
    /// V.
    Potential,
    /// D, whose force is −∂D/∂q̇.
    Dissipation,
}

impl Energy {
    /// The keyword that states it.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Lagrangian => "lagrangian",
            Self::Kinetic => "kinetic",
            Self::Potential => "potential",
            Self::Dissipation => "dissipation",
        }
    }
}

/// A change of a mode: `when condition { value } then target = value, …`
#[derive(Clone, Debug)]
pub struct When {
    /// The condition under which the mode gets the value.
    pub condition: Expr,
    /// The value.
    pub value: Expr,
    /// What else is assigned, and the values.
    pub then: Vec<(Expr, Expr)>,
}

/// An expression and the tokens that it was written with.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its first and last token, parentheses included.
    pub place: Place,
    /// The unit between brackets behind a number: `9.81[m/s^2]`.
    pub unit: Option<Box<StatedUnit>>,
    /// The number of expressions on the longest path from this one to its innermost part, this one included.
    pub(crate) height: usize,
    /// The height without the steps to the left operands of operators. Those steps are walked in loops, so that only
    /// the depth uses the stack.
    pub(crate) depth: usize,
}

/// The forms of an expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An exact number.
    Number(Rational),
    /// A quantity.
    Name(Ident),
    /// `f(x, y)` or `x.f(y)`.
    Call {
        /// The function's name.
        function: Ident,
        /// Its arguments, the receiver first.
        arguments: Vec<Expr>,
    },
    /// `[a, b, c]`
    Vector(Vec<Expr>),
    /// `of[i]` or `of[i, j]`
    Index {
        /// What is indexed.
        of: Box<Expr>,
        /// The indices between the brackets.
        indices: Vec<Expr>,
    },
    /// An operator before its operand.
    Unary(Unary, Box<Expr>),
    /// An operator between its operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `if condition { then } else { otherwise }`
    If {
        /// The condition.
        condition: Box<Expr>,
        /// Value where it holds.
        then: Box<Expr>,
        /// Value elsewhere.
        otherwise: Box<Expr>,
    },
    /// `integral(dummy in from..to, integrand)`
    Integral {
        /// The variable of integration.
        dummy: Ident,
        /// Lower bound.
        from: Box<Expr>,
        /// Upper bound.
        to: Box<Expr>,
        /// What is integrated.
        integrand: Box<Expr>,
        /// The number of nodes, where quadrature is asked for.
        nodes: Option<Box<Expr>>,
    },
    /// `sum(variable in from..to, term)`
    Sum {
        /// The index and its bounds.
        range: Box<Range>,
        /// What is added up.
        term: Box<Expr>,
    },
}

/// Operators before one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// `-x`
    Negate,
    /// `!c`
    Not,
}

/// Operators between two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `a ^ b`
    Power,
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterEqual,
    /// `a && b`
    And,
    /// `a || b`
    Or,
}

impl Binary {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Power => "^",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::And => "&&",
            Self::Or => "||",
        }
    }

    /// How tightly it binds its operands; unary operators stand between `*` and `^`.
    pub(crate) fn level(self) -> u32 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual => 3,
            Self::Add | Self::Subtract => 4,
            Self::Multiply | Self::Divide => 5,
            Self::Power => 7,
        }
    }
}

impl Expr {
    pub(crate) fn new(kind: ExprKind, place: Place) -> Self {
        let mut parts = kind.parts();
        if let ExprKind::Integral { integrand: inner, .. } | ExprKind::Sum { term: inner, .. } = &kind {
            parts.push(inner);
        }
        let height = 1 + parts.iter().map(|part| part.height).max().unwrap_or(0);
        let depth = match &kind {
            ExprKind::Binary(_, left, right) => left.depth.max(right.depth + 1),
            _ => 1 + parts.iter().map(|part| part.depth).max().unwrap_or(0),
        };
        Self { kind, place, unit: None, height, depth }
    }

    /// The name that an expression is, or of which it is an element, with the indices of the element.
    pub(crate) fn named(&self) -> Option<(&Ident, Vec<&Self>)> {
        match &self.kind {
            ExprKind::Name(name) => Some((name, Vec::new())),
            ExprKind::Index { of, indices } => {
                let (name, mut all) = of.named()?;
                all.extend(indices);
                Some((name, all))
            }
            _ => None,
        }
    }

    /// The direct parts of an expression that stand in the same scope as it does.
    pub(crate) fn parts(&self) -> Vec<&Self> {
        self.kind.parts()
    }
}

impl ExprKind {
    fn parts(&self) -> Vec<&Expr> {
        match self {
            Self::Number(_) | Self::Name(_) => Vec::new(),
            Self::Call { arguments, .. } => arguments.iter().collect(),
            Self::Vector(elements) => elements.iter().collect(),
            Self::Index { of, indices } => indices.iter().chain([&**of]).collect(),
            Self::Unary(_, operand) => vec![operand],
            Self::Binary(_, left, right) => vec![left, right],
            Self::If { condition, then, otherwise } => vec![condition, then, otherwise],
            Self::Integral { from, to, .. } => vec![from, to],
            Self::Sum { range, .. } => vec![&range.from, &range.to],
        }
    }
}

/// Whether the identifier is a name in Rust too, and not one of Rust's keywords.
pub(crate) fn is_name(ident: &Ident) -> bool {
    syn::parse2::<Ident>(ident.to_token_stream()).is_ok()
}
