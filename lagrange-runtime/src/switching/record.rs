//! Tells an observer what happened at switches and contacts at one instant.

use super::Branching;
use crate::contact::Settled;
use crate::instant::{Cause, Instant, Phase};
use crate::quantities::Law;
use crate::scalar::Real;
use crate::set::Set;
use crate::state::State;

/// Tells what happened at one instant: switches, then impacts, then changes of phases.
pub(super) fn record<R: Real, const N: usize>(
    motion: &dyn Branching<R, N>,
    before: &State<R, N>,
    (switched, settled): (Set, &Settled<R, N>),
    tell: &mut dyn FnMut(&Instant<R, N>),
) {
    let Settled { state: after, changed, impulses } = *settled;
    let before = State { t: after.t, ..*before };
    let mut say = |cause, impulse| tell(&Instant { cause, before, after, impulse });
    for index in (0..motion.switch_count()).filter(|&index| switched.contains(index)) {
        say(Cause::Switch(index), R::ZERO);
    }
    let rows = || motion.row_names().iter().copied().enumerate();
    for (k, name) in rows() {
        match impulses.get(k) {
            Some(&impulse) if impulse != R::ZERO => say(Cause::Impact(name), impulse),
            _ => {}
        }
    }
    let phases = motion.phases();
    for (k, name) in rows().filter(|(k, _)| changed >> k & 1 == 1) {
        let phase = match (motion.row_laws().get(k), phases.sticks(k)) {
            (Some(Law::Contact { .. } | Law::Latch { .. }), true) => Phase::Closed,
            (Some(Law::Contact { .. } | Law::Latch { .. }), false) => Phase::Open,
            (_, true) => Phase::Sticks,
            (Some(Law::Vector { .. } | Law::VectorSlip { .. }), false) => Phase::Slips,
            _ if phases.direction(k) < 0.0 => Phase::SlipsBackward,
            _ => Phase::Slips,
        };
        say(Cause::Phase(name, phase), R::ZERO);
    }
}
