//! The span between two times at which steps must end, and its fixed steps.

use crate::error::Failure;
use crate::method::Pace;
use crate::scalar::Real;
use crate::state::time_rounding;

/// A span without discontinuities inside, divided into `whole` steps of `h` and one that may be shorter.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "R: serde::Serialize", deserialize = "R: serde::Deserialize<'de>"))
)]
pub(crate) struct Section<R> {
    start: R,
    pub(crate) end: R,
    /// Whether the equations may jump at the end. Then they are evaluated only up to a rounding before it.
    pub(crate) jump: bool,
    /// The step size, with the sign of the direction.
    h: R,
    /// The size of the last step.
    last: R,
    /// How many steps come before the last.
    whole: u64,
    done: u64,
}

impl<R: Real> Section<R> {
    /// A section without steps.
    pub(crate) fn empty(t: R) -> Self {
        Self { start: t, end: t, jump: false, h: R::ZERO, last: R::ZERO, whole: 0, done: 0 }
    }

    /// The section from `start` to another time `end`.
    ///
    /// # Errors
    /// [`Failure::BadOption`] where a fixed step is below the rounding of the times.
    pub(crate) fn new(start: R, end: R, pace: Pace<R>) -> Result<Self, Failure> {
        let span = (end - start).abs();
        let Pace::Fixed(size) = pace else {
            return Ok(Self { start, end, jump: false, h: R::ZERO, last: R::ZERO, whole: 0, done: 0 });
        };
        let rounding = time_rounding(start, end);
        if span <= size + rounding {
            return Ok(Self { start, end, jump: false, h: end - start, last: end - start, whole: 0, done: 0 });
        }
        if size <= rounding {
            return Err(Failure::bad_option("h", size, "above the rounding of the initial and the end time"));
        }
        let h = if end < start { -size } else { size };
        let ratio = (span / size).to_f64();
        let nearest = libm::round(ratio);
        let even = (span - R::from_f64(nearest) * size).abs() <= rounding;
        let (whole, last) = if even {
            (nearest - 1.0, h)
        } else {
            let whole = libm::floor(ratio);
            (whole, end - (start + R::from_f64(whole) * h))
        };
        Ok(Self { start, end, jump: false, h, last, whole: whole as u64, done: 0 })
    }

    /// Returns this section, with a jump of the equations at its end if `jump` is set.
    pub(crate) fn ending_in_jump(self, jump: bool) -> Self {
        Self { jump, ..self }
    }

    /// The section with times that are constants.
    #[cfg(feature = "std")]
    pub(crate) fn without_derivatives(self) -> Self {
        let Self { start, end, h, last, .. } = self;
        let [start, end, h, last] = [start, end, h, last].map(R::without_derivatives);
        Self { start, end, h, last, ..self }
    }

    /// Fails where no integration to `t_end` at this `pace` can have reached time `t` in this section. Where the motion is
    /// `restarting`, `t` need not be the end of a step.
    pub(crate) fn check(&self, t: R, t_end: R, pace: Pace<R>, restarting: bool) -> Result<(), Failure> {
        let bad = |number, value: R, allowed| Err(Failure::BadCheckpoint { number, value: value.to_f64(), allowed });
        if !self.start.is_finite() {
            return bad("start of the section", self.start, "finite");
        }
        let between = |x: R, a: R, b: R| (a <= x && x <= b) || (b <= x && x <= a);
        if !between(self.end, self.start, t_end) {
            return bad("end of the section", self.end, "between the section's start and `t_end`");
        }
        if !between(t, self.start, self.end) {
            return bad("time", t, "inside the section");
        }
        let counted = R::from_count(self.done);
        let allowed = "as many as the steps from the section's start make";
        if self.start == self.end {
            return if self.whole == 0 && self.done == 0 { Ok(()) } else { bad("count of steps", counted, allowed) };
        }
        let Ok(planned) = Self::new(self.start, self.end, pace) else {
            return bad("start of the section", self.start, "so near to its end that a step is more than rounding");
        };
        for (number, given, planned) in [("step size", self.h, planned.h), ("last step size", self.last, planned.last)]
        {
            if given != planned {
                return bad(number, given, "what the section and the method make it");
            }
        }
        if self.whole != planned.whole || self.done > self.whole + 1 {
            return bad("count of steps", counted, allowed);
        }
        let reached = if self.done > self.whole { self.end } else { self.start + counted * self.h };
        // A fixed step that a switch cuts short is counted only when its planned end is reached.
        let ahead = if self.end < self.start { reached - t } else { t - reached };
        let (_, next) = self.next_step();
        let is_before_next = self.done > self.whole || if self.end < self.start { t > next } else { t < next };
        let is_inside_step = ahead >= -time_rounding(self.start, self.end) && is_before_next;
        match pace {
            Pace::Fixed(_) if !restarting && !is_inside_step => bad("count of steps", counted, allowed),
            _ => Ok(()),
        }
    }

    /// The end of a step that starts at `t` and ends the section. It is the section's end, or a rounding before it where the
    /// equations may jump there.
    #[inline(always)]
    pub(crate) fn limit(&self, t: R) -> R {
        if !self.jump {
            return self.end;
        }
        self.end - self.rounding(t, self.end)
    }

    /// The time at which a step after a jump at the section's start evaluates the equations first: a rounding after the start.
    pub(crate) fn departure(&self) -> R {
        self.start + self.rounding(self.start, self.start)
    }

    /// A rounding of times, with the sign of the direction: ε times the larger of |`near`| and the distance from `from` to the
    /// end.
    fn rounding(&self, from: R, near: R) -> R {
        let way = self.end - from;
        way.sign() * way.abs().max(near.abs()) * R::from_f64(R::EPSILON)
    }

    /// Whether all fixed steps were made.
    #[inline(always)]
    pub(crate) fn is_done(&self) -> bool {
        self.done > self.whole
    }

    /// Whether at most the last fixed step is left.
    #[inline(always)]
    pub(crate) fn is_at_last(&self) -> bool {
        self.done >= self.whole
    }

    /// The size of the next fixed step, and its end.
    #[inline(always)]
    pub(crate) fn next_step(&self) -> (R, R) {
        if self.done < self.whole {
            (self.h, self.start + R::from_count(self.done + 1) * self.h)
        } else {
            let start = self.end - self.last;
            let limit = self.limit(start);
            (if self.jump { limit - start } else { self.last }, limit)
        }
    }

    /// The start, the size of a whole fixed step, the number of steps made, and how many whole steps are left before the last.
    #[cfg(feature = "ensemble")]
    pub(crate) fn whole_steps(&self) -> (R, R, u64, u64) {
        (self.start, self.h, self.done, self.whole.saturating_sub(self.done))
    }

    /// Counts fixed steps.
    #[cfg(feature = "ensemble")]
    pub(crate) fn count_steps(&mut self, count: u64) {
        self.done += count;
    }

    /// Counts a fixed step.
    #[inline(always)]
    pub(crate) fn count_step(&mut self) {
        self.done += 1;
    }
}
