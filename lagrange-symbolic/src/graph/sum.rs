//! Sums: like terms collected, common factors pulled out, trigonometric identities applied.
//!
//! A sum inside a sum stays one shared operand, unless opening it lets terms merge.

use super::{Graph, Id, Node, Rational};
use std::collections::{BTreeMap, HashMap};

/// Sums longer than this are opened inside another sum only where terms cancel, not where they merely merge.
const OPEN_TO_MERGE: usize = 4;

/// Terms by node, and the constant.
pub(super) struct Terms {
    pub(super) terms: BTreeMap<Id, Rational>,
    pub(super) constant: Rational,
}

impl Terms {
    pub(super) fn add(&mut self, id: Id, coefficient: &Rational) {
        if coefficient.is_zero() {
            return;
        }
        let entry = self.terms.entry(id).or_insert(Rational::ZERO);
        *entry += coefficient;
        if entry.is_zero() {
            self.terms.remove(&id);
        }
    }
}

impl Graph {
    /// a + b.
    pub fn add(&mut self, a: Id, b: Id) -> Id {
        self.sum(vec![(a, Rational::ONE), (b, Rational::ONE)], Rational::ZERO)
    }

    /// a − b.
    pub fn sub(&mut self, a: Id, b: Id) -> Id {
        self.sum(vec![(a, Rational::ONE), (b, Rational::NEG_ONE)], Rational::ZERO)
    }

    /// −a.
    pub fn neg(&mut self, a: Id) -> Id {
        self.scale(&Rational::NEG_ONE, a)
    }

    /// The sum of all.
    pub fn add_all(&mut self, ids: &[Id]) -> Id {
        self.sum(ids.iter().map(|&id| (id, Rational::ONE)).collect(), Rational::ZERO)
    }

    /// Σ aᵢ bᵢ.
    pub fn inner(&mut self, a: &[Id], b: &[Id]) -> Id {
        let products = a.iter().zip(b).map(|(&x, &y)| (self.mul(x, y), Rational::ONE)).collect();
        self.sum(products, Rational::ZERO)
    }

    /// c·a for an exact number c.
    pub fn scale(&mut self, coefficient: &Rational, a: Id) -> Id {
        if coefficient.is_one() {
            return a;
        }
        if coefficient.is_zero() {
            return self.zero();
        }
        if let Some(value) = self.as_number(a) {
            let value = value * coefficient;
            return self.number(value);
        }
        let (inner, atom) = self.split_scale(a);
        let product = inner * coefficient;
        if product.is_one() {
            return atom;
        }
        self.intern(Node::Sum { terms: Box::new([(atom, product)]), constant: Rational::ZERO })
    }

    /// Σ cᵢ xᵢ + c in canonical form.
    pub fn sum(&mut self, terms: Vec<(Id, Rational)>, constant: Rational) -> Id {
        let mut collected = Terms { terms: BTreeMap::new(), constant };
        for (id, coefficient) in terms {
            if let Some(value) = self.as_number(id) {
                collected.constant += value * &coefficient;
            } else {
                let (scale, atom) = self.split_scale(id);
                collected.add(atom, &(scale * coefficient));
            }
        }
        self.open_nested(&mut collected);
        self.fold_trigonometry(&mut collected);
        self.finish_sum(collected)
    }

    /// Opens operands that are sums themselves where that lets terms merge or cancel.
    fn open_nested(&self, sum: &mut Terms) {
        loop {
            let nested: Vec<Id> =
                sum.terms.keys().copied().filter(|&id| matches!(self.node(id), Node::Sum { .. })).collect();
            if nested.is_empty() {
                return;
            }
            // How often each term would appear if every nested sum were opened.
            let mut appearances: HashMap<Id, u32> = HashMap::new();
            for &id in sum.terms.keys() {
                *appearances.entry(id).or_default() += 1;
                if let Node::Sum { terms, .. } = self.node(id) {
                    for (inner, _) in terms {
                        *appearances.entry(*inner).or_default() += 1;
                    }
                }
            }
            let Some(open) = nested.into_iter().find(|&id| self.worth_opening(id, sum, &appearances)) else { return };
            let Node::Sum { terms, constant } = self.node(open) else { return };
            let Some(coefficient) = sum.terms.remove(&open) else { return };
            sum.constant += constant * &coefficient;
            for (inner, inner_coefficient) in terms {
                sum.add(*inner, &(inner_coefficient * &coefficient));
            }
        }
    }

    fn worth_opening(&self, id: Id, sum: &Terms, appearances: &HashMap<Id, u32>) -> bool {
        let Node::Sum { terms, constant } = self.node(id) else { return false };
        if terms.len() <= OPEN_TO_MERGE {
            return terms.iter().any(|(inner, _)| appearances[inner] > 1)
                || (!constant.is_zero() && !sum.constant.is_zero());
        }
        let coefficient = &sum.terms[&id];
        terms.iter().any(|(inner, inner_coefficient)| {
            let cancelled = -(inner_coefficient * coefficient);
            sum.terms.get(inner) == Some(&cancelled)
                || sum.terms.iter().any(|(other, outer)| {
                    *other != id
                        && matches!(self.node(*other), Node::Sum { terms, .. }
                            if terms.iter().any(|(x, c)| x == inner && c * outer == cancelled))
                })
        })
    }

    /// The node of collected terms: common factors and the sign of the first term pulled out.
    fn finish_sum(&mut self, sum: Terms) -> Id {
        let Terms { terms, constant } = sum;
        if terms.is_empty() {
            return self.number(constant);
        }
        if terms.len() == 1 && constant.is_zero() {
            let (id, coefficient) = terms.into_iter().next().unwrap_or((Id(0), Rational::ZERO));
            return self.scale(&coefficient, id);
        }
        if constant.is_zero()
            && let Some(common) = self.common_factors(terms.keys().copied())
        {
            let inverse: Vec<(Id, Rational)> = common.iter().map(|(base, exponent)| (*base, -exponent)).collect();
            let quotients = terms
                .into_iter()
                .map(|(id, coefficient)| {
                    let mut factors = self.factors(id);
                    factors.extend(inverse.iter().cloned());
                    (self.product(factors), coefficient)
                })
                .collect();
            let rest = self.sum(quotients, Rational::ZERO);
            let mut factors = common;
            factors.push((rest, Rational::ONE));
            return self.product(factors);
        }
        let content = common_content(terms.values(), &constant);
        if content.is_one() {
            return self.intern(Node::Sum { terms: terms.into_iter().collect(), constant });
        }
        let terms = terms.into_iter().map(|(id, coefficient)| (id, coefficient / &content)).collect();
        let primitive = self.intern(Node::Sum { terms, constant: constant / &content });
        self.scale(&content, primitive)
    }

    /// The powers that divide every term: for each base the exponent nearest to zero, where all have one sign
    /// and differ by integers.
    fn common_factors(&self, mut terms: impl Iterator<Item = Id>) -> Option<Vec<(Id, Rational)>> {
        let mut common: Vec<(Id, Rational)> = self.factors(terms.next()?);
        for term in terms {
            let factors = self.factors(term);
            common.retain_mut(|(base, exponent)| {
                let Ok(position) = factors.binary_search_by(|(other, _)| other.cmp(base)) else { return false };
                let other = &factors[position].1;
                // A fractional power left inside, as in x·(v + √x), would give 0·∞ when differentiated at x = 0.
                if other.sign() != exponent.sign() || !(other - &*exponent).is_int() {
                    return false;
                }
                let closer = match exponent.sign() {
                    dashu_base::Sign::Positive => other < exponent,
                    dashu_base::Sign::Negative => other > exponent,
                };
                if closer {
                    exponent.clone_from(other);
                }
                true
            });
            if common.is_empty() {
                return None;
            }
        }
        Some(common)
    }
}

/// ±|c| where every coefficient has that magnitude (the sign is the first one's), else the first one's sign.
fn common_content<'a>(coefficients: impl Iterator<Item = &'a Rational>, constant: &Rational) -> Rational {
    let mut coefficients = coefficients.peekable();
    let Some(first) = coefficients.peek().map(|&first| first.clone()) else { return Rational::ONE };
    let sign = if first.sign() == dashu_base::Sign::Negative { Rational::NEG_ONE } else { Rational::ONE };
    let magnitude = &first * &sign;
    let same = |value: &Rational| *value == magnitude || -value == magnitude;
    if coefficients.all(&same) && (constant.is_zero() || same(constant)) { first } else { sign }
}
