//! Rooted trees (J. C. Butcher; E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, II.2).

/// A root with branches, in an order that makes equal trees equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tree(Vec<Tree>);

impl Tree {
    pub(crate) fn branches(&self) -> &[Tree] {
        &self.0
    }

    /// How many vertices it has.
    pub(crate) fn order(&self) -> usize {
        1 + self.0.iter().map(Tree::order).sum::<usize>()
    }

    /// γ: the product of the orders of all its subtrees.
    pub(crate) fn density(&self) -> i64 {
        self.0.iter().map(Tree::density).product::<i64>() * i64::try_from(self.order()).expect("a small tree")
    }
}

/// All trees of an order.
pub(crate) fn trees(order: usize) -> Vec<Tree> {
    let mut smaller = vec![Vec::new()];
    for order in 1..order {
        smaller.push(trees_from(&smaller, order));
    }
    trees_from(&smaller, order)
}

/// All trees of an order, from those of smaller orders.
fn trees_from(smaller: &[Vec<Tree>], order: usize) -> Vec<Tree> {
    let mut found = Vec::new();
    grow(smaller, order - 1, None, &mut Vec::new(), &mut found);
    found
}

/// Adds branches of `left` vertices altogether, none greater than `most`.
fn grow(smaller: &[Vec<Tree>], left: usize, most: Option<&Tree>, branches: &mut Vec<Tree>, found: &mut Vec<Tree>) {
    if left == 0 {
        found.push(Tree(branches.clone()));
        return;
    }
    for tree in smaller.iter().take(left + 1).flatten() {
        if most.is_none_or(|most| tree <= most) {
            branches.push(tree.clone());
            grow(smaller, left - tree.order(), Some(tree), branches, found);
            branches.pop();
        }
    }
}
