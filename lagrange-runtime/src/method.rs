//! Integration methods. A method makes one step from a state to the next. Each file has one family of methods.

mod canonical;
mod choice;
mod composition;
mod embedded_pair;
mod energy_preserving;
mod esdirk;
mod explicit;
mod extrapolation;
mod fixed_step;
mod gauss;
mod generalized_alpha;
mod implicit_step;
mod impulses;
mod lift;
mod moreau_jean;
mod nystrom;
mod pairs;
mod projected;
mod radau;
mod rattle;
mod refined;
mod rk4;
mod rkf45;
mod rosenbrock;
mod shared;
mod shifted;
mod splitting;
mod stage;
mod variational;
mod vectors;
mod verlet;

pub use canonical::{CanonicalMemory, Iteration, Kicked, PastStages, Reaction};
pub use composition::Composition;
pub use embedded_pair::{Carried, EmbeddedPair, EstimateRule, PairTableau, Stages};
pub use energy_preserving::{EnergyPreserving, EnergyPreservingMemory};
pub use esdirk::{Esdirk4, EsdirkMemory, EsdirkStages};
pub use explicit::Explicit;
pub use extrapolation::{Attempt, Extrapolation, ExtrapolationMemory};
pub use fixed_step::{ExplicitStep, FixedStep};
pub use gauss::{Gauss, GaussMemory, ImplicitMidpoint};
pub use generalized_alpha::{GeneralizedAlpha, GeneralizedAlphaMemory};
pub use implicit_step::{ImplicitFixedStep, ImplicitStep};
pub use impulses::{Impulses, ImpulsesMemory};
pub use lift::{DERIVATIVES, Lift, OnDuals, WithWidth};
pub use moreau_jean::{MoreauJean, MoreauJeanMemory};
pub use nystrom::Nystrom8;
pub use pairs::{
    BogackiShampine3, BogackiShampine3Tableau, Dop853, Dop853Tableau, DormandPrince5, DormandPrince5Tableau,
    Tsitouras5, Tsitouras5Tableau, Verner6, Verner6Tableau, Verner9, Verner9Tableau,
};
pub use projected::Projected;
pub use radau::{Radau, Radau5, Radau9, Radau13, RadauMemory, VariableRadau, VariableRadauMemory, VariableRadauStages};
pub use rattle::{Rattle, RattleMemory};
pub use rk4::{ClassicalRungeKutta, Rk4};
pub use rkf45::{Rkf45, Rkf45Tableau};
pub use rosenbrock::{Rodas5P, RodasMemory, RodasStages};
pub use splitting::{
    AdjointSymplecticEuler, DriftKick, KickDrift, KickDriftKick, Sequence, Splitting, SplittingMemory, StormerVerlet,
    SymplecticEuler,
};
pub use stage::{ImplicitEquation, ImplicitSolution};
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
use crate::scalar::{Real, Scalar};
use crate::state::{Difference, State};
use core::fmt::Debug;
use nalgebra::SVector;

/// How a method chooses its step size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace<R: Real> {
    /// Every step has this size. The size is positive in both directions of time. The last step may be shorter.
    Fixed(R),
    /// Step control chooses the size of each step from the estimated error.
    Adaptive(StepControl<R>),
}

/// The result of one attempted step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial<R: Scalar, const N: usize, Memory> {
    /// The state after the step. Its velocity is meaningful only after [`Method::synchronise`].
    pub state: State<R, N>,
    /// What the method carries to the next step besides the state.
    pub memory: Memory,
    /// The estimated error, by which step control accepts or rejects the step.
    pub estimate: Estimate<R, N>,
}

impl<R: Real, const N: usize, Memory: Copy> Trial<R, N, Memory> {
    /// A step of size 0 to the time `end`, as there is between two stops that are a rounding apart. The equations of an implicit step are divided by its size.
    fn of_no_size(state: &State<R, N>, memory: &Memory, end: R) -> Self {
        Self { state: State { t: end, ..*state }, memory: *memory, estimate: Estimate::None }
    }
}

/// The estimate of a step's error.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "it lives on the stack, where nothing may be allocated")]
pub enum Estimate<R: Scalar, const N: usize> {
    /// The method estimates no error. Every step is accepted.
    None,
    /// The embedded solution of the pair: a second state at the end of the step.
    Embedded(State<R, N>),
    /// The difference between the two solutions of an embedded pair.
    Difference(Difference<R, N>),
    /// Two differences with the norms ε₁ and ε₂. The estimate is ε₁²/√(ε₁² + ε₂²/100). Source: E. Hairer, S. P. Nørsett, G.
    /// Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., II.10.
    Combined([Difference<R, N>; 2]),
    /// The method itself accepts or rejects the step, because its order varies.
    Judged {
        /// Whether the step is accepted.
        accepted: bool,
        /// The size of the next attempt, relative to the size of this one.
        factor: R,
    },
}

/// Returns Hermite's interpolant through the states and accelerations at both ends of a step.
fn hermite<R: Real, const N: usize>(
    start: (&State<R, N>, &SVector<R, N>),
    end: (&State<R, N>, &SVector<R, N>),
) -> Interpolant<R, N> {
    let (start_acceleration, end_acceleration) = (*start.1, *end.1);
    let hermite = Hermite { start: *start.0, end: *end.0, start_acceleration, end_acceleration };
    Interpolant::new(*start.0, *end.0, Form::Hermite(hermite))
}

/// A method whose step of size −h undoes its step of size h, up to rounding.
pub trait Symmetric {}

/// A one-step method.
///
/// The stepper calls [`Method::start`] once. For each step it then calls [`Method::refresh`] at the start of the step and
/// [`Method::step`]. If step control rejects the step, it calls [`Method::step`] again with a smaller size. A method sees the
/// mechanism only through [`Evaluate`], so one implementation serves every mechanism. A method must not allocate.
///
/// A method with a fixed step needs only a formula: see [`ExplicitStep`] and [`ImplicitStep`]. A method that applies only to mechanisms
/// without constraints implements the trait for `C = 0` alone. The page [`guide::methods`](crate::guide::methods) shows how to
/// write an explicit and an implicit method.
#[diagnostic::on_unimplemented(
    message = "this method does not apply to this mechanism",
    note = "a method that needs a mechanism without constraints is implemented for `C = 0` only"
)]
pub trait Method<R: Real, const N: usize, const C: usize> {
    /// The values besides the state that the method carries from step to step.
    type Memory: Copy + Debug;

    /// The stages of the last attempted step, from which its interpolant is computed. The next attempt overwrites them.
    type Workspace: Copy + Debug;

    /// Whether [`Method::pace`] is [`Pace::Adaptive`]. The value is a constant, so that the compiler generates only one of the
    /// two step loops.
    const ADAPTIVE: bool;

    /// Whether the method calls [`Evaluate::scaled_error`] or [`Evaluate::tolerances`]. Where it is `false`, these two return NaN, and programs
    /// with the method do not contain them.
    const MEASURES_ERRORS: bool = true;

    /// The method's name.
    fn name(&self) -> &'static str;

    /// The order p: the error at a fixed time is O(hᵖ).
    fn order(&self) -> u32;

    /// The power of the step size in the error estimate.
    fn error_power(&self) -> u32 {
        self.order() + 1
    }

    /// Returns an empty workspace, for use before the first step.
    fn workspace(&self) -> Self::Workspace;

    /// Returns the rule by which the method chooses its step size.
    fn pace(&self) -> Pace<R>;

    /// Returns the fixed step size, or `None` if the method adapts it.
    #[inline]
    fn fixed_step(&self) -> Option<R> {
        match self.pace() {
            Pace::Fixed(h) => Some(h),
            Pace::Adaptive(_) => None,
        }
    }

    /// Whether contacts with dry friction may stick while the method integrates.
    ///
    /// If so, the driver carries the phase of each contact, and the accelerations and the forces f of the balance are those of the phase. At the end
    /// of each step the driver sets the velocities of closed and sticking contacts to 0, and calls [`Method::held`], so that the method corrects the values
    /// that it carries beside (q, v). If not, friction is the force −b sign(s), and the integration fails where a contact sticks.
    #[inline(always)]
    fn holds_contacts(&self) -> bool {
        false
    }

    /// Whether the method resolves impacts and friction within its steps, by [`Evaluate::step_contacts`].
    ///
    /// The driver then does not look for the times at which contacts close, open, stick or slip, and steps go over them and over the switches of other statements. A method
    /// for which it is true does not [hold contacts](Method::holds_contacts).
    #[inline(always)]
    fn resolves_contacts(&self) -> bool {
        false
    }

    /// Whether the method is stable only for steps that are short beside what decays fast, as explicit methods are. Step control then looks
    /// whether the equations are stiff; fixed steps are checked by [`Method::stability`].
    #[inline(always)]
    fn is_limited_by_stability(&self) -> bool {
        self.holds_contacts()
    }

    /// The limits of the stability of an explicit method with steps of size h: the largest h ρ at which a decay of the rate ρ does not grow, and the largest h ω at which an oscillation of the angular frequency ω does not grow. If there are
    /// limits, fixed steps are checked ([`Warning::Unstable`](crate::statistics::Warning::Unstable)). The default, `None`, makes no check.
    fn stability(&self) -> Option<[f64; 2]> {
        None
    }

    /// Whether the method also estimates the error of its interpolant. It does so only in steps for which
    /// [`Evaluate::is_interpolated`] is true.
    #[inline(always)]
    fn judges_interpolants(&self) -> bool {
        false
    }

    /// Returns the memory at the initial state.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn start<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure>;

    /// Updates the memory at the start of a step: after the step before it, or after the inputs jumped. A method that carries only what is continuous there, as q
    /// and p are, has nothing to update, which is the default.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    #[inline(always)]
    fn refresh<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        let _ = (evaluator, state);
        Ok(*memory)
    }

    /// Drops values that were computed before an input jumped, so that [`Method::refresh`] computes them again.
    #[inline(always)]
    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        *memory
    }

    /// Returns the memory at `state`, to which a projection has moved the end of the last step by a small amount.
    ///
    /// # Errors
    /// The errors of [`Method::start`].
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

    /// Returns the memory after the driver has corrected the end of a step, from the first state to the second one: the driver sets the gaps of closed contacts, and the velocities of closed and
    /// sticking ones, to exactly 0. The correction is within the error of the step, because the equations hold the accelerations of these contacts at 0. The default keeps the memory, which suits a
    /// method that carries (q, v). To a method that carries momenta the correction is an impulse.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    #[inline(always)]
    fn held<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        [before, after]: [&State<R, N>; 2],
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        let _ = (evaluator, before, after);
        Ok(*memory)
    }

    /// Makes one step of size `h` (negative for a step backward) from `state` to the time `end`, which is `state.t + h` up to
    /// rounding. Between two stops that are a rounding apart, `h` is 0.
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

    /// Returns the acceleration at a synchronised `state`, for interpolation. The `memory` must be refreshed.
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

    /// Returns the interpolant of the step that filled `workspace`. The arguments `start` and `end` each contain a state and its
    /// acceleration. The default is Hermite's interpolant.
    ///
    /// # Errors
    /// [`Failure::SingularMass`], if the interpolant needs evaluations of its own.
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

    /// Moves `state` onto the constraints by the least change. The stepper calls it after an event interrupts the motion.
    ///
    /// # Errors
    /// [`Failure::ConstraintFailed`], [`Failure::NotFinite`].
    fn consistent<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &E,
        state: &State<R, N>,
    ) -> Result<State<R, N>, Failure> {
        if const { C == 0 } {
            return Ok(*state);
        }
        Ok(evaluator.project(&Projection::default(), state)?.0)
    }

    /// Returns the state for output. A method that carries momenta computes the velocity here. Other methods return `state`
    /// unchanged.
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
