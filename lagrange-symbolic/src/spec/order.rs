//! The order in which definitions can be read: each after those that it uses.

use super::message::Mistake;
use super::report::Report;
use super::syntax::{Expr, ExprKind, plain};
use proc_macro2::Ident;
use std::collections::HashMap;

/// A definition of the block.
pub(crate) struct Definition<'s> {
    pub(crate) name: &'s Ident,
    pub(crate) value: &'s Expr,
    pub(crate) documentation: &'s str,
}

/// How far a definition is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Untouched,
    Open,
    Done,
}

/// Positions of the definitions in an order that respects their uses; those that need themselves are reported
/// once a cycle and left out.
pub(crate) fn in_order(definitions: &[Definition<'_>], report: &mut Report) -> Vec<usize> {
    let mut position = HashMap::new();
    for (index, definition) in definitions.iter().enumerate() {
        position.entry(plain(definition.name)).or_insert(index);
    }
    let uses: Vec<Vec<usize>> = definitions
        .iter()
        .map(|definition| {
            let mut names = Vec::new();
            free_names(definition.value, &mut Vec::new(), &mut names);
            names.iter().filter_map(|name| position.get(name).copied()).collect()
        })
        .collect();
    let mut marks = vec![Mark::Untouched; definitions.len()];
    let mut cyclic = vec![false; definitions.len()];
    let mut order = Vec::new();
    for start in 0..definitions.len() {
        if marks[start] != Mark::Untouched {
            continue;
        }
        // The path from `start`, with the number of uses followed so far: recursion without a stack to overflow.
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
    let known = members.iter().any(|member| cyclic[*member]);
    for member in members {
        cyclic[*member] = true;
    }
    if !known && let Some(first) = members.first() {
        let names: Vec<String> =
            members.iter().chain([first]).map(|member| format!("`{}`", plain(definitions[*member].name))).collect();
        report.add(Mistake::CyclicLet { cycle: names.join(" → ") }, definitions[*first].name);
    }
}

/// The names that an expression uses, the variables of its integrals left out.
fn free_names(expr: &Expr, bound: &mut Vec<String>, names: &mut Vec<String>) {
    match &expr.kind {
        ExprKind::Name(name) => {
            let name = plain(name);
            if !bound.contains(&name) {
                names.push(name);
            }
        }
        ExprKind::Integral { dummy, integrand, .. } => {
            bound.push(plain(dummy));
            free_names(integrand, bound, names);
            bound.pop();
        }
        _ => {}
    }
    for part in expr.parts() {
        free_names(part, bound, names);
    }
}
