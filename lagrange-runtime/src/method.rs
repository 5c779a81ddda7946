//! Integration methods: what one step is, one family a file.

mod canonical;
mod composition;
mod embedded_pair;
mod extrapolation;
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
pub use gauss::{Gauss, GaussMemory, ImplicitMidpoint};
pub use impulses::{Impulses, ImpulsesMemory};
pub use nystrom::Nystrom8;
pub use pairs::{
    BogackiShampine3, BogackiShampine3Tableau, Dop853, Dop853Tableau, DormandPrince5, DormandPrince5Tableau,
    Tsitouras5, Tsitouras5Tableau, Verner6, Verner6Tableau, Verner9, Verner9Tableau,
};
pub use projected::Projected;
pub use rattle::{Rattle, RattleMemory};
pub use rk4::Rk4;
pub use rkf45::{Rkf45, Rkf45Tableau};
pub use splitting::{
    AdjointSymplecticEuler, DriftKick, KickDrift, KickDriftKick, Sequence, Splitting, SplittingMemory, StormerVerlet,
    SymplecticEuler,
};
pub use variational::{
    Chord, Midpoint, Quadrature, Sides, Trapezoid, Variational, VariationalMemory, VariationalMidpoint,
    VariationalTrapezoid,
};
pub use verlet::Verlet;

use crate::constraint::Projection;
use crate::control::StepControl;
use crate::controller::Controller;
use crate::dense::{Form, Hermite, Interpolant};
use crate::error::Failure;
use crate::evaluator::Evaluator;
use crate::scalar::Real;
use crate::state::State;
use crate::system::System;
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
    /// What is carried to the next step besides.
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

/// The difference of two states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference<R: Real, const N: usize> {
    /// That of q.
    pub q: SVector<R, N>,
    /// That of v.
    pub v: SVector<R, N>,
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

/// A one-step method for the equations of a system `S`.
///
/// A driver calls [`Method::start`] once, then for each step [`Method::refresh`] at its start and [`Method::step`],
/// the latter again where a step was rejected. Nothing allocates.
#[diagnostic::on_unimplemented(
    message = "this method does not apply to this mechanism",
    note = "a method that needs a mechanism without constraints is implemented for `C = 0` only"
)]
pub trait Method<S, R, const N: usize, const C: usize, const U: usize>
where
    S: System<R, N, C, U> + ?Sized,
    R: Real,
{
    /// What is carried from step to step besides the state.
    type Memory: Copy + Debug;

    /// What a step leaves behind for its interpolant; it is overwritten by the next attempt.
    type Workspace: Copy + Debug;

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

    /// Whether a step judges its interpolant too where [`Evaluator::is_interpolated`] says that it will be asked for.
    #[inline(always)]
    fn judges_interpolants(&self) -> bool {
        false
    }

    /// What is carried, at the initial state.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn start<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure>;

    /// What is carried, brought up to date at the start of a step: after the one before, and after the inputs jumped.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn refresh<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure>;

    /// What is carried, without anything that was computed with inputs that have jumped since.
    #[inline(always)]
    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        *memory
    }

    /// What is carried from a `state` that was moved a little from where the last step ended: by a projection.
    ///
    /// # Errors
    /// As [`Method::start`].
    #[inline(always)]
    fn moved<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
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
    fn step<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
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
    fn acceleration<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<SVector<R, N>, Failure>;

    /// The interpolant of the step that `workspace` is of, from its start to its end, each with its acceleration.
    ///
    /// # Errors
    /// [`Failure::SingularMass`] where it takes evaluations of its own.
    #[inline]
    fn interpolant<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        workspace: &mut Self::Workspace,
        start: (&State<R, N>, &SVector<R, N>),
        end: (&State<R, N>, &SVector<R, N>),
    ) -> Result<Interpolant<R, N>, Failure> {
        let _ = (evaluator, workspace);
        Ok(hermite(start, end))
    }

    /// `state`, where an event interrupted the motion, brought onto the constraints by the least change.
    ///
    /// # Errors
    /// [`Failure::ConstraintFailed`], [`Failure::NotFinite`].
    fn consistent(&self, system: &S, state: &State<R, N>) -> Result<State<R, N>, Failure> {
        if C == 0 {
            return Ok(*state);
        }
        Ok(Projection::default().state(system, state)?.0)
    }

    /// The state for output: a method that keeps momenta computes the velocity here, others return it as it is.
    ///
    /// # Errors
    /// [`Failure::SingularMass`], [`Failure::NewtonFailed`], [`Failure::NotFinite`].
    #[inline(always)]
    fn synchronise<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<State<R, N>, Failure> {
        let _ = (evaluator, memory);
        Ok(*state)
    }
}
