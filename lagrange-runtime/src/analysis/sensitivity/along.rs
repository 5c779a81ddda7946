//! A motion on dual numbers, whose derivatives jump where the motion does.

use super::super::AnalysisError;
use super::super::jump::{Slopes, Surface, delay, moved};
use crate::evaluator::{Fork, Monitor};
use crate::event::{Event, EventFunction};
use crate::instant::{Cause, Instant};
use crate::method::Method;
use crate::observer::{AtTimes, Observer, StepView, Wants};
use crate::options::Options;
use crate::scalar::{Dual, Scalar};
use crate::state::State;
use crate::stepper::Stepper;
use core::ops::ControlFlow;
use nalgebra::SVector;
use std::string::{String, ToString};
use std::vec::Vec;

/// A second difference of a function is rounding if it is below this many roundings of the terms of the function.
const ROUNDINGS: f64 = 64.0;

/// What a motion left.
pub(super) struct Trace<const N: usize, const W: usize> {
    /// The states at the times that were asked for.
    pub(super) states: Vec<State<Dual<f64, W>, N>>,
    /// The times at which derivatives jumped.
    pub(super) jumps: Vec<f64>,
}

/// Integrates from `start` to `t_end`, and keeps the states at `times`. `by_state` says whether the initial state varies.
///
/// # Errors
/// Those of the integration. [`AnalysisError::NotApplicable`] and [`AnalysisError::NotFinite`] where the motion has no derivative.
pub(super) fn follow<E, M, const N: usize, const C: usize, const W: usize>(
    mut stepper: Stepper<'_, E, M, Dual<f64, W>, N, C>,
    (method, options): (&M, &Options<'_, Dual<f64, W>, N>),
    (start, by_state): (&State<Dual<f64, W>, N>, bool),
    (times, t_end): (&[Dual<f64, W>], Dual<f64, W>),
) -> Result<Trace<N, W>, AnalysisError>
where
    E: Fork<Dual<f64, W>, N, C>,
    M: Method<Dual<f64, W>, N, C>,
{
    let mut states = Vec::with_capacity(times.len());
    let receive = |state: &State<Dual<f64, W>, N>| {
        states.push(*state);
        ControlFlow::Continue(())
    };
    let mut watcher = Watcher { states: AtTimes::new(times, receive).until(t_end), mapped: Vec::new() };
    let initial = stepper.state().map_err(failed)?;
    check_start(&mut stepper, (start, &initial), by_state)?;
    let _ = watcher.start(&initial);
    let monitor = stepper.monitor();
    let has_switches = options.locate_switches && monitor.switch_count() != 0;
    let has_jumps = W != 0 && (has_switches || options.events.iter().any(|event| event.map.is_some()));
    let mut jumps = Vec::new();
    if !has_jumps {
        stepper.run(&mut watcher).map_err(failed)?;
    }
    // The length of the longest step since the last jump.
    let (mut length, way) = (0.0, (t_end.value - initial.t.value).signum());
    while has_jumps && !stepper.is_finished() {
        let from = stepper.time().value;
        if stepper.advance(&mut watcher).map_err(failed)? {
            break;
        }
        length = f64::max(length, (stepper.time().value - from).abs());
        if stepper.restarts() && !stepper.is_finished() {
            let jump = Jump { stepper: &mut stepper, method, options, length, way };
            if jump.make(&mut watcher)? {
                jumps.push(stepper.time().value);
            }
            length = 0.0;
        }
    }
    drop(watcher);
    Ok(Trace { states, jumps })
}

/// Fails at a start at which contacts strike, or are closed while the initial state varies: a neighbour's contacts are then in other phases.
fn check_start<E, M, const N: usize, const C: usize, const W: usize>(
    stepper: &mut Stepper<'_, E, M, Dual<f64, W>, N, C>,
    (start, settled): (&State<Dual<f64, W>, N>, &State<Dual<f64, W>, N>),
    by_state: bool,
) -> Result<(), AnalysisError>
where
    E: Fork<Dual<f64, W>, N, C>,
    M: Method<Dual<f64, W>, N, C>,
{
    let monitor = stepper.monitor();
    if monitor.row_names().is_empty() {
        return Ok(());
    }
    if start.v != settled.v {
        return Err(refused("a start at which no contact strikes".to_string()));
    }
    if by_state && monitor.phases().any_sticks() {
        return Err(refused(
            "a start at which all contacts are open, because what varies is the initial state; start before they close"
                .to_string(),
        ));
    }
    Ok(())
}

/// The error of an integration that failed.
fn failed<const N: usize, const W: usize>(error: crate::error::SolveError<Dual<f64, W>, N>) -> AnalysisError {
    AnalysisError::failure(error.failure, error.coordinates)
}

fn refused(needs: String) -> AnalysisError {
    AnalysisError::NotApplicable { analysis: "a sensitivity", needs }
}

/// An observer that keeps the states at some times, and the events that mapped the state since the last jump.
struct Watcher<'a, F, const N: usize, const W: usize> {
    states: AtTimes<'a, Dual<f64, W>, F>,
    mapped: Vec<Instant<Dual<f64, W>, N>>,
}

impl<F, const N: usize, const W: usize> Observer<Dual<f64, W>, N> for Watcher<'_, F, N, W>
where
    F: FnMut(&State<Dual<f64, W>, N>) -> ControlFlow<()>,
{
    fn start(&mut self, initial: &State<Dual<f64, W>, N>) -> ControlFlow<()> {
        self.states.start(initial)
    }

    fn wants(&self, number: u64, from: Dual<f64, W>, to: Dual<f64, W>) -> Wants {
        Observer::<_, N>::wants(&self.states, number, from, to)
    }

    fn instant(&mut self, instant: &Instant<Dual<f64, W>, N>) -> ControlFlow<()> {
        if matches!(instant.cause, Cause::Event(_)) {
            self.mapped.push(*instant);
        }
        ControlFlow::Continue(())
    }

    fn observe(&mut self, step: &StepView<Dual<f64, W>, N>) -> ControlFlow<()> {
        self.states.observe(step)
    }
}

/// The jump of the derivatives where a motion restarts.
struct Jump<'s, 'a, 'o, E, M, const N: usize, const C: usize, const W: usize>
where
    M: Method<Dual<f64, W>, N, C>,
{
    stepper: &'s mut Stepper<'a, E, M, Dual<f64, W>, N, C>,
    method: &'s M,
    options: &'s Options<'o, Dual<f64, W>, N>,
    /// The length of the longest step since the last jump.
    length: f64,
    /// The direction of the integration.
    way: f64,
}

impl<'o, E, M, const N: usize, const C: usize, const W: usize> Jump<'_, '_, 'o, E, M, N, C, W>
where
    E: Fork<Dual<f64, W>, N, C>,
    M: Method<Dual<f64, W>, N, C>,
{
    /// Lets the derivatives jump at the state reached. Returns whether they do.
    fn make<F>(mut self, watcher: &mut Watcher<'_, F, N, W>) -> Result<bool, AnalysisError>
    where
        F: FnMut(&State<Dual<f64, W>, N>) -> ControlFlow<()>,
    {
        let given = |instant: &Instant<_, N>| match instant.cause {
            Cause::Event(index) => self.options.events.get(index).filter(|event| event.map.is_some()).copied(),
            _ => None,
        };
        let events: Vec<_> =
            watcher.mapped.drain(..).filter_map(|instant| Some((given(&instant)?, instant.before))).collect();
        let mut switches = self.stepper.crossed();
        if let [(Event { function: EventFunction::Switch(index), .. }, _)] = events[..] {
            switches.put(index, false);
        }
        let now = self.stepper.state().map_err(failed)?;
        if events.len() > 1 || !(events.is_empty() || switches.is_empty()) {
            let t = now.t.value;
            return Err(refused(std::format!(
                "events that map the state, and switches, one at a time; several happen at t = {t}, where no derivative exists"
            )));
        }
        let event = events.first().copied();
        let count = self.stepper.monitor().switch_count();
        let mut functions: Vec<_> =
            (0..count).filter(|&index| switches.contains(index)).map(EventFunction::Switch).collect();
        functions.extend(event.map(|(event, _)| event.function));
        if functions.is_empty() && now.t.derivatives == [0.0; W] {
            return Ok(false);
        }
        // The equations before the instant hold at the start of a step over a switch, and where an event happens.
        let (before, near) = match event {
            Some((Event { function: function @ EventFunction::Switch(_), .. }, before)) => {
                (before, self.before_switch(function, &before)?)
            }
            Some((_, before)) => (before, before),
            None => (now, self.stepper.start_of_step().map_err(failed)?),
        };
        let left = self.rate(&before, &near)?;
        let time = before.t;
        let before =
            State { t: Dual::constant(time.value), ..moved(&before, &left, Dual::constant(time.value) - time) };
        let delay = self.delay(&functions, &before, &left)?;
        let met = moved(&before, &left, delay);
        let mapped = match event.and_then(|(event, _)| event.map) {
            Some(map) => State { t: met.t, ..map(&met) },
            None => met,
        };
        let mapped = match event {
            Some(_) => self.consistent(&mapped)?,
            None => mapped,
        };
        self.stepper.amend(&mapped).map_err(failed)?;
        self.stepper.enter(watcher).map_err(failed)?;
        let after = self.stepper.state().map_err(failed)?;
        if event.is_some() && (after.q, after.v) != (mapped.q, mapped.v) {
            return Err(refused(std::format!(
                "events that map the state, and impacts, one at a time; both happen at t = {}, where no derivative exists",
                time.value
            )));
        }
        let ahead = match event {
            Some((Event { function: function @ EventFunction::Switch(_), .. }, _)) => {
                self.off_zero(function, &after)?
            }
            _ => after,
        };
        let right = self.rate(&after, &ahead)?;
        let after = State { t: Dual::constant(time.value), ..moved(&after, &right, -delay) };
        self.stepper.amend(&after).map_err(failed)?;
        Ok(true)
    }

    /// A state at which the equations before an event on a switching function hold. It is near the state of the event, which may lie
    /// behind the zero by rounding.
    fn before_switch(
        &mut self,
        function: EventFunction<'o, Dual<f64, W>, N>,
        event: &State<Dual<f64, W>, N>,
    ) -> Result<State<Dual<f64, W>, N>, AnalysisError> {
        let rate = self.rate(event, event)?;
        let speed = self.surface(function, event).0.rate(&rate, event.t.value)?;
        let way = self.way;
        Ok(self.first_along(function, (event, &rate), -way, |value| value * speed * way < 0.0))
    }

    /// The state after an event on a switching function. If the function is 0 there, it is a state a little ahead, where the function
    /// has a sign.
    fn off_zero(
        &mut self,
        function: EventFunction<'o, Dual<f64, W>, N>,
        after: &State<Dual<f64, W>, N>,
    ) -> Result<State<Dual<f64, W>, N>, AnalysisError> {
        if value(self.stepper.monitor(), function, after).value != 0.0 {
            return Ok(*after);
        }
        let rate = self.rate(after, after)?;
        let way = self.way;
        Ok(self.first_along(function, (after, &rate), way, |value| value != 0.0))
    }

    /// The first state along a rate of change at which the value of a function is wanted. The search begins a rounding away and ends at the
    /// length of the longest step. If it finds nothing, the result is `state`.
    fn first_along(
        &mut self,
        function: EventFunction<'o, Dual<f64, W>, N>,
        (state, rate): (&State<Dual<f64, W>, N>, &Slopes<N>),
        way: f64,
        is_wanted: impl Fn(f64) -> bool,
    ) -> State<Dual<f64, W>, N> {
        let mut part = self.length * f64::EPSILON;
        while part > 0.0 && part < self.length {
            let moved = moved(state, rate, Dual::constant(part * way));
            if is_wanted(value(self.stepper.monitor(), function, &moved).value) {
                return moved;
            }
            part += part;
        }
        *state
    }

    /// The rate of change (v, a) at a state, with the acceleration at another that is near.
    fn rate(
        &mut self,
        state: &State<Dual<f64, W>, N>,
        near: &State<Dual<f64, W>, N>,
    ) -> Result<Slopes<N>, AnalysisError> {
        let monitor = self.stepper.monitor();
        let coordinates = monitor.coordinates();
        let a = monitor.acceleration(near.t, near.q, near.v);
        let a = a.map_err(|failure| AnalysisError::failure(failure, coordinates))?;
        Ok(Slopes { q: state.v.map(Scalar::to_f64), v: a.map(Scalar::to_f64) })
    }

    /// The state that meets the constraints.
    fn consistent(&mut self, state: &State<Dual<f64, W>, N>) -> Result<State<Dual<f64, W>, N>, AnalysisError> {
        let method = self.method;
        let monitor = &*self.stepper.monitor();
        let coordinates = monitor.coordinates();
        monitor.consistent(method, state).map_err(|failure| AnalysisError::failure(failure, coordinates))
    }

    /// The change of the time at which the motion meets the surfaces of these functions. It must be one for all of them.
    fn delay(
        &mut self,
        functions: &[EventFunction<'o, Dual<f64, W>, N>],
        before: &State<Dual<f64, W>, N>,
        left: &Slopes<N>,
    ) -> Result<Dual<f64, W>, AnalysisError> {
        let mut found: Option<(Dual<f64, W>, Surface<N>, f64)> = None;
        for &function in functions {
            let (surface, value) = self.surface(function, before);
            let rate = surface.rate(left, before.t.value)?;
            if !self.is_contact(function) && self.touches(function, (before, left), (&surface, rate)) {
                return Err(refused(std::format!(
                    "a motion that crosses what changes it; at t = {} it touches the zero of {} within its tolerances",
                    before.t.value,
                    self.name(function)
                )));
            }
            let own = delay(value, rate);
            match &found {
                None => found = Some((own, surface, rate)),
                Some((first, other, other_rate)) => {
                    // With equal normals, equal changes of the time mean equal derivatives by parameters.
                    let same = |k: usize| is_same(first.derivatives[k], own.derivatives[k]);
                    if !(surface.is_parallel(rate, (other, *other_rate)) && (0..W).all(same)) {
                        return Err(refused(std::format!(
                            "switches and impacts one at a time; several happen at t = {}, where no derivative exists",
                            before.t.value
                        )));
                    }
                }
            }
        }
        Ok(found.map_or(Dual::constant(0.0), |(delay, ..)| delay))
    }

    /// The derivatives of a function at a state, and its value there.
    fn surface(
        &mut self,
        function: EventFunction<'o, Dual<f64, W>, N>,
        state: &State<Dual<f64, W>, N>,
    ) -> (Surface<N>, Dual<f64, W>) {
        let monitor = self.stepper.monitor();
        let found = value(monitor, function, state);
        let constant = |vector: &SVector<Dual<f64, W>, N>| vector.map(Dual::without_derivatives);
        let plain = State { t: state.t.without_derivatives(), q: constant(&state.q), v: constant(&state.v) };
        // What the function depends on besides the state varies too.
        let own = value(monitor, function, &plain).derivatives[0];
        let mut by = |vary: &dyn Fn(&mut State<Dual<f64, W>, N>) -> &mut Dual<f64, W>| {
            let mut varied = plain;
            vary(&mut varied).derivatives[0] = 1.0;
            value(monitor, function, &varied).derivatives[0] - own
        };
        let q = SVector::from_fn(|i, _| by(&|state| &mut state.q[i]));
        let v = SVector::from_fn(|i, _| by(&|state| &mut state.v[i]));
        (Surface { by_state: Slopes { q, v }, by_time: by(&|state| &mut state.t) }, found)
    }

    /// Whether the motion may as well turn back before the zero of a function as cross it, within the tolerances of the motion. With
    /// the rate s and the curvature c of the function, the motion goes s²/(2 c) beyond the zero.
    fn touches(
        &mut self,
        function: EventFunction<'o, Dual<f64, W>, N>,
        (state, left): (&State<Dual<f64, W>, N>, &Slopes<N>),
        (surface, rate): (&Surface<N>, f64),
    ) -> bool {
        let (by, Options { atol, rtol, .. }) = (&surface.by_state, self.options);
        let (mut tolerance, mut terms) = (0.0, (surface.by_time * state.t.value).abs());
        for i in 0..N {
            terms += (by.q[i] * state.q[i].value).abs() + (by.v[i] * state.v[i].value).abs();
            let q = atol.of_coordinate(i).value + rtol.of_coordinate(i).value * state.q[i].value.abs();
            let v = atol.of_velocity(i).value + rtol.of_velocity(i).value * state.v[i].value.abs();
            tolerance += by.q[i].abs() * q + by.v[i].abs() * v;
        }
        let (h, monitor) = (self.length, self.stepper.monitor());
        let mut at = |s: f64| {
            let mut ahead = moved(state, left, Dual::constant(s));
            ahead.q += left.v.map(|a| Dual::constant(a * s * s / 2.0));
            value(monitor, function, &ahead).value
        };
        let bend = (at(h) - 2.0 * at(0.0) + at(-h)).abs() - ROUNDINGS * f64::EPSILON * terms;
        let curvature = bend.max(0.0) / (h * h);
        rate * rate <= 2.0 * curvature * tolerance
    }

    /// Whether a function is the gap of a contact, which throws the motion back however slowly it comes.
    fn is_contact(&mut self, function: EventFunction<'o, Dual<f64, W>, N>) -> bool {
        match function {
            EventFunction::Switch(index) => self.stepper.monitor().row_switches().contains(&index),
            _ => false,
        }
    }

    fn name(&mut self, function: EventFunction<'o, Dual<f64, W>, N>) -> String {
        let monitor = self.stepper.monitor();
        match function {
            EventFunction::State(_) => Some("the function of an event"),
            EventFunction::Output(index) => monitor.output_names().get(index).copied(),
            EventFunction::Switch(index) => monitor.switch_names().get(index).copied(),
        }
        .map_or_else(|| "a switching function".to_string(), |name| std::format!("`{name}`"))
    }
}

/// Whether two derivatives of a time differ by rounding.
fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= super::super::jump::SAME_NORMAL * a.abs().max(b.abs())
}

/// The function of an event at a state.
fn value<const N: usize, const C: usize, const W: usize>(
    monitor: &mut dyn Monitor<Dual<f64, W>, N, C>,
    function: EventFunction<'_, Dual<f64, W>, N>,
    state: &State<Dual<f64, W>, N>,
) -> Dual<f64, W> {
    let State { t, q, v } = state;
    let (index, mut values) = match function {
        EventFunction::State(function) => return function(*t, q, v),
        EventFunction::Output(index) => (index, std::vec![Dual::constant(0.0); monitor.output_names().len()]),
        EventFunction::Switch(index) => (index, std::vec![Dual::constant(0.0); monitor.switch_count()]),
    };
    match function {
        EventFunction::Output(_) => monitor.outputs(state, &mut values),
        _ => monitor.switches(state, &mut values),
    }
    values.get(index).copied().unwrap_or(Dual::constant(0.0))
}
