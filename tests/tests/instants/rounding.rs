//! The effect of rounding, which is measured: a motion of the reference is computed with a small random error at each event, and the
//! differences between such motions say how exactly the scene determines what happens.

use super::scene::{Item, Scene, What};
use lagrange_tests::random::Random;

/// Random relative errors.
pub(crate) struct Noise {
    pub(crate) random: Random,
    /// Their size, in roundings, and that of the state at an event.
    pub(crate) roundings: f64,
    pub(crate) at_events: f64,
}

/// Contacts that are reached within this part of the times after another instant may be taken as reached at that instant: the library says
/// 32 roundings of the time, and the rounding of a time that is computed is 4 of its terms ([`Scene::clock`]).
pub(crate) const SIMULTANEOUS: f64 = 128.0 * f64::EPSILON;

/// A gap of at most this many roundings of the coordinate and of the level may be taken as closed where something else happens. The
/// terms of q = q₀ + v₀ t + a t²/2 err by n roundings at the end of a step, with the method's [`steps`](super::run::Roundings::steps)
/// as n. Those as large as the level make a gap of up to n + 1 roundings of the level, and 2 · 64 > n + 1. Those as large as v t make
/// n roundings of the time, and 128 > n. A test asserts both for every method.
pub(crate) const CLOSED: f64 = 64.0;

/// The time within which a contact that is reached at time `t` may be taken as reached with something else. The `slack` is the time in which the
/// ball passes a rounding of its gap.
pub(crate) fn window(scene: &Scene, t: f64, slack: f64) -> f64 {
    SIMULTANEOUS * scene.clock(t) + CLOSED * slack
}

/// Whether something else may happen so shortly before coordinate `of` meets its floor at time `t` that the contact may be taken as
/// reached there. What happens later, by less than the error `slacks` of its own time, may be found before `t`.
pub(crate) fn joins((items, slacks): (&[Item], &[f64]), (of, t): (usize, f64), window: f64) -> bool {
    let near = |other: f64, slack: f64| other - slack <= t && other >= t - window;
    let own = [What::Impact(of), What::Rests(of), What::Leaves(of)];
    items.iter().zip(slacks).any(|(item, &slack)| !own.contains(&item.what) && near(item.t, slack))
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
