//! Periodic orbits, by shooting.

use super::AnalysisError;
use super::equilibrium::{correction, equilibrate};
use super::matrix::{eigenvalues, finite, null_space};
use super::sensitivity::{Variable, sensitivities};
use super::tangent::TangentBasis;
use crate::constraint::Projection;
use crate::method::Method;
use crate::options::Options;
use crate::scalar::Dual;
use crate::state::State;
use crate::system::{Linearise, Mechanism};
use nalgebra::{Complex, DMatrix, DVector, SVector};
use std::string::ToString;
use std::vec::Vec;

/// The iteration ends where a scaled correction is below this fraction of the scaled solution.
const CORRECTION: f64 = 1e-12;
/// A correction below this fraction is rounding if it is not less than half of the one before.
const NEAR: f64 = 1e-7;
/// The largest distance between the orbit's start and its end, relative to its size.
const MISS: f64 = 1e-6;
/// The smallest damping factor of a correction.
const LEAST_DAMPING: f64 = 1e-3;

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
/// orbits. Then each step is the shortest one; [`with_fixed_coordinate`](Self::with_fixed_coordinate) and
/// [`with_fixed_velocity`](Self::with_fixed_velocity) choose among the orbits. Source: R. Seydel, *Practical Bifurcation and
/// Stability Analysis*, 3rd ed., 7.1.
///
/// Under constraints the initial state varies in their tangent space, and each step ends on the constraints by the least change. So
/// the monodromy matrix has twice as many rows as there are degrees of freedom where all constraints are holonomic, and no
/// multipliers belong to the constraints.
///
/// ```
/// use lagrange_runtime::analysis::Shooting;
/// use lagrange_runtime::prelude::*;
/// use lagrange_runtime::scalar::Dual;
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
/// let tight = Dual::<f64, 2>::constant(1e-12);
/// let options = Options { rtol: tight.into(), atol: tight.into(), ..Options::default() };
/// let search = Shooting::new(State::new(0.0, [1.0], [0.0]), 4.5).with_fixed_coordinate(0).with_fixed_velocity(0);
/// let orbit = search.find(&Duffing { m: 1.0, k: 1.0, b: 1.0 }, &Dop853::new(), &options)?;
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

    /// The orbit that the iteration reaches. `method` runs on dual numbers, as in [`sensitivities`]. Under constraints it is one
    /// that keeps them, such as [`Projected`](crate::method::Projected).
    ///
    /// # Errors
    /// [`AnalysisError::NotConverged`] where the iteration does not converge. [`AnalysisError::State`] with the failure of an
    /// integration, or of the projection of the guess onto the constraints. [`AnalysisError::NotApplicable`] for a period that is
    /// not positive.
    pub fn find<M, I, const C: usize, const U: usize, const W: usize>(
        &self,
        mechanism: &M,
        method: &I,
        options: &Options<'_, Dual<f64, W>, N>,
    ) -> Result<PeriodicOrbit<N>, AnalysisError>
    where
        M: Mechanism<N, C, U>,
        I: Method<Dual<f64, W>, N, C>,
    {
        if !(self.period > 0.0 && self.period.is_finite()) {
            return Err(AnalysisError::NotApplicable {
                analysis: "shooting",
                needs: "a positive and finite period".to_string(),
            });
        }
        let system = mechanism.prepare::<f64>()?;
        let flow = |start: &State<f64, N>, period: f64| -> Result<Flight<N>, AnalysisError> {
            let basis = TangentBasis::at(&system, start)?;
            let variables = Variable::directions(&basis.columns());
            let mut found = sensitivities(mechanism, start, &[start.t + period], method, options, &variables)?;
            match (found.states.pop(), found.derivatives.pop()) {
                (Some(mut end), Some(mut derivative)) => {
                    // The hidden coordinates of the states need not return.
                    for hidden in N.saturating_sub(M::STATES)..N {
                        end.q[hidden] = start.q[hidden] + self.winding[hidden];
                        derivative.row_mut(hidden).fill(0.0);
                    }
                    Ok(Flight { start: *start, period, end, basis, derivative })
                }
                _ => Err(AnalysisError::NotFinite { quantity: "the end of the motion".to_string() }),
            }
        };
        let start = self.consistent(&system, &self.guess)?;
        let mut flight = flow(&start, self.period)?;
        let mut last = f64::INFINITY;
        for iteration in 0..=self.max_iterations {
            let miss = self.miss(&flight);
            let (rows, directions) = self.directions(&flight)?;
            let jacobian = self.jacobian(&system, &flight, &directions)?;
            finite("the derivative of the motion", &jacobian)?;
            // The directions are scaled already.
            let mut columns = std::vec![1.0; directions.ncols()];
            columns.extend((!self.fixed_period).then_some(flight.period));
            let scales = (rows.as_slice(), columns.as_slice());
            let step = correction(&jacobian, &miss, scales)?;
            let components = flight.start.q.iter().chain(&flight.start.v);
            let size = 2.0 + components.zip(&rows).fold(0.0_f64, |largest, (x, scale)| largest.max((x * scale).abs()));
            let remainder =
                miss.iter().zip(&rows).fold(0.0_f64, |largest, (miss, scale)| largest.max((miss * scale).abs()));
            let failed = |remedy| AnalysisError::NotConverged {
                sought: "periodic orbit",
                iterations: iteration,
                worst: "the return to the start".to_string(),
                residual: miss.amax(),
                remedy,
            };
            let near = step.amax() <= NEAR * size;
            if step.amax() <= CORRECTION * size || (near && step.amax() >= 0.5 * last) {
                if remainder > MISS * size {
                    return Err(failed("start from another guess, or fix less of the start"));
                }
                return flight.orbit(iteration);
            }
            if iteration == self.max_iterations {
                return Err(failed("start nearer to it, or allow more iterations"));
            }
            last = step.amax();
            let mut damping = 1.0;
            loop {
                let next = self
                    .moved(&system, &flight, &directions, &(&step * damping))
                    .and_then(|(start, period)| flow(&start, period));
                if let Ok(next) = next {
                    let left = self.miss(&next);
                    let contracts = correction(&jacobian, &left, scales)?.norm() <= (1.0 - damping / 4.0) * step.norm();
                    // Near the rounding of the integration, corrections no longer decrease.
                    if contracts || near {
                        flight = next;
                        break;
                    }
                }
                damping *= 0.5;
                if damping < LEAST_DAMPING {
                    return Err(failed("start from another guess"));
                }
            }
        }
        Err(AnalysisError::NotConverged {
            sought: "periodic orbit",
            iterations: self.max_iterations,
            worst: "the return to the start".to_string(),
            residual: self.miss(&flight).amax(),
            remedy: "start nearer to it, or allow more iterations",
        })
    }

    /// The residual x(T) − x₀ − w.
    fn miss(&self, flight: &Flight<N>) -> DVector<f64> {
        let Flight { start, end, .. } = flight;
        DVector::from_fn(2 * N, |i, _| match i.checked_sub(N) {
            None => end.q[i] - start.q[i] - self.winding[i],
            Some(i) => end.v[i] - start.v[i],
        })
    }

    /// The scales of the equations, and the directions in which the start may vary: columns in the states of the basis, scaled.
    ///
    /// The scales balance the derivative of the flow: the Jacobian itself may have rows that vanish at the orbit, for example
    /// where the motion turns back.
    fn directions(&self, flight: &Flight<N>) -> Result<(Vec<f64>, DMatrix<f64>), AnalysisError> {
        let tangent = flight.basis.columns();
        finite("the derivative of the motion", &flight.derivative)?;
        let (rows, columns) = equilibrate(&(flight.derivative.abs() + tangent.abs()));
        let fixed: Vec<usize> = (0..2 * N).filter(|&i| self.fixed[i / N.max(1)][i % N.max(1)]).collect();
        let kept = DMatrix::from_fn(fixed.len(), columns.len(), |i, k| {
            let row = tangent.row(fixed[i]);
            let largest = row.iter().zip(&columns).fold(0.0_f64, |most, (x, scale)| most.max((x * scale).abs()));
            if largest > 0.0 { row[k] * columns[k] / largest } else { 0.0 }
        });
        let free = null_space(&kept)?;
        let scaled = DMatrix::from_fn(free.nrows(), free.ncols(), |i, k| columns[i] * free[(i, k)]);
        Ok((rows, scaled))
    }

    /// The derivative of [`Shooting::miss`] by the unknowns.
    fn jacobian<const C: usize, const U: usize>(
        &self,
        system: &impl Linearise<f64, N, C, U>,
        flight: &Flight<N>,
        directions: &DMatrix<f64>,
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let mut jacobian = (&flight.derivative - flight.basis.columns()) * directions;
        if !self.fixed_period {
            let found = system
                .acceleration_of(&flight.end)
                .map_err(|singular| AnalysisError::singular(singular, system.coordinates()))?;
            let own = N.saturating_sub(system.state_count());
            let rate = DVector::from_fn(2 * N, |i, _| match i.checked_sub(N) {
                None if i >= own => 0.0,
                None => flight.end.v[i],
                Some(i) => found.acceleration[i],
            });
            let last = jacobian.ncols();
            jacobian = jacobian.insert_column(last, 0.0);
            jacobian.set_column(last, &rate);
        }
        Ok(jacobian)
    }

    /// The start and the period after a step.
    fn moved<const C: usize, const U: usize>(
        &self,
        system: &impl Linearise<f64, N, C, U>,
        flight: &Flight<N>,
        directions: &DMatrix<f64>,
        step: &DVector<f64>,
    ) -> Result<(State<f64, N>, f64), AnalysisError> {
        let (mut start, mut period) = (flight.start, flight.period);
        let change = flight.basis.columns() * (directions * step.rows(0, directions.ncols()));
        for i in 0..N {
            start.q[i] += change[i];
            start.v[i] += change[N + i];
        }
        if !self.fixed_period {
            period *= 1.0 + step[directions.ncols()];
        }
        if !(period > 0.0 && period.is_finite()) {
            return Err(AnalysisError::NotFinite { quantity: "the period".to_string() });
        }
        Ok((self.consistent(system, &start)?, period))
    }

    /// The state that meets the constraints, with the fixed coordinates and velocities kept.
    fn consistent<const C: usize, const U: usize>(
        &self,
        system: &impl Linearise<f64, N, C, U>,
        state: &State<f64, N>,
    ) -> Result<State<f64, N>, AnalysisError> {
        let mut projection = Projection::default();
        for i in 0..N {
            if self.fixed[0][i] {
                projection = projection.keep_position(i);
            }
            if self.fixed[1][i] {
                projection = projection.keep_velocity(i);
            }
        }
        let projected = projection.state(system, state);
        Ok(projected.map_err(|failure| AnalysisError::failure(failure, system.coordinates()))?.0)
    }
}

/// A motion over a period.
struct Flight<const N: usize> {
    start: State<f64, N>,
    period: f64,
    end: State<f64, N>,
    /// The basis at the start.
    basis: TangentBasis,
    /// ∂(q, v)(end)/∂(states of the basis).
    derivative: DMatrix<f64>,
}

impl<const N: usize> Flight<N> {
    fn orbit(self, iterations: u32) -> Result<PeriodicOrbit<N>, AnalysisError> {
        let Self { start, period, basis, derivative, .. } = self;
        let monodromy = derivative.select_rows(&basis.rows());
        let multipliers = eigenvalues(&monodromy)?;
        Ok(PeriodicOrbit { start, period, monodromy, basis, multipliers, iterations })
    }
}
