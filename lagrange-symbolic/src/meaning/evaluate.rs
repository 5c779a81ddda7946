//! The value of an expression. One walk over the syntax tree checks the shapes of every operation.
//!
//! `None` means that a mistake inside the expression has been reported. Its other parts are still read for further
//! mistakes.

use super::arithmetic::{self, At};
use super::integral::{self, Obstacle};
use super::order::indexed;
use super::quadrature;
use super::scope::Scope;
use super::value::{Shape, Value};
use crate::graph::Id;
use crate::parse::notation;
use crate::report::{Mistake, Place, did_you_mean};
use crate::syntax::{Binary, Expr, ExprKind, Range, Unary, plain};
use proc_macro2::Ident;

impl Scope<'_> {
    /// The value of an expression.
    pub(crate) fn value(&mut self, expr: &Expr) -> Option<Value> {
        if !self.step(expr.place) {
            return None;
        }
        match &expr.kind {
            ExprKind::Number(value) => Some(Value::scalar(self.graph.number(value.clone()))),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Call { function, arguments } => self.call(function, arguments, expr.place),
            ExprKind::Vector(elements) => self.vector(elements, expr.place),
            ExprKind::Index { .. } => self.index(expr),
            ExprKind::Unary(Unary::Negate, operand) => {
                let value = self.value(operand)?;
                let result = arithmetic::negate(&mut self.graph, &value);
                self.checked(result, operand.place)
            }
            ExprKind::Unary(Unary::Not, operand) => {
                let condition = self.condition(operand, "the operand of `!`")?;
                Some(Value::condition(self.graph.not(condition)))
            }
            ExprKind::Binary(..) => self.binary(expr),
            ExprKind::If { condition, then, otherwise } => self.choice(condition, then, otherwise, expr.place),
            ExprKind::Integral { dummy, from, to, integrand, nodes } => {
                self.integral(expr, dummy, [from, to, integrand], nodes.as_deref())
            }
            ExprKind::Sum { range, term } => self.sum(range, term),
        }
    }

    /// The value of an expression that must be a scalar.
    pub(crate) fn scalar(&mut self, expr: &Expr, what: &str) -> Option<Id> {
        let value = self.value(expr)?;
        if value.as_scalar().is_none() {
            self.report.add(arithmetic::scalar_needed(what, &value), expr.place);
        }
        value.as_scalar()
    }

    /// The value of an expression that must be a condition.
    pub(super) fn condition(&mut self, expr: &Expr, what: &str) -> Option<Id> {
        let value = self.value(expr)?;
        if value.shape != Shape::Condition {
            let mistake = Mistake::ConditionNeeded { what: what.to_owned(), found: value.shape.to_string() };
            self.report.add(mistake, expr.place);
            return None;
        }
        value.entries.first().copied()
    }

    pub(crate) fn checked<T>(&mut self, result: Result<T, Mistake>, place: Place) -> Option<T> {
        result.map_err(|mistake| self.report.add(mistake, place)).ok()
    }

    /// The value of a chain of operators. The walk along the left operands is a loop, because a long sum is deeply
    /// nested there.
    fn binary(&mut self, expr: &Expr) -> Option<Value> {
        let mut operations = Vec::new();
        let mut first = expr;
        let mut is_foreign = false;
        while let ExprKind::Binary(operator, left, right) = &first.kind {
            if let Some(mistake) = notation::foreign_operation(first, |name| self.is_quantity(name)) {
                self.report.add(mistake, first.place);
                is_foreign = true;
                break;
            }
            operations.push((*operator, &**left, &**right, first.place));
            first = left;
        }
        let mut value = if is_foreign { None } else { self.value(first) };
        let mut additions: Vec<(Value, bool)> = Vec::new();
        while let Some((operator, left, right, place)) = operations.pop() {
            if operator.level() != Binary::Add.level() {
                value = self.operation(operator, value, (left, right), place);
                continue;
            }
            let right = self.value(right);
            let name = if operator == Binary::Add { "an addition" } else { "a subtraction" };
            let fits = |(left, right): &(Value, Value)| {
                self.checked(arithmetic::same_shape(name, left, right), place).is_some()
            };
            let Some((left, right)) = value.zip(right).filter(fits) else {
                additions.clear();
                value = None;
                continue;
            };
            if additions.is_empty() {
                additions.push((left.clone(), true));
            }
            additions.push((right, operator == Binary::Add));
            // A run of additions and subtractions becomes one sum at its end.
            let more = operations.last().is_some_and(|next| next.0.level() == Binary::Add.level());
            value = Some(if more { left } else { self.added(&std::mem::take(&mut additions)) });
        }
        value
    }

    fn added(&mut self, terms: &[(Value, bool)]) -> Value {
        let sum = arithmetic::sum(&mut self.graph, terms);
        self.record_sum(terms, &sum);
        sum
    }

    fn operation(
        &mut self,
        operator: Binary,
        left: Option<Value>,
        (left_side, right_side): (&Expr, &Expr),
        place: Place,
    ) -> Option<Value> {
        let right = self.value(right_side);
        let (left, right) = (left?, right?);
        let graph = &mut self.graph;
        let result = match operator {
            Binary::Multiply => {
                let product = arithmetic::multiply(graph, &left, &right);
                product.map(|product| self.record_product(&left, &right, product))
            }
            Binary::Divide => arithmetic::divide(graph, &left, &right),
            Binary::Power => arithmetic::power(graph, &left, &right),
            Binary::And | Binary::Or => arithmetic::connect(graph, operator, &left, &right),
            _ => arithmetic::compare(graph, operator, &left, &right),
        };
        match result {
            Ok(value) => Some(value),
            Err(fault) => {
                let (mistake, at) = *fault;
                let place = match at {
                    At::Whole => place,
                    At::Left => left_side.place,
                    At::Right => right_side.place,
                };
                self.report.add(mistake, place);
                None
            }
        }
    }

    fn vector(&mut self, elements: &[Expr], place: Place) -> Option<Value> {
        let values: Vec<Option<Value>> = elements.iter().map(|element| self.value(element)).collect();
        let values: Vec<Value> = values.into_iter().collect::<Option<_>>()?;
        let Some(first) = values.first() else {
            self.report.add(Mistake::EmptyVector {}, place);
            return None;
        };
        for (row, (value, element)) in values.iter().zip(elements).enumerate() {
            let found = value.shape.to_string();
            if matches!(value.shape, Shape::Matrix(..) | Shape::Condition) {
                let mistake = arithmetic::scalar_needed("an element of a vector", value);
                self.report.add(mistake, element.place);
                return None;
            }
            if value.shape != first.shape {
                let mistake = Mistake::RaggedRows { row, expected: first.shape.to_string(), found };
                self.report.add(mistake, element.place);
                return None;
            }
        }
        let shape = match first.shape {
            Shape::Vector(columns) => Shape::Matrix(values.len(), columns),
            _ => Shape::Vector(values.len()),
        };
        Some(Value::new(shape, values.into_iter().flat_map(|value| value.entries).collect()))
    }

    fn index(&mut self, expr: &Expr) -> Option<Value> {
        let (base, indices) = indexed(expr);
        if let ExprKind::Index { indices: group, .. } = &expr.kind
            && group.is_empty()
        {
            self.report.add(Mistake::MissingIndex { name: base.to_string() }, expr.place);
            return None;
        }
        if let ExprKind::Name(ident) = &base.kind
            && let Some(element) = self.element(ident, &indices, expr.place)
        {
            let (value, used) = element?;
            return self.entries(value, &indices[used..], None, expr.place);
        }
        match self.derived(base) {
            Some((name, value)) => self.entries(value, &indices, Some(&name), expr.place),
            None => {
                let of_coordinates = match &base.kind {
                    ExprKind::Call { function, .. } => {
                        Some(plain(function)).filter(|name| name == "reaction" || name == "constraint_jacobian")
                    }
                    _ => None,
                };
                let value = self.value(base)?;
                self.entries(value, &indices, of_coordinates.as_deref(), expr.place)
            }
        }
    }

    /// The part of a value that the indices select.
    fn entries(&mut self, mut value: Value, indices: &[&Expr], of: Option<&str>, place: Place) -> Option<Value> {
        if indices.is_empty() {
            return Some(value);
        }
        if matches!(value.shape, Shape::Scalar | Shape::Condition) {
            self.report.add(Mistake::IndexedScalar {}, place);
            return None;
        }
        let (most, expected) =
            if matches!(value.shape, Shape::Matrix(..)) { (2, "1 or 2 indices") } else { (1, "1 index") };
        if indices.len() > most {
            let (shape, expected) = (value.shape.to_string(), expected.to_owned());
            self.report.add(Mistake::IndexCount { shape, expected, found: indices.len() }, place);
            return None;
        }
        for index in indices {
            let (length, width) = match value.shape {
                Shape::Matrix(rows, columns) => (rows, columns),
                _ => (value.entries.len(), 1),
            };
            let position = self.position(index, length, of)?;
            let shape = if matches!(value.shape, Shape::Matrix(..)) { Shape::Vector(width) } else { Shape::Scalar };
            value = Value::new(shape, value.entries[position * width..][..width].to_vec());
        }
        Some(value)
    }

    /// An index between 0 and `length`. `of` is the derived quantity that is indexed, if it is one: names of
    /// coordinates may index it.
    fn position(&mut self, index: &Expr, length: usize, of: Option<&str>) -> Option<usize> {
        if let Some(of) = of {
            if let Some(position) = self.coordinate(index) {
                return Some(position);
            }
            let (base, _) = indexed(index);
            if let ExprKind::Name(name) = &base.kind
                && self.known.number(&plain(name)).is_none()
            {
                let suggestion = did_you_mean(&plain(name), self.coordinate_names());
                let mistake = Mistake::UnknownIndex { name: index.to_string(), of: of.to_owned(), suggestion };
                self.report.add(mistake, index.place);
                return None;
            }
        }
        let whole = match self.known.whole(index) {
            Ok(whole) => whole,
            Err(fault) => {
                self.fault(fault);
                return None;
            }
        };
        let position = usize::try_from(whole).ok().filter(|position| *position < length);
        if position.is_none() {
            self.report.add(Mistake::IndexBounds { index: whole.to_string(), length }, index.place);
        }
        position
    }

    /// The terms of a sum, added up. An empty sum is the scalar 0.
    fn sum(&mut self, range: &Range, term: &Expr) -> Option<Value> {
        if !self.names_index(&range.variable) {
            return None;
        }
        let values = match self.known.range(range) {
            Ok(values) => values,
            Err(fault) => {
                self.fault(fault);
                return None;
            }
        };
        let name = plain(&range.variable);
        let mut terms: Vec<(Value, bool)> = Vec::new();
        for value in values {
            let next = self.with_indices(&[(name.clone(), value)], |scope| scope.value(term))?;
            let first = terms.first().map_or(&next, |(first, _)| first);
            self.checked(arithmetic::same_shape("a sum", first, &next), term.place)?;
            terms.push((next, true));
        }
        if terms.is_empty() {
            return Some(Value::scalar(self.graph.zero()));
        }
        Some(self.added(&terms))
    }

    /// Whether an index of this name is in scope.
    pub(crate) fn names_index(&mut self, ident: &Ident) -> bool {
        let name = plain(ident);
        let mistake = if name == "t" || name == "pi" {
            Mistake::ReservedName { name }
        } else if self.stated.contains(&name) {
            Mistake::IndexIsQuantity { name }
        } else {
            return true;
        };
        self.report.add(mistake, ident);
        false
    }

    fn choice(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr, place: Place) -> Option<Value> {
        let condition = self.condition(condition, "what follows `if`");
        let then = self.value(then);
        let otherwise = self.value(otherwise);
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        self.checked(arithmetic::same_shape("a choice", &then, &otherwise), place)?;
        let entries = then.entries.iter().zip(&otherwise.entries);
        let entries = entries.map(|(yes, no)| self.graph.select(condition, *yes, *no)).collect();
        Some(Value::new(then.shape, entries))
    }

    fn integral(
        &mut self,
        whole: &Expr,
        dummy: &Ident,
        [from, to, integrand]: [&Expr; 3],
        nodes: Option<&Expr>,
    ) -> Option<Value> {
        let name = plain(dummy);
        if name == "t" || name == "pi" {
            self.report.add(Mistake::ReservedName { name }, dummy);
            return None;
        }
        let from = self.scalar(from, "the lower bound of an integral");
        let to = self.scalar(to, "the upper bound of an integral");
        let nodes = match nodes {
            Some(nodes) => Some(self.node_count(nodes)?),
            None => None,
        };
        self.with_dummy(name.clone(), |scope, symbol| {
            let value = scope.value(integrand)?;
            if value.shape == Shape::Condition {
                let mistake = arithmetic::scalar_needed("an integrand", &value);
                scope.report.add(mistake, integrand.place);
                return None;
            }
            let (from, to) = (from?, to?);
            if let Some(nodes) = nodes {
                let entries = quadrature::gauss_legendre(&mut scope.graph, &value.entries, symbol, (from, to), nodes);
                return Some(Value::new(value.shape, entries));
            }
            let mut entries = Vec::new();
            for entry in &value.entries {
                match integral::closed_form(&mut scope.graph, *entry, symbol, (from, to)) {
                    Ok(id) => entries.push(id),
                    Err(Obstacle::Degree) => {
                        let mistake = Mistake::IntegralDegree {
                            dummy: name,
                            limit: integral::LARGEST_DEGREE,
                            form: by_quadrature(whole, 24),
                        };
                        scope.report.add(mistake, integrand.place);
                        return None;
                    }
                    Err(Obstacle::Factor) => {
                        let factor = scope.innermost(integrand, &mut |scope, value| {
                            let fails = |id: &Id| integral::terms(&mut scope.graph, *id, symbol).is_err();
                            value.entries.iter().any(fails)
                        });
                        let mistake = Mistake::IntegralFactor {
                            factor: factor.to_string(),
                            dummy: name,
                            form: by_quadrature(whole, 8),
                        };
                        scope.report.add(mistake, factor.place);
                        return None;
                    }
                }
            }
            Some(Value::new(value.shape, entries))
        })
    }

    /// The number of nodes of a quadrature.
    fn node_count(&mut self, nodes: &Expr) -> Option<usize> {
        let count = match self.known.whole(nodes) {
            Ok(count) => count,
            Err(fault) => {
                self.fault(fault);
                return None;
            }
        };
        let valid = usize::try_from(count).ok().filter(|count| (1..=quadrature::MOST_NODES).contains(count));
        if valid.is_none() {
            let mistake = Mistake::NodeCount { found: count.to_string(), limit: quadrature::MOST_NODES };
            self.report.add(mistake, nodes.place);
        }
        valid
    }

    /// The innermost part of an expression for whose value `holds` is true. It must be true for the expression itself.
    pub(crate) fn innermost<'e>(
        &mut self,
        expr: &'e Expr,
        holds: &mut dyn FnMut(&mut Self, &Value) -> bool,
    ) -> &'e Expr {
        let mut blamed = expr;
        'down: loop {
            for part in blamed.parts() {
                let before = self.report.entries().len();
                let value = self.value(part).filter(|_| self.report.entries().len() == before);
                // The name of an array of which only elements are used has no value alone.
                self.report.shorten(before);
                if let Some(value) = value
                    && holds(self, &value)
                {
                    blamed = part;
                    continue 'down;
                }
            }
            return blamed;
        }
    }
}

/// The text of an integral with `nodes = …` added.
fn by_quadrature(integral: &Expr, nodes: usize) -> String {
    let text = integral.to_string();
    format!("{}, nodes = {nodes})", text.strip_suffix(')').unwrap_or(&text))
}
