//! Flexible bodies: elements of beams, a beam that is spun up, a cable and a link of a robot.

mod cable;
mod elements;
mod link;
mod slider_crank;
mod spinning;

use lagrange_runtime::analysis::{EquilibriumSearch, modes};
use lagrange_runtime::prelude::*;

/// The frequencies of small vibrations about a state of rest, the slowest first.
fn frequencies<const N: usize, const U: usize>(system: &impl Linearise<f64, N, 0, U>, near: [f64; N]) -> Vec<f64> {
    let rest = EquilibriumSearch::new(near, [0.0; U]).find(system).expect("near");
    let found = modes(system, &rest).expect("regular");
    found.undamped.iter().map(|mode| mode.frequency().unwrap_or(f64::NAN)).collect()
}

/// The zero of a function between two points where its sign differs.
fn zero(mut from: f64, mut to: f64, function: impl Fn(f64) -> f64) -> f64 {
    let is_positive = function(from) > 0.0;
    for _ in 0..200 {
        let middle = f64::midpoint(from, to);
        if (function(middle) > 0.0) == is_positive { from = middle } else { to = middle }
    }
    from
}
