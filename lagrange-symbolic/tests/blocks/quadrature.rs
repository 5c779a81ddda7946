//! The nodes and weights of the rule that replaces an integral.

use lagrange_symbolic::graph::Rational;
use lagrange_symbolic::meaning::quadrature::{MOST_NODES, rule};

/// Σ wᵢ xᵢᵏ = 1/(k + 1) for k < 2n, and not for k = 2n.
#[test]
fn rules_are_exact_up_to_their_degree() {
    for nodes in [1, 2, 3, 8, 21, MOST_NODES] {
        let rule = rule(nodes);
        for degree in [0, 1, 2 * nodes - 1, 2 * nodes] {
            let sum = rule.iter().fold(Rational::ZERO, |sum, (node, weight)| {
                sum + (0..degree).fold(weight.clone(), |power, _| power * node.clone())
            });
            let error = (sum - Rational::ONE / Rational::from(degree + 1)).to_f64().value().abs();
            // With the largest number of nodes, the error at the next degree is below the rounding error.
            let is_exact = degree < 2 * nodes || nodes == MOST_NODES;
            assert_eq!(error < 1e-38, is_exact, "{nodes} nodes, degree {degree}: {error:e}");
        }
    }
}
