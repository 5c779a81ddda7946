//! Statements with other names: every expression of a statement, and the names that it binds.

use crate::syntax::{Expr, ExprKind, Indexing, Range, StatementKind, When, plain};
use proc_macro2::Ident;

/// What becomes of the names in expressions.
pub(super) trait Names {
    /// What stands for a name with its indices, which are renamed already. `None` if the name stays.
    fn quantity(&mut self, name: &Ident, indices: Vec<Expr>, whole: &Expr) -> Option<Expr>;

    /// What stands for the name of a function.
    fn function(&mut self, name: &Ident) -> Option<Ident>;

    /// What stands for a variable of a range or of an integral where it is bound.
    fn variable(&mut self, name: &Ident) -> Option<Ident>;
}

/// A walk through a statement.
pub(super) struct Walk<'n, N> {
    pub(super) names: &'n mut N,
    /// The variables around the present expression with what stands for them, the innermost last.
    locals: Vec<(String, Ident)>,
}

impl<'n, N: Names> Walk<'n, N> {
    pub(super) fn new(names: &'n mut N) -> Self {
        Self { names, locals: Vec::new() }
    }

    /// Renames what stands in the expressions of a statement.
    pub(super) fn statement(&mut self, kind: &mut StatementKind) {
        if let StatementKind::Extern(_) = kind {
            return;
        }
        if let Some(indexing) = indexing(kind) {
            for index in indexing {
                match index {
                    Indexing::Element(index) => *index = self.expression(index),
                    Indexing::Range(range) => {
                        (range.from, range.to) = (self.expression(&range.from), self.expression(&range.to));
                        range.variable = self.bind(&range.variable);
                    }
                }
            }
        }
        for expr in expressions(kind) {
            *expr = self.expression(expr);
        }
        self.locals.clear();
    }

    /// Adds a variable to those around the expressions that follow, and gives what stands for it.
    fn bind(&mut self, variable: &Ident) -> Ident {
        let other = self.names.variable(variable).unwrap_or_else(|| variable.clone());
        self.locals.push((plain(variable), other.clone()));
        other
    }

    /// An expression with other names.
    pub(super) fn expression(&mut self, expr: &Expr) -> Expr {
        // Long chains of operators lie to the left, and are walked in a loop.
        let (mut first, mut chain) = (expr, Vec::new());
        while let ExprKind::Binary(operator, left, right) = &first.kind {
            chain.push((*operator, right, first));
            first = left;
        }
        let mut value = self.operand(first);
        for (operator, right, whole) in chain.into_iter().rev() {
            let right = Box::new(self.expression(right));
            value = built(ExprKind::Binary(operator, Box::new(value), right), whole);
        }
        value
    }

    fn operand(&mut self, expr: &Expr) -> Expr {
        if let Some((name, indices)) = expr.named() {
            return self.named(name, &indices, expr);
        }
        let kind = match &expr.kind {
            ExprKind::Call { function, arguments } => ExprKind::Call {
                arguments: self.each(arguments),
                function: self.names.function(function).unwrap_or_else(|| function.clone()),
            },
            ExprKind::Vector(elements) => ExprKind::Vector(self.each(elements)),
            ExprKind::Index { of, indices } => ExprKind::Index { of: self.boxed(of), indices: self.each(indices) },
            ExprKind::Unary(sign, operand) => ExprKind::Unary(*sign, self.boxed(operand)),
            ExprKind::If { condition, then, otherwise } => ExprKind::If {
                condition: self.boxed(condition),
                then: self.boxed(then),
                otherwise: self.boxed(otherwise),
            },
            ExprKind::Integral { dummy, from, to, integrand, nodes } => {
                let (from, to) = (self.boxed(from), self.boxed(to));
                let nodes = nodes.as_ref().map(|nodes| self.boxed(nodes));
                let (dummy, integrand) = self.inside(dummy, integrand);
                ExprKind::Integral { dummy, from, to, integrand, nodes }
            }
            ExprKind::Sum { range, term } => {
                let (from, to) = (self.expression(&range.from), self.expression(&range.to));
                let (variable, term) = self.inside(&range.variable, term);
                ExprKind::Sum { range: Box::new(Range { variable, from, to }), term }
            }
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Binary(..) => return expr.clone(),
        };
        built(kind, expr)
    }

    /// A name with its indices.
    fn named(&mut self, name: &Ident, indices: &[&Expr], whole: &Expr) -> Expr {
        let text = plain(name);
        let variable = self.locals.iter().rfind(|(local, _)| *local == text).map(|(_, other)| other.clone());
        let renamed: Vec<Expr> = indices.iter().map(|index| self.expression(index)).collect();
        if variable.is_none()
            && let Some(other) = self.names.quantity(name, renamed.clone(), whole)
        {
            return other;
        }
        let name = variable.as_ref().unwrap_or(name);
        match &whole.kind {
            ExprKind::Index { .. } => {
                let head = Box::new(Expr::new(ExprKind::Name(name.clone()), whole.place));
                built(ExprKind::Index { of: head, indices: renamed }, whole)
            }
            _ => built(ExprKind::Name(name.clone()), whole),
        }
    }

    /// What stands for a variable, and the expression in which it is bound.
    fn inside(&mut self, variable: &Ident, expr: &Expr) -> (Ident, Box<Expr>) {
        let variable = self.bind(variable);
        let expr = self.boxed(expr);
        self.locals.pop();
        (variable, expr)
    }

    fn each(&mut self, list: &[Expr]) -> Vec<Expr> {
        list.iter().map(|expr| self.expression(expr)).collect()
    }

    fn boxed(&mut self, expr: &Expr) -> Box<Expr> {
        Box::new(self.expression(expr))
    }
}

/// An expression in the place of another.
fn built(kind: ExprKind, of: &Expr) -> Expr {
    Expr { unit: of.unit.clone(), ..Expr::new(kind, of.place) }
}

/// What a statement defines, unless it defines functions or several names.
pub(super) fn defined(kind: &mut StatementKind) -> Option<&mut Ident> {
    match kind {
        StatementKind::Let { name, .. }
        | StatementKind::Friction { name, .. }
        | StatementKind::Contact { name, .. }
        | StatementKind::Constraint { name, .. }
        | StatementKind::Mode { name, .. }
        | StatementKind::State { name, .. }
        | StatementKind::Output { name, .. } => Some(name),
        _ => None,
    }
}

/// The indices of a statement.
pub(super) fn indexing(kind: &mut StatementKind) -> Option<&mut Vec<Indexing>> {
    match kind {
        StatementKind::Let { indices, .. }
        | StatementKind::Force { indices, .. }
        | StatementKind::Torque { indices, .. }
        | StatementKind::Friction { indices, .. }
        | StatementKind::Contact { indices, .. }
        | StatementKind::Constraint { indices, .. }
        | StatementKind::Mode { indices, .. }
        | StatementKind::State { indices, .. }
        | StatementKind::Invariant { indices, .. }
        | StatementKind::Symmetry { indices, .. }
        | StatementKind::Output { indices, .. } => Some(indices),
        _ => None,
    }
}

/// The expressions of a statement. Expressions in its indices are not among them.
fn expressions(kind: &mut StatementKind) -> Vec<&mut Expr> {
    match kind {
        StatementKind::Coordinates(declared) | StatementKind::Given(declared) => {
            declared.iter_mut().flat_map(|declared| &mut declared.lengths).collect()
        }
        StatementKind::Let { value, .. }
        | StatementKind::Energy { value, .. }
        | StatementKind::Output { value, .. }
        | StatementKind::Invariant { value, .. }
        | StatementKind::Assume(value)
        | StatementKind::Const { value, .. }
        | StatementKind::MaxOperations(value) => vec![value],
        StatementKind::Symmetry { change, gauge, .. } => [change].into_iter().chain(gauge).collect(),
        StatementKind::Force { left, right, .. }
        | StatementKind::Torque { left, right, .. }
        | StatementKind::State { left, right, .. }
        | StatementKind::Verify { left, right } => vec![left, right],
        StatementKind::Constraint { left, right, when, .. } => {
            [left, right].into_iter().chain(when.as_deref_mut()).collect()
        }
        StatementKind::Friction { slip, bound, smooth, breakaway, .. } => {
            [slip, bound].into_iter().chain(smooth).chain(breakaway).collect()
        }
        StatementKind::Contact { sides, restitution, friction, breakaway, adhesion, .. } => {
            let friction = friction.as_deref_mut().map(|(slip, bound)| [slip, bound]);
            let of_gap = [&mut sides.0, &mut sides.1].into_iter().chain(restitution.as_deref_mut());
            let of_slip = friction.into_iter().flatten().chain(breakaway.as_deref_mut());
            of_gap.chain(of_slip).chain(adhesion.as_deref_mut()).collect()
        }
        StatementKind::Mode { changes, .. } => {
            let mut all = Vec::new();
            for When { condition, value, then } in changes {
                all.extend([condition, value]);
                all.extend(then.iter_mut().flat_map(|(target, value)| [target, value]));
            }
            all
        }
        StatementKind::Table { knots, values, slopes, .. } => knots.iter_mut().chain([values]).chain(slopes).collect(),
        StatementKind::Part { length, .. } => length.iter_mut().collect(),
        StatementKind::Extern(_)
        | StatementKind::Allow { .. }
        | StatementKind::Crate(_)
        | StatementKind::MayBePart
        | StatementKind::Units(_) => Vec::new(),
    }
}
