//! Which solution of a step's equations is meant: the one that tends to the velocity at the start as the step gets shorter.

use crate::error::Failure;
use crate::scalar::Real;

/// The shortest part by which a step may be lengthened.
const SHORTEST: f64 = 1.0 / 256.0;

/// How much of a step is solved for at present. A step is solved at once where the guess is near to the solution; otherwise a short
/// part of it is solved first, and then longer and longer ones.
///
/// The equations of a long step have several solutions, and Newton's method from a distant guess finds any of them. Along the
/// path each solution is the guess of the next. Where the solutions meet another branch there is no further one, and the step is too
/// long.
#[derive(Clone, Copy, Debug)]
pub(in crate::method) struct Path<R> {
    /// The part that is solved.
    reached: R,
    /// The part that is to be solved.
    part: R,
    /// How much longer the next part is to be.
    stride: R,
}

impl<R: Real> Path<R> {
    /// The whole step at once.
    #[inline(always)]
    pub(in crate::method) fn whole() -> Self {
        Self { reached: R::ZERO, part: R::ONE, stride: R::ONE }
    }

    /// Whether the whole step is to be solved.
    #[inline(always)]
    pub(in crate::method) fn is_whole(&self) -> bool {
        self.part == R::ONE
    }

    /// The part that is to be solved.
    #[inline(always)]
    pub(in crate::method) fn part(&self) -> R {
        self.part
    }

    /// Whether a part has been solved, from which the next guess comes; otherwise from the velocity at the start.
    pub(in crate::method) fn has_begun(&self) -> bool {
        self.reached > R::ZERO
    }

    /// After the part was solved: goes on to a longer one.
    #[cold]
    pub(in crate::method) fn lengthen(&mut self) {
        self.reached = self.part;
        self.stride = self.stride + self.stride;
        self.part = (self.reached + self.stride).min(R::ONE);
    }

    /// After the part was not solved: tries a shorter one.
    ///
    /// # Errors
    /// The failure given, where the part is hardly longer than the one that is solved.
    #[cold]
    pub(in crate::method) fn shorten(&mut self, failure: Failure) -> Result<(), Failure> {
        self.stride = (self.part - self.reached) * R::from_f64(0.25);
        self.part = self.reached + self.stride;
        if self.stride < R::from_f64(SHORTEST) { Err(failure) } else { Ok(()) }
    }
}
