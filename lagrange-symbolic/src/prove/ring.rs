//! The ring of the normal form: polynomials in atoms, kept reduced by the relations between atoms.
//!
//! The inverse of a polynomial with several terms is an atom of its own; the zero test multiplies such denominators
//! out. Every product of two terms costs one unit of a budget, so that no expression can make a proof run long.

use super::parameters::ParameterSigns;
use super::polynomial::{Monomial, Polynomial, merge, with_exponent};
use crate::graph::function::Function;
use crate::graph::{Rational, Relation, Symbol};
use dashu_base::BitTest;
use std::collections::HashMap;
use std::rc::Rc;

/// The most products of two terms in one proof.
const BUDGET: u32 = 60_000;

/// The most terms of one polynomial.
const MOST_TERMS: usize = 3_000;

/// The most bits of a coefficient.
const MOST_BITS: usize = 4_096;

/// Why a normal form was not found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// It would be larger than the limits, or the expression is undefined.
    GiveUp,
    /// An angle, an exponent or a root needs a smaller unit than it had. The proof must be restarted.
    Refined,
}

pub(super) type Outcome<T> = Result<T, Stop>;

/// What a polynomial's variable stands for. A polynomial inside an atom is normalized so that its first coefficient is
/// 1, or ±1 where the sign matters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Atom {
    Symbol(Symbol),
    Pi,
    /// 1/p.
    Inverse(Rc<Polynomial>),
    /// cos(u·m) of a monomial m and a unit u.
    Cosine(Monomial, Rational),
    /// sin(u·m). Its square is replaced by 1 − cos².
    Sine(Monomial, Rational),
    /// exp(u·m).
    Exponential(Monomial, Rational),
    /// p^(1/n).
    Root(Rc<Polynomial>, u32),
    /// |p|.
    Magnitude(Rc<Polynomial>),
    /// sign p.
    Sign(Rc<Polynomial>),
    /// 1/p, or 0 where p = 0.
    RecipOrZero(Rc<Polynomial>),
    /// 1 where p < 0 (or p = 0), else 0.
    Holds(Relation, Rc<Polynomial>),
    /// Any other function.
    Call(Function, Vec<Polynomial>),
}

/// What a common unit is defined for: the multiples of one monomial in sines and cosines, or in exponentials, or the
/// exponents of one polynomial.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Shared {
    Angle(Monomial),
    Exponent(Monomial),
    Root(Rc<Polynomial>),
}

/// The atoms of one proof.
pub(super) struct Ring {
    pub(super) signs: ParameterSigns,
    pub(super) atoms: Vec<Atom>,
    numbers: HashMap<Atom, u32>,
    units: HashMap<Shared, Rational>,
    budget: u32,
}

impl Ring {
    pub(super) fn new(signs: ParameterSigns) -> Self {
        Self { signs, atoms: Vec::new(), numbers: HashMap::new(), units: HashMap::new(), budget: BUDGET }
    }

    /// The number of an atom.
    pub(super) fn number(&mut self, atom: Atom) -> u32 {
        if let Some(&number) = self.numbers.get(&atom) {
            return number;
        }
        let number = self.atoms.len() as u32;
        self.atoms.push(atom.clone());
        self.numbers.insert(atom, number);
        number
    }

    pub(super) fn atom(&mut self, atom: Atom) -> Polynomial {
        Polynomial::atom(self.number(atom))
    }

    /// A coefficient as a whole number of units, and the unit. The unit is the greatest common divisor of all
    /// coefficients so far.
    pub(super) fn in_units(&mut self, shared: Shared, coefficient: &Rational) -> Outcome<(i32, Rational)> {
        let magnitude = dashu_base::Abs::abs(coefficient.clone());
        let unit = match self.units.get(&shared) {
            None => {
                // The unit of roots divides 1, the exponent of the base itself.
                let unit =
                    if matches!(shared, Shared::Root(_)) { greatest(&Rational::ONE, &magnitude) } else { magnitude };
                self.units.insert(shared, unit.clone());
                unit
            }
            Some(unit) => {
                let common = greatest(unit, &magnitude);
                if common != *unit {
                    self.units.insert(shared, common);
                    return Err(Stop::Refined);
                }
                unit.clone()
            }
        };
        let count = coefficient / &unit;
        let count = i32::try_from(count.numerator()).map_err(|_| Stop::GiveUp)?;
        Ok((count, unit))
    }

    fn spend(&mut self, cost: usize) -> Outcome<()> {
        let cost = u32::try_from(cost).map_err(|_| Stop::GiveUp)?;
        self.budget = self.budget.checked_sub(cost).ok_or(Stop::GiveUp)?;
        Ok(())
    }

    /// p·q.
    pub(super) fn mul(&mut self, p: &Polynomial, q: &Polynomial) -> Outcome<Polynomial> {
        if let Some(constant) = p.as_constant() {
            return Ok(q.scaled(&constant));
        }
        if let Some(constant) = q.as_constant() {
            return Ok(p.scaled(&constant));
        }
        self.spend(p.terms.len().saturating_mul(q.terms.len()))?;
        let mut product = Polynomial::default();
        for (a, x) in &p.terms {
            for (b, y) in &q.terms {
                let monomial = merge(a, b).ok_or(Stop::GiveUp)?;
                self.add_reduced(&mut product, monomial, &(x * y))?;
            }
            if product.terms.len() > MOST_TERMS {
                return Err(Stop::GiveUp);
            }
        }
        Ok(product)
    }

    /// Adds coefficient·monomial, reduced by the relations.
    fn add_reduced(&mut self, sum: &mut Polynomial, monomial: Monomial, coefficient: &Rational) -> Outcome<()> {
        if coefficient.numerator().bit_len() + coefficient.denominator().bit_len() > MOST_BITS {
            return Err(Stop::GiveUp);
        }
        match self.reduction(&monomial)? {
            None => sum.add_term(monomial, coefficient),
            Some((rest, replacement)) => {
                let rest = self.reduced(rest, Rational::ONE)?;
                let product = self.mul(&rest, &replacement)?;
                sum.add_scaled(&product, coefficient);
            }
        }
        Ok(())
    }

    /// coefficient·monomial as a reduced polynomial.
    pub(super) fn reduced(&mut self, monomial: Monomial, coefficient: Rational) -> Outcome<Polynomial> {
        self.spend(1)?;
        let mut polynomial = Polynomial::default();
        self.add_reduced(&mut polynomial, monomial, &coefficient)?;
        Ok(polynomial)
    }

    /// pⁿ.
    pub(super) fn power(&mut self, p: &Polynomial, exponent: i32) -> Outcome<Polynomial> {
        if exponent == 0 {
            return Ok(Polynomial::constant(Rational::ONE));
        }
        if let Some((monomial, coefficient)) = p.single_term() {
            let bits = coefficient.numerator().bit_len().max(coefficient.denominator().bit_len());
            if bits > 1 && bits.saturating_mul(exponent.unsigned_abs() as usize) > MOST_BITS {
                return Err(Stop::GiveUp);
            }
            let coefficient = coefficient.pow(exponent as isize);
            let raised: Option<Monomial> =
                monomial.iter().map(|&(atom, power)| Some((atom, power.checked_mul(exponent)?))).collect();
            return self.reduced(raised.ok_or(Stop::GiveUp)?, coefficient);
        }
        if exponent < 0 {
            let inverse = self.inverse(p)?;
            return self.power(&inverse, exponent.checked_neg().ok_or(Stop::GiveUp)?);
        }
        let mut result = p.clone();
        for _ in 1..exponent {
            result = self.mul(&result, p)?;
        }
        Ok(result)
    }

    /// 1/p.
    pub(super) fn inverse(&mut self, p: &Polynomial) -> Outcome<Polynomial> {
        if p.terms.len() == 1 {
            return self.power(p, -1);
        }
        if self.is_zero(p)? {
            return Err(Stop::GiveUp);
        }
        let (coefficient, content, primitive) = self.primitive(p)?;
        let outside = self.power(&Polynomial::term(content, coefficient), -1)?;
        if primitive.terms.len() == 1 {
            let inside = self.power(&primitive, -1)?;
            return self.mul(&outside, &inside);
        }
        let atom = self.atom(Atom::Inverse(Rc::new(primitive)));
        self.mul(&outside, &atom)
    }

    /// p = coefficient · monomial · primitive. The primitive's first coefficient is 1, and none of the atoms that need
    /// no relation divides all of its terms.
    pub(super) fn primitive(&mut self, p: &Polynomial) -> Outcome<(Rational, Monomial, Polynomial)> {
        let coefficient = p.leading();
        if coefficient.is_zero() {
            return Err(Stop::GiveUp);
        }
        let content = self.content(p);
        let mut primitive = Polynomial::default();
        let inverse: Monomial = content.iter().map(|&(atom, exponent)| (atom, -exponent)).collect();
        for (monomial, value) in &p.terms {
            primitive.add_term(merge(monomial, &inverse).ok_or(Stop::GiveUp)?, &(value / &coefficient));
        }
        // Dividing by the content may have changed which term is first.
        let first = primitive.leading();
        let coefficient = coefficient * &first;
        Ok((coefficient, content, primitive.scaled(&(Rational::ONE / first))))
    }

    /// The powers of atoms that need no relation and divide all terms.
    fn content(&self, p: &Polynomial) -> Monomial {
        let plain = |atom: u32| {
            matches!(self.atoms[atom as usize], Atom::Symbol(_) | Atom::Pi | Atom::Cosine(..) | Atom::Exponential(..))
        };
        let mut monomials = p.terms.keys();
        let Some(first) = monomials.next() else { return Monomial::default() };
        let mut content: Vec<(u32, i32)> = first.iter().copied().filter(|&(atom, _)| plain(atom)).collect();
        for monomial in monomials {
            content.retain_mut(|(atom, exponent)| {
                *exponent = (*exponent).min(super::polynomial::exponent_of(monomial, *atom));
                *exponent > 0
            });
        }
        // Where only some terms have negative powers of an atom, the most negative power is taken out.
        let mut lowest: HashMap<u32, i32> = HashMap::new();
        for &(atom, exponent) in p.terms.keys().flat_map(|monomial| monomial.iter()) {
            if exponent < 0 && plain(atom) {
                let entry = lowest.entry(atom).or_insert(exponent);
                *entry = (*entry).min(exponent);
            }
        }
        content.retain(|(atom, _)| !lowest.contains_key(atom));
        content.extend(lowest);
        content.sort_unstable();
        content.into_boxed_slice()
    }

    /// Whether the polynomial vanishes identically, after denominators are multiplied out.
    pub(super) fn is_zero(&mut self, p: &Polynomial) -> Outcome<bool> {
        let mut p = p.clone();
        // A denominator contains only atoms that are older than its inverse, so this loop ends.
        loop {
            let last = p.last_atom(|atom| matches!(self.atoms[atom as usize], Atom::Inverse(_)));
            let Some(atom) = last else { return Ok(p.is_zero()) };
            let Atom::Inverse(denominator) = self.atoms[atom as usize].clone() else { return Err(Stop::GiveUp) };
            let exponent = |monomial: &Monomial| super::polynomial::exponent_of(monomial, atom);
            let most = p.terms.keys().map(exponent).max().unwrap_or(0);
            let mut by_power: HashMap<i32, Polynomial> = HashMap::new();
            for (monomial, coefficient) in &p.terms {
                let part = by_power.entry(most - exponent(monomial)).or_default();
                part.add_term(with_exponent(monomial, atom, 0), coefficient);
            }
            let mut cleared = Polynomial::default();
            let mut powers: Vec<(i32, Polynomial)> = by_power.into_iter().collect();
            powers.sort_unstable_by_key(|&(power, _)| power);
            for (power, part) in powers {
                let factor = self.power(&denominator, power)?;
                let product = self.mul(&part, &factor)?;
                cleared.add_scaled(&product, &Rational::ONE);
            }
            p = cleared;
        }
    }
}

/// The greatest common divisor of two positive rational numbers.
fn greatest(a: &Rational, b: &Rational) -> Rational {
    use dashu_base::{Gcd, UnsignedAbs};
    let left = a.numerator().clone().unsigned_abs() * b.denominator();
    let right = b.numerator().clone().unsigned_abs() * a.denominator();
    let common = left.gcd(right);
    Rational::from_parts(common.into(), a.denominator() * b.denominator())
}
