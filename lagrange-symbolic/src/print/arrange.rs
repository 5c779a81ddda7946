//! The order in which a node is written: signs first, quotients collected, factors and terms in a readable order.

use crate::graph::{Graph, Id, Node, Rational, Symbol};
use dashu_base::{Abs as _, Sign};

/// A product with its sign: ±coefficient · numerator / denominator.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) negative: bool,
    /// Positive.
    pub(super) coefficient: Rational,
    pub(super) numerator: Vec<Factor>,
    pub(super) denominator: Vec<Factor>,
}

/// A base with a positive exponent.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    pub(super) base: Id,
    pub(super) exponent: Rational,
    /// Whether the base is a sum that is written with all signs changed.
    pub(super) negated: bool,
}

/// The terms of a node; a node that is no sum has one term. `opened` says whether an operand is written as part of the
/// node.
pub(super) fn terms(graph: &Graph, id: Id, negate: bool, opened: &dyn Fn(Id) -> bool) -> Vec<Term> {
    let scale = if negate { Rational::NEG_ONE } else { Rational::ONE };
    let mut terms = match graph.node(id) {
        Node::Sum { .. } => {
            let mut operands = Vec::new();
            let constant = open_sum(graph, id, &scale, opened, &mut operands);
            // The order of creation is the order in the user's text.
            operands.sort_by_key(|(operand, _)| *operand);
            let mut terms: Vec<Term> =
                operands.iter().map(|(operand, coefficient)| product(graph, *operand, coefficient, opened)).collect();
            if !constant.is_zero() {
                terms.push(constant_term(&constant));
            }
            terms
        }
        Node::Number(value) => vec![constant_term(&(value * scale))],
        _ => vec![product(graph, id, &scale, &|other| other == id || opened(other))],
    };
    // A sum that begins with a minus but has a positive term is easier to read with all signs changed.
    if terms.first().is_some_and(|first| first.negative)
        && let Some(position) = terms.iter().position(|term| !term.negative)
    {
        let positive = terms.remove(position);
        terms.insert(0, positive);
    }
    terms
}

fn constant_term(value: &Rational) -> Term {
    Term {
        negative: value.sign() == Sign::Negative && !value.is_zero(),
        coefficient: value.clone().abs(),
        numerator: Vec::new(),
        denominator: Vec::new(),
    }
}

/// The operands of a sum with their coefficients, and its constant. Inner sums with the coefficient ±1 are included,
/// because they are written without parentheses.
fn open_sum(
    graph: &Graph,
    id: Id,
    scale: &Rational,
    opened: &dyn Fn(Id) -> bool,
    operands: &mut Vec<(Id, Rational)>,
) -> Rational {
    let Node::Sum { terms, constant } = graph.node(id) else { return Rational::ZERO };
    let mut constant = constant * scale;
    for (operand, coefficient) in terms {
        let coefficient = coefficient * scale;
        let plain = coefficient.is_one() || coefficient == Rational::NEG_ONE;
        if plain && opened(*operand) && matches!(graph.node(*operand), Node::Sum { .. }) {
            constant += open_sum(graph, *operand, &coefficient, opened, operands);
        } else {
            operands.push((*operand, coefficient));
        }
    }
    constant
}

/// coefficient · node as a term.
fn product(graph: &Graph, id: Id, coefficient: &Rational, opened: &dyn Fn(Id) -> bool) -> Term {
    let mut term = constant_term(coefficient);
    gather(graph, id, &Rational::ONE, opened, &mut term);
    term.numerator.sort_by_key(|factor| rank(graph, factor.base));
    term.denominator.sort_by_key(|factor| rank(graph, factor.base));
    if term.negative
        && let Some(factor) = term
            .numerator
            .iter_mut()
            .find(|factor| factor.exponent.is_one() && opened(factor.base) && has_negative_term(graph, factor.base))
    {
        factor.negated = true;
        term.negative = false;
    }
    term
}

fn gather(graph: &Graph, id: Id, exponent: &Rational, opened: &dyn Fn(Id) -> bool, term: &mut Term) {
    match graph.node(id) {
        Node::Product(factors) if exponent.is_one() && opened(id) => {
            for (base, power) in factors {
                gather_power(graph, *base, power, opened, term);
            }
        }
        _ => gather_power(graph, id, exponent, opened, term),
    }
}

fn gather_power(graph: &Graph, base: Id, exponent: &Rational, opened: &dyn Fn(Id) -> bool, term: &mut Term) {
    if exponent.is_one() && matches!(graph.node(base), Node::Product(_)) && opened(base) {
        gather(graph, base, exponent, opened, term);
        return;
    }
    let factor = Factor { base, exponent: exponent.clone().abs(), negated: false };
    match exponent.sign() {
        Sign::Positive => term.numerator.push(factor),
        Sign::Negative => term.denominator.push(factor),
    }
}

fn has_negative_term(graph: &Graph, id: Id) -> bool {
    match graph.node(id) {
        Node::Sum { terms, constant } => {
            constant.sign() == Sign::Negative || terms.iter().any(|(_, c)| c.sign() == Sign::Negative)
        }
        _ => false,
    }
}

/// The order of factors: numbers, parameters and sums of them, inputs, coordinates, velocities, functions, other sums.
fn rank(graph: &Graph, id: Id) -> (u8, u32) {
    match graph.node(id) {
        Node::Number(_) => (0, 0),
        Node::Pi => (1, 0),
        Node::Symbol(symbol) => match *symbol {
            Symbol::Parameter(i) => (2, i),
            Symbol::Input(i) => (3, i),
            Symbol::Multiplier(i) => (4, i),
            Symbol::Time => (5, 0),
            Symbol::Dummy(i) => (6, i),
            Symbol::Coordinate(i) => (7, i),
            Symbol::Velocity(i) => (8, i),
            Symbol::Acceleration(i) => (9, i),
            Symbol::Force(i) => (10, i),
        },
        Node::Call(..) | Node::Power(..) | Node::Product(_) => (10, id.index() as u32),
        Node::Sum { .. } if !graph.contains(id, |symbol| !matches!(symbol, Symbol::Parameter(_))) => {
            (2, u32::MAX / 2 + id.index() as u32)
        }
        _ => (11, id.index() as u32),
    }
}
