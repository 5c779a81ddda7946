//! Where an evaluation depends on contacts. What does is computed by the [rules](ContactRules) that the system gives, so that programs
//! without contacts do not contain it.

use super::{Attempt, Evaluator};
use crate::contact::{ContactRules, Inputs, Known, MAX_ROWS, Watched};
use crate::controller::Controller;
use crate::error::{Failure, SingularMass};
use crate::event::{Branch, Set};
use crate::scalar::Real;
use crate::state::{State, time_rounding};
use crate::system::{Acceleration, System};
use nalgebra::SVector;

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
        let watched = |attempt: &Attempt<R, N, C>| Watched {
            start: attempt.start(),
            size: attempt.size.to_f64(),
            over: attempt.over,
        };
        Known { phases: self.phases, attempt: self.attempt.as_ref().map(watched), impacts: 0 }
    }

    /// Calls `decide` with the rules, and takes over the phases and the impacts. `None` for a system without contacts.
    fn decided<T>(
        &mut self,
        decide: impl FnOnce(&dyn ContactRules<R, N, C, U>, &mut Known<R, N>, &mut Inputs<'_, R, N, U>) -> T,
    ) -> Option<T> {
        let (rules, mut known) = (self.system.contact_rules()?, self.known());
        let controller = &mut *self.controller;
        let mut inputs = |t: R, q: &SVector<R, N>, v: &SVector<R, N>| controller.input(t, q, v);
        let result = decide(rules, &mut known, &mut inputs);
        self.phases = known.phases;
        self.statistics.impacts += known.impacts;
        Some(result)
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
        match self.system.contact_rules() {
            Some(rules) => rules.solved(self.known(), (t, q, v, u)),
            None => self.system.acceleration(t, q, v, u),
        }
    }

    /// The branch of the equations. In known phases, the sign of a contact is positive as long as the phase lasts.
    #[inline(always)]
    pub(super) fn branch_at(&self, t: R, q: &SVector<R, N>, v: &SVector<R, N>, u: &SVector<R, U>) -> Branch {
        let branch = Branch::of(self.system, t, q, v, u);
        if self.knows_phases() { self.with_phases(branch, (t, q, v, u)) } else { branch }
    }

    #[cold]
    #[inline(never)]
    fn with_phases(&self, branch: Branch, at: (R, &SVector<R, N>, &SVector<R, N>, &SVector<R, U>)) -> Branch {
        self.system.contact_rules().map_or(branch, |rules| rules.branch(self.known(), branch, at))
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

    /// Checks that no bound is negative or NaN.
    #[inline(always)]
    pub(super) fn check_bounds(&self, state: &State<R, N>, u: &SVector<R, U>) -> Result<(), Failure> {
        if self.knows_phases() { self.check_each_bound(state, u) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn check_each_bound(&self, state: &State<R, N>, u: &SVector<R, U>) -> Result<(), Failure> {
        self.system.contact_rules().map_or(Ok(()), |rules| rules.check(self.known(), state, u))
    }

    /// Decides the phases at a state. Returns the state at which no sticking contact slips, and the contacts whose phase
    /// changed.
    pub(super) fn settled(
        &mut self,
        state: &State<R, N>,
        (crossed, fresh, t_end): (Set, bool, R),
    ) -> Result<(State<R, N>, u8), Failure> {
        let rounding = time_rounding(state.t, t_end).to_f64();
        self.decided(|rules, known, inputs| rules.settle(known, inputs, state, (crossed, fresh, rounding)))
            .unwrap_or(Ok((*state, 0)))
    }

    /// Whether the direction of a slip that is a vector turns too far from `start` to `end` for one step. If the method does not estimate
    /// its errors (`blind`), the step must also not be longer than the time constant of the turning.
    pub(super) fn turns_between(&mut self, states: [&State<R, N>; 2], blind: bool) -> bool {
        self.decided(|rules, known, inputs| rules.turns(*known, inputs, states, blind)).unwrap_or(false)
    }

    /// How far the force of each sticking contact is below its bound, and the bound.
    pub(super) fn holding_margins(&mut self, state: &State<R, N>) -> [Option<(f64, f64)>; MAX_ROWS] {
        self.decided(|rules, known, inputs| rules.margins(*known, inputs, state)).unwrap_or([None; MAX_ROWS])
    }

    /// The gap and its rate of each open contact.
    pub(super) fn open_gaps_at(&mut self, state: &State<R, N>) -> [Option<(f64, f64)>; MAX_ROWS] {
        self.decided(|rules, known, inputs| rules.open_gaps(*known, inputs, state)).unwrap_or([None; MAX_ROWS])
    }

    /// The state at which no sticking contact slips.
    pub(super) fn held(&mut self, state: &State<R, N>) -> Result<State<R, N>, Failure> {
        self.decided(|rules, known, inputs| rules.hold(*known, inputs, state)).unwrap_or(Ok(*state))
    }
}
