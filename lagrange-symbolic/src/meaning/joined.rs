//! Holonomic rows in which placeholders stand for the positions of points that frames carry. The graph's rules for sums take positions
//! apart, so that a row alone does not show which points it joins.

use super::call::ArgumentFault;
use super::scope::Scope;
use super::value::Value;
use crate::graph::{Id, Rational, Symbol, Triple, for_each_operand};
use crate::physics::is_quantity;
use std::collections::{HashMap, HashSet};

/// A row is differentiated by the coordinates of a point that depends on no more than this many: its velocity has as many components.
const FEW: usize = 3;

impl Scope<'_> {
    /// Records the rows `left − right` of a holonomic constraint or of a contact, and the same rows in placeholders. A row that contains no point which a frame
    /// carries, or one whose rate is not known, is not recorded: it is differentiated by the coordinates.
    pub(super) fn record_rows(&mut self, [left, right]: [&Value; 2], rows: &[Id]) {
        if self.frames.has_no_energy() {
            return;
        }
        let (Ok(left), Ok(right)) = (self.opened(&left.entries), self.opened(&right.entries)) else { return };
        let sides = [left, right];
        for ((&row, &left), &right) in rows.iter().zip(&sides[0]).zip(&sides[1]) {
            let twin = self.graph.sub(left, right);
            if twin != row {
                self.frames.record_row(row, twin);
            }
        }
    }

    /// Expressions in which placeholders stand for the positions of points.
    fn opened(&mut self, entries: &[Id]) -> Result<Vec<Id>, ArgumentFault> {
        let mut replaced: HashMap<Id, Id> = HashMap::new();
        for point in self.points_in(entries) {
            let opened = self.opened_point(point)?;
            for (entry, open) in point.into_iter().zip(opened) {
                if is_quantity(&self.graph, entry) {
                    replaced.entry(entry).or_insert(open);
                }
            }
        }
        Ok(entries.iter().map(|&entry| self.graph.replace(entry, &replaced)).collect())
    }

    /// The points, or vectors in frames, whose components expressions contain. Those that such a component contains itself are left out.
    fn points_in(&self, entries: &[Id]) -> Vec<Triple> {
        let by_component = self.frames.by_component(&self.graph);
        let (mut found, mut seen, mut pending) = (Vec::new(), HashSet::new(), entries.to_vec());
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            match by_component.get(&id) {
                Some(point) if found.contains(point) => {}
                Some(&point) => found.push(point),
                None => for_each_operand(self.graph.node(id), |operand| pending.push(operand)),
            }
        }
        found
    }

    /// The position of a point as a sum of placeholders and of components that no frame carries.
    fn opened_point(&mut self, point: Triple) -> Result<Triple, ArgumentFault> {
        let Some(parts) = self.frames.parts_to_open(point) else { return self.placeholders_of(point) };
        let mut sums: [Vec<(Id, Rational)>; 3] = Default::default();
        for (part, is_added) in parts {
            let opened = if self.frames.is_placed(&part) { self.opened_point(part)? } else { part };
            let sign = if is_added { Rational::ONE } else { Rational::NEG_ONE };
            for (sum, entry) in sums.iter_mut().zip(opened) {
                sum.push((entry, sign.clone()));
            }
        }
        Ok(sums.map(|terms| self.graph.sum(terms, Rational::ZERO)))
    }

    /// How many coordinates a point depends on.
    fn coordinates_of(&self, point: &Triple) -> usize {
        let symbols = point.iter().flat_map(|&entry| self.graph.symbols(entry));
        let coordinates: HashSet<Symbol> = symbols.filter(|symbol| matches!(symbol, Symbol::Coordinate(_))).collect();
        coordinates.len()
    }

    /// The position of a point with placeholders for its components, whose velocity in its frame is then known.
    fn placeholders_of(&mut self, point: Triple) -> Result<Triple, ArgumentFault> {
        let Some(frame) = self.frames.home(&point).filter(|_| self.coordinates_of(&point) > FEW) else {
            return Ok(point);
        };
        self.velocity(point, frame)?;
        let symbols = self.frames.open(&mut self.graph, frame, point);
        let mut opened = point;
        for (entry, symbol) in opened.iter_mut().zip(symbols) {
            if is_quantity(&self.graph, *entry) {
                *entry = self.graph.symbol(symbol);
            }
        }
        Ok(opened)
    }
}
