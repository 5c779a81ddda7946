//! The units of expressions.

use super::checker::{Checker, Elements};
use super::conflict::{Side, Why};
use super::linear::Linear;
use super::quantity::Quantity;
use super::symbol;
use crate::graph::Rational;
use crate::syntax::{Binary, Expr, ExprKind, Unary, plain};
use proc_macro2::Ident;

impl<'s> Checker<'s> {
    /// The unit of an expression as it stands.
    pub(super) fn of(&mut self, expr: &'s Expr) -> Quantity {
        match &expr.kind {
            ExprKind::Number(value) => self.literal(expr, value),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Call { function, arguments } => self.call(function, arguments),
            ExprKind::Vector(elements) => Quantity::Each(elements.iter().map(|element| self.value(element)).collect()),
            ExprKind::Index { .. } => self.index(expr),
            ExprKind::Unary(Unary::Negate, operand) => self.value(operand),
            ExprKind::Unary(Unary::Not, operand) => {
                self.value(operand);
                Quantity::Unknown
            }
            ExprKind::Binary(operator, left, right) => match operator {
                Binary::Add | Binary::Subtract => self.sum(expr),
                Binary::Multiply | Binary::Divide => self.product(expr),
                Binary::Power => self.power(left, right),
                Binary::And | Binary::Or => self.conditions(expr),
                _ => {
                    let [one, other] = [left, right].map(|side| self.value(side));
                    self.equate([(&one, Side::Term(left)), (&other, Side::Term(right))], Why::Comparison);
                    Quantity::Unknown
                }
            },
            ExprKind::If { condition, then, otherwise } => {
                self.value(condition);
                let [one, other] = [then, otherwise].map(|branch| self.value(branch));
                self.equate([(&one, Side::Term(then)), (&other, Side::Term(otherwise))], Why::Branches);
                if one == Quantity::Unknown { other } else { one }
            }
            ExprKind::Integral { dummy, from, to, integrand, .. } => {
                let [start, end] = [from, to].map(|bound| self.value(bound));
                self.equate([(&start, Side::Term(from)), (&end, Side::Term(to))], Why::Bounds);
                let along = if start == Quantity::Unknown { end } else { start };
                let inner = self.with_local(plain(dummy), along.clone(), |checker| checker.value(integrand));
                along.as_scalar().map_or(Quantity::Unknown, |unit| inner.times(unit, &Rational::ONE))
            }
            ExprKind::Sum { range, term } => {
                self.with_local(plain(&range.variable), Quantity::number(), |checker| checker.value(term))
            }
        }
    }

    /// A number. Zero has any unit.
    fn literal(&mut self, expr: &Expr, value: &Rational) -> Quantity {
        let unit = expr.unit.as_deref().and_then(|stated| symbol::read(stated).ok());
        Quantity::scalar(match unit {
            Some(unit) => Linear::known(unit),
            None if *value == Rational::ZERO => self.equations.unknown(),
            None => Linear::default(),
        })
    }

    fn name(&mut self, ident: &Ident) -> Quantity {
        let name = plain(ident);
        if let Some((_, local)) = self.locals.iter().rev().find(|(local, _)| *local == name) {
            return local.clone();
        }
        if let Some(quantity) = self.names.get(&name) {
            return quantity.clone();
        }
        if let Some(elements) = self.elements.get(&name) {
            return match (elements.rank, elements.any(self)) {
                (rank, Quantity::Same(unit, own)) => Quantity::Same(unit, own + rank),
                _ => Quantity::Unknown,
            };
        }
        match name.as_str() {
            "t" => Quantity::scalar(self.time.clone()),
            "pi" => Quantity::number(),
            "energy" | "kinetic" | "potential" | "lagrangian" => Quantity::scalar(self.energy.clone()),
            "dissipation" => self.rate(&Quantity::scalar(self.energy.clone())),
            _ => Quantity::Unknown,
        }
    }

    /// Terms that are added. The walk along the left operands is a loop, because a long sum is deeply nested there.
    fn sum(&mut self, whole: &'s Expr) -> Quantity {
        let mut terms = Vec::new();
        let mut first = whole;
        while let ExprKind::Binary(Binary::Add | Binary::Subtract, left, right) = &first.kind {
            terms.push(&**right);
            first = left;
        }
        let (mut known, mut result) = (first, self.value(first));
        for term in terms.into_iter().rev() {
            let next = self.value(term);
            if result == Quantity::Unknown {
                (known, result) = (term, next);
                continue;
            }
            self.equate([(&result, Side::Term(known)), (&next, Side::Term(term))], Why::Sum);
        }
        result
    }

    fn product(&mut self, whole: &'s Expr) -> Quantity {
        let mut factors = Vec::new();
        let mut first = whole;
        while let ExprKind::Binary(operator @ (Binary::Multiply | Binary::Divide), left, right) = &first.kind {
            factors.push((*operator, &**right));
            first = left;
        }
        let mut result = self.value(first);
        for (operator, factor) in factors.into_iter().rev() {
            let next = self.value(factor);
            result = match operator {
                Binary::Divide => {
                    next.as_scalar().map_or(Quantity::Unknown, |unit| result.times(unit, &-Rational::ONE))
                }
                _ => self.multiplied(&result, &next, whole),
            };
        }
        result
    }

    fn conditions(&mut self, whole: &'s Expr) -> Quantity {
        let mut first = whole;
        while let ExprKind::Binary(Binary::And | Binary::Or, left, right) = &first.kind {
            self.value(right);
            first = left;
        }
        self.value(first);
        Quantity::Unknown
    }

    fn power(&mut self, base: &'s Expr, exponent: &'s Expr) -> Quantity {
        let found = self.value(base);
        if let Ok(power) = self.known.rational(exponent) {
            return found.map(&mut |unit| unit.power(&power));
        }
        // The unit of a power whose exponent is an index differs from element to element, except that of a number.
        if found.as_scalar().is_some_and(|unit| self.equations.resolved(unit) == Linear::default()) {
            return Quantity::number();
        }
        if self.locals.iter().any(|(name, _)| mentions(exponent, name)) {
            return Quantity::Unknown;
        }
        self.number(exponent, Why::Exponent);
        self.needs(base, &found, &Linear::default(), Why::Base);
        Quantity::number()
    }

    /// The product of two values, as `*` has it.
    fn multiplied(&mut self, left: &Quantity, right: &Quantity, whole: &'s Expr) -> Quantity {
        if let Some(unit) = left.as_scalar() {
            return right.times(unit, &Rational::ONE);
        }
        if let Some(unit) = right.as_scalar() {
            return left.times(unit, &Rational::ONE);
        }
        match (left.rank(), right.rank()) {
            (Some(2), Some(1)) => match left {
                Quantity::Each(rows) => Quantity::Each(rows.iter().map(|row| self.inner(row, right, whole)).collect()),
                Quantity::Same(unit, _) => {
                    let row = Quantity::Same(unit.clone(), 1);
                    let entry = self.inner(&row, right, whole);
                    entry.as_scalar().map_or(Quantity::Unknown, |unit| Quantity::Same(unit.clone(), 1))
                }
                Quantity::Unknown => Quantity::Unknown,
            },
            (Some(2), Some(2)) => match (left, right) {
                (Quantity::Same(one, _), Quantity::Same(other, _)) => {
                    Quantity::Same(one.times(other, &Rational::ONE), 2)
                }
                (Quantity::Each(rows), Quantity::Same(unit, _)) => {
                    let column = Quantity::Same(unit.clone(), 1);
                    let rows = rows.iter().map(|row| match self.inner(row, &column, whole) {
                        Quantity::Same(unit, _) => Quantity::Same(unit, 1),
                        _ => Quantity::Unknown,
                    });
                    Quantity::Each(rows.collect())
                }
                (Quantity::Each(rows), columns) => match columns.transposed() {
                    Quantity::Each(columns) => {
                        let row = |row: &Quantity, checker: &mut Self| {
                            Quantity::Each(columns.iter().map(|column| checker.inner(row, column, whole)).collect())
                        };
                        Quantity::Each(rows.iter().map(|own| row(own, self)).collect())
                    }
                    _ => Quantity::Unknown,
                },
                _ => Quantity::Unknown,
            },
            _ => Quantity::Unknown,
        }
    }

    /// The unit of the scalar product of two vectors, whose terms are added.
    pub(super) fn inner(&mut self, left: &Quantity, right: &Quantity, whole: &'s Expr) -> Quantity {
        let terms = left.pairs(right).into_iter().map(|(one, other)| one.times(other, &Rational::ONE));
        self.added(terms.collect(), whole)
    }

    /// The unit of components that are added.
    pub(super) fn added(&mut self, terms: Vec<Linear>, whole: &'s Expr) -> Quantity {
        let mut terms = terms.into_iter().map(Quantity::scalar);
        let Some(first) = terms.next() else { return Quantity::Unknown };
        for term in terms {
            let before = self.conflicts.len();
            self.equate([(&first, Side::Term(whole)), (&term, Side::Term(whole))], Why::Components);
            if self.conflicts.len() > before {
                break;
            }
        }
        first
    }

    /// An element. Names of coordinates index the derived quantities.
    fn index(&mut self, whole: &'s Expr) -> Quantity {
        let mut groups = Vec::new();
        let mut base = whole;
        while let ExprKind::Index { of, indices } = &base.kind {
            groups.push(indices);
            base = of;
        }
        let indices: Vec<&'s Expr> = groups.into_iter().rev().flatten().collect();
        if let ExprKind::Name(ident) = &base.kind {
            let name = plain(ident);
            let is_own = self.names.contains_key(&name) || self.locals.iter().any(|(local, _)| *local == name);
            if let Some(elements) = self.elements.get(&name) {
                let whole: Vec<Option<i64>> = indices.iter().map(|index| self.known.whole(index).ok()).collect();
                let (own, rest) = whole.split_at(elements.rank.min(whole.len()));
                let element = elements.at(own, self);
                return rest.iter().fold(element, |quantity, index| self.selected(&quantity, *index));
            }
            if !is_own {
                return self.derived(&name, &indices);
            }
        }
        if let ExprKind::Call { function, arguments } = &base.kind
            && let Some(quantity) = self.derived_by_constraint(&plain(function), arguments, &indices)
        {
            return quantity;
        }
        let quantity = self.value(base);
        indices.iter().fold(quantity, |quantity, index| self.selected(&quantity, self.known.whole(index).ok()))
    }

    fn selected(&self, quantity: &Quantity, index: Option<i64>) -> Quantity {
        quantity.element(index.and_then(|index| usize::try_from(index).ok()), &self.equations)
    }
}

impl Elements {
    /// The unit of the element with these indices, as far as they are known.
    fn at(&self, indices: &[Option<i64>], checker: &Checker<'_>) -> Quantity {
        let known: Option<Vec<i64>> = indices.iter().copied().collect();
        let stated = known.and_then(|known| self.single.get(&known).or(self.ranged.as_ref()));
        stated.cloned().unwrap_or_else(|| self.any(checker))
    }

    /// The unit of every element, if it is the same.
    pub(super) fn any(&self, checker: &Checker<'_>) -> Quantity {
        let all = self.single.values().chain(&self.ranged).cloned().collect();
        Quantity::Each(all).element(None, &checker.equations)
    }
}

/// Whether an expression contains a name.
pub(super) fn mentions(expr: &Expr, name: &str) -> bool {
    let mut open = vec![expr];
    while let Some(next) = open.pop() {
        if matches!(&next.kind, ExprKind::Name(ident) if plain(ident) == name) {
            return true;
        }
        open.extend(next.parts());
        if let ExprKind::Integral { integrand: inner, .. } | ExprKind::Sum { term: inner, .. } = &next.kind {
            open.push(inner);
        }
    }
    false
}
