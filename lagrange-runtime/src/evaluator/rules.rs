//! The rules by which contacts are integrated. A mechanism with contacts gives them by [`System::contact_rules`]. Programs whose mechanisms
//! have none do not contain them.

mod gaps;
mod phases;

use super::attempt::Attempt;
use crate::error::{Failure, SingularMass};
use crate::event::{Branch, Set};
use crate::friction::{MAX_CONTACTS, Phases};
use crate::scalar::{Real, Scalar};
use crate::state::State;
use crate::system::{Acceleration, ContactRules, System};
use core::ops::Deref;
use nalgebra::SVector;

/// Returns the rules for the contacts of `system`, which are the same for all systems. Return them from [`System::contact_rules`] of a system
/// of your own with contacts.
pub fn contact_rules<S, R, const N: usize, const C: usize, const U: usize>(system: &S) -> ContactRules<'_, R, N, C, U>
where
    S: System<R, N, C, U>,
    R: Scalar,
{
    ContactRules::new(system, &Rules::<R, N, C, U>::ALL)
}

/// A system at (t, q, v, u).
type At<'a, R, const N: usize, const U: usize> = (R, &'a SVector<R, N>, &'a SVector<R, N>, &'a SVector<R, U>);

/// How far each contact is from a change of its phase, if it is in the phase that is asked about: two numbers for each row.
type Margins = [Option<(f64, f64)>; MAX_CONTACTS];

/// A controller.
pub(super) type Inputs<'a, R, const N: usize, const U: usize> =
    dyn FnMut(R, &SVector<R, N>, &SVector<R, N>) -> SVector<R, U> + 'a;

/// What the rules do.
pub(super) trait Treat<R: Scalar, const N: usize, const C: usize, const U: usize>: Send + Sync {
    /// a and λ.
    fn solved(&self, site: &Site<'_, R, N, C, U>, at: At<'_, R, N, U>) -> Result<Acceleration<R, N, C>, SingularMass>;

    /// The branch in known phases: the sign of a contact is positive as long as its phase lasts.
    fn branch(&self, site: &Site<'_, R, N, C, U>, branch: Branch, at: At<'_, R, N, U>) -> Branch;

    /// Checks that no bound is negative or NaN.
    fn check(&self, site: &Site<'_, R, N, C, U>, state: &State<R, N>, u: &SVector<R, U>) -> Result<(), Failure>;

    /// Decides the phases at a state that was reached: by the switches that were crossed, whether the motion begins there, and with the
    /// rounding of the time.
    fn settle(
        &self,
        driven: &mut Driven<'_, '_, R, N, C, U>,
        state: &State<R, N>,
        reached: (Set, bool, f64),
    ) -> Result<(State<R, N>, u8), Failure>;

    /// Whether the direction of a slip turns too far between two states.
    fn turns(&self, driven: &mut Driven<'_, '_, R, N, C, U>, states: [&State<R, N>; 2], blind: bool) -> bool;

    /// How far the force of each sticking contact is below its bound, and the bound.
    fn margins(&self, driven: &mut Driven<'_, '_, R, N, C, U>, state: &State<R, N>) -> Margins;

    /// The gap and its rate of each open contact.
    fn open_gaps(&self, driven: &mut Driven<'_, '_, R, N, C, U>, state: &State<R, N>) -> Margins;

    /// The state at which no sticking contact slips.
    fn hold(&self, driven: &mut Driven<'_, '_, R, N, C, U>, state: &State<R, N>) -> Result<State<R, N>, Failure>;
}

/// The rules for systems of a type, which [`ContactRules`] hides.
pub(super) struct Rules<R: Scalar, const N: usize, const C: usize, const U: usize>(
    pub(super) &'static dyn Treat<R, N, C, U>,
);

impl<R: Scalar, const N: usize, const C: usize, const U: usize> Rules<R, N, C, U> {
    const ALL: Self = Self(&Everywhere);
}

/// The rules for all systems.
struct Everywhere;

impl<R: Scalar, const N: usize, const C: usize, const U: usize> Treat<R, N, C, U> for Everywhere {
    fn solved(
        &self,
        site: &Site<'_, R, N, C, U>,
        (t, q, v, u): At<'_, R, N, U>,
    ) -> Result<Acceleration<R, N, C>, SingularMass> {
        site.solved(t, q, v, u)
    }

    fn branch(&self, site: &Site<'_, R, N, C, U>, branch: Branch, at: At<'_, R, N, U>) -> Branch {
        site.with_phases(branch, at)
    }

    fn check(&self, site: &Site<'_, R, N, C, U>, state: &State<R, N>, u: &SVector<R, U>) -> Result<(), Failure> {
        site.check_each_bound(state, u, Some(site.phases))
    }

    fn settle(
        &self,
        driven: &mut Driven<'_, '_, R, N, C, U>,
        state: &State<R, N>,
        reached: (Set, bool, f64),
    ) -> Result<(State<R, N>, u8), Failure> {
        driven.settled(state, reached)
    }

    fn turns(&self, driven: &mut Driven<'_, '_, R, N, C, U>, states: [&State<R, N>; 2], blind: bool) -> bool {
        driven.turns_between(states, blind)
    }

    fn margins(&self, driven: &mut Driven<'_, '_, R, N, C, U>, state: &State<R, N>) -> Margins {
        driven.holding_margins(state)
    }

    fn open_gaps(&self, driven: &mut Driven<'_, '_, R, N, C, U>, state: &State<R, N>) -> Margins {
        driven.open_gaps_at(state)
    }

    fn hold(&self, driven: &mut Driven<'_, '_, R, N, C, U>, state: &State<R, N>) -> Result<State<R, N>, Failure> {
        driven.held(state)
    }
}

/// A system with contacts in a phase each.
pub(super) struct Site<'a, R: Scalar, const N: usize, const C: usize, const U: usize> {
    pub(super) system: &'a dyn System<R, N, C, U>,
    pub(super) phases: Phases,
    /// The attempt at a step whose evaluations are watched.
    pub(super) attempt: Option<Watched<R, N>>,
}

/// An attempt at a step.
#[derive(Clone, Copy)]
pub(super) struct Watched<R: Scalar, const N: usize> {
    start: State<R, N>,
    size: f64,
    /// Whether the attempt is meant to go over a switch.
    over: bool,
}

impl<R: Real, const N: usize> From<&Attempt<R, N>> for Watched<R, N> {
    fn from(attempt: &Attempt<R, N>) -> Self {
        Self { start: attempt.start(), size: attempt.size.to_f64(), over: attempt.over }
    }
}

/// A system with contacts under a controller.
pub(super) struct Driven<'a, 'b, R: Scalar, const N: usize, const C: usize, const U: usize> {
    pub(super) site: Site<'a, R, N, C, U>,
    pub(super) inputs: &'b mut Inputs<'b, R, N, U>,
    /// How many impacts there were.
    pub(super) impacts: u64,
}

impl<'a, R: Scalar, const N: usize, const C: usize, const U: usize> Deref for Driven<'a, '_, R, N, C, U> {
    type Target = Site<'a, R, N, C, U>;

    fn deref(&self) -> &Self::Target {
        &self.site
    }
}
