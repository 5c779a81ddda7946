//! The order conditions of Nyström pairs, from the trees of q̈ = a(q, t): E. Hairer, S. P. Nørsett, G. Wanner, *Solving
//! Ordinary Differential Equations I*, II.14.

use super::exact::Exact;
use super::{dot, vector};
use dashu_ratio::RBig;
use lagrange_runtime::tableau::{Coefficient, NystromPair, dormand_el_mikkawy_prince::NYSTROM_86};

/// A derivative of the acceleration: along the velocity once for each of `leaves`, and along the acceleration of each branch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Tree {
    leaves: usize,
    branches: Vec<Tree>,
}

impl Tree {
    /// The power of the step with which it enters the velocity.
    fn order(&self) -> usize {
        1 + self.leaves + self.branches.iter().map(|branch| 1 + branch.order()).sum::<usize>()
    }

    /// Its share of the exact velocity is `order()` times less: what it is of the acceleration.
    fn share<X: Exact>(&self) -> X {
        self.branches.iter().fold(X::one(), |product, branch| {
            let order = i64::try_from(branch.order()).expect("a small tree");
            product * branch.share::<X>() * X::fraction(1, order * (order + 1))
        })
    }
}

/// All trees of an order.
fn trees(order: usize) -> Vec<Tree> {
    let mut smaller: Vec<Vec<Tree>> = vec![Vec::new()];
    for order in 1..=order {
        let mut found = Vec::new();
        for leaves in 0..order {
            grow(&smaller, leaves, order - 1 - leaves, None, &mut Vec::new(), &mut found);
        }
        smaller.push(found);
    }
    smaller.pop().expect("at least one order")
}

/// Adds branches that take up `left` powers of the step, none greater than `most`.
fn grow(
    smaller: &[Vec<Tree>],
    leaves: usize,
    left: usize,
    most: Option<&Tree>,
    branches: &mut Vec<Tree>,
    found: &mut Vec<Tree>,
) {
    if left == 0 {
        found.push(Tree { leaves, branches: branches.clone() });
        return;
    }
    for tree in smaller.iter().take(left).flatten() {
        if most.is_none_or(|most| tree <= most) {
            branches.push(tree.clone());
            grow(smaller, leaves, left - 1 - tree.order(), Some(tree), branches, found);
            branches.pop();
        }
    }
}

/// A tableau's numbers.
struct Tableau<X> {
    nodes: Vec<X>,
    coefficients: Vec<Vec<X>>,
}

impl<X: Exact> Tableau<X> {
    fn weights(&self, tree: &Tree) -> Vec<X> {
        let mut product = vec![X::one(); self.nodes.len()];
        for _ in 0..tree.leaves {
            for (value, node) in product.iter_mut().zip(&self.nodes) {
                *value = value.clone() * node.clone();
            }
        }
        for branch in &tree.branches {
            let inner = self.weights(branch);
            for (value, row) in product.iter_mut().zip(&self.coefficients) {
                *value = value.clone() * dot(row, &inner);
            }
        }
        product
    }

    /// The largest residual of the conditions on velocities (or positions) over the trees of this order.
    fn residual(&self, weights: &[X], order: usize, positions: bool) -> f64 {
        let divisor = i64::try_from(if positions { order * (order + 1) } else { order }).expect("a small order");
        let residual =
            |tree: &Tree| (dot(weights, &self.weights(tree)) - tree.share::<X>() * X::fraction(1, divisor)).size();
        trees(order).iter().map(residual).fold(0.0, f64::max)
    }
}

#[test]
fn the_nystrom_pairs_fractions_satisfy_their_conditions_exactly() {
    let NystromPair { nodes, coefficients, positions, velocities, embedded_positions, embedded_velocities } =
        NYSTROM_86;
    let tableau =
        Tableau::<RBig> { nodes: vector(&nodes), coefficients: coefficients.iter().map(|row| vector(row)).collect() };
    let assert_order = |weights: &[Coefficient], order: usize, on_positions: bool| {
        let weights: Vec<RBig> = vector(weights);
        // A tree enters the positions with one power of the step more.
        let last = if on_positions { order - 1 } else { order };
        for below in 1..=last {
            assert_eq!(tableau.residual(&weights, below, on_positions), 0.0, "order {below} of {order}");
        }
        assert!(tableau.residual(&weights, last + 1, on_positions) > 1e-7, "the order is higher than {order}");
    };
    assert_order(&velocities, 8, false);
    assert_order(&positions, 8, true);
    assert_order(&embedded_velocities, 6, false);
    assert_order(&embedded_positions, 6, true);
    for (stage, row) in tableau.coefficients.iter().enumerate() {
        assert!(row[stage..].iter().all(Exact::is_zero), "row {} is not explicit", stage + 1);
    }
    // The last stage is the end of the step.
    assert_eq!(coefficients[8], positions);
    assert_eq!(nodes[8].text, "1");
}

#[test]
fn the_nystrom_trees_are_all_there() {
    // Hairer, Nørsett, Wanner I, II.14, table 14.3: special Nyström trees.
    let counts: Vec<usize> = (1..=10).map(|order| trees(order).len()).collect();
    assert_eq!(counts, [1, 1, 2, 3, 6, 10, 20, 36, 72, 137]);
}
