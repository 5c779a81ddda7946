//! Symmetric compositions of any symmetric method.

use super::{Carried, Estimate, Explicit, Lift, Method, Pace, Symmetric, Trial};
use crate::error::Failure;
use crate::evaluate::{Accelerate, Evaluate};
use crate::scalar::{Real, Scalar};
use crate::state::State;
use crate::tableau::Parts;
use crate::tableau::composition::{KAHAN_LI, SINGLE, SUZUKI, TRIPLE_JUMP, YOSHIDA};
use nalgebra::SVector;

/// A composition of several steps of a symmetric method, forward and backward, which raises the order to 4 or 6.
///
/// A step consists of the steps γ₁h, …, γₛh of the method `inner`. The step size h is that of `inner`. The factors γᵢ and their
/// sources are in [`crate::tableau::composition`]. The composition is symmetric. If `inner` is symplectic, so is the composition.
/// It conserves the linear and quadratic invariants and the constraints that `inner` conserves. Inputs are also evaluated at
/// times slightly outside of the step. The cost is that of `inner` for each of the 3 to 9 steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Composition<M> {
    inner: M,
    steps: &'static [Parts],
    order: u32,
}

impl<M: Lift> Lift for Composition<M> {
    type On<R: Real> = Composition<M::On<R>>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        Composition { inner: self.inner.lift(), steps: self.steps, order: self.order }
    }
}

impl<M: Symmetric> Composition<M> {
    /// Returns `inner` itself, by one step of size h. Use it in a program that chooses at run time whether to compose.
    pub fn single(inner: M) -> Self {
        Self { inner, steps: &SINGLE, order: 2 }
    }

    /// Returns the composition of order 4 by three steps. It is the cheapest and has large errors.
    pub fn triple_jump(inner: M) -> Self {
        Self { inner, steps: &TRIPLE_JUMP, order: 4 }
    }

    /// Returns Suzuki's composition of order 4 by five steps.
    pub fn suzuki(inner: M) -> Self {
        Self { inner, steps: &SUZUKI, order: 4 }
    }

    /// Returns Yoshida's composition of order 6 by seven steps.
    pub fn yoshida(inner: M) -> Self {
        Self { inner, steps: &YOSHIDA, order: 6 }
    }

    /// Returns Kahan and Li's composition of order 6 by nine steps.
    pub fn kahan_li(inner: M) -> Self {
        Self { inner, steps: &KAHAN_LI, order: 6 }
    }
}

impl<M> Symmetric for Composition<M> {}

impl<M: Explicit<N>, const N: usize> Explicit<N> for Composition<M> {
    type Stages<R: Scalar> = M::Stages<R>;

    #[inline(always)]
    fn stages<R: Scalar>(&self) -> Self::Stages<R> {
        self.inner.stages()
    }

    #[inline(always)]
    fn attempt<R: Scalar, E: Accelerate<R, N> + ?Sized>(
        &self,
        evaluator: &mut E,
        stages: &mut Self::Stages<R>,
        state: &State<R, N>,
        acceleration: SVector<R, N>,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Carried<R, N>>, Failure> {
        let memory = Carried { acceleration, current: true };
        let mut trial = Trial { state: *state, memory, estimate: Estimate::None };
        let mut done = R::ZERO;
        for (index, step) in self.steps.iter().enumerate() {
            let fraction = step.value::<R>();
            done += fraction;
            let to = if index + 1 == self.steps.len() { end } else { state.t + done * h };
            let State { t, q, v } = trial.state;
            let known = trial.memory;
            let acceleration = if known.current { known.acceleration } else { evaluator.acceleration(t, q, v)? };
            trial = self.inner.attempt(evaluator, stages, &trial.state, acceleration, fraction * h, to)?;
        }
        trial.estimate = Estimate::None;
        Ok(trial)
    }
}

impl<M, R, const N: usize, const C: usize> Method<R, N, C> for Composition<M>
where
    M: Method<R, N, C>,
    R: Real,
{
    type Memory = M::Memory;
    type Workspace = M::Workspace;

    const ADAPTIVE: bool = M::ADAPTIVE;
    const MEASURES_ERRORS: bool = M::MEASURES_ERRORS;

    fn name(&self) -> &'static str {
        match self.steps.len() {
            1 => self.inner.name(),
            3 => "triple jump",
            5 => "Suzuki's composition",
            7 => "Yoshida's composition",
            _ => "Kahan and Li's composition",
        }
    }

    fn order(&self) -> u32 {
        self.order.max(self.inner.order())
    }

    fn workspace(&self) -> Self::Workspace {
        self.inner.workspace()
    }

    #[inline(always)]
    fn pace(&self) -> Pace<R> {
        self.inner.pace()
    }

    /// Contacts do not determine the motion before them, and a composition of several steps has steps backward in time.
    #[inline(always)]
    fn holds_contacts(&self) -> bool {
        self.steps.len() == 1 && self.inner.holds_contacts()
    }

    #[inline(always)]
    fn is_limited_by_stability(&self) -> bool {
        self.inner.is_limited_by_stability()
    }

    fn start<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<Self::Memory, Failure> {
        self.inner.start(evaluator, state)
    }

    fn refresh<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        self.inner.refresh(evaluator, state, memory)
    }

    #[inline(always)]
    fn forget_inputs(&self, memory: &Self::Memory) -> Self::Memory {
        self.inner.forget_inputs(memory)
    }

    fn held<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        states: [&State<R, N>; 2],
        memory: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        self.inner.held(evaluator, states, memory)
    }

    #[inline]
    fn step<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        workspace: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        let mut trial = Trial { state: *state, memory: *memory, estimate: Estimate::None };
        let mut done = R::ZERO;
        for (index, step) in self.steps.iter().enumerate() {
            let fraction = step.value::<R>();
            done += fraction;
            let last = index + 1 == self.steps.len();
            let to = if last { end } else { state.t + done * h };
            if index > 0 {
                trial.memory = self.inner.refresh(evaluator, &trial.state, &trial.memory)?;
            }
            trial = self.inner.step(evaluator, workspace, &trial.state, &trial.memory, fraction * h, to)?;
        }
        trial.estimate = Estimate::None;
        Ok(trial)
    }

    fn acceleration<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<SVector<R, N>, Failure> {
        self.inner.acceleration(evaluator, state, memory)
    }

    fn synchronise<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<State<R, N>, Failure> {
        self.inner.synchronise(evaluator, state, memory)
    }
}
