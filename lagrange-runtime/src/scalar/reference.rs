//! References for tests: values in 240 bits, and random numbers that are the same in every run.

use dashu_float::FBig;

/// Returns a double as an exact number. Functions of it are computed in 240 bits.
pub(crate) fn exact(x: f64) -> FBig {
    FBig::try_from(x).expect("a finite number").with_precision(240).value()
}

/// Returns the distance of `result` from the exact value. The unit is the last place of the double nearest to the exact value.
pub(crate) fn units(result: f64, exact_value: &FBig) -> f64 {
    let nearest = exact_value.to_f64().value();
    let unit = nearest.abs().next_up() - nearest.abs();
    let difference = exact(result) - exact_value;
    // The difference and the unit are scaled up together, because the unit may be denormal.
    let scale = exact(2.0_f64.powi(500));
    ((difference * &scale).to_f64().value() / (exact(unit) * &scale).to_f64().value()).abs()
}

/// A generator of numbers in [−1, 1), which are the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Iterator for Numbers {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        // This is Knuth's MMIX generator.
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        Some((self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    }
}
