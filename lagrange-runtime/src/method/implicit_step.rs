//! Implicit methods with a fixed step that carry the momentum. One implementation serves all formulas.

use super::canonical::CanonicalMemory;
use super::shared::{fixed_steps, implicit_steps};
use super::{Estimate, Lift, Method, Trial};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::State;
use core::fmt::Debug;
use nalgebra::SVector;

/// The formula of an implicit one-step method that carries the momentum p = ∂L/∂v, with its name and its order.
///
/// [`ImplicitFixedStep`] turns it into a [`Method`], which works with inputs, events, samples, contacts and dry friction that sticks. `C` is the number of constraints of the mechanisms to
/// which the formula applies: an implementation for `C = 0` alone takes no mechanism with constraints. Equations of a step, or of one of its stages, are solved by
/// [`ImplicitEquation`](super::ImplicitEquation).
///
/// ```
/// use lagrange_runtime::evaluate::Evaluate;
/// use lagrange_runtime::method::{ImplicitEquation, ImplicitFixedStep, ImplicitStep};
/// use lagrange_runtime::prelude::*;
///
/// /// The implicit Euler method.
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct ImplicitEuler;
///
/// impl<const C: usize> ImplicitStep<C> for ImplicitEuler {
///     const NAME: &'static str = "implicit Euler";
///     const ORDER: u32 = 1;
///
///     fn step<R: Real, const N: usize>(
///         evaluator: &mut (impl Evaluate<R, N, C> + ?Sized),
///         (state, momentum): (&State<R, N>, &SVector<R, N>),
///         h: R,
///         end: R,
///     ) -> Result<(State<R, N>, SVector<R, N>), Failure> {
///         let equation = ImplicitEquation::of_step(state, momentum, (h, end));
///         let solved = equation.solve(evaluator, state.v, SVector::repeat(R::ZERO))?;
///         Ok((State { t: end, q: solved.coordinates, v: solved.velocity }, momentum + solved.force * h))
///     }
/// }
///
/// let method = ImplicitFixedStep::<f64, ImplicitEuler>::new(1e-3);
/// # let _ = method;
/// ```
#[diagnostic::on_unimplemented(
    message = "this method does not apply to this mechanism",
    note = "a method that needs a mechanism without constraints is implemented for `C = 0` only"
)]
pub trait ImplicitStep<const C: usize>: Copy + Debug + Send + Sync {
    /// The method's name.
    const NAME: &'static str;

    /// The method's order.
    const ORDER: u32;

    /// Makes one step of size `h` to the time `end`, which is the time of the start plus `h` up to rounding. `start` is a state with its momentum p. Returns the state at the time `end`, and its
    /// momentum p'. The velocity v' of this state must satisfy p' = ∂L/∂v(q', v').
    ///
    /// # Errors
    /// [`Failure::SingularMass`], [`Failure::NewtonFailed`], [`Failure::NotFinite`].
    fn step<R: Real, const N: usize>(
        evaluator: &mut (impl Evaluate<R, N, C> + ?Sized),
        start: (&State<R, N>, &SVector<R, N>),
        h: R,
        end: R,
    ) -> Result<(State<R, N>, SVector<R, N>), Failure>;
}

/// An implicit method with the formula `F` and a fixed step. Constraints must be holonomic.
///
/// Under constraints, the beginning of a slip is found as exactly as the velocity at the end of a step satisfies the hidden constraint. The velocity of the implicit Euler method errs there by a part of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitFixedStep<R, F> {
    h: R,
    formula: core::marker::PhantomData<F>,
}

impl<R: Real, F> ImplicitFixedStep<R, F> {
    /// Returns the method with the step size `h`, in the unit of t. If `h` is not positive, an integration returns an error.
    pub const fn new(h: R) -> Self {
        Self { h, formula: core::marker::PhantomData }
    }
}

impl<F> Lift for ImplicitFixedStep<f64, F> {
    type On<R: Real> = ImplicitFixedStep<R, F>;

    fn lift<R: Real>(&self) -> Self::On<R> {
        ImplicitFixedStep::new(R::from_f64(self.h))
    }
}

impl<R: Real, F: ImplicitStep<C>, const N: usize, const C: usize> Method<R, N, C> for ImplicitFixedStep<R, F> {
    /// The momentum p.
    type Memory = SVector<R, N>;

    fixed_steps!();
    implicit_steps!();

    fn name(&self) -> &'static str {
        F::NAME
    }

    fn order(&self) -> u32 {
        F::ORDER
    }

    fn start<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
    ) -> Result<SVector<R, N>, Failure> {
        if const { C > 0 } && !evaluator.facts().holonomic {
            return Err(Failure::NotApplicable { method: F::NAME, needs: "constraints that are holonomic" });
        }
        Ok(CanonicalMemory::start(evaluator, state).momentum)
    }

    fn held<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        [before, after]: [&State<R, N>; 2],
        momentum: &SVector<R, N>,
    ) -> Result<SVector<R, N>, Failure> {
        Ok(CanonicalMemory::of(*momentum).held(evaluator, [before, after]).momentum)
    }

    #[inline(always)]
    fn step<E: Evaluate<R, N, C> + ?Sized>(
        &self,
        evaluator: &mut E,
        (): &mut (),
        state: &State<R, N>,
        momentum: &SVector<R, N>,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, SVector<R, N>>, Failure> {
        if h == R::ZERO {
            return Ok(Trial::of_no_size(state, momentum, end));
        }
        let (state, memory) = F::step(evaluator, (state, momentum), h, end)?;
        Ok(Trial { state, memory, estimate: Estimate::None })
    }
}
