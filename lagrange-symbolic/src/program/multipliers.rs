//! The rows of G in a sparse elimination, each with its multiplier as an unknown.
//!
//! A row comes after all velocities that it contains. Its pivot is then −g M⁻¹ gᵀ of a part of M, and is negative where M is positive
//! definite and the rows of G are independent.

use super::{Builder, Value};
use crate::graph::{Graph, Id};
use crate::mechanics::Entries;
use std::collections::{BTreeMap, BTreeSet};

/// A row as Σ coefficient·unknown.
type Terms = Vec<(usize, Id)>;

/// The rows that are not yet eliminated.
pub(super) struct Multipliers {
    /// The number of the first multiplier among the unknowns.
    first: usize,
    count: usize,
    left: BTreeSet<usize>,
    /// The diagonal entry of G M⁻¹ Gᵀ of rows from whose pivot other rows have taken a part.
    scales: BTreeMap<usize, Value>,
    /// The rows whose squares are still to be added to M, by their multipliers.
    held: Vec<(usize, Vec<(usize, Value)>)>,
}

impl Multipliers {
    /// Adds the entries of the rows, each given as Σ coefficient·unknown, to the matrix. Their multipliers are the unknowns from `first` on. The
    /// squares of the rows `held` will be added to M.
    pub(super) fn new(
        builder: &mut Builder,
        graph: &mut Graph,
        (rows, held): (&[Terms], &[usize]),
        first: usize,
        rest: &mut Entries<Value>,
    ) -> Self {
        let mut lowered = Vec::new();
        for (row, terms) in (first..).zip(rows) {
            let terms: Vec<(usize, Value)> =
                terms.iter().map(|&(unknown, coefficient)| (unknown, builder.lower(graph, coefficient))).collect();
            for &(unknown, coefficient) in &terms {
                builder.add_entry(rest, row, unknown, coefficient);
            }
            lowered.push(terms);
        }
        let held = held.iter().map(|&row| (first + row, std::mem::take(&mut lowered[row]))).collect();
        let left = (first..first + rows.len()).collect();
        Self { first, count: rows.len(), left, scales: BTreeMap::new(), held }
    }

    /// Takes out the rows whose squares are to be added to M before a velocity is eliminated.
    pub(super) fn held_by(&mut self, velocity: usize) -> Vec<(usize, Vec<(usize, Value)>)> {
        self.held.extract_if(.., |(_, terms)| terms.iter().any(|&(unknown, _)| unknown == velocity)).collect()
    }

    /// How many rows there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// A row that contains no velocity any more, which is eliminated next.
    pub(super) fn next(&mut self, rest: &Entries<Value>) -> Option<usize> {
        // The row of an entry is the larger unknown, and multipliers come after velocities.
        let waits: BTreeSet<usize> =
            rest.keys().filter(|&&(_, column)| column < self.first).map(|&(row, _)| row).collect();
        let next = self.left.iter().copied().find(|row| !waits.contains(row))?;
        self.left.remove(&next);
        Some(next)
    }

    /// What a pivot is compared with: −pivot before other rows took their parts from it.
    pub(super) fn scale(&self, row: usize, pivot: Value) -> Value {
        self.scales.get(&row).copied().unwrap_or(pivot)
    }

    /// Notes that a velocity was eliminated: its column divided by the pivot, and the pivot.
    pub(super) fn gain(&mut self, builder: &mut Builder, column: &[(usize, Value)], pivot: Value) {
        for &(row, l) in column {
            if let Some(scale) = self.scales.get_mut(&row) {
                let square = builder.multiply(l, l);
                let part = builder.multiply(square, pivot);
                *scale = builder.add(*scale, part);
            }
        }
    }

    /// Notes the rows from which the elimination of another row is about to take parts.
    pub(super) fn lose(&mut self, builder: &mut Builder, rest: &Entries<Value>, row: usize) {
        let coupled = rest.keys().filter(|&&(i, j)| i != j && (i == row || j == row));
        for other in coupled.map(|&(i, j)| if i == row { j } else { i }).filter(|&other| other >= self.first) {
            if let Some(&entry) = rest.get(&(other, other)) {
                self.scales.entry(other).or_insert_with(|| builder.negate(entry));
            }
        }
    }
}
