//! Integration methods: what one step is, one family a file.

mod implicit_midpoint;
mod projected;
mod rk4;
mod rkf45;
mod verlet;

pub use implicit_midpoint::{CanonicalMemory, ImplicitMidpoint};
pub use projected::Projected;
pub use rk4::Rk4;
pub use rkf45::Rkf45;
pub use verlet::Verlet;

use crate::control::StepControl;
use crate::controller::Controller;
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
    /// The other solution of an embedded pair, where the method has one: step control compares the two.
    pub embedded: Option<State<R, N>>,
}

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

    /// The method's name.
    fn name(&self) -> &'static str;

    /// The order: the error at a fixed time falls with the step size to this power.
    fn order(&self) -> u32;

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

    /// One step of size `h` (negative backward) from `state` to time `end`, which is `state.t + h` up to rounding.
    ///
    /// # Errors
    /// [`Failure::SingularMass`], [`Failure::NewtonFailed`], [`Failure::NotFinite`].
    fn step<K: Controller<R, N, U> + ?Sized>(
        &self,
        evaluator: &mut Evaluator<'_, S, K, R, N, C, U>,
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
