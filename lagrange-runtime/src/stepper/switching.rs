//! Steps that end where the equations change their branch.

use super::point::Point;
use crate::error::Failure;
use crate::evaluator::Monitor;
use crate::method::{Method, Trial};
use crate::options::time_rounding;
use crate::scalar::Real;
use crate::state::State;
use nalgebra::SVector;

/// How many steps in a row may end on switches without resolvable time between, besides one for each switching function.
const HOPS: u32 = 12;

/// Where the next switch of the equations may lie, and when steps last went over one.
///
/// A step all of whose evaluations are on the branch of its start is a step of a smooth system. One that strays is tried
/// again, shorter: up to a margin before the switch that the state's Taylor polynomial meets. So the steps come closer to the
/// switch like Newton's iterates, each at the method's own accuracy, and the last of them, a few roundings of the time long,
/// goes over it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Switching<R> {
    /// The end of an attempt that strayed: the switch is before it.
    until: Option<R>,
    /// The size of the first attempt that strayed.
    attempted: R,
    /// How many attempts strayed since the last step.
    strayed: u32,
    /// When a step last went over a switch.
    hopped_at: Option<R>,
    /// How many did so in a row without resolvable time between.
    hops: u32,
}

/// An attempt's size, and whether it is so short that it may go over the switch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut<R> {
    pub(super) size: R,
    pub(super) hop: bool,
}

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Course {
    /// All of it is on one branch.
    Smooth,
    /// It strayed to another branch, and is to be tried again.
    Strayed,
    /// It went over the switch.
    Over,
    /// It ends where a switching function has no value.
    Lost(Failure),
}

impl<R: Real> Switching<R> {
    pub(super) fn new() -> Self {
        Self { until: None, attempted: R::ZERO, strayed: 0, hopped_at: None, hops: 0 }
    }

    /// The first of its numbers that no integration from time `t` to `t_end` can have left, by name, with what it must be.
    pub(super) fn fault(&self, t: R, t_end: R) -> Option<(&'static str, R, &'static str)> {
        let (left, size) = ((t_end - t).abs(), self.attempted);
        let is_ahead = |s: R| (t_end - s).abs() <= left && (s - t).abs() <= left;
        if let Some(s) = self.until.filter(|&s| !is_ahead(s)) {
            return Some(("time of the switch ahead", s, "between the time reached and `t_end`"));
        }
        if let Some(s) = self.hopped_at.filter(|&s| !(s.is_finite() && (t_end - s).abs() >= left)) {
            return Some(("time of the last switch", s, "at or before the time reached"));
        }
        let is_size = size >= R::ZERO && size.is_finite();
        (!is_size).then_some(("size of the step that met a switch", size, "finite, and not negative"))
    }

    /// Forgets the switch ahead, where an event interrupted the motion.
    pub(super) fn forget(&mut self) {
        (self.until, self.strayed) = (None, 0);
    }

    /// The size of the next attempt from `now` towards `target`, where `size` is wanted.
    pub(super) fn cut<M, const N: usize, const C: usize>(
        &self,
        evaluator: &mut dyn Monitor<R, N, C>,
        method: &M,
        now: &mut Point<R, N, M::Memory>,
        size: R,
        target: R,
    ) -> Result<Cut<R>, Failure>
    where
        M: Method<R, N, C>,
    {
        let state = now.synchronise(evaluator, method)?;
        let resolution = time_rounding(state.t, target) * R::from_f64(2.0);
        let mut cut = size;
        if let Some(until) = self.until {
            let a = now.accelerate(evaluator, method)?;
            let width = (until - state.t).abs();
            let way = if target < state.t { -R::ONE } else { R::ONE };
            let ahead = switch_ahead(evaluator, &state, &a, width * way, resolution);
            cut = match ahead {
                None => width * R::from_f64(0.5),
                Some(ahead) => {
                    // What the polynomial does not see shrinks faster than the way ahead; an attempt that strays all the same
                    // asks for more, and at the third at the latest for half.
                    let half = R::from_f64(0.5);
                    let more = R::from_f64([0.1, 1.0, 10.0][self.strayed.min(2) as usize]);
                    let part = more * (ahead / self.attempted);
                    let margin = ahead * if self.strayed > 2 || part > half { half } else { part };
                    let least = resolution * half;
                    let before = ahead - if margin > least { margin } else { least };
                    if width <= resolution { width } else { before }
                }
            };
            cut = if cut < resolution { resolution } else { cut };
            cut = if cut < size { cut } else { size };
        }
        let hop = cut <= resolution;
        evaluator.stay_on_branch(&state, cut, hop);
        Ok(Cut { size: cut, hop })
    }

    /// Judges an attempt that began at `t` and ends at `end`, whether or not it gave a state.
    pub(super) fn judge<M, const N: usize, const C: usize>(
        &mut self,
        evaluator: &mut dyn Monitor<R, N, C>,
        method: &M,
        trial: Option<&Trial<R, N, M::Memory>>,
        now: &mut Point<R, N, M::Memory>,
        (cut, end): (Cut<R>, R),
    ) -> Result<Course, Failure>
    where
        M: Method<R, N, C>,
    {
        let t = now.state.t;
        let mut landed = false;
        if let Some(trial) = trial
            && trial.state.is_finite()
        {
            let state = method.synchronise(evaluator, &trial.state, &trial.memory)?;
            if let Err(failure) = evaluator.look_at(&state) {
                return Ok(Course::Lost(failure));
            }
            landed = true;
        }
        let strayed = evaluator.leave_branch();
        if strayed.is_empty() {
            let passed = |until: R| (until - t).abs() <= (end - t).abs();
            if self.until.is_some_and(passed) {
                self.until = None;
            }
            return Ok(Course::Smooth);
        }
        if cut.hop && landed {
            self.forget();
            let close = |last: R| (t - last).abs() <= cut.size * R::from_f64(16.0);
            self.hops = if self.hopped_at.is_some_and(close) { self.hops + 1 } else { 1 };
            self.hopped_at = Some(end);
            if self.hops > HOPS + evaluator.switch_count() as u32 {
                let index = strayed.first().unwrap_or(0);
                return Err(Failure::Sliding { index, switch: evaluator.switch_names().get(index).copied() });
            }
            return Ok(Course::Over);
        }
        if cut.hop {
            // No shorter attempt stays before the switch, and behind it there is no value.
            let start = now.synchronise(evaluator, method)?;
            let ahead = State { t: end, q: start.q + start.v * (end - t), v: start.v };
            return Ok(evaluator.check_switches(&ahead).map_or_else(Course::Lost, |()| Course::Smooth));
        }
        if self.until.is_none() {
            self.attempted = cut.size;
        }
        self.until = Some(end);
        self.strayed += 1;
        Ok(Course::Strayed)
    }

    /// Takes an attempt as a step.
    pub(super) fn accept(&mut self) {
        self.strayed = 0;
    }

    /// A step of fixed size from `now` to `target`, or as much of it as the next switch allows: its size and its end.
    #[allow(clippy::type_complexity, reason = "a size, an end and a cut")]
    pub(super) fn cut_fixed<M, const N: usize, const C: usize>(
        &self,
        evaluator: &mut dyn Monitor<R, N, C>,
        method: &M,
        now: &mut Point<R, N, M::Memory>,
        (step, target): (R, R),
    ) -> Result<((R, R), Cut<R>), Failure>
    where
        M: Method<R, N, C>,
    {
        let t = now.state.t;
        // The section's own step, to the bit, where no switch shortened the one before.
        let left = target - t;
        let whole = if (left - step).abs() <= time_rounding(t, target) { step } else { left };
        let cut = self.cut(evaluator, method, now, whole.abs(), target)?;
        if cut.size >= whole.abs() {
            return Ok(((whole, target), cut));
        }
        let h = if whole < R::ZERO { -cut.size } else { cut.size };
        Ok(((h, t + h), cut))
    }
}

/// How far ahead, within `width` in the direction of its sign, the Taylor polynomial of a state leaves its branch.
fn switch_ahead<R, const N: usize, const C: usize>(
    evaluator: &mut dyn Monitor<R, N, C>,
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
