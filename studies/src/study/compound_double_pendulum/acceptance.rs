//! RKF45 with a rule of acceptance that the paper does not print, and that the runtime does not offer.

use super::{DURATION, STEP};
use crate::study::Finding;
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::prelude::*;
use lagrange_runtime::tableau::fehlberg::RKF45;

/// Δ₀ of the maximum norm of the difference of both solutions.
const DELTA: f64 = 1e-11;

/// The limits on the factor between two steps.
const FACTORS: [f64; 2] = [0.1, 4.0];

type Phase = SVector<f64, 4>;

/// The mean step in [`DURATION`], s, if a step is accepted whose error is at most `limit` Δ₀. The next one is 0.9 (Δ₀/Δ)^(1/5) times as
/// long.
pub(super) fn mean_step(initial: State<f64, 2>, limit: f64) -> Finding<f64> {
    let system = CompoundDoublePendulum::default().prepare::<f64>()?;
    let none = SVector::zeros();
    let slope = |y: &Phase| -> Finding<Phase> {
        let (q, v) = (y.fixed_rows::<2>(0).into_owned(), y.fixed_rows::<2>(2).into_owned());
        let a = system.acceleration(0.0, &q, &v, &none)?.acceleration;
        Ok(Phase::new(v[0], v[1], a[0], a[1]))
    };
    let mut y = Phase::new(initial.q[0], initial.q[1], initial.v[0], initial.v[1]);
    let (mut t, mut h, mut steps) = (0.0, STEP, 0_u64);
    while t < DURATION {
        h = h.min(DURATION - t);
        let mut k = [Phase::zeros(); 6];
        for stage in 0..6 {
            let sum: Phase = (0..stage).map(|past| k[past] * RKF45.coefficients[stage][past].value::<f64>()).sum();
            k[stage] = slope(&(y + sum * h))?;
        }
        let solution =
            |weights: &dyn Fn(usize) -> f64| y + (0..6).map(|stage| k[stage] * weights(stage)).sum::<Phase>() * h;
        let fourth = solution(&|stage| RKF45.weights[stage].value());
        let fifth = solution(&|stage| RKF45.embedded[stage].value());
        let error = (fifth - fourth).amax();
        if error <= limit * DELTA {
            (t, y, steps) = (t + h, fourth, steps + 1);
        }
        h *= (0.9 * (DELTA / error).powf(0.2)).clamp(FACTORS[0], FACTORS[1]);
    }
    Ok(DURATION / steps as f64)
}
