//! What tests compare with: values in 240 bits, and numbers that are the same in every run.

use dashu_float::FBig;

/// A double as an exact number on which functions are computed in 240 bits.
pub(crate) fn exact(x: f64) -> FBig {
    FBig::try_from(x).expect("a finite number").with_precision(240).value()
}

/// The distance of `result` from the exact value, in units of the last place of the exact value's double.
pub(crate) fn units(result: f64, exact_value: &FBig) -> f64 {
    let nearest = exact_value.to_f64().value();
    let unit = nearest.abs().next_up() - nearest.abs();
    let difference = exact(result) - exact_value;
    // Denormal units are scaled up together with the difference.
    let scale = exact(2.0_f64.powi(500));
    ((difference * &scale).to_f64().value() / (exact(unit) * &scale).to_f64().value()).abs()
}

/// Numbers in [−1, 1), the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Iterator for Numbers {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        // Knuth's MMIX generator.
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        Some((self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    }
}
