//! A mechanism as the user writes it: a struct of parameters with an attribute.

use super::{Facts, FoundSymmetry, Linearise, Symmetry, System, Units};
use crate::error::{PrepareError, UnknownParameter};
use crate::scalar::Scalar;
use nalgebra::SVector;

/// A struct with a `#[lagrangian]` attribute: its names, its parameters, and the way to equations that can be evaluated.
pub trait Mechanism<const N: usize, const C: usize, const U: usize> {
    /// What the derivation proved.
    const FACTS: Facts;
    /// The number of states: those of [`System::state_count`].
    const STATES: usize = 0;
    /// The number of coordinates without inertia: those of [`System::without_inertia_count`].
    const WITHOUT_INERTIA: usize = 0;
    /// A struct with a field for each coordinate and each state, which has its name.
    type Index: Copy + core::fmt::Debug + Send + Sync + 'static;
    /// The index of each coordinate in q, and of its velocity in v: `state.q[Pendulum::INDEX.theta]`. For an array of
    /// coordinates the field is an array of indices. The value of a state is in v: `state.v[Heater::INDEX.temperature]`.
    const INDEX: Self::Index;
    /// The coordinates' names, in the order of q, and then those of the states.
    const COORDINATES: [&'static str; N];
    /// The constraints' names, in the order of λ.
    const CONSTRAINTS: [&'static str; C];
    /// The inputs' names, in the order of u.
    const INPUTS: [&'static str; U];
    /// The parameters' names, in the order of [`Mechanism::prepare_from`].
    const PARAMETERS: &'static [&'static str];

    /// The derived equations as text in the language of the block, with one equation a line. Below a line `where` stand the definitions of
    /// what the equations name: long quantities that the block names, and parts `s1`, `s2`, … that several equations share.
    const EQUATIONS_TEXT: &'static str;
    /// The derived equations as LaTeX.
    const EQUATIONS_LATEX: &'static str;
    /// What the block states as LaTeX: its definitions, energies, forces and constraints as they are written, part by part.
    const STATED_LATEX: &'static str = "";

    /// The block as it is written, without comments.
    const BLOCK: &'static str = "";
    /// What the block states as text: the block as it is written, below the blocks of its parts.
    const STATED_TEXT: &'static str = Self::BLOCK;
    /// The tokens of the block, of the struct and of all parts, from which a mechanism of parts is derived anew for other languages. Empty
    /// without parts.
    const WHOLE: &'static str = "";
    /// The first paragraph of the struct's doc comment.
    const SUMMARY: &'static str = "";
    /// The doc comments of the parameters, in the order of [`Mechanism::PARAMETERS`], and then of the inputs. A unit stands at the end.
    const DESCRIPTIONS: &'static [&'static str] = &[];
    /// The units of all quantities, as far as they are stated or follow from those that are.
    const UNITS: Units = Units::UNSTATED;

    /// The nominal ranges of parameters, inputs and coordinates by their names, as far as they are stated: `#[range(0.1..10)]` on a field,
    /// `coordinates theta: rad in -3..3;`. They say which sizes are usual. A value outside is allowed.
    const RANGES: &'static [(&'static str, [f64; 2])] = &[];
    /// The symmetries that the block states, in their order.
    const SYMMETRIES: &'static [Symmetry] = &[];
    /// The symmetries that the block does not state, as far as the derivation found them.
    const FOUND_SYMMETRIES: &'static [FoundSymmetry] = &[];
    /// Whether the search for these ended early, or was not begun, because the mechanism is too large for it. There may be more of them.
    const SYMMETRY_SEARCH_IS_CUT: bool = false;

    /// The equations with their parameters fixed, in the scalar `R`.
    type Prepared<R: Scalar>: System<R, N, C, U> + Linearise<R, N, C, U>;

    /// The value of a parameter or input by name.
    fn parameter(&self, name: &str) -> Result<f64, UnknownParameter>;

    /// Sets a parameter or input by name.
    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), UnknownParameter>;

    /// Computes once everything that depends on parameters alone.
    ///
    /// # Errors
    /// The failure names a parameter that is not finite, or one whose sign contradicts the derivation.
    fn prepare<R: Scalar>(&self) -> Result<Self::Prepared<R>, PrepareError>;

    /// Prepares from parameter values and default inputs that are already scalars: dual numbers, lanes or sweeps.
    ///
    /// # Errors
    /// Those of [`Mechanism::prepare`], and [`PrepareError::ParameterCount`] where `parameters` is not as long as
    /// [`Mechanism::PARAMETERS`].
    fn prepare_from<R: Scalar>(parameters: &[R], inputs: &SVector<R, U>) -> Result<Self::Prepared<R>, PrepareError>;
}
