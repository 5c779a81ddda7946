//! Products and powers: exponents merged, numbers folded up to a stated size.
//!
//! Rewrites may extend a domain, never change a value: (x²)^(1/2) is |x|, x·sign(x) is |x|, 0⁰ is 1.

use super::{Graph, Id, Node, Rational, rational};
use crate::graph::function::Function;
use dashu_base::{BitTest, Sign, UnsignedAbs};
use std::collections::BTreeMap;

/// Numbers whose exact power would need more bits than this stay unevaluated.
const FOLDED_BITS: u64 = 4096;

/// A product with more factors than this stays one shared operand inside another product.
const FLATTENED_FACTORS: usize = 12;

/// A product being collected: an exact coefficient and powers by base.
struct Factors {
    coefficient: Rational,
    powers: BTreeMap<Id, Rational>,
}

impl Factors {
    fn multiply(&mut self, base: Id, exponent: &Rational) {
        let entry = self.powers.entry(base).or_insert(Rational::ZERO);
        *entry += exponent;
        if entry.is_zero() {
            self.powers.remove(&base);
        }
    }
}

impl Graph {
    /// a·b.
    pub fn mul(&mut self, a: Id, b: Id) -> Id {
        self.product(vec![(a, Rational::ONE), (b, Rational::ONE)])
    }

    /// The product of all.
    pub fn mul_all(&mut self, ids: &[Id]) -> Id {
        self.product(ids.iter().map(|&id| (id, Rational::ONE)).collect())
    }

    /// a/b; a division by the number 0 stays unevaluated.
    pub fn div(&mut self, a: Id, b: Id) -> Id {
        self.product(vec![(a, Rational::ONE), (b, Rational::NEG_ONE)])
    }

    /// 1/a.
    pub fn recip(&mut self, a: Id) -> Id {
        self.power_rational(a, &Rational::NEG_ONE)
    }

    /// √a.
    pub fn sqrt(&mut self, a: Id) -> Id {
        self.power_rational(a, &rational(1, 2))
    }

    /// aⁿ.
    pub fn power_integer(&mut self, a: Id, exponent: i64) -> Id {
        self.power_rational(a, &rational(exponent, 1))
    }

    /// a^e for an exact exponent.
    pub fn power_rational(&mut self, a: Id, exponent: &Rational) -> Id {
        self.product(vec![(a, exponent.clone())])
    }

    /// a^b.
    pub fn power(&mut self, a: Id, b: Id) -> Id {
        if let Some(exponent) = self.as_number(b).cloned() {
            return self.power_rational(a, &exponent);
        }
        if self.is_one(a) {
            return a;
        }
        self.intern(Node::Power(a, b))
    }

    /// Π xᵢ^eᵢ in canonical form.
    pub fn product(&mut self, factors: Vec<(Id, Rational)>) -> Id {
        let mut collected = Factors { coefficient: Rational::ONE, powers: BTreeMap::new() };
        for (base, exponent) in factors {
            self.collect_power(&mut collected, base, &exponent);
        }
        self.fold_functions(&mut collected);
        self.refold_numbers(&mut collected);
        let Factors { coefficient, powers } = collected;
        if coefficient.is_zero() {
            return self.zero();
        }
        let product = match powers.len() {
            0 => return self.number(coefficient),
            1 => {
                let (base, exponent) = powers.into_iter().next().unwrap_or((Id(0), Rational::ONE));
                if exponent.is_one() { base } else { self.intern(Node::Product(Box::new([(base, exponent)]))) }
            }
            _ => self.intern(Node::Product(powers.into_iter().collect())),
        };
        self.scale(&coefficient, product)
    }

    /// Multiplies base^exponent into the product, and splits it into factors where that is exact.
    fn collect_power(&mut self, product: &mut Factors, base: Id, exponent: &Rational) {
        if exponent.is_zero() {
            return;
        }
        let (scale, atom) = match self.node(base) {
            Node::Number(value) => {
                let value = value.clone();
                self.collect_number(product, &value, exponent);
                return;
            }
            _ => self.split_scale(base),
        };
        if !scale.is_one() {
            if exponent.is_int() || scale.sign() == Sign::Positive {
                self.collect_number(product, &scale, exponent);
                self.collect_power(product, atom, exponent);
                return;
            }
            // A negative scale under a fractional exponent: only its magnitude comes out.
            let magnitude = -&scale;
            if !magnitude.is_one() {
                self.collect_number(product, &magnitude, exponent);
            }
            let negated = self.neg(atom);
            product.multiply(negated, exponent);
            return;
        }
        let Node::Product(factors) = self.node(base).clone() else {
            product.multiply(base, exponent);
            return;
        };
        if exponent.is_int() {
            if factors.len() > FLATTENED_FACTORS && !factors.iter().any(|(id, _)| product.powers.contains_key(id)) {
                product.multiply(base, exponent);
                return;
            }
            for (inner, inner_exponent) in factors.iter().cloned() {
                self.collect_power(product, inner, &(inner_exponent * exponent));
            }
            return;
        }
        // (x² y)^e = |x|^(2e) y^e: even integer powers are never negative.
        let mut rest = Vec::new();
        for (inner, inner_exponent) in factors.iter().cloned() {
            if is_even(&inner_exponent) {
                let magnitude = self.call(Function::Abs, &[inner]);
                self.collect_power(product, magnitude, &(inner_exponent * exponent));
            } else {
                rest.push((inner, inner_exponent));
            }
        }
        match rest.len() {
            0 => {}
            // (x^(1/2))^e and (1/x)^e are real only for x ≥ 0, where the exponents multiply.
            1 if !rest[0].1.is_int() || rest[0].1 == Rational::NEG_ONE => {
                let (inner, inner_exponent) = &rest[0];
                self.collect_power(product, *inner, &(inner_exponent * exponent));
            }
            _ => {
                let rest = self.product(rest);
                let (scale, atom) = self.split_scale(rest);
                if scale.is_one() && !matches!(self.node(atom), Node::Number(_)) {
                    product.multiply(rest, exponent);
                } else {
                    self.collect_power(product, rest, exponent);
                }
            }
        }
    }

    /// Multiplies an exact number's power in, folding it where the result is exact and small.
    fn collect_number(&mut self, product: &mut Factors, value: &Rational, exponent: &Rational) {
        if value.is_one() {
            return;
        }
        if value.is_zero() && exponent.sign() == Sign::Positive {
            product.coefficient = Rational::ZERO;
            return;
        }
        if let Some(folded) = exact_power(value, exponent) {
            product.coefficient *= folded;
            return;
        }
        let base = self.number(value.clone());
        product.multiply(base, exponent);
    }

    /// Folds numbers whose merged exponents became exact: √2·√2.
    fn refold_numbers(&mut self, product: &mut Factors) {
        let numbers: Vec<Id> =
            product.powers.keys().copied().filter(|&id| matches!(self.node(id), Node::Number(_))).collect();
        for id in numbers {
            let (Some(value), Some(exponent)) = (self.as_number(id), product.powers.get(&id)) else { continue };
            if let Some(folded) = exact_power(value, exponent) {
                product.coefficient *= folded;
                product.powers.remove(&id);
            }
        }
    }

    /// Identities between a function and its argument, or between powers of one function.
    fn fold_functions(&mut self, product: &mut Factors) {
        let calls: Vec<Id> =
            product.powers.keys().copied().filter(|&id| matches!(self.node(id), Node::Call(..))).collect();
        for id in calls {
            let Node::Call(function, arguments) = self.node(id).clone() else { continue };
            let Some(exponent) = product.powers.get(&id).cloned() else { continue };
            match function {
                Function::Abs if is_even(&exponent) => {
                    product.powers.remove(&id);
                    self.collect_power(product, arguments[0], &exponent);
                }
                Function::Norm if is_even(&exponent) && exponent.sign() == Sign::Positive => {
                    product.powers.remove(&id);
                    let square = self.norm_square(&arguments);
                    self.collect_power(product, square, &(exponent / rational(2, 1)));
                }
                Function::Sign if exponent.is_one() => self.fold_sign(product, id, arguments[0]),
                Function::RecipOrZero => {
                    let order = exponent;
                    let Some(norm) = product.powers.get(&arguments[0]).cloned() else { continue };
                    if order.is_int() && norm.is_int() && norm > order && order.sign() == Sign::Positive {
                        product.powers.remove(&id);
                        product.multiply(arguments[0], &-order);
                        // An odd power may have become an even one, which is a polynomial.
                        self.fold_functions(product);
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    /// x·sign(x) = |x| and |x|·sign(x) = x.
    fn fold_sign(&mut self, product: &mut Factors, id: Id, argument: Id) {
        let magnitude = self.call(Function::Abs, &[argument]);
        let (_, atom) = self.split_scale(argument);
        let positive_integer = |exponent: &Rational| exponent.is_int() && exponent.sign() == Sign::Positive;
        if product.powers.get(&magnitude).is_some_and(positive_integer) {
            product.powers.remove(&id);
            product.multiply(magnitude, &Rational::NEG_ONE);
            self.collect_power(product, argument, &Rational::ONE);
        } else if atom == argument && product.powers.get(&argument).is_some_and(positive_integer) {
            product.powers.remove(&id);
            product.multiply(argument, &Rational::NEG_ONE);
            self.collect_power(product, magnitude, &Rational::ONE);
        }
    }

    /// The sum of the squares of a norm's arguments.
    pub(crate) fn norm_square(&mut self, arguments: &[Id]) -> Id {
        let squares: Vec<Id> = arguments.iter().map(|&x| self.power_integer(x, 2)).collect();
        self.add_all(&squares)
    }
}

/// Whether the exponent is an even integer.
fn is_even(exponent: &Rational) -> bool {
    exponent.is_int() && !exponent.numerator().bit(0)
}

/// value^exponent, where that is rational and small enough to write out.
fn exact_power(value: &Rational, exponent: &Rational) -> Option<Rational> {
    let root = usize::try_from(exponent.denominator()).ok().filter(|&root| root <= 64)?;
    let power = isize::try_from(exponent.numerator()).ok()?;
    if value.is_zero() && power <= 0 {
        return None;
    }
    let bits = value.numerator().bit_len().max(value.denominator().bit_len()) as u64;
    if bits.saturating_mul(power.unsigned_abs() as u64) > FOLDED_BITS && !value.is_one() && *value != Rational::NEG_ONE
    {
        return None;
    }
    if root == 1 {
        return Some(value.pow(power));
    }
    if value.sign() == Sign::Negative {
        return None;
    }
    let (numerator, denominator) = (value.numerator().clone().unsigned_abs(), value.denominator().clone());
    let (p, q) = (numerator.nth_root(root), denominator.nth_root(root));
    let exact = p.pow(root) == numerator && q.pow(root) == denominator;
    exact.then(|| Rational::from_parts(p.into(), q).pow(power))
}
