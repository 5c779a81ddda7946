//! The span between two times on which steps must land, and its fixed steps.

use crate::error::Failure;
use crate::method::Pace;
use crate::options::time_rounding;
use crate::scalar::Real;

/// A span without discontinuities inside, divided into `whole` steps of `h` and one that may be shorter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Section<R> {
    start: R,
    pub(super) end: R,
    /// The step, with the direction's sign.
    h: R,
    /// The last step.
    last: R,
    /// How many steps come before the last.
    whole: u64,
    done: u64,
}

impl<R: Real> Section<R> {
    /// A section without steps.
    pub(super) fn empty(t: R) -> Self {
        Self { start: t, end: t, h: R::ZERO, last: R::ZERO, whole: 0, done: 0 }
    }

    /// The section from `start` to another time `end`.
    ///
    /// # Errors
    /// [`Failure::StepTooSmall`] where a fixed step is below the rounding of the times.
    pub(super) fn new(start: R, end: R, pace: Pace<R>) -> Result<Self, Failure> {
        let span = (end - start).abs();
        let Pace::Fixed(size) = pace else {
            return Ok(Self { start, end, h: R::ZERO, last: R::ZERO, whole: 0, done: 0 });
        };
        let rounding = time_rounding(start, end);
        if span <= size + rounding {
            return Ok(Self { start, end, h: end - start, last: end - start, whole: 0, done: 0 });
        }
        if size <= rounding {
            return Err(Failure::StepTooSmall { step: size.to_f64() });
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
        Ok(Self { start, end, h, last, whole: whole as u64, done: 0 })
    }

    /// Whether all fixed steps were made.
    #[inline(always)]
    pub(super) fn is_done(&self) -> bool {
        self.done > self.whole
    }

    /// Whether but one fixed step is left.
    #[inline(always)]
    pub(super) fn is_at_last(&self) -> bool {
        self.done >= self.whole
    }

    /// The next fixed step's size and end.
    #[inline(always)]
    pub(super) fn next_step(&self) -> (R, R) {
        if self.done < self.whole {
            (self.h, self.start + R::from_f64((self.done + 1) as f64) * self.h)
        } else {
            (self.last, self.end)
        }
    }

    /// Counts a fixed step.
    #[inline(always)]
    pub(super) fn count_step(&mut self) {
        self.done += 1;
    }
}
