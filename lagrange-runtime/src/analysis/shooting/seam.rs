//! Periodic orbits that start where the equations switch.

use super::Flight;
use super::newton::MISS;
use crate::analysis::AnalysisError;
use crate::analysis::matrix::eigenvalues;
use crate::scalar::Scalar;
use crate::state::State;
use crate::system::System;
use nalgebra::{Complex, DMatrix};
use std::vec::Vec;

/// The monodromy matrix and the multipliers of an orbit that may start on a switch of the equations.
///
/// A motion from a switch meets it again after the period, up to rounding, so that the derivative over the period may contain the jump
/// there or not. The derivative from a state between two switches contains each jump once. Let Φ be the derivative from the start to
/// such a state, and M that from this state over a period. Then the monodromy matrix is Φ⁻¹ M Φ: that for starts on the side of the
/// switch to which the motion goes.
pub(super) fn monodromy<const N: usize, const C: usize, const U: usize>(
    system: &impl System<f64, N, C, U>,
    flight: &Flight<N>,
    flow: impl Fn(&State<f64, N>, f64) -> Result<Flight<N>, AnalysisError>,
) -> Result<(DMatrix<f64>, Vec<Complex<f64>>), AnalysisError> {
    let own = flight.derivative.select_rows(&flight.basis.rows());
    if !starts_on_switch(system, flight) {
        let multipliers = eigenvalues(&own)?;
        return Ok((own, multipliers));
    }
    let part = flow(&flight.start, between(flight))?;
    let middle = State { t: flight.start.t + part.period, ..part.end };
    let round = flow(&middle, flight.period)?;
    let rows = round.basis.rows();
    let (there, over) = (part.derivative.select_rows(&rows), round.derivative.select_rows(&rows));
    let multipliers = eigenvalues(&over)?;
    let monodromy = (there.nrows() == there.ncols()).then(|| there.clone().lu().solve(&(&over * &there))).flatten();
    // Where states merge on the way, as at an impact without restitution, only the derivative from the start exists.
    Ok((monodromy.unwrap_or(own), multipliers))
}

/// Whether the motion crosses a switch near the start, within the part [`MISS`] of the period.
fn starts_on_switch<const N: usize, const C: usize, const U: usize>(
    system: &impl System<f64, N, C, U>,
    flight: &Flight<N>,
) -> bool {
    let Flight { start, period, .. } = flight;
    let Ok(found) = system.acceleration_of(start) else { return false };
    let u = system.default_inputs();
    let at = |s: f64| {
        let (q, v) = (start.q + start.v * s, start.v + found.acceleration * s);
        let mut values = std::vec![0.0; system.switch_count()];
        system.switches(start.t + s, &q, &v, &u, &mut values);
        values
    };
    let (before, after) = (at(-MISS * period), at(MISS * period));
    before.iter().zip(after).any(|(before, after)| before.sign() != after.sign())
}

/// The time from the start to the middle of the longest part of the orbit without a jump.
fn between<const N: usize>(flight: &Flight<N>) -> f64 {
    let times: Vec<f64> = flight.jumps.iter().map(|t| t - flight.start.t).chain([flight.period]).collect();
    let starts = core::iter::once(0.0).chain(times.iter().copied());
    let (_, middle) = starts.zip(&times).fold((0.0, 0.5 * flight.period), |(longest, middle), (from, &to)| {
        if to - from > longest { (to - from, 0.5 * (from + to)) } else { (longest, middle) }
    });
    middle
}
