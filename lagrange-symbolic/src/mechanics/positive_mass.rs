//! Whether M is positive definite at every state, by the structure of L: a sum of factors that are not negative times
//! squares of forms linear in the velocities, of which those with positive factors determine every velocity.

use super::sign::{Sign, Signs, Used};
use super::{Physics, velocity};
use crate::calculus::derivative;
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, Symbol, rational};
use dashu_base::Sign as NumberSign;
use std::collections::{BTreeMap, BTreeSet};

/// What a proof took of an expression in parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Positivity {
    /// The expression.
    pub expression: Id,
    /// Whether it must be positive; else it may also be zero.
    pub strictly: bool,
}

/// w (Σ cᵢ vᵢ + c)², with the cᵢ that are not zero.
struct Square {
    weight: Id,
    coefficients: BTreeMap<usize, Id>,
}

/// What makes M positive definite, if structure shows that it is.
pub(super) fn positive_mass(graph: &mut Graph, physics: &Physics) -> Option<Vec<Positivity>> {
    let signs = Signs::new(graph, &physics.assumptions);
    let one = graph.one();
    let mut squares = Vec::new();
    let energy = inertial_energy(graph, physics);
    collect(graph, energy, one, Rational::ONE, &mut squares)?;
    let mut conditions = Used::new();
    for square in &squares {
        // A weight need not be positive: what must be is said below.
        signs.prove(graph, square.weight, Sign::NotNegative, &mut conditions).then_some(())?;
    }

    let n = physics.coordinates as usize;
    let mut containing: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (index, square) in squares.iter().enumerate() {
        square.coefficients.keys().for_each(|&j| containing[j].push(index));
    }
    // How many velocities of a square are not determined yet.
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

/// What M comes from: T, where V adds nothing to M, else L.
fn inertial_energy(graph: &mut Graph, physics: &Physics) -> Id {
    match (physics.kinetic, physics.potential) {
        (Some(kinetic), Some(potential)) if velocity::is_affine(graph, potential) => kinetic,
        _ => physics.lagrangian,
    }
}

/// What makes M regular, if it is no larger than three rows and its determinant has a sign.
pub(super) fn regular_mass(graph: &mut Graph, physics: &Physics, mass: &[Vec<Id>]) -> Option<Vec<Positivity>> {
    let signs = Signs::new(graph, &physics.assumptions);
    if mass.len() > 3 {
        return None;
    }
    let determinant = determinant(graph, mass);
    [Sign::Positive, Sign::Negative].into_iter().find_map(|sign| {
        let mut used = Used::new();
        signs.prove(graph, determinant, sign, &mut used).then(|| listed(graph, &used))
    })
}

/// By expansion along the first row.
fn determinant(graph: &mut Graph, rows: &[Vec<Id>]) -> Id {
    let Some((first, rest)) = rows.split_first() else { return graph.one() };
    let mut terms = Vec::new();
    for (j, &entry) in first.iter().enumerate() {
        if !graph.is_zero(entry) {
            let minor: Vec<Vec<Id>> = rest.iter().map(|row| [&row[..j], &row[j + 1..]].concat()).collect();
            let minor = determinant(graph, &minor);
            let sign = if j % 2 == 0 { Rational::ONE } else { Rational::NEG_ONE };
            terms.push((graph.mul(entry, minor), sign));
        }
    }
    graph.sum(terms, Rational::ZERO)
}

/// Each expression once, without positive numeric factors, in the stricter of its two ways.
fn listed(graph: &mut Graph, conditions: &[(Id, Sign)]) -> Vec<Positivity> {
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

/// The squares of scale·weight·expression; what is linear in the velocities adds nothing to M.
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
