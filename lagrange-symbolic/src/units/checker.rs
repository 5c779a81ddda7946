//! What a check of units knows: the units of names, the equations between units, and the conflicts that it found.

use super::conflict::{Conflict, Side, Why};
use super::linear::{Equations, Linear};
use super::quantity::Quantity;
use crate::graph::Rational;
use crate::meaning::Known;
use crate::syntax::{ConstraintKind, Expr, Measured, Spec};
use std::collections::BTreeMap;

/// The units of the elements of an indexed `let`.
#[derive(Clone, Debug, Default)]
pub(super) struct Elements {
    /// The number of indices.
    pub(super) rank: usize,
    /// The elements that are stated one by one.
    pub(super) single: BTreeMap<Vec<i64>, Quantity>,
    /// The elements that are stated by a range.
    pub(super) ranged: Option<Quantity>,
}

/// The units of a table or of an outside function.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) arguments: Vec<Linear>,
    pub(super) value: Linear,
}

/// The rows of a constraint.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) kind: ConstraintKind,
    /// The number of indices of the statement.
    pub(super) rank: usize,
    pub(super) quantity: Quantity,
}

/// An expression whose unit was asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visited<'s> {
    pub(super) expr: &'s Expr,
    /// The index of the expression that it is a part of.
    pub(super) parent: Option<usize>,
    pub(super) statement: usize,
}

/// What a check leaves open, to see which conflicts that resolves.
#[derive(Clone, Debug, Default)]
pub(super) struct Freed<'s> {
    /// Expressions that have any unit towards what contains them.
    pub(super) terms: Vec<&'s Expr>,
    /// A stated unit that does not count.
    pub(super) stated: Option<Named>,
}

/// What has a stated unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Named {
    /// A field or a coordinate.
    Name(String),
    /// The time or the energies of the block.
    Measured(Measured),
}

/// A check of the units of a block.
pub(super) struct Checker<'s> {
    pub(super) spec: &'s Spec,
    pub(super) known: &'s Known,
    pub(super) equations: Equations,
    /// The fields, coordinates, states, constants and plain `let`s.
    pub(super) names: BTreeMap<String, Quantity>,
    /// The indexed `let`s.
    pub(super) elements: BTreeMap<String, Elements>,
    pub(super) functions: BTreeMap<String, Signature>,
    pub(super) rows: BTreeMap<String, Row>,
    /// The gaps of contacts.
    pub(super) gaps: BTreeMap<String, Quantity>,
    /// The slips of frictions and contacts.
    pub(super) slips: BTreeMap<String, Quantity>,
    /// The outputs with the numbers of their indices.
    pub(super) outputs: BTreeMap<String, (usize, Quantity)>,
    /// Indices and variables of integration, the innermost last.
    pub(super) locals: Vec<(String, Quantity)>,
    pub(super) time: Linear,
    pub(super) energy: Linear,
    pub(super) conflicts: Vec<Conflict<'s>>,
    /// The index of the statement that is read.
    pub(super) statement: usize,
    pub(super) freed: Freed<'s>,
    /// For each freed term its own unit, and the one that stands in its place.
    pub(super) replaced: Vec<Option<[Quantity; 2]>>,
    /// Every expression, where they are recorded.
    pub(super) visited: Option<Vec<Visited<'s>>>,
    /// The index of the expression around the present one.
    pub(super) around: Option<usize>,
}

impl<'s> Checker<'s> {
    /// A check that knows nothing yet.
    pub(super) fn new(spec: &'s Spec, known: &'s Known, freed: Freed<'s>, is_recorded: bool) -> Self {
        let replaced = vec![None; freed.terms.len()];
        Self {
            spec,
            known,
            equations: Equations::default(),
            names: BTreeMap::new(),
            elements: BTreeMap::new(),
            functions: BTreeMap::new(),
            rows: BTreeMap::new(),
            gaps: BTreeMap::new(),
            slips: BTreeMap::new(),
            outputs: BTreeMap::new(),
            locals: Vec::new(),
            time: Linear::default(),
            energy: Linear::default(),
            conflicts: Vec::new(),
            statement: 0,
            freed,
            replaced,
            visited: is_recorded.then(Vec::new),
            around: None,
        }
    }

    /// The unit of an expression.
    pub(super) fn value(&mut self, expr: &'s Expr) -> Quantity {
        let outer = self.around;
        if let Some(visited) = &mut self.visited {
            self.around = Some(visited.len());
            visited.push(Visited { expr, parent: outer, statement: self.statement });
        }
        let own = self.of(expr);
        self.around = outer;
        match self.freed.terms.iter().position(|term| std::ptr::eq(*term, expr)) {
            Some(index) => {
                let replacement = own.map(&mut |_| self.equations.unknown());
                self.replaced[index] = Some([own, replacement.clone()]);
                replacement
            }
            None => own,
        }
    }

    /// Takes up that two values have the same units, or records the conflict.
    pub(super) fn equate(&mut self, sides: [(&Quantity, Side<'s>); 2], why: Why<'s>) {
        let [(left, left_side), (right, right_side)] = sides;
        for (one, other) in left.pairs(right) {
            if !self.equations.equate(one, other) {
                let units = [self.equations.resolved(one), self.equations.resolved(other)];
                let sides = [left_side, right_side];
                self.conflicts.push(Conflict { sides, units, why, statement: self.statement });
                // One conflict is enough for two values.
                return;
            }
        }
    }

    /// Takes up that an expression with this unit has a given one.
    pub(super) fn needs(&mut self, expr: &'s Expr, found: &Quantity, needed: &Linear, why: Why<'s>) {
        let needed = found.map(&mut |_| needed.clone());
        self.equate([(found, Side::Term(expr)), (&needed, Side::Needed)], why);
    }

    /// The unit of an expression, which must be a number.
    pub(super) fn number(&mut self, expr: &'s Expr, why: Why<'s>) {
        let found = self.value(expr);
        self.needs(expr, &found, &Linear::default(), why);
    }

    /// The units of the rate of a quantity.
    pub(super) fn rate(&self, quantity: &Quantity) -> Quantity {
        quantity.times(&self.time, &-Rational::ONE)
    }

    /// The units of what is conjugate to a quantity: an energy over it.
    pub(super) fn conjugate(&self, quantity: &Quantity) -> Quantity {
        quantity.map(&mut |unit| self.energy.times(unit, &-Rational::ONE))
    }

    /// Reads something with indices or a variable of integration in scope.
    pub(super) fn with_local<T>(&mut self, name: String, quantity: Quantity, read: impl FnOnce(&mut Self) -> T) -> T {
        self.locals.push((name, quantity));
        let result = read(self);
        self.locals.pop();
        result
    }
}
