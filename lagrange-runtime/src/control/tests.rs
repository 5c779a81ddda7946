//! The laws of step control against their formulas.

use super::{History, ToleranceLaw};

#[test]
fn a_step_follows_its_errors_by_the_formula_of_its_law() {
    let cases = [
        (ToleranceLaw::Elementary, [-1.0, 0.0, 0.0]),
        (ToleranceLaw::ProportionalIntegral, [-0.7, 0.4, 0.0]),
        (ToleranceLaw::ProportionalIntegralDerivative, [-0.49, 0.34, -0.1]),
    ];
    for (law, powers) in cases {
        for exponent in [3, 5, 6] {
            for errors in [[0.5_f64, 0.4, 0.3], [0.02, 0.3, 0.1], [0.1, 0.02, 0.6], [0.9, 0.8, 0.01]] {
                let mut history = History::default();
                let factors = errors.map(|error| law.judge(&mut history, error * error, exponent).factor);
                let [oldest, before, error] = errors;
                let [proportional, integral, derivative] = powers;
                let product = error.powf(proportional) * before.powf(integral) * oldest.powf(derivative);
                let right = (0.9 * product.powf(1.0 / f64::from(exponent))).clamp(0.2, 5.0);
                assert!(
                    (factors[2] / right - 1.0).abs() < 1e-3,
                    "{law:?}, {exponent}, {errors:?}: {factors:?}, {right}"
                );
            }
        }
    }
}
