//! Where a step over the end of a phase reached it.

use super::reduced::{Place, Reduced};
use super::rows::Rows;
use super::rules::{Driven, Reached};
use crate::error::Failure;
use crate::quantities::{Gap, Law};
use crate::scalar::Scalar;
use crate::state::State;

impl<S, R, const N: usize, const C: usize, const U: usize, const W: usize> Driven<'_, '_, '_, S, R, N, C, U, W>
where
    S: Rows<R, N, C, U>,
    R: Scalar,
{
    /// The state, near the end of a step and not after the time `latest`, at which the first gap or slip rate among the rows `crossed` is 0, and
    /// with it the gaps of all contacts that close at the same time.
    ///
    /// The end is moved along its motion, and its time with it. So a body keeps its energy until an impact, coordinates that take no
    /// part in it lose no time, and the rates of slips are exactly 0.
    pub(super) fn reached(
        &mut self,
        [start, end]: [&State<R, N>; 2],
        (crossed, latest, time_rounding): (u64, R, f64),
    ) -> Result<State<R, N>, Failure> {
        let State { t, q, v } = *end;
        let u = (self.inputs)(t, &q, &v);
        let place = Place::new(self.system, t, &q, &v, &u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        let names = self.system.row_names();
        let forces = reduced.forces(self.phases, names)?;
        let gaps = self.gaps(t, &q);
        // The time since the first row was 0; negative where none has been so yet.
        let (mut since, mut stopping): (Option<R>, _) = (None, self.phases);
        for k in (0..reduced.rows().len()).filter(|&k| crossed >> k & 1 == 1 && !self.phases.sticks(k)) {
            let rate = reduced.rows()[k].rate;
            let (value, slope) = match self.law(k) {
                Law::Contact { gap } => (gaps[gap].value, rate),
                Law::Vector { .. } | Law::VectorSlip { .. } | Law::Latch { .. } => continue,
                Law::Friction | Law::Loaded { .. } | Law::Slip { .. } => {
                    stopping.stick(k);
                    let way = R::from_f64(self.phases.direction(k));
                    let beyond = if (rate * way).to_f64() < 0.0 { rate * way } else { R::ZERO };
                    (beyond, R::from_f64(reduced.motion_of(k, &forces)) * way)
                }
            };
            if slope.to_f64() < 0.0 {
                let own = value / slope;
                since = Some(since.filter(|first| first.to_f64() > own.to_f64()).unwrap_or(own));
            }
        }
        // A step must not be empty: one rounding of the time is left of it.
        let (longest, shortest) = ((t - start.t) - t.abs() * R::from_f64(R::EPSILON), t - latest);
        let since = self.before_others(&reduced, &gaps, (crossed, since.unwrap_or(R::ZERO)));
        let since = if since.to_f64() > longest.to_f64() { longest } else { since };
        let since = if since.to_f64() < shortest.to_f64() { shortest } else { since };
        let a = reduced.acceleration(&forces).acceleration;
        let half = since * R::from_f64(0.5);
        let (t, q, v) = (t - since, q - (v - a * half) * since, v - a * since);
        if stopping == self.phases {
            let state = State { t, q, v };
            let closing = self.closing_near(&state, (crossed, time_rounding))?;
            return Ok(State { q: self.grounded(&state, closing)?, ..state });
        }
        let u = (self.inputs)(t, &q, &v);
        let place = Place::new(self.system, t, &q, &v, &u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        Ok(State { t, q, v: reduced.stop(stopping, &v, names)? })
    }

    /// The time since the first row was 0, where it is negative: what is stuck may not end its phase, and no open gap may pass 0, before that row
    /// is reached. A gap far from the origin may be open by its rounding, which other bodies pass in a time that is no rounding.
    fn before_others(&self, reduced: &Reduced<'_, R, N, C, W>, gaps: &[Gap<R>; W], (crossed, since): (u64, R)) -> R {
        let ends_before = (0..reduced.rows().len()).any(|k| crossed >> k & 1 == 1 && self.phases.sticks(k));
        if ends_before && since.to_f64() < 0.0 {
            return R::ZERO;
        }
        let others = self.gap_rows().filter(|&(k, _)| !self.phases.sticks(k) && crossed >> k & 1 == 0);
        others.fold(since, |since, (k, gap)| {
            let (value, rate) = (gaps[gap].value, reduced.rows()[k].rate);
            if rate.to_f64() < 0.0 && value.to_f64() > 0.0 && since.to_f64() < (value / rate).to_f64() {
                value / rate
            } else {
                since
            }
        })
    }

    /// The contacts that close at a state together with the contacts among the rows `crossed`, although their gaps are still open by what
    /// counts as no time. A contact that has just opened is as near, but its gap grows.
    fn closing_near(&mut self, state: &State<R, N>, (crossed, rounding): (u64, f64)) -> Result<u64, Failure> {
        let State { t, q, v } = state;
        let u = (self.inputs)(*t, q, v);
        let place = Place::new(self.system, *t, q, v, &u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        let reached = Reached { crossed, fresh: false, rounding, whole: rounding };
        let (touching, _) = self.touching(state, &reduced, reached)?;
        let gaps = self.gaps(*t, q);
        let closes = |k: usize, gap: usize| {
            let approaches = reduced.rows()[k].rate.to_f64() < 0.0;
            approaches && !self.phases.sticks(k) && gaps[gap].value.to_f64() > 0.0
        };
        let closing = self.gap_rows().filter(|&(k, gap)| closes(k, gap)).fold(0_u64, |set, (k, _)| set | 1 << k);
        Ok(touching & closing)
    }
}
