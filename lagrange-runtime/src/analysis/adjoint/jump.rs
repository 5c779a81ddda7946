//! The derivative of the time and of the map of an event or of a change of a mode, backward.

use super::{Act, Backward, refused};
use crate::analysis::AnalysisError;
use crate::analysis::jump::{Met, Slopes, Surface, delay, moved};
use crate::controller::DefaultInputs;
use crate::evaluator::{Evaluator, Monitor};
use crate::event::Event;
use crate::method::Method;
use crate::scalar::{Scalar, Tape, Taped};
use crate::state::State;
use crate::statistics::ROUNDINGS;
use crate::system::Mechanism;
use nalgebra::SVector;

/// The largest difference between a component of a mapped state and the stored one, relative to the component on either side of the map.
const SAME: f64 = 1e-10;

impl<'a, M, I, const N: usize, const C: usize, const U: usize> Backward<'a, M, I, N, C, U>
where
    M: Mechanism<N, C, U>,
    I: Method<Taped, N, C>,
{
    /// Returns the derivatives of J by the first of the `states` of one instant, at a fixed time. Act k maps state k to state k + 1, and `others` are
    /// changes that did not act. `by` has the derivatives of J by each of the states, at the instant's own time, and `onward` those by the motion after
    /// the last state, at a fixed time. It is `None` if the motion ends there, and the last act then need not map a state. `met` says that the motion
    /// came to the first act, and did not start at it.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] where an act does not lead to the state after it, and where independent zeros are met at one time.
    /// [`AnalysisError::NotFinite`] where the motion touches the surface of the first without crossing it.
    pub(super) fn jump(
        &mut self,
        (acts, others): (&[Act], &[Act]),
        (states, by): (&[State<f64, N>], &[Slopes<N>]),
        (onward, met): (Option<Slopes<N>>, bool),
    ) -> Result<Slopes<N>, AnalysisError> {
        let (Some(&first), [before, ..]) = (acts.first(), states) else {
            return Err(refused("a solution whose instants lead from each state to the next at one time"));
        };
        let left = self.rate(before)?;
        let from = self.variables(before);
        let delay = match met || matches!(first, Act::Event(_)) {
            true => self.delay(self.met(first)?, before, &from, &left)?,
            false if self.is_met(first, before, &left)?.is_some() => {
                return Err(refused("a start at which no mode is about to change"));
            }
            false => Taped::ZERO,
        };
        self.check_alone(first, acts.iter().skip(1).chain(others), before, &left)?;
        let mut state = moved(&from, &left, delay);
        for (k, by) in by.iter().enumerate() {
            if let (Some(previous), Some(&act)) = (k.checked_sub(1), acts.get(k.saturating_sub(1))) {
                state = self.behind(act, &state, [&states[previous], &states[k]])?;
            }
            self.add(&state, by);
        }
        if let (Some(onward), Some(after)) = (onward, states.last()) {
            let right = self.rate(after)?;
            self.add(&moved(&state, &right, -delay), &onward);
        }
        Ok(self.carry(&from))
    }

    /// Fails where the motion meets the zeros of independent functions at one time: those of the first act, and of a later one that the acts
    /// before it do not bring about, or of a change that did not act because another one did. The order of such acts may be another for neighbours.
    fn check_alone<'b>(
        &self,
        first: Act,
        others: impl Iterator<Item = &'b Act>,
        before: &State<f64, N>,
        rate: &Slopes<N>,
    ) -> Result<(), AnalysisError> {
        let Some((surface, speed)) = self.is_met(first, before, rate)? else { return Ok(()) };
        for &other in others {
            if let Some((own, own_speed)) = self.is_met(other, before, rate)?
                && !surface.is_parallel(speed, (&own, own_speed))
            {
                return Err(refused(
                    "events and changes of modes one at a time; two independent ones meet at one time",
                ));
            }
        }
        Ok(())
    }

    /// The surface of an act and its rate, if the motion meets it at a state up to rounding.
    fn is_met(
        &self,
        act: Act,
        state: &State<f64, N>,
        rate: &Slopes<N>,
    ) -> Result<Option<(Surface<N>, f64)>, AnalysisError> {
        let (surface, value) = self.surface(self.met(act)?, state);
        // Where the rate is rounding, the motion does not cross the surface.
        let Ok(speed) = surface.rate(rate, state.t) else { return Ok(None) };
        Ok((value.abs() <= surface.rounding(speed, state)).then_some((surface, speed)))
    }

    /// The function of an act.
    fn met(&self, act: Act) -> Result<Met<'a, Taped, N>, AnalysisError> {
        match act {
            Act::Event(index) => Ok(Met::Function(self.event(index)?.function)),
            Act::Change(index) => Ok(Met::Condition(index)),
        }
    }

    /// The event of an index, as a function of taped numbers.
    fn event(&self, index: usize) -> Result<Event<'a, Taped, N>, AnalysisError> {
        self.events.get(index).copied().ok_or_else(|| refused("all events of the solution, in their order"))
    }

    /// The state after an act, which is the second of two stored states up to rounding.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] where it is another.
    fn behind(
        &self,
        act: Act,
        state: &State<Taped, N>,
        [before, after]: [&State<f64, N>; 2],
    ) -> Result<State<Taped, N>, AnalysisError> {
        let mapped = self.mapped(act, state)?;
        // What roundings of the state before make of the map. The distance differs from component to component, so that changes of
        // terms that cancel do not cancel too.
        let shaken = |sign: f64| {
            let factor = |i: usize| Taped::constant(1.0 + sign * f64::EPSILON * (ROUNDINGS + (i % 7) as f64));
            let q = SVector::from_fn(|i, _| state.q[i] * factor(2 * i));
            self.mapped(act, &State { q, v: SVector::from_fn(|i, _| state.v[i] * factor(2 * i + 1)), ..*state })
        };
        let [above, below] = [shaken(1.0)?, shaken(-1.0)?];
        let near = |of: fn(&State<Taped, N>) -> &SVector<Taped, N>,
                    stored: &SVector<f64, N>,
                    before: &SVector<f64, N>| {
            (0..N).all(|i| {
                let rounding = (of(&above)[i] - of(&below)[i]).to_f64().abs();
                (of(&mapped)[i].to_f64() - stored[i]).abs() <= SAME * stored[i].abs().max(before[i].abs()) + rounding
            })
        };
        match near(|state| &state.q, &after.q, &before.q) && near(|state| &state.v, &after.v, &before.v) {
            true => Ok(mapped),
            false => Err(refused(
                "the events and the modes of the solution; one of them leads to another state than the stored one",
            )),
        }
    }

    /// The state to which an act maps a state. A method that keeps constraints keeps them there too.
    fn mapped(&self, act: Act, state: &State<Taped, N>) -> Result<State<Taped, N>, AnalysisError> {
        let mut controller = DefaultInputs::of(&self.system);
        let mut evaluator = Evaluator::new(&self.system, &mut controller);
        let mapped = match act {
            Act::Event(index) => self.event(index)?.map.map_or(*state, |map| map(state)),
            Act::Change(index) => Monitor::<_, N, C>::changed(&mut evaluator, index, state),
        };
        let mapped = self.method.consistent(&evaluator, &State { t: state.t, ..mapped });
        mapped.map_err(|failure| AnalysisError::failure(failure, &M::COORDINATES))
    }

    /// δt of the function at a state whose components are the variables `from`. Its value is 0.
    ///
    /// # Errors
    /// Those of [`Surface::rate`].
    pub(super) fn delay(
        &mut self,
        met: Met<'_, Taped, N>,
        state: &State<f64, N>,
        from: &State<Taped, N>,
        rate: &Slopes<N>,
    ) -> Result<Taped, AnalysisError> {
        let rate = self.surface(met, state).0.rate(rate, state.t)?;
        Ok(delay(self.value(met, from), rate))
    }

    /// The derivatives of a function at a state, and its value there.
    pub(super) fn surface(&self, met: Met<'_, Taped, N>, state: &State<f64, N>) -> (Surface<N>, f64) {
        // A tape of its own, so that nothing is added to the derivatives of J.
        let mut tape = Tape::new();
        let variable = |value: f64| tape.variable(value);
        let at = State { t: variable(state.t), q: state.q.map(variable), v: state.v.map(variable) };
        let value = self.value(met, &at);
        tape.add(value, 1.0);
        tape.sweep(0);
        let by_state = Slopes { q: at.q.map(|each| tape.adjoint(each)), v: at.v.map(|each| tape.adjoint(each)) };
        (Surface { by_state, by_time: tape.adjoint(at.t) }, value.to_f64())
    }

    /// The value of a function at a state.
    fn value(&self, met: Met<'_, Taped, N>, state: &State<Taped, N>) -> Taped {
        let mut controller = DefaultInputs::of(&self.system);
        met.value::<C>(&mut Evaluator::new(&self.system, &mut controller), state)
    }
}
