//! Periodic orbits, by shooting.

mod flight;
mod nearest_return;
mod newton;
mod orbits;
mod seam;

pub use orbits::{OrbitBifurcation, OrbitBranch, OrbitContinuation, OrbitPoint, SpecialOrbit};

use super::sensitivity::{Motion, Variable};
use super::tangent::TangentBasis;
use super::{AnalysisError, without_kept_values};
use crate::controller::DefaultInputs;
use crate::method::{Method, OnDuals};
use crate::options::{AnyOptions, Options};
use crate::scalar::Dual;
use crate::state::State;
use crate::system::{Mechanism, System};
use flight::Flight;
use nalgebra::{Complex, DMatrix, SVector};
use std::string::ToString;
use std::vec::Vec;

/// The period of the result is at most this multiple of the guess, and at least the guess divided by it.
const PERIOD_FACTOR: f64 = 2.0;

/// A motion that returns to its start.
#[derive(Clone, Debug, PartialEq)]
pub struct PeriodicOrbit<const N: usize> {
    /// A state on the orbit.
    pub start: State<f64, N>,
    /// The period, in the unit of t.
    pub period: f64,
    /// The derivative of the states at the end by those at the start. Without constraints it is ∂(q, v)(end)/∂(q, v)(start), 2N ×
    /// 2N. Under constraints it has a row and a column for each state of `basis`.
    pub monodromy: DMatrix<f64>,
    /// The basis of the states near the start: it says which coordinates and velocities they are.
    pub basis: TangentBasis,
    /// The eigenvalues of the monodromy matrix: Floquet's multipliers, those of larger real part first.
    pub multipliers: Vec<Complex<f64>>,
    /// The number of Newton steps.
    pub iterations: u32,
}

/// The search for a periodic orbit near a guess.
///
/// Newton's method solves x(T; x₀) − x₀ = w for the initial state x₀ = (q, v) and, unless it is fixed, for the period T. It
/// uses the derivatives of the method's own flow. w is the advance of coordinates in a period, 0 by default. The solution is
/// not unique: a mechanism that does not depend on time has orbits of any phase, and one that keeps its energy has families of
/// orbits. Then each step is the shortest one, with each coordinate, velocity and the period measured by what the motion spans, so that
/// the result is a member of the family near the guess. [`with_fixed_coordinate`](Self::with_fixed_coordinate) and
/// [`with_fixed_velocity`](Self::with_fixed_velocity) choose among the orbits. Source: R. Seydel, *Practical Bifurcation and
/// Stability Analysis*, 3rd ed., 7.1.
///
/// The search begins with the time, from half to twice the guess of the period, at which the motion from the guess returns nearest to its
/// start; times near the guess are preferred. No trial has a period outside this range. The iteration ends where the return is exact but for
/// the errors of the integration. An equilibrium also returns to its start; it is an error, [`AnalysisError::AtRest`].
///
/// Under constraints the initial state varies in their tangent space, and each step ends on the constraints by the least change. So
/// the monodromy matrix has twice as many rows as there are degrees of freedom where all constraints are holonomic, and no
/// multipliers belong to the constraints.
///
/// ```
/// use lagrange_runtime::analysis::Shooting;
/// use lagrange_runtime::prelude::*;
///
/// // Duffing's spring, x'' = −x − x³, of amplitude 1.
/// #[lagrangian {
///     coordinates x;
///     kinetic = m*dot(x)^2/2;
///     potential = k*x^2/2 + b*x^4/4;
/// }]
/// struct Duffing {
///     m: f64,
///     k: f64,
///     b: f64,
/// }
///
/// let options = SharedOptions { rtol: 1e-12, atol: 1e-12, ..SharedOptions::default() };
/// let search = Shooting::new(State::new(0.0, [1.0], [0.0]), 4.5).with_fixed_coordinate(0).with_fixed_velocity(0);
/// let method = Dop853::new();
/// let orbit = search.find(&Duffing { m: 1.0, k: 1.0, b: 1.0 }, &method, &options)?;
/// // 4/√2 K(1/2) of the parameter m = 1/4: 4.768022…
/// assert!((orbit.period - 4.768_022_029).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shooting<const N: usize> {
    guess: State<f64, N>,
    period: f64,
    fixed_period: bool,
    fixed: [[bool; N]; 2],
    winding: SVector<f64, N>,
    max_iterations: u32,
}

impl<const N: usize> Shooting<N> {
    /// A search from the guess of an initial state and a period (positive).
    #[must_use]
    pub fn new(guess: State<f64, N>, period: f64) -> Self {
        let fixed = [[false; N]; 2];
        Self { guess, period, fixed_period: false, fixed, winding: SVector::zeros(), max_iterations: 50 }
    }

    /// Fixes the period at the guess, for example at that of a force.
    #[must_use]
    pub fn with_fixed_period(mut self) -> Self {
        self.fixed_period = true;
        self
    }

    /// Fixes the initial value of coordinate `index` at the guess. An index without a coordinate changes nothing.
    #[must_use]
    pub fn with_fixed_coordinate(mut self, index: usize) -> Self {
        self.fixed[0].iter_mut().skip(index).take(1).for_each(|fixed| *fixed = true);
        self
    }

    /// Fixes the initial velocity of coordinate `index` at the guess. An index without a coordinate changes nothing.
    #[must_use]
    pub fn with_fixed_velocity(mut self, index: usize) -> Self {
        self.fixed[1].iter_mut().skip(index).take(1).for_each(|fixed| *fixed = true);
        self
    }

    /// Lets coordinate `index` advance by `amount` in a period, such as 2π. An index without a coordinate changes nothing.
    #[must_use]
    pub fn with_winding(mut self, index: usize, amount: f64) -> Self {
        if let Some(winding) = self.winding.get_mut(index) {
            *winding = amount;
        }
        self
    }

    /// Sets the largest number of Newton steps; the default is 50.
    #[must_use]
    pub fn with_max_iterations(mut self, max_iterations: u32) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    /// The orbit that the iteration reaches. `method` runs on dual numbers, as in [`sensitivities`](super::sensitivities). Under constraints it is one
    /// that keeps them, such as [`Projected`](crate::method::Projected).
    ///
    /// # Errors
    /// [`AnalysisError::NotConverged`] where the iteration does not converge. [`AnalysisError::AtRest`] where the motion shrinks to an
    /// equilibrium. [`AnalysisError::PeriodLeavesRange`] where the period would become more than twice, or less than half, the guess.
    /// [`AnalysisError::State`] with the failure of an integration, or of the projection of the guess onto the constraints.
    /// [`AnalysisError::NotApplicable`] for a period that is not positive.
    pub fn find<'o, M, I, const C: usize, const U: usize, const W: usize>(
        &self,
        mechanism: &M,
        method: &I,
        options: &impl AnyOptions<'o, Dual<f64, W>, N>,
    ) -> Result<PeriodicOrbit<N>, AnalysisError>
    where
        M: Mechanism<N, C, U>,
        I: OnDuals<N, C, W>,
    {
        if !(self.period > 0.0 && self.period.is_finite()) {
            return Err(AnalysisError::NotApplicable {
                analysis: "shooting",
                needs: "a positive and finite period".to_string(),
            });
        }
        let (method, options) = (&method.on_duals(), &options.options());
        let system = mechanism.prepare::<f64>()?;
        let flow =
            |start: &State<f64, N>, period: f64| self.flight(&system, (mechanism, method, options), start, period);
        let start = self.consistent(&system, &self.guess)?;
        let mut flight = flow(&start, self.period)?;
        if !self.fixed_period {
            let states =
                |times: &[f64]| motion((mechanism, method, options), &start, times, &[]).map(|(states, ..)| states);
            let period = self.nearest_return(&system, &flight, &states);
            // A longer motion may fail where that over the guess of the period does not.
            flight = flow(&start, period).unwrap_or(flight);
        }
        self.iterate(&system, flight, &flow)
    }

    /// The motion from a start over a period, with its derivatives by the states near the start.
    fn flight<M, I, const C: usize, const U: usize, const W: usize>(
        &self,
        system: &M::Prepared<f64>,
        (mechanism, method, options): Given<'_, M, I, N, W>,
        start: &State<f64, N>,
        period: f64,
    ) -> Result<Flight<N>, AnalysisError>
    where
        M: Mechanism<N, C, U>,
        I: Method<Dual<f64, W>, N, C>,
    {
        let basis = TangentBasis::at(system, start)?;
        let times = flight::times(start.t, period);
        let variables = Variable::directions(&basis.columns());
        let (states, derivative, jumps) = motion((mechanism, method, options), start, &times, &variables)?;
        without_kept_values::<N>("shooting", system.mode_count(), &derivative)?;
        let flight = Flight::new(*start, period, &states, basis, derivative, &self.winding, M::STATES);
        Ok(Flight { jumps, ..flight })
    }
}

/// A mechanism, the method for it and its options.
type Given<'a, M, I, const N: usize, const W: usize> = (&'a M, &'a I, &'a Options<'a, Dual<f64, W>, N>);

/// The states at these times, the derivatives of the last one, and the times at which derivatives jump.
#[allow(clippy::type_complexity, reason = "three results of one run")]
fn motion<M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
    (mechanism, method, options): Given<'_, M, I, N, W>,
    start: &State<f64, N>,
    times: &[f64],
    variables: &[Variable<N>],
) -> Result<(Vec<State<f64, N>>, DMatrix<f64>, Vec<f64>), AnalysisError>
where
    M: Mechanism<N, C, U>,
    I: Method<Dual<f64, W>, N, C>,
{
    let motion = Motion { mechanism, initial: start, times, method, options };
    let (mut found, jumps) = motion.derivatives(variables, DefaultInputs::of)?;
    match found.derivatives.pop() {
        Some(derivative) if found.states.len() == times.len() => Ok((found.states, derivative, jumps)),
        _ => Err(AnalysisError::NotFinite { quantity: "the end of the motion".to_string() }),
    }
}
