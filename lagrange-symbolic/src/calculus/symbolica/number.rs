//! Exact numbers in both directions.

use crate::graph::{Rational, rational};
use ::symbolica::atom::{Atom, AtomView};
use ::symbolica::coefficient::CoefficientView;
use ::symbolica::domains::integer::Integer;
use ::symbolica::domains::rational::Rational as Fraction;
use dashu_int::IBig;

/// A number as an atom. Large integers pass as text, which both sides read and write exactly.
pub(super) fn to_symbolica(value: &Rational) -> Atom {
    let integer = |value: &IBig| match i64::try_from(value) {
        Ok(small) => Integer::from(small),
        // Every reader takes decimal digits for an integer.
        Err(_) => value.to_string().parse().unwrap_or_else(|_| Integer::zero()),
    };
    Atom::num((integer(value.numerator()), integer(&value.denominator().clone().into())))
}

/// The number that an atom is; `None` where it is no real number, or not exact.
pub(super) fn from_symbolica(view: AtomView<'_>) -> Option<Rational> {
    let AtomView::Num(number) = view else { return None };
    match number.get_coeff_view() {
        CoefficientView::Natural(numerator, denominator, 0, _) => {
            Some(rational(numerator, u64::try_from(denominator).ok()?))
        }
        CoefficientView::Large(..) => {
            let value = Fraction::try_from(&view.to_owned()).ok()?;
            let digits = |value: Integer| value.to_string().parse::<IBig>().ok();
            let (numerator, denominator) = (digits(value.numerator())?, digits(value.denominator())?);
            Some(Rational::from(numerator) / Rational::from(denominator))
        }
        _ => None,
    }
}
