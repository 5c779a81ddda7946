//! An attempt at a step of a system whose equations have branches.

use super::{Branch, Branching};
use crate::scalar::Real;
use crate::set::Set;
use crate::state::{State, time_rounding};
use nalgebra::SVector;

/// The start and the branch of an attempt, and the switches that its evaluations went over.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<R: Real, const N: usize> {
    pub(crate) branch: Branch,
    start: State<R, N>,
    pub(crate) size: R,
    /// Whether the attempt is meant to go over a switch. Then no switch counts as smooth.
    pub(crate) over: bool,
    /// The switching functions that had another sign in an evaluation, and whose switch is not smooth.
    pub(crate) strayed: Set,
    /// The switching functions that had another sign in an evaluation, and whose switch is smooth enough for a step.
    pub(crate) passed: Set,
    /// [`Attempt::smooth_switches`]. Programs without switching functions do not name it, and so do not contain it.
    pub(crate) smooth: Smooth<R, N>,
}

/// Finds the switching functions whose switch is smooth enough for a step, on the line from the start of an attempt to a state.
pub(crate) type Smooth<R, const N: usize> = fn(&Attempt<R, N>, &mut dyn Branching<R, N>, &State<R, N>) -> Set;

impl<R: Real, const N: usize> Attempt<R, N> {
    pub(crate) fn new(branch: Branch, start: State<R, N>, (size, over): (R, bool), smooth: Smooth<R, N>) -> Self {
        Self { branch, start, size, over, strayed: Set::EMPTY, passed: Set::EMPTY, smooth }
    }

    /// The state at which the attempt started.
    pub(crate) fn start(&self) -> State<R, N> {
        self.start
    }

    /// The switching functions that are already known to have strayed or passed.
    #[inline(always)]
    pub(crate) fn known(&self) -> Set {
        self.strayed | self.passed
    }

    /// The switching functions whose switch is smooth enough for a step: along the straight line from the start to `end` they
    /// change their sign, and the acceleration has no jump and no kink there. Such a switch is that of a drag that grows with
    /// the square of the speed.
    ///
    /// The check compares the change of the acceleration over the same short distance on both sides of the switch. Its
    /// evaluations are not counted, because they serve no step.
    pub(crate) fn smooth_switches(&self, evaluator: &mut dyn Branching<R, N>, end: &State<R, N>) -> Set {
        if self.over {
            return Set::EMPTY;
        }
        let start = self.start;
        let at = |part: R| {
            let between = |a: &SVector<R, N>, b: &SVector<R, N>| a + (b - a) * part;
            State { t: start.t + (end.t - start.t) * part, q: between(&start.q, &end.q), v: between(&start.v, &end.v) }
        };
        let half = R::from_f64(0.5);
        // The distance is a ten-thousandth of the whole attempt. The line to the state of one stage may be a small part of it.
        let seen = ((end.t - start.t).abs() / self.size).max(R::from_f64(1.0 / 64.0));
        let short = R::from_f64(1e-4) / seen;
        // The equations compare in another way than the switching function, so that their branches may change a few roundings of the time
        // before or behind its zero. The two states next to the switch are beyond that, if this is little beside the distance.
        let beside = R::from_f64(BESIDE) * time_rounding(start.t, end.t) / (end.t - start.t).abs();
        // The phases of contacts are decided at the zero itself.
        let is_apart = evaluator.row_switches().is_empty() && beside <= short * R::from_f64(NARROW);
        let apart = if is_apart { beside } else { R::ZERO };
        let mut smooth = Set::EMPTY;
        let mut from = R::ZERO;
        // Each pass finds the next switch on the line.
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
            let (last, next) = (inside - apart, outside + apart);
            let points = [last - short - short, last - short, last, next, next + short, next + short + short];
            if !is_smooth(evaluator, points.map(at)) {
                return smooth & !changed;
            }
            smooth |= changed;
            from = outside;
        }
        smooth
    }
}

/// The distance of the two states next to a switch from it, in roundings of the time.
const BESIDE: f64 = 8.0;

/// The largest part that this distance may be of that between other states.
const NARROW: f64 = 1.0 / 64.0;

/// Whether the acceleration has no jump and no kink between the third and the fourth of six points. All other neighbours have
/// the same short distance.
fn is_smooth<R: Real, const N: usize>(evaluator: &mut dyn Branching<R, N>, points: [State<R, N>; 6]) -> bool {
    let accelerations = points.map(|state| evaluator.acceleration_under(&state, &state.v).ok());
    let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f)] = accelerations else {
        return false;
    };
    // Where the acceleration has no finite value, no switch counts as smooth.
    if [a, b, c, d, e, f].iter().flatten().any(|x| !x.is_finite()) {
        return false;
    }
    (0..N).all(|i| {
        // A jump is large against the usual change on either side. A kink is large against the change of that change.
        let (before, after) = (c[i] - b[i], e[i] - d[i]);
        let usual = before.abs() + after.abs();
        let rounding = R::from_f64(64.0 * R::EPSILON) * (c[i].abs() + d[i].abs());
        let bend = (before - (b[i] - a[i])).abs() + (after - (f[i] - e[i])).abs();
        let jump = (d[i] - c[i]).abs() > usual * R::from_f64(1e-3) + rounding;
        let kink = (after - before).abs() > usual * R::from_f64(0.02) + bend * R::from_f64(4.0) + rounding;
        !jump && !kink
    })
}
