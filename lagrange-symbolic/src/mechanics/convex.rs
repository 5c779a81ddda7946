//! A proof by structure that a dissipation is strictly convex in some velocities. It must be a sum of factors that are not negative times
//! convex functions of affine forms: |ℓ|^p with p > 1, even powers, powers of norms, cosh ℓ and e^ℓ. Those with positive factors must
//! determine every velocity.

use super::Positivity;
use super::positive_mass::listed;
use super::sign::{Sign, Signs, Used};
use crate::calculus::derivative;
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, Symbol, SymbolSet};
use crate::prove::vanishes;
use std::collections::BTreeSet;

/// A weight, and the affine forms of which the term is a strictly convex function. Each form is given by the velocities in it.
struct Term {
    weight: Id,
    forms: Vec<Vec<(usize, Id)>>,
}

/// The conditions on parameters under which the rows are −∂D/∂v and terms that are free of these velocities, with D strictly convex. `None`
/// where structure does not prove it.
pub(super) fn strictly_convex(
    graph: &mut Graph,
    dissipation: Id,
    (rows, speeds): (&[Id], &[Symbol]),
    assumptions: &[Id],
) -> Option<Vec<Positivity>> {
    let moving = graph.symbol_set(speeds.iter().copied());
    let slopes: Vec<Id> = speeds.iter().map(|&speed| derivative(graph, &[dissipation], speed)[0]).collect();
    for &speed in speeds {
        for (&row, &slope) in rows.iter().zip(&slopes) {
            let changes = derivative(graph, &[row, slope], speed);
            let sum = graph.add(changes[0], changes[1]);
            (graph.is_zero(sum) || vanishes(graph, sum)).then_some(())?;
        }
    }
    let one = graph.one();
    let mut terms = Vec::new();
    collect(graph, dissipation, (one, Rational::ONE), (speeds, &moving), &mut terms)?;
    let signs = Signs::new(graph, assumptions);
    let mut conditions = Used::new();
    for term in &terms {
        signs.prove(graph, term.weight, Sign::NotNegative, &mut conditions).then_some(())?;
    }
    let mut known = BTreeSet::new();
    loop {
        let mut found = None;
        for term in &terms {
            for form in &term.forms {
                let open: Vec<&(usize, Id)> = form.iter().filter(|(index, _)| !known.contains(index)).collect();
                let [(index, coefficient)] = open[..] else { continue };
                let square = graph.mul(*coefficient, *coefficient);
                let size = graph.mul(term.weight, square);
                let mut used = Used::new();
                if signs.prove(graph, size, Sign::Positive, &mut used) {
                    found = Some((*index, used));
                }
            }
        }
        let Some((index, used)) = found else { break };
        known.insert(index);
        conditions.extend(used);
    }
    (known.len() == speeds.len()).then(|| listed(graph, &conditions))
}

/// Collects the terms of scale·weight·expression. Terms that are affine in the velocities are convex.
fn collect(
    graph: &mut Graph,
    expression: Id,
    (weight, scale): (Id, Rational),
    within: (&[Symbol], &SymbolSet),
    terms: &mut Vec<Term>,
) -> Option<()> {
    let moving = within.1;
    if form(graph, expression, within).is_some() {
        return Some(());
    }
    let forms = match graph.node(expression).clone() {
        Node::Sum { terms: parts, .. } => {
            for (part, coefficient) in parts {
                collect(graph, part, (weight, &scale * coefficient), within, terms)?;
            }
            return Some(());
        }
        Node::Product(factors) => {
            let (bound, free): (Vec<_>, Vec<_>) =
                factors.iter().cloned().partition(|(base, _)| graph.touches(*base, moving));
            let free = graph.product(free);
            let weight = graph.mul(weight, free);
            if let [(base, exponent)] = &bound[..]
                && exponent.is_one()
            {
                return collect(graph, *base, (weight, scale), within, terms);
            }
            let forms = power(graph, &bound, within)?;
            terms.push(Term { weight: graph.scale(&scale, weight), forms });
            return Some(());
        }
        Node::Call(Function::Cosh | Function::Exp, arguments) => vec![form(graph, arguments[0], within)?],
        _ => return None,
    };
    terms.push(Term { weight: graph.scale(&scale, weight), forms });
    Some(())
}

/// The forms of a power |ℓ|^p with p > 1, of one form or of the norm of several.
fn power(
    graph: &mut Graph,
    factors: &[(Id, Rational)],
    within: (&[Symbol], &SymbolSet),
) -> Option<Vec<Vec<(usize, Id)>>> {
    let (mut arguments, mut total): (Option<Vec<Id>>, Rational) = (None, Rational::ZERO);
    for (base, exponent) in factors {
        let inner = match graph.node(*base) {
            Node::Call(Function::Abs | Function::Norm, inner) => inner.to_vec(),
            _ => {
                let is_even = (exponent / Rational::from(2)).is_int();
                is_even.then(|| vec![*base])?
            }
        };
        match &arguments {
            Some(known) if *known != inner => return None,
            _ => arguments = Some(inner),
        }
        total += exponent;
    }
    if total <= Rational::ONE {
        return None;
    }
    arguments?.into_iter().map(|argument| form(graph, argument, within)).collect()
}

/// The velocities in an affine form, with their coefficients. `None` where it is not affine.
fn form(graph: &mut Graph, expression: Id, (speeds, moving): (&[Symbol], &SymbolSet)) -> Option<Vec<(usize, Id)>> {
    super::velocity::is_entire(graph, expression, moving).then_some(())?;
    let mut form = Vec::new();
    for (index, &speed) in speeds.iter().enumerate() {
        let slope = derivative(graph, &[expression], speed)[0];
        if graph.touches(slope, moving) {
            return None;
        }
        if !graph.is_zero(slope) {
            form.push((index, slope));
        }
    }
    Some(form)
}
