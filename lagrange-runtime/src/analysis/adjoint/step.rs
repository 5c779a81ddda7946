//! The derivative of one step, backward.

use super::{Backward, refused};
use crate::analysis::AnalysisError;
use crate::analysis::jump::{Met, Slopes};
use crate::control::Noise;
use crate::controller::DefaultInputs;
use crate::error::Failure;
use crate::evaluator::Evaluator;
use crate::event::EventFunction;
use crate::method::Method;
use crate::scalar::{Scalar, Taped};
use crate::state::State;
use crate::system::{Mechanism, System};
use std::format;

/// The largest difference between a step and its repetition, relative to what each component has and changes by.
const SAME: f64 = 1e-10;
/// The largest difference between a step that an event interrupts and its repetition, relative to the same. It is larger than for
/// other steps, because the stored end of such a step is a value of the interpolant.
const INTERRUPTED: f64 = 1e-3;

impl<M, I, const N: usize, const C: usize, const U: usize> Backward<'_, M, I, N, C, U>
where
    M: Mechanism<N, C, U>,
    I: Method<Taped, N, C>,
{
    /// Carries the derivatives of J by the end of a step to its start. The step is `interrupted` where an event ends it, and goes over the
    /// zeros of the switching functions `switches`.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] where the method's step does not lead to `end`. [`AnalysisError::State`] where it fails.
    pub(super) fn step(
        &mut self,
        (start, end): (&State<f64, N>, &State<f64, N>),
        onward: Slopes<N>,
        (interrupted, switches): (bool, &[usize]),
    ) -> Result<Slopes<N>, AnalysisError> {
        let from = self.variables(start);
        let made = self.repeat(&from, end.t).map_err(|failure| AnalysisError::failure(failure, &M::COORDINATES))?;
        let found = State { t: end.t, q: made.q.map(Scalar::to_f64), v: made.v.map(Scalar::to_f64) };
        if !self.is_same([start, end], &found, if interrupted { INTERRUPTED } else { SAME })? {
            return Err(refused(&format!(
                "a solution with a state at the end of every step of {}, the mechanism's own inputs, and the events that are \
                 given; the step from t = {} is another",
                self.method.name(),
                start.t
            )));
        }
        self.add(&made, &onward);
        self.switch((start, end), &from, &onward, switches)?;
        Ok(self.carry(&from))
    }

    /// Makes the step from `start` to the time `end` again.
    fn repeat(&self, start: &State<Taped, N>, end: f64) -> Result<State<Taped, N>, Failure> {
        let (method, mut controller) = (self.method, DefaultInputs::of(&self.system));
        let mut evaluator = Evaluator::new(&self.system, &mut controller);
        let memory = method.start(&mut evaluator, start)?;
        let memory = method.refresh(&mut evaluator, start, &memory)?;
        let (h, end) = (Taped::constant(end - start.t.to_f64()), Taped::constant(end));
        let trial = method.step(&mut evaluator, &mut method.workspace(), start, &memory, h, end)?;
        method.synchronise(&mut evaluator, &trial.state, &trial.memory)
    }

    /// Adds the change of the time of switches, where a step goes over some: δx⁺ = … + (f⁻ − f⁺) δt.
    fn switch(
        &mut self,
        (start, end): (&State<f64, N>, &State<f64, N>),
        from: &State<Taped, N>,
        onward: &Slopes<N>,
        switches: &[usize],
    ) -> Result<(), AnalysisError> {
        let Some((&first, others)) = switches.split_first() else { return Ok(()) };
        let (left, right) = (self.rate(start)?, self.rate(end)?);
        let surface = self.surface(Met::Function(EventFunction::Switch(first)), start).0;
        let rate = surface.rate(&left, start.t)?;
        for &other in others {
            let other = self.surface(Met::Function(EventFunction::Switch(other)), start).0;
            if !surface.is_parallel(rate, (&other, other.rate(&left, start.t)?)) {
                return Err(refused("switches that the motion goes over one at a time"));
            }
        }
        let delay = self.delay(Met::Function(EventFunction::Switch(first)), start, from, &left)?;
        let slope = onward.q.dot(&(left.q - right.q)) + onward.v.dot(&(left.v - right.v));
        self.tape.add(delay, slope);
        Ok(())
    }

    /// Whether a step that was made again leads to the stored end. Each component is compared with its own values, and with its changes by
    /// the rates at both ends. Rounding may exceed these, as that of large forces that cancel.
    fn is_same(
        &self,
        [start, end]: [&State<f64, N>; 2],
        found: &State<f64, N>,
        tolerance: f64,
    ) -> Result<bool, AnalysisError> {
        let h = (end.t - start.t).abs();
        let rates = [self.rate(start)?, self.rate(end)?];
        let mut controller = DefaultInputs::of(&self.values);
        let noise = Noise::at(&mut Evaluator::new(&self.values, &mut controller), start, false);
        let size = |values: [f64; 2], rates: [f64; 2]| {
            values.iter().fold(0.0_f64, |most, value| most.max(value.abs()))
                + h * rates.iter().fold(0.0_f64, |most, rate| most.max(rate.abs()))
        };
        // A comparison with NaN is false.
        Ok((0..N).all(|i| {
            let [q, v] = [[start.q[i], end.q[i]], [start.v[i], end.v[i]]];
            let rounding = noise.part(i, h);
            (found.q[i] - end.q[i]).abs() <= tolerance * size(q, [rates[0].q[i], rates[1].q[i]]) + h * rounding
                && (found.v[i] - end.v[i]).abs() <= tolerance * size(v, [rates[0].v[i], rates[1].v[i]]) + rounding
                && found.q[i].is_finite()
                && found.v[i].is_finite()
        }))
    }

    /// f = (v, a) at a state.
    pub(super) fn rate(&self, state: &State<f64, N>) -> Result<Slopes<N>, AnalysisError> {
        let found = self.values.acceleration_of(state);
        let found = found.map_err(|singular| AnalysisError::singular(singular, &M::COORDINATES))?;
        Ok(Slopes { q: state.v, v: found.acceleration })
    }
}
