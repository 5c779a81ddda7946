//! The rules by which contacts are integrated. A mechanism with contacts gives them by
//! [`System::contact_rules`](crate::system::System::contact_rules). Programs whose mechanisms have none do not contain them.

use super::ContactForces;
use super::phases::Phases;
use super::rows::Rows;
use super::step::{ContactStep, ContactStepped};
use super::vector::VelocityTolerance;
use crate::error::{Failure, SingularMass};
use crate::limits::MAX_ROWS;
use crate::quantities::Acceleration;
use crate::scalar::Scalar;
use crate::set::Set;
use crate::state::State;
use core::ops::Deref;
use nalgebra::{SMatrix, SVector};

/// A system at (t, q, v, u).
pub(crate) type At<'a, R, const N: usize, const U: usize> =
    (R, &'a SVector<R, N>, &'a SVector<R, N>, &'a SVector<R, U>);

/// How far each contact is from a change of its phase, if it is in the phase that is asked about: two numbers for each row.
pub(crate) type Margins = [Option<(f64, f64)>];

/// A controller.
pub(crate) type Inputs<'a, R, const N: usize, const U: usize> =
    dyn FnMut(R, &SVector<R, N>, &SVector<R, N>) -> SVector<R, U> + 'a;

/// The rules by which the contacts of a system are integrated. A system with contacts gives them, as [`Ruled`], from
/// [`System::contact_rules`](crate::system::System::contact_rules). Only the runtime calls the methods.
pub trait ContactRules<R: Scalar, const N: usize, const C: usize, const U: usize> {
    /// The most rows for which there is room.
    #[doc(hidden)]
    fn room(&self) -> usize;

    /// The forces at a state whose history is not known.
    #[doc(hidden)]
    fn forces(&self, at: At<'_, R, N, U>) -> Result<ContactForces<R>, SingularMass>;

    /// a and λ.
    #[doc(hidden)]
    fn solved(&self, known: Known<R, N>, at: At<'_, R, N, U>) -> Result<Acceleration<R, N, C>, SingularMass>;

    /// F with the forces of the rows in their known phases, without those of the multipliers. `slopes` are derivatives of F without these forces. Each
    /// is replaced by that of F with them, as the forces of rows that stick and of closed contacts respond; the derivatives of the rows'
    /// directions are not in it. The other vector has the magnitudes of the accelerations that the forces of the rows give to the coordinates.
    #[doc(hidden)]
    fn forcing(
        &self,
        known: Known<R, N>,
        at: At<'_, R, N, U>,
        slopes: &mut [&mut SMatrix<R, N, N>],
    ) -> Result<(SVector<R, N>, SVector<R, N>), SingularMass>;

    /// The rows whose known phases last, one bit each, or `None` where the equations cannot be solved; and the switching functions of other
    /// statements that have no sign at a state because rows stick.
    #[doc(hidden)]
    fn signs(&self, known: Known<R, N>, at: At<'_, R, N, U>) -> (Option<u64>, Set);

    /// Checks that no bound is negative or NaN.
    #[doc(hidden)]
    fn check(&self, known: Known<R, N>, state: &State<R, N>, u: &SVector<R, U>) -> Result<(), Failure>;

    /// Checks that no bound is negative or NaN, and that no gap is negative, at a state from which a time-stepping scheme starts. The last number is the rounding of the
    /// times of the whole integration.
    #[doc(hidden)]
    fn check_start(&self, state: &State<R, N>, u: &SVector<R, U>, whole: f64) -> Result<(), Failure>;

    /// The change of the velocities in a step of a time-stepping scheme. The system has no constraints.
    #[doc(hidden)]
    fn stepped(&self, u: &SVector<R, U>, step: &ContactStep<'_, R, N>) -> Result<ContactStepped<R, N>, Failure>;

    /// Decides the phases at a state that was reached.
    #[doc(hidden)]
    fn settle(
        &self,
        known: &mut Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        state: &State<R, N>,
        reached: Reached,
    ) -> Result<Settled<R, N>, Failure>;

    /// Whether the direction of a slip turns too far between two states.
    #[doc(hidden)]
    fn turns(
        &self,
        known: Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        states: [&State<R, N>; 2],
        blind: bool,
    ) -> bool;

    /// How far the force of each sticking contact is below its bound, and the bound.
    #[doc(hidden)]
    fn margins(&self, known: Known<R, N>, inputs: &mut Inputs<'_, R, N, U>, state: &State<R, N>, out: &mut Margins);

    /// The gap of each open contact, with its rounding added.
    #[doc(hidden)]
    fn open_gaps(
        &self,
        known: Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        state: &State<R, N>,
        out: &mut [Option<f64>],
    );

    /// The state, near the end of a step and not after a time, at which the first gap or slip rate among the rows `crossed` is 0. The last number
    /// is the rounding of the time.
    #[doc(hidden)]
    fn reached(
        &self,
        known: Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        states: [&State<R, N>; 2],
        crossed: (u64, R, f64),
    ) -> Result<State<R, N>, Failure>;

    /// The state at which no sticking contact slips. Where a section `ends`, no slip is beyond its rest there.
    #[doc(hidden)]
    fn hold(
        &self,
        known: Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        state: &State<R, N>,
        ends: bool,
    ) -> Result<State<R, N>, Failure>;
}

impl<S, R, const N: usize, const C: usize, const U: usize, const W: usize> ContactRules<R, N, C, U> for Ruled<'_, S, W>
where
    S: Rows<R, N, C, U>,
    R: Scalar,
{
    fn room(&self) -> usize {
        W - 1
    }

    fn forces(&self, at: At<'_, R, N, U>) -> Result<ContactForces<R>, SingularMass> {
        self.forces_at(at)
    }

    fn solved(&self, known: Known<R, N>, (t, q, v, u): At<'_, R, N, U>) -> Result<Acceleration<R, N, C>, SingularMass> {
        self.site(known).solved(t, q, v, u)
    }

    fn forcing(
        &self,
        known: Known<R, N>,
        at: At<'_, R, N, U>,
        slopes: &mut [&mut SMatrix<R, N, N>],
    ) -> Result<(SVector<R, N>, SVector<R, N>), SingularMass> {
        self.site(known).forcing(at, slopes)
    }

    fn signs(&self, known: Known<R, N>, at: At<'_, R, N, U>) -> (Option<u64>, Set) {
        let site = self.site(known);
        (site.lasting(at), site.unsigned(at))
    }

    fn check(&self, known: Known<R, N>, state: &State<R, N>, u: &SVector<R, U>) -> Result<(), Failure> {
        self.site(known).check(state, u, Some(known.phases))
    }

    fn check_start(&self, state: &State<R, N>, u: &SVector<R, U>, whole: f64) -> Result<(), Failure> {
        self.site(Known::nothing()).check_start(state, u, whole)
    }

    fn stepped(&self, u: &SVector<R, U>, step: &ContactStep<'_, R, N>) -> Result<ContactStepped<R, N>, Failure> {
        self.site(Known::nothing()).stepped(u, step)
    }

    fn settle(
        &self,
        known: &mut Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        state: &State<R, N>,
        reached: Reached,
    ) -> Result<Settled<R, N>, Failure> {
        let mut driven = self.driven(*known, inputs);
        let settled = match self.system.opens() {
            false => driven.settle_slips(state, reached),
            true => driven.settle_gaps(state, reached),
        };
        *known = driven.site.known;
        settled
    }

    fn turns(
        &self,
        known: Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        states: [&State<R, N>; 2],
        blind: bool,
    ) -> bool {
        self.driven(known, inputs).turns(states, blind)
    }

    fn margins(&self, known: Known<R, N>, inputs: &mut Inputs<'_, R, N, U>, state: &State<R, N>, out: &mut Margins) {
        self.driven(known, inputs).margins(state, out);
    }

    fn reached(
        &self,
        known: Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        states: [&State<R, N>; 2],
        crossed: (u64, R, f64),
    ) -> Result<State<R, N>, Failure> {
        self.driven(known, inputs).reached(states, crossed)
    }

    fn open_gaps(
        &self,
        known: Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        state: &State<R, N>,
        out: &mut [Option<f64>],
    ) {
        self.driven(known, inputs).open_gaps(state, out);
    }

    fn hold(
        &self,
        known: Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        state: &State<R, N>,
        ends: bool,
    ) -> Result<State<R, N>, Failure> {
        self.driven(known, inputs).hold(state, ends)
    }
}

/// A system, with the room for the forces of its rows: W is the number of rows plus 1. This type has the [rules](ContactRules) of the contacts. A system with
/// three rows gives the rules in [`System::contact_rules`](crate::system::System::contact_rules) by `ask(&Ruled::<Self, 4>::new(self))`.
#[derive(Debug)]
pub struct Ruled<'a, S: ?Sized, const W: usize> {
    pub(super) system: &'a S,
}

impl<'a, S: ?Sized, const W: usize> Ruled<'a, S, W> {
    /// `system` with the room for W − 1 rows.
    #[inline]
    pub fn new(system: &'a S) -> Self {
        const { assert!(W > 0 && W <= MAX_ROWS + 1, "W is the number of rows plus 1, and there are at most `MAX_ROWS`") };
        Self { system }
    }

    /// The system.
    pub(crate) fn system(&self) -> &'a S {
        self.system
    }
}

impl<'a, S, const W: usize> Ruled<'a, S, W> {
    fn site<R: Scalar, const N: usize, const C: usize, const U: usize>(
        &self,
        known: Known<R, N>,
    ) -> Site<'a, S, R, N, C, U, W> {
        Site { system: self.system, known }
    }

    fn driven<'b, 'c, R: Scalar, const N: usize, const C: usize, const U: usize>(
        &self,
        known: Known<R, N>,
        inputs: &'b mut Inputs<'c, R, N, U>,
    ) -> Driven<'a, 'b, 'c, S, R, N, C, U, W> {
        Driven { site: self.site(known), inputs }
    }
}

/// How a state was reached at which phases are decided.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    /// The rows whose zeros were crossed, one bit each.
    pub(crate) crossed: u64,
    /// Whether the motion begins there, or a map changed the state.
    pub(crate) fresh: bool,
    /// The rounding of the time.
    pub(crate) rounding: f64,
    /// The rounding of the times of the whole integration, where the motion begins. It tells whether a start is below a gap.
    pub(crate) whole: f64,
}

/// The outcome of an instant at contacts.
#[derive(Clone, Copy, Debug)]
pub struct Settled<R: Scalar, const N: usize> {
    /// The state after the impacts, at which no sticking contact slips and no closed contact has a gap.
    pub(crate) state: State<R, N>,
    /// The rows whose phase changed, one bit each.
    pub(crate) changed: u64,
    /// The sum of the impulses of each row.
    pub(crate) impulses: [R; MAX_ROWS],
}

impl<R: Scalar, const N: usize> Settled<R, N> {
    /// Nothing happened at a state.
    pub(crate) fn unchanged(state: State<R, N>) -> Self {
        Self { state, changed: 0, impulses: [R::ZERO; MAX_ROWS] }
    }
}

/// What the driver knows about the contacts.
#[derive(Clone, Copy)]
pub struct Known<R: Scalar, const N: usize> {
    pub(crate) phases: Phases,
    /// The attempt at a step whose evaluations are watched.
    pub(crate) attempt: Option<Watched<R, N>>,
    /// The errors that step control accepts in velocities, where slips are vectors and the method has step control.
    pub(crate) tolerance: Option<VelocityTolerance<R, N>>,
    /// How many impacts there were.
    pub(crate) impacts: u64,
}

impl<R: Scalar, const N: usize> Known<R, N> {
    /// What is known of the contacts to a driver that does not carry their phases.
    fn nothing() -> Self {
        Self::of(Phases::default())
    }

    /// What is known of contacts in these phases where no step is made.
    pub(super) fn of(phases: Phases) -> Self {
        Self { phases, attempt: None, tolerance: None, impacts: 0 }
    }
}

/// A system with contacts in a phase each.
pub(super) struct Site<'a, S, R: Scalar, const N: usize, const C: usize, const U: usize, const W: usize> {
    pub(super) system: &'a S,
    pub(super) known: Known<R, N>,
}

impl<S, R: Scalar, const N: usize, const C: usize, const U: usize, const W: usize> Deref
    for Site<'_, S, R, N, C, U, W>
{
    type Target = Known<R, N>;

    fn deref(&self) -> &Self::Target {
        &self.known
    }
}

/// An attempt at a step.
#[derive(Clone, Copy)]
pub(crate) struct Watched<R: Scalar, const N: usize> {
    pub(crate) start: State<R, N>,
    pub(crate) size: f64,
    /// Whether the attempt is meant to go over a switch.
    pub(crate) over: bool,
}

/// A system with contacts under a controller.
pub(super) struct Driven<'a, 'b, 'c, S, R: Scalar, const N: usize, const C: usize, const U: usize, const W: usize> {
    pub(super) site: Site<'a, S, R, N, C, U, W>,
    pub(super) inputs: &'b mut Inputs<'c, R, N, U>,
}

impl<'a, S, R: Scalar, const N: usize, const C: usize, const U: usize, const W: usize> Deref
    for Driven<'a, '_, '_, S, R, N, C, U, W>
{
    type Target = Site<'a, S, R, N, C, U, W>;

    fn deref(&self) -> &Self::Target {
        &self.site
    }
}
