//! Polynomials with rational coefficients in numbered atoms; exponents may be negative.
//!
//! Multiplication is defined in [`Ring`](super::ring::Ring), because products of terms may need the relations between
//! atoms.

use crate::graph::Rational;
use std::collections::BTreeMap;

/// A product of atoms: pairs (atom, exponent ≠ 0) in ascending order of atoms.
pub(super) type Monomial = Box<[(u32, i32)]>;

/// Σ coefficient · monomial; no coefficient is zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Polynomial {
    pub(super) terms: BTreeMap<Monomial, Rational>,
}

impl Polynomial {
    pub(super) fn constant(value: Rational) -> Self {
        Self::term(Monomial::default(), value)
    }

    pub(super) fn atom(atom: u32) -> Self {
        Self::atom_power(atom, 1)
    }

    pub(super) fn atom_power(atom: u32, exponent: i32) -> Self {
        let monomial: Monomial = if exponent == 0 { Monomial::default() } else { Box::new([(atom, exponent)]) };
        Self::term(monomial, Rational::ONE)
    }

    pub(super) fn term(monomial: Monomial, coefficient: Rational) -> Self {
        let mut polynomial = Self::default();
        polynomial.add_term(monomial, &coefficient);
        polynomial
    }

    pub(super) fn add_term(&mut self, monomial: Monomial, coefficient: &Rational) {
        if coefficient.is_zero() {
            return;
        }
        match self.terms.entry(monomial) {
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(coefficient.clone());
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => {
                *entry.get_mut() += coefficient;
                if entry.get().is_zero() {
                    entry.remove();
                }
            }
        }
    }

    /// Adds coefficient·other.
    pub(super) fn add_scaled(&mut self, other: &Self, coefficient: &Rational) {
        for (monomial, value) in &other.terms {
            if coefficient.is_one() {
                self.add_term(monomial.clone(), value);
            } else {
                self.add_term(monomial.clone(), &(value * coefficient));
            }
        }
    }

    pub(super) fn scaled(&self, coefficient: &Rational) -> Self {
        let mut result = Self::default();
        result.add_scaled(self, coefficient);
        result
    }

    pub(super) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The exact number, where the polynomial is one.
    pub(super) fn as_constant(&self) -> Option<Rational> {
        match self.single_term() {
            Some((monomial, coefficient)) => monomial.is_empty().then(|| coefficient.clone()),
            None => self.is_zero().then_some(Rational::ZERO),
        }
    }

    pub(super) fn single_term(&self) -> Option<(&Monomial, &Rational)> {
        if self.terms.len() == 1 { self.terms.iter().next() } else { None }
    }

    /// The atom, where the polynomial is exactly one.
    pub(super) fn as_atom(&self) -> Option<u32> {
        match self.single_term()? {
            (monomial, coefficient) if coefficient.is_one() => match **monomial {
                [(atom, 1)] => Some(atom),
                _ => None,
            },
            _ => None,
        }
    }

    /// The coefficient of the first term; 0 of the zero polynomial.
    pub(super) fn leading(&self) -> Rational {
        self.terms.values().next().cloned().unwrap_or(Rational::ZERO)
    }

    /// The atom with the largest number for which `test` holds.
    pub(super) fn last_atom(&self, test: impl Fn(u32) -> bool) -> Option<u32> {
        self.terms.keys().flat_map(|monomial| monomial.iter().map(|&(atom, _)| atom)).filter(|&atom| test(atom)).max()
    }
}

/// The exponent of an atom in a monomial.
pub(super) fn exponent_of(monomial: &[(u32, i32)], atom: u32) -> i32 {
    monomial.binary_search_by_key(&atom, |&(other, _)| other).map_or(0, |position| monomial[position].1)
}

/// The product of two monomials; `None` where an exponent gets too large.
pub(super) fn merge(a: &[(u32, i32)], b: &[(u32, i32)]) -> Option<Monomial> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => {
                merged.push(a[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                merged.push(b[j]);
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                let exponent = a[i].1.checked_add(b[j].1)?;
                if exponent != 0 {
                    merged.push((a[i].0, exponent));
                }
                i += 1;
                j += 1;
            }
        }
    }
    merged.extend_from_slice(&a[i..]);
    merged.extend_from_slice(&b[j..]);
    Some(merged.into_boxed_slice())
}

/// The monomial with one atom's exponent replaced.
pub(super) fn with_exponent(monomial: &[(u32, i32)], atom: u32, exponent: i32) -> Monomial {
    monomial
        .iter()
        .filter_map(|&(other, old)| {
            let new = if other == atom { exponent } else { old };
            (new != 0).then_some((other, new))
        })
        .collect()
}
