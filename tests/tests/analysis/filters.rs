//! Kalman filters and regulators with cross weights.
//!
//! The numbers were computed with mpmath 1.3.0: from eigenvectors of the Hamiltonian matrix and by iteration, with 80 digits. `lqr`, `dlqr`, `lqe`
//! and `dlqe` of python-control 0.10.2 with SciPy 1.17.1 agree to 10 digits; the gain of `dlqe` is A L.

use super::shared::matrix;
use lagrange_runtime::analysis::{
    AnalysisError, SampledSpace, StateSpace, lqr, lqr_sampled, lqr_sampled_with_cross, lqr_with_cross,
};
use lagrange_runtime::nalgebra::DMatrix;
use lagrange_tests::random::Random;

/// A pendulum upright with a motor, and its angle.
fn plant() -> StateSpace {
    StateSpace::new(matrix([[0.0, 1.0, 0.0], [9.81, -0.2, 0.3], [0.0, -2.0, -50.0]]), matrix([[0.0], [0.0], [4.0]]))
        .and_then(|space| space.with_outputs(matrix([[1.0, 0.0, 0.0]]), matrix([[0.0]])))
        .expect("of like size")
}

fn relative(found: &DMatrix<f64>, expected: &DMatrix<f64>, tolerance: f64) {
    assert_eq!(found.shape(), expected.shape());
    for (found, expected) in found.iter().zip(expected.iter()) {
        assert!((found - expected).abs() <= tolerance * expected.abs(), "{found} {expected}");
    }
}

#[test]
fn cross_weights_have_their_gains() {
    let q = matrix([[3.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.1]]);
    let (r, n) = (matrix([[0.2]]), matrix([[0.1], [0.05], [0.02]]));
    let found = lqr_with_cross(&plant(), &q, &r, &n).expect("stabilisable");
    relative(&found.gain, &matrix([[874.273_516_696_974_7, 269.885_975_279_357_6, 1.631_362_152_740_394_4]]), 1e-12);
    // The poles are those of A − B K.
    let closed = StateSpace { a: &plant().a - &plant().b * &found.gain, ..plant() };
    let poles = closed.poles().expect("finite");
    assert!(poles.iter().zip(&found.poles).all(|(a, b)| (a - b).norm() < 1e-9 * b.norm()), "{poles:?} {found:?}");
    let sampled = plant().sampled(0.05).expect("finite");
    let found = lqr_sampled_with_cross(&sampled, &q, &r, &n).expect("stabilisable");
    relative(&found.gain, &matrix([[811.330_766_073_246_5, 250.454_199_560_642_97, 1.489_731_796_957_105_4]]), 1e-10);
    // Without a cross weight they are the plain regulators.
    let none = &n * 0.0;
    assert_eq!(lqr_with_cross(&plant(), &q, &r, &none), lqr(&plant(), &q, &r));
    assert_eq!(lqr_sampled_with_cross(&sampled, &q, &r, &none), lqr_sampled(&sampled, &q, &r));
    // 9²/0.2 is more than 3.
    let error = lqr_with_cross(&plant(), &q, &r, &(&n * 90.0)).expect_err("the cost has no minimum");
    assert!(error.to_string().starts_with("Q − N R⁻¹ Nᵀ has the eigenvalue -"), "{error}");
    let error = lqr_with_cross(&plant(), &q, &r, &n.transpose()).expect_err("a row");
    assert_eq!(error.to_string(), "N is 1 × 3; it must be 3 × 1");
}

#[test]
fn filters_have_their_gains_and_covariances() {
    let noise = matrix([[0.0], [1.0], [0.3]]);
    let (process, measurement) = (&noise * 0.7 * noise.transpose(), matrix([[0.01]]));
    let found = plant().kalman(&process, &measurement).expect("observable");
    relative(
        &found.gain,
        &matrix([[6.531_931_976_351_588], [21.333_067_671_842_18], [-0.800_280_917_556_167_5]]),
        1e-11,
    );
    let covariance = matrix([
        [0.065_319_319_763_515_88, 0.213_330_676_718_421_8, -0.008_002_809_175_561_675],
        [0.213_330_676_718_421_8, 0.797_745_920_010_044_6, -0.025_752_910_495_731_353],
        [-0.008_002_809_175_561_675, -0.025_752_910_495_731_353, 0.001_596_071_465_128_8],
    ]);
    relative(&found.covariance, &covariance, 1e-12);
    let sampled = plant().sampled(0.05).expect("finite");
    let found = sampled.kalman(&process, &measurement).expect("observable");
    let gain = matrix([[0.612_408_972_581_392_3], [5.438_109_770_617_556], [-0.172_810_930_107_801_6]]);
    relative(&found.gain, &gain, 1e-12);
    assert!((found.poles[0].re - 0.561_205_176_461_830_2).abs() < 1e-12, "{found:?}");
    assert!((found.poles[0].im - 0.261_832_973_526_023_97).abs() < 1e-12, "{found:?}");
    // The same in other units of the states and of the output.
    let mut random = Random::new(12);
    for _ in 0..20 {
        let mut unit = || 10.0_f64.powi(random.below(25) as i32 - 12);
        let (states, output) = ([unit(), unit(), unit()], unit());
        let similar = DMatrix::from_fn(3, 3, |i, j| sampled.a[(i, j)] * states[j] / states[i]);
        let c = DMatrix::from_fn(1, 3, |_, j| sampled.c[(0, j)] * states[j] / output);
        let scaled = SampledSpace { a: similar, c, ..sampled.clone() };
        let process = DMatrix::from_fn(3, 3, |i, j| process[(i, j)] / (states[i] * states[j]));
        let found = scaled.kalman(&process, &(&measurement / (output * output))).expect("observable");
        let back = DMatrix::from_fn(3, 1, |i, _| found.gain[(i, 0)] * states[i] / output);
        relative(&back, &gain, 1e-9);
    }
}

#[test]
fn what_has_no_filter_is_said() {
    let integrator = StateSpace::new(matrix([[0.0, 1.0], [0.0, 0.0]]), matrix([[0.0], [1.0]])).expect("of like size");
    let seen = |row: [f64; 2]| integrator.clone().with_outputs(matrix([row]), matrix([[0.0]])).expect("of like size");
    let (two, one) = (DMatrix::identity(2, 2), DMatrix::identity(1, 1));
    let error = seen([0.0, 1.0]).kalman(&two, &one).expect_err("the speed does not tell the place").to_string();
    assert!(error.contains("an output that sees the mode of eigenvalue 0"), "{error}");
    let error = seen([1.0, 0.0]).kalman(&(&two * 0.0), &one).expect_err("nothing to filter").to_string();
    assert!(error.contains("process noise in the mode of eigenvalue 0"), "{error}");
    let error = seen([1.0, 0.0]).kalman(&two, &(&one * 0.0)).expect_err("exact outputs").to_string();
    assert_eq!(error, "the measurement noise has the eigenvalue 0; it must be symmetric and positive definite");
    let error = seen([1.0, 0.0]).kalman(&one, &one).expect_err("too small");
    assert!(
        matches!(error, AnalysisError::Shape { .. }) && error.to_string().starts_with("the process noise is 1 × 1"),
        "{error}"
    );
}
