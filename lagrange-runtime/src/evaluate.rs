//! The interface by which a method evaluates a system under the inputs of a controller.

use crate::constraint::Projection;
use crate::contact::{ContactStep, ContactStepped};
use crate::error::Failure;
use crate::scalar::{Real, Scalar};
use crate::state::{Difference, State};
use crate::statistics::Statistics;
#[cfg(doc)]
use crate::system::System;
use crate::system::{
    Balance, BalanceJacobian, Constraint, ConstraintHidden, Energies, Equations, Facts, InertialBalance,
};
use nalgebra::{SMatrix, SVector};

/// What messages call a method that resolves contacts within its steps.
pub(crate) const TIME_STEPPING: &str = "a time-stepping scheme";

/// The accelerations of a system under the inputs of a controller: all that an explicit formula needs.
///
/// `R` is the number type and `N` the number of coordinates. In an ensemble a number consists of several lanes, one for each
/// trajectory.
pub trait Accelerate<R: Scalar, const N: usize> {
    /// Returns the acceleration a at (t, q, v).
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn acceleration(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Result<SVector<R, N>, Failure>;

    /// Returns the acceleration a at (t, q, v), for use in a method with many stages. If the mass matrix is singular, a is NaN,
    /// and [`Accelerate::check_slopes`] reports the failure after the last stage. The plain vector stays in registers, which a
    /// `Result` would not.
    fn slope(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> SVector<R, N>;

    /// Reports the first singular mass matrix that [`Accelerate::slope`] met since the last call of this function.
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn check_slopes(&mut self) -> Result<(), Failure>;
}

/// What an integration knows of a system without evaluating the equations of motion: the constraints of the system, what the derivation has proved about it, and
/// the counters of the integration.
///
/// The trait stands apart from [`Evaluate`] so that code which needs no evaluation does not contain every evaluation of the system.
pub trait Setting<R: Real, const N: usize, const C: usize> {
    /// Returns the constraints at (t, q). The call is not counted.
    fn constraint(&self, t: R, q: &SVector<R, N>) -> Constraint<R, N, C>;

    /// Returns what the derivation has proved about the system.
    fn facts(&self) -> &'static Facts;

    /// Returns the number of states, which are the last velocities: that of [`System::state_count`].
    fn state_count(&self) -> usize;

    /// Whether the system has switching functions.
    fn has_switches(&self) -> bool;

    /// Whether the system has inputs.
    fn has_inputs(&self) -> bool;

    /// Whether the inputs are constant between their jumps: see
    /// [`Controller::is_piecewise_constant`](crate::controller::Controller::is_piecewise_constant). The default is whether there are none.
    fn inputs_are_constant(&self) -> bool {
        !self.has_inputs()
    }

    /// Returns the names of the constraints, in the order of the rows of G.
    fn constraint_names(&self) -> &'static [&'static str];

    /// Returns the counters.
    fn statistics(&self) -> &Statistics;

    /// Returns the counters for writing, so that a method can add its own work.
    fn statistics_mut(&mut self) -> &mut Statistics;
}

/// A system, the controller that gives its inputs, and the counters of an integration.
///
/// A [`Method`](crate::method::Method) sees its system through this trait alone. It asks for a quantity at (t, q, v). The
/// controller gives the inputs u(t, q, v), and every evaluation of the equations is counted. The runtime implements the trait. A
/// method that changes the equations for another method implements it for a type of its own.
/// [`Impulses`](crate::method::Impulses) does so to remove the constraints.
///
/// `R` is the number type, `N` the number of coordinates and `C` that of constraints.
pub trait Evaluate<R: Real, const N: usize, const C: usize>: Accelerate<R, N> + Setting<R, N, C> {
    /// Begins a round of an iteration. The states of the rounds before it are not those of the motion, and may be on another branch of the equations
    /// than all of the step: they do not count. A method calls [`Evaluate::visit`] for the states that the iteration found.
    fn begin_round(&mut self);

    /// Ends the iteration. With `counts`, the branches of the states of the last round count as those of the step: where the equations jump, the rounds may
    /// go back and forth over the switch, with a solution or without one.
    fn end_rounds(&mut self, counts: bool);

    /// Whether an evaluation of the present round left the branch of the step, where the equations may jump. The default is no.
    fn is_astray(&self) -> bool {
        false
    }

    /// Whether the Jacobians contain all derivatives: where contacts and frictions are in known phases, those of their directions are left out. The default is yes.
    fn has_exact_jacobian(&self) -> bool {
        true
    }

    /// The largest magnitude of the acceleration that contacts and frictions give to a coordinate in the last balance. It may cancel the acceleration by the other forces up to rounding, so that an iteration judges its increments
    /// by it too. The default is 0.
    fn cancelled(&self) -> R {
        R::ZERO
    }

    /// Checks whether a state of the present step, which an iteration found, is on the branch of the step. The call is not counted. Without switches
    /// it does nothing.
    fn visit(&mut self, t: R, q: &SVector<R, N>, v: &SVector<R, N>);

    /// Returns the multipliers λ at (t, q, v).
    ///
    /// # Errors
    /// [`Failure::SingularMass`].
    fn multipliers(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Result<SVector<R, C>, Failure>;

    /// Returns p and f at (t, q, v). The equations of motion are d/dt p = f + Gᵀλ.
    fn balance(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Balance<R, N>;

    /// Returns p, f and M at (t, q, v).
    fn inertial_balance(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> InertialBalance<R, N>;

    /// Returns p, f and their derivatives by q and v at (t, q, v).
    fn balance_jacobian(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> BalanceJacobian<R, N>;

    /// Returns ∂p/∂t and ∂f/∂t at constant q, v and inputs, or `None` if the system does not give them: see
    /// [`System::balance_by_time`]. The call is not counted. The default gives none.
    fn balance_by_time(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Option<Balance<R, N>> {
        let _ = (t, q, v);
        None
    }

    /// Returns M and F at (t, q, v). The equations of motion are M a = F + Gᵀλ.
    fn equations(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Equations<R, N>;

    /// Returns the change of the velocities in a step of a time-stepping scheme, in which contacts and frictions obey their laws at the level of velocities: see [`ContactStep`].
    /// A method that calls this function says so by [`Method::resolves_contacts`](crate::method::Method::resolves_contacts). Without contacts Δv/h is M̂⁻¹ F, with F at the
    /// place of the step.
    ///
    /// # Errors
    /// [`Failure::NotApplicable`] for a system with constraints, for one that another method changed, and at a contact with adhesion; [`Failure::SingularMass`] names a contact at
    /// which no motion obeys the laws; [`Failure::NegativeBound`], [`Failure::Breakaway`], [`Failure::BadRestitution`], [`Failure::ImpactEnergy`].
    fn step_contacts(&mut self, step: &ContactStep<'_, R, N>) -> Result<ContactStepped<R, N>, Failure> {
        let _ = step;
        let needs = "the mechanism itself, and not one that another method has changed";
        Err(Failure::NotApplicable { method: TIME_STEPPING, needs })
    }

    /// Returns the derivatives of the constraints that the equations need at (t, q, v) with the given multipliers. The call is
    /// not counted.
    fn constraint_hidden(
        &self,
        t: R,
        q: &SVector<R, N>,
        v: &SVector<R, N>,
        multipliers: &SVector<R, C>,
    ) -> ConstraintHidden<R, N, C>;

    /// Makes one Newton step from `v` towards the velocity that belongs to the momentum `p`. The call is not counted.
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

    /// Returns p and M at (t, q, v), which do not depend on inputs. The call is not counted.
    fn momentum(&self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> (SVector<R, N>, SMatrix<R, N, N>);

    /// Returns the energies at (t, q, v). The call is not counted.
    fn energies(&mut self, t: R, q: SVector<R, N>, v: SVector<R, N>) -> Energies<R>;

    /// Moves `state` onto the constraints by `projection`. Returns the new state and the number of Newton steps.
    ///
    /// # Errors
    /// The errors of [`Projection::state`].
    fn project(&self, projection: &Projection<R, N>, state: &State<R, N>) -> Result<(State<R, N>, u32), Failure>;

    /// Returns the root mean square of `error`, each component divided by its tolerance from the options. The step goes from
    /// `start` to `end`. If a tolerance is below the rounding of its component, that rounding replaces it. A method that calls this function
    /// says so by [`Method::MEASURES_ERRORS`](crate::method::Method::MEASURES_ERRORS).
    fn scaled_error(&mut self, start: &State<R, N>, end: &State<R, N>, error: &Difference<R, N>) -> R;

    /// Returns the error that the options allow in each coordinate and velocity in a step from `start` to `end`: the absolute tolerance plus the
    /// relative one times the larger magnitude. It is infinite for what does not count: the hidden coordinates of states.
    fn tolerances(&self, start: &State<R, N>, end: &State<R, N>) -> Difference<R, N>;

    /// Returns the smallest relative tolerance of the options.
    fn smallest_rtol(&self) -> f64;

    /// Whether the interpolant of the current step will be used: for events, samples, dense output or an observer. The value is
    /// set only for a method whose [`Method::judges_interpolants`](crate::method::Method::judges_interpolants) is true.
    fn is_interpolated(&self) -> bool;
}
