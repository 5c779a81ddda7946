//! Whether a quantity I is constant along every motion, by its rate of change under the equations of motion.
//!
//! dI/dt = I_q v + I_t + I_v a. Where I_v = μᵀ M for a known μ (v for the energy, a unit vector for a momentum), the
//! acceleration is replaced by μᵀ M a = μᵀ (F + Gᵀλ), where v·Gᵀλ = −λ·b on the hidden constraints G v + b = 0. This
//! proves what symmetry conserves in a mechanism of any size. Otherwise the accelerations are eliminated from the
//! equations.

use crate::calculus::{derivative, directional};
use crate::graph::{Graph, Id, Rational, Symbol};
use crate::mechanics::Equations;
use crate::prove::{Domain, Doubt, Verdict, equal_in, vanishes_in};

/// How a constant of the motion was established.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conserved {
    /// Its rate of change vanishes identically.
    Proved,
    /// Its rate of change vanished at so many states, in more than 60 digits.
    Checked {
        /// How many states.
        points: u32,
    },
}

/// Decides whether the rate of change of `value` is 0.
pub(super) fn rate(graph: &mut Graph, equations: &Equations, value: Id, domain: &Domain) -> Verdict {
    let n = equations.momentum.len() as u32;
    let zero = graph.zero();
    let mut direction: Vec<(Symbol, Id)> =
        (0..n).map(|i| (Symbol::Coordinate(i), graph.symbol(Symbol::Velocity(i)))).collect();
    direction.push((Symbol::Time, graph.one()));
    let fixed = directional(graph, &[value], &direction)[0];
    let slopes: Vec<Id> = (0..n).map(|i| derivative(graph, &[value], Symbol::Velocity(i))[0]).collect();
    if slopes.iter().all(|slope| graph.is_zero(*slope)) {
        return equal_in(graph, fixed, zero, domain);
    }
    if let Some(rate) = by_symmetry(graph, equations, fixed, &slopes, domain) {
        let verdict = equal_in(graph, rate, zero, domain);
        // With constraints, the multipliers in this rate are independent symbols, so that only a proof is conclusive.
        if verdict == Verdict::Proved || equations.constraints.is_empty() {
            return verdict;
        }
    }
    let Some(solution) = super::claims::motion(equations).solution(graph, domain) else {
        return Verdict::Undecided(Doubt::Accelerations);
    };
    let moving = graph.inner(&slopes, &solution.acceleration);
    let rate = graph.add(fixed, moving);
    equal_in(graph, rate, zero, domain)
}

/// The rate where I_v is vᵀM or a row of M; otherwise `None`.
fn by_symmetry(graph: &mut Graph, equations: &Equations, fixed: Id, slopes: &[Id], domain: &Domain) -> Option<Id> {
    let n = slopes.len();
    let constraints = &equations.constraints;
    let multipliers: Vec<Id> = (0..constraints.len() as u32).map(|row| graph.symbol(Symbol::Multiplier(row))).collect();
    let velocities: Vec<Id> = (0..n as u32).map(|i| graph.symbol(Symbol::Velocity(i))).collect();
    let mut terms = vec![(fixed, Rational::ONE)];
    let momentum: Vec<Id> = equations.mass.iter().map(|row| graph.inner(row, &velocities)).collect();
    if same(graph, slopes, &momentum, domain) {
        terms.push((graph.inner(&velocities, &equations.forcing), Rational::ONE));
        terms.push((graph.inner(&multipliers, &constraints.drift), Rational::NEG_ONE));
        return Some(graph.sum(terms, Rational::ZERO));
    }
    let row = (0..n).find(|&row| same(graph, slopes, &equations.mass[row], domain))?;
    terms.push((equations.forcing[row], Rational::ONE));
    let column: Vec<Id> = constraints.jacobian.iter().map(|line| line[row]).collect();
    terms.push((graph.inner(&multipliers, &column), Rational::ONE));
    Some(graph.sum(terms, Rational::ZERO))
}

/// Whether two vectors are proved equal.
fn same(graph: &mut Graph, a: &[Id], b: &[Id], domain: &Domain) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            let difference = graph.sub(*a, *b);
            vanishes_in(graph, difference, domain)
        })
}
