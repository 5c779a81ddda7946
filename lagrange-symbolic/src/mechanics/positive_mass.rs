//! A proof by structure that M is positive definite at every state. L must be a sum of non-negative factors times
//! squares of forms linear in the velocities, and the squares with positive factors must determine every velocity.

use super::elimination::determinant;
use super::sign::{Sign, Signs, Used};
use super::velocity;
use crate::calculus::derivative;
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, Symbol, rational};
use crate::physics::{Physics, SmoothFriction};
use dashu_base::Sign as NumberSign;
use std::collections::{BTreeMap, BTreeSet};

/// A condition on an expression in parameters that a proof used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Positivity {
    /// The expression.
    pub expression: Id,
    /// Whether it must be positive; otherwise it may also be zero.
    pub strictly: bool,
}

/// w (Σ cᵢ vᵢ + c)², with the cᵢ that are not zero.
struct Square {
    weight: Id,
    coefficients: BTreeMap<usize, Id>,
}

/// The conditions under which M is positive definite. `None` where structure does not prove it.
pub(super) fn positive_mass(graph: &mut Graph, physics: &Physics) -> Option<Vec<Positivity>> {
    let signs = Signs::new(graph, &physics.assumed());
    let one = graph.one();
    let mut squares = Vec::new();
    let energy = inertial_energy(graph, physics);
    collect(graph, energy, one, Rational::ONE, &mut squares)?;
    let mut conditions = Used::new();
    for square in &squares {
        // Some weights may vanish. The loop below finds the velocities that the others determine.
        signs.prove(graph, square.weight, Sign::NotNegative, &mut conditions).then_some(())?;
    }

    let n = physics.coordinates as usize;
    let mut containing: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (index, square) in squares.iter().enumerate() {
        square.coefficients.keys().for_each(|&j| containing[j].push(index));
    }
    // The number of velocities of each square that are not determined yet.
    let mut open: Vec<usize> = squares.iter().map(|square| square.coefficients.len()).collect();
    let mut known = vec![false; n];
    let mut candidates: BTreeSet<usize> = (0..n).collect();
    while let Some(j) = candidates.pop_first() {
        if known[j] {
            continue;
        }
        let mut terms = Vec::new();
        for &index in containing[j].iter().filter(|&&index| open[index] == 1) {
            let (weight, form) = (squares[index].weight, squares[index].coefficients[&j]);
            terms.push((graph.mul_all(&[weight, form, form]), Rational::ONE));
        }
        let inertia = graph.sum(terms, Rational::ZERO);
        let mut used = Used::new();
        if !signs.prove(graph, inertia, Sign::Positive, &mut used) {
            continue;
        }
        known[j] = true;
        conditions.extend(used);
        for &index in &containing[j] {
            open[index] -= 1;
            candidates.extend(squares[index].coefficients.keys().filter(|&&i| !known[i]));
        }
    }
    known.iter().all(|&known| known).then(|| listed(graph, &conditions))
}

/// The part of L that determines M: T, where V is at most linear in the velocities, else L.
fn inertial_energy(graph: &mut Graph, physics: &Physics) -> Id {
    match (physics.kinetic, physics.potential) {
        (Some(kinetic), Some(potential)) if velocity::is_affine(graph, potential) => kinetic,
        _ => physics.lagrangian,
    }
}

/// The conditions under which M is regular. `None` where M has more than three rows, or where the sign of its
/// determinant is not proved.
pub(super) fn regular_mass(graph: &mut Graph, physics: &Physics, mass: &[Vec<Id>]) -> Option<Vec<Positivity>> {
    let signs = Signs::new(graph, &physics.assumed());
    if mass.len() > 3 {
        return None;
    }
    let determinant = determinant(graph, mass);
    [Sign::Positive, Sign::Negative].into_iter().find_map(|sign| {
        let mut used = Used::new();
        signs.prove(graph, determinant, sign, &mut used).then(|| listed(graph, &used))
    })
}

/// For each smooth friction, whether the sign of its bound and that of its slip rate are unproved; and the conditions of the proofs.
pub(super) fn smooth_frictions(graph: &mut Graph, physics: &Physics) -> (Vec<[bool; 2]>, Vec<Positivity>) {
    let signs = Signs::new(graph, &physics.assumed());
    let mut used = Used::new();
    let claims = [Sign::NotNegative, Sign::Positive];
    let mut unproved = |friction: &SmoothFriction| {
        let parts = [friction.bound, friction.width];
        std::array::from_fn(|part| !signs.prove(graph, parts[part], claims[part], &mut used))
    };
    let unsigned = physics.smooth.iter().map(&mut unproved).collect();
    (unsigned, listed(graph, &used))
}

/// The conditions, each expression once and without a positive numeric factor. A strict condition replaces one that is
/// not strict.
pub(super) fn listed(graph: &mut Graph, conditions: &[(Id, Sign)]) -> Vec<Positivity> {
    let mut list: Vec<Positivity> = Vec::new();
    for &(id, sign) in conditions {
        let (scale, rest) = graph.split_scale(id);
        let expression = if scale.sign() == NumberSign::Negative { graph.neg(rest) } else { rest };
        let strictly = sign.is_strict();
        match list.iter_mut().find(|known| known.expression == expression) {
            Some(known) => known.strictly |= strictly,
            None => list.push(Positivity { expression, strictly }),
        }
    }
    list
}

/// Collects the squares of scale·weight·expression. Terms linear in the velocities add nothing to M. `None` where
/// another term occurs.
fn collect(graph: &mut Graph, expression: Id, weight: Id, scale: Rational, squares: &mut Vec<Square>) -> Option<()> {
    let moves = |graph: &Graph, id: Id| graph.contains(id, |symbol| matches!(symbol, Symbol::Velocity(_)));
    if velocity::is_affine(graph, expression) {
        return Some(());
    }
    match graph.node(expression).clone() {
        Node::Sum { terms, .. } => {
            for (term, coefficient) in terms {
                collect(graph, term, weight, &scale * coefficient, squares)?;
            }
            Some(())
        }
        Node::Product(factors) => {
            let (moving, fixed): (Vec<_>, Vec<_>) = factors.iter().cloned().partition(|(base, _)| moves(graph, *base));
            let [(base, exponent)] = moving.as_slice() else { return None };
            let fixed = graph.product(fixed);
            let weight = graph.mul(weight, fixed);
            if exponent.is_one() {
                return collect(graph, *base, weight, scale, squares);
            }
            if *exponent != rational(2, 1) {
                return None;
            }
            let forms = match graph.node(*base) {
                Node::Call(Function::Norm, arguments) => arguments.to_vec(),
                _ => vec![*base],
            };
            let number = graph.number(scale);
            let weight = graph.mul(weight, number);
            for form in forms {
                if !velocity::is_affine(graph, form) {
                    return None;
                }
                let mut coefficients = BTreeMap::new();
                for symbol in velocities_of(graph, form) {
                    let slope = derivative(graph, &[form], symbol)[0];
                    if let (Symbol::Velocity(j), false) = (symbol, graph.is_zero(slope)) {
                        coefficients.insert(j as usize, slope);
                    }
                }
                squares.push(Square { weight, coefficients });
            }
            Some(())
        }
        _ => None,
    }
}

/// The velocities that an expression contains.
fn velocities_of(graph: &Graph, expression: Id) -> Vec<Symbol> {
    graph.symbols(expression).filter(|symbol| matches!(symbol, Symbol::Velocity(_))).collect()
}
