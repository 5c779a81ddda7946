//! Steps that end at switches, where the equations change their branch.
//!
//! The search knows a motion by the trait [`Branching`] alone, so that it stands below [`System`](crate::system::System), which names the rules.

mod attempt;
mod attracting;
mod branch;
mod branching;
mod holding;
mod record;
mod rules;

pub(crate) use attempt::{Attempt, Smooth};
pub(crate) use branch::Branch;
pub(crate) use branching::Branching;
pub use rules::{SwitchRules, Switches};

use crate::error::Failure;
use crate::scalar::Real;
use crate::set::Set;
use crate::state::time_rounding;

/// The number of steps in a row that may go over a switch without resolvable time between them, in addition to one for each
/// switching function.
const HOPS: u32 = 12;

/// The number of changes of phases between two checks of the progress that the motion makes, for up to [`FEW`] rows.
const CHANGES: u32 = 256;

/// So many rows have [`CHANGES`] changes together. Of more rows, each has as many: a body that rocks on twelve feet has about 1300 until it rests.
const FEW: u32 = 8;

/// So many steps may come no nearer to a switch before they go over it.
const STILL_STEPS: u32 = 4;

/// How often the size of such a step is doubled at most.
const MOST_DOUBLINGS: u32 = 30;

/// The largest distance to a switch at which steps that come no nearer are told from an approach that is slow, as a part of the attempt that met the switch.
const NEAR: f64 = 1e-6;

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
    /// The size of the last step, and how many steps in a row have not come nearer to the switch.
    stepped: R,
    still: u32,
    /// The end of the last step that went over a switch.
    hopped_at: Option<R>,
    /// How many steps in a row went over a switch to which both sides lead back, or without resolvable time between them.
    hops: u32,
    /// The slip rates and gaps whose zero the last step went over.
    pub(crate) crossed: Set,
    /// The other switching functions whose zero the last step went over.
    pub(crate) switched: Set,
    /// The longest step in which the forces of sticking contacts, or the directions of slips, are resolved. `None` where none was too long.
    resolved: Option<R>,
    /// How many phases changed since the time `marked_at`.
    changes: u32,
    marked_at: Option<R>,
}

/// An attempt's size, and whether it is so short that it may go over the switch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut<R> {
    pub(crate) size: R,
    pub(crate) hop: bool,
    /// The distance to the switch, by the polynomial of the state.
    pub(crate) ahead: Option<R>,
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

impl<R: Real> Switching<R> {
    pub(crate) fn new() -> Self {
        Self {
            until: None,
            attempted: R::ZERO,
            strayed: 0,
            stepped: R::ZERO,
            still: 0,
            hopped_at: None,
            hops: 0,
            crossed: Set::EMPTY,
            switched: Set::EMPTY,
            resolved: None,
            changes: 0,
            marked_at: None,
        }
    }

    /// The first number that no integration to `t_end` can have at time `t`: its name, its value, and what is allowed.
    pub(crate) fn fault(&self, t: R, t_end: R) -> Option<(&'static str, R, &'static str)> {
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

    /// Takes back what the last step crossed, because an event interrupts the motion before the end of that step.
    pub(crate) fn withdraw(&mut self) {
        (self.crossed, self.switched, self.hopped_at) = (Set::EMPTY, Set::EMPTY, None);
    }

    /// Forgets the switch ahead, because the motion goes on from another state or on another branch.
    pub(crate) fn forget(&mut self) {
        (self.until, self.strayed, self.still) = (None, 0, 0);
    }

    /// Whether a switch is ahead, so that [`SwitchRules::cut`] needs the acceleration.
    pub(crate) fn is_near(&self) -> bool {
        self.until.is_some()
    }

    /// Counts the phases that changed at time `t`: those of the rows `changed`, one bit each, of `rows`. Returns whether phases change again and again
    /// while the motion advances by almost nothing.
    pub(crate) fn chatters(&mut self, (t, t_end): (R, R), (changed, rows): (u64, u32)) -> bool {
        (self.crossed, self.resolved) = (Set::EMPTY, None);
        let since = *self.marked_at.get_or_insert(t);
        self.changes = self.changes.saturating_add(changed.count_ones());
        if self.changes < if rows > FEW { CHANGES * rows } else { CHANGES } {
            return false;
        }
        (self.changes, self.marked_at) = (0, Some(t));
        (t - since).abs() < (t_end - since).abs() * R::from_f64(STILL)
    }

    /// The rounding of a time near the last switch: that of the time itself, and of the step that met the switch.
    pub(crate) fn time_rounding(&self, t: R) -> R {
        time_rounding(t, t.abs() + self.attempted)
    }

    /// The size of a step over a switch that is `ahead` at this distance, where steps towards it do not come nearer. Soon after t = 0 the time is resolved more finely than
    /// the state: a step before the switch changes no velocity, and the switch is as far ahead as before. Each such step doubles the next one.
    pub(crate) fn stretched(&self, ahead: R) -> Option<R> {
        let doublings = self.still.checked_sub(STILL_STEPS)?.min(MOST_DOUBLINGS);
        Some(ahead * R::from_f64(f64::from(2_u32 << doublings)))
    }

    /// Counts the steps that do not come nearer to the switch.
    pub(crate) fn approach(&mut self, cut: &Cut<R>) {
        let half = R::from_f64(0.5);
        let is_near = |ahead: R| ahead <= self.attempted * R::from_f64(NEAR) && ahead > self.stepped * half;
        self.still = if cut.ahead.is_some_and(is_near) { self.still.saturating_add(1) } else { 0 };
        self.stepped = cut.size;
    }

    /// Moves the end of the last step that went over a switch.
    pub(crate) fn hop_to(&mut self, t: R) {
        self.hopped_at = self.hopped_at.map(|_| t);
    }

    /// Records that an attempt became a step.
    pub(crate) fn accept(&mut self) {
        self.strayed = 0;
    }
}
