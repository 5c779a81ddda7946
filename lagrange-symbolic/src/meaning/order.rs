//! The order in which definitions are read: each after those that it uses.

use super::exact::{Known, element_name};
use crate::report::{Mistake, Report};
use crate::syntax::{Expr, ExprKind, plain};
use proc_macro2::Ident;
use std::collections::HashMap;

/// A definition of the block: a name, or an element of an array.
pub(crate) struct Definition<'s> {
    pub(crate) name: &'s Ident,
    pub(crate) indices: Vec<i64>,
    /// The values of the statement's variables.
    pub(crate) locals: Vec<(String, i64)>,
    pub(crate) value: &'s Expr,
}

impl Definition<'_> {
    /// `p`, or `p[3]` for an element.
    pub(crate) fn text(&self) -> String {
        element_name(&plain(self.name), &self.indices)
    }
}

/// Where each name is defined: the positions of its elements by their indices.
type Positions = HashMap<String, HashMap<Vec<i64>, usize>>;

/// The state of a definition in the search for an order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Untouched,
    Open,
    Done,
}

/// The positions of the definitions, each after those that it uses. Definitions that need themselves are left out, and
/// each cycle is reported once.
pub(crate) fn in_order(definitions: &[Definition<'_>], known: &Known, report: &mut Report) -> Vec<usize> {
    let mut positions = Positions::new();
    for (index, definition) in definitions.iter().enumerate() {
        let elements = positions.entry(plain(definition.name)).or_default();
        elements.entry(definition.indices.clone()).or_insert(index);
    }
    let mut known = known.clone();
    let mut budget = LARGEST_WALK;
    let uses: Vec<Vec<usize>> = definitions
        .iter()
        .map(|definition| {
            known.indices.clone_from(&definition.locals);
            let mut walk =
                Walk { positions: &positions, known: &mut known, bound: Vec::new(), uses: Vec::new(), budget };
            walk.expression(definition.value);
            budget = walk.budget;
            let mut uses = walk.uses;
            uses.sort_unstable();
            uses.dedup();
            uses
        })
        .collect();
    let mut marks = vec![Mark::Untouched; definitions.len()];
    let mut cyclic = vec![false; definitions.len()];
    let mut order = Vec::new();
    for start in 0..definitions.len() {
        if marks[start] != Mark::Untouched {
            continue;
        }
        // The path from `start`, with the number of uses that were followed from each definition. It replaces
        // recursion, which could overflow the stack.
        let mut path = vec![(start, 0)];
        marks[start] = Mark::Open;
        while let Some((index, followed)) = path.last_mut() {
            let index = *index;
            let Some(&next) = uses[index].get(*followed) else {
                marks[index] = Mark::Done;
                if !cyclic[index] {
                    order.push(index);
                }
                path.pop();
                continue;
            };
            *followed += 1;
            match marks[next] {
                Mark::Untouched => {
                    marks[next] = Mark::Open;
                    path.push((next, 0));
                }
                Mark::Open => {
                    let first = path.iter().position(|(on_path, _)| *on_path == next).unwrap_or(0);
                    let members: Vec<usize> = path[first..].iter().map(|(member, _)| *member).collect();
                    report_cycle(definitions, &members, &mut cyclic, report);
                }
                Mark::Done => {}
            }
        }
    }
    order
}

fn report_cycle(definitions: &[Definition<'_>], members: &[usize], cyclic: &mut [bool], report: &mut Report) {
    // One message stands for all elements of an array.
    let is_known = |(index, definition): (usize, &Definition<'_>)| {
        cyclic[index] && members.iter().any(|member| definitions[*member].name == definition.name)
    };
    let known = definitions.iter().enumerate().any(is_known);
    for member in members {
        cyclic[*member] = true;
    }
    if !known && let Some(first) = members.first() {
        let names: Vec<String> =
            members.iter().chain([first]).map(|member| format!("`{}`", definitions[*member].text())).collect();
        report.add(Mistake::CyclicLet { cycle: names.join(" → ") }, definitions[*first].name);
    }
}

/// The number of steps of all sums together after which uses are no longer followed. The evaluation reports so large a
/// block.
const LARGEST_WALK: usize = 1_000_000;

/// Collects the definitions that an expression uses.
struct Walk<'a> {
    positions: &'a Positions,
    known: &'a mut Known,
    /// The variables of the enclosing integrals.
    bound: Vec<String>,
    uses: Vec<usize>,
    budget: usize,
}

impl Walk<'_> {
    fn expression(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.name(&plain(name), &[]),
            ExprKind::Index { .. } => {
                let (base, indices) = indexed(expr);
                let ExprKind::Name(name) = &base.kind else {
                    return self.parts(expr);
                };
                // An index whose value is not known is reported where it is evaluated. It counts as no use here.
                let values: Vec<i64> = indices.iter().map_while(|index| self.known.whole(index).ok()).collect();
                if !values.is_empty() {
                    self.name(&plain(name), &values);
                }
                for index in indices {
                    self.expression(index);
                }
            }
            ExprKind::Integral { dummy, integrand, .. } => {
                self.bound.push(plain(dummy));
                self.expression(integrand);
                self.bound.pop();
                self.parts(expr);
            }
            ExprKind::Sum { range, term } => {
                for value in self.known.range(range).unwrap_or(0..0) {
                    if self.budget == 0 {
                        return;
                    }
                    self.budget -= 1;
                    self.known.indices.push((plain(&range.variable), value));
                    self.expression(term);
                    self.known.indices.pop();
                }
                self.parts(expr);
            }
            _ => self.parts(expr),
        }
    }

    fn parts(&mut self, expr: &Expr) {
        for part in expr.parts() {
            self.expression(part);
        }
    }

    /// Follows a name with as many of its indices as are known. If these do not determine an element, all elements are
    /// followed.
    fn name(&mut self, name: &str, indices: &[i64]) {
        let hidden =
            self.bound.iter().any(|bound| bound == name) || self.known.indices.iter().any(|(index, _)| index == name);
        let Some(elements) = self.positions.get(name).filter(|_| !hidden) else { return };
        if let Some(&plain) = elements.get(&[][..]) {
            self.uses.push(plain);
        }
        match (1..=indices.len()).find_map(|count| elements.get(&indices[..count])) {
            Some(&element) => self.uses.push(element),
            None if indices.is_empty() || elements.keys().any(|element| element.len() > indices.len()) => {
                let mut all: Vec<usize> = elements.values().copied().collect();
                all.sort_unstable();
                self.uses.extend(all);
            }
            None => {}
        }
    }
}

/// The expression that is indexed, and all of its indices. `p[1][2]` and `p[1, 2]` are equal.
pub(crate) fn indexed(expr: &Expr) -> (&Expr, Vec<&Expr>) {
    let mut groups = Vec::new();
    let mut base = expr;
    while let ExprKind::Index { of, indices } = &base.kind {
        groups.push(indices);
        base = of;
    }
    (base, groups.into_iter().rev().flatten().collect())
}
