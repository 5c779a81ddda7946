//! The rules by which steps end at switches. A system with switching functions gives them by [`System::switch_rules`]. Programs whose systems
//! have none do not contain them.
//!
//! [`System::switch_rules`]: crate::system::System::switch_rules

use super::attracting::attracting;
use super::holding::end_of_hold;
use super::record::record;
use super::{Attempt, Branching};
use super::{Course, Cut, HOPS, Switching};
use crate::contact::{Settled, has_vectors, vector_slips};
use crate::error::Failure;
use crate::instant::Instant;
use crate::scalar::{Real, Scalar};
use crate::set::Set;
use crate::state::{State, time_rounding};
use nalgebra::SVector;

/// The rules by which steps end at the switches of a system. A system with switching functions gives [`Switches`] as this trait's object
/// from [`System::switch_rules`](crate::system::System::switch_rules). Only the driver of integrations calls the methods.
pub trait SwitchRules<R: Scalar, const N: usize> {
    /// The size of the next attempt from `state` towards the time `target`: at most `size`, and less where a switch is ahead. The acceleration at
    /// `state` is given where [`Switching::is_near`] says so.
    #[doc(hidden)]
    fn cut(
        &self,
        switching: &Switching<R>,
        evaluator: &mut dyn Branching<R, N>,
        state: &State<R, N>,
        acceleration: Option<&SVector<R, N>>,
        span: (R, R),
    ) -> Cut<R>
    where
        R: Real;

    /// Judges an attempt of the size `cut` from the first to the second state. The second is `None` where the attempt failed.
    #[doc(hidden)]
    fn judge(
        &self,
        switching: &mut Switching<R>,
        evaluator: &mut dyn Branching<R, N>,
        states: (&State<R, N>, Option<&State<R, N>>),
        attempt: (Cut<R>, R),
        estimates_errors: bool,
    ) -> Result<Course, Failure>
    where
        R: Real;

    /// Tells what happened at an instant, from the state before it: which switches were crossed, and what became of the contacts.
    #[doc(hidden)]
    fn record(
        &self,
        motion: &dyn Branching<R, N>,
        before: &State<R, N>,
        happened: (Set, &Settled<R, N>),
        tell: &mut dyn FnMut(&Instant<R, N>),
    ) where
        R: Real;
}

/// The rules for the switches of every system.
#[derive(Clone, Copy, Debug)]
pub struct Switches;

impl<R: Scalar, const N: usize> SwitchRules<R, N> for Switches {
    fn record(
        &self,
        motion: &dyn Branching<R, N>,
        before: &State<R, N>,
        happened: (Set, &Settled<R, N>),
        tell: &mut dyn FnMut(&Instant<R, N>),
    ) where
        R: Real,
    {
        record(motion, before, happened, tell);
    }

    fn cut(
        &self,
        switching: &Switching<R>,
        evaluator: &mut dyn Branching<R, N>,
        state: &State<R, N>,
        acceleration: Option<&SVector<R, N>>,
        (size, target): (R, R),
    ) -> Cut<R>
    where
        R: Real,
    {
        let size = switching.resolved.map_or(size, |resolved| Scalar::min(resolved, size));
        // The time towards which steps go says nothing about how exactly a time near here can be told. The step that met the switch does.
        let rounding = if switching.is_near() {
            switching.time_rounding(state.t)
        } else {
            time_rounding(state.t, state.t.abs() + size)
        };
        let resolution = rounding * R::from_f64(2.0);
        let (mut cut, mut distance, mut goes_over) = (size, None, false);
        if let (Some(until), Some(a)) = (switching.until, acceleration) {
            let width = (until - state.t).abs();
            let way = if target < state.t { -R::ONE } else { R::ONE };
            distance = switch_ahead(evaluator, state, a, width * way, resolution);
            cut = match distance {
                None => width * R::from_f64(0.5),
                Some(ahead) => {
                    // The polynomial's error falls faster than the distance ahead, so that a small margin is enough. Each
                    // attempt that strays all the same enlarges the margin tenfold; after the third it is half of the distance.
                    let half = R::from_f64(0.5);
                    let more = R::from_f64([0.1, 1.0, 10.0][switching.strayed.min(2) as usize]);
                    let part = more * (ahead / switching.attempted);
                    let margin = ahead * if switching.strayed > 2 || part > half { half } else { part };
                    let least = resolution * half;
                    let before = ahead - if margin > least { margin } else { least };
                    if width <= resolution { width } else { before }
                }
            };
            if let Some(stretched) = distance.and_then(|ahead| switching.stretched(ahead)) {
                (cut, goes_over) = (stretched, true);
            }
            cut = if cut < resolution { resolution } else { cut };
            cut = if cut < size { cut } else { size };
        }
        let cut = cut.without_derivatives();
        let hop = goes_over || cut <= resolution;
        evaluator.stay_on_branch(state, (cut, hop), Attempt::smooth_switches);
        Cut { size: cut, hop, ahead: distance }
    }

    fn judge(
        &self,
        switching: &mut Switching<R>,
        evaluator: &mut dyn Branching<R, N>,
        (before, after): (&State<R, N>, Option<&State<R, N>>),
        (cut, end): (Cut<R>, R),
        estimates_errors: bool,
    ) -> Result<Course, Failure>
    where
        R: Real,
    {
        let t = before.t;
        if let Some(after) = after
            && let Err(failure) = evaluator.look_at(after)
        {
            return Ok(Course::Lost(failure));
        }
        // The stages of a step over a jump of another statement mix the equations of both sides, so that they may show slips that turn
        // back. Whether a phase ends there is decided by the end of the step. It is asked while the attempt lasts.
        let ended = if cut.hop { after.map(|after| evaluator.branch(after).negative()) } else { None };
        let strayed = evaluator.leave_branch();
        if strayed.is_empty()
            && !cut.hop
            && has_vectors(evaluator.row_laws())
            && match after {
                Some(after) => evaluator.turns([before, after], !estimates_errors),
                // Where a slip ends and its force turns round, the equations of an implicit step have no solution.
                None => !estimates_errors && vector_slips(evaluator.row_laws(), evaluator.phases()),
            }
        {
            switching.resolved = Some(cut.size * R::from_f64(0.5));
            return Ok(Course::Strayed);
        }
        if strayed.is_empty()
            && !cut.hop
            && evaluator.phases().must_be_resolved()
            && let Some(after) = after
            // The motion may be at rest, so that step control does not see how fast the forces change.
            && let Some(part) = end_of_hold(evaluator, before, after)
        {
            if switching.until.is_none() {
                switching.attempted = cut.size;
            }
            switching.until = Some(t + (end - t) * R::from_f64(part));
            switching.resolved = Some(cut.size * R::from_f64(0.5));
            switching.strayed = switching.strayed.saturating_add(1);
            return Ok(Course::Strayed);
        }
        if strayed.is_empty() {
            let twice = switching.resolved.map(|resolved| resolved + resolved);
            switching.resolved = twice.filter(|twice| twice.is_finite());
            switching.approach(&cut);
            let passed = |until: R| (until - t).abs() <= (end - t).abs();
            if switching.until.is_some_and(passed) {
                switching.until = None;
            }
            return Ok(Course::Smooth);
        }
        if cut.hop
            && let Some(after) = after
        {
            switching.forget();
            let way = (end - t).sign();
            let lengths = (way * cut.size, way * Scalar::max(switching.attempted, cut.size));
            let contacts = evaluator.contact_set();
            let others = strayed & !contacts;
            let ended = ended.filter(|_| !others.is_empty()).unwrap_or(Set::ALL);
            switching.crossed |= strayed & contacts & ended;
            switching.switched |= others;
            let attracting = attracting(evaluator, (before, after), others, lengths);
            let close = |last: R| (t - last).abs() <= cut.size * R::from_f64(16.0);
            let continues = attracting.is_some() || switching.hopped_at.is_some_and(close);
            switching.hops = if continues { switching.hops.saturating_add(1) } else { 1 };
            switching.hopped_at = Some(end);
            if switching.hops > HOPS + evaluator.switch_count() as u32 {
                let index = attracting.or(strayed.first()).unwrap_or(0);
                if contacts.contains(index) {
                    return Err(chatter(evaluator, switching.crossed));
                }
                return Err(Failure::Sliding { index, switch: evaluator.switch_names().get(index).copied() });
            }
            return Ok(Course::Over);
        }
        if cut.hop {
            // No shorter attempt can end before the switch, and a switching function may have no value behind it.
            let ahead = State { t: end, q: before.q + before.v * (end - t), v: before.v };
            return Ok(evaluator.check_switches(&ahead).map_or_else(Course::Lost, |()| Course::Smooth));
        }
        if switching.until.is_none() {
            switching.attempted = cut.size;
        }
        switching.until = Some(end);
        switching.strayed = switching.strayed.saturating_add(1);
        Ok(Course::Strayed)
    }
}

/// The distance at which the Taylor polynomial of a state leaves the state's branch. It is sought within `width`, whose sign is
/// the direction; `None` if the polynomial stays on the branch.
fn switch_ahead<R, const N: usize>(
    evaluator: &mut dyn Branching<R, N>,
    state: &State<R, N>,
    a: &SVector<R, N>,
    width: R,
    resolution: R,
) -> Option<R>
where
    R: Real,
{
    let half = R::from_f64(0.5);
    let branch = evaluator.branch(state);
    let mut leaves = |s: R| {
        let moved = State { t: state.t + s, q: state.q + (state.v + a * (s * half)) * s, v: state.v + a * s };
        evaluator.branch(&moved) != branch
    };
    if !leaves(width) {
        return None;
    }
    let (mut inside, mut outside) = (R::ZERO, width);
    for _ in 0..100 {
        let middle = (inside + outside) * half;
        if (outside - inside).abs() <= resolution * R::from_f64(0.125) {
            break;
        }
        if leaves(middle) { outside = middle } else { inside = middle }
    }
    Some(outside.abs())
}

/// The failure of contacts whose slip rates cross 0 again and again without resolvable time between.
#[cold]
fn chatter<R: Real, const N: usize>(evaluator: &dyn Branching<R, N>, crossed: Set) -> Failure {
    let switches = evaluator.row_switches().iter().enumerate();
    // The components of a vector have one switching function, and one name.
    let is_first = |k: usize, switch: usize| k == 0 || evaluator.row_switches().get(k - 1) != Some(&switch);
    let contacts = switches
        .filter(|&(k, &switch)| crossed.contains(switch) && is_first(k, switch))
        .fold(0, |set, (k, _)| set | 1 << k);
    Failure::Chatter { contacts, names: evaluator.row_names() }
}
