//! Impacts: what happens where contacts close.
//!
//! All contacts that close at a time take part in one impact, by Newton's law of restitution and Coulomb's law for impulses. An impact may make
//! other contacts approach, so that the next one follows at the same time. A contact that would open for a flight too short to be resolved
//! closes.

use super::gaps::gap_rounding;
use super::laws::Level;
use super::motion::rounding;
use super::phases::Phases;
use super::reduced::{Place, ROUNDINGS, Reduced, terms};
use super::rows::Rows;
use super::rules::{At, Driven, Reached, Settled, Site};
use crate::error::{Failure, SingularMass};
use crate::quantities::{Gap, Law};
use crate::scalar::Scalar;
use crate::state::State;
use nalgebra::SVector;

/// Contacts that close within this many roundings of the time close at the same time.
const SIMULTANEOUS: f64 = 32.0;

/// A contact that an impact would open closes if its next flight would be shorter than this many roundings of the time.
const SHORTEST_FLIGHT: f64 = 128.0;

/// A contact that an impact would open closes if its next flight would not rise above this multiple of the gap that is rounding.
const LOWEST_FLIGHT: f64 = 4.0;

/// The most impacts in a row at one time. A blow passes through a row of bodies and back in a few.
const IMPACTS: u32 = 200;

/// An impact may add energy up to this many roundings of the terms of its loss. It is four times what the laws of the rows are judged by.
pub(super) const ENERGY_ROUNDINGS: f64 = 1024.0;

/// The result of an impact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Impact<R, const N: usize, const W: usize> {
    /// The velocities after it.
    pub(crate) velocities: SVector<R, N>,
    /// The impulse of each row.
    impulses: [R; W],
    /// The sum of the magnitudes by which the impulses change the rate of each row.
    changes: [f64; W],
    /// The energy that it takes away. It is negative where it adds energy, which is not physical.
    pub(crate) loss: f64,
    /// The sum of the magnitudes of the terms of the loss: those that cancel in the rates of the rows count too.
    pub(crate) scale: f64,
}

/// The rows that a set of bits contains, in order.
pub(super) fn rows(mut set: u64) -> impl Iterator<Item = usize> + Clone {
    core::iter::from_fn(move || {
        let row = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(row)
    })
}

impl<R: Scalar, const N: usize, const C: usize, const W: usize> Reduced<'_, R, N, C, W> {
    /// The impact of the contacts `touching` at velocity `v`, with the given coefficients of restitution.
    ///
    /// # Errors
    /// [`SingularMass`] names a contact whose impulse the laws do not determine.
    pub(crate) fn impact(
        &self,
        v: &SVector<R, N>,
        touching: u64,
        restitution: &[R; W],
        names: &[&'static str],
    ) -> Result<Impact<R, N, W>, SingularMass> {
        let is_gap = |k: usize| matches!(self.law(k), Law::Contact { .. });
        let takes_part = |k: usize| match self.law(k) {
            Law::Friction | Law::Loaded { .. } | Law::Vector { .. } => false,
            Law::Contact { .. } | Law::Latch { .. } => touching >> k & 1 == 1,
            Law::Slip { contact } | Law::VectorSlip { contact, .. } => touching >> contact & 1 == 1,
        };
        let candidates = (0..self.count).filter(|&k| takes_part(k)).fold(0, |set, k| set | 1 << k);
        let rate = |k: usize| self.rows[k].rate;
        let level = Level {
            free: core::array::from_fn(|k| if is_gap(k) { rate(k) + restitution[k] * rate(k) } else { rate(k) }),
            terms: core::array::from_fn(|k| 2.0 * terms(&self.rows[k], v)),
            is_impact: true,
            is_pressed: true,
        };
        let impulses = self.decide_all(Phases::default(), candidates, &level, names)?.forces;
        let (mut loss, mut scale, mut all_changes) = (0.0, 0.0, [0.0; W]);
        for k in 0..self.count {
            let change = |l: usize| self.compliance[k][l] * impulses[l];
            let after = (0..self.count).fold(rate(k), |sum, l| sum + change(l)).to_f64();
            let (before, impulse) = (rate(k).to_f64(), impulses[k].to_f64());
            let changes: f64 = (0..self.count).map(|l| change(l).to_f64().abs()).sum();
            all_changes[k] = changes;
            loss -= impulse * (before + after) / 2.0;
            scale += impulse.abs() * (terms(&self.rows[k], v) + changes / 2.0);
        }
        Ok(Impact { velocities: v + self.change(&impulses), impulses, changes: all_changes, loss, scale })
    }
}

impl<S, R, const N: usize, const C: usize, const U: usize, const W: usize> Site<'_, S, R, N, C, U, W>
where
    S: Rows<R, N, C, U>,
    R: Scalar,
{
    /// Two sets of rows, one bit each: the contacts that touch at a state, and the touching contacts whose gap is to be made 0.
    pub(super) fn touching(
        &self,
        state: &State<R, N>,
        reduced: &Reduced<'_, R, N, C, W>,
        Reached { crossed, fresh, rounding, whole }: Reached,
    ) -> Result<(u64, u64), Failure> {
        let State { t, q, v } = state;
        let gaps = self.gaps(*t, q);
        let instant = SIMULTANEOUS * rounding;
        let (mut touching, mut ground) = (0_u64, 0_u64);
        // Where no contact has been reached, as at a stop or at a start, one that is near stays open until the motion reaches it.
        let is_impact = self.gap_rows().any(|(k, _)| !self.phases.sticks(k) && crossed >> k & 1 == 1);
        for (k, gap) in self.gap_rows() {
            let (gap, row) = (&gaps[gap], &reduced.rows()[k]);
            self.check_gap((k, gap), reduced, state, fresh.then_some(whole))?;
            let value = gap.value.to_f64();
            let was_closed = self.phases.sticks(k) && !fresh;
            let approach = (-row.rate.to_f64()).max(0.0);
            let within = value <= gap_rounding(gap, row, (*t, q, v)) + if is_impact { approach * instant } else { 0.0 };
            let near = within && (is_impact || fresh && !is_ahead(reduced, k, (value, approach), instant));
            if was_closed || near || crossed >> k & 1 == 1 {
                touching |= 1 << k;
                ground |= u64::from(was_closed || value < 0.0) << k;
            }
        }
        Ok((touching, ground))
    }

    /// Checks the restitution of a contact, and that its gap is not negative at a start, where the rounding of the times of the `whole` integration is given.
    pub(super) fn check_gap(
        &self,
        (k, gap): (usize, &Gap<R>),
        reduced: &Reduced<'_, R, N, C, W>,
        State { t, q, v }: &State<R, N>,
        whole: Option<f64>,
    ) -> Result<(), Failure> {
        let (row, contact) = (&reduced.rows()[k], self.name(k));
        let (value, restitution) = (gap.value.to_f64(), gap.restitution.to_f64());
        if !(0.0..=1.0).contains(&restitution) {
            let approach = -row.rate.to_f64();
            return Err(Failure::BadRestitution { contact, restitution, approach, t: t.to_f64() });
        }
        let Some(whole) = whole else { return Ok(()) };
        let below = gap_rounding(gap, row, (*t, q, v)) + within_an_instant(reduced, k, v, SIMULTANEOUS * whole);
        if value < -below || value.is_nan() {
            return Err(Failure::Penetration { contact, gap: value, t: t.to_f64() });
        }
        Ok(())
    }

    /// The coefficients of restitution of the `approaching` contacts at a place, and 0 for other rows. Each depends on the speed of approach
    /// before its own impact, also where several impacts follow each other at one time.
    pub(super) fn restitutions(
        &self,
        (t, q, v, u): At<'_, R, N, U>,
        approaching: u64,
        rate: impl Fn(usize) -> f64,
    ) -> Result<[R; W], Failure> {
        let (mut of_gaps, mut restitution) = ([R::ZERO; W], [R::ZERO; W]);
        self.system.restitutions(t, q, v, u, &mut of_gaps);
        for (k, gap) in self.gap_rows().filter(|(k, _)| approaching >> k & 1 == 1) {
            restitution[k] = of_gaps[gap];
            let (restitution, approach) = (restitution[k].to_f64(), -rate(k));
            if !(0.0..=1.0).contains(&restitution) {
                return Err(Failure::BadRestitution { contact: self.name(k), restitution, approach, t: t.to_f64() });
            }
        }
        Ok(restitution)
    }

    /// The rows at rest among `touching` contacts, by first rows, one bit each, and the phases of the others. A row is at rest where its rate is
    /// rounding, or where `stops` says so. A vector that `goes_on` beginning to slip keeps its phase, and one that is `under_way` slips.
    fn phases_at_rest(
        &self,
        reduced: &Reduced<'_, R, N, C, W>,
        touching: u64,
        (rest, stops): (&[f64; W], impl Fn(usize) -> bool),
        (goes_on, under_way): (bool, u64),
    ) -> (Phases, u64) {
        let (mut phases, mut at_rest) = (self.phases, 0_u64);
        for k in reduced.firsts() {
            let rate = reduced.speed(k);
            let stands = stops(k) || rate.abs() <= reduced.rows_of(k).map(|row| rest[row]).sum::<f64>();
            match self.law(k) {
                law @ (Law::Vector { .. } | Law::VectorSlip { .. }) => {
                    let acts = law.contact().is_none_or(|of| at_rest >> of & 1 == 1);
                    let was_closed = law.contact().is_none_or(|of| self.phases.sticks(of));
                    if acts && under_way >> k & 1 == 0 && stands {
                        at_rest |= 1 << k;
                    } else if !(acts && was_closed && goes_on && phases.begins(k) && !stops(k)) {
                        phases.slide(k, false);
                    }
                }
                Law::Latch { .. } => {
                    phases.slide(k, false);
                    at_rest |= touching & 1 << k;
                }
                Law::Contact { .. } => {
                    phases.slide(k, false);
                    at_rest |= u64::from(touching >> k & 1 == 1 && rate <= rest[k]) << k;
                }
                Law::Slip { contact: of } => {
                    let acts = at_rest >> of & 1 == 1;
                    phases.slide(k, acts && rate < 0.0);
                    at_rest |= u64::from(acts && stands) << k;
                }
                Law::Friction | Law::Loaded { .. } => {
                    phases.slide(k, rate < 0.0);
                    at_rest |= u64::from(stands) << k;
                }
            }
        }
        (phases, at_rest)
    }
}

impl<S, R, const N: usize, const C: usize, const U: usize, const W: usize> Driven<'_, '_, '_, S, R, N, C, U, W>
where
    S: Rows<R, N, C, U>,
    R: Scalar,
{
    /// Decides the phases at a state, after the impacts there. Returns the state from which the motion goes on, and the rows
    /// whose phase changed.
    pub(super) fn settle_gaps(&mut self, state: &State<R, N>, reached: Reached) -> Result<Settled<R, N>, Failure> {
        let Reached { crossed, fresh, rounding: time_rounding, .. } = reached;
        let State { t, q, v } = *state;
        let u = (self.inputs)(t, &q, &v);
        self.check(state, &u, None)?;
        let before = self.phases;
        let (touching, ground) = self.met(state, &u, reached)?;
        let q = self.grounded(state, ground)?;
        let mut rest = [0.0; W];
        let (v, impulses) = self.impacts((t, &q), v, (touching, time_rounding), &mut rest)?;
        let struck = impulses.is_some();
        let stops = |k: usize| !struck && (crossed >> k & 1 == 1 || before.sticks(k) && !fresh);
        // The velocity is brought to rest first, because forces and bounds may depend on it.
        let goes_on = !struck && !fresh;
        let (phases, at_rest, v) = self.brought_to_rest((t, &q, &v), touching, (&rest, &stops), goes_on)?;
        self.site.known.phases = self.decided((t, &q, &v), phases, at_rest)?;
        let mut changed = before.differs(self.phases);
        for k in rows(changed) {
            // The slip of a contact that opens or closes changes with it.
            if self.law(k).contact().is_some_and(|contact| changed >> contact & 1 == 1) {
                changed &= !(1 << k);
            }
        }
        // That a vector no longer begins to slip, but slips, is no change.
        let begun = |k: &usize| {
            self.law(*k).vector().is_some_and(|(first, _)| first == *k)
                && before.begins(*k)
                && !self.phases.sticks(*k)
                && !self.phases.begins(*k)
        };
        changed = rows(changed).filter(|k| !begun(k)).fold(0, |set, k| set | 1 << k);
        let impulse = |k: usize| impulses.as_ref().and_then(|impulses| impulses.get(k)).copied().unwrap_or(R::ZERO);
        Ok(Settled { state: State { t, q, v }, changed, impulses: core::array::from_fn(impulse) })
    }

    /// Two sets of rows, one bit for each row: the rows that touch at a state or that are switched on, and the rows among them whose positions are to be made 0.
    ///
    /// This and the next two are functions of their own so that their reduced equations are not on the stack together.
    #[inline(never)]
    fn met(&self, state: &State<R, N>, u: &SVector<R, U>, reached: Reached) -> Result<(u64, u64), Failure> {
        let State { t, q, v } = state;
        let place = Place::new(self.system, *t, q, v, u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        let (touching, ground) = self.touching(state, &reduced, reached)?;
        let latched = self.switched_on(state, &reduced, (reached.fresh, reached.whole.max(reached.rounding)))?;
        Ok((touching | latched, ground | latched))
    }

    /// The phases after impacts, the rows at rest, and the velocities at which these have no rate.
    #[inline(never)]
    fn brought_to_rest(
        &mut self,
        (t, q, v): (R, &SVector<R, N>, &SVector<R, N>),
        touching: u64,
        (rest, stops): (&[f64; W], &dyn Fn(usize) -> bool),
        goes_on: bool,
    ) -> Result<(Phases, u64, SVector<R, N>), Failure> {
        let u = (self.inputs)(t, q, v);
        let place = Place::new(self.system, t, q, v, &u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        let ended = |k: &usize| goes_on && stops(*k) && reduced.rows_of(*k).len() > 1 && self.phases.begins(*k);
        let ended = reduced.firsts().filter(ended).fold(0_u64, |set, k| set | 1 << k);
        let mut under_way = 0;
        if ended != 0 {
            let forces = reduced.in_phases(self.phases).forces(self.phases, self.system.row_names())?;
            let is_under_way = |k: &usize| reduced.is_under_way(*k, &forces, self.unresolved(&reduced, *k, v));
            under_way = rows(ended).filter(is_under_way).fold(0, |set, k| set | 1 << k);
        }
        let (phases, at_rest) = self.phases_at_rest(&reduced, touching, (rest, stops), (goes_on, under_way));
        let mut stopping = phases;
        rows(at_rest).for_each(|k| stopping.stick(k));
        Ok((phases, at_rest, reduced.stop(stopping, v, self.system.row_names())?))
    }

    /// The phases in which the rows at rest obey their laws.
    #[inline(never)]
    fn decided(
        &mut self,
        (t, q, v): (R, &SVector<R, N>, &SVector<R, N>),
        phases: Phases,
        at_rest: u64,
    ) -> Result<Phases, Failure> {
        let u = (self.inputs)(t, q, v);
        let place = Place::new(self.system, t, q, v, &u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        Ok(reduced.decide(phases, at_rest, self.system.row_names())?.phases)
    }

    /// The impacts of the contacts `touching`, one after the other until none of them approaches and no row of a constraint that is switched on
    /// moves; these rows are in `touching` too. Returns the velocities after them, and the sum of the impulses of each row if there was an impact. `rest` becomes the rate of each row that is rounding.
    fn impacts(
        &mut self,
        (t, q): (R, &SVector<R, N>),
        mut v: SVector<R, N>,
        (touching, time_rounding): (u64, f64),
        rest: &mut [f64; W],
    ) -> Result<(SVector<R, N>, Option<[R; W]>), Failure> {
        let names = self.system.row_names();
        // A rate that the acceleration changes within the rounding of the time is rounding too.
        let (mut made, mut impulses) = (0, [R::ZERO; W]);
        loop {
            let u = (self.inputs)(t, q, &v);
            let place = Place::new(self.system, t, q, &v, &u);
            let reduced = Reduced::<R, N, C, W>::at(&place)?;
            for (k, (rest, row)) in rest.iter_mut().zip(reduced.rows()).enumerate() {
                *rest = rest.max(rounding(row, &v)).max(reduced.acceleration_terms(k) * time_rounding);
            }
            let rate = |k: usize| reduced.rows()[k].rate.to_f64();
            let is_latch = |k: usize| matches!(self.law(k), Law::Latch { .. });
            let strikes = |k: &usize| rate(*k) < -rest[*k] || is_latch(*k) && rate(*k) > rest[*k];
            let approaching = rows(touching).filter(strikes).fold(0_u64, |set, k| set | 1 << k);
            if approaching == 0 {
                return Ok((v, (made > 0).then_some(impulses)));
            }
            made += 1;
            if made > IMPACTS {
                return Err(Failure::ManyImpacts { contacts: approaching, names });
            }
            let takes_part = |k: &usize| rate(*k) <= rest[*k] || is_latch(*k);
            let taking_part = rows(touching).filter(takes_part).fold(0_u64, |set, k| set | 1 << k);
            let mut restitution = self.restitutions((t, q, &v, &u), approaching, rate)?;
            let mut impact = reduced.impact(&v, taking_part, &restitution, names)?;
            if impact.loss < -ENERGY_ROUNDINGS * R::EPSILON * impact.scale {
                let contact = rows(approaching).next().map_or("", |k| self.name(k));
                return Err(Failure::ImpactEnergy { contact, gain: -impact.loss, t: t.to_f64() });
            }
            // A contact that closes stops what approaches, and nothing more: its friction is that of this impulse.
            let (closing, _) = self.short_flights((t, q), &impact.velocities, (touching, time_rounding), rest)?;
            let closing = closing & approaching;
            if closing != 0 {
                rows(closing).for_each(|k| restitution[k] = R::ZERO);
                impact = reduced.impact(&v, taking_part, &restitution, names)?;
            }
            self.site.known.impacts += u64::from(approaching.count_ones());
            // A rate that is left where impulses cancel is rounding.
            for (rest, changes) in rest.iter_mut().zip(impact.changes) {
                *rest = rest.max(ROUNDINGS * R::EPSILON * changes);
            }
            let (slowed, stopping) =
                self.without_short_flights((t, q), impact.velocities, (touching, time_rounding), rest)?;
            v = slowed;
            for ((sum, impulse), stopping) in impulses.iter_mut().zip(impact.impulses).zip(stopping) {
                *sum += impulse + stopping;
            }
        }
    }

    /// The contacts that open at the velocities `v` after an impact, and whose next flight would be too short or too low to be resolved, and the rows that go
    /// on resting; one bit each.
    #[inline(never)]
    fn short_flights(
        &mut self,
        (t, q): (R, &SVector<R, N>),
        v: &SVector<R, N>,
        (touching, time_rounding): (u64, f64),
        rest: &[f64; W],
    ) -> Result<(u64, u64), Failure> {
        let u = (self.inputs)(t, q, v);
        let place = Place::new(self.system, t, q, v, &u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        let rate = |k: usize| reduced.rows()[k].rate.to_f64();
        let opening = rows(touching).filter(|&k| rate(k) > rest[k]).fold(0_u64, |set, k| set | 1 << k);
        if opening == 0 {
            return Ok((0, 0));
        }
        let (phases, at_rest) = self.phases_at_rest(&reduced, touching, (rest, |_| false), (false, 0));
        let motion = reduced.decide(phases, at_rest, self.system.row_names())?;
        let (gaps, shortest) = (self.gaps(t, q), SHORTEST_FLIGHT * time_rounding);
        let is_short = |&(k, gap): &(usize, usize)| {
            // A flight that begins at the rate s with the acceleration −w takes 2 s/w and rises by s²/(2 w).
            let (s, w) = (rate(k), -reduced.motion_of(k, &motion.forces));
            let lowest = LOWEST_FLIGHT * gap_rounding(&gaps[gap], &reduced.rows()[k], (t, q, v));
            2.0 * s <= w * shortest || s * s <= 2.0 * w * lowest
        };
        let short = self.gap_rows().filter(|(k, _)| opening >> k & 1 == 1).filter(is_short);
        Ok((short.fold(0, |set, (k, _)| set | 1 << k), at_rest))
    }

    /// The velocities `v` after an impact, changed least in the metric of M such that contacts do not open whose next flight would
    /// be too short or too low to be resolved, and the impulses that change them. So infinitely many impacts end at rest.
    fn without_short_flights(
        &mut self,
        (t, q): (R, &SVector<R, N>),
        v: SVector<R, N>,
        (touching, time_rounding): (u64, f64),
        rest: &[f64; W],
    ) -> Result<(SVector<R, N>, [R; W]), Failure> {
        let (short, at_rest) = self.short_flights((t, q), &v, (touching, time_rounding), rest)?;
        if short == 0 {
            return Ok((v, [R::ZERO; W]));
        }
        // What rests goes on resting.
        let mut stopping = Phases::default();
        rows(short | at_rest).for_each(|k| stopping.stick(k));
        let u = (self.inputs)(t, q, &v);
        let place = Place::new(self.system, t, q, &v, &u);
        Ok(Reduced::<R, N, C, W>::at(&place)?.stopped(stopping, &v, self.system.row_names())?)
    }
}

/// Whether the motion reaches a gap, from its `value`, at a time of its own: after more than an `instant`, and faster than it would be by its
/// fall from there. Then the contact is open at first, however near the gap is to 0.
fn is_ahead<R: Scalar, const N: usize, const C: usize, const W: usize>(
    reduced: &Reduced<'_, R, N, C, W>,
    k: usize,
    (value, approach): (f64, f64),
    instant: f64,
) -> bool {
    value > approach * instant && approach * approach > 2.0 * reduced.acceleration_terms(k) * value
}

/// How far the motion may change the gap in row `k` within an instant τ, in which times are not told apart: Σ|Wᵢ vᵢ| τ + Σ|Wᵢ aᵢ| τ²,
/// where a is the acceleration without forces of contacts.
///
/// The terms of a gap may vanish at a state: the only term of y ≥ 0 is 0 at y = 0. The terms then give no rounding. But the time has a
/// rounding, and no integration tells apart two gaps between which the motion goes within it. This length has the units of the gap,
/// and does not depend on the origin of the coordinates.
pub(super) fn within_an_instant<R: Scalar, const N: usize, const C: usize, const W: usize>(
    reduced: &Reduced<'_, R, N, C, W>,
    k: usize,
    v: &SVector<R, N>,
    instant: f64,
) -> f64 {
    (terms(&reduced.rows()[k], v) + reduced.acceleration_terms(k) * instant) * instant
}
