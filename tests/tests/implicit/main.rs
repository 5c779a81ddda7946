//! Implicit methods beside Gauss's and Radau's: their orders, what they damp or preserve, and what they refuse.

mod contacts;
mod energy_preserving;
mod esdirk;
mod generalized_alpha;
mod rounding;

/// The slope of log(error) against log(h), between neighbours.
fn slopes(points: &[(f64, f64)]) -> Vec<f64> {
    points.windows(2).map(|pair| (pair[0].1 / pair[1].1).ln() / (pair[0].0 / pair[1].0).ln()).collect()
}
