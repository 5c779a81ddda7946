//! A motion with a small deviation, integrated together.

use crate::analysis::AnalysisError;
use crate::control::combined_derivative_square;
use crate::error::Failure;
use crate::evaluate::Accelerate;
use crate::method::{Dop853, Estimate, Explicit, Trial};
use crate::options::{Options, Tolerance};
use crate::scalar::{Dual, Scalar};
use crate::state::{State, time_rounding};
use crate::stepper::adaptive::proposal;
use crate::stepper::judge::estimated_square;
use crate::system::Linearise;
use nalgebra::SVector;

/// A number of the motion and the same number of the deviation.
type One = Dual<f64, 1>;

/// The error of a step, relative to what the motion and the deviation have reached. The method's own error is about a hundredth of its
/// estimate, so that spurious exponents are some 10⁻⁶ of the rates of the motion.
const TOLERANCE: f64 = 1e-10;

/// The power of the step size in the square of the error.
const POWER: f64 = 16.0;

/// The equations of a motion and of a small deviation from it: a and δa = ∂a/∂q δq + ∂a/∂v δv.
pub(super) struct Neighbour<'a, const N: usize, const C: usize, const U: usize> {
    pub(super) system: &'a dyn Linearise<f64, N, C, U>,
    pub(super) inputs: SVector<f64, U>,
    /// The first failure of an evaluation in a step.
    fault: Option<Failure>,
    /// The largest magnitudes of the components of the motion so far.
    reached: [SVector<f64, N>; 2],
    /// The size of the next step.
    proposal: f64,
}

impl<'a, const N: usize, const C: usize, const U: usize> Neighbour<'a, N, C, U> {
    pub(super) fn new(system: &'a dyn Linearise<f64, N, C, U>) -> Self {
        let (inputs, reached) = (system.default_inputs(), [SVector::zeros(); 2]);
        Self { system, inputs, fault: None, reached, proposal: f64::INFINITY }
    }

    /// The motion and the deviation at the time `to`, from those at a state.
    #[allow(clippy::type_complexity, reason = "a state and a deviation")]
    pub(super) fn carry(
        &mut self,
        from: &State<f64, N>,
        (q, v): (SVector<f64, N>, SVector<f64, N>),
        to: f64,
    ) -> Result<(State<f64, N>, (SVector<f64, N>, SVector<f64, N>)), AnalysisError> {
        let with = |value: &SVector<f64, N>, by: &SVector<f64, N>| {
            SVector::from_fn(|i, _| Dual { value: value[i], derivatives: [by[i]] })
        };
        let mut now = State { t: One::constant(from.t), q: with(&from.q, &q), v: with(&from.v, &v) };
        let method = Dop853::<One>::new();
        let mut stages = Explicit::<N>::stages::<One>(&method);
        let way = if to < from.t { -1.0 } else { 1.0 };
        let mut acceleration = self.slope(now.t, now.q, now.v);
        while now.t.value != to {
            let left = (to - now.t.value).abs();
            let is_last = self.proposal >= left;
            let h = way * if is_last { left } else { self.proposal };
            let end = if is_last { to } else { now.t.value + h };
            let (h, end) = (One::constant(h), One::constant(end));
            let tried = method.attempt(self, &mut stages, &now, acceleration, h, end);
            let square = match &tried {
                Ok(trial) if trial.state.is_finite() => self.square(&now, trial),
                _ => f64::INFINITY,
            };
            let wanted = 0.9 * libm::pow(square, -1.0 / POWER);
            let factor = if wanted > 0.2 { wanted.min(5.0) } else { 0.2 };
            match tried {
                Ok(trial) if square <= 1.0 => {
                    now = trial.state;
                    self.proposal = proposal(h.value.abs(), self.proposal, factor);
                    if !is_last {
                        acceleration = self.slope(now.t, now.q, now.v);
                    }
                }
                tried => {
                    self.proposal = h.value.abs() * factor;
                    if self.proposal <= time_rounding(now.t.value, to) {
                        let failure = tried.err().unwrap_or(Failure::StepTooSmall { step: self.proposal });
                        return Err(AnalysisError::failure(failure, self.system.coordinates()));
                    }
                }
            }
        }
        let value = |vector: &SVector<One, N>| vector.map(|each| each.value);
        let by = |vector: &SVector<One, N>| vector.map(|each| each.derivatives[0]);
        Ok((State { t: to, q: value(&now.q), v: value(&now.v) }, (by(&now.q), by(&now.v))))
    }

    /// The square of the error of a step, relative to its tolerance.
    fn square<Memory>(&mut self, start: &State<One, N>, trial: &Trial<One, N, Memory>) -> f64 {
        let end = &trial.state;
        for i in 0..N {
            let largest = |a: One, b: One, c: f64| a.value.abs().max(b.value.abs()).max(c);
            self.reached[0][i] = largest(start.q[i], end.q[i], self.reached[0][i]);
            self.reached[1][i] = largest(start.v[i], end.v[i], self.reached[1][i]);
        }
        let [q, v] = self.reached.map(|reached| reached.map(|size| One::constant(TOLERANCE * size)));
        let rtol = Tolerance::Uniform(One::constant(TOLERANCE));
        let options = Options { rtol, atol: Tolerance::Each { q, v }, ..Options::default() };
        let states = self.system.state_count();
        let own = estimated_square(&options, start, trial, None, One::ZERO, states).value;
        let of_deviation = match &trial.estimate {
            Estimate::Combined(differences) => {
                combined_derivative_square(&options, (start, end), differences, (None, states))
            }
            _ => 0.0,
        };
        if own > of_deviation { own } else { of_deviation }
    }
}

impl<const N: usize, const C: usize, const U: usize> Accelerate<One, N> for Neighbour<'_, N, C, U> {
    fn acceleration(&mut self, t: One, q: SVector<One, N>, v: SVector<One, N>) -> Result<SVector<One, N>, Failure> {
        let value = |vector: &SVector<One, N>| vector.map(|each| each.value);
        let by = |vector: &SVector<One, N>| vector.map(|each| each.derivatives[0]);
        let found = self.system.acceleration_jacobian(t.value, &value(&q), &value(&v), &self.inputs)?;
        let change = found.acceleration_q * by(&q) + found.acceleration_v * by(&v);
        Ok(SVector::from_fn(|i, _| Dual { value: found.acceleration[i], derivatives: [change[i]] }))
    }

    fn slope(&mut self, t: One, q: SVector<One, N>, v: SVector<One, N>) -> SVector<One, N> {
        self.acceleration(t, q, v).unwrap_or_else(|failure| {
            self.fault.get_or_insert(failure);
            SVector::repeat(One::constant(f64::NAN))
        })
    }

    fn check_slopes(&mut self) -> Result<(), Failure> {
        self.fault.take().map_or(Ok(()), Err)
    }
}
