//! Contacts that open and close: impacts, gaps, and the phases that follow.

use super::phases::rounding;
use super::{Driven, Site};
use crate::error::Failure;
use crate::event::{Branch, Set};
use crate::friction::{MAX_CONTACTS, Phases, Place, Reduced, gap_terms};
use crate::scalar::Scalar;
use crate::state::State;
use crate::system::{Contact, Gap, Law, System};
use nalgebra::SVector;

/// The gap that is rounding, in roundings of its terms.
const ROUNDINGS: f64 = 64.0;

/// The rounding of a rate, in roundings of what the acceleration adds to it in a step.
const RATE_ROUNDINGS: f64 = 256.0;

/// The part of its rounding by which a gap is below 0 before its contact is reached.
const CROSSED: f64 = 1.0 / 16.0;

/// Contacts that close within this many roundings of the time close at the same time.
const SIMULTANEOUS: f64 = 32.0;

/// A contact that an impact would open closes if its next flight would be shorter than this many roundings of the time.
const SHORTEST_FLIGHT: f64 = 128.0;

/// A contact that an impact would open closes if its next flight would not rise above this multiple of the gap that is rounding.
const LOWEST_FLIGHT: f64 = 4.0;

/// The most impacts in a row at one time. A blow passes through a row of bodies and back in a few.
const IMPACTS: u32 = 200;

/// The Newton steps onto closed gaps.
const ITERATIONS: u32 = 8;

/// An impact may add this part of its energy, as rounding.
const ENERGY: f64 = 1e-9;

/// The rows that a set of bits contains.
fn rows(set: u8) -> impl Iterator<Item = usize> + Clone {
    (0..MAX_CONTACTS).filter(move |k| set >> k & 1 == 1)
}

impl<S, R, const N: usize, const C: usize, const U: usize> Site<'_, S, R, N, C, U>
where
    S: System<R, N, C, U>,
    R: Scalar,
{
    /// The law of a row. One that names what does not exist counts as that of a friction.
    fn law(&self, k: usize) -> Law {
        match self.system.contact_laws().get(k) {
            Some(&Law::Contact { gap }) if gap >= MAX_CONTACTS => Law::Friction,
            Some(&Law::Slip { contact }) if contact >= MAX_CONTACTS => Law::Friction,
            Some(law) => *law,
            None => Law::Friction,
        }
    }

    /// The rows of gaps, with the index of each gap.
    fn gap_rows(&self) -> impl Iterator<Item = (usize, usize)> + use<'_, S, R, N, C, U> {
        let laws = self.system.contact_laws().iter().enumerate().take(self.system.contact_count().min(MAX_CONTACTS));
        laws.filter_map(|(k, law)| match *law {
            Law::Contact { gap } if gap < MAX_CONTACTS => Some((k, gap)),
            _ => None,
        })
    }

    fn gaps(&self, t: R, q: &SVector<R, N>) -> [Gap<R>; MAX_CONTACTS] {
        let mut gaps = [Gap::NONE; MAX_CONTACTS];
        self.system.gaps(t, q, &mut gaps);
        gaps
    }

    /// The branch at a state: the sign of a row is positive as long as its phase lasts.
    pub(super) fn with_gaps(
        &self,
        mut branch: Branch,
        (t, q, v, u): (R, &SVector<R, N>, &SVector<R, N>, &SVector<R, U>),
    ) -> Branch {
        let switches = self.system.contact_switches();
        let mut contacts = [Contact::NONE; MAX_CONTACTS];
        let mut held = None;
        let place = Place::new(self.system, t, q, v, u);
        if self.phases.any_sticks() {
            let Ok(reduced) = Reduced::<R, N, C>::at(&place) else { return branch };
            let Ok(forces) = reduced.forces(self.phases, self.system.contact_names()) else { return branch };
            contacts[..reduced.contacts().len()].copy_from_slice(reduced.contacts());
            held = Some((reduced, forces));
        } else {
            self.system.contacts(t, q, v, u, &mut contacts);
        }
        let gaps = self.gaps(t, q);
        // Without an attempt, the branch belongs to a state alone.
        let (size, longest) = self.attempt.as_ref().map_or((0.0, None), |attempt| {
            let size = attempt.size.to_f64();
            (size, Some(if attempt.over { 0.0 } else { size }))
        });
        for ((k, &switch), contact) in switches.iter().enumerate().zip(&contacts) {
            let lasts = match (self.law(k), &held) {
                (Law::Slip { contact: of }, _) if !self.phases.sticks(of) => true,
                (_, Some((reduced, forces))) if self.phases.sticks(k) => reduced.is_held(k, forces),
                (Law::Contact { gap }, _) => {
                    !longest.is_some_and(|size| is_reached(&gaps[gap], contact, q, size))
                        && stays_open(&gaps[gap], contact, q)
                }
                (_, Some((reduced, _))) => {
                    // The rounding of the acceleration in a step is that of the rate of a row that slips at the rate 0.
                    let drift = reduced.acceleration_terms(k) * size * RATE_ROUNDINGS * R::EPSILON;
                    self.slips_on(k, contact, v) || contact.rate.to_f64().abs() <= drift
                }
                _ => self.slips_on(k, contact, v),
            };
            branch.put(switch, lasts);
        }
        branch
    }

    /// For each row that sticks, how far its force is from its limit, and a force with which that compares.
    pub(super) fn margins_of(
        &self,
        reduced: &Reduced<'_, R, N, C>,
        forces: &[R; MAX_CONTACTS],
    ) -> [Option<(f64, f64)>; MAX_CONTACTS] {
        core::array::from_fn(|k| {
            let force = forces[k].to_f64();
            if k >= reduced.contacts().len() || !self.phases.sticks(k) {
                return None;
            }
            let bound = reduced.limit(k, forces).to_f64();
            Some(match self.law(k) {
                Law::Friction => (bound - force.abs(), bound),
                Law::Contact { .. } => (force, reduced.largest_force(k, forces)),
                Law::Slip { .. } | Law::Loaded { .. } | Law::Vector { .. } => {
                    (bound - force.abs(), reduced.largest_force(k, forces))
                }
            })
        })
    }

    /// The contacts that touch at a state, one bit each, and those of them whose gap is to be made 0.
    fn touching(
        &self,
        state: &State<R, N>,
        reduced: &Reduced<'_, R, N, C>,
        (crossed, fresh, time_rounding): (Set, bool, f64),
    ) -> Result<(u8, u8), Failure> {
        let State { t, q, .. } = state;
        let gaps = self.gaps(*t, q);
        let instant = SIMULTANEOUS * time_rounding;
        let (mut touching, mut ground) = (0_u8, 0_u8);
        for (k, gap) in self.gap_rows() {
            let (gap, contact, contact_name) = (&gaps[gap], &reduced.contacts()[k], self.name(k));
            let (value, restitution) = (gap.value.to_f64(), gap.restitution.to_f64());
            if !(0.0..=1.0).contains(&restitution) {
                return Err(Failure::BadRestitution { contact: contact_name, restitution, t: t.to_f64() });
            }
            if fresh && (value < -gap_rounding(gap, contact, q) || value.is_nan()) {
                return Err(Failure::Penetration { contact: contact_name, gap: value, t: t.to_f64() });
            }
            let was_closed = self.phases.sticks(k) && !fresh;
            let approach = (-contact.rate.to_f64()).max(0.0) * instant;
            let near = value <= gap_rounding(gap, contact, q) + approach;
            let crossed = self.system.contact_switches().get(k).is_some_and(|switch| crossed.contains(*switch));
            if was_closed || near || crossed {
                touching |= 1 << k;
                ground |= u8::from(was_closed || value < 0.0) << k;
            }
        }
        Ok((touching, ground))
    }

    fn name(&self, k: usize) -> &'static str {
        self.system.contact_names().get(k).copied().unwrap_or_default()
    }

    /// The rows at rest among `touching` contacts, one bit each, and the phases of the others. A row is at rest where its rate is
    /// rounding, or where `stops` says so.
    fn phases_at_rest(
        &self,
        reduced: &Reduced<'_, R, N, C>,
        touching: u8,
        (rest, stops): (&[f64; MAX_CONTACTS], impl Fn(usize) -> bool),
    ) -> (Phases, u8) {
        let (mut phases, mut at_rest) = (self.phases, 0_u8);
        for (k, contact) in reduced.contacts().iter().enumerate() {
            let rate = contact.rate.to_f64();
            let stands = stops(k) || rate.abs() <= rest[k];
            match self.law(k) {
                Law::Contact { .. } => {
                    phases.slide(k, false);
                    at_rest |= u8::from(touching >> k & 1 == 1 && rate <= rest[k]) << k;
                }
                Law::Slip { contact: of } => {
                    let acts = at_rest >> of & 1 == 1;
                    phases.slide(k, acts && rate < 0.0);
                    at_rest |= u8::from(acts && stands) << k;
                }
                Law::Friction | Law::Loaded { .. } | Law::Vector { .. } => {
                    phases.slide(k, rate < 0.0);
                    at_rest |= u8::from(stands) << k;
                }
            }
        }
        (phases, at_rest)
    }
}

impl<S, R, const N: usize, const C: usize, const U: usize> Driven<'_, '_, '_, S, R, N, C, U>
where
    S: System<R, N, C, U>,
    R: Scalar,
{
    /// The gap and its rate of each open contact.
    pub(super) fn open_gaps_at(&mut self, state: &State<R, N>) -> [Option<(f64, f64)>; MAX_CONTACTS] {
        let mut found = [None; MAX_CONTACTS];
        if !self.phases.known {
            return found;
        }
        let State { t, q, v } = state;
        let u = (self.inputs)(*t, q, v);
        let mut contacts = [Contact::NONE; MAX_CONTACTS];
        self.system.contacts(*t, q, v, &u, &mut contacts);
        let gaps = self.gaps(*t, q);
        for (k, gap) in self.gap_rows().filter(|(k, _)| !self.phases.sticks(*k)) {
            let value = &gaps[gap];
            found[k] = Some((value.value.to_f64() + gap_rounding(value, &contacts[k], q), contacts[k].rate.to_f64()));
        }
        found
    }

    /// The coordinates, changed least in the metric of M, at which the gaps in the rows `closed` vanish.
    pub(super) fn grounded(&mut self, state: &State<R, N>, closed: u8) -> Result<SVector<R, N>, Failure> {
        let State { t, mut q, v } = *state;
        let gap_rows = self.gap_rows().fold(0_u8, |set, (k, _)| set | 1 << k);
        let closed = closed & gap_rows;
        if closed == 0 {
            return Ok(q);
        }
        let u = (self.inputs)(t, &q, &v);
        let mut last = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let gaps = self.gaps(t, &q);
            let place = Place::new(self.system, t, &q, &v, &u);
            let reduced = Reduced::<R, N, C>::at(&place)?;
            let (mut right, mut terms, mut worst) = ([R::ZERO; MAX_CONTACTS], [0.0; MAX_CONTACTS], 0.0_f64);
            for (k, gap) in self.gap_rows().filter(|(k, _)| closed >> k & 1 == 1) {
                (right[k], terms[k]) = (-gaps[gap].value, gap_terms(&gaps[gap], &reduced.contacts()[k], &q));
                let size = if terms[k] > 0.0 { right[k].to_f64().abs() / terms[k] } else { 0.0 };
                worst = worst.max(size);
            }
            // Near rounding, the iteration ends at the first step that gains nothing.
            if worst <= 2.0 * R::EPSILON || worst >= 0.5 * last && worst <= ROUNDINGS * R::EPSILON {
                break;
            }
            last = worst;
            q += reduced.shift(closed, (&right, &terms), self.system.contact_names())?;
        }
        Ok(q)
    }

    /// The state at which the first contact was reached, a few roundings of the time before `state`, with the time of `state`. Moved
    /// back along the motion, the bodies keep their energy; moved out of each other, they would gain some at each impact. At surfaces
    /// that move, it is `state` itself.
    fn at_contact(&mut self, state: &State<R, N>) -> Result<State<R, N>, Failure> {
        let State { t, q, v } = *state;
        let u = (self.inputs)(t, &q, &v);
        let place = Place::new(self.system, t, &q, &v, &u);
        let reduced = Reduced::<R, N, C>::at(&place)?;
        let gaps = self.gaps(t, &q);
        let mut since = R::ZERO;
        for (k, gap) in self.gap_rows().filter(|(k, _)| !self.phases.sticks(*k)) {
            let (value, contact) = (gaps[gap].value, &reduced.contacts()[k]);
            let rate = contact.rate;
            let drift = (0..N).fold(rate, |rest, i| rest - contact.direction[i] * v[i]);
            // On a surface that moves, the bodies have no energy of their own to keep, and the gap depends on the time.
            let is_fixed = drift.to_f64().abs() <= rounding(contact, &v);
            if value.to_f64() < 0.0 && rate.to_f64() < 0.0 && is_fixed {
                let own = value / rate;
                since = if own.to_f64() > since.to_f64() { own } else { since };
            }
        }
        if since == R::ZERO {
            return Ok(*state);
        }
        let forces = reduced.forces(self.phases, self.system.contact_names())?;
        let a = reduced.acceleration(&forces).acceleration;
        let half = since * R::from_f64(0.5);
        Ok(State { t, q: q - (v - a * half) * since, v: v - a * since })
    }

    /// The impacts of the contacts `touching`, one after the other until none of them approaches. Returns the velocities after
    /// them. `rest` becomes the rate of each row that is rounding.
    fn impacts(
        &mut self,
        (t, q): (R, &SVector<R, N>),
        mut v: SVector<R, N>,
        (touching, time_rounding): (u8, f64),
        rest: &mut [f64; MAX_CONTACTS],
    ) -> Result<(SVector<R, N>, bool), Failure> {
        let names = self.system.contact_names();
        let gaps = self.gaps(t, q);
        // A rate that the acceleration changes within the rounding of the time is rounding too.
        let mut made = 0;
        loop {
            let u = (self.inputs)(t, q, &v);
            let place = Place::new(self.system, t, q, &v, &u);
            let reduced = Reduced::<R, N, C>::at(&place)?;
            let contacts = reduced.contacts();
            for (k, (rest, contact)) in rest.iter_mut().zip(contacts).enumerate() {
                *rest = rest.max(rounding(contact, &v)).max(reduced.acceleration_terms(k) * time_rounding);
            }
            let rate = |k: usize| contacts[k].rate.to_f64();
            let approaching = rows(touching).filter(|&k| rate(k) < -rest[k]).fold(0_u8, |set, k| set | 1 << k);
            if approaching == 0 {
                return Ok((v, made > 0));
            }
            made += 1;
            if made > IMPACTS {
                return Err(Failure::ManyImpacts { contacts: approaching, names });
            }
            let taking_part = rows(touching).filter(|&k| rate(k) <= rest[k]).fold(0_u8, |set, k| set | 1 << k);
            let mut restitution = [R::ZERO; MAX_CONTACTS];
            for (k, gap) in self.gap_rows().filter(|(k, _)| approaching >> k & 1 == 1) {
                restitution[k] = gaps[gap].restitution;
            }
            let impact = reduced.impact(&v, taking_part, &restitution, names)?;
            if impact.loss < -ENERGY * impact.scale {
                let contact = rows(approaching).next().map_or("", |k| self.name(k));
                return Err(Failure::ImpactEnergy { contact, gain: -impact.loss, t: t.to_f64() });
            }
            self.site.known.impacts += u64::from(approaching.count_ones());
            v = self.without_short_flights((t, q), impact.velocities, (touching, time_rounding), rest)?;
        }
    }

    /// The velocities `v` after an impact, changed least in the metric of M such that contacts do not open whose next flight would
    /// be too short or too low to be resolved. So infinitely many impacts end at rest.
    fn without_short_flights(
        &mut self,
        (t, q): (R, &SVector<R, N>),
        v: SVector<R, N>,
        (touching, time_rounding): (u8, f64),
        rest: &[f64; MAX_CONTACTS],
    ) -> Result<SVector<R, N>, Failure> {
        let u = (self.inputs)(t, q, &v);
        let place = Place::new(self.system, t, q, &v, &u);
        let reduced = Reduced::<R, N, C>::at(&place)?;
        let rate = |k: usize| reduced.contacts()[k].rate.to_f64();
        let opening = rows(touching).filter(|&k| rate(k) > rest[k]).fold(0_u8, |set, k| set | 1 << k);
        if opening == 0 {
            return Ok(v);
        }
        let names = self.system.contact_names();
        let (phases, at_rest) = self.phases_at_rest(&reduced, touching, (rest, |_| false));
        let motion = reduced.decide(phases, at_rest, names)?;
        let (gaps, shortest) = (self.gaps(t, q), SHORTEST_FLIGHT * time_rounding);
        let mut stopping = Phases::default();
        for (k, gap) in self.gap_rows().filter(|(k, _)| opening >> k & 1 == 1) {
            // A flight that begins at the rate s with the acceleration −w takes 2 s/w and rises by s²/(2 w).
            let (s, w) = (rate(k), -reduced.motion_of(k, &motion.forces));
            let lowest = LOWEST_FLIGHT * gap_rounding(&gaps[gap], &reduced.contacts()[k], q);
            if 2.0 * s <= w * shortest || s * s <= 2.0 * w * lowest {
                stopping.stick(k);
            }
        }
        if !stopping.any_sticks() {
            return Ok(v);
        }
        // What rests goes on resting.
        rows(at_rest).for_each(|k| stopping.stick(k));
        Ok(reduced.hold(stopping, &v, names)?)
    }

    /// Decides the phases at a state, after the impacts there. Returns the state from which the motion goes on, and the rows
    /// whose phase changed.
    pub(super) fn settled_with_gaps(
        &mut self,
        state: &State<R, N>,
        reached: (Set, bool, f64),
    ) -> Result<(State<R, N>, u8), Failure> {
        let (crossed, fresh, time_rounding) = reached;
        let state = &if fresh { *state } else { self.at_contact(state)? };
        let State { t, q, v } = *state;
        let u = (self.inputs)(t, &q, &v);
        self.check_each_bound(state, &u, None)?;
        let names = self.system.contact_names();
        let before = self.phases;
        let place = Place::new(self.system, t, &q, &v, &u);
        let reduced = Reduced::<R, N, C>::at(&place)?;
        let (touching, ground) = self.touching(state, &reduced, reached)?;
        let q = self.grounded(state, ground)?;
        let mut rest = [0.0; MAX_CONTACTS];
        let (v, struck) = self.impacts((t, &q), v, (touching, time_rounding), &mut rest)?;
        let switches = self.system.contact_switches();
        let stops = |k: usize| {
            let crossed = switches.get(k).is_some_and(|switch| crossed.contains(*switch));
            !struck && (crossed || before.sticks(k) && !fresh)
        };
        let u = (self.inputs)(t, &q, &v);
        let place = Place::new(self.system, t, &q, &v, &u);
        let reduced = Reduced::<R, N, C>::at(&place)?;
        let (phases, at_rest) = self.phases_at_rest(&reduced, touching, (&rest, stops));
        // The velocity is brought to rest first, because forces and bounds may depend on it.
        let mut stopping = phases;
        rows(at_rest).for_each(|k| stopping.stick(k));
        let v = reduced.hold(stopping, &v, names)?;
        let u = (self.inputs)(t, &q, &v);
        let place = Place::new(self.system, t, &q, &v, &u);
        let reduced = Reduced::<R, N, C>::at(&place)?;
        self.site.known.phases = reduced.decide(phases, at_rest, names)?.phases;
        let mut changed = before.differs(self.phases);
        for k in 0..MAX_CONTACTS {
            // The slip of a contact that opens or closes changes with it.
            if matches!(self.law(k), Law::Slip { contact } if changed >> contact & 1 == 1) {
                changed &= !(1 << k);
            }
        }
        Ok((State { t, q, v }, changed))
    }
}

/// The magnitude of a gap that is rounding.
fn gap_rounding<R: Scalar, const N: usize>(gap: &Gap<R>, contact: &Contact<R, N>, q: &SVector<R, N>) -> f64 {
    ROUNDINGS * R::EPSILON * gap_terms(gap, contact, q)
}

/// Whether an open contact is reached by a step that is too short to change the gap by more than its rounding.
fn is_reached<R: Scalar, const N: usize>(gap: &Gap<R>, contact: &Contact<R, N>, q: &SVector<R, N>, size: f64) -> bool {
    let (approach, rounding) = (-contact.rate.to_f64(), gap_rounding(gap, contact, q));
    approach > 0.0 && gap.value.to_f64() < rounding && approach * size <= rounding
}

/// Whether an open contact stays open. A gap may be below 0 by a part of its rounding, and by its rounding while it grows: it is so
/// where the contact has just opened.
fn stays_open<R: Scalar, const N: usize>(gap: &Gap<R>, contact: &Contact<R, N>, q: &SVector<R, N>) -> bool {
    let (value, rounding) = (gap.value.to_f64(), gap_rounding(gap, contact, q));
    value >= -rounding * CROSSED || contact.rate.to_f64() >= 0.0 && value >= -rounding
}
