//! Exact numbers that are known while a block is read: constants, indices, lengths, bounds.

use crate::graph::Rational;
use crate::report::{Mistake, Place};
use crate::syntax::{Binary, Expr, ExprKind, Indexing, Range, Unary, plain};
use proc_macro2::Ident;
use std::collections::BTreeMap;

/// The most elements of one statement and the most terms of one sum.
pub(crate) const MOST_ELEMENTS: i64 = 10_000;

/// The most bits of the numerator and of the denominator of a constant.
const MOST_BITS: usize = 4096;

/// The names of exact numbers that are in scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// The constants of the block. `None` for one that failed, which is reported already.
    pub(crate) constants: BTreeMap<String, Option<Rational>>,
    /// The indices around the present expression, the innermost last.
    pub(crate) indices: Vec<(String, i64)>,
}

/// Why the value of a number is not known: a mistake to report, or `None` if it is reported already.
pub(crate) type NumberFault = Option<Box<(Mistake, Place)>>;

fn fault(mistake: Mistake, place: Place) -> NumberFault {
    Some(Box::new((mistake, place)))
}

impl Known {
    /// The number that a name means, if it means one. `Some(None)` for a constant that failed.
    pub(crate) fn number(&self, name: &str) -> Option<Option<Rational>> {
        match self.indices.iter().rev().find(|(index, _)| index == name) {
            Some((_, value)) => Some(Some(Rational::from(*value))),
            None => self.constants.get(name).cloned(),
        }
    }

    /// The exact value of an expression of numbers, constants and indices.
    pub(crate) fn rational(&self, expr: &Expr) -> Result<Rational, NumberFault> {
        let value = match &expr.kind {
            ExprKind::Number(value) => value.clone(),
            ExprKind::Name(name) => match self.number(&plain(name)) {
                Some(value) => value.ok_or(None)?,
                None => return Err(fault(Mistake::NotConstant { found: plain(name) }, expr.place)),
            },
            ExprKind::Unary(Unary::Negate, operand) => -self.rational(operand)?,
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.rational(left)?, self.rational(right)?);
                match operator {
                    Binary::Add => left + right,
                    Binary::Subtract => left - right,
                    Binary::Multiply => left * right,
                    Binary::Divide if right != Rational::ZERO => left / right,
                    Binary::Divide => return Err(fault(Mistake::DivisionByZero {}, expr.place)),
                    Binary::Power => power(&left, &right, expr.place)?,
                    _ => return Err(fault(Mistake::NotConstant { found: expr.to_string() }, expr.place)),
                }
            }
            _ => return Err(fault(Mistake::NotConstant { found: expr.to_string() }, expr.place)),
        };
        if bits(&value) > MOST_BITS {
            return Err(fault(Mistake::ConstantSize {}, expr.place));
        }
        Ok(value)
    }

    /// The value of an expression that must be a whole number.
    pub(crate) fn whole(&self, expr: &Expr) -> Result<i64, NumberFault> {
        let value = self.rational(expr)?;
        let whole = if value.is_int() { i64::try_from(value.numerator().clone()).ok() } else { None };
        whole.ok_or_else(|| fault(Mistake::NotWhole { found: expr.to_string() }, expr.place))
    }

    /// The indices from the first bound to the second, without the second.
    pub(crate) fn range(&self, range: &Range) -> Result<std::ops::Range<i64>, NumberFault> {
        let (from, to) = (self.whole(&range.from)?, self.whole(&range.to)?);
        if to.saturating_sub(from) > MOST_ELEMENTS {
            let mistake = Mistake::TooManyElements { limit: MOST_ELEMENTS };
            return Err(fault(mistake, range.from.place.to(range.to.place)));
        }
        Ok(from..to.max(from))
    }

    /// The elements of an indexed statement. A plain statement has one element without indices.
    pub(crate) fn elements(&self, indexing: &[Indexing]) -> Result<Vec<IndexedElement>, NumberFault> {
        let mut elements = vec![IndexedElement::default()];
        for index in indexing {
            let mut next = Vec::new();
            for element in &elements {
                let known =
                    Self { constants: self.constants.clone(), indices: [&self.indices[..], &element.locals].concat() };
                match index {
                    Indexing::Element(expr) => {
                        let mut element = element.clone();
                        element.indices.push(known.whole(expr)?);
                        next.push(element);
                    }
                    Indexing::Range(range) => {
                        let values = known.range(range)?;
                        for value in values {
                            let mut element = element.clone();
                            element.indices.push(value);
                            element.locals.push((plain(&range.variable), value));
                            next.push(element);
                        }
                    }
                }
                if next.len() as i64 > MOST_ELEMENTS {
                    let mistake = Mistake::TooManyElements { limit: MOST_ELEMENTS };
                    let place = match index {
                        Indexing::Element(expr) => expr.place,
                        Indexing::Range(range) => Place::from(&range.variable).to(range.to.place),
                    };
                    return Err(fault(mistake, place));
                }
            }
            elements = next;
        }
        Ok(elements)
    }
}

/// One element of an indexed statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexedElement {
    /// Its indices.
    pub(crate) indices: Vec<i64>,
    /// The values of the statement's variables.
    pub(crate) locals: Vec<(String, i64)>,
}

/// `name[1][2]`, or `link[1].name[2]` for a quantity of a part in an array.
pub(crate) fn element_name(name: &str, indices: &[i64]) -> String {
    crate::syntax::element(name, indices)
}

/// An expression with its indices written as numbers: `theta[i + 1]` as `theta[3]`.
pub(crate) fn concrete(expr: &Expr, known: &Known) -> Expr {
    let each = |list: &[Expr]| list.iter().map(|part| concrete(part, known)).collect::<Vec<_>>();
    let boxed = |part: &Expr| Box::new(concrete(part, known));
    let kind = match &expr.kind {
        ExprKind::Name(name) if known.indices.iter().any(|(index, _)| *index == plain(name)) => {
            known.rational(expr).map_or_else(|_| expr.kind.clone(), ExprKind::Number)
        }
        ExprKind::Call { function, arguments } => {
            ExprKind::Call { function: function.clone(), arguments: each(arguments) }
        }
        ExprKind::Vector(elements) => ExprKind::Vector(each(elements)),
        ExprKind::Index { of, indices } => {
            let number = |index: &Expr| match known.rational(index) {
                Ok(value) => Expr::new(ExprKind::Number(value), index.place),
                Err(_) => concrete(index, known),
            };
            ExprKind::Index { of: boxed(of), indices: indices.iter().map(number).collect() }
        }
        ExprKind::Unary(sign, operand) => ExprKind::Unary(*sign, boxed(operand)),
        ExprKind::Binary(operator, left, right) => ExprKind::Binary(*operator, boxed(left), boxed(right)),
        ExprKind::If { condition, then, otherwise } => {
            ExprKind::If { condition: boxed(condition), then: boxed(then), otherwise: boxed(otherwise) }
        }
        other => other.clone(),
    };
    Expr::new(kind, expr.place)
}

/// The names of the variables of a statement's ranges.
pub(crate) fn variables(indexing: &[Indexing]) -> impl Iterator<Item = &Ident> {
    indexing.iter().filter_map(|index| match index {
        Indexing::Range(range) => Some(&range.variable),
        Indexing::Element(_) => None,
    })
}

fn power(base: &Rational, exponent: &Rational, place: Place) -> Result<Rational, NumberFault> {
    let exponent = if exponent.is_int() { i64::try_from(exponent.numerator().clone()).ok() } else { None };
    let Some(exponent) = exponent else { return Err(fault(Mistake::ConstantPower {}, place)) };
    if *base == Rational::ZERO && exponent < 0 {
        return Err(fault(Mistake::DivisionByZero {}, place));
    }
    let count = exponent.unsigned_abs();
    // Powers of 0 and ±1 stay small whatever the exponent is.
    let unit = bits(base) <= 2;
    if !unit && count.saturating_mul(bits(base) as u64) > MOST_BITS as u64 {
        return Err(fault(Mistake::ConstantSize {}, place));
    }
    let count = if unit { count % 2 + 2 * u64::from(count > 0 && count.is_multiple_of(2)) } else { count };
    let power = (0..count).fold(Rational::ONE, |power, _| power * base.clone());
    Ok(if exponent < 0 { Rational::ONE / power } else { power })
}

/// The number of bits of the numerator and the denominator.
fn bits(value: &Rational) -> usize {
    use dashu_base::BitTest;
    value.numerator().bit_len() + value.denominator().bit_len()
}
