//! What the driver of an integration asks of a method at an evaluator.

use super::{Fork, Monitor};
use crate::dense::Interpolant;
use crate::error::Failure;
use crate::method::Method;
use crate::scalar::Real;
use crate::state::State;
use nalgebra::SVector;

/// An evaluator that steps of the method `M` use.
///
/// The trait is dyn-compatible: work of the driver that asks a method for something takes `dyn Led`, and is compiled once for a method. A program
/// with such work then contains the evaluations of a system that its method uses, and not all of them.
pub(crate) trait Led<M: Method<R, N, C>, R: Real, const N: usize, const C: usize>: Monitor<R, N, C> {
    /// [`Method::start`].
    ///
    /// # Errors
    /// Those of the method.
    fn start(&mut self, method: &M, state: &State<R, N>) -> Result<M::Memory, Failure>;

    /// [`Method::refresh`].
    ///
    /// # Errors
    /// Those of the method.
    fn refresh(&mut self, method: &M, state: &State<R, N>, memory: &M::Memory) -> Result<M::Memory, Failure>;

    /// [`Method::held`].
    ///
    /// # Errors
    /// Those of the method.
    fn held(&mut self, method: &M, states: [&State<R, N>; 2], memory: &M::Memory) -> Result<M::Memory, Failure>;

    /// [`Method::acceleration`].
    ///
    /// # Errors
    /// Those of the method.
    fn acceleration_by(
        &mut self,
        method: &M,
        state: &State<R, N>,
        memory: &M::Memory,
    ) -> Result<SVector<R, N>, Failure>;

    /// [`Method::interpolant`].
    ///
    /// # Errors
    /// Those of the method.
    fn interpolant(
        &mut self,
        method: &M,
        workspace: &mut M::Workspace,
        start: (&State<R, N>, &SVector<R, N>),
        end: (&State<R, N>, &SVector<R, N>),
    ) -> Result<Interpolant<R, N>, Failure>;

    /// [`Method::consistent`].
    ///
    /// # Errors
    /// Those of the method.
    fn consistent(&self, method: &M, state: &State<R, N>) -> Result<State<R, N>, Failure>;

    /// [`Method::synchronise`].
    ///
    /// # Errors
    /// Those of the method.
    fn synchronise(&mut self, method: &M, state: &State<R, N>, memory: &M::Memory) -> Result<State<R, N>, Failure>;
}

impl<E, M, R, const N: usize, const C: usize> Led<M, R, N, C> for E
where
    E: Fork<R, N, C>,
    M: Method<R, N, C>,
    R: Real,
{
    #[inline(always)]
    fn start(&mut self, method: &M, state: &State<R, N>) -> Result<M::Memory, Failure> {
        method.start(self, state)
    }

    #[inline(always)]
    fn refresh(&mut self, method: &M, state: &State<R, N>, memory: &M::Memory) -> Result<M::Memory, Failure> {
        method.refresh(self, state, memory)
    }

    #[inline(always)]
    fn held(&mut self, method: &M, states: [&State<R, N>; 2], memory: &M::Memory) -> Result<M::Memory, Failure> {
        method.held(self, states, memory)
    }

    #[inline(always)]
    fn acceleration_by(
        &mut self,
        method: &M,
        state: &State<R, N>,
        memory: &M::Memory,
    ) -> Result<SVector<R, N>, Failure> {
        method.acceleration(self, state, memory)
    }

    #[inline(always)]
    fn interpolant(
        &mut self,
        method: &M,
        workspace: &mut M::Workspace,
        start: (&State<R, N>, &SVector<R, N>),
        end: (&State<R, N>, &SVector<R, N>),
    ) -> Result<Interpolant<R, N>, Failure> {
        method.interpolant(self, workspace, start, end)
    }

    #[inline(always)]
    fn consistent(&self, method: &M, state: &State<R, N>) -> Result<State<R, N>, Failure> {
        method.consistent(self, state)
    }

    #[inline(always)]
    fn synchronise(&mut self, method: &M, state: &State<R, N>, memory: &M::Memory) -> Result<State<R, N>, Failure> {
        method.synchronise(self, state, memory)
    }
}
