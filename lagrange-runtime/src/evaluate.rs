//! What a method evaluates: the quantities of a system under the inputs of a controller.

pub use crate::evaluator::Evaluator;

use crate::constraint::Projection;
use crate::error::Failure;
use crate::scalar::Real;
use crate::state::{Difference, State};
use crate::statistics::Statistics;
use crate::system::{Balance, BalanceJacobian, Constraint, ConstraintHidden, Energies, Equations, Facts};
use nalgebra::{SMatrix, SVector};

/// A system, the controller that gives its inputs, and the counters of an integration, as one thing to evaluate.
///
/// A [`Method`](crate::method::Method) knows its system through this trait alone. It asks for a quantity at (t, q, v); the
/// inputs u(t, q, v) come from the controller, and every evaluation of the equations is counted. The runtime implements the
/// trait; a method that changes the equations of another method (such as [`Impulses`](crate::method::Impulses), which
/// removes the constraints) implements it for a type of its own.
///
/// `R` is the number type, `N` the number of coordinates and `C` that of constraints.
pub trait Evaluate<R: Real, const N: usize, const C: usize> {
    /// a at (t, q, v).
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn acceleration(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Result<SVector<R, N>, Failure>;

    /// a at (t, q, v), for a method with many stages: where a mass matrix is singular it is NaN, and
    /// [`Evaluate::check_slopes`] reports it after the last stage. A plain vector stays in registers, which a result with a
    /// failure does not.
    fn slope(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> SVector<R, N>;

    /// Reports the first singular mass matrix that [`Evaluate::slope`] met since this was last called.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn check_slopes(&mut self) -> Result<(), Failure>;

    /// λ at (t, q, v).
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn multipliers(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Result<SVector<R, C>, Failure>;

    /// p and f at (t, q, v): d/dt p = f + Gᵀλ.
    fn balance(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Balance<R, N>;

    /// p, f and their derivatives by q and v at (t, q, v).
    fn balance_jacobian(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> BalanceJacobian<R, N>;

    /// M and F at (t, q, v): M a = F + Gᵀλ.
    fn equations(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Equations<R, N>;

    /// The constraints at (t, q); not counted.
    fn constraint(&self, t: R, q: &SVector<R, N>) -> Constraint<R, N, C>;

    /// What is needed of the constraints' derivatives at (t, q, v) with multipliers; not counted.
    fn constraint_hidden(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        multipliers: &SVector<R, C>,
    ) -> ConstraintHidden<R, N, C>;

    /// One Newton step from `v` towards the velocity of momentum `p`; not counted.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn velocity_correction(
        &self,
        t: R,
        q: SVector<R, N>,
        v: SVector<R, N>,
        p: SVector<R, N>,
    ) -> Result<SVector<R, N>, Failure>;

    /// p and M at (t, q, v), which do not depend on inputs; not counted.
    fn momentum(&self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> (SVector<R, N>, SMatrix<R, N, N>);

    /// The energies at (t, q, v); not counted.
    fn energies(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Energies<R>;

    /// `state` moved onto the constraints by `projection`, and the number of Newton steps that this took.
    ///
    /// # Errors
    /// As [`Projection::state`].
    fn project(&self, projection: &Projection<R, N>, state: &State<R, N>) -> Result<(State<R, N>, u32), Failure>;

    /// What the derivation proved about the system.
    fn facts(&self) -> &'static Facts;

    /// Whether the system has inputs.
    fn has_inputs(&self) -> bool;

    /// The constraints' names, in the order of the rows of G.
    fn constraint_names(&self) -> &'static [&'static str];

    /// The counters.
    fn statistics(&self) -> &Statistics;

    /// The counters, for a method to add its own work to.
    fn statistics_mut(&mut self) -> &mut Statistics;

    /// The root mean square of an error at the `end` of a step from `start`, each component over its tolerance of the
    /// options. A tolerance below the rounding of a component is replaced by that rounding.
    fn scaled_error(&mut self, start: &State<R, N>, end: &State<R, N>, error: &Difference<R, N>) -> R;

    /// The smallest relative tolerance of the options.
    fn smallest_rtol(&self) -> f64;

    /// Whether the interpolant of the step that is being made will be asked for: by events, samples, dense output or an
    /// observer. Only a method of which
    /// [`Method::judges_interpolants`](crate::method::Method::judges_interpolants) is true is told.
    fn is_interpolated(&self) -> bool;
}
