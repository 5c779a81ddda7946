//! The time-stepping scheme of Moreau and Jean, for many contacts.

use super::shared::fixed_steps;
use super::shifted::Shifted;
use super::{Estimate, Method, Trial, hermite};
use crate::contact::{ContactPhases, ContactStep, ContactStepped};
use crate::dense::{Form, Interpolant, MAX_DEGREE, Polynomial};
use crate::error::Failure;
use crate::evaluate::Evaluate;
use crate::scalar::Real;
use crate::state::State;
use nalgebra::SVector;

/// The time-stepping scheme of Moreau and Jean with a fixed step, for mechanisms with many contacts.
///
/// Impacts, friction and forces of closed contacts are resolved together within each step, as impulses, so that no time of an impact is sought:
///
/// ```text
/// M̂ (v' − v) = h F + Σ Wₖᵀ Pₖ,   q' = q + h (v + θ (v' − v))
/// M̂ = M + θ h (∂p/∂q + dM/dt − ∂f/∂v) − (θ h)² ∂f/∂q
/// ```
///
/// The forces F, their derivatives and the gradients Wₖ of gaps and slips are those at the time t + θ h, at q + θ h v and v. A contact whose gap is positive there is open. Every other one is closed, and
/// obeys Newton's law of restitution in the form of Moreau, 0 ≤ P ⊥ s⁺ + e s⁻ ≥ 0, where s⁻ is the rate of its gap before the step, if it approaches, and s⁺ that after it. A friction has
/// an impulse of at most h times its bound, the slip of a closed contact one of at most μ P, against the slip that is left after the step. The laws, with vectors, breakaway and rows that depend on each other, are those
/// of the other methods ([`guide::contacts`](crate::guide::contacts)).
///
/// # When to use it
///
/// Where contacts close, slip and open so often that finding each of these times takes longer than it is worth: heaps, chains, granular matter, mechanisms that rattle, and motions
/// with infinitely many impacts. Where few contacts change rarely, a method that locates them, such as [`Dop853`](super::Dop853), is more accurate by many digits. The guide has
/// [a table of both](crate::guide::contacts#time-stepping).
///
/// # Order
///
/// The states converge with order 1 to the motion that a method finds which locates contacts, where that exists. Between changes at contacts the order is 2 for θ = 1/2, if L is quadratic in v. A gap becomes negative by at most the
/// way of an impact in a half step, and stays so while the contact is closed. Steps go over switches of other statements, such as `if`, which leave an error of order 1; the changes of modes and events are located on the
/// interpolant.
///
/// # Stiff parts
///
/// Springs, dampers and states may be as stiff as they like: they are solved for linearly implicitly. θ = 1/2 keeps the energy of linear motions without friction and impacts, and damps nothing. Larger values up to 1
/// damp what oscillates within a step, and have order 1.
///
/// # Energy
///
/// Impulses take energy. Where a contact rests after a step, the forces F may add a quarter of the kinetic energy of the velocity that they give in a step: m (g h)²/8 for a ball. A step with an impact with e > 0 may add the impulse times the change of the rate that F makes in it. An impact with restitution whose impulses would add energy is
/// [`Failure::ImpactEnergy`].
///
/// # Cost
///
/// A step costs one `balance_jacobian`, one evaluation of the rows, the factors of one matrix of size N, and the decision between the phases of closed contacts and of frictions. The phases
/// of the step before are tried first. Where the gradients of closed contacts change along the motion, the rows are evaluated and decided twice. An interpolant costs as much as a step.
///
/// # What is refused
///
/// Mechanisms with constraints, contacts with adhesion, constraints that modes switch, and motions backward in time with contacts. A motion starts at gaps that are not negative; to go on from its last state, use a
/// [`Checkpoint`](crate::stepper::Checkpoint). Impacts are counted in [`Statistics::impacts`](crate::statistics::Statistics::impacts), but there is no instant for them. [`contact::forces`](crate::contact::forces) sees a
/// contact as closed whose gap is 0 up to 10⁻⁹, and so not one that this scheme has left below.
///
/// ```
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian {
///     coordinates y;
///     kinetic   = m*dot(y)^2/2;
///     potential = m*g*y;
///     contact floor: y >= 0, restitution = e;
/// }]
/// struct Ball {
///     m: f64,
///     g: f64,
///     e: f64,
/// }
///
/// // It makes infinitely many bounces in 0.6 s, and rests.
/// let system = Ball { m: 2.0, g: 10.0, e: 0.5 }.prepare::<f64>()?;
/// let solution = solve(&system, State::new(0.0, [0.2], [0.0]), 1.0, &MoreauJean::new(1e-4), &Options::default())?;
/// let last = solution.last().unwrap();
/// assert!(last.q[0].abs() < 2e-4 && last.v[0].abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: J. J. Moreau, *Unilateral contact and dry friction in finite freedom dynamics*, CISM 302, 1988; M. Jean, *The non-smooth contact dynamics method*, Comput. Methods Appl.
/// Mech. Eng. 177, 1999; V. Acary, B. Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, 2008, ch. 10.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoreauJean<R: Real> {
    h: R,
    theta: R,
}

impl<R: Real> MoreauJean<R> {
    /// Returns the method with the step size `h`, in the unit of t, and θ = 1/2. If `h` is not positive, an integration returns an error.
    pub fn new(h: R) -> Self {
        Self { h, theta: R::from_f64(0.5) }
    }

    /// Returns the method with another θ. If it is not in [1/2, 1], an integration returns an error.
    #[must_use]
    pub fn with_theta(self, theta: R) -> Self {
        Self { theta, ..self }
    }

    /// The change of the velocities in a step of size `h` from a state, divided by `h`.
    ///
    /// # Errors
    /// [`Failure::SingularMass`] and those of [`Evaluate::step_contacts`].
    fn resolved<E: Evaluate<R, N, 0> + ?Sized, const N: usize>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        before: ContactPhases,
        h: R,
    ) -> Result<ContactStepped<R, N>, Failure> {
        let part = self.theta * h;
        let ahead = |s: R| State { t: state.t + s, q: state.q + state.v * s, v: state.v };
        let place = ahead(part);
        let mut at = evaluator.balance_jacobian(place.t, place.q, place.v);
        evaluator.check_slopes()?;
        if !evaluator.facts().constant_mass {
            let State { t, q, v } = ahead(part + part);
            at.mass_matrix = evaluator.momentum(t, q, v).1;
        }
        evaluator.statistics_mut().factorizations += 1;
        let solver = Shifted::new(&at, N.saturating_sub(evaluator.state_count()), part)?;
        let solve = |right: &SVector<R, N>| solver.solve(right);
        evaluator.step_contacts(&ContactStep { place, size: h, theta: self.theta, solve: &solve, before })
    }
}

/// What [`MoreauJean`] carries from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoreauJeanMemory {
    /// The phases of the contacts in the last step.
    pub phases: ContactPhases,
}

impl<R: Real, const N: usize> Method<R, N, 0> for MoreauJean<R> {
    type Memory = MoreauJeanMemory;

    fixed_steps!();

    fn name(&self) -> &'static str {
        "Moreau–Jean"
    }

    fn order(&self) -> u32 {
        1
    }

    #[inline(always)]
    fn resolves_contacts(&self) -> bool {
        true
    }

    fn start<E: Evaluate<R, N, 0> + ?Sized>(&self, _: &mut E, _: &State<R, N>) -> Result<Self::Memory, Failure> {
        if !(self.theta >= R::from_f64(0.5) && self.theta <= R::ONE) {
            return Err(Failure::bad_option("theta", self.theta, "from 1/2 to 1"));
        }
        Ok(MoreauJeanMemory::default())
    }

    fn step<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        _: &mut Self::Workspace,
        state: &State<R, N>,
        memory: &Self::Memory,
        h: R,
        end: R,
    ) -> Result<Trial<R, N, Self::Memory>, Failure> {
        let stepped = self.resolved(evaluator, state, memory.phases, h)?;
        let statistics = evaluator.statistics_mut();
        statistics.impacts += stepped.impacts;
        statistics.phases += stepped.phases.changes(memory.phases);
        let change = stepped.acceleration * h;
        let state = State { t: end, q: state.q + (state.v + change * self.theta) * h, v: state.v + change };
        Ok(Trial { state, memory: MoreauJeanMemory { phases: stepped.phases }, estimate: Estimate::None })
    }

    /// Returns the mean acceleration in the next step. It contains the impulses of contacts.
    fn acceleration<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        evaluator: &mut E,
        state: &State<R, N>,
        memory: &Self::Memory,
    ) -> Result<SVector<R, N>, Failure> {
        Ok(self.resolved(evaluator, state, memory.phases, self.h)?.acceleration)
    }

    /// Returns the polynomials of the scheme: v is linear within the step, and q quadratic.
    fn interpolant<E: Evaluate<R, N, 0> + ?Sized>(
        &self,
        _: &mut E,
        _: &mut Self::Workspace,
        (start, first): (&State<R, N>, &SVector<R, N>),
        (end, last): (&State<R, N>, &SVector<R, N>),
    ) -> Result<Interpolant<R, N>, Failure> {
        let length = end.t - start.t;
        if length == R::ZERO {
            return Ok(hermite((start, first), (end, last)));
        }
        let mut q = [SVector::repeat(R::ZERO); MAX_DEGREE];
        let mut v = q;
        q[0] = start.v;
        q[1] = (end.q - start.q) / length - start.v;
        v[0] = (end.v - start.v) / length;
        let polynomial = Polynomial { start: *start, length, q, v, degree: 2 };
        Ok(Interpolant::new(*start, *end, Form::Polynomial(polynomial)))
    }
}
