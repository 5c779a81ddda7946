//! The units of statements: what each of them equates.

use super::checker::{Checker, Row};
use super::conflict::{Side, Why};
use super::declare::variables;
use super::linear::Linear;
use super::quantity::Quantity;
use crate::graph::Rational;
use crate::meaning::{Known, element_name};
use crate::syntax::{Energy, Expr, ExprKind, Indexing, Spec, StatedUnit, Statement, StatementKind, When, plain};
use proc_macro2::Ident;

impl<'s> Checker<'s> {
    /// Reads every statement. Those that name others come behind them.
    pub(super) fn run(&mut self) {
        self.declare();
        self.definitions();
        let spec: &'s Spec = self.spec;
        for phase in [Self::energies, Self::rows_and_states, Self::forces, Self::shown] {
            for (index, statement) in spec.statements.iter().enumerate() {
                self.statement = index;
                let own = variables(&statement.kind);
                let before = self.locals.len();
                self.locals.extend(own.map(|variable| (plain(variable), Quantity::number())));
                phase(self, statement);
                self.locals.truncate(before);
            }
        }
    }

    fn energies(&mut self, statement: &'s Statement) {
        let StatementKind::Energy { energy, value, .. } = &statement.kind else { return };
        let found = self.value(value);
        let (needed, why) = match energy {
            Energy::Dissipation => (self.energy.times(&self.time, &-Rational::ONE), Why::Dissipation),
            _ => (self.energy.clone(), Why::Energy),
        };
        self.needs(value, &found, &needed, why);
    }

    fn rows_and_states(&mut self, statement: &'s Statement) {
        match &statement.kind {
            StatementKind::State { left, right, .. } => {
                self.sides("state", left, right);
            }
            StatementKind::Mode { name, changes, .. } => {
                let own = self.names.get(&plain(name)).cloned().unwrap_or(Quantity::Unknown);
                for When { condition, value, then } in changes {
                    self.value(condition);
                    let found = self.value(value);
                    self.equate([(&found, Side::Term(value)), (&own, Side::Needed)], Why::Sides("mode"));
                    for (target, value) in then {
                        self.sides("mode", target, value);
                    }
                }
            }
            StatementKind::Constraint { kind, name, indices, left, right, when } => {
                if let Some(when) = when {
                    self.value(when);
                }
                let quantity = self.sides(kind.keyword(), left, right);
                let before = self.rows.get(&plain(name)).map(|row| row.quantity.clone());
                let quantity = self.alike(before, quantity);
                self.rows.insert(plain(name), Row { kind: *kind, rank: indices.len(), quantity });
            }
            StatementKind::Contact { name, sides, restitution, friction, is_rate, breakaway, adhesion, .. } => {
                let gap = self.sides("contact", &sides.0, &sides.1);
                let all = self.alike(self.gaps.get(&plain(name)).cloned(), gap.clone());
                self.gaps.insert(plain(name), all);
                if let Some(restitution) = restitution {
                    self.number(restitution, Why::Restitution);
                }
                if let Some(adhesion) = adhesion {
                    let (found, needed) = (self.value(adhesion), self.conjugate(&gap));
                    self.equate([(&found, Side::Term(adhesion)), (&needed, Side::Needed)], Why::Adhesion);
                }
                if let Some((slip, coefficient)) = friction.as_deref() {
                    let slip = self.displacement(slip, *is_rate);
                    for coefficient in [coefficient].into_iter().chain(breakaway.as_deref()) {
                        let found = self.value(coefficient);
                        if let Some(unit) = slip.common() {
                            let needed = gap.times(unit, &-Rational::ONE);
                            self.equate([(&found, Side::Term(coefficient)), (&needed, Side::Needed)], Why::Coefficient);
                        }
                    }
                    let slip = self.alike(self.slips.get(&plain(name)).cloned(), slip);
                    self.slips.insert(plain(name), slip);
                }
            }
            _ => {}
        }
    }

    fn forces(&mut self, statement: &'s Statement) {
        match &statement.kind {
            StatementKind::Force { left, right, .. } => {
                let of = self.value(left);
                let (found, needed) = (self.value(right), self.conjugate(&of));
                self.equate([(&found, Side::Term(right)), (&needed, Side::Needed)], Why::Force);
            }
            StatementKind::Torque { left, right, .. } => {
                self.number(left, Why::Torque);
                let found = self.value(right);
                let energy = self.energy.clone();
                self.needs(right, &found, &energy, Why::Torque);
            }
            StatementKind::Friction { name, slip, is_rate, bound, smooth, breakaway, .. } => {
                let slip = self.displacement(slip, *is_rate);
                for bound in [bound].into_iter().chain(breakaway) {
                    let found = self.value(bound);
                    let needed = self.conjugate(&slip);
                    self.equate([(&found, Side::Term(bound)), (&needed, Side::Needed)], Why::Bound);
                }
                if let Some(smooth) = smooth {
                    let found = self.value(smooth);
                    let needed = self.rate(&slip);
                    self.equate([(&found, Side::Term(smooth)), (&needed, Side::Needed)], Why::Smooth);
                }
                let slip = self.alike(self.slips.get(&plain(name)).cloned(), slip);
                self.slips.insert(plain(name), slip);
            }
            _ => {}
        }
    }

    /// The units of a slip, which is stated as a displacement or by its rate.
    fn displacement(&mut self, slip: &'s Expr, is_rate: bool) -> Quantity {
        let stated = self.value(slip);
        if is_rate { stated.times(&self.time, &Rational::ONE) } else { stated }
    }

    /// The units of all elements of an array of which these were read before, if they are alike.
    pub(super) fn alike(&self, before: Option<Quantity>, next: Quantity) -> Quantity {
        match before {
            Some(before) => Quantity::Each(vec![before, next]).element(None, &self.equations),
            None => next,
        }
    }

    fn shown(&mut self, statement: &'s Statement) {
        match &statement.kind {
            StatementKind::Output { name, indices, unit, value } => {
                let found = self.stated(name, unit.as_ref(), value);
                let (key, rank) = element(name, indices, self.known);
                let before = self.outputs.get(&key).map(|(_, quantity)| quantity.clone());
                let found = self.alike(before, found);
                self.outputs.insert(key, (rank, found));
            }
            StatementKind::Invariant { name, unit, value, .. } => {
                self.stated(name, unit.as_ref(), value);
            }
            StatementKind::Symmetry { name, indices, change, gauge } => {
                let momentum = self.symmetry(change, gauge.as_ref());
                let (key, rank) = element(name, indices, self.known);
                let before = self.outputs.get(&key).map(|(_, quantity)| quantity.clone());
                let momentum = self.alike(before, momentum);
                self.outputs.insert(key, (rank, momentum));
            }
            StatementKind::Verify { left, right } => {
                self.sides("verify", left, right);
            }
            StatementKind::Assume(Expr { kind: ExprKind::Name(_), .. }) => {}
            StatementKind::Assume(fact) => {
                self.value(fact);
            }
            _ => {}
        }
    }

    /// The unit of the momentum of a symmetry. Each component of δq has the unit of its coordinate times one unit for all, s. The momentum p·δq and
    /// K have the unit of an energy times a time times s.
    fn symmetry(&mut self, change: &'s Expr, gauge: Option<&'s Expr>) -> Quantity {
        let found = self.value(change);
        let scale = self.equations.unknown();
        if let (Some(components), Some(coordinates)) = (found.scalars(), self.coordinates()) {
            let needed = coordinates.into_iter().map(|unit| Quantity::scalar(unit.times(&scale, &Rational::ONE)));
            let (components, needed) = (Quantity::Each(components), Quantity::Each(needed.collect()));
            self.equate([(&components, Side::Term(change)), (&needed, Side::Needed)], Why::Symmetry);
        }
        let momentum = self.energy.times(&self.time, &Rational::ONE).times(&scale, &Rational::ONE);
        if let Some(gauge) = gauge {
            let found = self.value(gauge);
            self.needs(gauge, &found, &momentum, Why::Gauge);
        }
        Quantity::scalar(momentum)
    }

    /// The unit of each coordinate, where all are known.
    fn coordinates(&self) -> Option<Vec<Linear>> {
        let mut units = Vec::new();
        for statement in &self.spec.statements {
            let StatementKind::Coordinates(declared) = &statement.kind else { continue };
            for declared in declared.iter().filter(|declared| !declared.is_virtual) {
                let mut count = 1;
                for length in &declared.lengths {
                    count *= usize::try_from(self.known.whole(length).ok()?).ok()?;
                }
                match self.names.get(&plain(&declared.name))? {
                    Quantity::Same(unit, _) => units.extend(vec![unit.clone(); count]),
                    each => units.extend(
                        each.scalars()
                            .filter(|all| all.len() == count)?
                            .iter()
                            .filter_map(Quantity::as_scalar)
                            .cloned(),
                    ),
                }
            }
        }
        Some(units)
    }

    /// The units of a definition, which are the stated one where it is stated.
    pub(super) fn stated(&mut self, name: &'s Ident, unit: Option<&StatedUnit>, value: &'s Expr) -> Quantity {
        let found = self.value(value);
        let Some(unit) = unit.and_then(|stated| super::symbol::read(stated).ok()) else { return found };
        let unit = Linear::known(unit);
        self.needs(value, &found, &unit, Why::Stated(name));
        found.map(&mut |_| unit.clone())
    }

    /// Two sides of a statement. Returns the unit of the first one, if it is known.
    fn sides(&mut self, statement: &'static str, left: &'s Expr, right: &'s Expr) -> Quantity {
        let [one, other] = [left, right].map(|side| self.value(side));
        self.equate([(&one, Side::Term(left)), (&other, Side::Term(right))], Why::Sides(statement));
        if one == Quantity::Unknown { other } else { one }
    }
}

/// The name of the element that a statement states, `name[2]`, or the name of the array with the number of its indices.
pub(super) fn element(name: &Ident, indices: &[Indexing], known: &Known) -> (String, usize) {
    let whole = |index: &Indexing| match index {
        Indexing::Element(index) => known.whole(index).ok(),
        Indexing::Range(_) => None,
    };
    match indices.iter().map(whole).collect::<Option<Vec<i64>>>() {
        Some(single) => (element_name(&plain(name), &single), 0),
        None => (plain(name), indices.len()),
    }
}
