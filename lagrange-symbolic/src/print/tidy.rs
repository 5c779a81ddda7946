//! Expressions as a reader wants them: without branches that are never taken, and with like terms combined.
//!
//! The results have the values of the expressions wherever these have values.

use crate::graph::{Graph, Id, Node, Rational};
use dashu_base::BitTest as _;
use std::collections::{BTreeMap, HashMap};

/// The most selections among which branches that are never taken are looked for.
const MOST_SELECTIONS: usize = 256;

/// The most terms to which inner sums are written out.
const MOST_OPENED: usize = 256;

/// An inner sum stays as it is where its terms would have longer numbers than this, in bits. The second derivatives of a spline, each of which
/// contains a multiple of the next one, would otherwise become sums of all values, with numbers as long as the table.
const MOST_BITS: usize = 64;

/// A product: its factors with their exponents, in ascending order. The product of no factors is 1.
type Monomial = Vec<(Id, Rational)>;

/// The expressions without branches that are never taken, and with like terms combined.
pub fn tidied(graph: &mut Graph, roots: &[Id]) -> Vec<Id> {
    let live = rewritten(graph, roots, live_branches);
    rewritten(graph, &live, combined)
}

/// The expressions with each node replaced by what `rewrite` makes of it, operands first. `None` leaves the node.
fn rewritten(graph: &mut Graph, roots: &[Id], rewrite: fn(&mut Graph, Id) -> Option<Id>) -> Vec<Id> {
    let order = graph.reachable(roots);
    let selections = order.iter().filter(|id| matches!(graph.node(**id), Node::Select(..))).count();
    if selections > MOST_SELECTIONS {
        return roots.to_vec();
    }
    let mut new: HashMap<Id, Id> = HashMap::new();
    for id in order {
        let with_new_operands = graph.with_operands(id, &new);
        let result = rewrite(graph, with_new_operands).unwrap_or(with_new_operands);
        if result != id {
            new.insert(id, result);
        }
    }
    roots.iter().map(|root| new.get(root).copied().unwrap_or(*root)).collect()
}

/// A selection whose two branches contain no selection that its own condition decides. Those inside the branches are rewritten
/// already.
fn live_branches(graph: &mut Graph, id: Id) -> Option<Id> {
    let Node::Select(condition, yes, no) = *graph.node(id) else { return None };
    let branches = [(yes, true), (no, false)].map(|(branch, holds)| {
        let known = decided(graph, condition, holds);
        let of_selection = |id: &Id| match *graph.node(*id) {
            Node::Select(condition, yes, no) => known.get(&condition).map(|&holds| (*id, if holds { yes } else { no })),
            _ => None,
        };
        let taken: HashMap<Id, Id> = graph.reachable(&[branch]).iter().filter_map(of_selection).collect();
        if taken.is_empty() { branch } else { graph.replace(branch, &taken) }
    });
    (branches != [yes, no]).then(|| graph.select(condition, branches[0], branches[1]))
}

/// The conditions that are decided where a condition holds, or where it does not.
fn decided(graph: &mut Graph, condition: Id, holds: bool) -> HashMap<Id, bool> {
    let mut known = HashMap::new();
    let mut waiting = vec![(condition, holds)];
    while let Some((condition, holds)) = waiting.pop() {
        if known.insert(condition, holds).is_some() {
            continue;
        }
        match (graph.node(condition).clone(), holds) {
            (Node::And(a, b), true) | (Node::Or(a, b), false) => waiting.extend([(a, holds), (b, holds)]),
            (Node::Truth(_), _) => {}
            _ => waiting.push((graph.not(condition), !holds)),
        }
    }
    known
}

/// A sum in which an inner sum is written out where that combines terms: 2d² − (d² + e) is d² − e, and a(d² + e) − a(d² + e)/2 has two
/// terms. An inner sum with other factors is written out only if all of its terms combine with others.
fn combined(graph: &mut Graph, id: Id) -> Option<Id> {
    let Node::Sum { terms, constant } = graph.node(id) else { return None };
    let mut all: BTreeMap<Monomial, Rational> = BTreeMap::new();
    for (term, coefficient) in terms {
        all.insert(graph.factors(*term), coefficient.clone());
    }
    if !constant.is_zero() {
        all.insert(Vec::new(), constant.clone());
    }
    let combining = opened(graph, &all);
    let mut is_changed = combining.is_some();
    all = combining.unwrap_or(all);
    while let Some((opened, inner)) =
        all.iter().find_map(|(monomial, scale)| Some((monomial.clone(), fitting(graph, (monomial, scale), &all)?)))
    {
        let scale = all.remove(&opened).unwrap_or(Rational::ZERO);
        for (monomial, coefficient) in inner {
            *all.entry(monomial).or_insert(Rational::ZERO) += coefficient * &scale;
        }
        all.retain(|_, coefficient| !coefficient.is_zero());
        is_changed = true;
    }
    if !is_changed {
        return None;
    }
    let constant = all.remove(&Vec::new()).unwrap_or(Rational::ZERO);
    let terms = all.into_iter().map(|(monomial, coefficient)| (graph.product(monomial), coefficient)).collect();
    Some(graph.sum(terms, constant))
}

/// The terms with every inner sum that stands without other factors written out, and the sums in it, if that combines terms: K/2 − L with the sums
/// K = d² + e² and L = d² + e² is −(d² + e²)/2.
fn opened(graph: &Graph, all: &BTreeMap<Monomial, Rational>) -> Option<BTreeMap<Monomial, Rational>> {
    let mut waiting: Vec<(Monomial, Rational)> =
        all.iter().map(|(term, scale)| (term.clone(), scale.clone())).collect();
    let mut terms: BTreeMap<Monomial, Rational> = BTreeMap::new();
    let mut count = 0;
    while let Some((monomial, scale)) = waiting.pop() {
        if !is_short(&scale) {
            return None;
        }
        let alone = match &monomial[..] {
            [(base, exponent)] if exponent.is_one() => Some(graph.node(*base)),
            _ => None,
        };
        let Some(Node::Sum { terms: inner, constant }) = alone else {
            count += 1;
            *terms.entry(monomial).or_insert(Rational::ZERO) += scale;
            continue;
        };
        if count + waiting.len() + inner.len() > MOST_OPENED {
            return None;
        }
        waiting.extend(inner.iter().map(|(term, coefficient)| (graph.factors(*term), coefficient * &scale)));
        if !constant.is_zero() {
            waiting.push((Monomial::new(), constant * &scale));
        }
    }
    terms.retain(|_, scale| !scale.is_zero());
    (terms.len() < count).then_some(terms)
}

/// Whether a number is short enough for readers.
fn is_short(number: &Rational) -> bool {
    number.numerator().bit_len() <= MOST_BITS && number.denominator().bit_len() <= MOST_BITS
}

/// The terms of a product with a sum among its factors, if they combine with terms of `all`.
fn fitting(
    graph: &Graph,
    (product, scale): (&Monomial, &Rational),
    all: &BTreeMap<Monomial, Rational>,
) -> Option<Vec<(Monomial, Rational)>> {
    let is_sum = |(base, exponent): &(Id, Rational)| exponent.is_one() && matches!(graph.node(*base), Node::Sum { .. });
    let place = product.iter().position(is_sum)?;
    let Node::Sum { terms, constant } = graph.node(product[place].0) else { return None };
    if !terms.iter().all(|(_, coefficient)| is_short(&(coefficient * scale))) {
        return None;
    }
    let mut others = product.clone();
    others.remove(place);
    let mut inner: Vec<(Monomial, Rational)> =
        terms.iter().map(|(term, coefficient)| (times(&others, graph.factors(*term)), coefficient.clone())).collect();
    if !constant.is_zero() {
        inner.push((others.clone(), constant.clone()));
    }
    let mut combines = inner.iter().map(|(monomial, _)| monomial != product && all.contains_key(monomial));
    let fits = if others.is_empty() { combines.any(|one| one) } else { combines.all(|one| one) };
    fits.then_some(inner)
}

/// A product of two products.
fn times(a: &Monomial, b: Monomial) -> Monomial {
    let mut factors: BTreeMap<Id, Rational> = a.iter().cloned().collect();
    for (base, exponent) in b {
        *factors.entry(base).or_insert(Rational::ZERO) += exponent;
    }
    factors.into_iter().filter(|(_, exponent)| !exponent.is_zero()).collect()
}
