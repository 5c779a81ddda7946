//! Symmetric compositions of any symmetric method.

use super::{Estimate, Method, Pace, Symmetric, Trial};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::State;
use crate::tableau::Parts;
use crate::tableau::composition::{KAHAN_LI, SINGLE, SUZUKI, TRIPLE_JUMP, YOSHIDA};
use nalgebra::SVector;

/// A symmetric method applied several times a step, forward and backward, so that the order rises to 4 or 6.
///
/// The steps γ₁h, …, γₛh of [`crate::tableau::composition`], where the sources are, are those of `inner`, whose step
/// size is that of the whole. What the inner method is, symmetric, symplectic, keeping linear or quadratic invariants or
/// constraints, the composition is too. Inputs are asked for at times a little outside of the step too. Cost: the inner
/// method's for each of the 3 to 9 steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Composition<M> {
    inner: M,
    steps: &'static [Parts],
    order: u32,
}

impl<M: Symmetric> Composition<M> {
    /// The method itself, by one step of the whole size: for programs that choose at run time whether to compose.
    pub fn single(inner: M) -> Self {
        Self { inner, steps: &SINGLE, order: 2 }
    }

    /// Order 4 by three steps: the cheapest, with large errors.
    pub fn triple_jump(inner: M) -> Self {
        Self { inner, steps: &TRIPLE_JUMP, order: 4 }
    }

    /// Order 4 by Suzuki's five steps.
    pub fn suzuki(inner: M) -> Self {
        Self { inner, steps: &SUZUKI, order: 4 }
    }

    /// Order 6 by Yoshida's seven steps.
    pub fn yoshida(inner: M) -> Self {
        Self { inner, steps: &YOSHIDA, order: 6 }
    }

    /// Order 6 by Kahan and Li's nine steps.
    pub fn kahan_li(inner: M) -> Self {
        Self { inner, steps: &KAHAN_LI, order: 6 }
    }
}

impl<M> Symmetric for Composition<M> {}

impl<M, R, const N: usize, const C: usize> Method<R, N, C> for Composition<M>
where
    M: Method<R, N, C>,
    R: Real,
{
    type Memory = M::Memory;
    type Workspace = M::Workspace;

    const ADAPTIVE: bool = M::ADAPTIVE;

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
