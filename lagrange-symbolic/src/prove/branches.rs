//! The branches of expressions: each combination of sides of their switches that some point may reach.

use super::bounds::Bounds;
use super::linear::Form;
use super::switch::Switch;
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Relation, for_each_operand};
use std::collections::{HashMap, HashSet};

/// The most branches that are listed.
pub(super) const MOST_BRANCHES: usize = 256;

/// The most other switches at a boundary for which branches are listed.
const MOST_OTHERS: usize = 6;

/// A branch: the side of each switch, −1 where its switching function is negative and 1 where it is positive.
pub(super) type Branch = HashMap<Id, i8>;

/// A listing of the branches of some expressions, without those that ranges exclude.
pub(super) struct Branches<'g> {
    graph: &'g Graph,
    roots: Vec<Id>,
    /// The normalized form of each switch, and whether the switching function is its negative.
    forms: HashMap<Id, (Form, bool)>,
    /// Switches that get no side.
    without_side: HashSet<Id>,
    found: Vec<Branch>,
    /// Whether there are more branches than are listed.
    pub(super) is_cut: bool,
}

impl<'g> Branches<'g> {
    /// Lists all branches under the given bounds, and says whether there are more than are listed.
    pub(super) fn of(graph: &'g Graph, roots: &[Id], bounds: &Bounds) -> (Vec<Branch>, bool) {
        let mut branches = Self::new(graph, roots);
        branches.split(Branch::new(), bounds);
        (branches.found, branches.is_cut)
    }

    /// The branches of the other switches in which the value depends on the node of `switch`. `None` where there are
    /// many other switches.
    pub(super) fn at_boundary(graph: &'g Graph, roots: &[Id], switch: &Switch, bounds: &Bounds) -> Option<Vec<Branch>> {
        let mut branches = Self::new(graph, roots);
        let own = switch.form(graph).map(|form| form.normalized().0);
        branches.without_side =
            branches.forms.iter().filter(|(_, (form, _))| Some(form) == own.as_ref()).map(|(id, _)| *id).collect();
        branches.without_side.insert(switch.node);
        let others: HashSet<&Form> = branches
            .forms
            .iter()
            .filter(|(id, _)| !branches.without_side.contains(id))
            .map(|(_, (form, _))| form)
            .collect();
        if others.len() > MOST_OTHERS {
            return None;
        }
        branches.split(Branch::new(), bounds);
        let found = std::mem::take(&mut branches.found);
        Some(found.into_iter().filter(|branch| branches.dependencies(branch).1.contains(&switch.node)).collect())
    }

    fn new(graph: &'g Graph, roots: &[Id]) -> Self {
        let mut forms = HashMap::new();
        for id in graph.reachable(roots) {
            if let Some(form) = Switch::of_formulas(graph, id).and_then(|switch| switch.form(graph)) {
                let (form, flipped) = form.normalized();
                forms.insert(id, (form, flipped));
            }
        }
        let (found, without_side) = (Vec::new(), HashSet::new());
        Self { graph, roots: roots.to_vec(), forms, without_side, found, is_cut: false }
    }

    fn split(&mut self, branch: Branch, bounds: &Bounds) {
        if self.found.len() >= MOST_BRANCHES {
            self.is_cut = true;
            return;
        }
        let Some(next) = self.first_undecided(&branch) else {
            self.found.push(branch);
            return;
        };
        let (form, flipped) = self.forms[&next].clone();
        // The switching function of `next` in this branch: all switches that it depends on have their sides.
        let here = Switch::of_formulas(self.graph, next)
            .and_then(|switch| switch.form_by(self.graph, &|id| self.formula(id, &branch)))
            .unwrap_or_else(|| form.clone());
        for side in [-1, 1] {
            let mut bounds = bounds.clone();
            let is_positive = (side > 0) != flipped;
            bounds.assume(if is_positive { here.clone() } else { here.opposite() }, true);
            if !bounds.narrow(self.graph) || bounds.contradict(self.graph) {
                continue;
            }
            // Switches with the same boundary get their sides together.
            let mut branch = branch.clone();
            for (id, (other, other_flipped)) in &self.forms {
                if *other == form {
                    branch.insert(*id, if *other_flipped { -side } else { side });
                }
            }
            self.split(branch, &bounds);
        }
    }

    /// Returns the node that an absolute value, a minimum, a maximum or a selection equals in a branch. The flag is `true` where it
    /// equals the negative of that node.
    fn formula(&self, id: Id, branch: &Branch) -> Option<(Id, bool)> {
        match self.graph.node(id) {
            Node::Call(Function::Abs, arguments) => branch.get(&id).map(|side| (arguments[0], *side < 0)),
            Node::Call(function @ (Function::Min | Function::Max), arguments) => {
                branch.get(&id).map(|side| (arguments[selected(*function, *side)], false))
            }
            Node::Select(condition, yes, no) => {
                truth(self.graph, *condition, branch).ok().map(|holds| (if holds { *yes } else { *no }, false))
            }
            _ => None,
        }
    }

    /// The first switch without a side on which the value depends.
    fn first_undecided(&self, branch: &Branch) -> Option<Id> {
        self.dependencies(branch).0
    }

    /// The first switch without a side on which the value depends, and all nodes on which it depends.
    fn dependencies(&self, branch: &Branch) -> (Option<Id>, HashSet<Id>) {
        let mut pending = self.roots.clone();
        let mut seen: HashSet<Id> = HashSet::new();
        let mut first: Option<Id> = None;
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            if self.forms.contains_key(&id) && !branch.contains_key(&id) && !self.without_side.contains(&id) {
                first = Some(first.map_or(id, |known| known.min(id)));
            }
            match self.graph.node(id) {
                Node::Select(condition, yes, no) => match truth(self.graph, *condition, branch) {
                    // The condition may contain a switch itself.
                    Ok(holds) => pending.extend([*condition, if holds { *yes } else { *no }]),
                    Err(_) => {
                        let undecided = self.graph.reachable(&[*condition]).into_iter().any(|id| {
                            self.forms.contains_key(&id)
                                && !branch.contains_key(&id)
                                && !self.without_side.contains(&id)
                        });
                        pending.push(*condition);
                        if !undecided {
                            pending.extend([*yes, *no]);
                        }
                    }
                },
                Node::Call(function @ (Function::Min | Function::Max), arguments) => match branch.get(&id) {
                    Some(side) => pending.push(arguments[selected(*function, *side)]),
                    None => pending.extend(arguments),
                },
                node => for_each_operand(node, |operand| pending.push(operand)),
            }
        }
        (first, seen)
    }
}

/// The argument that a minimum or maximum is equal to, by the sign of the first minus the second.
fn selected(function: Function, side: i8) -> usize {
    usize::from((side < 0) != (function == Function::Min))
}

/// Whether a condition is true in a branch. The error is a comparison in it that has no side.
fn truth(graph: &Graph, condition: Id, branch: &Branch) -> Result<bool, Id> {
    match *graph.node(condition) {
        Node::Truth(value) => Ok(value),
        Node::Not(inner) => truth(graph, inner, branch).map(|holds| !holds),
        Node::And(a, b) | Node::Or(a, b) => {
            let is_and = matches!(graph.node(condition), Node::And(..));
            match truth(graph, a, branch) {
                Ok(holds) if holds != is_and => Ok(!is_and),
                Ok(_) => truth(graph, b, branch),
                Err(comparison) => match truth(graph, b, branch) {
                    Ok(holds) if holds != is_and => Ok(!is_and),
                    _ => Err(comparison),
                },
            }
        }
        Node::Compare(relation, ..) => {
            branch.get(&condition).map(|side| relation != Relation::Equal && *side < 0).ok_or(condition)
        }
        _ => Err(condition),
    }
}
