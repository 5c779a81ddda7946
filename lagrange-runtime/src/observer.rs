//! Observers: they see the steps while a mechanism is integrated. Storing states is one use of them.

mod at_times;
mod every;

pub use at_times::AtTimes;
pub use every::Every;

use crate::dense::Interpolant;
use crate::event::Occurrence;
use crate::instant::Instant;
use crate::scalar::Real;
use crate::state::State;
use core::ops::ControlFlow;

/// What an observer wants to see of a step. Each variant costs more than the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wants {
    /// Nothing. The observer is not called.
    Nothing,
    /// The states at both ends. Methods that carry momenta compute the velocities for it.
    States,
    /// The states and the method's interpolant, so that [`StepView::sample`] gives states between the ends.
    Interpolation,
}

/// One accepted step, as an observer sees it.
#[derive(Clone, Copy)]
pub struct StepView<'a, R: Real, const N: usize> {
    /// The step's number, from 1.
    pub number: u64,
    /// The state at its start.
    pub start: State<R, N>,
    /// The state at its end.
    pub end: State<R, N>,
    /// The interpolant, if the observer asked for [`Wants::Interpolation`].
    pub interpolant: Option<Interpolant<R, N>>,
    /// What moves a state of the interpolant onto what is held in the step.
    pub(crate) holding: Option<&'a dyn Holding<R, N>>,
}

/// Moves a state within a step onto what is held in it: contacts that are closed, frictions that stick, and constraints that modes keep on.
pub(crate) trait Holding<R: Real, const N: usize> {
    /// The state that is held, or the same state where there is none.
    fn held(&self, state: State<R, N>) -> State<R, N>;
}

impl<R: Real, const N: usize> core::fmt::Debug for StepView<'_, R, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { number, start, end, interpolant, .. } = self;
        let mut view = f.debug_struct("StepView");
        view.field("number", number).field("start", start).field("end", end).field("interpolant", interpolant);
        view.finish_non_exhaustive()
    }
}

impl<R: Real, const N: usize> StepView<'_, R, N> {
    /// The step's length; negative in a backward integration.
    pub fn length(&self) -> R {
        self.end.t - self.start.t
    }

    /// The state at time `t` within the step; `None` where interpolation was not asked for. A contact that is closed in the step has the gap 0 there, and a friction that sticks the rate 0, up to rounding, so that
    /// the forces follow from the state. A state of the interpolant itself is off these by its error. A method that [resolves contacts](crate::method::Method::resolves_contacts) within its steps holds nothing.
    pub fn sample(&self, t: R) -> Option<State<R, N>> {
        let state = self.interpolant.as_ref()?.sample(t);
        Some(self.holding.map_or(state, |holding| holding.held(state)))
    }
}

/// Sees the steps of an integration, and can end it.
///
/// A closure `FnMut(&StepView) -> ControlFlow<()>` is an observer of every step's states. The observer `()` wants nothing. A
/// pair of observers sees what either wants, and ends the integration when either does.
pub trait Observer<R: Real, const N: usize> {
    /// Called once with the initial state.
    #[inline(always)]
    fn start(&mut self, initial: &State<R, N>) -> ControlFlow<()> {
        let _ = initial;
        ControlFlow::Continue(())
    }

    /// Says what the observer wants to see of step `number` (from 1), which goes from time `from` to time `to`.
    #[inline(always)]
    fn wants(&self, number: u64, from: R, to: R) -> Wants {
        let _ = (number, from, to);
        Wants::States
    }

    /// Called with each event; `Break` ends the integration. A step is observed before the event at its end, and after events
    /// within it.
    #[inline(always)]
    fn event(&mut self, occurrence: &Occurrence<R, N>) -> ControlFlow<()> {
        let _ = occurrence;
        ControlFlow::Continue(())
    }

    /// Called with all that happens at an instant, events included, in the order in which it happens; `Break` ends the integration. A
    /// step is observed before what happens at its end.
    #[inline(always)]
    fn instant(&mut self, instant: &Instant<R, N>) -> ControlFlow<()> {
        let _ = instant;
        ControlFlow::Continue(())
    }

    /// Called with each step of which the observer wants something; `Break` ends the integration.
    fn observe(&mut self, step: &StepView<R, N>) -> ControlFlow<()>;
}

impl<R: Real, const N: usize> Observer<R, N> for () {
    #[inline(always)]
    fn wants(&self, _: u64, _: R, _: R) -> Wants {
        Wants::Nothing
    }

    #[inline(always)]
    fn observe(&mut self, _: &StepView<R, N>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<R: Real, const N: usize, F: FnMut(&StepView<R, N>) -> ControlFlow<()>> Observer<R, N> for F {
    #[inline(always)]
    fn observe(&mut self, step: &StepView<R, N>) -> ControlFlow<()> {
        self(step)
    }
}

impl<R: Real, const N: usize, A: Observer<R, N>, B: Observer<R, N>> Observer<R, N> for (A, B) {
    fn start(&mut self, initial: &State<R, N>) -> ControlFlow<()> {
        either(self.0.start(initial), self.1.start(initial))
    }

    fn wants(&self, number: u64, from: R, to: R) -> Wants {
        self.0.wants(number, from, to).max(self.1.wants(number, from, to))
    }

    fn event(&mut self, occurrence: &Occurrence<R, N>) -> ControlFlow<()> {
        either(self.0.event(occurrence), self.1.event(occurrence))
    }

    fn instant(&mut self, instant: &Instant<R, N>) -> ControlFlow<()> {
        either(self.0.instant(instant), self.1.instant(instant))
    }

    fn observe(&mut self, step: &StepView<R, N>) -> ControlFlow<()> {
        let (number, from, to) = (step.number, step.start.t, step.end.t);
        let mut flow = ControlFlow::Continue(());
        if self.0.wants(number, from, to) > Wants::Nothing {
            flow = either(flow, self.0.observe(step));
        }
        if self.1.wants(number, from, to) > Wants::Nothing {
            flow = either(flow, self.1.observe(step));
        }
        flow
    }
}

/// A reference to an observer of any type, as an observer of a sized type.
pub(crate) struct ByReference<'a, O: ?Sized>(pub(crate) &'a mut O);

impl<R: Real, const N: usize, O: Observer<R, N> + ?Sized> Observer<R, N> for ByReference<'_, O> {
    fn start(&mut self, initial: &State<R, N>) -> ControlFlow<()> {
        self.0.start(initial)
    }

    fn wants(&self, number: u64, from: R, to: R) -> Wants {
        self.0.wants(number, from, to)
    }

    fn event(&mut self, occurrence: &Occurrence<R, N>) -> ControlFlow<()> {
        self.0.event(occurrence)
    }

    fn instant(&mut self, instant: &Instant<R, N>) -> ControlFlow<()> {
        self.0.instant(instant)
    }

    fn observe(&mut self, step: &StepView<R, N>) -> ControlFlow<()> {
        self.0.observe(step)
    }
}

#[inline]
fn either(first: ControlFlow<()>, second: ControlFlow<()>) -> ControlFlow<()> {
    if first.is_break() { first } else { second }
}
