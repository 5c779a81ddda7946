//! The equations in the known phases of contacts.

use super::Evaluator;
use crate::controller::Controller;
use crate::error::{Failure, SingularMass};
use crate::event::{Branch, Set};
use crate::friction::{MAX_CONTACTS, Phases, Place, Reduced};
use crate::scalar::Real;
use crate::state::State;
use crate::system::{Acceleration, Contact, System};
use nalgebra::SVector;

/// The slip rate that is rounding, in roundings of its terms.
const ROUNDINGS: f64 = 256.0;

impl<S, K, R, const N: usize, const C: usize, const U: usize> Evaluator<'_, S, K, R, N, C, U>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    /// Whether the driver carries the phases of contacts. For a system without contacts it compiles to `false`.
    #[inline(always)]
    pub(super) fn knows_phases(&self) -> bool {
        self.system.contact_count() != 0 && self.phases.known
    }

    /// a and λ, in the phases of the contacts where these are known, and otherwise under the forces −b sign(s).
    #[inline(always)]
    pub(super) fn solved(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<Acceleration<R, N, C>, SingularMass> {
        if self.system.contact_count() == 0 {
            self.system.acceleration(t, q, v, u)
        } else {
            self.solved_with_contacts(t, q, v, u)
        }
    }

    #[cold]
    #[inline(never)]
    fn solved_with_contacts(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        u: &SVector<R, U>,
    ) -> Result<Acceleration<R, N, C>, SingularMass> {
        if !self.phases.known && self.system.bound_count() != 0 {
            return self.system.acceleration(t, q, v, u);
        }
        let place = Place::new(self.system, t, q, v, u);
        let reduced = Reduced::<R, N, C>::at(&place)?;
        let forces = match self.phases.known {
            true => reduced.forces(self.phases, self.system.contact_names())?,
            false => reduced.sliding_forces(),
        };
        Ok(reduced.acceleration(&forces))
    }

    /// The branch of the equations. In known phases, the sign of a contact is positive as long as the phase lasts.
    #[inline(always)]
    pub(super) fn branch_at(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Branch {
        let branch = Branch::of(self.system, t, q, v, u);
        if self.knows_phases() { self.with_phases(branch, (t, q, v, u)) } else { branch }
    }

    #[cold]
    #[inline(never)]
    fn with_phases(
        &self,
        mut branch: Branch,
        (t, q, v, u): (R, &SVector<R, N>, &SVector<R, N>, &SVector<R, U>),
    ) -> Branch {
        if self.system.gap_count() != 0 {
            return self.with_gaps(branch, (t, q, v, u));
        }
        let switches = self.system.contact_switches().iter().enumerate();
        if !self.phases.any_sticks() {
            let mut contacts = [Contact::NONE; MAX_CONTACTS];
            self.system.contacts(t, q, v, u, &mut contacts);
            for ((k, &switch), contact) in switches.zip(&contacts) {
                branch.put(switch, self.slips_on(k, contact, v));
            }
            return branch;
        }
        let place = Place::new(self.system, t, q, v, u);
        let Ok(reduced) = Reduced::<R, N, C>::at(&place) else { return branch };
        let Ok(forces) = reduced.forces(self.phases, self.system.contact_names()) else { return branch };
        for ((k, &switch), contact) in switches.zip(reduced.contacts()) {
            let lasts = if self.phases.sticks(k) { reduced.is_held(k, &forces) } else { self.slips_on(k, contact, v) };
            branch.put(switch, lasts);
        }
        branch
    }

    /// Whether contact `k` still slips in the direction of its phase.
    pub(super) fn slips_on(&self, k: usize, contact: &Contact<R, N>, v: &SVector<R, N>) -> bool {
        contact.rate.to_f64() * self.phases.direction(k) >= -rounding(contact, v)
    }

    /// The branch at the start of an attempt, where each known phase lasts.
    pub(super) fn branch_of_phase(&mut self, start: &State<R, N>) -> Branch {
        let State { t, q, v } = start;
        let u = self.controller.input(*t, q, v);
        let mut branch = self.branch_at(*t, q, v, &u);
        if self.knows_phases() {
            self.system.contact_switches().iter().for_each(|&switch| branch.put(switch, true));
        }
        branch
    }

    /// The switching functions of the contacts whose phases are known.
    pub(super) fn known_contacts(&self) -> Set {
        let mut set = Set::EMPTY;
        if self.knows_phases() {
            self.system.contact_switches().iter().for_each(|&switch| set.put(switch, true));
        }
        set
    }

    /// Checks that no bound is negative or NaN.
    #[inline(always)]
    pub(super) fn check_bounds(&self, state: &State<R, N>, u: &SVector<R, U>) -> Result<(), Failure> {
        if self.knows_phases() { self.check_each_bound(state, u, Some(self.phases)) } else { Ok(()) }
    }

    /// Checks the bounds, and those that contain multipliers where the forces follow from `phases`.
    #[cold]
    #[inline(never)]
    pub(super) fn check_each_bound(
        &self,
        state: &State<R, N>,
        u: &SVector<R, U>,
        phases: Option<Phases>,
    ) -> Result<(), Failure> {
        let State { t, q, v } = state;
        let place = Place::new(self.system, *t, q, v, u);
        let reduced = Reduced::<R, N, C>::at(&place)?;
        let names = self.system.contact_names();
        let is_loaded = self.system.bound_count() != 0;
        let forces = match phases.filter(|_| is_loaded) {
            Some(phases) => Some(reduced.forces(phases, names)?),
            None => None,
        };
        for ((k, contact), name) in reduced.contacts().iter().enumerate().zip(names) {
            let bound = match &forces {
                Some(forces) if reduced.is_loaded(k) => reduced.limit(k, forces).to_f64(),
                _ => contact.bound.to_f64(),
            };
            if bound < 0.0 || bound.is_nan() {
                return Err(Failure::NegativeBound { contact: name, bound, t: t.to_f64() });
            }
        }
        Ok(())
    }

    /// Decides the phases at a state. Returns the state at which no sticking contact slips, and the contacts whose phase
    /// changed.
    pub(super) fn settled(
        &mut self,
        state: &State<R, N>,
        (crossed, fresh, t_end): (Set, bool, R),
    ) -> Result<(State<R, N>, u8), Failure> {
        if self.system.gap_count() != 0 {
            return self.settled_with_gaps(state, (crossed, fresh, t_end));
        }
        let State { t, q, v } = state;
        let u = self.controller.input(*t, q, v);
        self.check_each_bound(state, &u, None)?;
        let names = self.system.contact_names();
        let place = Place::new(self.system, *t, q, v, &u);
        let reduced = Reduced::<R, N, C>::at(&place)?;
        let (before, mut phases, mut at_rest) = (self.phases, self.phases, 0_u8);
        for ((k, &switch), contact) in self.system.contact_switches().iter().enumerate().zip(reduced.contacts()) {
            let rate = contact.rate.to_f64();
            let stops = crossed.contains(switch) || before.sticks(k) && !fresh;
            if stops || rate.abs() <= rounding(contact, v) {
                at_rest |= 1 << k;
            } else if fresh {
                phases.slide(k, rate < 0.0);
            }
        }
        // The velocity is brought to rest first, because forces and bounds may depend on it.
        let mut stopping = phases;
        (0..reduced.contacts().len()).filter(|k| at_rest >> k & 1 == 1).for_each(|k| stopping.stick(k));
        let v = reduced.hold(stopping, v, names)?;
        if self.system.bound_count() != 0 {
            self.check_each_bound(&State { t: *t, q: *q, v }, &u, Some(stopping))?;
        }
        let place = Place::new(self.system, *t, q, &v, &u);
        let reduced = Reduced::<R, N, C>::at(&place)?;
        self.phases = reduced.decide(phases, at_rest, names)?.phases;
        Ok((State { t: *t, q: *q, v }, before.differs(self.phases)))
    }

    /// How far the force of each sticking contact is below its bound, and the bound.
    #[cold]
    #[inline(never)]
    pub(super) fn holding_margins(&mut self, state: &State<R, N>) -> [Option<(f64, f64)>; MAX_CONTACTS] {
        let State { t, q, v } = state;
        let u = self.controller.input(*t, q, v);
        let mut margins = [None; MAX_CONTACTS];
        let place = Place::new(self.system, *t, q, v, &u);
        let Ok(reduced) = Reduced::<R, N, C>::at(&place) else { return margins };
        let Ok(forces) = reduced.forces(self.phases, self.system.contact_names()) else { return margins };
        if self.system.gap_count() != 0 {
            return self.margins_of(&reduced, &forces);
        }
        for k in (0..reduced.contacts().len()).filter(|&k| self.phases.sticks(k)) {
            let bound = reduced.limit(k, &forces).to_f64();
            let scale = if reduced.is_loaded(k) { bound.max(reduced.largest_force(k, &forces)) } else { bound };
            margins[k] = Some((bound - forces[k].to_f64().abs(), scale));
        }
        margins
    }

    /// The state at which no sticking contact slips.
    #[cold]
    #[inline(never)]
    pub(super) fn held(&mut self, state: &State<R, N>) -> Result<State<R, N>, Failure> {
        let State { t, q, v } = state;
        let u = self.controller.input(*t, q, v);
        let q = if self.system.gap_count() == 0 { *q } else { self.grounded(state, self.phases.closed())? };
        let place = Place::new(self.system, *t, &q, v, &u);
        let reduced = Reduced::<R, N, C>::at(&place)?;
        Ok(State { q, v: reduced.hold(self.phases, v, self.system.contact_names())?, ..*state })
    }
}

/// The magnitude of a slip rate that is rounding.
pub(super) fn rounding<R: Real, const N: usize>(contact: &Contact<R, N>, v: &SVector<R, N>) -> f64 {
    ROUNDINGS * R::EPSILON * crate::friction::terms(contact, v)
}
