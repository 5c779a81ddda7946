//! An attempt at a step of a system whose equations have branches.

use super::Monitor;
use crate::event::{Branch, Set};
use crate::scalar::Real;
use crate::state::State;
use nalgebra::SVector;

/// Where an attempt starts, on which branch, and which switches its evaluations have gone over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt<R: Real, const N: usize> {
    pub(crate) branch: Branch,
    start: State<R, N>,
    size: R,
    /// Whether it is to go over a switch, so that none is passed as smooth.
    over: bool,
    /// The switching functions that had another sign in an evaluation.
    pub(crate) strayed: Set,
    /// Those whose switch was found to be smooth enough for a step.
    pub(crate) passed: Set,
}

impl<R: Real, const N: usize> Attempt<R, N> {
    pub(crate) fn new(branch: Branch, start: State<R, N>, size: R, over: bool) -> Self {
        Self { branch, start, size, over, strayed: Set::EMPTY, passed: Set::EMPTY }
    }

    /// The switching functions about which everything is known.
    #[inline(always)]
    pub(crate) fn known(&self) -> Set {
        self.strayed | self.passed
    }

    /// The switching functions that change their sign on the straight way from the start to a state without a kink in the
    /// acceleration. Such a switch, as that of a drag that grows with the square of the speed, is smooth enough
    /// for a step.
    ///
    /// On both sides of the switch, the acceleration's change over the same short way is compared. The evaluations are not
    /// counted: no step is made of them.
    pub(crate) fn smooth_switches<const C: usize>(
        &self,
        evaluator: &mut dyn Monitor<R, N, C>,
        end: &State<R, N>,
    ) -> Set {
        if self.over {
            return Set::EMPTY;
        }
        let start = self.start;
        let at = |part: R| {
            let between = |a: &SVector<R, N>, b: &SVector<R, N>| a + (b - a) * part;
            State { t: start.t + (end.t - start.t) * part, q: between(&start.q, &end.q), v: between(&start.v, &end.v) }
        };
        let half = R::from_f64(0.5);
        // A ten-thousandth of the way that the whole attempt goes, of which a stage may see but a small part.
        let seen = ((end.t - start.t).abs() / self.size).max(R::from_f64(1.0 / 64.0));
        let short = R::from_f64(1e-4) / seen;
        let mut smooth = Set::EMPTY;
        let mut from = R::ZERO;
        // One switch after the other.
        for _ in 0..8 {
            let here = evaluator.branch(&at(from));
            if evaluator.branch(end) == here {
                break;
            }
            let (mut inside, mut outside) = (from, R::ONE);
            for _ in 0..50 {
                let middle = (inside + outside) * half;
                if evaluator.branch(&at(middle)) == here { inside = middle } else { outside = middle }
            }
            let changed = evaluator.branch(&at(outside)).differs(here);
            let points =
                [inside - short - short, inside - short, inside, outside, outside + short, outside + short + short];
            if !is_smooth(evaluator, points.map(at)) {
                return smooth & !changed;
            }
            smooth |= changed;
            from = outside;
        }
        smooth
    }
}

/// Whether the acceleration has neither a jump nor a kink between the third and the fourth of six points with the same short
/// way between neighbours, but for the two.
fn is_smooth<R: Real, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
    points: [State<R, N>; 6],
) -> bool {
    let accelerations = points.map(|state| evaluator.acceleration_under(&state, &state.v).ok());
    let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f)] = accelerations else {
        return false;
    };
    // Where there is no value, nothing is known.
    if [a, b, c, d, e, f].iter().flatten().any(|x| !x.is_finite()) {
        return false;
    }
    (0..N).all(|i| {
        // Jumps and kinks stand out from what the acceleration changes on either side, and from how that changes.
        let (before, after) = (c[i] - b[i], e[i] - d[i]);
        let usual = before.abs() + after.abs();
        let rounding = R::from_f64(64.0 * R::EPSILON) * (c[i].abs() + d[i].abs());
        let bend = (before - (b[i] - a[i])).abs() + (after - (f[i] - e[i])).abs();
        let jump = (d[i] - c[i]).abs() > usual * R::from_f64(1e-3) + rounding;
        let kink = (after - before).abs() > usual * R::from_f64(0.02) + bend * R::from_f64(4.0) + rounding;
        !jump && !kink
    })
}
