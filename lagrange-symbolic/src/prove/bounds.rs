//! The ranges of expressions under inequalities: each linear form that is positive narrows the ranges of its terms.

use super::linear::Form;
use super::range::{Range, enclosed, product, range_of, sum};
use crate::graph::{Graph, Id, Rational};
use dashu_base::Sign;
use std::collections::{BTreeSet, HashMap};

/// The most passes over all inequalities.
const ROUNDS: usize = 6;

/// The most inequalities for which contradictions between them are searched.
const MOST_FACTS: usize = 60;

/// The ranges of expressions under inequalities.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    pub(super) known: HashMap<Id, Range>,
    /// Forms that are positive, or not negative where they are not strict.
    facts: Vec<(Form, bool)>,
}

impl Bounds {
    /// Assumes that an expression lies in a range.
    pub(super) fn limit(&mut self, id: Id, range: Range) {
        let entry = self.known.entry(id).or_insert(Range::ALL);
        *entry = entry.intersection(range);
    }

    /// Assumes that a form is positive or, where `strictly` is false, not negative.
    pub(super) fn assume(&mut self, form: Form, strictly: bool) {
        self.facts.push((form, strictly));
    }

    /// Narrows all ranges. `false` if the inequalities contradict each other.
    pub(super) fn narrow(&mut self, graph: &Graph) -> bool {
        let facts = std::mem::take(&mut self.facts);
        let consistent = (0..ROUNDS).try_fold((), |(), _| {
            let before = self.known.clone();
            for fact in &facts {
                self.narrow_by(graph, fact)?;
            }
            (self.known != before).then_some(()).ok_or(true)
        });
        self.facts = facts;
        consistent.err() != Some(false)
    }

    /// Whether some sum of positive multiples of the inequalities is a contradiction. Terms are eliminated one after
    /// the other (Fourier and Motzkin) as long as there are few inequalities.
    pub(super) fn contradict(&self, graph: &Graph) -> bool {
        let mut facts = self.facts.clone();
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

    /// Narrows the ranges of the terms of one inequality. The error `false` means that the inequality cannot be met.
    fn narrow_by(&mut self, graph: &Graph, (fact, strictly): &(Form, bool)) -> Result<(), bool> {
        let mut parts = Vec::with_capacity(fact.terms.len());
        for (id, coefficient) in &fact.terms {
            let range = range_of(graph, *id, &self.known);
            if range.is_empty() {
                return Err(false);
            }
            parts.push((range, product(range, enclosed(coefficient))));
        }
        for (i, (id, coefficient)) in fact.terms.iter().enumerate() {
            let mut rest = enclosed(&fact.constant);
            for (j, (_, part)) in parts.iter().enumerate() {
                if i != j {
                    rest = sum(rest, *part);
                }
            }
            // From form > 0: coefficient·x > −rest ≥ −rest.high.
            let quotient = product(Range::point(-rest.high), enclosed(&(Rational::ONE / coefficient)));
            let allowed = if coefficient.sign() == Sign::Positive {
                let low = if rest.high == 0.0 && *strictly { Range::POSITIVE.low } else { quotient.low };
                Range { low, high: f64::INFINITY }
            } else {
                let high = if rest.high == 0.0 && *strictly { -Range::POSITIVE.low } else { quotient.high };
                Range { low: f64::NEG_INFINITY, high }
            };
            // The range is empty if all of it is excluded. If the form must be positive, its end point is excluded too.
            let part = parts[i].0;
            let at_end =
                if coefficient.sign() == Sign::Positive { allowed.low >= part.high } else { allowed.high <= part.low };
            if *strictly && at_end && rest.high.is_finite() {
                return Err(false);
            }
            if rest.high.is_finite() {
                let range = part.intersection(allowed);
                if range.is_empty() {
                    return Err(false);
                }
                self.limit(*id, range);
            }
        }
        let constant = enclosed(&fact.constant);
        let holds = constant.is_positive() || (!strictly && constant.high >= 0.0);
        if fact.terms.is_empty() && !holds {
            return Err(false);
        }
        Ok(())
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
