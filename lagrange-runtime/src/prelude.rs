//! What most programs need: `use lagrange_runtime::prelude::*;`.

pub use crate::constraint::{Baumgarte, Consistent, LeastNorm, Projection, Rank, initialise};
pub use crate::control::{ErrorMeasure, StepLaw, ToleranceLaw};
pub use crate::controller::{Controller, DefaultInputs, Sampled};
#[cfg(feature = "std")]
pub use crate::error::SampleError;
pub use crate::error::{Failure, PivotOf, PrepareError, SingularMass, SolveError, UnknownParameter};
pub use crate::event::{Direction, Event, EventFunction, Occurrence};
#[doc(no_inline)]
pub use crate::lagrangian;
pub use crate::method::{
    AdjointSymplecticEuler, BogackiShampine3, Composition, Dop853, DormandPrince5, EnergyPreserving, Esdirk4,
    Extrapolation, Gauss, GeneralizedAlpha, ImplicitMidpoint, Impulses, Iteration, Lift, Method, MoreauJean, Nystrom8,
    Projected, Radau5, Radau9, Radau13, Rattle, Rk4, Rkf45, Rodas5P, StormerVerlet, SymplecticEuler, Tsitouras5,
    VariableRadau, VariationalMidpoint, VariationalTrapezoid, Verlet, Verner6, Verner9,
};
pub use crate::observer::{AtTimes, Every, Observer, StepView, Wants};
pub use crate::options::{Options, SharedOptions, Tolerance};
pub use crate::outcome::Outcome;
#[cfg(feature = "uom")]
pub use crate::quantity::Quantified;
pub use crate::scalar::{Real, Scalar};
#[cfg(feature = "std")]
pub use crate::solution::{PartialSolution, Solution};
pub use crate::solve::{Report, integrate};
#[cfg(feature = "std")]
pub use crate::solve::{solve, solve_with};
pub use crate::state::State;
pub use crate::statistics::{Residuals, Statistics, Warning};
pub use crate::stepper::{Checkpoint, Stepper};
pub use crate::system::{Linearise, Mechanism, Sensors, System};
pub use nalgebra::{SMatrix, SVector};
