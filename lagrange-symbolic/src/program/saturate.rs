//! Products in which one factor overflows where another vanishes, such as eᵘ (1 + eᵘ)⁻², the derivative of 1/(1 + eᵘ). Their values are
//! finite, but the product of their factors is ∞·0. They are written so that no factor that overflows is multiplied by one that vanishes:
//!
//! ```text
//! eᵘ eʷ = eᵘ⁺ʷ,    eʷ cosh u = (eʷ⁺ᵘ + eʷ⁻ᵘ)/2,    sinh u = tanh u cosh u,    eᵘ S⁻ⁿ = S¹⁻ⁿ (S e⁻ᵘ)⁻¹,
//! ```
//!
//! the last one for sums S that contain eᵘ, term by term, and in the same way for cosh u.

use crate::graph::function::Function;
use crate::graph::{Graph, Id, Node, Rational, rational};
use dashu_base::Sign;

/// The factors of a product with their exponents.
type Factors = Vec<(Id, Rational)>;

/// The most powers of a factor that are written anew.
const MOST_POWERS: u64 = 8;

/// The most terms of a sum that is divided by a factor.
const MOST_TERMS: usize = 32;

/// The product in another form, if one of its factors may overflow where another vanishes.
pub(super) fn saturating(graph: &mut Graph, factors: &[(Id, Rational)]) -> Option<Id> {
    let grows = |graph: &Graph, id: Id| growth(graph, id).is_some();
    let mut factors = factors.to_vec();
    let changed = divide_hyperbolic(graph, &mut factors)
        | divide_sums(graph, &mut factors)
        | merge_exponentials(graph, &mut factors)
        | merge_hyperbolic(graph, &mut factors);
    if changed {
        return Some(graph.product(factors));
    }
    // A sum with a growing term over a sum with one: term by term.
    let divides = factors.iter().any(|(base, exponent)| {
        let vanishes = terms_of(graph, *base).iter().any(|(_, grows)| *grows) || grows(graph, *base);
        (is_negative(exponent) && vanishes) || is_of_growth(graph, *base)
    });
    let sum = factors.iter().position(|(base, exponent)| {
        let terms = terms_of(graph, *base);
        exponent.is_one() && terms.len() <= MOST_TERMS && terms.iter().any(|(_, grows)| *grows)
    })?;
    if !divides {
        return None;
    }
    let (sum, _) = factors.remove(sum);
    let Node::Sum { terms, constant } = graph.node(sum).clone() else { return None };
    let rest = graph.product(factors);
    let mut parts: Vec<(Id, Rational)> = Vec::with_capacity(terms.len() + 1);
    for (term, coefficient) in terms {
        parts.push((graph.mul(term, rest), coefficient));
    }
    parts.push((rest, constant));
    Some(graph.sum(parts, Rational::ZERO))
}

fn is_negative(exponent: &Rational) -> bool {
    exponent.sign() == Sign::Negative && !exponent.is_zero()
}

/// A positive whole exponent.
fn count(exponent: &Rational) -> Option<u64> {
    let whole = if exponent.is_int() { u64::try_from(exponent.numerator()).ok() } else { None };
    whole.filter(|&count| (1..=MOST_POWERS).contains(&count))
}

/// The function and the argument of a node that grows without bound like an exponential.
fn growth(graph: &Graph, id: Id) -> Option<(Function, Id)> {
    match graph.node(id) {
        Node::Call(function @ (Function::Exp | Function::Cosh | Function::Sinh), arguments) => {
            Some((*function, arguments[0]))
        }
        _ => None,
    }
}

/// Whether a node is an exponential of an expression that grows like one.
fn is_of_growth(graph: &Graph, id: Id) -> bool {
    let Some((Function::Exp, argument)) = growth(graph, id) else { return false };
    graph.factors(argument).iter().any(|(base, _)| growth(graph, *base).is_some())
        || terms_of(graph, argument).iter().any(|(_, grows)| *grows)
}

/// The terms of a sum, and whether each has a growing factor; empty for other nodes.
fn terms_of(graph: &Graph, id: Id) -> Vec<(Id, bool)> {
    let Node::Sum { terms, .. } = graph.node(id) else { return Vec::new() };
    let grows = |term: Id| graph.factors(term).iter().any(|(base, _)| growth(graph, *base).is_some());
    terms.iter().map(|(term, _)| (*term, grows(*term))).collect()
}

/// Replaces all exponentials by one, if there are several.
fn merge_exponentials(graph: &mut Graph, factors: &mut Factors) -> bool {
    let (exponentials, others): (Factors, Factors) =
        factors.iter().cloned().partition(|(base, _)| matches!(growth(graph, *base), Some((Function::Exp, _))));
    if exponentials.len() < 2 {
        return false;
    }
    let terms = exponentials.iter().filter_map(|(base, power)| Some((growth(graph, *base)?.1, power.clone())));
    let argument = graph.sum(terms.collect(), Rational::ZERO);
    let whole = graph.call(Function::Exp, &[argument]);
    *factors = others;
    factors.push((whole, Rational::ONE));
    true
}

/// Replaces a hyperbolic function beside an exponential.
fn merge_hyperbolic(graph: &mut Graph, factors: &mut Factors) -> bool {
    let exponential = factors
        .iter()
        .position(|(base, power)| power.is_one() && matches!(growth(graph, *base), Some((Function::Exp, _))));
    let hyperbolic = factors.iter().position(|(base, power)| {
        count(power).is_some() && matches!(growth(graph, *base), Some((Function::Cosh | Function::Sinh, _)))
    });
    let (Some(exponential), Some(hyperbolic)) = (exponential, hyperbolic) else { return false };
    let Some((_, own)) = growth(graph, factors[exponential].0) else { return false };
    let Some((function, argument)) = growth(graph, factors[hyperbolic].0) else { return false };
    let (up, down) = (graph.add(own, argument), graph.sub(own, argument));
    let halves = [up, down].map(|argument| (graph.call(Function::Exp, &[argument]), rational(1, 2)));
    let sum = graph.sum(halves.to_vec(), Rational::ZERO);
    factors[hyperbolic].1 -= Rational::ONE;
    factors[exponential] = (sum, Rational::ONE);
    if function == Function::Sinh {
        factors.push((graph.call(Function::Tanh, &[argument]), Rational::ONE));
    }
    true
}

/// Replaces sinh u by tanh u cosh u, if a denominator is cosh u.
fn divide_hyperbolic(graph: &mut Graph, factors: &mut Factors) -> bool {
    let mut changed = false;
    for index in 0..factors.len() {
        let Some((Function::Sinh, argument)) = growth(graph, factors[index].0) else { continue };
        let cosine = graph.call(Function::Cosh, &[argument]);
        let Some(powers) = count(&factors[index].1) else { continue };
        if factors.iter().any(|(base, power)| *base == cosine && is_negative(power)) {
            let powers = Rational::from(powers);
            factors[index] = (graph.call(Function::Tanh, &[argument]), powers.clone());
            factors.push((cosine, powers));
            changed = true;
        }
    }
    changed
}

/// Divides a growing factor by a sum that contains it.
fn divide_sums(graph: &mut Graph, factors: &mut Factors) -> bool {
    let mut changed = false;
    for index in 0..factors.len() {
        let Some((function, argument)) = growth(graph, factors[index].0) else { continue };
        let Some(mut powers) = count(&factors[index].1) else { continue };
        // sinh u = tanh u cosh u.
        let carrier = match function {
            Function::Exp => factors[index].0,
            _ => graph.call(Function::Cosh, &[argument]),
        };
        let mut tangents = Rational::ZERO;
        for other in 0..factors.len() {
            while powers > 0 && factors[other].1 <= Rational::NEG_ONE {
                let Some(divided) = divided(graph, factors[other].0, (carrier, argument)) else { break };
                factors[other].1 += Rational::ONE;
                factors.push((divided, Rational::NEG_ONE));
                powers -= 1;
                tangents += Rational::ONE;
            }
        }
        if tangents.is_zero() {
            continue;
        }
        factors[index].1 = Rational::from(powers);
        if function == Function::Sinh {
            factors.push((graph.call(Function::Tanh, &[argument]), tangents));
        }
        changed = true;
    }
    changed
}

/// S/c for a sum S of which a term contains the carrier c, which is eᵘ or cosh u.
fn divided(graph: &mut Graph, sum: Id, (carrier, argument): (Id, Id)) -> Option<Id> {
    let Node::Sum { terms, constant } = graph.node(sum).clone() else { return None };
    let is_exponential = matches!(growth(graph, carrier), Some((Function::Exp, _)));
    let sine = if is_exponential { carrier } else { graph.call(Function::Sinh, &[argument]) };
    let contains = |graph: &Graph, term: Id| {
        graph.factors(term).iter().any(|(base, power)| (*base == carrier || *base == sine) && !is_negative(power))
    };
    if terms.len() > MOST_TERMS || !terms.iter().any(|(term, _)| contains(graph, *term)) {
        return None;
    }
    let inverse = graph.product(vec![(carrier, Rational::NEG_ONE)]);
    // sinh u/cosh u is tanh u.
    let cotangent = graph.product(vec![(sine, Rational::NEG_ONE)]);
    let tangent = if is_exponential { graph.one() } else { graph.call(Function::Tanh, &[argument]) };
    let mut parts: Vec<(Id, Rational)> = vec![(inverse, constant)];
    for (term, coefficient) in terms {
        let has_sine = graph.factors(term).iter().any(|(base, power)| *base == sine && !is_negative(power));
        let divided = if has_sine { graph.mul_all(&[term, cotangent, tangent]) } else { graph.mul(term, inverse) };
        parts.push((divided, coefficient));
    }
    // A sum of terms with a common factor would be the product that is divided.
    let divided = graph.sum(parts, Rational::ZERO);
    matches!(graph.node(divided), Node::Sum { .. }).then_some(divided)
}
