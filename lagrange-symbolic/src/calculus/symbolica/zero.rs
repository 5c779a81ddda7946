//! Symbolica's normal form: whether an expression vanishes.
//!
//! The expression is expanded completely, as a polynomial in symbols, in the sine and cosine of each angle, and in
//! opaque parts. Sums of angles are expanded by the addition theorems first; sin² = 1 − cos² is applied last. Quotients
//! are brought over a common denominator.

use super::head;
use super::number::{from_symbolica, to_symbolica};
use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational};
use ::symbolica::atom::{Atom, AtomCore, AtomView};
use dashu_base::Sign;
use std::collections::HashMap;

/// The most terms that an expanded expression may have, before any of them merge.
const LARGEST: f64 = 20_000.0;

/// The largest multiple of an angle that the addition theorems expand.
const MULTIPLE: i64 = 4;

/// Whether Σ cᵢ xᵢ is 0 as a rational function of its symbols, sines, cosines and opaque parts. `false` proves nothing.
pub(super) fn proves_zero(graph: &Graph, sum: &[(Id, Rational)]) -> bool {
    let roots: Vec<Id> = sum.iter().map(|(id, _)| *id).collect();
    let mut form = Form { graph, atoms: HashMap::new(), names: HashMap::new(), angles: Vec::new() };
    let mut terms: HashMap<Id, f64> = HashMap::new();
    for id in graph.reachable(&roots) {
        let count = count(graph, id, &terms);
        if count > LARGEST {
            return false;
        }
        terms.insert(id, count);
        let atom = form.node(id);
        form.atoms.insert(id, atom);
    }
    let total =
        sum.iter().fold(Atom::num(0), |total, (id, coefficient)| total + to_symbolica(coefficient) * form.operand(*id));
    let mut numerator = numerator(&total.together()).expand();
    for angle in std::mem::take(&mut form.angles) {
        match reduced(&numerator, &form.wave(angle, true), &form.wave(angle, false)) {
            Some(reduced) => numerator = reduced,
            None => return false,
        }
    }
    numerator.is_zero()
}

/// How many terms a node has once it is expanded, from those of its operands.
fn count(graph: &Graph, id: Id, terms: &HashMap<Id, f64>) -> f64 {
    let of = |id: &Id| terms.get(id).copied().unwrap_or(1.0);
    match graph.node(id) {
        Node::Sum { terms, .. } => 1.0 + terms.iter().map(|(term, _)| of(term)).sum::<f64>(),
        Node::Product(factors) => {
            let power = |(base, exponent): &(Id, Rational)| {
                if exponent.is_int() { of(base).powf(exponent.to_f64().value().abs()) } else { 1.0 }
            };
            factors.iter().map(power).product()
        }
        Node::Call(Function::Sin | Function::Cos | Function::Tan, arguments) => {
            let turns: i64 = parts(graph, arguments[0]).iter().map(|(_, times)| times.abs()).sum();
            2_f64.powf(turns as f64)
        }
        _ => 1.0,
    }
}

/// sin² = 1 − cos² in an expanded polynomial.
fn reduced(polynomial: &Atom, sine: &Atom, cosine: &Atom) -> Option<Atom> {
    let mut total = Atom::num(0);
    let square = Atom::num(1) - cosine * cosine;
    for (power, coefficient) in polynomial.coefficient_list::<u16>(std::slice::from_ref(sine)) {
        let degree = degree(power.as_view())?;
        let odd = if degree % 2 == 1 { sine.clone() } else { Atom::num(1) };
        total += coefficient * square.pow(Atom::num(degree / 2)) * odd;
    }
    Some(total.expand())
}

/// n of xⁿ.
fn degree(power: AtomView<'_>) -> Option<i64> {
    match power {
        AtomView::Num(_) => Some(0),
        AtomView::Pow(pair) => i64::try_from(&pair.get_base_exp().1.to_owned()).ok().filter(|&degree| degree > 0),
        _ => Some(1),
    }
}

/// A quotient without its denominator.
fn numerator(quotient: &Atom) -> Atom {
    let is_below = |factor: &AtomView<'_>| match factor {
        AtomView::Pow(pair) => {
            from_symbolica(pair.get_base_exp().1).is_some_and(|exponent| exponent.sign() == Sign::Negative)
        }
        _ => false,
    };
    match quotient.as_view() {
        AtomView::Mul(product) => product
            .iter()
            .filter(|factor| !is_below(factor))
            .fold(Atom::num(1), |product, factor| product * factor.to_owned()),
        factor if is_below(&factor) => Atom::num(1),
        _ => quotient.clone(),
    }
}

struct Form<'g> {
    graph: &'g Graph,
    atoms: HashMap<Id, Atom>,
    /// The numbers of the variables that stand for opaque parts. A part has its node, and a word for its role: a sine,
    /// a cosine, or a root with its degree.
    names: HashMap<(Id, String), usize>,
    angles: Vec<Id>,
}

impl Form<'_> {
    fn operand(&self, id: Id) -> Atom {
        self.atoms.get(&id).cloned().unwrap_or_default()
    }

    fn node(&mut self, id: Id) -> Atom {
        match self.graph.node(id) {
            Node::Number(value) => to_symbolica(value),
            Node::Sum { terms, constant } => {
                terms.iter().fold(to_symbolica(constant), |sum, (term, c)| sum + to_symbolica(c) * self.operand(*term))
            }
            Node::Product(factors) => {
                factors.iter().fold(Atom::num(1), |product, (base, exponent)| product * self.power(*base, exponent))
            }
            Node::Call(Function::Sin, arguments) => self.turned(arguments[0]).0,
            Node::Call(Function::Cos, arguments) => self.turned(arguments[0]).1,
            Node::Call(Function::Tan, arguments) => {
                let (sine, cosine) = self.turned(arguments[0]);
                sine / cosine
            }
            _ => self.named(id, String::new()),
        }
    }

    /// xᵖ. The root x^(1/n) of an exponent m/n is an opaque variable, whose m-th power is taken. The relation between
    /// the root and x is not used.
    fn power(&mut self, base: Id, exponent: &Rational) -> Atom {
        let whole = to_symbolica(&Rational::from(exponent.numerator().clone()));
        if exponent.is_int() {
            return self.operand(base).pow(whole);
        }
        self.named(base, format!("root {}", exponent.denominator())).pow(whole)
    }

    /// The sine and cosine of an angle. A sum of small multiples of angles is expanded by the addition theorems.
    fn turned(&mut self, angle: Id) -> (Atom, Atom) {
        let mut turned = (Atom::num(0), Atom::num(1));
        for (part, times) in parts(self.graph, angle) {
            let (sine, cosine) = (self.wave(part, true), self.wave(part, false));
            let sine = if times < 0 { -sine } else { sine };
            for _ in 0..times.abs() {
                turned = (&turned.0 * &cosine + &turned.1 * &sine, &turned.1 * &cosine - &turned.0 * &sine);
            }
        }
        turned
    }

    fn wave(&mut self, angle: Id, is_sine: bool) -> Atom {
        if !self.angles.contains(&angle) {
            self.angles.push(angle);
        }
        self.named(angle, if is_sine { "sine" } else { "cosine" }.to_owned())
    }

    fn named(&mut self, id: Id, what: String) -> Atom {
        let next = self.names.len();
        Atom::var(head::leaf(*self.names.entry((id, what)).or_insert(next)))
    }
}

/// An angle as Σ times·part, or the angle itself.
fn parts(graph: &Graph, angle: Id) -> Vec<(Id, i64)> {
    let whole = vec![(angle, 1)];
    let Node::Sum { terms, constant } = graph.node(angle) else { return whole };
    if !constant.is_zero() {
        return whole;
    }
    let times = |coefficient: &Rational| {
        let times = i64::try_from(coefficient.numerator()).ok()?;
        (coefficient.is_int() && times.abs() <= MULTIPLE).then_some(times)
    };
    terms.iter().map(|(part, c)| Some((*part, times(c)?))).collect::<Option<Vec<_>>>().unwrap_or(whole)
}
