//! The relations between atoms. They give every monomial one reduced form.

use super::polynomial::{Monomial, Polynomial, exponent_of, with_exponent};
use super::ring::{Atom, Outcome, Ring, Stop};
use crate::graph::Rational;

impl Ring {
    /// For a monomial that is not reduced: a monomial and a polynomial whose product is equal to it. `None` for a
    /// reduced one.
    pub(super) fn reduction(&mut self, monomial: &Monomial) -> Outcome<Option<(Monomial, Polynomial)>> {
        for &(atom, exponent) in monomial {
            if let Some(replacement) = self.atom_reduction(monomial, atom, exponent)? {
                return Ok(Some(replacement));
            }
        }
        Ok(None)
    }

    fn atom_reduction(
        &mut self,
        monomial: &Monomial,
        atom: u32,
        exponent: i32,
    ) -> Outcome<Option<(Monomial, Polynomial)>> {
        let keep = |exponent: i32| with_exponent(monomial, atom, exponent);
        match &self.atoms[atom as usize] {
            Atom::Symbol(_) | Atom::Pi | Atom::Cosine(..) | Atom::Exponential(..) | Atom::Call(..) => Ok(None),
            Atom::Sine(..) | Atom::Magnitude(_) if (0..2).contains(&exponent) => Ok(None),
            Atom::Sine(angle, unit) => {
                let cosine = Atom::Cosine(angle.clone(), unit.clone());
                let cosine = self.number(cosine);
                let mut square = Polynomial::constant(Rational::ONE);
                square.add_scaled(&Polynomial::atom_power(cosine, 2), &Rational::NEG_ONE);
                let squares = self.power(&square, exponent.div_euclid(2))?;
                Ok(Some((keep(exponent.rem_euclid(2)), squares)))
            }
            Atom::Magnitude(inside) => {
                let inside = inside.clone();
                let squares = self.power(&inside, exponent - exponent.rem_euclid(2))?;
                Ok(Some((keep(exponent.rem_euclid(2)), squares)))
            }
            Atom::Root(inside, order) => {
                let (inside, order) = (inside.clone(), i32::try_from(*order).map_err(|_| Stop::GiveUp)?);
                if (0..order).contains(&exponent) {
                    return Ok(None);
                }
                let powers = self.power(&inside, exponent.div_euclid(order))?;
                Ok(Some((keep(exponent.rem_euclid(order)), powers)))
            }
            Atom::Inverse(inside) if exponent < 0 => {
                let inside = inside.clone();
                let powers = self.power(&inside, exponent.checked_neg().ok_or(Stop::GiveUp)?)?;
                Ok(Some((keep(0), powers)))
            }
            Atom::Inverse(_) => Ok(None),
            Atom::Holds(..) => match exponent {
                1 => Ok(None),
                2.. => Ok(Some((keep(1), Polynomial::constant(Rational::ONE)))),
                _ => Err(Stop::GiveUp),
            },
            Atom::Sign(inside) => {
                // sign³ = sign, 1/sign = sign; sign·|p| = p; sign(x)·x = |x|.
                if !(1..=2).contains(&exponent) {
                    let reduced = if exponent.rem_euclid(2) == 0 { 2 } else { 1 };
                    return Ok(Some((keep(reduced), Polynomial::constant(Rational::ONE))));
                }
                let inside = inside.clone();
                let magnitude = self.number(Atom::Magnitude(inside.clone()));
                let one_less = keep(exponent - 1);
                let magnitudes = exponent_of(monomial, magnitude);
                if magnitudes > 0 {
                    return Ok(Some((with_exponent(&one_less, magnitude, magnitudes - 1), (*inside).clone())));
                }
                if let Some(plain) = inside.as_atom()
                    && exponent_of(monomial, plain) > 0
                {
                    let rest = with_exponent(&one_less, plain, exponent_of(monomial, plain) - 1);
                    return Ok(Some((rest, Polynomial::atom(magnitude))));
                }
                Ok(None)
            }
            Atom::RecipOrZero(inside) => {
                if exponent < 0 {
                    let inside = inside.clone();
                    let powers = self.power(&inside, exponent.checked_neg().ok_or(Stop::GiveUp)?)?;
                    return Ok(Some((keep(0), powers)));
                }
                // x² z = x and x z² = z hold at 0 too; x z = 1 does not.
                let Some(plain) = inside.as_atom() else { return Ok(None) };
                let powers = exponent_of(monomial, plain);
                if powers <= 0 || (powers == 1 && exponent == 1) {
                    return Ok(None);
                }
                let common = powers.min(exponent) - i32::from(powers == exponent);
                let rest = with_exponent(&keep(exponent - common), plain, powers - common);
                Ok(Some((rest, Polynomial::constant(Rational::ONE))))
            }
        }
    }
}
