//! Gauss–Legendre quadrature.

use std::f64::consts::PI;
use std::sync::OnceLock;

/// A node and its weight, on [0, 1].
pub(crate) type Node = (f64, f64);

/// Eight nodes: exact for polynomials up to degree 15.
pub(crate) fn short() -> &'static [Node] {
    static RULE: OnceLock<Vec<Node>> = OnceLock::new();
    RULE.get_or_init(|| rule(8))
}

/// Forty nodes: exact for polynomials up to degree 79.
pub(crate) fn long() -> &'static [Node] {
    static RULE: OnceLock<Vec<Node>> = OnceLock::new();
    RULE.get_or_init(|| rule(40))
}

/// Nodes and weights, from Newton's method on the Legendre polynomial.
fn rule(count: usize) -> Vec<Node> {
    let node = |i: usize| {
        let mut x = (PI * (i as f64 + 0.75) / (count as f64 + 0.5)).cos();
        for _ in 0..10 {
            let (value, slope) = legendre(count, x);
            x -= value / slope;
        }
        let (_, slope) = legendre(count, x);
        (0.5 + 0.5 * x, 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..count).map(node).collect()
}

/// The Legendre polynomial and its slope.
fn legendre(degree: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for n in 1..degree {
        let n = n as f64;
        (before, value) = (value, ((2.0 * n + 1.0) * x * value - n * before) / (n + 1.0));
    }
    (value, degree as f64 * (x * value - before) / (x * x - 1.0))
}
