//! An observer that sees the states at given times.

use super::{Observer, StepView, Wants};
use crate::options::time_rounding;
use crate::scalar::Real;
use crate::state::State;
use core::ops::ControlFlow;

/// Gives a closure the states at given times, interpolated where they lie within a step.
#[derive(Clone, Copy, Debug)]
pub struct AtTimes<'a, R, F> {
    times: &'a [R],
    next: usize,
    receive: F,
}

impl<'a, R: Real, F> AtTimes<'a, R, F> {
    /// Calls `receive` with the state at each of `times`, which are in the order of the integration; those before its
    /// start are passed over. A time at a step's end, up to rounding, gets that end's state.
    pub fn new<const N: usize>(times: &'a [R], receive: F) -> Self
    where
        F: FnMut(&State<R, N>) -> ControlFlow<()>,
    {
        Self { times, next: 0, receive }
    }

    fn pending(&self) -> Option<R> {
        self.times.get(self.next).copied()
    }
}

/// Where a time lies relative to the end of a step from `from` to `to`.
enum Place {
    Before,
    AtEnd,
    Beyond,
}

fn place<R: Real>(time: R, from: R, to: R) -> Place {
    if (time - to).abs() <= time_rounding(time, to) {
        Place::AtEnd
    } else if (from < to && time < to) || (from > to && time > to) {
        Place::Before
    } else {
        Place::Beyond
    }
}

impl<R: Real, const N: usize, F> Observer<R, N> for AtTimes<'_, R, F>
where
    F: FnMut(&State<R, N>) -> ControlFlow<()>,
{
    fn start(&mut self, initial: &State<R, N>) -> ControlFlow<()> {
        let Some(time) = self.pending() else { return ControlFlow::Continue(()) };
        if (time - initial.t).abs() <= time_rounding(time, initial.t) {
            self.next += 1;
            return (self.receive)(&State { t: time, ..*initial });
        }
        ControlFlow::Continue(())
    }

    fn wants(&self, _: u64, from: R, to: R) -> Wants {
        match self.pending().map(|time| place(time, from, to)) {
            Some(Place::Before) => Wants::Interpolation,
            Some(Place::AtEnd) => Wants::States,
            Some(Place::Beyond) | None => Wants::Nothing,
        }
    }

    fn observe(&mut self, step: &StepView<R, N>) -> ControlFlow<()> {
        let (from, to) = (step.start.t, step.end.t);
        while let Some(time) = self.pending() {
            let state = match place(time, from, to) {
                Place::AtEnd => Some(State { t: time, ..step.end }),
                Place::Before if (time < from) != (from < to) => step.sample(time),
                Place::Before => None,
                Place::Beyond => break,
            };
            self.next += 1;
            if let Some(state) = state {
                (self.receive)(&state)?;
            }
        }
        ControlFlow::Continue(())
    }
}
