//! The rows of the constraints by name, for functions such as `multiplier(name)` and `reaction(name)`.

use super::exact::element_name;
use super::order::indexed;
use super::scope::Scope;
use super::value::{Shape, Value};
use crate::calculus::gradient;
use crate::graph::{Id, Symbol};
use crate::report::{Mistake, Place, did_you_mean};
use crate::syntax::{ConstraintKind, Expr, ExprKind, plain};
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet};

/// One row of a constraint: its multiplier and its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// λ's index.
    pub(crate) multiplier: u32,
    /// Its row of G is ∂value/∂q for a holonomic row, and ∂value/∂v for a nonholonomic one.
    pub(crate) kind: ConstraintKind,
    /// Left minus right.
    pub(crate) value: Id,
}

/// What belongs to each element of each name.
pub(crate) type Elements<T> = BTreeMap<String, BTreeMap<Vec<i64>, Vec<T>>>;

/// The forces of the contacts, by the names of their statements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acting {
    /// The forces of frictions, and those on the slips of contacts.
    pub(crate) slips: Elements<Id>,
    /// The normal forces of contacts.
    pub(crate) gaps: Elements<Id>,
    /// The rows of constraints that modes switch: left minus right, and the force.
    pub(crate) latches: Elements<(ConstraintKind, Id, Id)>,
}

/// The rows of every element of every constraint.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// How many coordinates there are.
    pub(crate) coordinates: u32,
    names: Elements<Row>,
    /// The names of the constraints that modes switch.
    pub(crate) switched: BTreeSet<String>,
    /// The forces of contacts, where they may be named.
    pub(crate) acting: Option<Acting>,
}

impl Rows {
    pub(crate) fn new(coordinates: u32) -> Self {
        Self { coordinates, names: BTreeMap::new(), switched: BTreeSet::new(), acting: None }
    }

    /// Adds a row to an element of a constraint.
    pub(crate) fn add(&mut self, name: &str, indices: &[i64], row: Row) {
        let elements = self.names.entry(name.to_owned()).or_default();
        elements.entry(indices.to_vec()).or_default().push(row);
    }

    /// The values of all rows.
    pub(crate) fn values(&mut self) -> impl Iterator<Item = &mut Id> {
        self.names.values_mut().flat_map(BTreeMap::values_mut).flatten().map(|row| &mut row.value)
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }
}

impl Scope<'_> {
    /// `multiplier(name)` is the λ of its row, or the vector of the λ of its rows. `reaction(name)` is Gᵀλ of its rows,
    /// with an entry for each coordinate. In a claim, `constraint_jacobian(name)` is its row of G, or the matrix of its
    /// rows; `constraint_drift(name)` is g_t or b, and `constraint_curvature(name)` is γ.
    pub(crate) fn constraint_quantity(&mut self, function: &Ident, arguments: &[Expr], place: Place) -> Option<Value> {
        let name = plain(function);
        let Some(rows) = &self.rows else {
            let is_derived = name.starts_with("constraint_");
            let mistake = if is_derived { Mistake::OutsideVerify { name } } else { Mistake::OutsideBound { name } };
            self.report.add(mistake, place);
            return None;
        };
        if let [argument] = arguments
            && rows.switched.contains(&indexed(argument).0.to_string())
        {
            return self.latch_quantity(&name, arguments, place);
        }
        let unknown = |name, suggestion| Mistake::UnknownConstraint { name, suggestion };
        let elements = rows.names.clone();
        let others = rows.switched.clone();
        let chosen = self.chosen((&elements, &others), (&name, "constraint"), (arguments, place), unknown)?;
        let indices: Vec<usize> = chosen.iter().map(|row| row.multiplier as usize).collect();
        match (name.as_str(), self.derived) {
            ("reaction", _) => {
                let mut multiplier = |row: &Row| self.graph.symbol(Symbol::Multiplier(row.multiplier));
                let rows: Vec<_> = chosen.iter().map(|row| (row.kind, row.value, multiplier(row))).collect();
                Some(self.reaction(&rows))
            }
            ("multiplier", _) => {
                Some(listed(chosen.iter().map(|row| self.graph.symbol(Symbol::Multiplier(row.multiplier)))))
            }
            ("constraint_drift", Some(derived)) => Some(listed(indices.iter().map(|&row| derived.drift[row]))),
            ("constraint_curvature", Some(derived)) => {
                Some(listed(indices.iter().map(|&row| derived.motion.curvature[row])))
            }
            ("constraint_jacobian", Some(derived)) => {
                let entries: Vec<Id> = indices.iter().flat_map(|&row| derived.motion.jacobian[row].clone()).collect();
                let columns = entries.len() / indices.len();
                let shape =
                    if indices.len() == 1 { Shape::Vector(columns) } else { Shape::Matrix(indices.len(), columns) };
                Some(Value::new(shape, entries))
            }
            _ => {
                self.report.add(Mistake::OutsideVerify { name }, place);
                None
            }
        }
    }

    /// `multiplier(name)` and `reaction(name)` of a constraint that modes switch.
    fn latch_quantity(&mut self, function: &str, arguments: &[Expr], place: Place) -> Option<Value> {
        let acting = self.rows.as_ref().and_then(|rows| rows.acting.as_ref());
        let Some(acting) = acting.filter(|_| ["multiplier", "reaction"].contains(&function)) else {
            let name = arguments.first().map(ToString::to_string).unwrap_or_default();
            self.report.add(Mistake::LatchForce { function: function.to_owned(), name }, place);
            return None;
        };
        let elements = acting.latches.clone();
        let unknown = |name, suggestion| Mistake::UnknownConstraint { name, suggestion };
        let names = (&elements, &BTreeSet::new());
        let chosen = self.chosen(names, (function, "constraint"), (arguments, place), unknown)?;
        match function {
            "multiplier" => Some(listed(chosen.into_iter().map(|(_, _, force)| force))),
            _ => Some(self.reaction(&chosen)),
        }
    }

    /// `friction(name)` is the force on the slip of a friction, or of a contact. `contact(name)` is the normal force of a contact.
    pub(crate) fn contact_force(&mut self, function: &str, arguments: &[Expr], place: Place) -> Option<Value> {
        let Some(acting) = self.rows.as_ref().and_then(|rows| rows.acting.as_ref()) else {
            self.report.add(Mistake::ForceOutsideOutput { name: function.to_owned() }, place);
            return None;
        };
        let elements = if function == "friction" { acting.slips.clone() } else { acting.gaps.clone() };
        let unknown = |name, suggestion| Mistake::UnknownContact { function: function.to_owned(), name, suggestion };
        let names = (&elements, &BTreeSet::new());
        let chosen = self.chosen(names, (function, "contact"), (arguments, place), unknown)?;
        Some(listed(chosen.into_iter()))
    }

    /// What stands under the name, with the indices, that is the only argument of a function. `others` are names that a message may suggest besides.
    fn chosen<T: Copy>(
        &mut self,
        (names, others): (&Elements<T>, &BTreeSet<String>),
        (function, kind): (&str, &str),
        (arguments, place): (&[Expr], Place),
        unknown: impl Fn(String, String) -> Mistake,
    ) -> Option<Vec<T>> {
        let [argument] = arguments else {
            let help = format!("write `{function}({kind})` with the name of a {kind}");
            let (expected, found) = ("1 argument".to_owned(), arguments.len());
            let mistake = Mistake::ArgumentCount { function: function.to_owned(), expected, found, help };
            self.report.add(mistake, place);
            return None;
        };
        let (base, indices) = indexed(argument);
        let elements = match &base.kind {
            ExprKind::Name(ident) => names.get(&plain(ident)),
            _ => None,
        };
        let Some(elements) = elements else {
            let suggestion = did_you_mean(&base.to_string(), names.keys().chain(others).map(String::as_str));
            self.report.add(unknown(base.to_string(), suggestion), base.place);
            return None;
        };
        let mut values = Vec::new();
        for index in indices {
            match self.known.whole(index) {
                Ok(value) => values.push(value),
                Err(fault) => {
                    self.fault(fault);
                    return None;
                }
            }
        }
        let chosen: Vec<T> =
            elements.iter().filter(|(key, _)| key.starts_with(&values)).flat_map(|(_, rows)| rows).copied().collect();
        if chosen.is_empty() {
            let name = element_name(&base.to_string(), &values);
            self.report.add(unknown(name, String::new()), argument.place);
            return None;
        }
        Some(chosen)
    }

    /// Gᵀλ of some rows, each with its kind, its value and its λ.
    fn reaction(&mut self, rows: &[(ConstraintKind, Id, Id)]) -> Value {
        let coordinates = self.rows.as_ref().map_or(0, |rows| rows.coordinates);
        let mut parts: Vec<Vec<Id>> = vec![Vec::new(); coordinates as usize];
        for &(kind, value, multiplier) in rows {
            let symbol = match kind {
                ConstraintKind::Holonomic => Symbol::Coordinate,
                ConstraintKind::Nonholonomic => Symbol::Velocity,
            };
            let symbols: Vec<Symbol> = (0..coordinates).map(symbol).collect();
            let slopes = gradient(&mut self.graph, value, &symbols);
            for (part, slope) in parts.iter_mut().zip(slopes) {
                part.push(self.graph.mul(slope, multiplier));
            }
        }
        Value::vector(parts.iter().map(|part| self.graph.add_all(part)).collect())
    }
}

/// One entry as a scalar, several as a vector.
fn listed(entries: impl Iterator<Item = Id>) -> Value {
    let entries: Vec<Id> = entries.collect();
    if let [single] = entries[..] { Value::scalar(single) } else { Value::vector(entries) }
}
