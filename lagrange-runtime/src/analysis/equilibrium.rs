//! Equilibria and relative equilibria, by Newton's method with exact Jacobians.

mod newton;
mod residual;
mod rounding;
mod stability;
mod starts;

pub use stability::{Stability, Verdict, stability};

use super::AnalysisError;
use crate::state::State;
use crate::system::Linearise;
use nalgebra::{DVector, SVector};
pub(crate) use newton::{correction, equilibrate};
pub(crate) use residual::Residual;
pub(crate) use rounding::{Measured, ROUND_OFF};
use std::vec::Vec;

/// A state in which a mechanism rests, or in which it moves steadily along coordinates that its equations do not contain.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium<const N: usize, const C: usize, const U: usize> {
    /// The state. All velocities are 0 except the steady ones.
    pub state: State<f64, N>,
    /// The inputs at which it is an equilibrium.
    pub inputs: SVector<f64, U>,
    /// λ, for which Gᵀλ balances f. Where constraints are redundant, it is the λ of least Σ (λᵢ/cᵢ)². The scales cᵢ balance the rows and
    /// columns of G, so that each reaction does not depend on the unit of its constraint.
    pub multipliers: SVector<f64, C>,
    /// The coordinates that may move steadily.
    pub steady: Vec<usize>,
    /// The number of Newton steps.
    pub iterations: u32,
}

/// The condition on the velocity of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rate {
    /// The velocity is given.
    Given(f64),
    /// The velocity is sought, from a guess.
    Free(f64),
    /// The velocity is sought, from a guess, so that the coordinate's momentum has a given value.
    Momentum(f64, f64),
}

/// The search for an equilibrium from a guess.
///
/// At rest, an equilibrium is a solution (q, λ) of
///
/// ```text
/// f(q, 0, t, u) + Gᵀλ = 0,    g(q, t) = 0,
/// ```
///
/// with f = ∂L/∂q − ∂D/∂v + Q. A relative equilibrium has constant velocities of coordinates that the equations do not contain,
/// such as the precession and the spin of a top. It solves the same equations with these velocities in f. Each velocity is
/// given ([`with_velocity`](Self::with_velocity)), sought ([`with_free_velocity`](Self::with_free_velocity)), or follows from
/// its momentum ([`with_momentum`](Self::with_momentum)).
///
/// Newton's method uses exact ∂f/∂q, ∂(Gᵀλ)/∂q and G. A step is damped until the natural level function decreases, and ends on
/// the holonomic constraints. Where the Jacobian is singular, as along a family of equilibria, the step is the shortest one. So
/// M may be singular, and constraints may be redundant. Source: P. Deuflhard, *Newton Methods for Nonlinear Problems*, 3.3
/// (NLEQ-ERR).
///
/// A point is a solution if every equation holds but for its rounding, and if the next step is short beside the unknown's magnitude or
/// the distance from the guess. The rounding of an equation is measured: by its values at points that differ in the last digits. So a
/// force that nothing balances is never accepted, however small it is, and the result does not depend on units.
///
/// ```
/// use lagrange_runtime::analysis::{EquilibriumSearch, Verdict, stability};
/// use lagrange_runtime::prelude::*;
///
/// // A bead on a hoop that turns about its vertical diameter: cos θ = g/(ω² r).
/// #[lagrangian {
///     coordinates theta;
///     kinetic = m*r^2*(dot(theta)^2 + omega^2*sin(theta)^2)/2;
///     potential = -m*g*r*cos(theta);
/// }]
/// struct Bead {
///     m: f64,
///     r: f64,
///     omega: f64,
///     g: f64,
/// }
///
/// let system = Bead { m: 1.0, r: 0.5, omega: 6.0, g: 9.81 }.prepare::<f64>()?;
/// let found = EquilibriumSearch::new([1.0], []).find(&system)?;
/// assert!((found.state.q[0].cos() - 9.81 / (36.0 * 0.5)).abs() < 1e-12);
/// assert_eq!(stability(&system, &found)?.verdict, Verdict::Stable);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct EquilibriumSearch<const N: usize, const U: usize> {
    pub(crate) t: f64,
    pub(crate) q: SVector<f64, N>,
    pub(crate) u: SVector<f64, U>,
    pub(crate) fixed: [bool; N],
    pub(crate) rates: [Rate; N],
    pub(crate) free_inputs: [bool; U],
    pub(crate) max_iterations: u32,
}

impl<const N: usize, const U: usize> EquilibriumSearch<N, U> {
    /// A search from the coordinates `guess` with the inputs `u`, at rest and at t = 0. The guess of a state, which follows the
    /// coordinates, is that of its value.
    #[must_use]
    pub fn new(guess: impl Into<SVector<f64, N>>, u: impl Into<SVector<f64, U>>) -> Self {
        Self {
            t: 0.0,
            q: guess.into(),
            u: u.into(),
            fixed: [false; N],
            rates: [Rate::Given(0.0); N],
            free_inputs: [false; U],
            max_iterations: 100,
        }
    }

    /// Sets the time `t`. For a mechanism that depends on time, the result is an equilibrium of that instant only.
    #[must_use]
    pub fn with_time(mut self, t: f64) -> Self {
        self.t = t;
        self
    }

    /// Fixes coordinate or state `index` at the value of the guess. Then an input or a steady velocity must be sought in its place. An
    /// index without a coordinate changes nothing.
    #[must_use]
    pub fn with_fixed_coordinate(mut self, index: usize) -> Self {
        if let Some(fixed) = self.fixed.get_mut(index) {
            *fixed = true;
        }
        self
    }

    /// Makes input `index` an unknown, which starts from the value given. An index without an input changes nothing.
    #[must_use]
    pub fn with_free_input(mut self, index: usize) -> Self {
        if let Some(free) = self.free_inputs.get_mut(index) {
            *free = true;
        }
        self
    }

    /// Gives coordinate `index` this constant velocity.
    #[must_use]
    pub fn with_velocity(self, index: usize, velocity: f64) -> Self {
        self.with_rate(index, Rate::Given(velocity))
    }

    /// Gives coordinate `index` a constant velocity that is sought from `guess`.
    #[must_use]
    pub fn with_free_velocity(self, index: usize, guess: f64) -> Self {
        self.with_rate(index, Rate::Free(guess))
    }

    /// Gives coordinate `index` a constant velocity that is sought from `guess`, so that its momentum ∂L/∂v is `momentum`.
    #[must_use]
    pub fn with_momentum(self, index: usize, momentum: f64, guess: f64) -> Self {
        self.with_rate(index, Rate::Momentum(momentum, guess))
    }

    /// Sets the largest number of Newton steps; the default is 100.
    #[must_use]
    pub fn with_max_iterations(mut self, max_iterations: u32) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    fn with_rate(mut self, index: usize, rate: Rate) -> Self {
        if let Some(of) = self.rates.get_mut(index) {
            *of = rate;
        }
        self
    }

    /// The equilibrium that the iteration reaches.
    ///
    /// # Errors
    /// [`AnalysisError::NotConverged`] names the equation with the largest residual beside its rounding. [`AnalysisError::RunsAway`] names
    /// an unknown that goes away without end, as where a force vanishes only at infinity. [`AnalysisError::NotFinite`] where the
    /// equations have no finite value. [`AnalysisError::NotApplicable`] where the equations contain a coordinate that moves
    /// steadily, or where a constraint or a momentum depends on time explicitly, and for mechanisms with a `contact`.
    pub fn find<const C: usize>(
        &self,
        system: &(impl Linearise<f64, N, C, U> + ?Sized),
    ) -> Result<Equilibrium<N, C, U>, AnalysisError> {
        let problem = Residual::new(self, system);
        problem.check_search()?;
        let start = problem.start();
        let (solution, iterations) = newton::solve(&problem, start, self.max_iterations)?;
        let mut found = problem.equilibrium(&solution, iterations);
        found.multipliers = problem.shortest_multipliers(&found)?;
        problem.check(&found)?;
        Ok(found)
    }
}

/// Equations with their Jacobian, for Newton's method.
pub(crate) trait Equations {
    /// The residual at x, and its Jacobian.
    fn evaluate(&self, x: &DVector<f64>) -> (DVector<f64>, nalgebra::DMatrix<f64>);
    /// The same with each given quantity multiplied by `shake` of its index, which is about 1. The default leaves the given
    /// quantities as they are.
    fn evaluate_near(&self, x: &DVector<f64>, shake: &dyn Fn(usize) -> f64) -> (DVector<f64>, nalgebra::DMatrix<f64>) {
        let _ = shake;
        self.evaluate(x)
    }
    /// The nearest point to x that meets the conditions for every iterate; x itself without such conditions. `None` where no such
    /// point is found.
    fn retract(&self, x: &DVector<f64>) -> Option<DVector<f64>> {
        Some(x.clone())
    }
    /// The name of an equation, for messages.
    fn name(&self, row: usize) -> std::string::String;
    /// The name of an unknown, for messages.
    fn unknown(&self, column: usize) -> std::string::String;
    /// The name of the solution that is sought, for messages.
    fn sought(&self) -> &'static str;
}
