//! Branches that close, that turn sharply, and that begin at a special point.

use lagrange_runtime::analysis::{AnalysisError, Bifurcation, Branch, BranchEnd, Continuation, EquilibriumSearch};
use lagrange_runtime::prelude::*;
use lagrange_tests::random::Random;

/// Equilibria on the ellipse x² + s² (p − p₀)² = r².
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = c*(x^3/3 + (s^2*(p - p0)^2 - r^2)*x);
}]
#[derive(Clone, Debug)]
struct Ring {
    m: f64,
    c: f64,
    s: f64,
    r: f64,
    p0: f64,
    p: f64,
}

fn kinds<const N: usize, const C: usize, const U: usize>(branch: &Branch<N, C, U>) -> Vec<Bifurcation> {
    branch.special.iter().map(|special| special.kind).collect()
}

#[test]
fn a_closed_branch_is_run_once_in_any_unit() {
    let mut random = Random::new(1);
    for attempt in 0..60 {
        let [l, c, unit] = match attempt {
            0 => [1.0; 3],
            _ => [0, 1, 2].map(|_| 10.0_f64.powf(random.between(-12.0, 12.0))),
        };
        let start = if attempt == 0 { 0.5 } else { random.between(-0.99, 0.99) };
        let ring = Ring { m: 1.0, c, s: l / unit, r: 0.05 * l, p0: unit, p: (1.0 + 0.05 * start) * unit };
        let guess = if attempt == 0 { 0.3 } else { random.between(0.02, 0.5) };
        let branch = Continuation::new("p", 0.0, 2.0 * unit)
            .run(&ring, &EquilibriumSearch::new([guess * l], []))
            .unwrap_or_else(|error| panic!("{attempt}: {error}"));
        assert_eq!(branch.ends, [BranchEnd::Closed, BranchEnd::Closed], "{attempt}");
        assert_eq!(kinds(&branch), [Bifurcation::Fold; 2], "{attempt}");
        let mut folds: Vec<f64> = branch.special.iter().map(|special| special.point.parameter / unit).collect();
        folds.sort_by(f64::total_cmp);
        assert!((folds[0] - 0.95).abs() < 1e-12 && (folds[1] - 1.05).abs() < 1e-12, "{attempt}: {folds:?}");
        // The angle about the middle of the ring grows by one turn.
        let angles: Vec<f64> = branch
            .points
            .iter()
            .map(|point| (point.equilibrium.state.q[0] / l).atan2(point.parameter / unit - 1.0))
            .collect();
        let turned: f64 = angles
            .windows(2)
            .map(|pair| {
                (pair[1] - pair[0] + 3.0 * std::f64::consts::PI).rem_euclid(2.0 * std::f64::consts::PI)
                    - std::f64::consts::PI
            })
            .sum();
        assert!(turned.abs() > 5.0 && turned.abs() < 6.5, "{attempt}: {turned}");
    }
}

/// A hinged bar under a load from above, with a small moment e. Without it, the bar buckles at load = k/l.
#[lagrangian {
    coordinates theta;
    kinetic = i*dot(theta)^2/2;
    potential = k*theta^2/2 + load*l*cos(theta) + e*theta;
}]
#[derive(Clone, Debug)]
struct Column {
    i: f64,
    k: f64,
    l: f64,
    e: f64,
    load: f64,
}

/// k θ + e = load l sin θ. The branch of small loads stays on the side to which the moment turns the bar.
#[test]
fn an_imperfect_column_bends_to_one_side() {
    for (attempt, e) in [1e-2, 1e-3, 1e-4, 1e-6, 1e-8, -1e-8, 1e-10, -1e-3].into_iter().enumerate() {
        for max_step in [0.005, 0.02, 0.3, 100.0] {
            let unit = [1.0, 1e-12, 1e9][attempt % 3];
            let column = Column { i: 1.0, k: 3.0 * unit, l: 2.0, e: e * unit, load: 0.1 * unit };
            let branch = Continuation::new("load", 0.0, 4.0 * unit)
                .with_max_step(max_step)
                .run(&column, &EquilibriumSearch::new([0.0], []))
                .expect("a branch");
            assert_eq!(branch.ends, [BranchEnd::Range, BranchEnd::Range], "{e} {max_step}");
            assert!(branch.special.is_empty(), "{e} {max_step}: {:?}", branch.special);
            for point in &branch.points {
                let theta = point.equilibrium.state.q[0];
                let balance = (3.0 * theta + e - point.parameter / unit * 2.0 * theta.sin()).abs();
                assert!(balance < 1e-11 && theta * e < 0.0, "{e} {max_step}: {point:?}");
                assert_eq!(point.unstable, 0, "{e} {max_step}: {point:?}");
            }
            let last = branch.points.last().expect("points");
            // Without e, 3 θ = 8 sin θ has the root 2.182…; the moment changes it by less than 0.01.
            let theta = last.equilibrium.state.q[0].abs();
            assert!(
                (last.parameter / unit - 4.0).abs() < 1e-12 && theta > 2.17 && theta < 2.2,
                "{e} {max_step}: {last:?}"
            );
        }
    }
}

/// The other branch of the same column has one fold, at θ − tan θ + e/k = 0 with k = load l cos θ.
#[test]
fn the_other_branch_of_a_column_folds() {
    for e in [1e-2, 1e-4, 1e-6, 1e-8, 1e-10] {
        let column = Column { i: 1.0, k: 3.0, l: 2.0, e, load: 4.0 };
        let branch =
            Continuation::new("load", 0.0, 4.0).run(&column, &EquilibriumSearch::new([1.9], [])).expect("a branch");
        assert_eq!(kinds(&branch), [Bifurcation::Fold], "{e}");
        assert_eq!(branch.ends, [BranchEnd::Range, BranchEnd::Range], "{e}");
        let (mut low, mut high) = (1e-6_f64, 1.0_f64);
        for _ in 0..100 {
            let middle = (low * high).sqrt();
            if middle.tan() - middle < e / 3.0 { low = middle } else { high = middle }
        }
        let fold = &branch.special[0].point;
        assert!((fold.parameter - 1.5 / low.cos()).abs() < 1e-7, "{e}: {fold:?} {low}");
        assert!(branch.points.iter().all(|point| point.equilibrium.state.q[0] > 0.0), "{e}");
    }
}

#[test]
fn a_branch_may_begin_at_its_branch_point() {
    for (load, max_step) in [(1.5, 0.02), (1.5, 100.0), (0.1, 100.0), (1.4999999, 0.02), (1.5000001, 0.1), (3.9, 1.0)] {
        let column = Column { i: 1.0, k: 3.0, l: 2.0, e: 0.0, load };
        let branch = Continuation::new("load", 0.0, 4.0)
            .with_max_step(max_step)
            .run(&column, &EquilibriumSearch::new([0.0], []))
            .expect("a branch");
        assert_eq!(kinds(&branch), [Bifurcation::BranchPoint], "{load} {max_step}");
        assert!((branch.special[0].point.parameter - 1.5).abs() < 1e-9, "{load} {max_step}");
        assert!(branch.points.iter().all(|point| point.equilibrium.state.q[0].abs() < 1e-12), "{load}");
        assert!(branch.points.iter().any(|point| point.parameter == load), "{load}");
        let (below, above): (Vec<_>, Vec<_>) = branch.points.iter().partition(|point| point.parameter < 1.5);
        assert!(!below.is_empty() && !above.is_empty(), "{load} {max_step}");
        assert!(above.iter().all(|point| point.parameter == 1.5 || point.unstable == 1), "{load} {max_step}");
    }
    // The buckled branch turns back at the point where the straight one crosses it.
    let column = Column { i: 1.0, k: 3.0, l: 2.0, e: 0.0, load: 2.0 };
    let branch =
        Continuation::new("load", 0.0, 4.0).run(&column, &EquilibriumSearch::new([1.2], [])).expect("a branch");
    assert_eq!(kinds(&branch), [Bifurcation::BranchPoint], "{:?}", branch.special);
    let point = &branch.special[0].point;
    assert!((point.parameter - 1.5).abs() < 1e-12 && point.equilibrium.state.q[0].abs() < 1e-6, "{point:?}");
    let first = branch.points[0].equilibrium.state.q[0];
    let last = branch.points[branch.points.len() - 1].equilibrium.state.q[0];
    assert!((first + last).abs() < 1e-9 && first.abs() > 1.9, "{first} {last}");
}

/// The start of a branch may be its fold.
#[test]
fn a_branch_may_begin_at_its_fold() {
    let ring = Ring { m: 1.0, c: 1.0, s: 1.0, r: 0.5, p0: 1.0, p: 0.5 };
    let branch = Continuation::new("p", 0.0, 2.0).run(&ring, &EquilibriumSearch::new([0.0], []));
    let branch = branch.expect("a branch");
    assert_eq!(branch.ends, [BranchEnd::Closed, BranchEnd::Closed]);
    assert_eq!(kinds(&branch), [Bifurcation::Fold; 2], "{:?}", branch.special);
    // Beyond the ring there is no equilibrium to begin with.
    let outside = Ring { p: 0.4, ..ring };
    let error =
        Continuation::new("p", 0.0, 2.0).run(&outside, &EquilibriumSearch::new([0.1], [])).expect_err("outside");
    assert!(matches!(error, AnalysisError::NotConverged { .. } | AnalysisError::RunsAway { .. }), "{error}");
}
