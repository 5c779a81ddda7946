//! The order conditions of every tableau, from rooted trees: exactly 0 for fractions, within 1e-25 for decimals.

mod esdirk;
mod exact;
mod nystrom;
mod rosenbrock;
mod trees;

use dashu_ratio::RBig;
use exact::{Exact, Number};
use lagrange_runtime::tableau::{
    Coefficient, ExplicitPair, acceleration_fit, bogacki_shampine::BOGACKI_SHAMPINE, dormand_prince::DORMAND_PRINCE,
    dormand_prince_853::DOP853, fehlberg::RKF45, tsitouras::TSITOURAS, verner_65::VERNER_65, verner_98::VERNER_98,
};
use trees::{Tree, trees};

/// A tableau's numbers in exact or extended arithmetic.
struct Tableau<X> {
    nodes: Vec<X>,
    coefficients: Vec<Vec<X>>,
}

impl<X: Exact> Tableau<X> {
    fn new<const S: usize, const E: usize, const D: usize>(pair: &ExplicitPair<S, E, D>) -> Self {
        Self { nodes: vector(&pair.nodes), coefficients: pair.coefficients.iter().map(|row| vector(row)).collect() }
    }

    /// Φᵢ of a tree at every stage: the product over its branches of Σⱼ aᵢⱼ Φⱼ(branch).
    fn weights(&self, tree: &Tree) -> Vec<X> {
        let mut product = vec![X::one(); self.nodes.len()];
        for branch in tree.branches() {
            let inner = self.weights(branch);
            for (value, row) in product.iter_mut().zip(&self.coefficients) {
                *value = value.clone() * dot(row, &inner);
            }
        }
        product
    }

    /// The largest |Σ bᵢ Φᵢ(tree) − 1/γ(tree)| over the trees of this order.
    fn residual(&self, weights: &[X], order: usize) -> f64 {
        let residual = |tree: &Tree| (dot(weights, &self.weights(tree)) - X::fraction(1, tree.density())).size();
        trees(order).iter().map(residual).fold(0.0, f64::max)
    }

    /// The largest residual of the interpolant's conditions, power by power of θ, over the trees up to this order.
    fn interpolant_residual<const D: usize>(&self, interpolant: &[[Coefficient; D]], order: usize) -> f64 {
        let mut largest = 0.0_f64;
        for tree in (1..=order).flat_map(trees) {
            let inner = self.weights(&tree);
            for power in 1..=D {
                let column: Vec<X> = interpolant.iter().map(|row| X::parse(row[power - 1].text)).collect();
                let due = if power == tree.order() { X::fraction(1, tree.density()) } else { X::fraction(0, 1) };
                largest = largest.max((dot(&column, &inner) - due).size());
            }
        }
        largest
    }
}

fn vector<X: Exact>(coefficients: &[Coefficient]) -> Vec<X> {
    coefficients.iter().map(|coefficient| X::parse(coefficient.text)).collect()
}

fn dot<X: Exact>(a: &[X], b: &[X]) -> X {
    a.iter().zip(b).filter(|(a, _)| !a.is_zero()).fold(X::fraction(0, 1), |sum, (a, b)| sum + a.clone() * b.clone())
}

/// The orders that a pair claims.
struct Claim {
    order: usize,
    embedded: usize,
    second: Option<usize>,
    interpolant: Option<usize>,
}

fn check<X: Exact, const S: usize, const E: usize, const D: usize>(
    pair: &ExplicitPair<S, E, D>,
    claim: &Claim,
    allowed: f64,
) {
    let tableau = Tableau::<X>::new(pair);
    for (stage, (node, row)) in tableau.nodes.iter().zip(&tableau.coefficients).enumerate() {
        let sum = row.iter().fold(X::fraction(0, 1), |sum, value| sum + value.clone());
        assert!((sum - node.clone()).size() <= allowed, "row {}", stage + 1);
        assert!(row[stage..].iter().all(Exact::is_zero), "row {} is not explicit", stage + 1);
    }
    let assert_order = |weights: &[Coefficient], order: usize, what: &str| {
        let weights: Vec<X> = vector(weights);
        for below in 1..=order {
            let residual = tableau.residual(&weights, below);
            assert!(residual <= allowed, "{what}: residual {residual:e} at order {below}");
        }
        // The claim is not too modest.
        assert!(tableau.residual(&weights, order + 1) > 1e-8, "{what} has a higher order than {order}");
    };
    assert_order(&pair.weights, claim.order, "weights");
    assert_order(&pair.embedded, claim.embedded, "embedded");
    assert_eq!(pair.second.is_some(), claim.second.is_some());
    if let (Some(weights), Some(order)) = (&pair.second, claim.second) {
        assert_order(weights, order, "second");
    }
    let Some(order) = claim.interpolant else { return };
    let residual = tableau.interpolant_residual(&pair.interpolant, order);
    assert!(residual <= allowed, "interpolant: residual {residual:e}");
    let (weights, padding) = (vector::<X>(&pair.weights), X::fraction(0, 1));
    for (stage, row) in pair.interpolant.iter().enumerate() {
        let row: Vec<X> = vector(row);
        let sum = row.iter().fold(X::fraction(0, 1), |sum, value| sum + value.clone());
        let due = weights.get(stage).unwrap_or(&padding);
        assert!((sum - due.clone()).size() <= allowed, "the interpolant does not end at the step's end");
        let slope = if stage == 0 { X::one() } else { X::fraction(0, 1) };
        assert!((row[0].clone() - slope).size() <= allowed, "the interpolant does not start along the motion");
    }
}

fn claim(order: usize, embedded: usize, interpolant: usize) -> Claim {
    Claim { order, embedded, second: None, interpolant: Some(interpolant) }
}

#[test]
fn fractions_satisfy_their_conditions_exactly() {
    check::<RBig, 6, 6, 1>(&RKF45, &Claim { order: 4, embedded: 5, second: None, interpolant: None }, 0.0);
    check::<RBig, 4, 4, 3>(&BOGACKI_SHAMPINE, &claim(3, 2, 3), 0.0);
    check::<RBig, 7, 7, 4>(&DORMAND_PRINCE, &claim(5, 4, 4), 0.0);
    check::<RBig, 9, 12, 6>(&VERNER_65, &claim(6, 5, 6), 0.0);
}

#[test]
fn decimals_satisfy_their_conditions_to_25_digits() {
    check::<Number, 7, 7, 4>(&TSITOURAS, &claim(5, 4, 4), 1e-25);
    check::<Number, 12, 16, 7>(&DOP853, &Claim { second: Some(3), ..claim(8, 5, 7) }, 1e-25);
    check::<Number, 16, 22, 8>(&VERNER_98, &claim(9, 8, 8), 1e-25);
}

#[test]
fn the_trees_are_all_there() {
    // The numbers of rooted trees: A. Cayley; sequence A000081.
    let counts: Vec<usize> = (1..=10).map(|order| trees(order).len()).collect();
    assert_eq!(counts, [1, 1, 2, 4, 9, 20, 48, 115, 286, 719]);
    let tallest = trees(5).iter().map(Tree::density).max();
    assert_eq!(tallest, Some(120));
}

#[test]
fn a_wrong_digit_is_seen() {
    let mut weights: Vec<RBig> = vector(&DORMAND_PRINCE.weights);
    let tableau = Tableau::<RBig>::new(&DORMAND_PRINCE);
    assert_eq!(tableau.residual(&weights, 3), 0.0);
    weights[2] = weights[2].clone() + RBig::parse("1/1000000000000000000000000000000");
    assert!(tableau.residual(&weights, 3) > 0.0);
}

#[test]
fn the_fit_of_accelerations_is_exact_for_polynomials() {
    let points: Vec<RBig> = vector(&acceleration_fit::POINTS);
    let basis: Vec<Vec<RBig>> = acceleration_fit::BASIS.iter().map(|row| vector(row)).collect();
    for (i, row) in basis.iter().enumerate() {
        for (j, point) in points.iter().enumerate() {
            let value = row.iter().rev().fold(RBig::ZERO, |sum, weight| sum * point.clone() + weight.clone());
            assert_eq!(value, RBig::from(u8::from(i == j)), "polynomial {i} at point {j}");
        }
    }
}
