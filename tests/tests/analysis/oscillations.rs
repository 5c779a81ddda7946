//! Modes of small oscillations.

use lagrange_models::{CartesianPendulum, DoublePendulum, HeavyTop};
use lagrange_runtime::analysis::{AnalysisError, DampedMode, EquilibriumSearch, modes};
use lagrange_runtime::nalgebra::Complex;
use lagrange_runtime::prelude::*;
use std::f64::consts::PI;

/// L. D. Landau, E. M. Lifshitz, *Mechanics*, §23, problem 2: with equal masses and lengths ω² = (2 ± √2) g/l, θ₂ = ∓√2 θ₁.
#[test]
fn a_double_pendulum_has_its_two_frequencies() {
    let pendulum = DoublePendulum { m1: 0.7, m2: 0.7, l1: 0.4, l2: 0.4, ..DoublePendulum::default() };
    let ratio = pendulum.g / pendulum.l1;
    let system = pendulum.prepare::<f64>().expect("valid");
    let hanging = EquilibriumSearch::new([0.1, -0.1], []).find(&system).expect("near");
    let found = modes(&system, &hanging).expect("regular");
    let root = 2.0_f64.sqrt();
    for (mode, side) in found.undamped.iter().zip([1.0, -1.0]) {
        assert!((mode.square - (2.0 - side * root) * ratio).abs() < 1e-12 * mode.square, "{mode:?}");
        assert!((mode.shape[1] / mode.shape[0] - side * root).abs() < 1e-12, "{mode:?}");
    }
    for mode in &found.damped {
        assert!(mode.damping_ratio().abs() < 1e-14);
        assert!(found.undamped.iter().any(|other| (other.frequency().unwrap_or(0.0) - mode.frequency()).abs() < 1e-11));
    }
}

/// Five equal masses between walls, with damping α m ẋ + β k (ẋ differences).
#[lagrangian {
    coordinates x[5];
    kinetic = sum(i in 0..5, m*dot(x[i])^2/2);
    potential = k*(x[0]^2 + x[4]^2)/2 + sum(i in 0..4, k*(x[i + 1] - x[i])^2/2);
    dissipation = alpha*sum(i in 0..5, m*dot(x[i])^2/2)
        + beta*(k*(dot(x[0])^2 + dot(x[4])^2)/2 + sum(i in 0..4, k*(dot(x[i + 1]) - dot(x[i]))^2/2));
}]
#[derive(Clone, Debug)]
struct Chain {
    m: f64,
    k: f64,
    alpha: f64,
    beta: f64,
}

/// ω_j = 2 √(k/m) sin(jπ/12), φ_ij ∝ sin(ijπ/6), and Rayleigh's damping gives ζ_j = (α/ω_j + β ω_j)/2 (L. Meirovitch, *Fundamentals of
/// Vibrations*, 7).
#[test]
fn a_chain_has_its_frequencies_shapes_and_damping() {
    let chain = Chain { m: 0.3, k: 120.0, alpha: 0.5, beta: 1e-3 };
    let system = chain.prepare::<f64>().expect("valid");
    let rest = EquilibriumSearch::new([0.1; 5], []).find(&system).expect("near");
    let found = modes(&system, &rest).expect("regular");
    assert_eq!((found.undamped.len(), found.damped.len()), (5, 5));
    for (j, mode) in found.undamped.iter().enumerate() {
        let order = (j + 1) as f64;
        let frequency = 2.0 * (chain.k / chain.m).sqrt() * (order * PI / 12.0).sin();
        assert!((mode.frequency().expect("stable") - frequency).abs() < 1e-13 * frequency, "{mode:?}");
        let expected = SVector::<f64, 5>::from_fn(|i, _| ((i + 1) as f64 * order * PI / 6.0).sin());
        let scaled = expected / (expected.norm() * chain.m.sqrt());
        let along: f64 = (0..5).map(|i| mode.shape[i] * scaled[i]).sum();
        assert!((along.abs() - 1.0 / chain.m).abs() < 1e-12, "{mode:?}");
        let ratio = 0.5 * (chain.alpha / frequency + chain.beta * frequency);
        let damped = found.damped.iter().find(|mode| (mode.frequency() - frequency).abs() < 1e-9);
        let damped = damped.expect("Rayleigh's damping leaves |λ| = ω");
        assert!((damped.damping_ratio() - ratio).abs() < 1e-13, "{damped:?} {ratio}");
        let shape = damped.shape.map(|entry| entry.re);
        assert!(damped.shape.iter().all(|entry| entry.im.abs() < 1e-9));
        let along: f64 = (0..5).map(|i| shape[i] * expected[i]).sum::<f64>() / (shape.norm() * expected.norm());
        assert!((along.abs() - 1.0).abs() < 1e-9, "{damped:?}");
    }
}

/// Two masses on springs, the second in another unit of length.
#[lagrangian {
    coordinates near, far;
    kinetic = m*dot(near)^2/2 + m*unit^2*dot(far)^2/2;
    potential = k*near^2/2 + k*(unit*far - near)^2/2;
    dissipation = c*dot(near)^2/2;
}]
#[derive(Clone, Debug)]
struct Mixed {
    m: f64,
    k: f64,
    c: f64,
    unit: f64,
}

/// The shapes of damped modes are the same in any units of the coordinates.
#[test]
fn damped_shapes_transform_with_the_units() {
    let shapes = |unit: f64| {
        let system = Mixed { m: 0.7, k: 30.0, c: 0.4, unit }.prepare::<f64>().expect("valid");
        let rest = EquilibriumSearch::new([0.0; 2], []).find(&system).expect("near");
        let found = modes(&system, &rest).expect("regular");
        found.damped.iter().map(|mode| mode.shape[1] * unit / mode.shape[0]).collect::<Vec<_>>()
    };
    let expected = shapes(1.0);
    assert_eq!(expected.len(), 2);
    for unit in [1e-9, 1e-3, 1e6, 1e12] {
        for (found, expected) in shapes(unit).iter().zip(&expected) {
            assert!((found - expected).norm() < 1e-10 * expected.norm(), "{unit}: {found} {expected}");
        }
    }
}

#[test]
fn a_rod_s_pull_is_a_stiffness() {
    let system = CartesianPendulum { m: 2.0, l: 0.25, g: 9.81 }.prepare::<f64>().expect("valid");
    let hanging = EquilibriumSearch::new([0.05, -0.2], []).find(&system).expect("near");
    let found = modes(&system, &hanging).expect("regular");
    assert_eq!(found.undamped.len(), 1);
    assert!((found.undamped[0].square - 9.81 / 0.25).abs() < 1e-11);
    // Of unit modal mass: along x, 1/√m.
    assert!((found.undamped[0].shape[0] - 0.5_f64.sqrt()).abs() < 1e-13 && found.undamped[0].shape[1].abs() < 1e-12);
    let standing = EquilibriumSearch::new([0.02, 0.2], []).find(&system).expect("near");
    let found = modes(&system, &standing).expect("regular");
    assert!((found.undamped[0].square + 9.81 / 0.25).abs() < 1e-11 && found.undamped[0].frequency().is_none());
}

/// A charge in a harmonic trap and a magnetic field: the field's term couples the velocities without damping.
#[lagrangian {
    coordinates x, y;
    lagrangian = m*(dot(x)^2 + dot(y)^2)/2 + c*(x*dot(y) - y*dot(x))/2 - k*(x^2 + y^2)/2;
}]
#[derive(Clone, Debug)]
struct Trap {
    m: f64,
    c: f64,
    k: f64,
}

/// L. D. Landau, E. M. Lifshitz, *The Classical Theory of Fields*, §21, problem 3: ω = √(ω₀² + ω_c²/4) ± ω_c/2, circularly.
#[test]
fn a_magnetic_field_splits_a_frequency() {
    let trap = Trap { m: 2.0, c: 3.0, k: 18.0 };
    let system = trap.prepare::<f64>().expect("valid");
    let rest = EquilibriumSearch::new([0.3, 0.1], []).find(&system).expect("near");
    let found = modes(&system, &rest).expect("regular");
    let half = 0.5 * trap.c / trap.m;
    let middle = (trap.k / trap.m + half * half).sqrt();
    let mut frequencies: Vec<f64> = found.damped.iter().map(DampedMode::frequency).collect();
    frequencies.sort_by(f64::total_cmp);
    assert!((frequencies[0] - (middle - half)).abs() < 1e-14 && (frequencies[1] - (middle + half)).abs() < 1e-14);
    for mode in &found.damped {
        assert!(mode.damping_ratio().abs() < 1e-15);
        // A quarter of a turn apart, with equal amplitudes.
        let ratio = mode.shape[1] / mode.shape[0];
        assert!(ratio.re.abs() < 1e-14 && (ratio.im.abs() - 1.0).abs() < 1e-14, "{mode:?}");
    }
}

#[test]
fn what_has_no_modes_is_said() {
    let top = HeavyTop::default();
    let system = top.prepare::<f64>().expect("valid");
    let search = EquilibriumSearch::new([0.5, 0.0, 0.0], []).with_fixed_coordinate(0);
    let steady = search.with_free_velocity(1, 3.0).with_momentum(2, top.i3 * 150.0, 150.0).find(&system).expect("near");
    assert!(matches!(modes(&system, &steady), Err(AnalysisError::NotApplicable { .. })));
}

/// Masses on springs of their own, and one spring between each two: a ring whose symmetry makes two modes equal.
#[lagrangian {
    coordinates x, y, z;
    kinetic = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    potential = k*(x^2 + y^2 + z^2)/2 + h*((x - y)^2 + (y - z)^2 + (z - x)^2)/2;
    dissipation = c*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
}]
#[derive(Clone, Debug)]
struct Ring {
    m: f64,
    k: f64,
    h: f64,
    c: f64,
}

/// The shapes of an eigenvalue of several modes span its space: three equal oscillators have three, and the ring two beside that in which all
/// move alike. In any units.
#[test]
fn equal_modes_have_independent_shapes() {
    for (mass, rate) in [(1.0, 1.0), (1e-12, 1e6), (1e9, 1e-9), (1.0, 1e9)] {
        for (h, groups) in [(0.0, vec![3]), (0.7, vec![1, 2])] {
            let (k, h, c) = (2.0 * mass * rate * rate, h * mass * rate * rate, 0.1 * mass * rate);
            let system = Ring { m: mass, k, h, c }.prepare::<f64>().expect("valid");
            let rest = EquilibriumSearch::new([0.0; 3], []).find(&system).expect("near");
            let found = modes(&system, &rest).expect("regular").damped;
            assert_eq!(found.len(), 3);
            let squares = [k / mass, (k + 3.0 * h) / mass];
            for (square, count) in squares.iter().zip(groups) {
                let group: Vec<&DampedMode> =
                    found.iter().filter(|mode| (mode.frequency().powi(2) / square - 1.0).abs() < 1e-12).collect();
                assert_eq!(group.len(), count, "{found:?}");
                let shapes = SMatrix::<f64, 3, 3>::from_fn(|i, j| group.get(j).map_or(0.0, |mode| mode.shape[i].re));
                let values = shapes.svd(false, false).singular_values;
                assert!(values.iter().filter(|value| **value > 0.3).count() == count, "{shapes}");
                for mode in group {
                    assert!(!mode.defective && mode.shape.iter().all(|entry| entry.im.abs() < 1e-12), "{mode:?}");
                    // (λ² M + λ D + K) φ = 0.
                    let sum: f64 = mode.shape.iter().map(|entry| entry.re).sum();
                    let pull = |i: usize| (k / mass + 3.0 * h / mass - square) * mode.shape[i].re - h / mass * sum;
                    assert!((0..3).all(|i| pull(i).abs() < 1e-12 * (k + 3.0 * h) / mass), "{mode:?}");
                }
            }
        }
    }
}

/// At critical damping the eigenvalue −ω is double and has one shape.
#[test]
fn defective_modes_are_said_to_be_defective() {
    for rate in [1.0, 1e-9, 3e7] {
        for (ratio, defective) in [(1.0, true), (0.9, false), (1.1, false), (1.0 + 1e-6, false)] {
            let ring = Ring { m: 0.7, k: 0.7 * rate * rate, h: 0.0, c: 2.0 * ratio * 0.7 * rate };
            let system = ring.prepare::<f64>().expect("valid");
            let rest = EquilibriumSearch::new([0.0; 3], []).find(&system).expect("near");
            let found = modes(&system, &rest).expect("regular").damped;
            assert_eq!(found.len(), if ratio >= 1.0 { 6 } else { 3 }, "{found:?}");
            for mode in found {
                assert_eq!(mode.defective, defective, "{ratio} {mode:?}");
                let root = Complex::new(ratio * ratio - 1.0, 0.0).sqrt();
                let near = [root, -root].map(|root| (mode.eigenvalue / rate + ratio - root).norm());
                assert!(near.iter().any(|error| *error < 1e-9), "{ratio} {mode:?}");
            }
        }
    }
}
