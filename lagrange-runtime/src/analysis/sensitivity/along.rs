//! A motion on dual numbers, whose derivatives jump where the motion does.

use super::super::AnalysisError;
use super::super::jump::{Met, Slopes, Surface, change_at, delay, moved};
use crate::evaluator::Fork;
use crate::event::{Event, EventFunction};
use crate::instant::{Cause, Instant};
use crate::method::Method;
use crate::observer::{AtTimes, Observer, StepView, Wants};
use crate::options::Options;
use crate::scalar::{Dual, Scalar};
use crate::state::State;
use crate::stepper::Stepper;
use crate::system::Law;
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
    let mut watcher = Watcher { states: AtTimes::new(times, receive).until(t_end), instants: Vec::new() };
    let initial = stepper.state().map_err(failed)?;
    check_start(&mut stepper, by_state)?;
    let _ = watcher.start(&initial);
    let monitor = stepper.monitor();
    let has_switches = options.locate_switches && monitor.switch_count() != 0;
    let has_maps = options.events.iter().any(|event| event.map.is_some()) || monitor.mode_count() != 0;
    let has_jumps = W != 0 && (has_switches || has_maps);
    let mut jumps = Vec::new();
    if !has_jumps {
        stepper.run(&mut watcher).map_err(failed)?;
    }
    // The length of the longest step since the last jump.
    let (mut length, way) = (0.0, (t_end.value - initial.t.value).signum());
    while has_jumps && !stepper.is_finished() {
        let from = stepper.time().value;
        watcher.instants.clear();
        if stepper.advance(&mut watcher).map_err(failed)? {
            break;
        }
        length = f64::max(length, (stepper.time().value - from).abs());
        if stepper.restarts() && !stepper.is_finished() {
            let jump = Jump { stepper: &mut stepper, method, options, start: start.t.value, length, way };
            match jump.make(&mut watcher)? {
                ControlFlow::Continue(true) => jumps.push(stepper.time().value),
                ControlFlow::Continue(false) => {}
                ControlFlow::Break(()) => break,
            }
            length = 0.0;
        }
    }
    drop(watcher);
    Ok(Trace { states, jumps })
}

/// Fails at a start at which contacts strike, or are closed while the initial state varies: a neighbour's contacts are then in other phases. A
/// constraint that modes switch holds for the neighbour too.
fn check_start<E, M, const N: usize, const C: usize, const W: usize>(
    stepper: &mut Stepper<'_, E, M, Dual<f64, W>, N, C>,
    by_state: bool,
) -> Result<(), AnalysisError>
where
    E: Fork<Dual<f64, W>, N, C>,
    M: Method<Dual<f64, W>, N, C>,
{
    if stepper.strikes_at_start() {
        return Err(refused(
            "a start at which no contact strikes and no constraint is switched on with an impact".to_string(),
        ));
    }
    let monitor = stepper.monitor();
    let phases = monitor.phases();
    let is_closed = |(k, law): (usize, &Law)| matches!(law, Law::Contact { .. }) && phases.sticks(k);
    if by_state && monitor.row_laws().iter().enumerate().any(is_closed) {
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

/// An observer that keeps the states at some times, and what happened at instants since it was last cleared.
struct Watcher<'a, F, const N: usize, const W: usize> {
    states: AtTimes<'a, Dual<f64, W>, F>,
    instants: Vec<Instant<Dual<f64, W>, N>>,
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
        self.instants.push(*instant);
        ControlFlow::Continue(())
    }

    fn observe(&mut self, step: &StepView<Dual<f64, W>, N>) -> ControlFlow<()> {
        self.states.observe(step)
    }
}

/// What maps the state where the motion meets a zero.
#[derive(Clone, Copy)]
enum Act<'o, const N: usize, const W: usize> {
    Event(Event<'o, Dual<f64, W>, N>),
    /// The change of a mode with this index.
    Change(usize),
}

impl<'o, const N: usize, const W: usize> From<Act<'o, N, W>> for Met<'o, Dual<f64, W>, N> {
    fn from(act: Act<'o, N, W>) -> Self {
        match act {
            Act::Event(event) => Self::Function(event.function),
            Act::Change(index) => Self::Condition(index),
        }
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
    /// The time at which the integration starts.
    start: f64,
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
    /// Lets the derivatives jump at the state reached. Returns whether they do; breaks where the options end the motion.
    fn make<F>(mut self, watcher: &mut Watcher<'_, F, N, W>) -> Result<ControlFlow<(), bool>, AnalysisError>
    where
        F: FnMut(&State<Dual<f64, W>, N>) -> ControlFlow<()>,
    {
        let now = self.stepper.state().map_err(failed)?;
        let (acts, met_at) = self.acts(watcher, now.t.value);
        let mut switches = self.stepper.crossed();
        let given = match acts.first() {
            Some(Act::Event(event)) => Some(*event),
            _ => None,
        };
        // The function of an event whose zero is a switch of the equations.
        let on_switch = given.map(|event| event.function).filter(|_| acts.len() == 1);
        let on_switch = on_switch.filter(|function| matches!(function, EventFunction::Switch(_)));
        if let Some(EventFunction::Switch(index)) = on_switch {
            switches.put(index, false);
        }
        if given.is_some() && acts.len() > 1 || !(acts.is_empty() || switches.is_empty()) {
            return Err(refused(std::format!(
                "events that map the state, changes of modes, and switches, one at a time; several happen at t = {}, where no derivative exists",
                now.t.value
            )));
        }
        let count = self.stepper.monitor().switch_count();
        let crossed = (0..count).filter(|&index| switches.contains(index));
        let mut functions: Vec<Met<'o, Dual<f64, W>, N>> =
            crossed.map(|index| Met::Function(EventFunction::Switch(index))).collect();
        functions.extend(acts.iter().map(|act| Met::from(*act)));
        if functions.is_empty() && now.t.derivatives == [0.0; W] {
            return Ok(ControlFlow::Continue(false));
        }
        // The equations before the instant hold at the start of a step over a switch, and where an event happens.
        let (before, near) = match (met_at, on_switch) {
            (Some(before), Some(function)) => (before, self.before_switch(function, &before)?),
            (Some(before), None) => (before, before),
            (None, _) => (now, self.stepper.start_of_step().map_err(failed)?),
        };
        let left = self.rate(&before, &near)?;
        let time = before.t;
        let before =
            State { t: Dual::constant(time.value), ..moved(&before, &left, Dual::constant(time.value) - time) };
        let delay = self.delay(&functions, &before, &left)?;
        if matches!(acts.first(), Some(Act::Change(_))) && time.value == self.start && delay.derivatives != [0.0; W] {
            return Err(refused("a start at which no mode is about to change".to_string()));
        }
        let met = moved(&before, &left, delay);
        let mut mapped = met;
        for &act in &acts {
            mapped = self.behind(act, &mapped)?;
        }
        self.stepper.amend(&mapped).map_err(failed)?;
        watcher.instants.clear();
        if self.stepper.enter(watcher).map_err(failed)? {
            return Ok(ControlFlow::Break(()));
        }
        let after = self.stepper.state().map_err(failed)?;
        if given.is_some() && self.has_struck(watcher) {
            return Err(refused(std::format!(
                "events that map the state, and impacts, one at a time; both happen at t = {}, where no derivative exists",
                time.value
            )));
        }
        let ahead = match on_switch {
            Some(function) => self.off_zero(function, &after)?,
            None => after,
        };
        let right = self.rate(&after, &ahead)?;
        let after = State { t: Dual::constant(time.value), ..moved(&after, &right, -delay) };
        self.stepper.amend(&after).map_err(failed)?;
        Ok(ControlFlow::Continue(true))
    }

    /// The acts at the time `now`, in their order, and the state before the first.
    fn acts<F>(
        &mut self,
        watcher: &Watcher<'_, F, N, W>,
        now: f64,
    ) -> (Vec<Act<'o, N, W>>, Option<State<Dual<f64, W>, N>>) {
        let (mut acts, mut met_at) = (Vec::new(), None);
        let monitor = self.stepper.monitor();
        for instant in watcher.instants.iter().filter(|instant| instant.before.t.value == now) {
            let act = match instant.cause {
                Cause::Event(index) => {
                    self.options.events.get(index).filter(|event| event.map.is_some()).copied().map(Act::Event)
                }
                Cause::Mode(mode) => {
                    let first = met_at.unwrap_or(instant.before);
                    let taken =
                        |index: usize| acts.iter().any(|act| matches!(act, Act::Change(other) if *other == index));
                    change_at(monitor, mode, [&first, &instant.before, &instant.after], taken).map(Act::Change)
                }
                _ => None,
            };
            if let Some(act) = act {
                acts.push(act);
                met_at = met_at.or(Some(instant.before));
            }
        }
        (acts, met_at)
    }

    /// The state after an act.
    fn behind(
        &mut self,
        act: Act<'o, N, W>,
        state: &State<Dual<f64, W>, N>,
    ) -> Result<State<Dual<f64, W>, N>, AnalysisError> {
        let mapped = match act {
            Act::Event(event) => event.map.map_or(*state, |map| map(state)),
            Act::Change(index) => self.stepper.monitor().changed(index, state),
        };
        self.consistent(&State { t: state.t, ..mapped })
    }

    /// Whether a contact struck where the motion went on.
    fn has_struck<F>(&mut self, watcher: &Watcher<'_, F, N, W>) -> bool {
        let monitor = self.stepper.monitor();
        let rows = || monitor.row_names().iter().zip(monitor.row_laws());
        let is_contact = |name: &str| rows().any(|(row, law)| *row == name && matches!(law, Law::Contact { .. }));
        watcher.instants.iter().any(|instant| matches!(instant.cause, Cause::Impact(name) if is_contact(name)))
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

    /// A state at which the equations before an event on a switching function hold. It is near the state of the event, which may lie
    /// behind the zero by rounding.
    fn before_switch(
        &mut self,
        function: EventFunction<'o, Dual<f64, W>, N>,
        event: &State<Dual<f64, W>, N>,
    ) -> Result<State<Dual<f64, W>, N>, AnalysisError> {
        let rate = self.rate(event, event)?;
        let speed = self.surface(Met::Function(function), event).0.rate(&rate, event.t.value)?;
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
        if Met::Function(function).value(self.stepper.monitor(), after).value != 0.0 {
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
            if is_wanted(Met::Function(function).value(self.stepper.monitor(), &moved).value) {
                return moved;
            }
            part += part;
        }
        *state
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
        functions: &[Met<'o, Dual<f64, W>, N>],
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
                        return Err(self.several(before.t.value));
                    }
                }
            }
        }
        let Some((delay, surface, rate)) = found else { return Ok(Dual::constant(0.0)) };
        self.check_alone(functions, (&surface, rate), (before, left))?;
        Ok(delay)
    }

    /// Fails where the motion meets the zero of a further condition that is independent of the surface of this rate. It may not have acted, because
    /// what acted first took the motion away from it, or gave the mode its value. For neighbours that meet it first it acts.
    fn check_alone(
        &mut self,
        functions: &[Met<'o, Dual<f64, W>, N>],
        (surface, rate): (&Surface<N>, f64),
        (before, left): (&State<Dual<f64, W>, N>, &Slopes<N>),
    ) -> Result<(), AnalysisError> {
        let acts = |index: usize| functions.iter().any(|met| matches!(met, Met::Condition(other) if *other == index));
        let plain = State { t: before.t.value, q: before.q.map(Scalar::to_f64), v: before.v.map(Scalar::to_f64) };
        for index in 0..self.stepper.monitor().changes().len() {
            if acts(index) {
                continue;
            }
            let (own, value) = self.surface(Met::Condition(index), before);
            let Ok(speed) = own.rate(left, plain.t) else { continue };
            if value.value.abs() <= own.rounding(speed, &plain) && !surface.is_parallel(rate, (&own, speed)) {
                return Err(self.several(plain.t));
            }
        }
        Ok(())
    }

    /// The error at a time at which independent jumps meet.
    fn several(&self, t: f64) -> AnalysisError {
        refused(std::format!(
            "switches, changes of modes and impacts one at a time; several happen at t = {t}, where no derivative exists"
        ))
    }

    /// The derivatives of a function at a state, and its value there.
    fn surface(
        &mut self,
        function: Met<'o, Dual<f64, W>, N>,
        state: &State<Dual<f64, W>, N>,
    ) -> (Surface<N>, Dual<f64, W>) {
        let monitor = self.stepper.monitor();
        let found = function.value(monitor, state);
        let constant = |vector: &SVector<Dual<f64, W>, N>| vector.map(Dual::without_derivatives);
        let plain = State { t: state.t.without_derivatives(), q: constant(&state.q), v: constant(&state.v) };
        // What the function depends on besides the state varies too.
        let own = function.value(monitor, &plain).derivatives[0];
        let mut by = |vary: &dyn Fn(&mut State<Dual<f64, W>, N>) -> &mut Dual<f64, W>| {
            let mut varied = plain;
            vary(&mut varied).derivatives[0] = 1.0;
            function.value(monitor, &varied).derivatives[0] - own
        };
        let q = SVector::from_fn(|i, _| by(&|state| &mut state.q[i]));
        let v = SVector::from_fn(|i, _| by(&|state| &mut state.v[i]));
        (Surface { by_state: Slopes { q, v }, by_time: by(&|state| &mut state.t) }, found)
    }

    /// Whether the motion may as well turn back before the zero of a function as cross it, within the tolerances of the motion. With
    /// the rate s and the curvature c of the function, the motion goes s²/(2 c) beyond the zero.
    fn touches(
        &mut self,
        function: Met<'o, Dual<f64, W>, N>,
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
            // A force of what holds is one of states at which it holds.
            if monitor.phases().any_sticks() {
                ahead = monitor.hold(&ahead, false).unwrap_or(ahead);
            }
            function.value(monitor, &ahead).value
        };
        let bend = (at(h) - 2.0 * at(0.0) + at(-h)).abs() - ROUNDINGS * f64::EPSILON * terms;
        let curvature = bend.max(0.0) / (h * h);
        rate * rate <= 2.0 * curvature * tolerance
    }

    /// Whether a function is the gap of a contact, which throws the motion back however slowly it comes.
    fn is_contact(&mut self, function: Met<'o, Dual<f64, W>, N>) -> bool {
        match function {
            Met::Function(EventFunction::Switch(index)) => self.stepper.monitor().row_switches().contains(&index),
            _ => false,
        }
    }

    fn name(&mut self, function: Met<'o, Dual<f64, W>, N>) -> String {
        let monitor = self.stepper.monitor();
        match function {
            Met::Condition(index) => {
                let change = monitor.changes().get(index);
                return change.map_or_else(String::new, |change| std::format!("a condition of `{}`", change.mode));
            }
            Met::Function(EventFunction::State(_)) => Some("the function of an event"),
            Met::Function(EventFunction::Output(index)) => monitor.output_names().get(index).copied(),
            Met::Function(EventFunction::Switch(index)) => monitor.switch_names().get(index).copied(),
        }
        .map_or_else(|| "a switching function".to_string(), |name| std::format!("`{name}`"))
    }
}

/// Whether two derivatives of a time differ by rounding.
fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= super::super::jump::SAME_NORMAL * a.abs().max(b.abs())
}
