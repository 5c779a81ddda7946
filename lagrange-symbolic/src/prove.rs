//! Whether two expressions are equal: proved by a normal form, or checked, or refuted at points in high precision.
//!
//! The normal form is used here only and is bounded in size: quotients of polynomials in symbols, sines, cosines,
//! exponentials, roots, magnitudes and other calls, with sin² = 1 − cos² and the addition theorems applied. Parameters
//! are taken to be positive unless an assumption says otherwise. All other symbols are real.

mod bounds;
mod branches;

mod boundary;
mod continuity;
mod domain;
mod lazy;
mod limit;
mod linear;
mod motion;
mod normal;
mod parameters;
mod polynomial;
mod random;
mod range;
mod relation;
mod ring;
mod root;
mod sample;
mod search;
mod switch;
mod transcendental;

pub use continuity::{Continuity, continuity, continuity_along, continuity_of_angle};
pub use domain::{Domain, Freedom, Manifold};
pub use motion::{Motion, Solution};
pub use parameters::ParameterSigns;
pub(crate) use random::Random;

use crate::graph::{Graph, Id, Rational, Symbol};

/// What is known of a claimed equality.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Both sides have the same normal form: equal wherever both are defined.
    Proved,
    /// Equal at so many points, in more than 60 digits: with symbols of all sizes from 10⁻⁶ to 10⁶ and of both signs, in every branch and
    /// in each component of the constraints that was found. Not shown beyond.
    Checked {
        /// How many points.
        points: u32,
    },
    /// Different at a point.
    Refuted(Counterexample),
    /// Neither shown nor refuted.
    Undecided(Doubt),
}

/// Why a claim could not be decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// No point was found where both sides are defined.
    Undefined,
    /// The two sides have different formulas in a branch, and no point of that branch was found. The branch is stated
    /// by its switches: a comparison and whether it is true, or another switch and whether its switching function is
    /// negative.
    Unreached(Vec<(Id, bool)>),
    /// There are more branches than this.
    Branches(usize),
    /// Only one side has a value at a point; the values of the symbols there, and whether it is the left side.
    OneSided {
        /// The values of the symbols, in decimal.
        values: Vec<(Symbol, String)>,
        /// Whether the left side has the value.
        left: bool,
    },
    /// This floor or remainder has infinitely many branches, and the formulas of both sides differ in some.
    Steps(Id),
    /// The accelerations could not be eliminated.
    Accelerations,
    /// Whether the quantity is continuous at the boundary of this node could not be decided.
    Boundary(Id),
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

/// Decides, as far as it can, whether two scalar expressions are equal for all values of their symbols and
/// positive parameters.
///
/// The answer is deterministic and bounded in time. Nothing is added to the graph.
pub fn equal(graph: &Graph, left: Id, right: Id) -> Verdict {
    equal_in(graph, left, right, &Domain::default())
}

/// Decides, as far as it can, whether two scalar expressions are equal for all values in a domain.
pub fn equal_in(graph: &Graph, left: Id, right: Id, domain: &Domain) -> Verdict {
    equal_if_affordable(graph, left, right, domain, || true).unwrap_or(Verdict::Undecided(Doubt::Undefined))
}

/// Decides like [`equal_in`]. `None` where only points in many digits could decide, and `is_affordable` refuses them.
pub(crate) fn equal_if_affordable(
    graph: &Graph,
    left: Id,
    right: Id,
    domain: &Domain,
    is_affordable: impl FnOnce() -> bool,
) -> Option<Verdict> {
    let difference = [(left, Rational::ONE), (right, Rational::NEG_ONE)];
    if left == right {
        return Some(Verdict::Proved);
    }
    if proves_zero(graph, &difference, domain) {
        let doubt = sample::doubt_of_domains(graph, left, right, domain);
        return Some(doubt.map_or(Verdict::Proved, Verdict::Undecided));
    }
    is_affordable().then(|| sample::compare(graph, left, right, domain))
}

/// Whether two scalar expressions differ plainly at some points of a domain, in doubles. This takes a small part of the time of [`equal_in`], to
/// which `false` leaves the decision.
pub fn are_apart(graph: &Graph, left: Id, right: Id, domain: &Domain) -> bool {
    sample::are_apart(graph, left, right, domain)
}

/// The number of evaluated nodes that [`equal_in`] takes to compare an expression without branches with 0, projections onto the constraints
/// included.
pub(crate) fn work_of_comparison(graph: &Graph, value: Id, domain: &Domain) -> usize {
    sample::work(graph, value, domain)
}

/// Whether an expression is proved to vanish for positive parameters, without any check at points.
pub fn vanishes(graph: &Graph, expression: Id) -> bool {
    vanishes_in(graph, expression, &Domain::default())
}

/// Whether an expression is proved to vanish for the parameters of a domain, without any check at points.
pub fn vanishes_in(graph: &Graph, expression: Id, domain: &Domain) -> bool {
    graph.is_zero(expression) || proves_zero(graph, &[(expression, Rational::ONE)], domain)
}

/// Whether a sum is 0 by the normal form of the engine, where it has one, or by that of [`normal`]. The latter also
/// knows roots of squares, magnitudes and the signs of parameters.
fn proves_zero(graph: &Graph, sum: &[(Id, Rational)], domain: &Domain) -> bool {
    graph.engine().proves_zero(graph, sum) || normal::proves_zero(graph, sum, domain.signs())
}
