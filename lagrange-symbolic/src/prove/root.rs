//! Roots, magnitudes and signs in the normal form. Parameters are positive, except for those of unknown sign.

use super::polynomial::{Monomial, Polynomial};
use super::ring::{Atom, Outcome, Ring, Shared, Stop};
use crate::graph::{Rational, Symbol};
use dashu_base::{Abs as _, Sign};
use std::rc::Rc;

/// Numbers in roots and logarithms are factored into primes up to this one.
const LARGEST_PRIME: u64 = 1_000;

impl Ring {
    /// p^e for an exact exponent.
    pub(super) fn rational_power(&mut self, p: &Polynomial, exponent: &Rational) -> Outcome<Polynomial> {
        if exponent.is_int() {
            let exponent = i32::try_from(exponent.numerator()).map_err(|_| Stop::GiveUp)?;
            return self.power(p, exponent);
        }
        if p.is_zero() {
            return if exponent.sign() == Sign::Positive { Ok(Polynomial::default()) } else { Err(Stop::GiveUp) };
        }
        let (coefficient, content, primitive) = if let Some((monomial, coefficient)) = p.single_term() {
            (coefficient.clone(), monomial.clone(), Polynomial::constant(Rational::ONE))
        } else {
            self.primitive(p)?
        };
        let mut result = self.number_root(&coefficient.clone().abs(), exponent)?;
        // Factors that are non-negative leave the root. Even powers of other factors leave it as powers of magnitudes.
        // The rest stays inside.
        let mut rest: Vec<(u32, i32)> = Vec::new();
        let alone = self
            .sole_odd_factor(&content)
            .filter(|_| primitive.as_constant().is_some() && coefficient.sign() == Sign::Positive);
        for &(atom, power) in &content {
            if self.is_non_negative(atom) || alone == Some(atom) {
                let root = self.atom_root(&Polynomial::atom(atom), &(Rational::from(power) * exponent))?;
                result = self.mul(&result, &root)?;
                continue;
            }
            let odd = power.rem_euclid(2);
            if power != odd {
                let magnitude = self.magnitude(&Polynomial::atom(atom))?;
                let outside = self.rational_power(&magnitude, &(Rational::from(power - odd) * exponent))?;
                result = self.mul(&result, &outside)?;
            }
            if odd == 1 {
                rest.push((atom, 1));
            }
        }
        let sign = if coefficient.sign() == Sign::Negative { Rational::NEG_ONE } else { Rational::ONE };
        let inside = self.mul(&Polynomial::term(rest.into_boxed_slice(), sign), &primitive)?;
        let root = self.atom_root(&inside, exponent)?;
        self.mul(&result, &root)
    }

    /// The power of a polynomial that is not factored further, as a power of the finest root of it that occurs.
    fn atom_root(&mut self, inside: &Polynomial, exponent: &Rational) -> Outcome<Polynomial> {
        if inside.as_constant().is_some_and(|value| value.is_one()) {
            return Ok(inside.clone());
        }
        let inside = Rc::new(inside.clone());
        let (count, unit) = self.in_units(Shared::Root(inside.clone()), exponent)?;
        let order = u32::try_from(unit.denominator()).map_err(|_| Stop::GiveUp)?;
        if order == 1 {
            return self.power(&inside, count);
        }
        let root = self.number(Atom::Root(inside, order));
        self.reduced(Box::new([(root, count)]), Rational::ONE)
    }

    /// The power of a positive number, factored into primes.
    fn number_root(&mut self, value: &Rational, exponent: &Rational) -> Outcome<Polynomial> {
        let mut result = Polynomial::constant(Rational::ONE);
        for (prime, power) in prime_factors(value) {
            let total = Rational::from(power) * exponent;
            let inside = Polynomial::constant(prime);
            let factor = if total.is_int() {
                self.power(&inside, i32::try_from(total.numerator()).map_err(|_| Stop::GiveUp)?)?
            } else {
                self.atom_root(&inside, &total)?
            };
            result = self.mul(&result, &factor)?;
        }
        Ok(result)
    }

    /// |p|.
    pub(super) fn magnitude(&mut self, p: &Polynomial) -> Outcome<Polynomial> {
        if p.is_zero() {
            return Ok(p.clone());
        }
        let (coefficient, content, primitive) = self.split(p)?;
        let mut result = Polynomial::constant(coefficient.abs());
        for &(atom, power) in &content {
            let inside = Polynomial::atom(atom);
            let factor = if self.is_non_negative(atom) || power % 2 == 0 {
                self.power(&inside, power)?
            } else {
                let magnitude = self.atom(Atom::Magnitude(Rc::new(inside)));
                self.power(&magnitude, power)?
            };
            result = self.mul(&result, &factor)?;
        }
        let rest = if self.has_no_negative_term(&primitive) {
            primitive
        } else {
            self.atom(Atom::Magnitude(Rc::new(primitive)))
        };
        self.mul(&result, &rest)
    }

    /// sign p.
    pub(super) fn sign(&mut self, p: &Polynomial) -> Outcome<Polynomial> {
        if p.is_zero() {
            return Ok(p.clone());
        }
        let (coefficient, content, primitive) = self.split(p)?;
        let negative = coefficient.sign() == Sign::Negative;
        let mut result = Polynomial::constant(if negative { Rational::NEG_ONE } else { Rational::ONE });
        for &(atom, power) in &content {
            if !self.is_positive(atom) {
                let sign = self.atom(Atom::Sign(Rc::new(Polynomial::atom(atom))));
                let factor = self.power(&sign, power)?;
                result = self.mul(&result, &factor)?;
            }
        }
        if primitive.as_constant().is_some() || self.has_positive_term(&primitive) {
            return Ok(result);
        }
        let rest = self.atom(Atom::Sign(Rc::new(primitive)));
        self.mul(&result, &rest)
    }

    /// p = coefficient · monomial · primitive. The primitive of a single term is 1.
    pub(super) fn split(&mut self, p: &Polynomial) -> Outcome<(Rational, Monomial, Polynomial)> {
        match p.single_term() {
            Some((monomial, coefficient)) => {
                Ok((coefficient.clone(), monomial.clone(), Polynomial::constant(Rational::ONE)))
            }
            None => self.primitive(p),
        }
    }

    /// The only factor of unknown sign with an odd power, if there is exactly one. It is non-negative wherever a root
    /// of the monomial is real.
    fn sole_odd_factor(&self, monomial: &Monomial) -> Option<u32> {
        let mut odd = monomial.iter().filter(|&&(atom, power)| power % 2 != 0 && !self.is_non_negative(atom));
        let (first, second) = (odd.next(), odd.next());
        if second.is_some() { None } else { first.map(|&(atom, _)| atom) }
    }

    pub(super) fn is_positive(&self, atom: u32) -> bool {
        match &self.atoms[atom as usize] {
            Atom::Symbol(symbol @ Symbol::Parameter(_)) => !self.signs.is_unknown(*symbol),
            Atom::Pi | Atom::Exponential(..) => true,
            _ => false,
        }
    }

    pub(super) fn is_non_negative(&self, atom: u32) -> bool {
        self.is_positive(atom)
            || matches!(self.atoms[atom as usize], Atom::Root(..) | Atom::Magnitude(_) | Atom::Holds(..))
    }

    /// Whether no term can be negative.
    pub(super) fn has_no_negative_term(&self, p: &Polynomial) -> bool {
        p.terms.iter().all(|(monomial, coefficient)| {
            coefficient.sign() == Sign::Positive
                && monomial.iter().all(|&(atom, power)| power % 2 == 0 || self.is_non_negative(atom))
        })
    }

    fn has_positive_term(&self, p: &Polynomial) -> bool {
        self.has_no_negative_term(p)
            && p.terms.keys().any(|monomial| monomial.iter().all(|&(atom, _)| self.is_positive(atom)))
    }
}

/// The factors of a positive number with their exponents: small primes, then the remaining factor.
pub(super) fn prime_factors(value: &Rational) -> Vec<(Rational, i32)> {
    let mut factors = Vec::new();
    let parts = [(value.numerator().clone(), 1), (value.denominator().clone().into(), -1)];
    for (part, sign) in parts {
        let Ok(mut rest) = u64::try_from(&part) else {
            factors.push((Rational::from(part), sign));
            continue;
        };
        let mut prime = 2;
        while prime <= LARGEST_PRIME && prime * prime <= rest {
            let mut power = 0;
            while rest % prime == 0 {
                rest /= prime;
                power += 1;
            }
            if power > 0 {
                factors.push((Rational::from(prime), sign * power));
            }
            prime += 1;
        }
        if rest > 1 {
            factors.push((Rational::from(rest), sign));
        }
    }
    factors
}
