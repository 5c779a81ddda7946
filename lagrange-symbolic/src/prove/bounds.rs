//! The ranges of expressions under inequalities: each linear form that is positive narrows the ranges of its terms.

use super::linear::Form;
use super::range::{Range, enclosed, product, range_of, sum};
use crate::graph::{Graph, Id, Node, Rational};
use dashu_base::Sign;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// The most passes over all inequalities.
const ROUNDS: usize = 6;

/// The most inequalities for which contradictions between them are searched.
const MOST_FACTS: usize = 60;

/// The ranges of expressions under inequalities.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    known: HashMap<Id, Range>,
    facts: Vec<Rc<Fact>>,
    /// How many times a range has become narrower, and for each expression the number of the last time.
    changes: u64,
    changed: HashMap<Id, u64>,
    /// For each fact, the number of changes before it narrowed ranges for the last time.
    applied: Vec<Option<u64>>,
}

/// A form that is positive, or not negative where the inequality is not strict.
#[derive(Debug)]
struct Fact {
    form: Form,
    strictly: bool,
    constant: Range,
    /// Enclosures of each coefficient and of its reciprocal.
    coefficients: Vec<[Range; 2]>,
}

impl Fact {
    fn new(form: Form, strictly: bool) -> Self {
        let both =
            |(_, coefficient): &(Id, Rational)| [enclosed(coefficient), enclosed(&(Rational::ONE / coefficient))];
        Self { constant: enclosed(&form.constant), coefficients: form.terms.iter().map(both).collect(), form, strictly }
    }
}

impl Bounds {
    /// Assumes that an expression lies in a range.
    pub(super) fn limit(&mut self, id: Id, range: Range) {
        let before = self.known.get(&id).copied();
        let now = before.unwrap_or(Range::ALL).intersection(range);
        if before != Some(now) {
            self.known.insert(id, now);
            self.changes += 1;
            self.changed.insert(id, self.changes);
        }
    }

    /// Assumes that a form is positive or, where `strictly` is false, not negative.
    pub(super) fn assume(&mut self, form: Form, strictly: bool) {
        self.facts.push(Rc::new(Fact::new(form, strictly)));
        self.applied.push(None);
    }

    /// Narrows all ranges. `false` if the inequalities contradict each other.
    pub(super) fn narrow(&mut self, graph: &Graph) -> bool {
        for _ in 0..ROUNDS {
            let before = self.changes;
            for k in 0..self.facts.len() {
                let fact = Rc::clone(&self.facts[k]);
                // A fact that narrowed ranges before would do it in the same way again.
                if self.applied[k].is_some_and(|applied| !self.has_changed_since(graph, &fact, applied)) {
                    continue;
                }
                let start = self.changes;
                if !self.narrow_by(graph, &fact) {
                    return false;
                }
                self.applied[k] = Some(start);
            }
            if self.changes == before {
                break;
            }
        }
        true
    }

    /// Whether the range of a part of a fact has become narrower since a number of changes.
    fn has_changed_since(&self, graph: &Graph, fact: &Fact, changes: u64) -> bool {
        let is_newer = |id: &Id| self.changed.get(id).is_some_and(|&change| change > changes);
        fact.form.terms.iter().any(|(id, _)| match graph.node(*id) {
            Node::Symbol(_) => is_newer(id),
            _ => graph.reachable(&[*id]).iter().any(is_newer),
        })
    }

    /// Whether some sum of positive multiples of the inequalities is a contradiction. Terms are eliminated one after
    /// the other (Fourier and Motzkin) as long as there are few inequalities.
    pub(super) fn contradict(&self, graph: &Graph) -> bool {
        let mut facts: Vec<(Form, bool)> = self.facts.iter().map(|fact| (fact.form.clone(), fact.strictly)).collect();
        let terms: BTreeSet<Id> = facts.iter().flat_map(|(form, _)| form.terms.iter().map(|(id, _)| *id)).collect();
        for id in &terms {
            let range = self.range(graph, *id);
            let coefficient = if range.is_positive() { Rational::ONE } else { Rational::NEG_ONE };
            if range.is_positive() || range.is_negative() {
                facts.push((Form { terms: vec![(*id, coefficient)], constant: Rational::ZERO }, true));
            }
        }
        for term in terms {
            let (with, mut without): (Vec<_>, Vec<_>) = facts.into_iter().partition(|(form, _)| form.has(term));
            let (rising, falling): (Vec<_>, Vec<_>) =
                with.into_iter().partition(|(form, _)| form.coefficient(term).sign() == Sign::Positive);
            for (up, one) in &rising {
                for (down, other) in &falling {
                    let sum = up.eliminated(down, term);
                    let strictly = *one || *other;
                    let is_negative = !sum.constant.is_zero() && sum.constant.sign() == Sign::Negative;
                    if sum.terms.is_empty() && (is_negative || (strictly && sum.constant.is_zero())) {
                        return true;
                    }
                    without.push((sum, strictly));
                }
            }
            if without.len() > MOST_FACTS {
                return false;
            }
            facts = without;
        }
        false
    }

    /// Narrows the ranges of the terms of one inequality. `false` means that the inequality cannot be met.
    fn narrow_by(&mut self, graph: &Graph, fact: &Fact) -> bool {
        let mut parts = Vec::with_capacity(fact.coefficients.len());
        for ((id, _), [coefficient, _]) in fact.form.terms.iter().zip(&fact.coefficients) {
            let range = range_of(graph, *id, &self.known);
            if range.is_empty() {
                return false;
            }
            parts.push((range, product(range, *coefficient)));
        }
        let strictly = fact.strictly;
        for (i, ((id, coefficient), [_, reciprocal])) in fact.form.terms.iter().zip(&fact.coefficients).enumerate() {
            let mut rest = fact.constant;
            for (j, (_, part)) in parts.iter().enumerate() {
                if i != j {
                    rest = sum(rest, *part);
                }
            }
            // From form > 0: coefficient·x > −rest ≥ −rest.high.
            let quotient = product(Range::point(-rest.high), *reciprocal);
            let is_rising = coefficient.sign() == Sign::Positive;
            let allowed = if is_rising {
                let low = if rest.high == 0.0 && strictly { Range::POSITIVE.low } else { quotient.low };
                Range { low, high: f64::INFINITY }
            } else {
                let high = if rest.high == 0.0 && strictly { -Range::POSITIVE.low } else { quotient.high };
                Range { low: f64::NEG_INFINITY, high }
            };
            // The range is empty if all of it is excluded. If the form must be positive, its end point is excluded too.
            let part = parts[i].0;
            let at_end = if is_rising { allowed.low >= part.high } else { allowed.high <= part.low };
            if strictly && at_end && rest.high.is_finite() {
                return false;
            }
            if rest.high.is_finite() {
                let range = part.intersection(allowed);
                if range.is_empty() {
                    return false;
                }
                self.limit(*id, range);
            }
        }
        let holds = fact.constant.is_positive() || (!strictly && fact.constant.high >= 0.0);
        !fact.form.terms.is_empty() || holds
    }

    /// The range of an expression.
    pub(super) fn range(&self, graph: &Graph, id: Id) -> Range {
        range_of(graph, id, &self.known)
    }

    /// The range of a form.
    pub(super) fn form(&self, graph: &Graph, form: &Form) -> Range {
        form.terms.iter().fold(enclosed(&form.constant), |total, (id, coefficient)| {
            sum(total, product(self.range(graph, *id), enclosed(coefficient)))
        })
    }
}
