//! The minimum over a disc, by the conditions that characterize it.

use super::MAX_COMPONENTS;
use super::{Disc, Square};

/// Numbers from 0 to 1 that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A and g with the sum of the magnitudes of the terms of g.
struct Problem {
    size: usize,
    matrix: Square<f64, MAX_COMPONENTS>,
    slope: [f64; MAX_COMPONENTS],
    terms: f64,
}

impl Problem {
    /// A = B Bᵀ with B of `size` rows and `rank` columns, whose columns differ in length by up to `spread`, and g = A y for some y.
    fn new(random: &mut Random, size: usize, rank: usize, spread: f64) -> Self {
        let mut factor = [[0.0; MAX_COMPONENTS]; MAX_COMPONENTS];
        for column in 0..rank {
            let scale = spread.powf(random.next());
            factor.iter_mut().take(size).for_each(|row| row[column] = scale * (2.0 * random.next() - 1.0));
        }
        let matrix: Square<f64, MAX_COMPONENTS> = core::array::from_fn(|i| {
            core::array::from_fn(|j| (0..rank).map(|column| factor[i][column] * factor[j][column]).sum())
        });
        let y: [f64; MAX_COMPONENTS] = core::array::from_fn(|_| 2.0 * random.next() - 1.0);
        let slope = core::array::from_fn(|i| if i < size { (0..size).map(|j| matrix[i][j] * y[j]).sum() } else { 0.0 });
        let terms = (0..size).map(|i| (0..size).map(|j| matrix[i][j].abs()).sum::<f64>()).sum();
        Self { size, matrix, slope, terms }
    }

    fn least(&self, bound: f64) -> ([f64; MAX_COMPONENTS], bool) {
        Disc::new(self.size, self.matrix, bound).least(&self.slope, self.terms)
    }
}

/// |x| ≤ b, and A x + g = −μ x with μ ≥ 0, which is 0 inside.
#[test]
fn the_minimum_over_a_disc_meets_its_conditions() {
    let mut random = Random(5);
    let mut outside = 0;
    for case in 0..2000 {
        let size = 1 + case % 4;
        let rank = if case % 5 == 0 { (size - 1).max(1) } else { size };
        let problem = Problem::new(&mut random, size, rank, 1e3);
        let bound = random.next() * if case % 3 == 0 { 1e-3 } else { 1.0 };
        let (x, at_bound) = problem.least(bound);
        let length = x.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        let pull: [f64; MAX_COMPONENTS] = core::array::from_fn(|i| {
            let own = (0..problem.size).map(|j| problem.matrix[i][j] * x[j]).sum::<f64>();
            if i < size { problem.slope[i] + own } else { 0.0 }
        });
        let multiplier = -pull.iter().zip(x).map(|(pull, x)| pull * x).sum::<f64>() / (length * length);
        let rounding = 1e-12 * problem.terms * length.max(1.0);
        outside += u32::from(at_bound);
        assert!(length <= bound * (1.0 + 1e-14), "case {case}: {length} above {bound}");
        assert!(!at_bound || (length >= bound * (1.0 - 1e-14) && multiplier >= -rounding), "case {case}: {multiplier}");
        let expected = if at_bound { multiplier } else { 0.0 };
        let is_met = pull.iter().zip(x).all(|(pull, x)| (pull + expected * x).abs() <= rounding);
        assert!(is_met, "case {case}, at bound {at_bound}: {pull:?} at {x:?}");
    }
    assert!((500..1900).contains(&outside), "{outside}");
}

#[test]
fn no_bound_gives_no_force_and_no_slope_none_either() {
    let mut random = Random(9);
    let problem = Problem::new(&mut random, 3, 3, 10.0);
    assert_eq!(problem.least(0.0), ([0.0; MAX_COMPONENTS], true));
    let still = Problem { slope: [0.0; MAX_COMPONENTS], ..problem };
    assert_eq!(still.least(1.0), ([0.0; MAX_COMPONENTS], false));
    // No motion along any axis, with a slope that constraints would have to bear.
    let rigid =
        Problem { matrix: [[0.0; MAX_COMPONENTS]; MAX_COMPONENTS], slope: [1.0; MAX_COMPONENTS], terms: 1.0, size: 2 };
    let (x, at_bound) = rigid.least(0.5);
    assert!(at_bound && (x[0] + 0.125_f64.sqrt()).abs() < 1e-15 && x[0] == x[1], "{x:?}");
}
