//! The laws of the rows within a step of a time-stepping scheme, at the level of velocities.
//!
//! A step of size h changes the velocities by Δv, where M̂ Δv = h F + Wᵀ P with the impulses P of the rows. With the mean forces f = P/h and the motion
//! w = s⁺/h, where s⁺ are the rates of the rows after the step, these are the equations for the accelerations of rows at rest: w = c + D f with
//! D = W M̂⁻¹ Wᵀ and c = W M̂⁻¹ F + s/h, where s are the rates that the step would leave with Δv = 0. So the same laws give f, for frictions, contacts and slips alike. A contact
//! that approaches at the rate s⁻ obeys Newton's law of restitution in the form of Moreau, 0 ≤ P ⊥ s⁺ + e s⁻ ≥ 0: c contains e s⁻/h too.
//!
//! The place at which the equations are evaluated, θ h after the start of the step, lies within the step. The rates at its ends differ from the rates s there: they are
//! s − θ h κ and s + (1 − θ) h κ', where κ and κ' are the parts of ds/dt without accelerations, under the velocities before and after the step. Without these parts, bodies would leave curved surfaces by h²/2 κ in each step. As κ'
//! depends on the solution, the step is solved without it first, and then again with it.

use super::Instant;
use super::gaps::gap_rounding;
use super::impact::{ENERGY_ROUNDINGS, rows};
use super::motion::rounding;
use super::phases::Phases;
use super::reduced::{Motion, Place, ROUNDINGS, Reduced, terms};
use super::rows::Rows;
use super::rules::Site;
use super::vector::skew;
use crate::error::{Failure, SingularMass};
use crate::evaluate::TIME_STEPPING;
use crate::quantities::{Gap, Law, Row};
use crate::scalar::Scalar;
use crate::state::State;
use nalgebra::SVector;

/// The most rounds in which the part of D that is not symmetric is carried over to c, beside slips that are vectors.
const ROUNDS: u32 = 60;

/// The change of the motion that ends these rounds, relative to its terms, in roundings.
const SETTLED: f64 = 64.0;

/// A step of a time-stepping scheme: what [`Evaluate::step_contacts`](crate::evaluate::Evaluate::step_contacts) asks.
#[derive(Clone, Copy)]
pub struct ContactStep<'a, R: Scalar, const N: usize> {
    /// The place within the step at which the equations are evaluated: the time t + θ h, the coordinates q + θ h v and the velocities v from before the step.
    pub place: State<R, N>,
    /// The size h of the step, which is positive.
    pub size: R,
    /// θ, from 0 to 1.
    pub theta: R,
    /// The solution x of M̂ x = r for a right side r.
    pub solve: &'a dyn Fn(&SVector<R, N>) -> SVector<R, N>,
    /// The phases of the rows in the step before.
    pub before: ContactPhases,
}

/// The change of the velocities in a step, and what became of the contacts.
#[derive(Clone, Copy, Debug)]
pub struct ContactStepped<R: Scalar, const N: usize> {
    /// Δv/h.
    pub acceleration: SVector<R, N>,
    /// The phases of the rows in this step.
    pub phases: ContactPhases,
    /// How many contacts closed in this step, from a rate of approach.
    pub impacts: u64,
}

/// Which rows of the contacts stick, or are closed, in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactPhases(pub(crate) Phases);

impl ContactPhases {
    /// How many rows differ in that they stick, or are closed.
    pub fn changes(self, other: Self) -> u64 {
        u64::from((self.0.closed() ^ other.0.closed()).count_ones())
    }
}

/// The rates of the rows around a step, without the change Δv of the velocities.
struct Rates<R, const W: usize> {
    /// s⁻, at the start of the step.
    before: [R; W],
    /// s, at its end.
    end: [R; W],
    /// The magnitudes of their terms.
    terms: [f64; W],
}

impl<R: Scalar, const N: usize, const C: usize, const W: usize> Reduced<'_, R, N, C, W> {
    /// The motion in which the rows `candidates`, by first rows, obey their laws, sought from the phases `before` first. Where several motions obey the laws, it is the
    /// one that these phases lead to.
    ///
    /// # Errors
    /// Those of [`Reduced::decide`].
    fn decide_from(
        &self,
        before: Phases,
        (phases, candidates): (Phases, u64),
        names: &[&'static str],
    ) -> Result<Motion<R, W>, SingularMass> {
        if self.has_vectors() {
            return self.decide_with_skew(before, (phases, candidates), names);
        }
        let mut tried = phases;
        rows(candidates).for_each(|k| tried.copy(k, before));
        let held = self.in_phases(tried);
        if let Ok(Some(motion)) = held.corrected(tried, candidates, &held.motion_level(), names)
            && (motion.phases.closed() ^ tried.closed()) & self.breaking() == 0
        {
            return Ok(motion);
        }
        self.decide(phases, candidates, names)
            .or_else(|error| self.relaxed((phases, candidates), &self.motion_level()).ok_or(error))
    }

    /// Takes over the rates at the end of a step, with those that a restitution gives back, as the part of the motion that does not depend on forces.
    fn meet(&mut self, rates: &Rates<R, W>, restitution: &[R; W], step: &ContactStep<'_, R, N>) {
        for (k, restitution) in restitution.iter().enumerate().take(self.count) {
            let rate = (rates.end[k] + *restitution * rates.before[k]) / step.size;
            self.free[k] += rate - self.rows[k].curvature;
            self.rows[k].curvature = rate;
        }
    }

    /// [`Reduced::decide_from`] beside slips that are vectors. Their laws are decided with a symmetric D, so that the part of D that is not symmetric, which is small as h is, acts
    /// by the forces of the round before.
    fn decide_with_skew(
        &self,
        before: Phases,
        (phases, candidates): (Phases, u64),
        names: &[&'static str],
    ) -> Result<Motion<R, W>, SingularMass> {
        let skew = skew(&self.compliance, self.count);
        let Some(skew) = skew else { return self.decide_beside(before, (phases, candidates), names) };
        let mut even = *self;
        for (entries, skew) in even.compliance.iter_mut().zip(&skew) {
            entries.iter_mut().zip(skew).for_each(|(entry, &skew)| *entry -= skew);
        }
        let (level, mut moved) = (self.motion_level(), [R::ZERO; W]);
        for _ in 0..ROUNDS {
            let mut round = even;
            for (k, &moved) in moved.iter().enumerate().take(self.count) {
                round.free[k] += moved;
                round.rows[k].curvature += moved;
            }
            let motion = round.decide_beside(before, (phases, candidates), names)?;
            let (mut change, mut next) = (0.0_f64, [R::ZERO; W]);
            for (k, next) in next.iter_mut().enumerate().take(self.count) {
                *next = (0..self.count).fold(R::ZERO, |sum, l| sum + skew[k][l] * motion.forces[l]);
                let reach = self.reach(k, &motion.forces, &level);
                let difference = (*next - moved[k]).to_f64().abs();
                change = if difference > 0.0 { change.max(difference / reach) } else { change };
            }
            if change <= SETTLED * R::EPSILON {
                return Ok(motion);
            }
            moved = next;
        }
        Err(SingularMass::of_contact(self.blamed(candidates, u64::MAX), names, false))
    }

    /// The motion beside slips that are vectors, with the contacts that were open before tried first.
    fn decide_beside(
        &self,
        before: Phases,
        (phases, candidates): (Phases, u64),
        names: &[&'static str],
    ) -> Result<Motion<R, W>, SingularMass> {
        if self.breaking() & candidates == 0
            && let Some(motion) = self.decide_as_before(before, (phases, candidates), &self.motion_level(), names)
        {
            return Ok(motion);
        }
        self.decide(phases, candidates, names)
    }
}

impl<S, R, const N: usize, const C: usize, const U: usize, const W: usize> Site<'_, S, R, N, C, U, W>
where
    S: Rows<R, N, C, U>,
    R: Scalar,
{
    /// Checks that no bound is negative or NaN, and that no gap is negative, at a state from which a scheme starts.
    pub(super) fn check_start(&self, state: &State<R, N>, u: &SVector<R, U>, whole: f64) -> Result<(), Failure> {
        let State { t, q, v } = state;
        let place = Place::new(self.system, *t, q, v, u);
        let reduced = Reduced::<R, N, C, W>::at(&place)?;
        self.check_gaps(state, &reduced, whole)?;
        self.check_bounds(&reduced, None, t.to_f64())
    }

    /// The change of the velocities in a step.
    ///
    /// # Errors
    /// [`Failure::SingularMass`], [`Failure::NegativeBound`], [`Failure::Breakaway`], [`Failure::BadRestitution`], [`Failure::ImpactEnergy`], [`Failure::NotApplicable`] at a contact
    /// with adhesion.
    #[inline(never)]
    pub(super) fn stepped(
        &self,
        u: &SVector<R, U>,
        step: &ContactStep<'_, R, N>,
    ) -> Result<ContactStepped<R, N>, Failure> {
        let State { t, q, v } = &step.place;
        let place = Place::new(self.system, *t, q, v, u);
        let names = self.system.row_names();
        let mut reduced = Reduced::<R, N, C, W>::solved_by(&place, step.solve);
        if (0..reduced.rows().len()).any(|k| reduced.adhesion(k) != R::ZERO) {
            let needs = "contacts without adhesion, which a closed contact would lose by the rounding of its gap";
            return Err(Failure::NotApplicable { method: TIME_STEPPING, needs });
        }
        let mut rates = Rates::around(&reduced, step);
        let closed = self.closed(&reduced, (*t, q, v));
        let approaching =
            |k: usize| closed >> k & 1 == 1 && rates.before[k].to_f64() < -rounding(&reduced.rows()[k], v);
        let approaching = (0..reduced.rows().len()).filter(|&k| approaching(k)).fold(0_u64, |set, k| set | 1 << k);
        let restitution = match approaching {
            0 => [R::ZERO; W],
            _ => self.restitutions((*t, q, v, u), approaching, |k| rates.before[k].to_f64())?,
        };
        let mut cancelled = [0.0; W];
        for (cancelled, terms) in cancelled.iter_mut().zip(&rates.terms) {
            *cancelled = 2.0 * terms / step.size.to_f64();
        }
        reduced.cancelled = Some(&cancelled);
        let (mut phases, mut candidates) = (Phases::default(), 0_u64);
        for k in reduced.firsts() {
            let takes_part = match reduced.law(k) {
                Law::Friction | Law::Loaded { .. } | Law::Vector { .. } => true,
                Law::Contact { .. } => closed >> k & 1 == 1,
                Law::Slip { contact } | Law::VectorSlip { contact, .. } => closed >> contact & 1 == 1,
                Law::Latch { .. } => false,
            };
            phases.slide(k, false);
            candidates |= u64::from(takes_part) << k;
        }
        reduced.meet(&rates, &restitution, step);
        let mut motion = reduced.decide_from(step.before.0, (phases, candidates), names)?;
        // The rates at the end belong to the velocities there.
        let after = v + reduced.acceleration(&motion.forces).acceleration * step.size;
        let mut rows_after = [Row::NONE; W];
        self.system.rows(*t, q, &after, u, &mut rows_after[..reduced.count]);
        if rates.bend(&mut reduced, &rows_after, step) {
            reduced.meet(&rates, &restitution, step);
            // Rows that depend on each other may bend apart, where they are not quite in their places.
            motion = reduced.decide_from(motion.phases, (phases, candidates), names).unwrap_or(motion);
        }
        self.check_bounds(&reduced, Some(&motion.forces), t.to_f64())?;
        if rows(approaching).any(|k| restitution[k] != R::ZERO) {
            self.check_energy(&reduced, (&rates, &motion.forces), approaching, step)?;
        }
        let closes = |k: &usize| motion.forces[*k].to_f64() > 0.0 && !step.before.0.sticks(*k);
        let impacts = rows(approaching).filter(closes).count() as u64;
        Ok(ContactStepped {
            acceleration: reduced.acceleration(&motion.forces).acceleration,
            phases: ContactPhases(motion.phases),
            impacts,
        })
    }

    /// The contacts whose gaps are not positive, one bit each. A gap that is not a number is closed, so that its row reports it.
    fn closed(&self, reduced: &Reduced<'_, R, N, C, W>, at: Instant<'_, R, N>) -> u64 {
        let gaps = self.gaps(at.0, at.1);
        let is_open = |k: usize, gap: &Gap<R>| gap.value.to_f64() > gap_rounding(gap, &reduced.rows()[k], at);
        self.gap_rows().filter(|&(k, gap)| !is_open(k, &gaps[gap])).fold(0, |set, (k, _)| set | 1 << k)
    }

    /// Checks all gaps at a start: see [`Site::check_gap`].
    fn check_gaps(&self, state: &State<R, N>, reduced: &Reduced<'_, R, N, C, W>, whole: f64) -> Result<(), Failure> {
        let gaps = self.gaps(state.t, &state.q);
        self.gap_rows().try_for_each(|(k, gap)| self.check_gap((k, &gaps[gap]), reduced, state, Some(whole)))
    }

    /// Checks that the impulses of a step do not add energy. With the rates σ = s + h W M̂⁻¹F that the step would leave without impulses, they take −Σ P (σ + s⁺)/2. By the law of restitution
    /// with e > 0 the forces F may add the work of their own change of the rates, which is of the order of the step.
    fn check_energy(
        &self,
        reduced: &Reduced<'_, R, N, C, W>,
        (rates, forces): (&Rates<R, W>, &[R; W]),
        approaching: u64,
        step: &ContactStep<'_, R, N>,
    ) -> Result<(), Failure> {
        let size = step.size.to_f64();
        let (mut loss, mut scale, mut allowed) = (0.0, 0.0, 0.0);
        for (k, row) in reduced.rows().iter().enumerate() {
            let alone = (0..N).fold(R::ZERO, |sum, i| sum + row.direction[i] * reduced.accelerations[(i, 0)]);
            let changes = (0..reduced.count).map(|l| (reduced.compliance[k][l] * forces[l]).to_f64());
            let (change, reach) = changes.fold((0.0, 0.0), |(sum, reach), part| (sum + part, reach + part.abs()));
            let (impulse, end) = (forces[k].to_f64() * size, rates.end[k].to_f64());
            let drift = (end - rates.before[k].to_f64()).abs() + (alone.to_f64() * size).abs();
            loss -= impulse * (end + alone.to_f64() * size + change * size / 2.0);
            scale += impulse.abs() * (rates.terms[k] + reach * size);
            allowed += impulse.abs() * drift;
        }
        if loss < -(allowed + ENERGY_ROUNDINGS * R::EPSILON * scale) {
            let contact = rows(approaching).next().map_or("", |k| self.name(k));
            return Err(Failure::ImpactEnergy { contact, gain: -loss, t: step.place.t.to_f64() });
        }
        Ok(())
    }
}

impl<R: Scalar, const W: usize> Rates<R, W> {
    /// Those of a step, with the rates at its place in place of those at its end.
    fn around<const N: usize, const C: usize>(reduced: &Reduced<'_, R, N, C, W>, step: &ContactStep<'_, R, N>) -> Self {
        let mut rates = Self { before: [R::ZERO; W], end: [R::ZERO; W], terms: [0.0; W] };
        for (k, row) in reduced.rows().iter().enumerate() {
            rates.before[k] = row.rate - row.curvature * step.theta * step.size;
            rates.end[k] = row.rate;
            rates.terms[k] = terms(row, &step.place.v);
        }
        rates
    }

    /// Adds what the rates change from the place of a step to its end, by the curvatures of `rows_after`. Returns whether this is more than rounding.
    fn bend<const N: usize, const C: usize>(
        &mut self,
        reduced: &mut Reduced<'_, R, N, C, W>,
        rows_after: &[Row<R, N>; W],
        step: &ContactStep<'_, R, N>,
    ) -> bool {
        let (ahead, mut bends) = ((R::ONE - step.theta) * step.size, false);
        for (k, after) in rows_after.iter().enumerate().take(reduced.count) {
            let change = after.curvature * ahead;
            bends |= change.to_f64().abs() > ROUNDINGS * R::EPSILON * self.terms[k];
            reduced.rows[k].rate = self.end[k] + change;
        }
        if reduced.has_vectors() {
            reduced.drop_prevented_rates();
        }
        for (end, row) in self.end.iter_mut().zip(reduced.rows()) {
            *end = row.rate;
        }
        bends
    }
}
