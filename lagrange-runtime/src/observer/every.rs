//! An observer that sees only every n-th step.

use super::{Observer, StepView, Wants};
use crate::event::Occurrence;
use crate::instant::Instant;
use crate::scalar::Real;
use crate::state::State;
use core::ops::ControlFlow;

/// Passes every n-th step on to another observer. The steps between cost next to nothing.
#[derive(Clone, Copy, Debug)]
pub struct Every<O> {
    count: u64,
    observer: O,
}

impl<O> Every<O> {
    /// Passes the steps numbered `count`, 2·`count`, … on to `observer`; a `count` of 0 counts as 1.
    pub fn new(count: u64, observer: O) -> Self {
        Self { count: count.max(1), observer }
    }

    /// The observer to which the steps are passed.
    pub fn into_inner(self) -> O {
        self.observer
    }
}

impl<R: Real, const N: usize, O: Observer<R, N>> Observer<R, N> for Every<O> {
    #[inline]
    fn start(&mut self, initial: &State<R, N>) -> ControlFlow<()> {
        self.observer.start(initial)
    }

    #[inline]
    fn wants(&self, number: u64, from: R, to: R) -> Wants {
        if number.is_multiple_of(self.count) { self.observer.wants(number, from, to) } else { Wants::Nothing }
    }

    #[inline]
    fn event(&mut self, occurrence: &Occurrence<R, N>) -> ControlFlow<()> {
        self.observer.event(occurrence)
    }

    #[inline]
    fn instant(&mut self, instant: &Instant<R, N>) -> ControlFlow<()> {
        self.observer.instant(instant)
    }

    #[inline]
    fn observe(&mut self, step: &StepView<R, N>) -> ControlFlow<()> {
        self.observer.observe(step)
    }
}
