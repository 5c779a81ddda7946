//! Where an evaluation depends on contacts. What does is computed by the [rules](ContactRules) that the system gives, so that programs
//! without contacts do not contain it.

use super::Evaluator;
use super::branch::branch_of;
use crate::contact::{ContactRules, ContactStep, ContactStepped, Inputs, Known, MAX_ROWS, Watched};
use crate::controller::Controller;
use crate::error::{Failure, SingularMass};
use crate::evaluate::TIME_STEPPING;
use crate::scalar::Real;
use crate::set::Set;
use crate::state::State;
use crate::switching::{Attempt, Branch};
use crate::system::{Acceleration, System};
use nalgebra::{SMatrix, SVector};

/// A question to the rules of contacts.
type Question<'a, R, const N: usize, const C: usize, const U: usize> =
    dyn FnMut(&dyn ContactRules<R, N, C, U>, &mut Known<R, N>, &mut Inputs<'_, R, N, U>) + 'a;

impl<S, K, R, const N: usize, const C: usize, const U: usize> Evaluator<'_, S, K, R, N, C, U>
where
    S: System<R, N, C, U> + ?Sized,
    K: Controller<R, N, U> + ?Sized,
    R: Real,
{
    /// Whether the driver carries the phases of contacts. For a system without contacts it compiles to `false`.
    #[inline(always)]
    pub(super) fn knows_phases(&self) -> bool {
        self.system.row_count() != 0 && self.phases.known
    }

    /// What the rules see of this evaluator.
    fn known(&self) -> Known<R, N> {
        let watched = |attempt: &Attempt<R, N>| Watched {
            start: attempt.start(),
            size: attempt.size.to_f64(),
            over: attempt.over,
        };
        let attempt = self.attempt.as_ref().map(watched);
        let tolerance = self.of_velocities.and_then(|of_velocities| of_velocities(self));
        Known { phases: self.phases, attempt, tolerance, impacts: 0 }
    }

    /// Calls `decide` with the rules, and takes over the phases and the impacts. `None` for a system without contacts.
    #[inline(always)]
    pub(super) fn decided<T>(
        &mut self,
        decide: impl FnOnce(&dyn ContactRules<R, N, C, U>, &mut Known<R, N>, &mut Inputs<'_, R, N, U>) -> T,
    ) -> Option<T> {
        let (mut decide, mut result) = (Some(decide), None);
        self.with_rules(&mut |rules, known, inputs| {
            result = decide.take().map(|decide| decide(rules, known, inputs));
        });
        result
    }

    /// Calls `decide` with the rules, where there are contacts. It is compiled once, and not for each question to the rules.
    #[inline(never)]
    fn with_rules(&mut self, decide: &mut Question<'_, R, N, C, U>) {
        let mut known = self.known();
        let controller = &mut *self.controller;
        let mut inputs = |t: R, q: &SVector<R, N>, v: &SVector<R, N>| controller.input(t, q, v);
        self.system.contact_rules(&mut |rules| decide(rules, &mut known, &mut inputs));
        self.phases = known.phases;
        self.statistics.impacts += known.impacts;
    }

    /// What the rules answer, without a change of the phases. `None` for a system without contacts.
    fn by_rules<T>(&self, ask: impl FnOnce(&dyn ContactRules<R, N, C, U>) -> T) -> Option<T> {
        let (mut ask, mut result) = (Some(ask), None);
        self.system.contact_rules(&mut |rules| result = ask.take().map(|ask| ask(rules)));
        result
    }

    /// The change of the velocities in a step of a time-stepping scheme.
    pub(super) fn stepped(
        &self,
        step: &ContactStep<'_, R, N>,
        u: &SVector<R, U>,
    ) -> Result<ContactStepped<R, N>, Failure> {
        if const { C > 0 } {
            let needs = "a mechanism without constraints";
            return Err(Failure::NotApplicable { method: TIME_STEPPING, needs });
        }
        if self.system.row_count() != 0
            && let Some(stepped) = self.by_rules(|rules| rules.stepped(u, step))
        {
            return stepped;
        }
        let State { t, q, v } = &step.place;
        let forcing = self.system.equations(*t, q, v, u).forcing;
        Ok(ContactStepped { acceleration: (step.solve)(&forcing), phases: step.before, impacts: 0 })
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
        if self.system.row_count() == 0 {
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
        let by_rules = self.phases.known || self.system.bound_count() == 0;
        let solved = if by_rules { self.by_rules(|rules| rules.solved(self.known(), (t, q, v, u))) } else { None };
        solved.unwrap_or_else(|| self.system.acceleration(t, q, v, u))
    }

    /// Replaces the forces −b sign(s) in f = `balance` by the forces of the rows in their known phases, and the derivatives of f likewise. Where the
    /// forces are not determined, f is NaN, and [`Accelerate::check_slopes`](crate::evaluate::Accelerate::check_slopes) has the reason.
    #[cold]
    #[inline(never)]
    pub(super) fn in_phases(
        &mut self,
        balance: &mut SVector<R, N>,
        slopes: &mut [&mut SMatrix<R, N, N>],
        at: (R, &SVector<R, N>, &SVector<R, N>, &SVector<R, U>),
    ) {
        let (t, q, v, u) = at;
        let Some(forcing) = self.by_rules(|rules| rules.forcing(self.known(), at, slopes)) else { return };
        match forcing {
            Ok((forcing, given)) => {
                self.given = given.iter().fold(R::ZERO, |most, &part| most.max(part));
                *balance += forcing - self.system.equations(t, q, v, u).forcing;
            }
            Err(singular) => {
                self.fault.get_or_insert(singular);
                balance.fill(R::from_f64(f64::NAN));
            }
        }
    }

    /// The magnitudes of the accelerations that the forces of rows in known phases give to the coordinates. They are 0 where there are none, or where they are not determined.
    #[inline(always)]
    pub(super) fn given_at(&mut self, state: &State<R, N>) -> SVector<R, N> {
        if self.knows_phases() { self.given_in_phases(state) } else { SVector::repeat(R::ZERO) }
    }

    #[cold]
    #[inline(never)]
    fn given_in_phases(&mut self, State { t, q, v }: &State<R, N>) -> SVector<R, N> {
        let u = self.controller.input(*t, q, v);
        let forcing = self.by_rules(|rules| rules.forcing(self.known(), (*t, q, v, &u), &mut []));
        forcing.and_then(Result::ok).map_or(SVector::repeat(R::ZERO), |(_, given)| given)
    }

    /// The branch of the equations. In known phases, the sign of a contact is positive as long as the phase lasts.
    #[inline(always)]
    pub(super) fn branch_at(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Branch {
        let branch = branch_of(self.system, t, q, v, u);
        if self.knows_phases() { self.with_phases(branch, (t, q, v, u)) } else { branch }
    }

    #[cold]
    #[inline(never)]
    fn with_phases(&self, mut branch: Branch, at: (R, &SVector<R, N>, &SVector<R, N>, &SVector<R, U>)) -> Branch {
        let Some((lasting, unsigned)) = self.by_rules(|rules| rules.signs(self.known(), at)) else { return branch };
        branch.clear(unsigned);
        if let Some(lasting) = lasting {
            for (k, &switch) in self.system.row_switches().iter().enumerate().take(MAX_ROWS) {
                branch.put(switch, lasting >> k & 1 == 1);
            }
        }
        branch
    }

    /// The branch at the start of an attempt, where each known phase lasts.
    pub(super) fn branch_of_phase(&mut self, start: &State<R, N>) -> Branch {
        let State { t, q, v } = start;
        let u = self.controller.input(*t, q, v);
        let mut branch = self.branch_at(*t, q, v, &u);
        if self.knows_phases() {
            self.system.row_switches().iter().for_each(|&switch| branch.put(switch, true));
        }
        branch
    }

    /// The switching functions of the contacts whose phases are known.
    pub(super) fn known_contacts(&self) -> Set {
        let mut set = Set::EMPTY;
        if self.knows_phases() {
            self.system.row_switches().iter().for_each(|&switch| set.put(switch, true));
        }
        set
    }

    /// The rows whose switching functions are among `switches`, one bit each.
    pub(super) fn rows_among(&self, switches: Set) -> u64 {
        let among = |&(k, switch): &(usize, &usize)| k < MAX_ROWS && switches.contains(*switch);
        self.system.row_switches().iter().enumerate().filter(among).fold(0, |set, (k, _)| set | 1 << k)
    }

    /// Checks a state from which a time-stepping scheme starts.
    #[cold]
    #[inline(never)]
    pub(super) fn check_start_of_scheme(&mut self, state: &State<R, N>, whole: R) -> Result<(), Failure> {
        let u = self.controller.input(state.t, &state.q, &state.v);
        self.by_rules(|rules| rules.check_start(state, &u, whole.to_f64())).unwrap_or(Ok(()))
    }

    /// Checks that no bound is negative or NaN.
    #[inline(always)]
    pub(super) fn check_bounds(&self, state: &State<R, N>, u: &SVector<R, U>) -> Result<(), Failure> {
        if self.knows_phases() { self.check_each_bound(state, u) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn check_each_bound(&self, state: &State<R, N>, u: &SVector<R, U>) -> Result<(), Failure> {
        self.by_rules(|rules| rules.check(self.known(), state, u)).unwrap_or(Ok(()))
    }
}
