//! The choice between several solutions of a step's equations. The solution sought tends to the velocity at the start as the step
//! gets shorter.

use crate::error::Failure;
use crate::scalar::Real;

/// The least part by which the solved part of a step is extended.
const SHORTEST: f64 = 1.0 / 256.0;

/// The part of a step that is solved at present. If the guess is near the solution, the whole step is solved at once. Otherwise a
/// short part of the step is solved first, and then longer and longer parts.
///
/// The equations of a long step have several solutions, and Newton's method may find any of them from a distant guess. Here each
/// solution is the guess for the next longer part. If the solutions meet another branch, they end there, and the step is too
/// long.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Path<R> {
    /// The part of the step that has been solved.
    reached: R,
    /// The part of the step to solve next.
    part: R,
    /// The difference between the next part and the solved one.
    stride: R,
}

impl<R: Real> Path<R> {
    /// Returns the path that solves the whole step at once.
    #[inline(always)]
    pub(in crate::method) fn whole() -> Self {
        Self { reached: R::ZERO, part: R::ONE, stride: R::ONE }
    }

    /// Whether the whole step is to be solved next.
    #[inline(always)]
    pub(in crate::method) fn is_whole(&self) -> bool {
        self.part == R::ONE
    }

    /// Returns the part of the step to solve next.
    #[inline(always)]
    pub(in crate::method) fn part(&self) -> R {
        self.part
    }

    /// Whether a part has been solved. If so, the next guess is its solution. Otherwise the guess is the velocity at the start.
    pub(in crate::method) fn has_begun(&self) -> bool {
        self.reached > R::ZERO
    }

    /// Extends the part after it was solved.
    #[cold]
    pub(in crate::method) fn lengthen(&mut self) {
        self.reached = self.part;
        self.stride = self.stride + self.stride;
        self.part = (self.reached + self.stride).min(R::ONE);
    }

    /// Shortens the part after it could not be solved.
    ///
    /// # Errors
    /// The given `failure`, if the part is hardly longer than the solved one.
    #[cold]
    pub(in crate::method) fn shorten(&mut self, failure: Failure) -> Result<(), Failure> {
        self.stride = (self.part - self.reached) * R::from_f64(0.25);
        self.part = self.reached + self.stride;
        if self.stride < R::from_f64(SHORTEST) { Err(failure) } else { Ok(()) }
    }
}
