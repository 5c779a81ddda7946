//! Explicit formulas that run in any scalar, several trajectories at once among them.

use super::{Carried, Trial};
use crate::error::Failure;
use crate::evaluate::Accelerate;
use crate::scalar::Scalar;
use crate::state::State;
use core::fmt::Debug;
use nalgebra::SVector;

/// An explicit one-step formula from accelerations alone, in any scalar.
///
/// The method of one trajectory and an ensemble's lanes run the same formula. It makes no decision by a value: step control is
/// the driver's, for each lane by itself.
pub trait Explicit<const N: usize> {
    /// The velocities and accelerations of the stages.
    type Stages<R: Scalar>: Copy + Debug;

    /// Whether an ensemble is faster with lanes than without them. It then uses lanes.
    const PAYS_IN_LANES: bool;

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
