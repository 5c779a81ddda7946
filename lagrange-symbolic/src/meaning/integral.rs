//! Integrals in closed form: sums of P(x)·|u|ᵏ·sign(u)ʲ with P a polynomial and u affine in x.
//!
//! On an interval [c, d] where u keeps its sign, with x = c(1−s) + d s and u = u_c(1−s) + u_d s,
//!
//! ```text
//! ∫ xᵐ uᵏ dx = (d − c) Σᵢⱼ C(m,i) C(k,j) c^(m−i) dⁱ u_c^(k−j) u_d^j ∫₀¹ (1−s)^(m+k−i−j) s^(i+j) ds
//! ```
//!
//! The last factor is 1/((m+k+1) C(m+k, i+j)). There is no division by the slope of u, so that the form is valid at
//! rest, where u is zero on the whole interval. Where u changes its sign, at x* = c + (d−c) u_c/(u_c−u_d), the two
//! halves are integrated separately; u_c − u_d cannot vanish there. Both forms agree k times differentiably where the
//! selection between them switches, so that the derivative of the branches is the derivative of the integral.

use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, Relation, Symbol};
use dashu_int::IBig;

/// The largest degree of an integrand in its variable.
pub(crate) const LARGEST_DEGREE: usize = 32;

/// Why an integral has no closed form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Obstacle {
    /// The integrand has a factor of another kind.
    Factor,
    /// The degree is too high.
    Degree,
}

/// P(x)·|u|ᵏ·sign(u)ʲ.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    /// Coefficients of P, the constant first.
    polynomial: Vec<Id>,
    modulus: Option<Modulus>,
}

/// |u|ᵏ·sign(u)ʲ, with u = offset + slope·x.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Modulus {
    offset: Id,
    slope: Id,
    power: usize,
    sign: bool,
}

/// ∫ integrand dx from `bounds.0` to `bounds.1`.
pub(crate) fn closed_form(graph: &mut Graph, integrand: Id, x: Symbol, bounds: (Id, Id)) -> Result<Id, Obstacle> {
    let terms = terms(graph, integrand, x)?;
    let parts: Vec<Id> = terms.iter().map(|term| term_integral(graph, term, bounds)).collect();
    Ok(graph.add_all(&parts))
}

/// The integrand as a sum of terms.
pub(crate) fn terms(graph: &mut Graph, integrand: Id, x: Symbol) -> Result<Vec<Term>, Obstacle> {
    if !graph.depends_on(integrand, x) {
        return Ok(vec![Term { polynomial: vec![integrand], modulus: None }]);
    }
    match graph.node(integrand).clone() {
        Node::Symbol(_) => {
            let (zero, one) = (graph.zero(), graph.one());
            Ok(vec![Term { polynomial: vec![zero, one], modulus: None }])
        }
        Node::Sum { terms: summands, constant } => {
            let constant = graph.number(constant);
            let mut sum = vec![Term { polynomial: vec![constant], modulus: None }];
            for (summand, coefficient) in summands {
                for mut term in terms(graph, summand, x)? {
                    for entry in &mut term.polynomial {
                        *entry = graph.scale(&coefficient, *entry);
                    }
                    add(graph, &mut sum, term);
                }
            }
            Ok(sum)
        }
        Node::Product(factors) => {
            let one = graph.one();
            let mut product = vec![Term { polynomial: vec![one], modulus: None }];
            for (factor, exponent) in factors {
                let power = if graph.depends_on(factor, x) {
                    let exponent = whole(&exponent).ok_or(Obstacle::Factor)?;
                    let base = terms(graph, factor, x)?;
                    power(graph, &base, exponent)?
                } else {
                    let constant = graph.power_rational(factor, &exponent);
                    vec![Term { polynomial: vec![constant], modulus: None }]
                };
                product = multiply(graph, &product, &power)?;
            }
            Ok(product)
        }
        Node::Call(function @ (Function::Abs | Function::Sign), arguments) => {
            let (offset, slope) = affine(graph, arguments[0], x)?;
            let sign = function == Function::Sign;
            let one = graph.one();
            let modulus = Some(Modulus { offset, slope, power: usize::from(!sign), sign });
            Ok(vec![Term { polynomial: vec![one], modulus }])
        }
        _ => Err(Obstacle::Factor),
    }
}

/// A non-negative whole exponent.
fn whole(exponent: &Rational) -> Option<usize> {
    if exponent.is_int() { usize::try_from(exponent.numerator()).ok() } else { None }
}

/// u = offset + slope·x.
fn affine(graph: &mut Graph, u: Id, x: Symbol) -> Result<(Id, Id), Obstacle> {
    let found = terms(graph, u, x)?;
    match found.as_slice() {
        [Term { polynomial, modulus: None }] => match polynomial.as_slice() {
            [offset, slope] => Ok((*offset, *slope)),
            _ => Err(Obstacle::Factor),
        },
        _ => Err(Obstacle::Factor),
    }
}

/// Adds a term to a sum. Terms with the same modulus become one.
fn add(graph: &mut Graph, sum: &mut Vec<Term>, term: Term) {
    match sum.iter_mut().find(|other| other.modulus == term.modulus) {
        Some(other) => {
            let zero = graph.zero();
            other.polynomial.resize(other.polynomial.len().max(term.polynomial.len()), zero);
            for (entry, more) in other.polynomial.iter_mut().zip(term.polynomial) {
                *entry = graph.add(*entry, more);
            }
        }
        None => sum.push(term),
    }
}

fn multiply(graph: &mut Graph, left: &[Term], right: &[Term]) -> Result<Vec<Term>, Obstacle> {
    let mut product = Vec::new();
    for a in left {
        for b in right {
            let modulus = match (&a.modulus, &b.modulus) {
                (None, other) | (other, None) => other.clone(),
                (Some(a), Some(b)) => Some(multiply_moduli(a, b)?),
            };
            let length = a.polynomial.len() + b.polynomial.len() - 1;
            if length + modulus.as_ref().map_or(0, |modulus| modulus.power) > LARGEST_DEGREE + 1 {
                return Err(Obstacle::Degree);
            }
            let mut columns: Vec<Vec<Id>> = vec![Vec::new(); length];
            for (i, x) in a.polynomial.iter().enumerate() {
                for (j, y) in b.polynomial.iter().enumerate() {
                    columns[i + j].push(graph.mul(*x, *y));
                }
            }
            let polynomial = columns.iter().map(|column| graph.add_all(column)).collect();
            add(graph, &mut product, Term { polynomial, modulus });
        }
    }
    Ok(product)
}

fn multiply_moduli(a: &Modulus, b: &Modulus) -> Result<Modulus, Obstacle> {
    let power = a.power + b.power;
    // sign(u)² is 1 except at u = 0. A positive power of |u| as a factor makes the exception irrelevant.
    if (a.offset, a.slope) != (b.offset, b.slope) || (a.sign && b.sign && power == 0) {
        return Err(Obstacle::Factor);
    }
    Ok(Modulus { power, sign: a.sign != b.sign, ..a.clone() })
}

fn power(graph: &mut Graph, base: &[Term], exponent: usize) -> Result<Vec<Term>, Obstacle> {
    if exponent > LARGEST_DEGREE {
        return Err(Obstacle::Degree);
    }
    let mut result = base.to_vec();
    for _ in 1..exponent {
        result = multiply(graph, &result, base)?;
    }
    Ok(result)
}

fn term_integral(graph: &mut Graph, term: &Term, (a, b): (Id, Id)) -> Id {
    let length = graph.sub(b, a);
    let Some(modulus) = &term.modulus else {
        let zero = graph.zero();
        return moment(graph, term, length, (a, zero), (b, zero), 0);
    };
    let mut end = |x: Id| {
        let rise = graph.mul(modulus.slope, x);
        graph.add(modulus.offset, rise)
    };
    let (u_a, u_b) = (end(a), end(b));
    let power = modulus.power;
    let straight = moment(graph, term, length, (a, u_a), (b, u_b), power);
    // |u|ᵏ with k even, or |u|ᵏ sign(u) with k odd, is the polynomial uᵏ.
    if power.is_multiple_of(2) != modulus.sign {
        return straight;
    }
    // This sum has the sign of an end value that does not vanish. The term sign(u_a) alone would lose the derivative at
    // u_a = 0.
    let middle = graph.add(u_a, u_b);
    let sign = graph.call(Function::Sign, &[middle]);
    let straight = graph.mul(sign, straight);
    if graph.is_zero(u_a) || graph.is_zero(u_b) {
        return straight;
    }
    let zero = graph.zero();
    let one = graph.one();
    let product = graph.mul(u_a, u_b);
    let keeps_sign = graph.compare(Relation::LessEqual, zero, product);
    let fall = graph.sub(u_a, u_b);
    let fall = graph.select(keeps_sign, one, fall);
    let per_fall = graph.div(length, fall);
    let before = graph.mul(per_fall, u_a);
    let crossing = graph.add(a, before);
    // Minus the length after the change of sign: u has the other sign there, and the two signs cancel.
    let after = graph.mul(per_fall, u_b);
    let first = moment(graph, term, before, (a, u_a), (crossing, zero), power);
    let second = moment(graph, term, after, (crossing, zero), (b, u_b), power);
    let both = graph.add(first, second);
    let sign = graph.call(Function::Sign, &[u_a]);
    let broken = graph.mul(sign, both);
    graph.select(keeps_sign, straight, broken)
}

/// `length`·∫₀¹ P(x) uᵏ ds, where x and u are linear in s between their end values.
fn moment(graph: &mut Graph, term: &Term, length: Id, (c, u_c): (Id, Id), (d, u_d): (Id, Id), k: usize) -> Id {
    let mut parts = Vec::new();
    for (m, coefficient) in term.polynomial.iter().enumerate() {
        if graph.is_zero(*coefficient) {
            continue;
        }
        let mut sum = Vec::new();
        for i in 0..=m {
            for j in 0..=k {
                let weight = Rational::from(binomial(m, i) * binomial(k, j))
                    / Rational::from(IBig::from(m + k + 1) * binomial(m + k, i + j));
                let powers = [(c, m - i), (d, i), (u_c, k - j), (u_d, j)];
                if powers.iter().any(|(base, exponent)| *exponent > 0 && graph.is_zero(*base)) {
                    continue;
                }
                let powers = powers.iter().filter(|(_, exponent)| *exponent > 0);
                let product = powers.map(|(base, exponent)| (*base, Rational::from(*exponent))).collect();
                sum.push((graph.product(product), weight));
            }
        }
        let sum = graph.sum(sum, Rational::ZERO);
        parts.push(graph.mul(*coefficient, sum));
    }
    let sum = graph.add_all(&parts);
    graph.mul(length, sum)
}

fn binomial(n: usize, k: usize) -> IBig {
    (0..k).fold(IBig::ONE, |value, i| value * IBig::from(n - i) / IBig::from(i + 1))
}
