//! The derivative of one step, backward.

use super::{Backward, Slopes, refused};
use crate::analysis::AnalysisError;
use crate::controller::DefaultInputs;
use crate::error::Failure;
use crate::evaluator::Evaluator;
use crate::event::EventFunction;
use crate::method::Method;
use crate::scalar::{Scalar, Taped};
use crate::state::State;
use crate::system::{Mechanism, System};
use nalgebra::SVector;
use std::format;

/// The largest difference between a step and its repetition, relative to the state.
const SAME: f64 = 1e-10;
/// The largest difference between a step that an event interrupts and its repetition, relative to the state. It is larger than for
/// other steps, because the stored end of such a step is a value of the interpolant.
const INTERRUPTED: f64 = 1e-3;
/// A step shorter than this fraction of the largest time goes over a switch where one changes its sign.
const HOP: f64 = 1e-13;
/// The largest difference between the gradients of two switches that change their sign at one place.
const PARALLEL: f64 = 1e-9;

impl<M, I, const N: usize, const C: usize, const U: usize> Backward<'_, M, I, N, C, U>
where
    M: Mechanism<N, C, U>,
    I: Method<Taped, N, C>,
{
    /// Carries the derivatives of J by the end of a step to its start. The step is `interrupted` where an event ends it.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] where the method's step does not lead to `end`. [`AnalysisError::State`] where it fails.
    pub(super) fn step(
        &mut self,
        (start, end): (&State<f64, N>, &State<f64, N>),
        onward: Slopes<N>,
        interrupted: bool,
    ) -> Result<Slopes<N>, AnalysisError> {
        let from = self.variables(start);
        let made = self.repeat(&from, end.t).map_err(|failure| AnalysisError::failure(failure, &M::COORDINATES))?;
        let found = State { t: end.t, q: made.q.map(Scalar::to_f64), v: made.v.map(Scalar::to_f64) };
        if !is_same(start, end, &found, if interrupted { INTERRUPTED } else { SAME }) {
            return Err(refused(&format!(
                "a solution with a state at the end of every step of {}, the mechanism's own inputs, and the events that are \
                 given; the step from t = {} is another",
                self.method.name(),
                start.t
            )));
        }
        self.add(&made, &onward);
        if (end.t - start.t).abs() <= HOP * self.latest {
            self.switch((start, end), &from, &onward)?;
        }
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

    /// Adds the change of a switch's time, where a step goes over one: δx⁺ = … + (f⁻ − f⁺) δt.
    fn switch(
        &mut self,
        (start, end): (&State<f64, N>, &State<f64, N>),
        from: &State<Taped, N>,
        onward: &Slopes<N>,
    ) -> Result<(), AnalysisError> {
        let (before, after) = (self.switches(start), self.switches(end));
        let mut changed = (0..before.len()).filter(|&index| before[index].sign() != after[index].sign());
        let Some(index) = changed.next() else { return Ok(()) };
        let (left, right) = (self.rate(start)?, self.rate(end)?);
        let normal = |index: usize| {
            let (gradient, total) = self.gradient(EventFunction::Switch(index), start, &left);
            Slopes { q: gradient.q / total, v: gradient.v / total }
        };
        let first = normal(index);
        let parallel = |other: Slopes<N>| {
            let size = first.q.amax().max(first.v.amax());
            (other.q - first.q).amax().max((other.v - first.v).amax()) <= PARALLEL * size
        };
        if !changed.all(|index| parallel(normal(index))) {
            return Err(refused("switches that the motion goes over one at a time"));
        }
        let delay = self.delay(EventFunction::Switch(index), start, from, &left)?;
        let slope = onward.q.dot(&(left.q - right.q)) + onward.v.dot(&(left.v - right.v));
        self.tape.add(delay, slope);
        Ok(())
    }

    /// The values of the switching functions.
    fn switches(&self, state: &State<f64, N>) -> std::vec::Vec<f64> {
        let mut values = std::vec![0.0; self.values.switch_count()];
        self.values.switches(state.t, &state.q, &state.v, &self.values.default_inputs(), &mut values);
        values
    }

    /// f = (v, a) at a state.
    pub(super) fn rate(&self, state: &State<f64, N>) -> Result<Slopes<N>, AnalysisError> {
        let found = self.values.acceleration_of(state);
        let found = found.map_err(|singular| AnalysisError::singular(singular, &M::COORDINATES))?;
        Ok(Slopes { q: state.v, v: found.acceleration })
    }
}

/// Whether a step from `start` that was made again leads to the stored `end`.
fn is_same<const N: usize>(start: &State<f64, N>, end: &State<f64, N>, found: &State<f64, N>, tolerance: f64) -> bool {
    let h = (end.t - start.t).abs();
    let largest = |vector: &SVector<f64, N>| if N == 0 { 0.0 } else { vector.amax() };
    let speed = largest(&start.v).max(largest(&end.v));
    let size = largest(&start.q).max(largest(&end.q)).max(h * speed);
    // A comparison with NaN is false.
    largest(&(found.q - end.q)) <= tolerance * size
        && largest(&(found.v - end.v)) <= tolerance * speed.max(size / h)
        && found.q.iter().chain(&found.v).all(|component| component.is_finite())
}
