//! Pythagoras and angle addition inside sums.
//!
//! X·cos a·cos b ± X·sin a·sin b becomes X·cos(a ∓ b), and X·sin a·cos b ± X·cos a·sin b becomes X·sin(a ± b). With a =
//! b the first is sin² + cos² = 1. A square may also meet its plain term: X − X·cos² a becomes X·sin² a.

use super::sum::Terms;
use super::{Graph, Id, Node, Rational, rational};
use crate::graph::function::Function;

/// A sine or cosine that is a factor of a term.
#[derive(Clone, Copy)]
struct Wave {
    factor: Id,
    angle: Id,
    sine: bool,
    squared: bool,
}

impl Graph {
    /// Applies the identities to a sum's terms until none fits.
    pub(super) fn fold_trigonometry(&mut self, sum: &mut Terms) {
        let mut candidates: Vec<Id> = sum.terms.keys().copied().collect();
        while let Some(term) = candidates.pop() {
            if !sum.terms.contains_key(&term) {
                continue;
            }
            if let Some(changed) = self.fold_term(sum, term) {
                candidates.extend(changed);
            }
        }
    }

    /// Tries to merge one term with another one, and returns the terms to look at again.
    fn fold_term(&mut self, sum: &mut Terms, term: Id) -> Option<Vec<Id>> {
        let waves = self.waves(term);
        for &wave in waves.iter().filter(|wave| wave.squared) {
            let two = rational(2, 1);
            let rest = self.product_without(term, &[(wave.factor, two.clone())]);
            if let Some(changed) = self.fold_square(sum, term, wave, rest) {
                return Some(changed);
            }
        }
        for (position, &first) in waves.iter().enumerate() {
            for &second in &waves[position + 1..] {
                let rest = self.product_without(term, &[(first.factor, Rational::ONE), (second.factor, Rational::ONE)]);
                if let Some(changed) = self.fold_pair(sum, term, first, second, rest) {
                    return Some(changed);
                }
            }
        }
        None
    }

    /// The sines and cosines that are factors with a positive integer exponent.
    fn waves(&self, term: Id) -> Vec<Wave> {
        let Node::Product(factors) = self.node(term) else { return Vec::new() };
        factors
            .iter()
            .filter(|(_, exponent)| exponent.is_int() && *exponent >= Rational::ONE)
            .filter_map(|(factor, exponent)| match self.node(*factor) {
                Node::Call(function @ (Function::Sin | Function::Cos), arguments) => Some(Wave {
                    factor: *factor,
                    angle: arguments[0],
                    sine: *function == Function::Sin,
                    squared: *exponent >= rational(2, 1),
                }),
                _ => None,
            })
            .collect()
    }

    fn product_without(&mut self, term: Id, remove: &[(Id, Rational)]) -> Id {
        let mut factors = self.factors(term);
        factors.extend(remove.iter().map(|(base, exponent)| (*base, -exponent)));
        self.product(factors)
    }

    /// c₁ X sin² + c₂ X cos², or c X − c X cos².
    fn fold_square(&mut self, sum: &mut Terms, term: Id, wave: Wave, rest: Id) -> Option<Vec<Id>> {
        let partner = self.call(if wave.sine { Function::Cos } else { Function::Sin }, &[wave.angle]);
        let partner_term = self.product(vec![(rest, Rational::ONE), (partner, rational(2, 1))]);
        let coefficient = sum.terms.get(&term)?.clone();
        if let Some(other) = sum.terms.get(&partner_term).cloned() {
            // c₁ s² + c₂ c² = c_sin + (c_cos − c_sin) cos².
            let (sine, cosine, cosine_term) =
                if wave.sine { (coefficient, other, partner_term) } else { (other, coefficient, term) };
            sum.terms.remove(&term);
            sum.terms.remove(&partner_term);
            let difference = &cosine - &sine;
            sum.add(cosine_term, &difference);
            return Some(self.add_rest(sum, rest, &sine));
        }
        let opposite = -&coefficient;
        let plain = if self.is_one(rest) { sum.constant == opposite } else { sum.terms.get(&rest) == Some(&opposite) };
        if plain {
            sum.terms.remove(&term);
            if self.is_one(rest) {
                sum.constant = Rational::ZERO;
            } else {
                sum.terms.remove(&rest);
            }
            sum.add(partner_term, &opposite);
            return Some(vec![partner_term]);
        }
        None
    }

    /// Products of waves of two different angles.
    fn fold_pair(&mut self, sum: &mut Terms, term: Id, first: Wave, second: Wave, rest: Id) -> Option<Vec<Id>> {
        if first.angle == second.angle {
            return None;
        }
        let swapped_first = self.call(if first.sine { Function::Cos } else { Function::Sin }, &[first.angle]);
        let swapped_second = self.call(if second.sine { Function::Cos } else { Function::Sin }, &[second.angle]);
        let partner =
            self.product(vec![(rest, Rational::ONE), (swapped_first, Rational::ONE), (swapped_second, Rational::ONE)]);
        let coefficient = sum.terms.get(&term)?.clone();
        let other = sum.terms.get(&partner)?.clone();
        let same = coefficient == other;
        if !same && coefficient != -&other {
            return None;
        }
        let (a, b) = (first.angle, second.angle);
        let (wave, coefficient) = match (first.sine, second.sine) {
            // cos cos ± sin sin.
            (false, false) => (self.cosine_of_combination(a, b, same), coefficient),
            (true, true) => (self.cosine_of_combination(a, b, same), if same { coefficient } else { other }),
            // sin a cos b ± cos a sin b, written from the side where a carries the sine.
            (true, false) => (self.sine_of_combination(a, b, same), coefficient),
            (false, true) => (self.sine_of_combination(b, a, same), coefficient),
        };
        sum.terms.remove(&term);
        sum.terms.remove(&partner);
        let merged = self.product(vec![(rest, Rational::ONE), (wave, Rational::ONE)]);
        Some(self.add_rest(sum, merged, &coefficient))
    }

    /// cos(a − b) where the products have the same sign, cos(a + b) otherwise.
    fn cosine_of_combination(&mut self, a: Id, b: Id, same: bool) -> Id {
        let angle = if same { self.sub(a, b) } else { self.add(a, b) };
        self.call(Function::Cos, &[angle])
    }

    /// sin(a + b) where the products have the same sign, sin(a − b) otherwise.
    fn sine_of_combination(&mut self, a: Id, b: Id, same: bool) -> Id {
        let angle = if same { self.add(a, b) } else { self.sub(a, b) };
        self.call(Function::Sin, &[angle])
    }

    /// Adds coefficient·node to the sum and names the term it became.
    fn add_rest(&mut self, sum: &mut Terms, node: Id, coefficient: &Rational) -> Vec<Id> {
        if let Some(value) = self.as_number(node) {
            sum.constant += value * coefficient;
            return Vec::new();
        }
        let (scale, atom) = self.split_scale(node);
        sum.add(atom, &(scale * coefficient));
        vec![atom]
    }
}
