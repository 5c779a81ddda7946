//! A difference of two expressions as a linear form: Σ cᵢ xᵢ + c, where the xᵢ are no sums.

use crate::graph::{Graph, Id, Node, Rational};
use dashu_base::{Abs as _, Sign};
use std::collections::BTreeMap;

/// The most terms of a sum for which it is opened inside another sum.
const MOST_TERMS: usize = 64;

/// Σ cᵢ xᵢ + c, the xᵢ in ascending order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Form {
    pub(super) terms: Vec<(Id, Rational)>,
    pub(super) constant: Rational,
}

impl Form {
    /// a − b.
    pub(super) fn difference(graph: &Graph, a: Id, b: Option<Id>) -> Self {
        Self::difference_by(graph, a, b, &|_| None)
    }

    /// a − b in a branch. `formula` says what a node is there: another node or its negative (`true`).
    pub(super) fn difference_by(
        graph: &Graph,
        a: Id,
        b: Option<Id>,
        formula: &dyn Fn(Id) -> Option<(Id, bool)>,
    ) -> Self {
        let (mut terms, mut constant) = (BTreeMap::new(), Rational::ZERO);
        add(graph, formula, a, &Rational::ONE, &mut terms, &mut constant);
        if let Some(b) = b {
            add(graph, formula, b, &Rational::NEG_ONE, &mut terms, &mut constant);
        }
        let terms = terms.into_iter().filter(|(_, coefficient)| !coefficient.is_zero()).collect();
        Self { terms, constant }
    }

    /// Whether the form has a term with this node.
    pub(super) fn has(&self, term: Id) -> bool {
        self.terms.iter().any(|(id, _)| *id == term)
    }

    /// The coefficient of a term.
    pub(super) fn coefficient(&self, term: Id) -> Rational {
        self.terms.iter().find(|(id, _)| *id == term).map_or(Rational::ZERO, |(_, value)| value.clone())
    }

    /// A sum of positive multiples of two forms that cancels a term. The term must have coefficients of opposite signs
    /// in the two forms.
    pub(super) fn eliminated(&self, other: &Self, term: Id) -> Self {
        let scales = [other.coefficient(term).abs(), self.coefficient(term).abs()];
        let mut terms: BTreeMap<Id, Rational> = BTreeMap::new();
        let mut constant = Rational::ZERO;
        for (form, scale) in [self, other].into_iter().zip(&scales) {
            constant += &form.constant * scale;
            for (id, value) in &form.terms {
                *terms.entry(*id).or_insert(Rational::ZERO) += value * scale;
            }
        }
        Self { terms: terms.into_iter().filter(|(_, value)| !value.is_zero()).collect(), constant }
    }

    /// −form.
    pub(super) fn opposite(&self) -> Self {
        Self {
            terms: self.terms.iter().map(|(id, value)| (*id, -value.clone())).collect(),
            constant: -self.constant.clone(),
        }
    }

    /// The multiple of the form whose first coefficient is 1, and whether the factor was negative.
    pub(super) fn normalized(&self) -> (Self, bool) {
        let Some((_, first)) = self.terms.first() else { return (self.clone(), false) };
        let terms = self.terms.iter().map(|(id, value)| (*id, value / first)).collect();
        (Self { terms, constant: &self.constant / first }, first.sign() == Sign::Negative)
    }
}

fn add(
    graph: &Graph,
    formula: &dyn Fn(Id) -> Option<(Id, bool)>,
    id: Id,
    scale: &Rational,
    terms: &mut BTreeMap<Id, Rational>,
    constant: &mut Rational,
) {
    if let Some((other, negative)) = formula(id) {
        let scale = if negative { -scale.clone() } else { scale.clone() };
        return add(graph, formula, other, &scale, terms, constant);
    }
    match graph.node(id) {
        Node::Number(value) => *constant += value * scale,
        Node::Sum { terms: inner, constant: shift } if terms.len() + inner.len() <= MOST_TERMS => {
            *constant += shift * scale;
            for (term, coefficient) in inner {
                add(graph, formula, *term, &(coefficient * scale), terms, constant);
            }
        }
        _ => *terms.entry(id).or_insert(Rational::ZERO) += scale,
    }
}
