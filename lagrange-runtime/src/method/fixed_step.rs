//! Explicit methods with a fixed step. One implementation serves all formulas.

use super::shared::fixed_steps;
use super::{Carried, Estimate, Explicit, Lift, Method, Trial};
use crate::error::Failure;
use crate::evaluate::{Accelerate, Evaluate};
use crate::scalar::{Real, Scalar};
use crate::state::State;
use core::fmt::Debug;
use nalgebra::SVector;

/// The formula of an explicit one-step method, with its name and its order.
///
/// [`FixedStep`] turns it into a [`Method`]. The method works on mechanisms with and without constraints, with inputs, events and
/// samples.
///
/// ```
/// use lagrange_runtime::evaluate::Accelerate;
/// use lagrange_runtime::method::{ExplicitStep, FixedStep};
/// use lagrange_runtime::prelude::*;
///
/// /// The explicit Euler method.
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct ExplicitEuler;
///
/// impl ExplicitStep for ExplicitEuler {
///     const NAME: &'static str = "explicit Euler";
///     const ORDER: u32 = 1;
///
///     fn step<R: Scalar, const N: usize>(
///         _: &mut (impl Accelerate<R, N> + ?Sized),
///         state: &State<R, N>,
///         acceleration: SVector<R, N>,
///         h: R,
///         end: R,
///     ) -> Result<State<R, N>, Failure> {
///         Ok(State { t: end, q: state.q + state.v * h, v: state.v + acceleration * h })
///     }
/// }
///
/// let method = FixedStep::<f64, ExplicitEuler>::new(1e-3);
/// # let _ = method;
/// ```
pub trait ExplicitStep: Copy + Debug + Send + Sync {
    /// The method's name.
    const NAME: &'static str;

    /// The method's order.
    const ORDER: u32;

    /// The method's [`stability`](Method::stability), if it is known.
    const STABILITY: Option<[f64; 2]> = None;

    /// Makes one step of size `h` from `state` to the time `end`, which is `state.t + h` up to rounding. The acceleration at
    /// `state` is `acceleration`.
    ///
    /// # Errors
    /// [`Failure::SingularMass`], from an evaluation.
    fn step<R: Scalar, const N: usize>(
        evaluator: &mut (impl Accelerate<R, N> + ?Sized),
        state: &State<R, N>,
        acceleration: SVector<R, N>,
        h: R,
        end: R,
    ) -> Result<State<R, N>, Failure>;
}

/// An explicit method with the formula `F` and a fixed step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedStep<R, F> {
    h: R,
    formula: core::marker::PhantomData<F>,
}

impl<R: Real, F> FixedStep<R, F> {
    /// Returns the method with the step size `h`, in the unit of t. If `h` is not positive, an integration returns an error.
    pub fn new(h: R) -> Self {
        Self { h, formula: core::marker::PhantomData }
    }
}

impl<F> Lift for FixedStep<f64, F> {
    type On<R: Real> = FixedStep<R, F>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        FixedStep::new(R::from_f64(self.h))
    }
}

impl<M: Real, F: ExplicitStep, const N: usize> Explicit<N> for FixedStep<M, F> {
    type Stages<R: Scalar> = ();

    #[inline(always)]
    fn stages<R: Scalar>(&self) {}

    #[inline(always)]
    fn attempt<R: Scalar, E: Accelerate<R, N> + ?Sized>(
        &self,
        evaluator: &mut E,
        (): &mut Self::Stages<R>,
        state: &State<R, N>,
        acceleration: SVector<R, N>,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Carried<R, N>>, Failure> {
        let state = F::step(evaluator, state, acceleration, h, end)?;
        Ok(Trial { state, memory: Carried { acceleration, current: false }, estimate: Estimate::None })
    }
}

impl<R: Real, F: ExplicitStep, const N: usize, const C: usize> Method<R, N, C> for FixedStep<R, F> {
    /// The acceleration at the state.
    type Memory = SVector<R, N>;

    fixed_steps!();

    #[inline(always)]
    fn holds_contacts(&self) -> bool {
        true
    }

    fn name(&self) -> &'static str {
        F::NAME
    }

    fn order(&self) -> u32 {
        F::ORDER
    }

    fn stability(&self) -> Option<[f64; 2]> {
        F::STABILITY
    }

    #[inline(always)]
    fn start<E: Evaluate<R, N, C> + ?Sized>(&self, _: &mut E, _: &State<R, N>) -> Result<Self::Memory, Failure> {
        Ok(SVector::repeat(R::ZERO))
    }

    #[inline(always)]
    fn refresh<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        _: &Self::Memory,
    ) -> Result<Self::Memory, Failure> {
        evaluator.acceleration(state.t, state.q, state.v)
    }

    #[inline(always)]
    fn step<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        (): &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        let state = F::step(evaluator, state, *memory, h, end)?;
        Ok(Trial { state, memory: *memory, estimate: Estimate::None })
    }

    #[inline(always)]
    fn acceleration<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        _: &mut E,
        _: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<SVector<R, N>, Failure> {
        Ok(*memory)
    }
}
