//! Methods for other types of numbers. Derivatives of motions run a method on dual or taped numbers.

use super::Method;
use crate::scalar::{Dual, Real};

/// A method for `f64` that can be had for any other type of numbers.
///
/// An analysis that differentiates a motion, such as [`sensitivities`](crate::analysis::sensitivities), takes the method as any other
/// integration does, and runs it on numbers that carry derivatives. Every method of this library can be lifted. An implicit method gets
/// [`Iteration::Newton`](super::Iteration::Newton), because the last iteration of Newton's method completes the derivatives and that of others
/// may not. A method of your own lifts itself:
///
/// ```
/// use lagrange_runtime::method::Lift;
/// use lagrange_runtime::prelude::*;
///
/// /// A method with a fixed step.
/// struct MyMethod<R> {
///     h: R,
/// }
///
/// impl Lift for MyMethod<f64> {
///     type On<R: Real> = MyMethod<R>;
///
///     fn lift<R: Real>(&self) -> MyMethod<R> {
///         MyMethod { h: R::from_f64(self.h) }
///     }
/// }
/// # assert_eq!(MyMethod { h: 0.5 }.lift::<f32>().h, 0.5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no method for `f64` that can be had for other numbers",
    note = "give the method for `f64`, such as `Dop853::new()` or `Rk4::new(1e-3)`: the analysis runs it on numbers that carry derivatives",
    note = "a method of your own implements `Lift`"
)]
pub trait Lift {
    /// The method for the numbers `R`.
    type On<R: Real>;

    /// The method for the numbers `R`, with the same settings.
    fn lift<R: Real>(&self) -> Self::On<R>;

    /// The method with a stated number of derivatives in one run, in place of [`DERIVATIVES`].
    ///
    /// One run carries `W` derivatives beside the motion. A number that divides that of the variables wastes nothing; more derivatives than
    /// variables cost time for zeros.
    fn with_width<const W: usize>(self) -> WithWidth<Self, W>
    where
        Self: Sized,
    {
        WithWidth(self)
    }
}

/// The number of derivatives that one run of a motion carries if nothing else is stated.
pub const DERIVATIVES: usize = 4;

/// A method that carries `W` derivatives in one run. [`Lift::with_width`] makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WithWidth<I, const W: usize>(I);

/// A method for mechanisms with `N` coordinates and `C` constraints that runs on dual numbers with `W` derivatives: one that implements
/// [`Lift`], with [`DERIVATIVES`] or with the number of [`Lift::with_width`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no method for `f64` that can be had for other numbers",
    note = "give the method for `f64`, such as `Dop853::new()` or `Rk4::new(1e-3)`: the analysis runs it on numbers that carry derivatives",
    note = "a method of your own implements `Lift`"
)]
pub trait OnDuals<const N: usize, const C: usize, const W: usize> {
    /// The method on dual numbers.
    type Method: Method<Dual<f64, W>, N, C>;

    /// The method on dual numbers, with the same settings.
    fn on_duals(&self) -> Self::Method;
}

impl<I, const N: usize, const C: usize> OnDuals<N, C, DERIVATIVES> for I
where
    I: Lift,
    I::On<Dual<f64, DERIVATIVES>>: Method<Dual<f64, DERIVATIVES>, N, C>,
{
    type Method = I::On<Dual<f64, DERIVATIVES>>;

    fn on_duals(&self) -> Self::Method {
        self.lift()
    }
}

impl<I, const N: usize, const C: usize, const W: usize> OnDuals<N, C, W> for WithWidth<I, W>
where
    I: Lift,
    I::On<Dual<f64, W>>: Method<Dual<f64, W>, N, C>,
{
    type Method = I::On<Dual<f64, W>>;

    fn on_duals(&self) -> Self::Method {
        self.0.lift()
    }
}
