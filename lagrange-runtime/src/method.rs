//! Integration methods: what one step is, one family a file.

mod canonical;
mod composition;
mod embedded_pair;
mod extrapolation;
mod fixed_step;
mod gauss;
mod impulses;
mod nystrom;
mod pairs;
mod projected;
mod rattle;
mod refined;
mod rk4;
mod rkf45;
mod splitting;
mod variational;
mod verlet;

pub use canonical::{CanonicalMemory, Iteration, Kicked, PastStages, Reaction};
pub use composition::Composition;
pub use embedded_pair::{Carried, EmbeddedPair, EstimateRule, PairTableau, Stages};
pub use extrapolation::{Attempt, Extrapolation, ExtrapolationMemory};
pub use fixed_step::{ExplicitStep, FixedStep};
pub use gauss::{Gauss, GaussMemory, ImplicitMidpoint};
pub use impulses::{Impulses, ImpulsesMemory};
pub use nystrom::Nystrom8;
pub use pairs::{
    BogackiShampine3, BogackiShampine3Tableau, Dop853, Dop853Tableau, DormandPrince5, DormandPrince5Tableau,
    Tsitouras5, Tsitouras5Tableau, Verner6, Verner6Tableau, Verner9, Verner9Tableau,
};
pub use projected::Projected;
pub use rattle::{Rattle, RattleMemory};
pub use rk4::{ClassicalRungeKutta, Rk4};
pub use rkf45::{Rkf45, Rkf45Tableau};
pub use splitting::{
    AdjointSymplecticEuler, DriftKick, KickDrift, KickDriftKick, Sequence, Splitting, SplittingMemory, StormerVerlet,
    SymplecticEuler,
};
pub use variational::{
    Chord, Midpoint, Quadrature, Sides, Trapezoid, Variational, VariationalMemory, VariationalMidpoint,
    VariationalTrapezoid,
};
pub use verlet::{PredictorCorrectorVerlet, Verlet};

use crate::constraint::Projection;
use crate::control::StepControl;
use crate::dense::{Form, Hermite, Interpolant};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::{Difference, State};
use core::fmt::Debug;
use nalgebra::SVector;

/// How a method's step size is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace<R: Real> {
    /// Every step has this size (positive, whatever the direction), but for a shortened last one.
    Fixed(R),
    /// The step size follows the error of each step.
    Adaptive(StepControl<R>),
}

/// The result of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial<R: Real, const N: usize, Memory> {
    /// The state after the step. Its velocity is meaningful only after [`Method::synchronise`].
    pub state: State<R, N>,
    /// What the method carries to the next step besides the state.
    pub memory: Memory,
    /// What step control judges the step by.
    pub estimate: Estimate<R, N>,
}

/// The estimate of a step's error.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "it lives on the stack, where nothing may be allocated")]
pub enum Estimate<R: Real, const N: usize> {
    /// There is none: every step is accepted.
    None,
    /// The other solution of an embedded pair.
    Embedded(State<R, N>),
    /// The difference of the two solutions of an embedded pair.
    Difference(Difference<R, N>),
    /// Two differences, of which the norms ε₁ and ε₂ make the estimate ε₁²/√(ε₁² + ε₂²/100): E. Hairer, S. P. Nørsett,
    /// G. Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., II.10.
    Combined([Difference<R, N>; 2]),
    /// The method has judged by itself, since its order varies.
    Judged {
        /// Whether the step is accepted.
        accepted: bool,
        /// The size of the next attempt relative to this one's.
        factor: R,
    },
}

/// Hermite's interpolant, from the states and accelerations at both ends.
fn hermite<R: Real, const N: usize>(
    start: (&State<R, N>, &SVector<R, N>),
    end: (&State<R, N>, &SVector<R, N>),
) -> Interpolant<R, N> {
    let (start_acceleration, end_acceleration) = (*start.1, *end.1);
    let hermite = Hermite { start: *start.0, end: *end.0, start_acceleration, end_acceleration };
    Interpolant::new(*start.0, *end.0, Form::Hermite(hermite))
}

/// A method whose step of size −h undoes its step of size h, but for rounding.
pub trait Symmetric {}

/// A one-step method.
///
/// A driver calls [`Method::start`] once, then for each step [`Method::refresh`] at its start and [`Method::step`],
/// the latter again where a step was rejected. The method sees the mechanism through [`Evaluate`] alone, so that it is
/// written once for all of them. Nothing in a method may allocate.
///
/// An explicit method with a fixed step needs less: see [`ExplicitStep`]. A method that needs a mechanism without
/// constraints implements the trait for `C = 0` only. The page [`guide::methods`](crate::guide::methods) writes an explicit
/// and an implicit method of one's own.
#[diagnostic::on_unimplemented(
    message = "this method does not apply to this mechanism",
    note = "a method that needs a mechanism without constraints is implemented for `C = 0` only"
)]
pub trait Method<R: Real, const N: usize, const C: usize> {
    /// The values that the method carries from step to step besides the state.
    type Memory: Copy + Debug;

    /// What a step leaves behind for its interpolant; the next attempt overwrites it.
    type Workspace: Copy + Debug;

    /// Whether [`Method::pace`] is [`Pace::Adaptive`]. It is a constant so that an integration compiles one loop of steps, not two.
    const ADAPTIVE: bool;

    /// The method's name.
    fn name(&self) -> &'static str;

    /// The order: the error at a fixed time falls with the step size to this power.
    fn order(&self) -> u32;

    /// The power of the step size in the error estimate.
    fn error_power(&self) -> u32 {
        self.order() + 1
    }

    /// A workspace that no step has used yet.
    fn workspace(&self) -> Self::Workspace;

    /// How the step size is found.
    fn pace(&self) -> Pace<R>;

    /// The fixed step size, or none where it adapts.
    #[inline]
    fn fixed_step(&self) -> Option<R> {
        match self.pace() {
            Pace::Fixed(h) => Some(h),
            Pace::Adaptive(_) => None,
        }
    }

    /// Whether a step judges its interpolant too where [`Evaluate::is_interpolated`] says that it will be asked for.
    #[inline(always)]
    fn judges_interpolants(&self) -> bool {
        false
    }

    /// The memory at the initial state.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn start<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure>;

    /// The memory at the start of a step, brought up to date: after the step before, and after the inputs jumped.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn refresh<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure>;

    /// Drops values that were computed before an input jumped, so that [`Method::refresh`] computes them again.
    #[inline(always)]
    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        *memory
    }

    /// The memory at a `state` that a projection moved a little from where the last step ended.
    ///
    /// # Errors
    /// As [`Method::start`].
    #[inline(always)]
    fn moved<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        let _ = memory;
        self.start(evaluator, state)
    }

    /// One step of size `h` (negative backward) from `state` to time `end`, which is `state.t + h` up to rounding.
    ///
    /// # Errors
    /// [`Failure::SingularMass`], [`Failure::NewtonFailed`], [`Failure::NotFinite`].
    fn step<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        workspace: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure>;

    /// The acceleration at a synchronised `state` with its refreshed `memory`: for interpolation.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    #[inline(always)]
    fn acceleration<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<SVector<R, N>, Failure> {
        let _ = memory;
        evaluator.acceleration(state.t, state.q, state.v)
    }

    /// The interpolant of the step that `workspace` is of, from its start to its end, each with its acceleration.
    /// Hermite's, unless the method has one of its own.
    ///
    /// # Errors
    /// [`Failure::SingularMass`] where it takes evaluations of its own.
    #[inline]
    fn interpolant<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        workspace: &mut Self::Workspace,
        start: (&State<R, N>, &SVector<R, N>),
        end: (&State<R, N>, &SVector<R, N>),
    ) -> Result<Interpolant<R, N>, Failure> {
        let _ = (evaluator, workspace);
        Ok(hermite(start, end))
    }

    /// `state`, where an event interrupted the motion, moved onto the constraints by the least change.
    ///
    /// # Errors
    /// [`Failure::ConstraintFailed`], [`Failure::NotFinite`].
    fn consistent<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &E,
        state: &State<R, N>,
    ) -> Result<State<R, N>, Failure> {
        if C == 0 {
            return Ok(*state);
        }
        Ok(evaluator.project(&Projection::default(), state)?.0)
    }

    /// The state for output: a method that carries momenta computes the velocity here, others return it as it is.
    ///
    /// # Errors
    /// [`Failure::SingularMass`], [`Failure::NewtonFailed`], [`Failure::NotFinite`].
    #[inline(always)]
    fn synchronise<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<State<R, N>, Failure> {
        let _ = (evaluator, memory);
        Ok(*state)
    }
}
