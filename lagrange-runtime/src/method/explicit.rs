//! Explicit formulas in any scalar. With a scalar of several lanes they compute several
//! trajectories at once.

use super::{Carried, Trial};
use crate::error::Failure;
use crate::evaluate::Accelerate;
use crate::scalar::Scalar;
use crate::state::State;
use core::fmt::Debug;
use nalgebra::SVector;

/// The formula of an explicit one-step method, in any scalar. It uses accelerations alone.
///
/// An integration of one trajectory and an ensemble of several lanes run the same formula. It has
/// no branch that depends on a number, because the numbers differ from lane to lane. Its caller
/// accepts or rejects the step and chooses the size of the next one, separately for each lane.
pub trait Explicit<const N: usize> {
    /// The velocities and accelerations of the stages.
    type Stages<R: Scalar>: Copy + Debug;

    /// Returns empty stages, for use before the first step.
    fn stages<R: Scalar>(&self) -> Self::Stages<R>;

    /// Makes one step of size `h` from `state` to the time `end`, which is `state.t + h` up to rounding. The acceleration at
    /// `state` is `acceleration`. The result has the acceleration at the end where the formula evaluates it.
    ///
    /// # Errors
    /// [`Failure::SingularMass`], from an evaluation. With several lanes there is no error: a lane that fails is NaN.
    fn attempt<R: Scalar, E: Accelerate<R, N> + ?Sized>(
        &self,
        evaluator: &mut E,
        stages: &mut Self::Stages<R>,
        state: &State<R, N>,
        acceleration: SVector<R, N>,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Carried<R, N>>, Failure>;
}
