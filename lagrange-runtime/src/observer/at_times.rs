//! An observer that sees the states at given times.

use super::{Observer, StepView, Wants};
use crate::scalar::Real;
use crate::state::State;
use crate::state::time_rounding;
use core::ops::ControlFlow;

/// Gives a closure the states at given times, interpolated where they lie within a step ([`StepView::sample`]).
#[derive(Clone, Copy, Debug)]
pub struct AtTimes<'a, R, F> {
    times: &'a [R],
    next: usize,
    /// The end time of the integration, if it is known.
    t_end: Option<R>,
    /// The initial time.
    start: Option<R>,
    receive: F,
}

impl<'a, R: Real, F> AtTimes<'a, R, F> {
    /// Calls `receive` with the state at each of `times`, which are in the order of the integration. Times before its start are
    /// ignored. A time that equals a step's end up to rounding gets the state there.
    pub fn new<const N: usize>(times: &'a [R], receive: F) -> Self
    where
        F: FnMut(&State<R, N>) -> ControlFlow<()>,
    {
        Self { times, next: 0, t_end: None, start: None, receive }
    }

    /// Sets the end time of the integration. Then times outside the span by no more than its rounding get the states at its
    /// ends; the check of the option `t_eval` accepts such times.
    #[must_use]
    pub fn until(self, t_end: R) -> Self {
        Self { t_end: Some(t_end), ..self }
    }

    fn pending(&self) -> Option<R> {
        self.times.get(self.next).copied()
    }

    /// The place of a time relative to the end of a step from `from` to `to`.
    fn place(&self, time: R, from: R, to: R) -> Place {
        let rounding = match (self.start, self.t_end) {
            (Some(start), Some(t_end)) if t_end == to => time_rounding(start, t_end),
            _ => time_rounding(time, to),
        };
        if (time - to).abs() <= rounding {
            Place::AtEnd
        } else if (from < to && time < to) || (from > to && time > to) {
            Place::Before
        } else {
            Place::Beyond
        }
    }
}

/// The place of a time relative to the end of a step.
enum Place {
    Before,
    AtEnd,
    Beyond,
}

impl<R: Real, const N: usize, F> Observer<R, N> for AtTimes<'_, R, F>
where
    F: FnMut(&State<R, N>) -> ControlFlow<()>,
{
    fn start(&mut self, initial: &State<R, N>) -> ControlFlow<()> {
        self.start = Some(initial.t);
        let rounding = time_rounding(initial.t, self.t_end.unwrap_or(initial.t));
        while let Some(time) = self.pending()
            && (time - initial.t).abs() <= rounding
        {
            self.next += 1;
            (self.receive)(&State { t: time, ..*initial })?;
        }
        ControlFlow::Continue(())
    }

    fn wants(&self, _: u64, from: R, to: R) -> Wants {
        match self.pending().map(|time| self.place(time, from, to)) {
            Some(Place::Before) => Wants::Interpolation,
            Some(Place::AtEnd) => Wants::States,
            Some(Place::Beyond) | None => Wants::Nothing,
        }
    }

    fn observe(&mut self, step: &StepView<R, N>) -> ControlFlow<()> {
        let (from, to) = (step.start.t, step.end.t);
        while let Some(time) = self.pending() {
            let state = match self.place(time, from, to) {
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
