//! The branches of expressions: each combination of sides of their switches that some point may reach.

use super::bounds::Bounds;
use super::linear::Form;
use super::switch::Switch;
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Relation, for_each_operand};
use std::collections::{HashMap, HashSet};

/// Branches that are listed.
pub(super) const MOST_CELLS: usize = 256;

/// Other switches at a boundary past which cells are not listed.
const MOST_OTHERS: usize = 6;

/// Sides of switches: −1 where the switching function is negative, 1 where it is positive.
pub(super) type Cell = HashMap<Id, i8>;

/// The cells of some expressions, as far as ranges do not exclude them.
pub(super) struct Cells<'g> {
    graph: &'g Graph,
    roots: Vec<Id>,
    /// The normalized form of each switch, and whether the switch has the opposite sign.
    forms: HashMap<Id, (Form, bool)>,
    /// Switches that are left on both sides.
    open: HashSet<Id>,
    found: Vec<Cell>,
    /// Whether there are more than are listed.
    pub(super) is_cut: bool,
}

impl<'g> Cells<'g> {
    /// All cells, under the given bounds.
    pub(super) fn of(graph: &'g Graph, roots: &[Id], bounds: &Bounds) -> (Vec<Cell>, bool) {
        let mut cells = Self::new(graph, roots);
        cells.split(Cell::new(), bounds);
        (cells.found, cells.is_cut)
    }

    /// The cells on both sides of a boundary in which its node counts, where the other switches are few.
    pub(super) fn beside(graph: &'g Graph, roots: &[Id], switch: &Switch, bounds: &Bounds) -> Option<Vec<Cell>> {
        let mut cells = Self::new(graph, roots);
        let own = switch.form(graph).map(|form| form.normalized().0);
        cells.open =
            cells.forms.iter().filter(|(_, (form, _))| Some(form) == own.as_ref()).map(|(id, _)| *id).collect();
        cells.open.insert(switch.node);
        let others: HashSet<&Form> =
            cells.forms.iter().filter(|(id, _)| !cells.open.contains(id)).map(|(_, (form, _))| form).collect();
        if others.len() > MOST_OTHERS {
            return None;
        }
        cells.split(Cell::new(), bounds);
        let found = std::mem::take(&mut cells.found);
        Some(found.into_iter().filter(|cell| cells.visited(cell).1.contains(&switch.node)).collect())
    }

    fn new(graph: &'g Graph, roots: &[Id]) -> Self {
        let mut forms = HashMap::new();
        for id in graph.reachable(roots) {
            if let Some(form) = Switch::of_formulas(graph, id).and_then(|switch| switch.form(graph)) {
                let (form, flipped) = form.normalized();
                forms.insert(id, (form, flipped));
            }
        }
        let (found, open) = (Vec::new(), HashSet::new());
        Self { graph, roots: roots.to_vec(), forms, open, found, is_cut: false }
    }

    fn split(&mut self, cell: Cell, bounds: &Bounds) {
        if self.found.len() >= MOST_CELLS {
            self.is_cut = true;
            return;
        }
        let Some(next) = self.undecided(&cell) else {
            self.found.push(cell);
            return;
        };
        let (form, flipped) = self.forms[&next].clone();
        // What the operands are in this branch: all switches below have their sides.
        let here = Switch::of_formulas(self.graph, next)
            .and_then(|switch| switch.form_by(self.graph, &|id| self.formula(id, &cell)))
            .unwrap_or_else(|| form.clone());
        for side in [-1, 1] {
            let mut bounds = bounds.clone();
            let is_positive = (side > 0) != flipped;
            bounds.assume(if is_positive { here.clone() } else { here.opposite() }, true);
            if !bounds.narrow(self.graph) || bounds.contradict(self.graph) {
                continue;
            }
            // All switches at this boundary are decided at once.
            let mut cell = cell.clone();
            for (id, (other, other_flipped)) in &self.forms {
                if *other == form {
                    cell.insert(*id, if *other_flipped { -side } else { side });
                }
            }
            self.split(cell, &bounds);
        }
    }

    /// The formula of a node in a cell: another node, or its negative.
    fn formula(&self, id: Id, cell: &Cell) -> Option<(Id, bool)> {
        match self.graph.node(id) {
            Node::Call(Function::Abs, arguments) => cell.get(&id).map(|side| (arguments[0], *side < 0)),
            Node::Call(function @ (Function::Min | Function::Max), arguments) => {
                cell.get(&id).map(|side| (arguments[taken(*function, *side)], false))
            }
            Node::Select(condition, yes, no) => {
                truth(self.graph, *condition, cell).ok().map(|holds| (if holds { *yes } else { *no }, false))
            }
            _ => None,
        }
    }

    /// The first switch without a side that counts.
    fn undecided(&self, cell: &Cell) -> Option<Id> {
        self.visited(cell).0
    }

    /// The first switch without a side that counts, and all nodes that count.
    fn visited(&self, cell: &Cell) -> (Option<Id>, HashSet<Id>) {
        let mut pending = self.roots.clone();
        let mut seen: HashSet<Id> = HashSet::new();
        let mut first: Option<Id> = None;
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            if self.forms.contains_key(&id) && !cell.contains_key(&id) && !self.open.contains(&id) {
                first = Some(first.map_or(id, |known| known.min(id)));
            }
            match self.graph.node(id) {
                Node::Select(condition, yes, no) => match truth(self.graph, *condition, cell) {
                    // What decides is looked at as well: it may hold a switch itself.
                    Ok(holds) => pending.extend([*condition, if holds { *yes } else { *no }]),
                    Err(_) => {
                        let undecided = self.graph.reachable(&[*condition]).into_iter().any(|id| {
                            self.forms.contains_key(&id) && !cell.contains_key(&id) && !self.open.contains(&id)
                        });
                        pending.push(*condition);
                        if !undecided {
                            pending.extend([*yes, *no]);
                        }
                    }
                },
                Node::Call(function @ (Function::Min | Function::Max), arguments) => match cell.get(&id) {
                    Some(side) => pending.push(arguments[taken(*function, *side)]),
                    None => pending.extend(arguments),
                },
                node => for_each_operand(node, |operand| pending.push(operand)),
            }
        }
        (first, seen)
    }
}

/// Which argument a minimum or maximum is, by the sign of the first minus the second.
fn taken(function: Function, side: i8) -> usize {
    usize::from((side < 0) != (function == Function::Min))
}

/// Whether a condition holds in a cell, or a comparison that decides it and has no side.
fn truth(graph: &Graph, condition: Id, cell: &Cell) -> Result<bool, Id> {
    match *graph.node(condition) {
        Node::Truth(value) => Ok(value),
        Node::Not(inner) => truth(graph, inner, cell).map(|holds| !holds),
        Node::And(a, b) | Node::Or(a, b) => {
            let is_and = matches!(graph.node(condition), Node::And(..));
            match truth(graph, a, cell) {
                Ok(holds) if holds != is_and => Ok(!is_and),
                Ok(_) => truth(graph, b, cell),
                Err(open) => match truth(graph, b, cell) {
                    Ok(holds) if holds != is_and => Ok(!is_and),
                    _ => Err(open),
                },
            }
        }
        Node::Compare(relation, ..) => {
            cell.get(&condition).map(|side| relation != Relation::Equal && *side < 0).ok_or(condition)
        }
        _ => Err(condition),
    }
}
