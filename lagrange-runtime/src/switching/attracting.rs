//! Switches to which the equations on both sides lead back.

use super::Branching;
use crate::limits::MAX_SWITCHES;
use crate::scalar::Real;
use crate::set::Set;
use crate::state::State;

/// The part of an attempt over which the rates of switching functions are computed. Only their signs matter.
const RATE_PART: f64 = 1.0 / 131_072.0;

/// The switching functions at a state, and their values at nearby times along the tangent there.
struct Side<R> {
    here: [R; MAX_SWITCHES],
    back: [R; MAX_SWITCHES],
    ahead: [R; MAX_SWITCHES],
}

impl<R: Real> Side<R> {
    /// Whether the motion at this side leads to the zero of a switching function.
    fn leads_back(&self, index: usize) -> bool {
        self.here[index] * (self.ahead[index] - self.back[index]) < R::ZERO
    }
}

/// The first of the `strayed` switching functions to whose zero the equations on both sides lead back. The states are those
/// before and after a step over the switch. The lengths are those of this step and of the attempt that met the switch; their
/// sign is the direction of the integration.
///
/// The motion slides along such a switch, or sticks there (A. F. Filippov, *Differential Equations with Discontinuous
/// Righthand Sides*, 1988, §4). The time between two crossings shows this only where both sides lead back about equally fast:
/// from a side whose equations lead back slowly, the motion returns after many resolvable times.
#[cold]
#[inline(never)]
pub(super) fn attracting<R, const N: usize>(
    evaluator: &mut dyn Branching<R, N>,
    (before, after): (&State<R, N>, &State<R, N>),
    strayed: Set,
    (step, attempted): (R, R),
) -> Option<usize>
where
    R: Real,
{
    let part = attempted * R::from_f64(RATE_PART);
    let first = side(evaluator, before, part)?;
    let found = crossed(evaluator, after, &first, strayed, part);
    if found.is_some() {
        return found;
    }
    // A step from the slow side, over the switch and back, ends on the side on which it began. The tangent leads to the other.
    let a = evaluator.acceleration_under(before, &before.v).ok()?;
    [1.0, 4.0, 16.0, 64.0].into_iter().find_map(|multiple| {
        let s = step * R::from_f64(multiple);
        let beyond = State { t: before.t + s, q: before.q + before.v * s, v: before.v + a * s };
        crossed(evaluator, &beyond, &first, strayed, part)
    })
}

/// The first of the `strayed` switching functions that has the other sign at `state` than on the `first` side, and to whose
/// zero both sides lead back.
fn crossed<R, const N: usize>(
    evaluator: &mut dyn Branching<R, N>,
    state: &State<R, N>,
    first: &Side<R>,
    strayed: Set,
    part: R,
) -> Option<usize>
where
    R: Real,
{
    let second = side(evaluator, state, part)?;
    (0..MAX_SWITCHES).filter(|&index| strayed.contains(index)).find(|&index| {
        let changed = first.here[index] * second.here[index] < R::ZERO;
        changed && first.leads_back(index) && second.leads_back(index)
    })
}

/// The side of a state. The acceleration is not counted as an evaluation, because it serves no step.
fn side<R, const N: usize>(evaluator: &mut dyn Branching<R, N>, state: &State<R, N>, part: R) -> Option<Side<R>>
where
    R: Real,
{
    let a = evaluator.acceleration_under(state, &state.v).ok()?;
    let mut at = |s: R| {
        let moved = State { t: state.t + s, q: state.q + state.v * s, v: state.v + a * s };
        let mut values = [R::ZERO; MAX_SWITCHES];
        evaluator.switches(&moved, &mut values);
        values
    };
    Some(Side { here: at(R::ZERO), back: at(-part), ahead: at(part) })
}
