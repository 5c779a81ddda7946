//! Whether M is positive definite at every state, by the structure of L: a sum of factors that are not negative times
//! squares of forms linear in the velocities, of which those with positive factors determine every velocity.

use super::sign::{Sign, Signs, Used};
use super::{Physics, velocity};
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
    let energy = inertial_energy(graph, physics);
    collect(graph, physics, energy, one, Rational::ONE, &mut squares)?;
    let mut conditions = Used::new();
    for square in &squares {
        // A weight need not be positive: what must be is said below.
        signs.prove(graph, square.weight, Sign::NotNegative, &mut conditions).then_some(())?;
    }

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
        let mut used = Used::new();
        signs.prove(graph, inertia, Sign::Positive, &mut used).then_some((j, used))
    }) {
        known[found] = true;
        conditions.extend(used);
    }
    known.iter().all(|&known| known).then(|| listed(graph, &conditions))
}

/// What M comes from: T, where V adds nothing to M, else L.
fn inertial_energy(graph: &mut Graph, physics: &Physics) -> Id {
    match (physics.kinetic, physics.potential) {
        (Some(kinetic), Some(potential)) if velocity::is_affine(graph, physics, potential) => kinetic,
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
fn collect(
    graph: &mut Graph,
    physics: &Physics,
    expression: Id,
    weight: Id,
    scale: Rational,
    squares: &mut Vec<Square>,
) -> Option<()> {
    let moves = |graph: &Graph, id: Id| graph.contains(id, |symbol| matches!(symbol, Symbol::Velocity(_)));
    if velocity::is_affine(graph, physics, expression) {
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
                if !velocity::is_affine(graph, physics, form) {
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
