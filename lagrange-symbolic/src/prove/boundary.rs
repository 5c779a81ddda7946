//! Proofs on a boundary: the equation of the boundary eliminates one symbol, and normal forms are compared there.

use super::normal::{Given, normal};
use super::parameters::ParameterSigns;
use super::polynomial::{Polynomial, with_exponent};
use super::ring::{Atom, Outcome, Ring, Stop};
use super::switch::{Goal, Switch, goal_form};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, Relation, Symbol};

/// The most nodes of an expression for which a proof is tried. Evaluation on the boundary is cheaper for larger ones.
const MOST_NODES: usize = 400;

/// The most restarts of a proof that needs a smaller unit of an angle, an exponent or a root.
const MOST_REFINEMENTS: usize = 12;

/// Whether the formulas of a sum on the two sides of a boundary are proved to be equal on the boundary and, if `with_boundary`, to its value
/// there.
pub(super) fn sides_agree(
    graph: &Graph,
    parts: &[(Id, Rational)],
    switch: &Switch,
    signs: &ParameterSigns,
    with_boundary: bool,
) -> bool {
    let roots: Vec<Id> = parts.iter().map(|(id, _)| *id).collect();
    let order = graph.reachable(&roots);
    let Some(form) = switch.form(graph).filter(|_| !switch.is_pole && order.len() <= MOST_NODES) else { return false };
    let form = form.normalized().0;
    // The switches with this boundary, with their values on its two sides, and on it.
    let mut sided: Vec<(Id, [Rational; 3])> = Vec::new();
    for &node in &order {
        let own = Switch::of_formulas(graph, node).and_then(|switch| switch.form(graph)).map(|form| form.normalized());
        let Some((_, flipped)) = own.filter(|(own, _)| *own == form) else { continue };
        let mut values = match graph.node(node) {
            Node::Compare(Relation::Less, ..) => [Rational::ONE, Rational::ZERO, Rational::ZERO],
            Node::Compare(Relation::LessEqual, ..) => [Rational::ONE, Rational::ZERO, Rational::ONE],
            Node::Compare(Relation::Equal, ..) => [Rational::ZERO, Rational::ZERO, Rational::ONE],
            Node::Call(Function::Sign, _) => [Rational::NEG_ONE, Rational::ONE, Rational::ZERO],
            _ => continue,
        };
        if flipped {
            values.swap(0, 1);
        }
        sided.push((node, values));
    }
    proved(graph, switch, signs, &|ring, solution| {
        for other in if with_boundary { 1..3 } else { 1..2 } {
            let mut difference = Polynomial::default();
            for (side, sign) in [(0, Rational::ONE), (other, Rational::NEG_ONE)] {
                let mut given = solution.clone();
                for (node, values) in &sided {
                    given.insert(*node, Polynomial::constant(values[side].clone()));
                }
                let forms = on_boundary(ring, graph, &order, given)?;
                for (id, coefficient) in parts {
                    difference.add_scaled(&forms[id], &(coefficient * &sign));
                }
            }
            if !ring.is_zero(&difference)? {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

/// Whether some goal is proved to be violated on the whole boundary of the switch. Points on the goal's own boundary
/// are excepted.
pub(super) fn excludes(graph: &Graph, switch: &Switch, goals: &[Goal], signs: &ParameterSigns) -> bool {
    goals.iter().any(|goal| {
        let Some(form) = goal_form(graph, *goal) else { return false };
        let roots: Vec<Id> = form.terms.iter().map(|(id, _)| *id).collect();
        let order = graph.reachable(&roots);
        order.len() <= MOST_NODES
            && proved(graph, switch, signs, &|ring, solution| {
                let forms = on_boundary(ring, graph, &order, solution.clone())?;
                let mut opposite = Polynomial::constant(-form.constant.clone());
                for (id, coefficient) in &form.terms {
                    opposite.add_scaled(&forms[id], &-coefficient.clone());
                }
                Ok(ring.has_no_negative_term(&opposite))
            })
    })
}

/// Tries a proof that uses the equation of the boundary. The equation is solved for a symbol, or else for each of its
/// terms.
fn proved(
    graph: &Graph,
    switch: &Switch,
    signs: &ParameterSigns,
    proof: &dyn Fn(&mut Ring, &Given) -> Outcome<bool>,
) -> bool {
    let mut ring = Ring::new(signs.clone());
    for _ in 0..MOST_REFINEMENTS {
        let mut refined = false;
        let count = switch.form(graph).map_or(0, |form| form.terms.len());
        for candidate in 0..=count {
            let given = match candidate.checked_sub(1) {
                None => symbol(&mut ring, graph, switch),
                Some(index) => term(&mut ring, graph, switch, index),
            };
            match given.and_then(|given| proof(&mut ring, &given)) {
                Ok(true) => return true,
                Ok(false) | Err(Stop::GiveUp) => {}
                Err(Stop::Refined) => refined = true,
            }
        }
        if !refined {
            return false;
        }
    }
    false
}

/// Solves the equation of the boundary for one of its terms.
fn term(ring: &mut Ring, graph: &Graph, switch: &Switch, index: usize) -> Outcome<Given> {
    let form = switch.form(graph).ok_or(Stop::GiveUp)?;
    let (id, coefficient) = form.terms.get(index).ok_or(Stop::GiveUp)?;
    if !graph.contains(*id, |symbol| !matches!(symbol, Symbol::Parameter(_))) {
        return Err(Stop::GiveUp);
    }
    let others: Vec<Id> = form.terms.iter().map(|(other, _)| *other).filter(|other| other != id).collect();
    let forms = on_boundary(ring, graph, &graph.reachable(&others), Given::new())?;
    let mut value = Polynomial::constant(form.constant.clone());
    for (other, scale) in form.terms.iter().filter(|(other, _)| other != id) {
        value.add_scaled(&forms[other], scale);
    }
    Ok(Given::from([(*id, value.scaled(&-(Rational::ONE / coefficient)))]))
}

/// Solves the equation of the boundary for a symbol that is no parameter.
fn symbol(ring: &mut Ring, graph: &Graph, switch: &Switch) -> Outcome<Given> {
    let operands: Vec<Id> = switch.operands().collect();
    let order = graph.reachable(&operands);
    let switching = |ring: &mut Ring, given: Given| -> Outcome<Polynomial> {
        let forms = on_boundary(ring, graph, &order, given)?;
        let mut value = forms[&operands[0]].clone();
        if let Some(second) = operands.get(1) {
            value.add_scaled(&forms[second], &Rational::NEG_ONE);
        }
        Ok(value)
    };
    let value = switching(ring, Given::new())?;
    for (monomial, coefficient) in &value.terms {
        for &(atom, exponent) in monomial {
            let Atom::Symbol(symbol) = ring.atoms[atom as usize] else { continue };
            let Some(id) = graph.find_symbol(symbol) else { continue };
            if exponent != 1 || matches!(symbol, Symbol::Parameter(_)) {
                continue;
            }
            let mut rest = value.clone();
            rest.add_term(monomial.clone(), &-coefficient.clone());
            let factor = Polynomial::term(with_exponent(monomial, atom, 0), -coefficient.clone());
            let inverse = ring.power(&factor, -1)?;
            let solved = ring.mul(&rest, &inverse)?;
            let given = Given::from([(id, solved)]);
            let left = switching(ring, given.clone())?;
            if ring.is_zero(&left)? {
                return Ok(given);
            }
        }
    }
    Err(Stop::GiveUp)
}

/// The normal forms of nodes on the boundary, where some are given. Gives up where another switching function vanishes
/// identically there.
fn on_boundary(ring: &mut Ring, graph: &Graph, order: &[Id], given: Given) -> Outcome<Given> {
    let mut forms = given;
    for &id in order {
        if forms.contains_key(&id) {
            continue;
        }
        let switching = match graph.node(id) {
            Node::Compare(_, a, b) => {
                let mut difference = forms[a].clone();
                difference.add_scaled(&forms[b], &Rational::NEG_ONE);
                Some(difference)
            }
            Node::Call(Function::Sign | Function::RecipOrZero, arguments) => Some(forms[&arguments[0]].clone()),
            _ => None,
        };
        if let Some(switching) = switching
            && ring.is_zero(&switching)?
        {
            return Err(Stop::GiveUp);
        }
        let form = normal(ring, graph, id, &forms)?;
        forms.insert(id, form);
    }
    Ok(forms)
}
