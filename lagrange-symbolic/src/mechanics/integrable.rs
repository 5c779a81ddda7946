//! Whether nonholonomic rows can be integrated to holonomic constraints. One row ω = A dq + b dt has an integrating factor where dω ∧ ω = 0
//! (Frobenius). Rows that have none by themselves may have one together: a combination of them, as of the two wheels of a cart, or all of
//! them beside the other constraints, where dω(X, Y) = 0 for all directions X and Y that satisfy all rows.

use super::Constraints;
use crate::calculus::{derivative, gradient, kernel, recognised};
use crate::graph::value::numeric;
use crate::graph::{Graph, Id, Rational, Symbol};
use crate::physics::Physics;
use crate::prove::{Domain, Random, vanishes_in};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The most variables on which a row may depend to be examined.
const MOST_VARIABLES: usize = 8;

/// The most coordinates of a mechanism whose rows are examined together.
const MOST_COORDINATES: usize = 24;

/// How many random states decide about rows together.
const STATES: usize = 6;

/// The rounding of dω(X, Y) in doubles, as a part of the sum of its terms by size.
const ROUNDING: f64 = 1e-9;

/// A sum of nonholonomic rows, by their indices among all rows, each with its factor. The first factor is 1.
pub type Combination = Vec<(u32, Rational)>;

/// What can be integrated of the nonholonomic rows.
#[derive(Clone, PartialEq, Debug)]
pub enum Integrable {
    /// A row has an integrating factor by itself, which is proved.
    Row(u32),
    /// A combination of rows has an integrating factor, which is proved.
    Combination(Combination),
    /// Rows or combinations of rows can be integrated beside all other constraints, as random states show.
    Together(Vec<Combination>),
}

/// What can be integrated of the nonholonomic rows.
pub(super) fn integrable(graph: &mut Graph, physics: &Physics, constraints: &Constraints) -> Vec<Integrable> {
    let mut variables = physics.coordinate_symbols();
    variables.push(Symbol::Time);
    let domain = Domain::new(graph, &physics.assumed(), &[]);
    let mut forms: Vec<Vec<Id>> = (0..constraints.len())
        .map(|k| constraints.jacobian[k].iter().chain([&constraints.drift[k]]).copied().collect())
        .collect();
    let nonholonomic = constraints.holonomic..constraints.len();
    let (own, others): (Vec<usize>, Vec<usize>) =
        nonholonomic.partition(|&k| is_integrable(graph, &variables, &forms[k], &domain));
    let mut found: Vec<Integrable> = own.iter().map(|&k| Integrable::Row(k as u32)).collect();
    if others.is_empty() || constraints.len() < 2 || physics.mechanical() > MOST_COORDINATES {
        return found;
    }
    let rows = others.iter().map(|&k| forms[k].clone()).collect();
    let mut index = 0..;
    forms.retain(|_| !others.contains(&index.next().expect("the range is endless")));
    let mut together = Vec::new();
    for (factors, form) in closed(graph, &variables, &forms, rows) {
        let terms: Combination =
            others.iter().map(|&k| k as u32).zip(factors).filter(|(_, factor)| !factor.is_zero()).collect();
        let first = terms[0].1.clone();
        let terms = terms.into_iter().map(|(row, factor)| (row, factor / &first)).collect();
        if is_integrable(graph, &variables, &form, &domain) {
            found.push(Integrable::Combination(terms));
        } else {
            together.push(terms);
        }
    }
    found.extend((!together.is_empty()).then_some(Integrable::Together(together)));
    found
}

/// The combinations θ of rows ω, each with its factors, for which all dθ vanish along the directions that satisfy the θ and the other rows, which
/// have integrating factors by themselves. Those with dθ = 0 along the directions that satisfy all rows are the first guess. Fewer θ allow more directions, which leave fewer θ.
fn closed(
    graph: &mut Graph,
    variables: &[Symbol],
    others: &[Vec<Id>],
    rows: Vec<Vec<Id>>,
) -> Vec<(Vec<Rational>, Vec<Id>)> {
    let count = rows.len();
    let identity = |k: usize| (0..count).map(|i| Rational::from(u8::from(i == k))).collect();
    let mut combinations: Vec<(Vec<Rational>, Vec<Id>)> = (0..count).map(identity).zip(rows).collect();
    while !combinations.is_empty() {
        let forms: Vec<&[Id]> = combinations.iter().map(|(_, form)| &**form).collect();
        let Some(turns) = turns(graph, variables, others, &forms) else { return Vec::new() };
        if turns.iter().flatten().all(|turn| *turn == 0.0) {
            break;
        }
        let guesses = kernel(&turns, forms.len());
        let guesses: Vec<Vec<Rational>> =
            guesses.into_iter().filter_map(|guess| guess.into_iter().map(recognised).collect()).collect();
        combinations = guesses.iter().map(|guess| combined(graph, guess, &combinations)).collect();
    }
    combinations
}

/// A sum of combinations.
fn combined(
    graph: &mut Graph,
    weights: &[Rational],
    combinations: &[(Vec<Rational>, Vec<Id>)],
) -> (Vec<Rational>, Vec<Id>) {
    let weighted = || weights.iter().zip(combinations);
    let (factors, form) = &combinations[0];
    let sum = |i: usize| weighted().fold(Rational::ZERO, |sum, (weight, (factors, _))| sum + weight * &factors[i]);
    let entry = |i: usize| {
        let terms = weighted().map(|(weight, (_, form))| (form[i], weight.clone())).collect();
        graph.sum(terms, Rational::ZERO)
    };
    ((0..factors.len()).map(sum).collect(), (0..form.len()).map(entry).collect())
}

/// dω(X, Y) of some rows at random states, for each pair of directions that satisfy these and the other rows: a row of the result for each
/// pair, and a column for each ω. What is rounding is 0. `None` where a state has no finite values.
fn turns(graph: &mut Graph, variables: &[Symbol], others: &[Vec<Id>], rows: &[&[Id]]) -> Option<Vec<Vec<f64>>> {
    let n = variables.len();
    let mut roots: Vec<Id> = rows.iter().copied().chain(others.iter().map(|row| &**row)).flatten().copied().collect();
    let entries = roots.len();
    for &entry in rows.iter().copied().flatten() {
        roots.extend(gradient(graph, entry, variables));
    }
    let random = RefCell::new(Random(0));
    let mut turns = Vec::new();
    for _ in 0..STATES {
        let state = RefCell::new(BTreeMap::new());
        let next = || 0.3 + random.borrow_mut().fraction();
        let value = |symbol: Symbol| *state.borrow_mut().entry(symbol).or_insert_with(next);
        let values = numeric(graph, &roots, &value);
        if values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let (entries, slopes) = values.split_at(entries);
        let entries: Vec<Vec<f64>> = entries.chunks(n).map(<[f64]>::to_vec).collect();
        let directions = kernel(&entries, n);
        for (a, x) in directions.iter().enumerate() {
            for y in &directions[a + 1..] {
                // (dω)(X, Y) = Σ ∂ωⱼ/∂xᵢ (Xᵢ Yⱼ − Xⱼ Yᵢ).
                let turn = |slopes: &[f64]| {
                    let (mut sum, mut size) = (0.0, 0.0);
                    for (place, slope) in slopes.iter().enumerate() {
                        let (j, i) = (place / n, place % n);
                        let (one, other) = (slope * x[i] * y[j], slope * x[j] * y[i]);
                        sum += one - other;
                        size += one.abs() + other.abs();
                    }
                    if f64::abs(sum) > ROUNDING * size { sum } else { 0.0 }
                };
                turns.push(slopes.chunks(n * n).map(turn).collect());
            }
        }
    }
    Some(turns)
}

fn is_integrable(graph: &mut Graph, variables: &[Symbol], form: &[Id], domain: &Domain) -> bool {
    // Variables drop out if the form has no component by them and does not depend on them.
    let active: Vec<usize> = (0..form.len())
        .filter(|&i| !graph.is_zero(form[i]) || form.iter().any(|&entry| graph.depends_on(entry, variables[i])))
        .collect();
    if active.len() > MOST_VARIABLES {
        return false;
    }
    // (dω)ᵢⱼ = ∂ωⱼ/∂xᵢ − ∂ωᵢ/∂xⱼ.
    let turn = |graph: &mut Graph, i: usize, j: usize| {
        let first = derivative(graph, &[form[j]], variables[i])[0];
        let second = derivative(graph, &[form[i]], variables[j])[0];
        graph.sub(first, second)
    };
    for (a, &i) in active.iter().enumerate() {
        for (b, &j) in active.iter().enumerate().skip(a + 1) {
            for &k in &active[b + 1..] {
                let parts = [(i, (j, k)), (j, (k, i)), (k, (i, j))].map(|(one, (two, three))| {
                    let turned = turn(graph, two, three);
                    graph.mul(form[one], turned)
                });
                let total = graph.add_all(&parts);
                if !vanishes_in(graph, total, domain) {
                    return false;
                }
            }
        }
    }
    true
}
