//! Whether M is positive definite at every state, by the structure of T: a sum of factors that are not negative times
//! squares of forms linear in the velocities, of which those with positive factors determine every velocity.

use super::Physics;
use super::sign::{Sign, Signs};
use crate::diff::derivative;
use crate::expr::{Graph, Id, Node, Rational, Symbol, rational};
use crate::function::Function;
use dashu_base::Sign as NumberSign;

/// What a proof took of an expression in parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Positivity {
    /// The expression.
    pub expression: Id,
    /// Whether it must be positive; else it may also be zero.
    pub strictly: bool,
}

/// w (Σ cᵢ vᵢ + c)².
struct Square {
    weight: Id,
    coefficients: Vec<Id>,
}

/// What makes M positive definite, if structure shows that it is.
pub(super) fn positive_mass(graph: &mut Graph, physics: &Physics) -> Option<Vec<Positivity>> {
    let signs = Signs::new(graph, &physics.assumptions);
    let one = graph.one();
    let mut squares = Vec::new();
    collect(graph, physics, physics.kinetic.unwrap_or(physics.lagrangian), one, Rational::ONE, &mut squares)?;
    let mut used = Vec::new();
    for square in &squares {
        signs.of(graph, square.weight, &mut used)?;
    }
    // A weight need not be positive: what must be is said below.
    let mut conditions: Vec<(Id, Sign)> = used.into_iter().map(|(id, _)| (id, Sign::NotNegative)).collect();

    let n = physics.coordinates as usize;
    let mut known = vec![false; n];
    while let Some((found, used)) = (0..n).filter(|&j| !known[j]).find_map(|j| {
        let mut terms = Vec::new();
        for square in &squares {
            let alone = (0..n).all(|i| i == j || known[i] || graph.is_zero(square.coefficients[i]));
            if alone && !graph.is_zero(square.coefficients[j]) {
                let form = square.coefficients[j];
                terms.push((graph.mul_all(&[square.weight, form, form]), Rational::ONE));
            }
        }
        let inertia = graph.sum(terms, Rational::ZERO);
        let mut used = Vec::new();
        let positive = !graph.is_zero(inertia) && signs.of(graph, inertia, &mut used) == Some(Sign::Positive);
        positive.then_some((j, used))
    }) {
        known[found] = true;
        conditions.extend(used);
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
fn collect(
    graph: &mut Graph,
    physics: &Physics,
    expression: Id,
    weight: Id,
    scale: Rational,
    squares: &mut Vec<Square>,
) -> Option<()> {
    let moves = |graph: &Graph, id: Id| graph.contains(id, |symbol| matches!(symbol, Symbol::Velocity(_)));
    if is_affine(graph, physics, expression) {
        return Some(());
    }
    match graph.node(expression).clone() {
        Node::Sum { terms, .. } => {
            for (term, coefficient) in terms {
                collect(graph, physics, term, weight, &scale * coefficient, squares)?;
            }
            Some(())
        }
        Node::Product(factors) => {
            let (moving, fixed): (Vec<_>, Vec<_>) = factors.iter().cloned().partition(|(base, _)| moves(graph, *base));
            let [(base, exponent)] = moving.as_slice() else { return None };
            let fixed = graph.product(fixed);
            let weight = graph.mul(weight, fixed);
            if exponent.is_one() {
                return collect(graph, physics, *base, weight, scale, squares);
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
                if !is_affine(graph, physics, form) {
                    return None;
                }
                let coefficients = physics
                    .velocity_symbols()
                    .into_iter()
                    .map(|symbol| derivative(graph, &[form], symbol)[0])
                    .collect();
                squares.push(Square { weight, coefficients });
            }
            Some(())
        }
        _ => None,
    }
}

/// Whether an expression is linear in the velocities, up to what is free of them.
fn is_affine(graph: &mut Graph, physics: &Physics, expression: Id) -> bool {
    physics.velocity_symbols().into_iter().all(|symbol| {
        let slope = derivative(graph, &[expression], symbol)[0];
        !graph.contains(slope, |symbol| matches!(symbol, Symbol::Velocity(_)))
    })
}
