//! The derivative of an event's time and of its map, backward.

use super::{Backward, refused};
use crate::analysis::AnalysisError;
use crate::analysis::jump::{Slopes, Surface, delay, moved};
use crate::controller::DefaultInputs;
use crate::evaluator::Evaluator;
use crate::event::{Event, EventFunction};
use crate::method::Method;
use crate::scalar::{Scalar, Tape, Taped};
use crate::state::State;
use crate::statistics::ROUNDINGS;
use crate::system::{Mechanism, Sensors, System};
use nalgebra::SVector;

/// The largest difference between a component of a mapped state and the stored one, relative to the component on either side of the map.
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
            let mapped = self.mapped(given, &met)?;
            // What roundings of the state before make of the map. The distance differs from component to component, so that changes of
            // terms that cancel do not cancel too.
            let shaken = |sign: f64| {
                let factor = |i: usize| Taped::constant(1.0 + sign * f64::EPSILON * (ROUNDINGS + (i % 7) as f64));
                let q = SVector::from_fn(|i, _| met.q[i] * factor(2 * i));
                self.mapped(given, &State { q, v: SVector::from_fn(|i, _| met.v[i] * factor(2 * i + 1)), ..met })
            };
            let [above, below] = [shaken(1.0)?, shaken(-1.0)?];
            let near =
                |of: fn(&State<Taped, N>) -> &SVector<Taped, N>, stored: &SVector<f64, N>, before: &SVector<f64, N>| {
                    (0..N).all(|i| {
                        let rounding = (of(&above)[i] - of(&below)[i]).to_f64().abs();
                        (of(&mapped)[i].to_f64() - stored[i]).abs()
                            <= SAME * stored[i].abs().max(before[i].abs()) + rounding
                    })
                };
            if !(near(|state| &state.q, &after.q, &before.q) && near(|state| &state.v, &after.v, &before.v)) {
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

    /// The state to which an event maps a state. A method that keeps constraints keeps them there too.
    fn mapped(&self, event: Event<'_, Taped, N>, state: &State<Taped, N>) -> Result<State<Taped, N>, AnalysisError> {
        let mapped = event.map.map_or(*state, |map| State { t: state.t, ..map(state) });
        let mut controller = DefaultInputs::of(&self.system);
        let evaluator = Evaluator::new(&self.system, &mut controller);
        let mapped = self.method.consistent(&evaluator, &mapped);
        mapped.map_err(|failure| AnalysisError::failure(failure, &M::COORDINATES))
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
