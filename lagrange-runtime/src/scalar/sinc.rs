//! The derivatives of sinc x = sin(x)/x.
//!
//! Let f_k be the k-th derivative. Differentiating x·sinc x = sin x gives x f_k + k f_{k−1} = sin(x + kπ/2). Solved for f_k, it
//! multiplies errors by k/x in each step. Solved for f_{k−1}, it multiplies them by x/k. If |x| > k, the recurrence therefore
//! runs upwards from f_0. If |x| ≤ k, it runs downwards from an order at which f is negligible. The error is a few units of
//! rounding, relative to |f_k| near x = 0 and to 1/(k+1) ≥ |f_k| elsewhere.

use super::{Real, Scalar};

/// Returns the `order`-th derivative of sin(x)/x, continued analytically through x = 0. The work is proportional to `order`.
pub(super) fn derivative<R: Real>(x: R, order: u32) -> R {
    let (sine, cosine) = x.sin_cos();
    // Returns the k-th derivative of the sine.
    let wave = |k: u32| match k % 4 {
        0 => sine,
        1 => cosine,
        2 => -sine,
        _ => -cosine,
    };
    // Counted in R, so that no step in single precision computes in double precision.
    let limit = (0..order).fold(R::ZERO, |count, _| count + R::ONE);
    let magnitude = x.abs();
    if order == 0 && magnitude > R::ZERO {
        return sine / x;
    }
    if magnitude <= limit {
        // The error from the neglected order is multiplied by all x/k on the way down. The further factor |x| keeps odd
        // derivatives accurate relative to their own zero at x = 0.
        let tolerance = R::from_f64(R::EPSILON / 16.0) * Scalar::min(magnitude, R::ONE);
        let (mut top, mut count) = (order, limit);
        let mut damping = R::ONE;
        while damping > tolerance && top < u32::MAX - 1 {
            top += 1;
            count += R::ONE;
            damping *= magnitude / count;
        }
        top += 1;
        count += R::ONE;
        let mut value = R::ZERO;
        for k in (order + 1..=top).rev() {
            value = (wave(k) - x * value) / count;
            count -= R::ONE;
        }
        value
    } else {
        let (mut value, mut count) = (sine / x, R::ZERO);
        for k in 1..=order {
            count += R::ONE;
            value = (wave(k) - count * value) / x;
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::reference::{Numbers, exact};
    use dashu_float::FBig;

    /// Returns Σ (−1)ʲ x^(2j−k) / ((2j+1) (2j−k)!) over 2j ≥ k, in 240 bits.
    fn series(x: f64, order: u32) -> FBig {
        let x = exact(x);
        let first = order.div_ceil(2);
        let mut power = if order.is_multiple_of(2) { exact(1.0) } else { x.clone() };
        let mut sum = exact(0.0);
        for j in first..first + 150 {
            let term = &power / exact(f64::from(2 * j + 1));
            sum = if j % 2 == 0 { sum + term } else { sum - term };
            let n = 2 * j - order;
            power = power * &x * &x / exact(f64::from(n + 1) * f64::from(n + 2));
        }
        sum
    }

    fn error(x: f64, order: u32) -> f64 {
        (exact(derivative(x, order)) - series(x, order)).to_f64().value().abs()
    }

    #[test]
    fn derivatives_are_accurate_on_both_sides_of_the_change_of_direction() {
        for order in [0, 1, 2, 3, 4, 5, 6, 8, 12, 20] {
            let size = 1.0 / f64::from(order + 1);
            let near_change = [0.99, 1.0, 1.01].map(|factor| f64::from(order) * factor);
            for x in Numbers(8).take(200).map(|x| 40.0 * x).chain(near_change) {
                assert!(error(x, order) < 4.0 * f64::EPSILON * size, "order {order} at {x}: {:e}", error(x, order));
            }
        }
    }

    #[test]
    fn odd_derivatives_are_accurate_relative_to_their_zero() {
        for order in 0..7 {
            for x in [1e-300, 1e-20, 1e-9, 1e-3, 0.03, -0.1] {
                let value = derivative(x, order);
                assert!(error(x, order) <= 4.0 * f64::EPSILON * value.abs(), "order {order} at {x}: {value}");
            }
        }
    }

    #[test]
    fn values_at_zero() {
        let values: [f64; 6] = core::array::from_fn(|order| derivative(0.0, order as u32));
        assert_eq!(values, [1.0, 0.0, -1.0 / 3.0, 0.0, 0.2, 0.0]);
    }

    #[test]
    fn no_number_and_infinity() {
        for order in 0..4 {
            assert!(derivative(f64::NAN, order).is_nan());
            assert!(derivative(f64::INFINITY, order).is_nan());
        }
    }
}
