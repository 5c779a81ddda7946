//! Whether two expressions are equal: proved by a normal form, or checked, or refuted at points in high precision.
//!
//! The normal form is used here only and is bounded in size: quotients of polynomials in symbols, waves,
//! exponentials, roots, magnitudes and other calls, with sin² = 1 − cos² and angle addition applied. Parameters are
//! taken to be positive, all else to be real.

mod domain;
mod evaluate;
mod normal;
mod plain;
mod polynomial;
mod precise;
mod relation;
mod ring;
mod root;
mod sample;
mod spline;
mod wave;

pub use domain::{Domain, Manifold};
pub use evaluate::{Arithmetic, Evaluated, evaluate};
pub use plain::{Plain, numeric};
pub use precise::{Precise, Real};

use crate::expr::{Graph, Id, Rational, Symbol};

/// What is known of a claimed equality.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Both sides have the same normal form: equal wherever both are defined.
    Proved,
    /// Equal at so many points, in more than 60 digits.
    Checked {
        /// How many points.
        points: u32,
    },
    /// Different at a point.
    Refuted(Counterexample),
    /// No point could be evaluated; the text says why.
    Undecided(String),
}

impl Verdict {
    /// Whether the claim may be relied on: proved or checked.
    pub fn holds(&self) -> bool {
        matches!(self, Self::Proved | Self::Checked { .. })
    }
}

/// A point where two expressions differ, all numbers in decimal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The exact values of the symbols, in the order of [`Symbol`].
    pub values: Vec<(Symbol, String)>,
    /// The left side's value there.
    pub left: String,
    /// The right side's value there.
    pub right: String,
}

/// Decides, as far as it can, whether two scalar expressions are equal for all values of their symbols, the
/// parameters positive.
///
/// Deterministic, bounded in time, and silent: nothing is added to the graph.
pub fn equal(graph: &Graph, left: Id, right: Id) -> Verdict {
    equal_in(graph, left, right, &Domain::default())
}

/// The same for the values of a domain.
pub fn equal_in(graph: &Graph, left: Id, right: Id, domain: &Domain) -> Verdict {
    // The normal form takes parameters to be positive.
    let is_positive = domain.assumptions.is_empty() || sample::allows_positive(graph, domain);
    let difference = [(left, Rational::ONE), (right, Rational::NEG_ONE)];
    if left == right || (is_positive && graph.engine().proves_zero(graph, &difference)) {
        return Verdict::Proved;
    }
    sample::compare(graph, left, right, domain)
}

/// Whether an expression is proved to vanish, without any check at points.
pub fn vanishes(graph: &Graph, expression: Id) -> bool {
    graph.is_zero(expression) || graph.engine().proves_zero(graph, &[(expression, Rational::ONE)])
}

/// The built-in normal form's answer.
pub(crate) fn normal_form_vanishes(graph: &Graph, sum: &[(Id, Rational)]) -> bool {
    normal::proves_zero(graph, sum)
}
