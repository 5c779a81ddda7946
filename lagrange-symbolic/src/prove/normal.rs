//! The normal form of an expression, and the proof that two have the same one.

use super::parameters::ParameterSigns;
use super::polynomial::Polynomial;
use super::ring::{Atom, Outcome, Ring, Stop};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, Relation};
use dashu_base::Sign;
use std::collections::HashMap;
use std::rc::Rc;

/// The normal forms of nodes.
pub(super) type Given = HashMap<Id, Polynomial>;

/// The most restarts of a proof that needs a smaller unit of an angle, an exponent or a root.
const MOST_REFINEMENTS: usize = 24;

/// Whether Σ cᵢ xᵢ of the pairs (xᵢ, cᵢ) is 0 as a rational function of its atoms. `false` proves nothing.
pub(super) fn proves_zero(graph: &Graph, sum: &[(Id, Rational)], signs: &ParameterSigns) -> bool {
    let roots: Vec<Id> = sum.iter().map(|(id, _)| *id).collect();
    let order = graph.reachable(&roots);
    let mut ring = Ring::new(signs.clone());
    for _ in 0..MOST_REFINEMENTS {
        match sum_is_zero(&mut ring, graph, &order, sum) {
            Ok(zero) => return zero,
            Err(Stop::Refined) => {}
            Err(Stop::GiveUp) => return false,
        }
    }
    false
}

fn sum_is_zero(ring: &mut Ring, graph: &Graph, order: &[Id], sum: &[(Id, Rational)]) -> Outcome<bool> {
    let mut forms: HashMap<Id, Polynomial> = HashMap::with_capacity(order.len());
    for &id in order {
        let form = normal(ring, graph, id, &forms)?;
        forms.insert(id, form);
    }
    let mut total = Polynomial::default();
    for (id, coefficient) in sum {
        total.add_scaled(&forms[id], coefficient);
    }
    ring.is_zero(&total)
}

/// The normal form of a node from those of its operands. A condition is 1 where it is true, else 0.
pub(super) fn normal(ring: &mut Ring, graph: &Graph, id: Id, forms: &Given) -> Outcome<Polynomial> {
    match graph.node(id) {
        Node::Number(value) => Ok(Polynomial::constant(value.clone())),
        Node::Pi => Ok(ring.atom(Atom::Pi)),
        // The atom of a negative parameter is its magnitude.
        Node::Symbol(symbol) if ring.signs.is_negative(*symbol) => {
            Ok(ring.atom(Atom::Symbol(*symbol)).scaled(&Rational::NEG_ONE))
        }
        Node::Symbol(symbol) => Ok(ring.atom(Atom::Symbol(*symbol))),
        Node::Sum { terms, constant } => {
            let mut sum = Polynomial::constant(constant.clone());
            for (term, coefficient) in terms {
                sum.add_scaled(&forms[term], coefficient);
            }
            Ok(sum)
        }
        Node::Product(factors) => {
            let mut product = Polynomial::constant(Rational::ONE);
            for (base, exponent) in factors {
                let factor = ring.rational_power(&forms[base], exponent)?;
                product = ring.mul(&product, &factor)?;
            }
            Ok(product)
        }
        Node::Power(base, exponent) => {
            let logarithm = ring.logarithm(&forms[base])?;
            let exponent = ring.mul(&logarithm, &forms[exponent])?;
            ring.exponential(&exponent)
        }
        Node::Call(function, arguments) => {
            let arguments: Vec<&Polynomial> = arguments.iter().map(|argument| &forms[argument]).collect();
            call(ring, *function, &arguments)
        }
        Node::Select(condition, yes, no) => {
            let mut change = forms[yes].clone();
            change.add_scaled(&forms[no], &Rational::NEG_ONE);
            let mut taken = ring.mul(&forms[condition], &change)?;
            taken.add_scaled(&forms[no], &Rational::ONE);
            Ok(taken)
        }
        Node::Truth(value) => Ok(Polynomial::constant(if *value { Rational::ONE } else { Rational::ZERO })),
        Node::Compare(relation, a, b) => compare(ring, *relation, &forms[a], &forms[b]),
        Node::And(a, b) => ring.mul(&forms[a], &forms[b]),
        Node::Or(a, b) => {
            let mut either = forms[a].clone();
            either.add_scaled(&forms[b], &Rational::ONE);
            let both = ring.mul(&forms[a], &forms[b])?;
            either.add_scaled(&both, &Rational::NEG_ONE);
            Ok(either)
        }
        Node::Not(a) => Ok(complement(&forms[a])),
    }
}

/// 1 − p.
fn complement(p: &Polynomial) -> Polynomial {
    let mut result = Polynomial::constant(Rational::ONE);
    result.add_scaled(p, &Rational::NEG_ONE);
    result
}

fn call(ring: &mut Ring, function: Function, arguments: &[&Polynomial]) -> Outcome<Polynomial> {
    let Some(&x) = arguments.first() else { return Err(Stop::GiveUp) };
    match function {
        Function::Sin => Ok(ring.cosine_and_sine(x)?.1),
        Function::Cos => Ok(ring.cosine_and_sine(x)?.0),
        Function::Tan => {
            let (cosine, sine) = ring.cosine_and_sine(x)?;
            let inverse = ring.inverse(&cosine)?;
            ring.mul(&sine, &inverse)
        }
        Function::Exp => ring.exponential(x),
        Function::Sinh => Ok(hyperbolic(ring, x)?.1),
        Function::Cosh => Ok(hyperbolic(ring, x)?.0),
        Function::Tanh => {
            let (cosine, sine) = hyperbolic(ring, x)?;
            let inverse = ring.inverse(&cosine)?;
            ring.mul(&sine, &inverse)
        }
        Function::Ln => ring.logarithm(x),
        Function::Abs => ring.magnitude(x),
        Function::Sign => ring.sign(x),
        Function::Norm => {
            let mut square = Polynomial::default();
            for argument in arguments {
                square.add_scaled(&ring.power(argument, 2)?, &Rational::ONE);
            }
            ring.rational_power(&square, &(Rational::ONE / Rational::from(2)))
        }
        Function::Min | Function::Max => {
            // (a + b ∓ |a − b|)/2.
            let Some(&y) = arguments.get(1) else { return Err(Stop::GiveUp) };
            let mut difference = x.clone();
            difference.add_scaled(y, &Rational::NEG_ONE);
            let half = Rational::ONE / Rational::from(2);
            let distance = ring.magnitude(&difference)?;
            let mut result = x.scaled(&half);
            result.add_scaled(y, &half);
            let sign = if function == Function::Min { -half } else { half };
            result.add_scaled(&distance, &sign);
            Ok(result)
        }
        Function::RecipOrZero => {
            if x.is_zero() {
                return Ok(x.clone());
            }
            let (coefficient, content, primitive) = ring.split(x)?;
            let mut result = Polynomial::constant(Rational::ONE / coefficient);
            for &(atom, power) in &content {
                let plain = Polynomial::atom(atom);
                let powers = if power < 0 || ring.is_positive(atom) {
                    ring.power(&plain, -power)?
                } else {
                    let reciprocal = ring.atom(Atom::RecipOrZero(Rc::new(plain)));
                    ring.power(&reciprocal, power)?
                };
                result = ring.mul(&result, &powers)?;
            }
            if primitive.as_constant().is_some() {
                return Ok(result);
            }
            let rest = ring.atom(Atom::RecipOrZero(Rc::new(primitive)));
            ring.mul(&result, &rest)
        }
        Function::Asin | Function::Atan => odd_or_even(ring, function, x, true),
        Function::Sinc(order) => odd_or_even(ring, function, x, order % 2 == 1),
        Function::Mod => {
            // x − y·floor(x/y).
            let Some(&y) = arguments.get(1) else { return Err(Stop::GiveUp) };
            let inverse = ring.inverse(y)?;
            let turns = ring.mul(x, &inverse)?;
            let turns = ring.atom(Atom::Call(Function::Floor, vec![turns]));
            let mut result = x.clone();
            result.add_scaled(&ring.mul(y, &turns)?, &Rational::NEG_ONE);
            Ok(result)
        }
        _ => {
            let arguments = arguments.iter().map(|&argument| argument.clone()).collect();
            Ok(ring.atom(Atom::Call(function, arguments)))
        }
    }
}

/// f(−x) = ∓f(x). The sign of the argument is chosen so that its first coefficient is positive.
fn odd_or_even(ring: &mut Ring, function: Function, x: &Polynomial, odd: bool) -> Outcome<Polynomial> {
    let negative = x.leading().sign() == Sign::Negative;
    let argument = if negative { x.scaled(&Rational::NEG_ONE) } else { x.clone() };
    let value = ring.atom(Atom::Call(function, vec![argument]));
    Ok(if negative && odd { value.scaled(&Rational::NEG_ONE) } else { value })
}

/// (cosh p, sinh p) by exponentials.
fn hyperbolic(ring: &mut Ring, p: &Polynomial) -> Outcome<(Polynomial, Polynomial)> {
    let half = Rational::ONE / Rational::from(2);
    let rising = ring.exponential(p)?;
    let falling = ring.exponential(&p.scaled(&Rational::NEG_ONE))?;
    let (mut cosine, mut sine) = (rising.scaled(&half), rising.scaled(&half));
    cosine.add_scaled(&falling, &half);
    sine.add_scaled(&falling, &-half);
    Ok((cosine, sine))
}

/// The indicator function of a comparison. The difference of both sides is normalized by a positive factor.
fn compare(ring: &mut Ring, relation: Relation, a: &Polynomial, b: &Polynomial) -> Outcome<Polynomial> {
    let mut difference = a.clone();
    difference.add_scaled(b, &Rational::NEG_ONE);
    if let Some(value) = difference.as_constant() {
        let negative = value.sign() == Sign::Negative && !value.is_zero();
        let holds = match relation {
            Relation::Less => negative,
            Relation::LessEqual => negative || value.is_zero(),
            Relation::Equal => value.is_zero(),
        };
        return Ok(Polynomial::constant(if holds { Rational::ONE } else { Rational::ZERO }));
    }
    if relation == Relation::LessEqual {
        // a ≤ b is not b < a.
        return Ok(complement(&compare(ring, Relation::Less, b, a)?));
    }
    let leading = difference.leading();
    let scale = if relation == Relation::Equal { leading } else { dashu_base::Abs::abs(leading) };
    let difference = difference.scaled(&(Rational::ONE / scale));
    Ok(ring.atom(Atom::Holds(relation, Rc::new(difference))))
}
