//! Whether M is positive definite at every state, by the structure of T: a sum of factors that are not negative times
//! squares of forms linear in the velocities, of which those with positive factors determine every velocity.

use super::Physics;
use super::sign::{Sign, Signs};
use crate::diff::derivative;
use crate::expr::{Graph, Id, Node, Rational, Symbol, rational};
use crate::function::Function;
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
    collect(graph, physics.kinetic.unwrap_or(physics.lagrangian), one, Rational::ONE, &mut squares)?;
    let mut used = Vec::new();
    for square in &squares {
        signs.of(graph, square.weight, &mut used)?;
    }
    // A weight need not be positive: what must be is said below.
    let mut conditions: Vec<(Id, Sign)> = used.into_iter().map(|(id, _)| (id, Sign::NotNegative)).collect();

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
        let mut used = Vec::new();
        if graph.is_zero(inertia) || signs.of(graph, inertia, &mut used) != Some(Sign::Positive) {
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

/// What makes M regular, if it is no larger than three rows and its determinant has a sign.
pub(super) fn regular_mass(graph: &mut Graph, physics: &Physics, mass: &[Vec<Id>]) -> Option<Vec<Positivity>> {
    let signs = Signs::new(graph, &physics.assumptions);
    if mass.len() > 3 {
        return None;
    }
    let determinant = determinant(graph, mass);
    let opposite = graph.neg(determinant);
    [determinant, opposite].into_iter().find_map(|value| {
        let mut used = Vec::new();
        (signs.of(graph, value, &mut used) == Some(Sign::Positive)).then(|| listed(graph, &used))
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

/// Each expression once, without numeric factors, in the stricter of its two ways.
fn listed(graph: &Graph, conditions: &[(Id, Sign)]) -> Vec<Positivity> {
    let mut list: Vec<Positivity> = Vec::new();
    for &(id, sign) in conditions {
        let (_, expression) = graph.split_scale(id);
        let strictly = sign == Sign::Positive;
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
    if is_affine(graph, expression) {
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
            if *exponent != rational(2, 1) || scale.sign() == NumberSign::Negative {
                return None;
            }
            let forms = match graph.node(*base) {
                Node::Call(Function::Norm, arguments) => arguments.to_vec(),
                _ => vec![*base],
            };
            let number = graph.number(scale);
            let weight = graph.mul(weight, number);
            for form in forms {
                if !is_affine(graph, form) {
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

/// Whether an expression is linear in the velocities, up to what is free of them.
fn is_affine(graph: &mut Graph, expression: Id) -> bool {
    velocities_of(graph, expression).into_iter().all(|symbol| {
        let slope = derivative(graph, &[expression], symbol)[0];
        !graph.contains(slope, |symbol| matches!(symbol, Symbol::Velocity(_)))
    })
}

/// The velocities that an expression contains.
fn velocities_of(graph: &Graph, expression: Id) -> Vec<Symbol> {
    graph.symbols(expression).filter(|symbol| matches!(symbol, Symbol::Velocity(_))).collect()
}
