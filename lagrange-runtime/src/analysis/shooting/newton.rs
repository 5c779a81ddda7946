//! Newton's method for the return to the start.

use super::flight::{Flight, components};
use super::{PERIOD_FACTOR, PeriodicOrbit, Shooting};
use crate::analysis::AnalysisError;
use crate::analysis::matrix::{Singular, finite, null_space};
use crate::constraint::Projection;
use crate::state::State;
use crate::system::Linearise;
use nalgebra::{DMatrix, DVector};
use std::string::ToString;
use std::vec::Vec;

/// The iteration ends with a correction below this fraction of what the orbit spans.
const CORRECTION: f64 = 1e-12;
/// A correction below this fraction is the error of the integration if it is not less than half of the one before.
const NEAR: f64 = 1e-7;
/// The largest distance between the orbit's start and its end, relative to what the orbit spans.
pub(super) const MISS: f64 = 1e-6;
/// A component that spans less than this fraction of its scale, such as the height of a circular orbit, must return within `MISS` of this
/// fraction.
const LEAST_SPAN: f64 = 1e-3;
/// A motion is an equilibrium if it spans less than this fraction of what an earlier trial spanned.
const REST: f64 = 1e-7;
/// A search that fails has gone towards an equilibrium if its last motion spans less than this fraction of what an earlier trial spanned.
const SHRUNK: f64 = 0.1;
/// A motion is an equilibrium if it spans at most so many roundings of each coordinate and velocity.
const ROUND_OFF: f64 = 64.0;
/// The smallest damping factor of a correction.
const LEAST_DAMPING: f64 = 1e-3;
/// A singular value of the scaled derivative may be the error of the derivative if it is below this number, beside the identity.
const DERIVATIVE_ERROR: f64 = 1e-7;
/// The same as a fraction of the largest singular value.
const RELATIVE_DERIVATIVE_ERROR: f64 = 1e-11;
/// A constant of the motion makes a singular value of at most this multiple of the defect, and the part of the defect along it is of
/// second order: at most this multiple of the defect's square.
const DEFECT: f64 = 10.0;
/// The largest singular value that a constant of the motion may make, beside the identity, and the largest part of the defect along it.
const CONSTANT: f64 = 0.03;

/// A function that gives the motion from a start over a period.
pub(super) type Flow<'a, const N: usize> = &'a dyn Fn(&State<f64, N>, f64) -> Result<Flight<N>, AnalysisError>;

/// The linear equations of a correction, scaled by what the motion spans.
struct Linear {
    scales: DVector<f64>,
    /// The directions in which the start may vary, in the states of the basis.
    directions: DMatrix<f64>,
    /// The derivative of the scaled defect by the unknowns.
    singular: Singular,
    /// Whether each singular value counts.
    counts: Vec<bool>,
}

impl Linear {
    /// The scaled defect.
    fn scaled(&self, miss: &DVector<f64>) -> DVector<f64> {
        miss.component_div(&self.scales)
    }

    /// The correction of least norm for a defect.
    fn correction(&self, miss: &DVector<f64>) -> DVector<f64> {
        self.singular.solve(&-self.scaled(miss), &self.counts)
    }
}

/// Whether the motion spans nothing but rounding, or less than a fraction of the widest of earlier trials.
fn is_at_rest<const N: usize>(flight: &Flight<N>, widest: &DVector<f64>, fraction: f64) -> bool {
    components(&flight.start).enumerate().all(|(i, value)| {
        let span = flight.spans[i];
        span <= ROUND_OFF * f64::EPSILON * value.abs() || span <= fraction * widest[i]
    })
}

impl<const N: usize> Shooting<N> {
    /// The orbit that corrections of `flight` lead to.
    pub(super) fn iterate<const C: usize, const U: usize>(
        &self,
        system: &impl Linearise<f64, N, C, U>,
        mut flight: Flight<N>,
        flow: Flow<'_, N>,
    ) -> Result<PeriodicOrbit<N>, AnalysisError> {
        let mut last = f64::INFINITY;
        let mut widest = flight.spans.clone();
        let mut iteration = 0;
        loop {
            widest.zip_apply(&flight.spans, |widest: &mut f64, span| *widest = widest.max(span));
            // Under a drive of the given period, an equilibrium is an orbit like any other.
            if self.fixed_period && is_at_rest(&flight, &widest, CORRECTION) {
                return flight.orbit(iteration, system, flow);
            }
            if !self.fixed_period && is_at_rest(&flight, &widest, REST) {
                return Err(AnalysisError::AtRest { iterations: iteration });
            }
            let miss = self.miss(&flight);
            let linear = self.linear(system, &flight, &miss)?;
            let step = linear.correction(&miss);
            let size = step.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
            let failed = |remedy| match !self.fixed_period && is_at_rest(&flight, &widest, SHRUNK) {
                true => AnalysisError::AtRest { iterations: iteration },
                false => AnalysisError::NotConverged {
                    sought: "periodic orbit",
                    iterations: iteration,
                    worst: "the return to the start".to_string(),
                    residual: miss.amax(),
                    remedy,
                },
            };
            let near = size <= NEAR;
            if size <= CORRECTION || (near && size >= 0.5 * last) {
                let returns = |i: usize| miss[i].abs() <= MISS * flight.spans[i].max(LEAST_SPAN * linear.scales[i]);
                return match (0..2 * N).all(returns) {
                    true => flight.orbit(iteration, system, flow),
                    false => Err(failed("start from another guess, or fix less of the start")),
                };
            }
            if iteration == self.max_iterations {
                return Err(failed("start nearer to it, or allow more iterations"));
            }
            last = size;
            flight = match self.advance(system, &flight, &linear, &step, near, flow) {
                Ok(next) => next,
                Err(Some(period)) => {
                    return Err(AnalysisError::PeriodLeavesRange {
                        period,
                        allowed: [self.period / PERIOD_FACTOR, self.period * PERIOD_FACTOR],
                        iterations: iteration,
                    });
                }
                Err(None) => return Err(failed("start from another guess")),
            };
            iteration += 1;
        }
    }

    /// The motion after the longest part of the step at which the defect decreases. Near the errors of the integration it need not.
    /// Where no part does, the error is the period that a part asked for outside the range, if one did.
    fn advance<const C: usize, const U: usize>(
        &self,
        system: &impl Linearise<f64, N, C, U>,
        flight: &Flight<N>,
        linear: &Linear,
        step: &DVector<f64>,
        near: bool,
        flow: Flow<'_, N>,
    ) -> Result<Flight<N>, Option<f64>> {
        let (mut damping, mut outside) = (1.0, None);
        while damping >= LEAST_DAMPING {
            let period = self.period_after(flight, linear, &(step * damping));
            if !(self.period / PERIOD_FACTOR..=self.period * PERIOD_FACTOR).contains(&period) {
                outside = Some(period);
            } else if let Ok(start) = self.start_after(system, flight, linear, &(step * damping))
                && let Ok(next) = flow(&start, period)
            {
                let left = linear.correction(&self.miss(&next));
                if near || left.norm() <= (1.0 - damping / 4.0) * step.norm() {
                    return Ok(next);
                }
            }
            damping *= 0.5;
        }
        Err(outside)
    }

    /// The residual x(T) − x₀ − w.
    fn miss(&self, flight: &Flight<N>) -> DVector<f64> {
        let Flight { start, end, .. } = flight;
        DVector::from_fn(2 * N, |i, _| match i.checked_sub(N) {
            None => end.q[i] - start.q[i] - self.winding[i],
            Some(i) => end.v[i] - start.v[i],
        })
    }

    /// The linear equations of a correction.
    fn linear<const C: usize, const U: usize>(
        &self,
        system: &impl Linearise<f64, N, C, U>,
        flight: &Flight<N>,
        miss: &DVector<f64>,
    ) -> Result<Linear, AnalysisError> {
        finite("the derivative of the motion", &flight.derivative)?;
        let scales = flight.scales();
        let directions = self.directions(flight, &scales)?;
        let mut jacobian = (&flight.derivative - flight.basis.columns()) * &directions;
        if !self.fixed_period {
            let last = jacobian.ncols();
            jacobian = jacobian.insert_column(last, 0.0);
            jacobian.set_column(last, &(self.rate(system, flight)? * flight.period));
        }
        for (i, mut row) in jacobian.row_iter_mut().enumerate() {
            row /= scales[i];
        }
        finite("the derivative of the motion", &jacobian)?;
        let singular = Singular::of(&jacobian)?;
        let scaled = miss.component_div(&scales);
        let (defect, largest) = (scaled.norm(), singular.values().iter().fold(0.0_f64, |most, value| most.max(*value)));
        let error = DERIVATIVE_ERROR.max(RELATIVE_DERIVATIVE_ERROR * largest);
        let parts = singular.parts(&scaled);
        let counts = parts.iter().zip(singular.values()).map(|(part, value)| {
            let is_constant =
                *value <= CONSTANT.min(DEFECT * defect) && part.abs() <= defect * CONSTANT.min(DEFECT * defect);
            *value > error && !is_constant
        });
        let counts = counts.collect();
        Ok(Linear { scales, directions, singular, counts })
    }

    /// The directions in which the start may vary: columns in the states of the basis, scaled by what the motion spans.
    fn directions(&self, flight: &Flight<N>, scales: &DVector<f64>) -> Result<DMatrix<f64>, AnalysisError> {
        let tangent = flight.basis.columns();
        let columns: Vec<f64> = flight.basis.rows().iter().map(|&row| scales[row]).collect();
        let fixed: Vec<usize> = (0..2 * N).filter(|&i| self.fixed[i / N.max(1)][i % N.max(1)]).collect();
        let kept = DMatrix::from_fn(fixed.len(), columns.len(), |i, k| {
            let row = tangent.row(fixed[i]);
            let largest = row.iter().zip(&columns).fold(0.0_f64, |most, (x, scale)| most.max((x * scale).abs()));
            if largest > 0.0 { row[k] * columns[k] / largest } else { 0.0 }
        });
        let free = null_space(&kept)?;
        Ok(DMatrix::from_fn(free.nrows(), free.ncols(), |i, k| columns[i] * free[(i, k)]))
    }

    /// The rate of the states at the end.
    fn rate<const C: usize, const U: usize>(
        &self,
        system: &impl Linearise<f64, N, C, U>,
        flight: &Flight<N>,
    ) -> Result<DVector<f64>, AnalysisError> {
        let found = system
            .acceleration_of(&flight.end)
            .map_err(|singular| AnalysisError::singular(singular, system.coordinates()))?;
        let own = N.saturating_sub(system.state_count());
        Ok(DVector::from_fn(2 * N, |i, _| match i.checked_sub(N) {
            None if i >= own => 0.0,
            None => flight.end.v[i],
            Some(i) => found.acceleration[i],
        }))
    }

    /// The period after a step.
    fn period_after(&self, flight: &Flight<N>, linear: &Linear, step: &DVector<f64>) -> f64 {
        match self.fixed_period {
            true => flight.period,
            false => flight.period * (1.0 + step[linear.directions.ncols()]),
        }
    }

    /// The start after a step.
    fn start_after<const C: usize, const U: usize>(
        &self,
        system: &impl Linearise<f64, N, C, U>,
        flight: &Flight<N>,
        linear: &Linear,
        step: &DVector<f64>,
    ) -> Result<State<f64, N>, AnalysisError> {
        let mut start = flight.start;
        let change = flight.basis.columns() * (&linear.directions * step.rows(0, linear.directions.ncols()));
        for i in 0..N {
            start.q[i] += change[i];
            start.v[i] += change[N + i];
        }
        self.consistent(system, &start)
    }

    /// The state that meets the constraints, with the fixed coordinates and velocities kept.
    pub(super) fn consistent<const C: usize, const U: usize>(
        &self,
        system: &impl Linearise<f64, N, C, U>,
        state: &State<f64, N>,
    ) -> Result<State<f64, N>, AnalysisError> {
        let mut projection = Projection::default();
        for i in 0..N {
            if self.fixed[0][i] {
                projection = projection.keep_position(i);
            }
            if self.fixed[1][i] {
                projection = projection.keep_velocity(i);
            }
        }
        let projected = projection.state(system, state);
        Ok(projected.map_err(|failure| AnalysisError::failure(failure, system.coordinates()))?.0)
    }
}
