//! The order conditions of a Rosenbrock method, whose branches alone at a vertex count with βᵢⱼ = αᵢⱼ + γᵢⱼ and others with αᵢⱼ (E. Hairer, G. Wanner,
//! *Solving Ordinary Differential Equations II*, 2nd ed., IV.7).

use super::exact::{Exact, Number};
use super::trees::{Tree, trees};
use super::{dot, vector};
use lagrange_runtime::tableau::rodas::{RODAS5P, Rosenbrock};

type Row = Vec<Number>;

/// A method in the slopes kᵢ, with uᵢ = h Σ γᵢⱼ kⱼ.
struct Slopes {
    alpha: Vec<Row>,
    gamma: Vec<Row>,
    beta: Vec<Row>,
}

fn zero() -> Number {
    Number::fraction(0, 1)
}

fn unit(size: usize, at: usize) -> Row {
    (0..size).map(|i| if i == at { Number::one() } else { zero() }).collect()
}

fn sum(a: &[Number], b: &[Number]) -> Row {
    a.iter().zip(b).map(|(a, b)| a.clone() + b.clone()).collect()
}

/// The row times a matrix.
fn times(row: &[Number], matrix: &[Row]) -> Row {
    (0..row.len()).map(|j| dot(row, &matrix.iter().map(|row| row[j].clone()).collect::<Row>())).collect()
}

/// aᵢⱼ with the last two rows, and the weights of uᵢ in the solution behind them.
fn rows<const S: usize>(method: &Rosenbrock<S>) -> Vec<Row> {
    let mut rows: Vec<Row> = method.coefficients.iter().map(|row| vector(row)).collect();
    for stage in S - 2..S {
        rows[stage] = sum(&rows[stage - 1], &unit(S, stage - 1));
    }
    rows.push(sum(&rows[S - 1], &unit(S, S - 1)));
    rows
}

impl Slopes {
    fn new<const S: usize>(method: &Rosenbrock<S>) -> Self {
        let own = Number::parse(method.gamma.text);
        // (γᵢⱼ) = γ (1 − γ C)⁻¹ with a strictly lower triangular C, row by row.
        let mut gamma: Vec<Row> = Vec::new();
        for (i, row) in method.couplings.iter().enumerate() {
            let known = gamma.iter().zip(vector::<Number>(row)).fold(vec![zero(); S], |known, (row, c)| {
                sum(&known, &row.iter().map(|x| x.clone() * c.clone()).collect::<Row>())
            });
            gamma.push(sum(&known, &unit(S, i)).into_iter().map(|x| x * own.clone()).collect());
        }
        let alpha: Vec<Row> = rows(method)[..S].iter().map(|row| times(row, &gamma)).collect();
        let beta = alpha.iter().zip(&gamma).map(|(a, g)| sum(a, g)).collect();
        Self { alpha, gamma, beta }
    }

    /// Φᵢ of a tree at every stage.
    fn weights(&self, tree: &Tree) -> Row {
        let branches: Vec<&Tree> = tree.branches().iter().collect();
        let matrix = if branches.len() == 1 { &self.beta } else { &self.alpha };
        let mut product = vec![Number::one(); matrix.len()];
        for branch in branches {
            let inner = self.weights(branch);
            for (value, row) in product.iter_mut().zip(matrix) {
                *value = value.clone() * dot(row, &inner);
            }
        }
        product
    }

    /// The largest |Σ bᵢ Φᵢ − due/γ(tree)| over the trees of this order, for weights of uᵢ.
    fn residual(&self, weights: &[Number], order: usize, due: i64) -> f64 {
        let weights = times(weights, &self.gamma);
        let residual =
            |tree: &Tree| (dot(&weights, &self.weights(tree)) - Number::fraction(due, tree.density())).size();
        trees(order).iter().map(residual).fold(0.0, f64::max)
    }
}

#[test]
fn rodas5p_has_the_orders_5_4_and_4() {
    let (method, rows) = (Slopes::new(&RODAS5P), rows(&RODAS5P));
    let sums = |matrix: &[Row]| -> Row {
        matrix.iter().map(|row| row.iter().fold(zero(), |sum, value| sum + value.clone())).collect()
    };
    for (sums, stated) in [(sums(&method.alpha), RODAS5P.nodes), (sums(&method.gamma), RODAS5P.rates)] {
        for (sum, stated) in sums.into_iter().zip(vector::<Number>(&stated)) {
            assert!((sum - stated).size() < 1e-28);
        }
    }
    for (weights, order) in [(&rows[8], 5), (&rows[7], 4)] {
        for below in 1..=order {
            let residual = method.residual(weights, below, 1);
            assert!(residual < 1e-28, "residual {residual:e} at order {below}");
        }
        assert!(method.residual(weights, order + 1, 1) > 1e-3, "the order is higher than {order}");
    }
    // The powers of θ in θ m + θ (1 − θ)(h₁ + θ h₂ + θ² h₃).
    let [first, second, third] = RODAS5P.interpolant.each_ref().map(|row| vector::<Number>(row));
    let less = |a: &[Number], b: &[Number]| -> Row { a.iter().zip(b).map(|(a, b)| a.clone() - b.clone()).collect() };
    let powers = [sum(&rows[8], &first), less(&second, &first), less(&third, &second), less(&vec![zero(); 8], &third)];
    for order in 1..=4 {
        for (power, weights) in powers.iter().enumerate() {
            let residual = method.residual(weights, order, i64::from(power + 1 == order));
            assert!(residual < 1e-28, "residual {residual:e} of θ^{} at order {order}", power + 1);
        }
    }
}
