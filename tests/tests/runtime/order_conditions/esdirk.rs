//! The order conditions of a diagonally implicit method, and the order of its stages.

use super::exact::{Exact, Number};
use super::trees::{Tree, trees};
use super::{dot, vector};
use lagrange_runtime::tableau::esdirk::ESDIRK4;

type Row = Vec<Number>;

fn matrix() -> Vec<Row> {
    ESDIRK4.coefficients.iter().map(|row| vector(row)).collect()
}

/// Φᵢ of a tree at every stage.
fn weights(matrix: &[Row], tree: &Tree) -> Row {
    let mut product = vec![Number::one(); matrix.len()];
    for branch in tree.branches() {
        let inner = weights(matrix, branch);
        for (value, row) in product.iter_mut().zip(matrix) {
            *value = value.clone() * dot(row, &inner);
        }
    }
    product
}

/// The largest |Σ bᵢ Φᵢ − 1/γ(tree)| over the trees of this order.
fn residual(matrix: &[Row], step: &[Number], order: usize) -> f64 {
    let residual = |tree: &Tree| (dot(step, &weights(matrix, tree)) - Number::fraction(1, tree.density())).size();
    trees(order).iter().map(residual).fold(0.0, f64::max)
}

#[test]
fn esdirk4_has_the_orders_4_and_3_and_stages_of_order_2() {
    let matrix = matrix();
    let nodes: Row = vector(&ESDIRK4.nodes);
    let gamma = Number::parse(ESDIRK4.gamma.text);
    for (i, row) in matrix.iter().enumerate() {
        let sum = row.iter().fold(Number::fraction(0, 1), |sum, a| sum + a.clone());
        assert!((sum - nodes[i].clone()).size() < 1e-30);
        let half = nodes[i].clone() * nodes[i].clone() * Number::fraction(1, 2);
        assert!((dot(row, &nodes) - half).size() < 1e-30, "stage {i}");
        assert!(row.iter().skip(i + 1).all(|a| a.size() == 0.0));
        assert!(i == 0 || (row[i].clone() - gamma.clone()).size() == 0.0);
    }
    for (step, order) in [(matrix[5].clone(), 4), (vector(&ESDIRK4.embedded), 3)] {
        for below in 1..=order {
            let residual = residual(&matrix, &step, below);
            assert!(residual < 1e-30, "residual {residual:e} at order {below}");
        }
        assert!(residual(&matrix, &step, order + 1) > 1e-4, "the order is higher than {order}");
    }
}
