//! The time at which a motion returns nearest to its start.

use super::flight::{Flight, components};
use super::{PERIOD_FACTOR, Shooting};
use crate::analysis::AnalysisError;
use crate::state::State;
use crate::system::Linearise;
use nalgebra::DVector;
use std::vec::Vec;

/// The number of parts of the range of periods.
const PARTS: u32 = 192;
/// How much a distance to the start may be larger, relative to the scales, at a time that is nearer to the guess by the factor e.
const PREFERENCE: f64 = 0.5;
/// The largest number of corrections of the time.
const MAX_CORRECTIONS: usize = 8;
/// The corrections end with one below this fraction of the period: the iteration that follows has quadratic convergence.
const CORRECTION: f64 = 1e-10;

/// A function that gives the states at times.
type Motion<'a, const N: usize> = &'a dyn Fn(&[f64]) -> Result<Vec<State<f64, N>>, AnalysisError>;

impl<const N: usize> Shooting<N> {
    /// The time of the nearest return, or the guess of the period where a longer motion fails.
    ///
    /// `flight` is the motion over the guess of the period, and `motion` gives the states at times.
    pub(super) fn nearest_return<const C: usize, const U: usize>(
        &self,
        system: &impl Linearise<f64, N, C, U>,
        flight: &Flight<N>,
        motion: Motion<'_, N>,
    ) -> f64 {
        let start = &flight.start;
        let (low, high) = (self.period / PERIOD_FACTOR, self.period * PERIOD_FACTOR);
        let part = (high - low) / f64::from(PARTS);
        let times: Vec<f64> = (0..=PARTS).map(|k| start.t + low + part * f64::from(k)).collect();
        let Ok(states) = motion(&times) else { return self.period };
        let own = N.saturating_sub(system.state_count());
        let mut scales = flight.scales();
        scales.iter_mut().take(N).skip(own).for_each(|hidden| *hidden = 0.0);
        let distance = |state: &State<f64, N>| self.distance(start, state, &scales);
        let score = |state: &State<f64, N>| {
            distance(state).norm() + PREFERENCE * ((state.t - start.t) / self.period).ln().abs()
        };
        let nearest = states.iter().min_by(|a, b| score(a).total_cmp(&score(b)));
        let Some(mut nearest) = nearest.copied() else { return self.period };
        for _ in 0..MAX_CORRECTIONS {
            let Ok(found) = system.acceleration_of(&nearest) else { break };
            let moving = State { t: 0.0, q: nearest.v, v: found.acceleration };
            let rate = scaled(components(&moving), &scales);
            let change = -distance(&nearest).dot(&rate) / rate.norm_squared();
            let time = (nearest.t - start.t + change.clamp(-part, part)).clamp(low, high);
            let Some(next) = motion(&[start.t + time]).ok().and_then(|mut states| states.pop()) else { break };
            // Near the errors of the integration, the distance no longer decreases.
            match distance(&next).norm() < distance(&nearest).norm() {
                true => nearest = next,
                false => break,
            }
            if change.abs() <= CORRECTION * self.period {
                break;
            }
        }
        nearest.t - start.t
    }

    /// x(t) − x₀ − w, each component relative to its scale.
    fn distance(&self, start: &State<f64, N>, state: &State<f64, N>, scales: &DVector<f64>) -> DVector<f64> {
        let miss = State { t: 0.0, q: state.q - start.q - self.winding, v: state.v - start.v };
        scaled(components(&miss), scales)
    }
}

/// The components divided by their scales, without those whose scale is 0.
fn scaled(components: impl Iterator<Item = f64>, scales: &DVector<f64>) -> DVector<f64> {
    let divided = components.zip(scales.iter()).map(|(value, scale)| if *scale > 0.0 { value / scale } else { 0.0 });
    DVector::from_iterator(scales.len(), divided)
}
