//! A mechanism as it is written: a struct of parameters with an attribute.

use super::{Facts, Linearise, System};
use crate::error::{PrepareError, UnknownParameter};
use crate::scalar::Scalar;
use nalgebra::SVector;

/// A struct with a `#[lagrangian]` attribute: names, parameters, and the way to runnable equations.
pub trait Mechanism<const N: usize, const C: usize, const U: usize> {
    /// What the derivation proved.
    const FACTS: Facts;
    /// A struct with a field for each coordinate, named as the coordinate is.
    type Index: Copy + core::fmt::Debug + Send + Sync + 'static;
    /// The index of each coordinate in q, and of its velocity in v: `state.q[Pendulum::INDEX.theta]`. Of an array of
    /// coordinates it holds an array of indices.
    const INDEX: Self::Index;
    /// The coordinates' names, in the order of q.
    const COORDINATES: [&'static str; N];
    /// The constraints' names, in the order of λ.
    const CONSTRAINTS: [&'static str; C];
    /// The inputs' names, in the order of u.
    const INPUTS: [&'static str; U];
    /// The parameters' names, in the order of [`Mechanism::prepare_from`].
    const PARAMETERS: &'static [&'static str];

    /// The derived equations as text, a line each, in the language of the block.
    const EQUATIONS_TEXT: &'static str;
    /// The derived equations as LaTeX.
    const EQUATIONS_LATEX: &'static str;

    /// The equations with their parameters fixed, in the scalar `R`.
    type Prepared<R: Scalar>: System<R, N, C, U> + Linearise<R, N, C, U>;

    /// The value of a parameter or input by name.
    fn parameter(&self, name: &str) -> Result<f64, UnknownParameter>;

    /// Sets a parameter or input by name.
    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), UnknownParameter>;

    /// Computes all that depends on parameters alone, once.
    ///
    /// # Errors
    /// A parameter that is not finite, or breaks a sign that the derivation used, is named.
    fn prepare<R: Scalar>(&self) -> Result<Self::Prepared<R>, PrepareError>;

    /// The same from parameter values and default inputs as scalars (dual numbers, lanes, sweeps).
    ///
    /// # Errors
    /// As [`Mechanism::prepare`]; also where `parameters` is not as long as [`Mechanism::PARAMETERS`].
    fn prepare_from<R: Scalar>(parameters: &[R], inputs: &SVector<R, U>) -> Result<Self::Prepared<R>, PrepareError>;
}
