//! Periodic orbits, by shooting.

use super::AnalysisError;
use super::equilibrium::{correction, equilibrate};
use super::matrix::{eigenvalues, finite};
use super::sensitivity::transition_matrix;
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
    /// ∂(q, v)(end)/∂(q, v)(start): 2N × 2N.
    pub monodromy: DMatrix<f64>,
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

    /// The orbit that the iteration reaches. `method` runs on dual numbers, as in [`sensitivities`](super::sensitivities).
    ///
    /// # Errors
    /// [`AnalysisError::NotConverged`] where the iteration does not converge. [`AnalysisError::State`] with the failure of an
    /// integration. [`AnalysisError::NotApplicable`] for a period that is not positive, and under constraints.
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
        let refused =
            |needs: &str| Err(AnalysisError::NotApplicable { analysis: "shooting", needs: needs.to_string() });
        if C > 0 {
            return refused("a mechanism without constraints; write it in minimal coordinates");
        }
        if !(self.period > 0.0 && self.period.is_finite()) {
            return refused("a positive and finite period");
        }
        let system = mechanism.prepare::<f64>()?;
        let flow =
            |state: &State<f64, N>, period: f64| transition_matrix(mechanism, state, state.t + period, method, options);
        let (mut start, mut period) = (self.guess, self.period);
        let (mut end, mut monodromy) = flow(&start, period)?;
        let mut last = f64::INFINITY;
        for iteration in 0..=self.max_iterations {
            let miss = self.miss(&start, &end);
            let jacobian = self.jacobian(&system, &end, &monodromy)?;
            finite("the derivative of the motion", &jacobian)?;
            let (rows, columns) = self.scales(&monodromy, period);
            let step = correction(&jacobian, &miss, (&rows, &columns))?;
            let unknowns = self.unknowns(&start, period);
            let size =
                1.0 + unknowns.iter().zip(&columns).fold(0.0_f64, |largest, (x, scale)| largest.max((x / scale).abs()));
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
                let multipliers = eigenvalues(&monodromy)?;
                return Ok(PeriodicOrbit { start, period, monodromy, multipliers, iterations: iteration });
            }
            if iteration == self.max_iterations {
                return Err(failed("start nearer to it, or allow more iterations"));
            }
            last = step.amax();
            let mut damping = 1.0;
            loop {
                let (next_start, next_period) = self.moved(&start, period, &step, &columns, damping);
                let next = match next_period > 0.0 {
                    true => flow(&next_start, next_period).ok(),
                    false => None,
                };
                if let Some((next_end, next_monodromy)) = next {
                    let left = self.miss(&next_start, &next_end);
                    let contracts =
                        correction(&jacobian, &left, (&rows, &columns))?.norm() <= (1.0 - damping / 4.0) * step.norm();
                    // Near the rounding of the integration, corrections no longer decrease.
                    if contracts || near {
                        (start, period, end, monodromy) = (next_start, next_period, next_end, next_monodromy);
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
            residual: self.miss(&start, &end).amax(),
            remedy: "start nearer to it, or allow more iterations",
        })
    }

    /// The residual x(T) − x₀ − w.
    fn miss(&self, start: &State<f64, N>, end: &State<f64, N>) -> DVector<f64> {
        DVector::from_fn(2 * N, |i, _| match i.checked_sub(N) {
            None => end.q[i] - start.q[i] - self.winding[i],
            Some(i) => end.v[i] - start.v[i],
        })
    }

    /// The scales of the equations and of the unknowns. They balance the derivative of the flow: the Jacobian itself may have
    /// rows that vanish at the orbit, for example where the motion turns back.
    fn scales(&self, monodromy: &DMatrix<f64>, period: f64) -> (Vec<f64>, Vec<f64>) {
        let (rows, columns) = equilibrate(&(monodromy.abs() + DMatrix::identity(2 * N, 2 * N)));
        let free = self.free().into_iter().map(|i| columns[i]);
        (rows, free.chain((!self.fixed_period).then_some(period)).collect())
    }

    /// The derivative of [`Shooting::miss`] by the unknowns.
    fn jacobian<const C: usize, const U: usize>(
        &self,
        system: &impl Linearise<f64, N, C, U>,
        end: &State<f64, N>,
        monodromy: &DMatrix<f64>,
    ) -> Result<DMatrix<f64>, AnalysisError> {
        let by_start = monodromy - DMatrix::identity(2 * N, 2 * N);
        let mut jacobian = by_start.select_columns(&self.free());
        if !self.fixed_period {
            let found = system
                .acceleration_of(end)
                .map_err(|singular| AnalysisError::singular(singular, system.coordinates()))?;
            let rate = DVector::from_fn(2 * N, |i, _| match i.checked_sub(N) {
                None => end.v[i],
                Some(i) => found.acceleration[i],
            });
            let last = jacobian.ncols();
            jacobian = jacobian.insert_column(last, 0.0);
            jacobian.set_column(last, &rate);
        }
        Ok(jacobian)
    }

    /// The components of (q, v) that are unknowns.
    fn free(&self) -> Vec<usize> {
        (0..2 * N).filter(|&i| !self.fixed[i / N.max(1)][i % N.max(1)]).collect()
    }

    fn unknowns(&self, start: &State<f64, N>, period: f64) -> Vec<f64> {
        let free = self.free().into_iter().map(|i| if i < N { start.q[i] } else { start.v[i - N] });
        free.chain((!self.fixed_period).then_some(period)).collect()
    }

    fn moved(
        &self,
        start: &State<f64, N>,
        period: f64,
        step: &DVector<f64>,
        columns: &[f64],
        damping: f64,
    ) -> (State<f64, N>, f64) {
        let (mut start, mut period) = (*start, period);
        let free = self.free();
        for (k, change) in step.iter().zip(columns).map(|(step, scale)| damping * step * scale).enumerate() {
            match free.get(k) {
                Some(&i) if i < N => start.q[i] += change,
                Some(&i) => start.v[i - N] += change,
                None => period += change,
            }
        }
        (start, period)
    }
}
