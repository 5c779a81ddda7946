//! Which variables the outputs of a routine depend on, and groups of variables that share no output. The derivatives by all variables of a
//! group are found in one direction: each output has at most one of them (A. R. Curtis, M. J. D. Powell, J. K. Reid, *On the estimation of
//! sparse Jacobian matrices*, J. Inst. Maths Applics 13, 1974).

use super::{Operation, Routine, Value};
use crate::graph::{Symbol, SymbolSet};
use std::collections::{HashMap, HashSet};

/// The structure of a Jacobian by the coordinates, the velocities, the time and the inputs, as far as one of these is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The group of each variable, in the order q, v, t, u.
    pub groups: Vec<usize>,
    /// The rows of each variable's column that may differ from 0; `None` for a variable alone in its group, whose direction is its column.
    pub rows: Vec<Option<Vec<usize>>>,
}

impl Pattern {
    /// The structure of a routine's Jacobian, whose outputs are several vectors of `n` rows. `None` where groups save less than a quarter
    /// of the directions.
    pub(super) fn of(routine: &Routine, n: usize) -> Option<Self> {
        let variable = |operation: &Operation| match *operation {
            Operation::Symbol(Symbol::Coordinate(i)) => Some(i as usize),
            Operation::Symbol(Symbol::Velocity(i)) => Some(n + i as usize),
            Operation::Symbol(Symbol::Time) => Some(2 * n),
            Operation::Symbol(Symbol::Input(i)) => Some(2 * n + 1 + i as usize),
            _ => None,
        };
        let variables =
            routine.steps.iter().filter_map(|step| variable(&step.operation)).max().map_or(0, |last| last + 1);
        let mut depends: HashMap<Value, SymbolSet> = HashMap::new();
        for step in &routine.steps {
            let mut found = SymbolSet::default();
            if let Some(own) = variable(&step.operation) {
                found.insert(own as u32);
            }
            for operand in step.operation.operands() {
                // Hoisted values depend on parameters alone.
                if let Some(known) = depends.get(&operand) {
                    found.union(known);
                }
            }
            depends.insert(step.value, found);
        }
        let mut rows = vec![SymbolSet::default(); variables];
        for (index, output) in routine.outputs.iter().enumerate() {
            for variable in depends.get(output).into_iter().flat_map(SymbolSet::iter) {
                rows[variable as usize].insert((index % n) as u32);
            }
        }
        let mut taken: Vec<SymbolSet> = Vec::new();
        let mut groups = Vec::new();
        for column in &rows {
            let group = taken.iter().position(|taken| !taken.meets(column)).unwrap_or(taken.len());
            if group == taken.len() {
                taken.push(SymbolSet::default());
            }
            taken[group].union(column);
            groups.push(group);
        }
        let is_alone = |group: &usize| groups.iter().filter(|other| *other == group).count() == 1;
        let rows = rows
            .iter()
            .zip(&groups)
            .map(|(column, group)| (!is_alone(group)).then(|| column.iter().map(|row| row as usize).collect()));
        let rows = rows.collect();
        (!taken.is_empty() && 4 * taken.len() <= 3 * variables).then_some(Self { groups, rows })
    }

    /// Whether two of the first `count` variables share a group, and both have rows.
    pub fn has_groups_among(&self, count: usize) -> bool {
        let mut taken = HashSet::new();
        let variables = self.groups.iter().zip(&self.rows).take(count);
        let mut with_rows = variables.filter(|(_, rows)| rows.as_ref().is_none_or(|rows| !rows.is_empty()));
        with_rows.any(|(group, _)| !taken.insert(group))
    }
}
