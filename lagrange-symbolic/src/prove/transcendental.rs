//! Sines, cosines, exponentials and logarithms in the normal form: functions of a sum become products.

use super::polynomial::{Monomial, Polynomial};
use super::ring::{Atom, Outcome, Ring, Shared, Stop};
use super::root::prime_factors;
use crate::graph::Rational;
use crate::graph::function::Function;
use dashu_base::Sign;

/// The largest multiple of an angle that is expanded.
const LARGEST_MULTIPLE: i32 = 24;

impl Ring {
    /// (cos p, sin p), expanded into sines and cosines of the units of the angles.
    pub(super) fn cosine_and_sine(&mut self, p: &Polynomial) -> Outcome<(Polynomial, Polynomial)> {
        let mut total = (Polynomial::constant(Rational::ONE), Polynomial::default());
        for (angle, coefficient) in &p.terms {
            let (mut coefficient, mut turned) = (coefficient.clone(), 0);
            if let [(atom, 1)] = **angle
                && self.atoms[atom as usize] == Atom::Pi
            {
                // Quarter turns come out of a multiple of π exactly.
                let quarters = (coefficient.clone() * Rational::from(2)).floor();
                coefficient -= Rational::from(quarters.clone()) / Rational::from(2);
                let four = dashu_int::IBig::from(4);
                let remainder = &quarters - (Rational::from(quarters.clone()) / Rational::from(4)).floor() * four;
                turned = u32::try_from(remainder).map_err(|_| Stop::GiveUp)?;
            }
            if !coefficient.is_zero() {
                let next = self.multiple(angle, &coefficient)?;
                total = self.add_angle(&total, &next)?;
            }
            for _ in 0..turned {
                total = (total.1.scaled(&Rational::NEG_ONE), total.0);
            }
        }
        Ok(total)
    }

    /// (cos, sin) of coefficient · angle.
    fn multiple(&mut self, angle: &Monomial, coefficient: &Rational) -> Outcome<(Polynomial, Polynomial)> {
        let (count, unit) = self.in_units(Shared::Angle(angle.clone()), coefficient)?;
        if count.unsigned_abs() > LARGEST_MULTIPLE.unsigned_abs() {
            return Err(Stop::GiveUp);
        }
        let cosine = self.atom(Atom::Cosine(angle.clone(), unit.clone()));
        let sine = self.atom(Atom::Sine(angle.clone(), unit));
        let single = (cosine, if count < 0 { sine.scaled(&Rational::NEG_ONE) } else { sine });
        let mut total = single.clone();
        for _ in 1..count.unsigned_abs() {
            total = self.add_angle(&total, &single)?;
        }
        Ok(total)
    }

    /// (cos, sin) of the sum of two angles.
    fn add_angle(
        &mut self,
        (c, s): &(Polynomial, Polynomial),
        (x, y): &(Polynomial, Polynomial),
    ) -> Outcome<(Polynomial, Polynomial)> {
        let mut cosine = self.mul(c, x)?;
        cosine.add_scaled(&self.mul(s, y)?, &Rational::NEG_ONE);
        let mut sine = self.mul(s, x)?;
        sine.add_scaled(&self.mul(c, y)?, &Rational::ONE);
        Ok((cosine, sine))
    }

    /// exp p: a product over the terms of p.
    pub(super) fn exponential(&mut self, p: &Polynomial) -> Outcome<Polynomial> {
        let mut total = Polynomial::constant(Rational::ONE);
        for (monomial, coefficient) in &p.terms {
            let factor = match self.logarithm_inside(monomial) {
                Some(inside) => self.rational_power(&inside, coefficient)?,
                None => {
                    let (count, unit) = self.in_units(Shared::Exponent(monomial.clone()), coefficient)?;
                    let atom = self.number(Atom::Exponential(monomial.clone(), unit));
                    Polynomial::atom_power(atom, count)
                }
            };
            total = self.mul(&total, &factor)?;
        }
        Ok(total)
    }

    /// x, where the monomial is ln x.
    fn logarithm_inside(&self, monomial: &Monomial) -> Option<Polynomial> {
        match **monomial {
            [(atom, 1)] => match &self.atoms[atom as usize] {
                Atom::Call(Function::Ln, arguments) => arguments.first().cloned(),
                _ => None,
            },
            _ => None,
        }
    }

    /// ln p, as a sum over the factors that are known to be positive.
    pub(super) fn logarithm(&mut self, p: &Polynomial) -> Outcome<Polynomial> {
        let Some((monomial, coefficient)) = p.single_term() else {
            return Ok(self.atom(Atom::Call(Function::Ln, vec![p.clone()])));
        };
        let (monomial, coefficient) = (monomial.clone(), coefficient.clone());
        if coefficient.sign() == Sign::Negative || monomial.iter().any(|&(atom, _)| !self.is_non_negative(atom)) {
            return Ok(self.atom(Atom::Call(Function::Ln, vec![p.clone()])));
        }
        let mut total = Polynomial::default();
        for (prime, power) in prime_factors(&coefficient) {
            let logarithm = self.atom(Atom::Call(Function::Ln, vec![Polynomial::constant(prime)]));
            total.add_scaled(&logarithm, &Rational::from(power));
        }
        for &(atom, power) in &monomial {
            let (logarithm, share) = match self.atoms[atom as usize].clone() {
                Atom::Exponential(exponent, unit) => (Polynomial::term(exponent, unit), Rational::ONE),
                Atom::Root(inside, order) => (self.logarithm(&inside)?, Rational::ONE / Rational::from(order)),
                _ => (self.atom(Atom::Call(Function::Ln, vec![Polynomial::atom(atom)])), Rational::ONE),
            };
            total.add_scaled(&logarithm, &(share * Rational::from(power)));
        }
        Ok(total)
    }
}
