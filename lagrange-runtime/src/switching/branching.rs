//! What the search for switches needs of a motion.

use super::{Branch, Smooth};
use crate::contact::Phases;
use crate::error::{Failure, SingularMass};
use crate::quantities::Law;
use crate::scalar::Real;
use crate::set::Set;
use crate::state::State;
use nalgebra::SVector;

/// What the search for switches needs of a motion: its branches, and the phases of its contacts. No evaluation here is counted.
pub trait Branching<R: Real, const N: usize> {
    /// The number of switching functions.
    fn switch_count(&self) -> usize;

    /// The names of the switching functions; empty where the system does not name them.
    fn switch_names(&self) -> &'static [&'static str];

    /// a at `state`, under the inputs that the controller gives for velocity `v`.
    ///
    /// # Errors
    /// [`SingularMass`] where the equations cannot be solved for a.
    fn acceleration_under(&mut self, state: &State<R, N>, v: &SVector<R, N>) -> Result<SVector<R, N>, SingularMass>;

    /// The switching functions at a state.
    fn switches(&mut self, state: &State<R, N>, out: &mut [R]);

    /// The branch of the equations at a state.
    fn branch(&mut self, state: &State<R, N>) -> Branch;

    /// Checks that every switching function has a value at a state.
    ///
    /// # Errors
    /// [`Failure::UndefinedSwitch`] names the first that has none.
    fn check_switches(&mut self, state: &State<R, N>) -> Result<(), Failure>;

    /// Starts to check whether evaluations stay on the branch of `start`, for an attempt at a step of a size. If the attempt is to go
    /// over a switch, smooth switches count too. Otherwise `smooth` finds them.
    fn stay_on_branch(&mut self, start: &State<R, N>, attempt: (R, bool), smooth: Smooth<R, N>);

    /// Checks the branch of the state in which an attempt ends. No stage is evaluated there.
    ///
    /// # Errors
    /// [`Failure::UndefinedSwitch`] names a switching function that is NaN there.
    fn look_at(&mut self, state: &State<R, N>) -> Result<(), Failure>;

    /// Ends the check of the branch. Returns the switching functions by which evaluations left it. A switch without a jump or a
    /// kink in the acceleration does not count, unless the attempt was to go over a switch.
    fn leave_branch(&mut self) -> Set;

    /// The names of the rows of the contacts.
    fn row_names(&self) -> &'static [&'static str];

    /// The law of each row; empty where each is that of a friction.
    fn row_laws(&self) -> &'static [Law];

    /// The index of the switching function of each row.
    fn row_switches(&self) -> &'static [usize];

    /// The switching functions that are slip rates of contacts whose phases are known.
    fn contact_set(&self) -> Set;

    /// The phases of the contacts.
    fn phases(&self) -> Phases;

    /// Writes the gap of each open contact, with its rounding added, into the entry of its row. Other entries stay.
    fn open_gaps(&mut self, state: &State<R, N>, out: &mut [Option<f64>]);

    /// Counts a search for the zeros of a gap that ended before the values of the gap told where they are.
    fn count_coarse_search(&mut self);

    /// The number of contacts that open and close.
    fn gap_count(&self) -> usize;

    /// The number of friction forces that are in no derived equation: their bounds contain multipliers, or their slips are vectors.
    fn bound_count(&self) -> usize;

    /// Writes how far the force of each sticking contact is below its bound, and the bound, into the entry of its row. Other entries stay.
    fn margins(&mut self, state: &State<R, N>, out: &mut [Option<(f64, f64)>]);

    /// Whether the direction of a slip that is a vector turns too far between two states for one step of a method, which is `blind` if it
    /// does not estimate its errors.
    fn turns(&mut self, states: [&State<R, N>; 2], blind: bool) -> bool;
}
