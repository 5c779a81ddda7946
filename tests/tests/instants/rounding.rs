//! The effect of rounding, which is measured: a motion of the reference is computed with a small random error at each event, and the
//! differences between such motions say how exactly the scene determines what happens.

use super::scene::{Item, What};
use lagrange_tests::random::Random;

/// Random relative errors.
pub(crate) struct Noise {
    pub(crate) random: Random,
    /// Their size, in roundings, and that of the state at an event.
    pub(crate) roundings: f64,
    pub(crate) at_events: f64,
}

/// Contacts that are reached within this part of the times after another instant may be taken as reached at that instant: 32
/// times the 4 roundings that are the rounding of a time.
pub(crate) const SIMULTANEOUS: f64 = 128.0 * f64::EPSILON;

/// Whether something else happens so shortly before coordinate `of` meets its floor at time `t` that the contact may be taken as
/// reached there.
pub(crate) fn joins(items: &[Item], (of, t): (usize, f64), t_end: f64) -> bool {
    let near = |other: f64| other <= t && other >= t - SIMULTANEOUS * (t + t_end);
    let own = [What::Impact(of), What::Rests(of), What::Leaves(of)];
    items.iter().any(|item| !own.contains(&item.what) && near(item.t))
}

impl Noise {
    pub(crate) fn of(&mut self, scale: f64) -> f64 {
        self.sized(self.roundings, scale)
    }

    pub(crate) fn at_event(&mut self, scale: f64) -> f64 {
        self.sized(self.roundings.max(self.at_events), scale)
    }

    fn sized(&mut self, roundings: f64, scale: f64) -> f64 {
        self.random.between(-roundings, roundings) * f64::EPSILON * scale
    }
}
