//! What happens at an instant besides events, and in which order, where a section is entered or the motion restarts.

use super::Stepper;
use super::begin::{Opening, enter};
use super::point::Point;
use super::watch::Integration;
use crate::contact::Settled;
use crate::control::History;
use crate::error::Failure;
use crate::evaluator::Fork;
use crate::instant::{Cause, Instant};
use crate::method::Method;
use crate::observer::Observer;
use crate::outcome::Outcome;
use crate::scalar::Real;
use crate::set::Set;
use crate::state::State;
use core::ops::ControlFlow;

/// How often modes and contacts may take turns at one instant. Beyond it they go round in a circle.
const TURNS: u32 = 100;

impl<E, M, R, const N: usize, const C: usize> Stepper<'_, E, M, R, N, C>
where
    E: Fork<R, N, C>,
    M: Method<R, N, C>,
    R: Real,
{
    /// Enters the next section where the current one ends, or where the motion restarts within it. All that happens at that instant besides
    /// events happens here: changes of modes, impacts and changes of phases at contacts, until nothing changes; then the sample of the controller;
    /// then the changes of modes and phases that its inputs make. Breaks where the observer breaks off, and where the options end the motion.
    pub(super) fn enter_section<O>(&mut self, observer: &mut O) -> Result<ControlFlow<Outcome>, Failure>
    where
        O: Observer<R, N> + ?Sized,
    {
        let mut flow = ControlFlow::Continue(());
        let (ends_at, mut ended) = (self.options.ends_at, self.watch.ended.take());
        let mut tell = |instant: &Instant<R, N>| {
            if observer.instant(instant).is_break() {
                flow = ControlFlow::Break(Outcome::Stopped);
            }
            if ended.is_none() {
                ended = ends_at.iter().position(|end| *end == instant.cause);
            }
        };
        if let Some(opening) = self.opening.take() {
            self.tell_opening(&opening, &mut tell)?;
        }
        if self.section.end != self.now.state.t && !self.watch.memory.restarted {
            return Ok(ended.map_or(flow, |index| ControlFlow::Break(Outcome::Instant(index))));
        }
        let mut state = self.now.synchronise(&mut self.evaluator, self.method)?;
        self.now.forget_inputs(self.method);
        if self.watch.memory.restarted {
            self.history = History::default();
            self.switching.forget();
        }
        let mut is_moved = false;
        if self.evaluator.mode_count() != 0 {
            let before = state;
            state = self.change_modes(&before, &mut tell)?;
            is_moved = self.moves(&before, &state);
        }
        if let Some(rules) = self.evaluator.switch_rules() {
            let mut settled = Settled::unchanged(state);
            if self.evaluator.phases().known {
                settled = self.settle(&state, is_moved)?;
            }
            rules.record(&self.evaluator, &state, (self.switching.switched, &settled), &mut tell);
            self.switching.switched = Set::EMPTY;
            state = settled.state;
            if self.evaluator.mode_count() != 0 {
                state = self.take_turns(&state, &mut tell)?;
            }
        }
        // Once this is done, the motion goes on from here also if the observer breaks off.
        self.watch.memory.restarted = false;
        let pace = self.method.pace();
        let arrives = self.section.end == state.t;
        let jumped = self.section.jump && arrives;
        let changes_inputs;
        (self.section, changes_inputs) = enter(&mut self.evaluator, &state, self.t_end, self.options, (pace, arrives))?;
        if jumped {
            self.now.depart(self.section.departure());
        }
        if changes_inputs {
            tell(&Instant { cause: Cause::Inputs, before: state, after: state, impulse: R::ZERO });
        }
        // Under other inputs, what is stuck may slip, and what is closed may open. An integration that is resumed here does not know whether
        // they are others.
        if let Some(rules) = self.evaluator.switch_rules()
            && arrives
            && self.evaluator.phases().known
        {
            let settled = self.settle(&state, false)?;
            rules.record(&self.evaluator, &state, (Set::EMPTY, &settled), &mut tell);
            state = settled.state;
            if jumped {
                self.now.depart(self.section.departure());
            }
        }
        if self.evaluator.mode_count() != 0 && arrives {
            self.take_turns(&state, &mut tell)?;
            if jumped {
                self.now.depart(self.section.departure());
            }
        }
        Ok(ended.map_or(flow, |index| ControlFlow::Break(Outcome::Instant(index))))
    }

    /// Tells what happened at the initial state: the changes of modes, then what became of the contacts.
    #[cold]
    fn tell_opening(&mut self, opening: &Opening<R, N>, tell: &mut dyn FnMut(&Instant<R, N>)) -> Result<(), Failure> {
        let Opening { initial, changed, settled } = opening;
        if let Some(modes) = self.evaluator.change_rules()
            && initial != changed
        {
            let mut nobody = ();
            let mut scene = Integration::new(&mut self.evaluator, self.method, (&mut nobody, 0), self.options);
            modes.settle(&mut scene, initial, self.switching.time_rounding(initial.t), tell)?;
        }
        if let Some(rules) = self.evaluator.switch_rules() {
            rules.record(&self.evaluator, changed, (Set::EMPTY, settled), tell);
        }
        Ok(())
    }

    /// Changes the modes whose conditions hold at a state. The motion goes on from the state that is returned.
    #[cold]
    fn change_modes(
        &mut self,
        state: &State<R, N>,
        tell: &mut dyn FnMut(&Instant<R, N>),
    ) -> Result<State<R, N>, Failure> {
        let Some(rules) = self.evaluator.change_rules() else { return Ok(*state) };
        let rounding = self.switching.time_rounding(state.t);
        let mut nobody = ();
        let mut scene = Integration::new(&mut self.evaluator, self.method, (&mut nobody, 0), self.options);
        let changed = rules.settle(&mut scene, state, rounding, tell)?;
        let events = self.options.events.len();
        self.watch.memory.forget_changes(events, events + self.evaluator.changes().len());
        if changed != *state {
            self.history = History::default();
            self.now = Point::initial(changed, self.method.start(&mut self.evaluator, &changed)?);
            self.past = self.now;
        }
        Ok(changed)
    }

    /// Changes modes and settles contacts in turn, until nothing changes: an impact may make the condition of a mode hold, and under another mode
    /// a contact may open.
    #[cold]
    fn take_turns(
        &mut self,
        state: &State<R, N>,
        tell: &mut dyn FnMut(&Instant<R, N>),
    ) -> Result<State<R, N>, Failure> {
        let mut state = *state;
        for _ in 0..TURNS {
            let changed = self.change_modes(&state, tell)?;
            let (same, is_moved) = (changed == state, self.moves(&state, &changed));
            state = changed;
            let rules = self.evaluator.switch_rules().filter(|_| self.evaluator.phases().known);
            let Some(rules) = rules.filter(|_| !same) else { return Ok(state) };
            let settled = self.settle(&state, is_moved)?;
            rules.record(&self.evaluator, &state, (Set::EMPTY, &settled), tell);
            state = settled.state;
        }
        let mode = self.evaluator.changes().first().map_or("", |change| change.mode);
        Err(Failure::ModeCircle { mode })
    }

    /// Whether a change of modes assigned to coordinates or velocities, and not to modes alone.
    fn moves(&self, before: &State<R, N>, after: &State<R, N>) -> bool {
        let count = N.saturating_sub(self.evaluator.mode_count());
        before.q != after.q || before.v.iter().zip(&after.v).take(count).any(|(before, after)| before != after)
    }

    /// Decides the phases of contacts where the motion restarts, or where inputs may jump. The motion goes on from the state that is
    /// returned. What stuck may slip if something assigned to the state: a map of an event, or a change of modes that moved it.
    #[cold]
    fn settle(&mut self, before: &State<R, N>, is_moved: bool) -> Result<Settled<R, N>, Failure> {
        let (crossed, struck) = (self.switching.crossed, is_moved || self.watch.memory.has_struck());
        let rounding = self.switching.time_rounding(before.t);
        let settled = self.evaluator.settle(before, (crossed, struck), [rounding; 2])?;
        let Settled { state, changed, .. } = settled;
        self.watch.memory.rebounded |= state.v != before.v;
        self.evaluator.statistics_mut().phases += u64::from(changed.count_ones());
        let rows = self.evaluator.row_names().len() as u32;
        if self.switching.chatters((state.t, self.t_end), (changed, rows)) {
            return Err(Failure::Chatter { contacts: changed, names: self.evaluator.row_names() });
        }
        self.now = Point::initial(state, self.method.start(&mut self.evaluator, &state)?);
        self.past = self.now;
        Ok(settled)
    }
}
