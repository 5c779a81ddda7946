//! The beginning of a slip that is a vector: until the direction of the slip rate is known, the force is that of the limit of |s| → 0.

use super::super::reduced::Reduced;
use super::{Forces, KNOWN};
use crate::scalar::Scalar;

/// The slip acceleration |w|, relative to b tr D, below which a friction that began to slip has the force that does not depend on its
/// slip rate. It is the ratio of the time in which the direction of s settles to the time since the beginning.
const START: f64 = 1e-3;

/// The force of a friction that begins to slip may be below its bound by this part of the bound, or by this many roundings, before the
/// friction counts as at rest again.
const RESTS: (f64, f64) = (1e-9, 64.0);

impl<R: Scalar, const N: usize, const C: usize, const W: usize> Reduced<'_, R, N, C, W> {
    /// Whether the friction of row `k`, whose slip is a vector, still begins to slip: its slip rate is small, and its force, which
    /// `forces` contains, has the length of its bound. Below the slip rate `unresolved`, the slip has no direction.
    pub(crate) fn begins(&self, k: usize, forces: &Forces<R, W>, unresolved: f64) -> bool {
        let (force, bound) = self.force_and_bound(k, forces);
        let (part, roundings) = RESTS;
        self.is_slow(k, forces, unresolved, 1.0) && force >= bound - part.max(roundings * R::EPSILON) * bound
    }

    /// Whether a friction whose beginning has ended slips, and is not at rest again. This is decided at half of the values at which a
    /// beginning ends, so that rounding does not decide it.
    pub(crate) fn is_under_way(&self, k: usize, forces: &Forces<R, W>, unresolved: f64) -> bool {
        !self.is_slow(k, forces, unresolved, 0.5)
    }

    /// Whether a slip rate, or its acceleration under these forces, is below this part of the value at which a beginning ends.
    fn is_slow(&self, k: usize, forces: &Forces<R, W>, unresolved: f64, part: f64) -> bool {
        let acceleration = self
            .length(k, |row| (0..self.count).fold(self.free[row], |sum, l| sum + self.compliance[row][l] * forces[l]));
        acceleration.to_f64() < part * START * self.turning(k, forces) || self.speed(k) < part * KNOWN * unresolved
    }

    /// b tr D. The equations have the time constant |s|/(b D).
    pub(crate) fn turning(&self, k: usize, forces: &Forces<R, W>) -> f64 {
        let trace = self.rows_of(k).fold(0.0, |sum, row| sum + self.compliance[row][row].to_f64());
        trace * self.limit(k, forces).to_f64()
    }
}
