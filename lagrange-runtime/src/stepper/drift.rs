//! The residuals of the constraints along a motion.

use super::Stepper;
use crate::evaluator::{Fork, Monitor};
use crate::method::Method;
use crate::scalar::Real;
use crate::state::State;
use crate::statistics::Residuals;
use nalgebra::SVector;

/// The number of steps between two measurements. A measurement evaluates the constraints, and computes a velocity where the
/// method carries momenta. At this number it costs a hundredth of the steps or less.
const STRIDE: u64 = 64;

/// A residual of at most this many roundings of its scale counts as 0.
const ROUNDING: f64 = 1e3;

/// The largest residual and the largest scale of each row so far, for positions and for velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Drift<const C: usize> {
    /// The length of the integration's span.
    span: f64,
    positions: [SVector<f64, C>; 2],
    velocities: [SVector<f64, C>; 2],
}

impl<const C: usize> Drift<C> {
    pub(super) fn over(span: f64) -> Self {
        let none = [SVector::repeat(0.0); 2];
        Self { span, positions: none, velocities: none }
    }

    /// The first number that no integration can produce: one that is negative or NaN.
    pub(super) fn fault(&self) -> Option<f64> {
        let rows = self.positions.iter().chain(&self.velocities).flat_map(|rows| rows.iter());
        core::iter::once(&self.span).chain(rows).copied().find(|number| *number < 0.0 || number.is_nan())
    }

    /// Takes in the residuals of a state. Returns the largest of each kind, relative to their scales.
    fn measure<R: Real, const N: usize>(&mut self, evaluator: &dyn Monitor<R, N, C>, state: &State<R, N>) -> Residuals {
        let at = evaluator.constraint(state.t, &state.q);
        // States and their hidden coordinates have units of their own, and no constraint contains them.
        let own = N.saturating_sub(evaluator.state_count());
        let largest =
            |vector: &SVector<R, N>| vector.iter().take(own).fold(0.0_f64, |most, x| most.max(x.to_f64().abs()));
        let (farthest, fastest) = (largest(&state.q), largest(&state.v));
        let mut residuals = Residuals::default();
        for row in 0..C {
            let (mut slopes, mut rate) = (0.0, at.drift[row]);
            for i in 0..N {
                slopes += at.jacobian[(row, i)].to_f64().abs();
                rate += at.jacobian[(row, i)] * state.v[i];
            }
            let position = [at.value[row].to_f64().abs(), at.scale[row].to_f64().abs() + slopes * farthest];
            let velocity = [rate.to_f64().abs(), at.drift[row].to_f64().abs() + slopes * fastest];
            let take = |rows: &mut [SVector<f64, C>; 2], found: [f64; 2], least: f64| {
                for (largest, found) in rows.iter_mut().zip(found) {
                    largest[row] = largest[row].max(found);
                }
                let [residual, scale] = rows.each_ref().map(|largest| largest[row]);
                let scale = scale.max(least);
                if residual <= ROUNDING * R::EPSILON * scale { 0.0 } else { residual / scale }
            };
            let position = take(&mut self.positions, position, 0.0);
            let moving = self.positions[1][row] / self.span;
            let velocity = take(&mut self.velocities, velocity, moving);
            let found = if row < evaluator.holonomic_count() {
                Residuals { position, velocity, nonholonomic: 0.0 }
            } else {
                Residuals { position: 0.0, velocity: 0.0, nonholonomic: velocity }
            };
            residuals = residuals.max(found);
        }
        residuals
    }
}

impl<E, M, R, const N: usize, const C: usize> Stepper<'_, E, M, R, N, C>
where
    E: Fork<R, N, C>,
    M: Method<R, N, C>,
    R: Real,
{
    /// The number of steps at which the residuals are measured next, at the latest. Without constraints they never are.
    #[inline(always)]
    pub(super) fn next_measurement(&self) -> u64 {
        if const { C == 0 } { u64::MAX } else { (self.statistics().steps / STRIDE + 1).saturating_mul(STRIDE) }
    }

    /// Measures the residuals of the constraints if a measurement is due: every [`STRIDE`] steps, at a section's end, and where
    /// an event ends or restarts the motion.
    #[cold]
    #[inline(never)]
    pub(super) fn measure_drift(&mut self, ended: bool) {
        let at_stride = self.statistics().steps.is_multiple_of(STRIDE);
        if !(at_stride || ended || self.section.end == self.now.state.t || self.watch.memory.restarted) {
            return;
        }
        // The velocity is computed in a copy, so that a measurement changes no step.
        let (mut now, counted) = (self.now, *self.statistics());
        let synchronised = now.synchronise(&mut self.evaluator, self.method);
        *self.evaluator.statistics_mut() = counted;
        if let Ok(state) = synchronised {
            let residuals = self.drift.measure(&self.evaluator, &state);
            let statistics = self.evaluator.statistics_mut();
            statistics.residuals = statistics.residuals.max(residuals);
        }
    }
}
