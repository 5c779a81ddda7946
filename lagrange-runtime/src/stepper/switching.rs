//! Steps that end at switches, where the equations change their branch.

mod attracting;
mod holding;
mod rules;

pub use rules::{SwitchRules, Switches};

use super::point::Point;
use crate::error::Failure;
use crate::evaluator::Monitor;
use crate::event::Set;
use crate::method::{Method, Trial};
use crate::scalar::Real;
use crate::state::time_rounding;

/// The number of steps in a row that may go over a switch without resolvable time between them, in addition to one for each
/// switching function.
const HOPS: u32 = 12;

/// The number of changes of phases between two checks of the progress that the motion makes.
const CHANGES: u32 = 256;

/// The least part of the remaining span that [`CHANGES`] changes of phases must advance.
const STILL: f64 = 1e-6;

/// The search for the next switch of the equations.
///
/// An attempt strays if one of its evaluations is on another branch than its start. An attempt that does not stray is a step of
/// a smooth system. An attempt that strays is repeated with a smaller size: it ends a margin before the switch that the state's
/// Taylor polynomial meets. So the steps approach the switch as Newton's iterates do, each at the method's own accuracy. The
/// last of them is a few roundings of the time long, and goes over the switch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Switching<R> {
    /// The end of an attempt that strayed. The switch is before it.
    until: Option<R>,
    /// The size of the first attempt that strayed.
    attempted: R,
    /// How many attempts strayed since the last step.
    strayed: u32,
    /// The end of the last step that went over a switch.
    hopped_at: Option<R>,
    /// How many steps in a row went over a switch to which both sides lead back, or without resolvable time between them.
    hops: u32,
    /// The slip rates and gaps whose zero the last step went over.
    pub(super) crossed: Set,
    /// The longest step in which the forces of sticking contacts, or the directions of slips, are resolved. `None` where none was too long.
    resolved: Option<R>,
    /// How many phases changed since the time `marked_at`.
    changes: u32,
    marked_at: Option<R>,
}

/// An attempt's size, and whether it is so short that it may go over the switch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut<R> {
    pub(super) size: R,
    pub(super) hop: bool,
}

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course {
    /// All its evaluations are on one branch.
    Smooth,
    /// An evaluation is on another branch, so that a shorter attempt follows.
    Strayed,
    /// It went over the switch.
    Over,
    /// It ends where a switching function has no value.
    Lost(Failure),
}

/// What a system gives where it has switching functions.
type Rules<R, const N: usize, const C: usize> = dyn SwitchRules<R, N, C>;

impl<R: Real> Switching<R> {
    pub(super) fn new() -> Self {
        Self {
            until: None,
            attempted: R::ZERO,
            strayed: 0,
            hopped_at: None,
            hops: 0,
            crossed: Set::EMPTY,
            resolved: None,
            changes: 0,
            marked_at: None,
        }
    }

    /// The first number that no integration to `t_end` can have at time `t`: its name, its value, and what is allowed.
    pub(super) fn fault(&self, t: R, t_end: R) -> Option<(&'static str, R, &'static str)> {
        let (left, size) = ((t_end - t).abs(), self.attempted);
        let is_ahead = |s: R| (t_end - s).abs() <= left && (s - t).abs() <= left;
        if let Some(s) = self.until.filter(|&s| !is_ahead(s)) {
            return Some(("time of the switch ahead", s, "between the time reached and `t_end`"));
        }
        if let Some(s) = self.hopped_at.filter(|&s| !(s.is_finite() && (t_end - s).abs() >= left)) {
            return Some(("time of the last switch", s, "at or before the time reached"));
        }
        if let Some(resolved) = self.resolved.filter(|&resolved| !(resolved > R::ZERO && resolved.is_finite())) {
            return Some(("longest step that resolves the forces of contacts", resolved, "positive and finite"));
        }
        let is_size = size >= R::ZERO && size.is_finite();
        (!is_size).then_some(("size of the step that met a switch", size, "finite, and not negative"))
    }

    /// Forgets the switch ahead, because the motion goes on from another state or on another branch.
    pub(super) fn forget(&mut self) {
        (self.until, self.strayed) = (None, 0);
    }

    /// The size of the next attempt from `now`, in a span of at most this size towards a time. It is less where a switch is ahead.
    pub(super) fn cut<M, const N: usize, const C: usize>(
        &self,
        rules: &Rules<R, N, C>,
        evaluator: &mut dyn Monitor<R, N, C>,
        method: &M,
        now: &mut Point<R, N, M::Memory>,
        span: (R, R),
    ) -> Result<Cut<R>, Failure>
    where
        M: Method<R, N, C>,
    {
        let state = now.synchronise(evaluator, method)?;
        let mut acceleration = |evaluator: &mut dyn Monitor<R, N, C>| now.accelerate(evaluator, method);
        rules.cut(self, evaluator, &state, &mut acceleration, span)
    }

    /// Judges an attempt that started at `now` and ends at `end`. `trial` is its result, if it has one.
    pub(super) fn judge<M, const N: usize, const C: usize>(
        &mut self,
        rules: &Rules<R, N, C>,
        evaluator: &mut dyn Monitor<R, N, C>,
        method: &M,
        trial: Option<&Trial<R, N, M::Memory>>,
        now: &mut Point<R, N, M::Memory>,
        attempt: (Cut<R>, R),
    ) -> Result<Course, Failure>
    where
        M: Method<R, N, C>,
    {
        let before = now.synchronise(evaluator, method)?;
        let after = match trial {
            Some(trial) if trial.state.is_finite() => {
                Some(method.synchronise(evaluator, &trial.state, &trial.memory)?)
            }
            _ => None,
        };
        rules.judge(self, evaluator, (&before, after.as_ref()), attempt, M::ADAPTIVE)
    }

    /// Counts the phases that changed at time `t`: those of the rows `changed`, one bit each.
    ///
    /// # Errors
    /// [`Failure::Chatter`] where the phases change again and again while the motion advances by almost nothing.
    pub(super) fn count_changes<const N: usize, const C: usize>(
        &mut self,
        evaluator: &mut dyn Monitor<R, N, C>,
        (t, t_end): (R, R),
        changed: u8,
    ) -> Result<(), Failure> {
        (self.crossed, self.resolved) = (Set::EMPTY, None);
        evaluator.statistics_mut().phases += u64::from(changed.count_ones());
        let since = *self.marked_at.get_or_insert(t);
        self.changes += changed.count_ones();
        if self.changes < CHANGES {
            return Ok(());
        }
        (self.changes, self.marked_at) = (0, Some(t));
        if (t - since).abs() >= (t_end - since).abs() * R::from_f64(STILL) {
            return Ok(());
        }
        Err(Failure::Chatter { contacts: changed, names: evaluator.row_names() })
    }

    /// Records that an attempt became a step.
    pub(super) fn accept(&mut self) {
        self.strayed = 0;
    }

    /// The size and the end of the next step towards `target`, the end of a fixed step of size `step`. A switch ahead cuts it
    /// short.
    #[allow(clippy::type_complexity, reason = "a size, an end and a cut")]
    pub(super) fn cut_fixed<M, const N: usize, const C: usize>(
        &self,
        rules: &Rules<R, N, C>,
        evaluator: &mut dyn Monitor<R, N, C>,
        method: &M,
        now: &mut Point<R, N, M::Memory>,
        (step, target): (R, R),
    ) -> Result<((R, R), Cut<R>), Failure>
    where
        M: Method<R, N, C>,
    {
        let t = now.state.t;
        // Where no switch cut the step before short, the size is exactly that of the section.
        let left = target - t;
        let whole = if (left - step).abs() <= time_rounding(t, target) { step } else { left };
        let cut = self.cut(rules, evaluator, method, now, (whole.abs(), target))?;
        if cut.size >= whole.abs() {
            return Ok(((whole, target), cut));
        }
        let h = if whole < R::ZERO { -cut.size } else { cut.size };
        Ok(((h, t + h), cut))
    }
}
