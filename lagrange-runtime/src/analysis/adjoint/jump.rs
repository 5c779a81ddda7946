//! The derivative of an event's time and of its map, backward.

use super::{Backward, refused};
use crate::analysis::AnalysisError;
use crate::analysis::jump::{Slopes, Surface, delay, moved};
use crate::controller::DefaultInputs;
use crate::evaluator::Evaluator;
use crate::event::EventFunction;
use crate::method::Method;
use crate::scalar::{Scalar, Tape, Taped};
use crate::state::State;
use crate::system::{Mechanism, Sensors, System};
use nalgebra::SVector;

/// The largest difference between a mapped state and the stored one, relative to the state.
const SAME: f64 = 1e-10;

impl<M, I, const N: usize, const C: usize, const U: usize> Backward<'_, M, I, N, C, U>
where
    M: Mechanism<N, C, U>,
    I: Method<Taped, N, C>,
{
    /// Carries the derivatives of J to the state before an event, at a fixed time. The states before and after the event are
    /// given with the derivatives of J by them, at the event's own time. The last value has those by the motion after it, at a
    /// fixed time; `None` where the motion ends there.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] where the event does not lead to the state after it. [`AnalysisError::NotFinite`] where
    /// the motion touches the event's surface without crossing it.
    #[allow(clippy::type_complexity, reason = "two states with derivatives")]
    pub(super) fn jump(
        &mut self,
        event: usize,
        (before, by_before): (&State<f64, N>, Slopes<N>),
        after: Option<(&State<f64, N>, Slopes<N>, Option<Slopes<N>>)>,
    ) -> Result<Slopes<N>, AnalysisError> {
        let given = self.events.get(event).copied();
        let Some(given) = given else { return Err(refused("all events of the solution, in their order")) };
        let left = self.rate(before)?;
        let from = self.variables(before);
        let delay = self.delay(given.function, before, &from, &left)?;
        let met = moved(&from, &left, delay);
        self.add(&met, &by_before);
        if let Some((after, by_after, onward)) = after {
            let mapped = given.map.map_or(met, |map| State { t: met.t, ..map(&met) });
            let mut controller = DefaultInputs::of(&self.system);
            let evaluator = Evaluator::new(&self.system, &mut controller);
            let mapped = self.method.consistent(&evaluator, &mapped);
            let mapped = mapped.map_err(|failure| AnalysisError::failure(failure, &M::COORDINATES))?;
            let near = |found: &SVector<Taped, N>, stored: &SVector<f64, N>, before: &SVector<f64, N>| {
                let size = stored.iter().chain(before).fold(0.0_f64, |size, component| size.max(component.abs()));
                found.iter().zip(stored).all(|(found, stored)| (found.to_f64() - stored).abs() <= SAME * size)
            };
            if !(near(&mapped.q, &after.q, &before.q) && near(&mapped.v, &after.v, &before.v)) {
                return Err(refused("the events of the solution; one of them maps the state differently"));
            }
            self.add(&mapped, &by_after);
            if let Some(onward) = onward {
                let right = self.rate(after)?;
                self.add(&moved(&mapped, &right, -delay), &onward);
            }
        }
        Ok(self.carry(&from))
    }

    /// δt of the function at a state whose components are the variables `from`. Its value is 0.
    ///
    /// # Errors
    /// Those of [`Surface::rate`].
    pub(super) fn delay(
        &mut self,
        function: EventFunction<'_, Taped, N>,
        state: &State<f64, N>,
        from: &State<Taped, N>,
        rate: &Slopes<N>,
    ) -> Result<Taped, AnalysisError> {
        let rate = self.surface(function, state).rate(rate, state.t)?;
        Ok(delay(self.value(function, from), rate))
    }

    /// The derivatives of the function of an event at a state.
    pub(super) fn surface(&self, function: EventFunction<'_, Taped, N>, state: &State<f64, N>) -> Surface<N> {
        // A tape of its own, so that nothing is added to the derivatives of J.
        let mut tape = Tape::new();
        let variable = |value: f64| tape.variable(value);
        let at = State { t: variable(state.t), q: state.q.map(variable), v: state.v.map(variable) };
        let value = self.value(function, &at);
        tape.add(value, 1.0);
        tape.sweep(0);
        let by_state = Slopes { q: at.q.map(|each| tape.adjoint(each)), v: at.v.map(|each| tape.adjoint(each)) };
        Surface { by_state, by_time: tape.adjoint(at.t) }
    }

    /// The function of an event at a state. A function that does not exist is 0.
    fn value(&self, function: EventFunction<'_, Taped, N>, state: &State<Taped, N>) -> Taped {
        let (State { t, q, v }, u) = (state, self.system.default_inputs());
        let (index, mut values) = match function {
            EventFunction::State(function) => return function(*t, q, v),
            EventFunction::Output(index) => (index, std::vec![Taped::ZERO; self.system.output_names().len()]),
            EventFunction::Switch(index) => (index, std::vec![Taped::ZERO; self.system.switch_count()]),
        };
        match function {
            EventFunction::Output(_) => self.system.outputs(*t, q, v, &u, &mut values),
            _ => self.system.switches(*t, q, v, &u, &mut values),
        }
        values.get(index).copied().unwrap_or(Taped::ZERO)
    }
}
