//! The rules by which contacts are integrated. A mechanism with contacts gives them by
//! [`System::contact_rules`](crate::system::System::contact_rules). Programs whose mechanisms have none do not contain them.

use super::phases::Phases;
use super::rows::Rows;
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
pub(crate) type Margins = [Option<(f64, f64)>; MAX_ROWS];

/// A controller.
pub(crate) type Inputs<'a, R, const N: usize, const U: usize> =
    dyn FnMut(R, &SVector<R, N>, &SVector<R, N>) -> SVector<R, U> + 'a;

/// The rules by which the contacts of a system are integrated. Every system has them. One with contacts gives itself as this trait's object
/// from [`System::contact_rules`](crate::system::System::contact_rules). Only the driver of integrations calls the methods.
pub trait ContactRules<R: Scalar, const N: usize, const C: usize, const U: usize> {
    /// a and λ.
    #[doc(hidden)]
    fn solved(&self, known: Known<R, N>, at: At<'_, R, N, U>) -> Result<Acceleration<R, N, C>, SingularMass>;

    /// F with the forces of the rows in their known phases, without those of the multipliers. `slopes` are derivatives of F without these forces. Each
    /// is replaced by that of F with them, as the forces of rows that stick and of closed contacts respond; the derivatives of the rows'
    /// directions are not in it.
    #[doc(hidden)]
    fn forcing(
        &self,
        known: Known<R, N>,
        at: At<'_, R, N, U>,
        slopes: &mut [&mut SMatrix<R, N, N>],
    ) -> Result<SVector<R, N>, SingularMass>;

    /// The rows whose known phases last, one bit each, or `None` where the equations cannot be solved; and the switching functions of other
    /// statements that have no sign at a state because rows stick.
    #[doc(hidden)]
    fn signs(&self, known: Known<R, N>, at: At<'_, R, N, U>) -> (Option<u8>, Set);

    /// Checks that no bound is negative or NaN.
    #[doc(hidden)]
    fn check(&self, known: Known<R, N>, state: &State<R, N>, u: &SVector<R, U>) -> Result<(), Failure>;

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
    fn margins(&self, known: Known<R, N>, inputs: &mut Inputs<'_, R, N, U>, state: &State<R, N>) -> Margins;

    /// The gap of each open contact, with its rounding added.
    #[doc(hidden)]
    fn open_gaps(
        &self,
        known: Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        state: &State<R, N>,
    ) -> [Option<f64>; MAX_ROWS];

    /// The state, near the end of a step and not after a time, at which the first gap or slip rate among the rows `crossed` is 0. The last number
    /// is the rounding of the time.
    #[doc(hidden)]
    fn reached(
        &self,
        known: Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        states: [&State<R, N>; 2],
        crossed: (u8, R, f64),
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

impl<S, R, const N: usize, const C: usize, const U: usize> ContactRules<R, N, C, U> for S
where
    S: Rows<R, N, C, U>,
    R: Scalar,
{
    fn solved(&self, known: Known<R, N>, (t, q, v, u): At<'_, R, N, U>) -> Result<Acceleration<R, N, C>, SingularMass> {
        Site { system: self, known }.solved(t, q, v, u)
    }

    fn forcing(
        &self,
        known: Known<R, N>,
        at: At<'_, R, N, U>,
        slopes: &mut [&mut SMatrix<R, N, N>],
    ) -> Result<SVector<R, N>, SingularMass> {
        Site { system: self, known }.forcing(at, slopes)
    }

    fn signs(&self, known: Known<R, N>, at: At<'_, R, N, U>) -> (Option<u8>, Set) {
        let site = Site { system: self, known };
        (site.lasting(at), site.unsigned(at))
    }

    fn check(&self, known: Known<R, N>, state: &State<R, N>, u: &SVector<R, U>) -> Result<(), Failure> {
        Site { system: self, known }.check(state, u, Some(known.phases))
    }

    fn settle(
        &self,
        known: &mut Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        state: &State<R, N>,
        reached: Reached,
    ) -> Result<Settled<R, N>, Failure> {
        let mut driven = Driven { site: Site { system: self, known: *known }, inputs };
        let settled = match self.opens() {
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
        Driven { site: Site { system: self, known }, inputs }.turns(states, blind)
    }

    fn margins(&self, known: Known<R, N>, inputs: &mut Inputs<'_, R, N, U>, state: &State<R, N>) -> Margins {
        Driven { site: Site { system: self, known }, inputs }.margins(state)
    }

    fn reached(
        &self,
        known: Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        states: [&State<R, N>; 2],
        crossed: (u8, R, f64),
    ) -> Result<State<R, N>, Failure> {
        Driven { site: Site { system: self, known }, inputs }.reached(states, crossed)
    }

    fn open_gaps(
        &self,
        known: Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        state: &State<R, N>,
    ) -> [Option<f64>; MAX_ROWS] {
        Driven { site: Site { system: self, known }, inputs }.open_gaps(state)
    }

    fn hold(
        &self,
        known: Known<R, N>,
        inputs: &mut Inputs<'_, R, N, U>,
        state: &State<R, N>,
        ends: bool,
    ) -> Result<State<R, N>, Failure> {
        Driven { site: Site { system: self, known }, inputs }.hold(state, ends)
    }
}

/// How a state was reached at which phases are decided.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    /// The rows whose zeros were crossed, one bit each.
    pub(crate) crossed: u8,
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
    pub(crate) changed: u8,
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

/// A system with contacts in a phase each.
pub(super) struct Site<'a, S, R: Scalar, const N: usize, const C: usize, const U: usize> {
    pub(super) system: &'a S,
    pub(super) known: Known<R, N>,
}

impl<S, R: Scalar, const N: usize, const C: usize, const U: usize> Deref for Site<'_, S, R, N, C, U> {
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
pub(super) struct Driven<'a, 'b, 'c, S, R: Scalar, const N: usize, const C: usize, const U: usize> {
    pub(super) site: Site<'a, S, R, N, C, U>,
    pub(super) inputs: &'b mut Inputs<'c, R, N, U>,
}

impl<'a, S, R: Scalar, const N: usize, const C: usize, const U: usize> Deref for Driven<'a, '_, '_, S, R, N, C, U> {
    type Target = Site<'a, S, R, N, C, U>;

    fn deref(&self) -> &Self::Target {
        &self.site
    }
}
