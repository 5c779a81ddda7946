//! A dissipation that does not only take energy: terms that are odd in the velocities, such as `c*dot(x)`, and one that gives energy along a
//! velocity, such as `-c*dot(x)^2/2`.

use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, Symbol};
use crate::meaning::Model;
use crate::mechanics::gives_energy_along;
use crate::print;
use crate::report::{Mistake, Place};
use crate::syntax::{Energy, Spec, StatementKind};
use std::collections::HashMap;

/// What a turn of all velocities does to an expression f.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parity {
    /// f(q, −v, t) = f(q, v, t)
    Even,
    /// f(q, −v, t) = −f(q, v, t)
    Odd,
}

/// The parities that the form of the expressions shows.
type Parities = HashMap<Id, Option<Parity>>;

/// Warns of a term of the dissipation that is odd in the velocities, and of a dissipation that gives energy along one.
pub(super) fn warn(spec: &Spec, model: &mut Model) {
    if let Some(term) = term(model) {
        model.warnings.add(Mistake::OddDissipation { term }, place(spec, model));
    }
    if let Some(coordinate) = driven(model) {
        model.warnings.add(Mistake::GivingDissipation { coordinate }, place(spec, model));
    }
}

/// The place of the statement of the dissipation.
pub(super) fn place(spec: &Spec, model: &Model) -> Place {
    let states_it = |kind: &StatementKind| matches!(kind, StatementKind::Energy { energy: Energy::Dissipation, .. });
    let statement = spec.statements.iter().find(|statement| states_it(&statement.kind));
    statement.map_or_else(|| (&model.item.ident).into(), |found| found.place)
}

/// The name of the first coordinate to whose velocity the dissipation gives energy.
fn driven(model: &Model) -> Option<String> {
    // New nodes would change the order of the terms of the equations.
    let mut graph = model.graph.clone();
    match gives_energy_along(&mut graph, model.physics.dissipation?, model.mechanical(), &model.physics.assumed())? {
        Symbol::Velocity(index) => model.coordinates.get(index as usize).map(|coordinate| coordinate.name.clone()),
        _ => None,
    }
}

/// The text of a term of the dissipation D with D(q, −v, t) = −D(q, v, t), if its form shows one. The power −v·∂D/∂v of such a term changes
/// its sign with the velocities, so that it gives energy to the motion in one direction.
fn term(model: &Model) -> Option<String> {
    let (graph, dissipation) = (&model.graph, model.physics.dissipation?);
    let mut parities = Parities::new();
    for id in graph.reachable(&[dissipation]) {
        let found = match graph.node(id) {
            // The value of a state stands in the place of a velocity.
            Node::Symbol(Symbol::Velocity(index)) if *index as usize >= model.mechanical() => Some(Parity::Even),
            node => parity(node, &parities),
        };
        parities.insert(id, found);
    }
    let odd = find(graph, dissipation, &parities)?;
    Some(print::text(graph, odd, &model.naming()))
}

/// An odd term of a sum, or of a sum among even factors.
fn find(graph: &Graph, id: Id, parities: &Parities) -> Option<Id> {
    match graph.node(id) {
        _ if known(parities, id) == Some(Parity::Odd) => Some(id),
        Node::Sum { terms, .. } => terms.iter().find_map(|(term, _)| find(graph, *term, parities)),
        Node::Product(factors) => {
            let mut mixed = factors.iter().filter(|(factor, _)| known(parities, *factor) != Some(Parity::Even));
            match (mixed.next(), mixed.next()) {
                (Some((factor, exponent)), None) if *exponent == Rational::ONE => find(graph, *factor, parities),
                _ => None,
            }
        }
        _ => None,
    }
}

fn known(parities: &Parities, id: Id) -> Option<Parity> {
    parities.get(&id).copied().flatten()
}

/// The parity of a node, which follows from the parities of its operands.
fn parity(node: &Node, parities: &Parities) -> Option<Parity> {
    let of = |id: &Id| known(parities, *id);
    let even = |ids: &[Id]| ids.iter().all(|id| of(id) == Some(Parity::Even)).then_some(Parity::Even);
    match node {
        Node::Symbol(Symbol::Velocity(_)) => Some(Parity::Odd),
        Node::Number(_) | Node::Pi | Node::Symbol(_) | Node::Truth(_) => Some(Parity::Even),
        Node::Sum { terms, constant } => {
            let mut all = terms.iter().map(|(term, _)| of(term));
            let first = all.next().unwrap_or(Some(Parity::Even))?;
            let same = all.all(|parity| parity == Some(first)) && (constant.is_zero() || first == Parity::Even);
            same.then_some(first)
        }
        Node::Product(factors) => {
            factors.iter().try_fold(Parity::Even, |product, (factor, exponent)| match of(factor)? {
                Parity::Even => Some(product),
                Parity::Odd if !exponent.is_int() => None,
                Parity::Odd if exponent.numerator() % 2 == 0 => Some(product),
                Parity::Odd if product == Parity::Odd => Some(Parity::Even),
                Parity::Odd => Some(Parity::Odd),
            })
        }
        Node::Call(Function::Norm, arguments) => arguments.iter().all(|id| of(id).is_some()).then_some(Parity::Even),
        Node::Call(function, arguments) => match (even(arguments), function, &arguments[..]) {
            (Some(parity), ..) => Some(parity),
            (None, Function::Abs | Function::Cos | Function::Cosh, [argument]) => of(argument).and(Some(Parity::Even)),
            (
                None,
                Function::Sin
                | Function::Tan
                | Function::Asin
                | Function::Atan
                | Function::Sinh
                | Function::Tanh
                | Function::Sign,
                [argument],
            ) => of(argument),
            _ => None,
        },
        Node::Power(a, b) | Node::Compare(_, a, b) | Node::And(a, b) | Node::Or(a, b) => even(&[*a, *b]),
        Node::Not(a) => even(&[*a]),
        Node::Select(condition, a, b) if of(a) == of(b) => even(&[*condition]).and(of(a)),
        Node::Select(..) => None,
    }
}
