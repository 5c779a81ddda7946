//! Gauss–Legendre quadrature, for integrals with a number of nodes: `integral(x in a..b, expr, nodes = n)`.

use crate::graph::{Graph, Id, Rational, Symbol};
use dashu_int::{IBig, UBig};
use std::collections::HashMap;

/// The most nodes.
pub const MOST_NODES: usize = 64;

/// Decimal places of the nodes and weights, which are irrational numbers.
const PLACES: usize = 40;

/// (b − a) Σ wᵢ f(a + (b − a) xᵢ) of each integrand, with the nodes and weights of [0, 1]: exact for polynomials of
/// degree below 2n.
pub(crate) fn gauss_legendre(
    graph: &mut Graph,
    integrands: &[Id],
    x: Symbol,
    (a, b): (Id, Id),
    nodes: usize,
) -> Vec<Id> {
    let length = graph.sub(b, a);
    let mut sums = vec![Vec::new(); integrands.len()];
    for (node, weight) in rule(nodes) {
        let offset = graph.scale(&node, length);
        let at = graph.add(a, offset);
        for (sum, value) in sums.iter_mut().zip(graph.substitute(integrands, &HashMap::from([(x, at)]))) {
            sum.push((value, weight.clone()));
        }
    }
    sums.into_iter()
        .map(|sum| {
            let mean = graph.sum(sum, Rational::ZERO);
            graph.mul(length, mean)
        })
        .collect()
}

/// Nodes and weights on [0, 1], to `PLACES` decimals: (1 + zᵢ)/2 with the zeros of Pₙ, and 1/((1 − zᵢ²) Pₙ′(zᵢ)²).
pub fn rule(nodes: usize) -> Vec<(Rational, Rational)> {
    let half = Rational::ONE / Rational::from(2);
    (0..nodes)
        .map(|i| {
            let angle = core::f64::consts::PI * (i as f64 + 0.75) / (nodes as f64 + 0.5);
            let mut zero = Rational::try_from(-angle.cos()).unwrap_or(Rational::ZERO);
            // From an error of at most 1e-3, each step of Newton's method doubles the number of correct decimals.
            for _ in 0..6 {
                let (value, slope) = legendre(nodes, &zero);
                zero = rounded(&(zero - value / slope));
            }
            if 2 * i + 1 == nodes {
                zero = Rational::ZERO;
            }
            let (_, slope) = legendre(nodes, &zero);
            let weight = Rational::ONE / ((Rational::ONE - zero.clone() * zero.clone()) * slope.clone() * slope);
            ((Rational::ONE + zero) * half.clone(), rounded(&weight))
        })
        .collect()
}

/// Pₙ(z) and its derivative, by (k + 1) Pₖ₊₁ = (2k + 1) z Pₖ − k Pₖ₋₁ and (z² − 1) Pₙ′ = n (z Pₙ − Pₙ₋₁).
fn legendre(n: usize, z: &Rational) -> (Rational, Rational) {
    let (mut before, mut value) = (Rational::ONE, z.clone());
    for k in 1..n {
        let next = (Rational::from(2 * k + 1) * z.clone() * value.clone() - Rational::from(k) * before)
            / Rational::from(k + 1);
        before = value;
        value = rounded(&next);
    }
    let slope = Rational::from(n) * (z.clone() * value.clone() - before) / (z.clone() * z.clone() - Rational::ONE);
    (value, slope)
}

/// The nearest number with 2·[`PLACES`] decimals. Rounding keeps numerators short.
fn rounded(value: &Rational) -> Rational {
    let scale = Rational::from(IBig::from(UBig::from(10u8).pow(2 * PLACES)));
    Rational::from((value.clone() * scale.clone()).round()) / scale
}
