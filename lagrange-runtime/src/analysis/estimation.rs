//! Parameters and initial states from recorded samples.

use super::AnalysisError;
use super::sensitivity::{Sensitivities, Variable, sensitivities};
use crate::method::Method;
use crate::options::Options;
use crate::scalar::Dual;
use crate::state::State;
use crate::system::Mechanism;
use nalgebra::{DMatrix, DVector};
use std::string::{String, ToString};
use std::vec::Vec;

/// The iteration ends where a correction is below this fraction of the standard errors and of the values.
const CORRECTION: f64 = 1e-9;

/// A measurement: `value` at time `t` with the standard deviation `deviation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The time; samples are in the order of time.
    pub t: f64,
    /// The index of the measured component in (q, v), below 2N.
    pub measured: usize,
    /// The value.
    pub value: f64,
    /// Its standard deviation, in the unit of the value; positive.
    pub deviation: f64,
}

/// The estimated values, with their covariance.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate<M, const N: usize> {
    /// The mechanism with the estimated parameters.
    pub mechanism: M,
    /// The estimated initial state.
    pub initial: State<f64, N>,
    /// The names of the estimated variables.
    pub names: Vec<String>,
    /// The estimated values, in the order of the names.
    pub values: DVector<f64>,
    /// The covariance of the values, if the deviations are right: (JᵀJ)⁻¹, where J has the derivatives of the samples over
    /// their deviations.
    pub covariance: DMatrix<f64>,
    /// Σ ((measured − computed)/deviation)². If the model and the deviations are right, it is about the number of samples minus
    /// the number of values.
    pub chi_square: f64,
    /// The number of steps of the iteration.
    pub iterations: u32,
}

impl<M, const N: usize> Estimate<M, N> {
    /// The standard error of each value: the root of the covariance's diagonal.
    #[must_use]
    pub fn errors(&self) -> DVector<f64> {
        self.covariance.diagonal().map(f64::sqrt)
    }

    /// The standard errors where the deviations are known only up to a factor. They are scaled so that `chi_square` has its
    /// expected value for `samples` samples.
    #[must_use]
    pub fn scaled_errors(&self, samples: usize) -> DVector<f64> {
        let freedom = samples.saturating_sub(self.values.len()).max(1) as f64;
        self.errors() * (self.chi_square / freedom).sqrt()
    }
}

/// The variables to be estimated, and the samples to estimate them from.
///
/// The estimation minimises Σ ((measured − computed)/deviation)² by the method of Levenberg and Marquardt, with the exact
/// derivatives of the method's own motion. The variables are parameters, inputs, initial coordinates and velocities, named as
/// in [`Variable::named`]. They start from the values that the mechanism and the initial state have. Sources: D. W. Marquardt,
/// J. SIAM 11, 1963;
/// H. B. Nielsen, *Damping parameter in Marquardt's method*, IMM-REP-1999-05.
///
/// ```
/// use lagrange_runtime::analysis::{Estimation, Sample};
/// use lagrange_runtime::prelude::*;
/// use lagrange_runtime::scalar::Dual;
///
/// #[lagrangian {
///     coordinates x;
///     kinetic = m*dot(x)^2/2;
///     potential = k*x^2/2;
/// }]
/// #[derive(Clone)]
/// struct Oscillator {
///     m: f64,
///     k: f64,
/// }
///
/// let samples: Vec<Sample> = (1..20).map(|i| {
///     let t = 0.1 * f64::from(i);
///     Sample { t, measured: 0, value: 0.3 * (2.0 * t).cos(), deviation: 1e-3 }
/// }).collect();
/// let method = Rk4::new(Dual::<f64, 2>::constant(1e-2));
/// let start = State::new(0.0, [0.25], [0.0]);
/// let found = Estimation::new(&["k", "x"], &samples)
///     .run(&Oscillator { m: 1.0, k: 3.0 }, &start, &method, &Options::default())?;
/// assert!((found.mechanism.k - 4.0).abs() < 1e-7 && (found.initial.q[0] - 0.3).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Estimation<'a> {
    names: Vec<String>,
    samples: &'a [Sample],
    max_iterations: u32,
}

impl<'a> Estimation<'a> {
    /// An estimation of the variables with these names from these samples.
    #[must_use]
    pub fn new(names: &[&str], samples: &'a [Sample]) -> Self {
        Self { names: names.iter().map(ToString::to_string).collect(), samples, max_iterations: 100 }
    }

    /// Sets the largest number of steps; the default is 100.
    #[must_use]
    pub fn with_max_iterations(self, max_iterations: u32) -> Self {
        Self { max_iterations, ..self }
    }

    /// The estimate that the iteration reaches from the values of `mechanism` and `initial`. `method` runs on dual numbers, as
    /// in [`sensitivities`].
    ///
    /// # Errors
    /// [`AnalysisError::UnknownName`] for a variable that does not exist. [`AnalysisError::NotApplicable`] for a sample that
    /// makes no sense, or for samples that do not determine the values. [`AnalysisError::State`] with the failure of an
    /// integration at the first values. [`AnalysisError::NotConverged`] where the iteration does not converge.
    pub fn run<M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
        &self,
        mechanism: &M,
        initial: &State<f64, N>,
        method: &I,
        options: &Options<'_, Dual<f64, W>, N>,
    ) -> Result<Estimate<M, N>, AnalysisError>
    where
        M: Mechanism<N, C, U> + Clone,
        I: Method<Dual<f64, W>, N, C>,
    {
        let variables =
            self.names.iter().map(|name| Variable::named(mechanism, name)).collect::<Result<Vec<Variable<N>>, _>>()?;
        self.check(N)?;
        // Several samples at one time use one state.
        let mut times: Vec<f64> = self.samples.iter().map(|sample| sample.t).collect();
        times.dedup();
        let fit = |mechanism: &M, initial: &State<f64, N>| {
            sensitivities(mechanism, initial, &times, method, options, &variables)
                .map(|found| self.residual(&times, &found))
        };
        let (mut mechanism, mut initial) = (mechanism.clone(), *initial);
        let (mut residual, mut jacobian) = fit(&mechanism, &initial)?;
        let (mut damping, mut growth) = (1e-3, 2.0);
        for iteration in 0..self.max_iterations {
            let normal = jacobian.transpose() * &jacobian;
            let slope = jacobian.transpose() * &residual;
            // Marquardt's scaling by the diagonal makes the units of the values irrelevant.
            let scale: Vec<f64> = normal.diagonal().iter().map(|entry| entry.sqrt().max(f64::MIN_POSITIVE)).collect();
            let damped = DMatrix::from_fn(scale.len(), scale.len(), |i, j| {
                normal[(i, j)] / (scale[i] * scale[j]) + if i == j { damping } else { 0.0 }
            });
            let right = DVector::from_fn(scale.len(), |i, _| slope[i] / scale[i]);
            let Some(factors) = damped.cholesky() else { return Err(undetermined()) };
            let step = factors.solve(&right);
            let change = DVector::from_fn(scale.len(), |i, _| step[i] / scale[i]);
            let next = moved(&mechanism, &initial, &variables, &change)?;
            let negligible = step.amax() <= CORRECTION
                || change.iter().enumerate().all(|(k, change)| {
                    change.abs() <= CORRECTION * 1e-2 * value_of(&mechanism, &initial, &variables[k]).abs()
                });
            if negligible {
                return self.finish(mechanism, initial, &variables, &residual, &normal, iteration);
            }
            let tried = fit(&next.0, &next.1).ok();
            let gain =
                tried.as_ref().map_or(f64::NEG_INFINITY, |tried| residual.norm_squared() - tried.0.norm_squared());
            let promised = step.dot(&(&step * damping + &right));
            match tried {
                Some(tried) if gain > 0.0 => {
                    (mechanism, initial) = next;
                    (residual, jacobian) = tried;
                    damping *= (1.0 - (2.0 * gain / promised - 1.0).powi(3)).max(1.0 / 3.0);
                    growth = 2.0;
                }
                // A sum of squares that consists of rounding cannot be lowered.
                _ if promised <= 1e-13 * residual.norm_squared() => {
                    return self.finish(mechanism, initial, &variables, &residual, &normal, iteration);
                }
                _ => {
                    damping *= growth;
                    growth *= 2.0;
                }
            }
        }
        Err(AnalysisError::NotConverged {
            sought: "estimate",
            iterations: self.max_iterations,
            worst: "the least sum of squares".to_string(),
            residual: residual.norm_squared(),
            remedy: "start from other values, or allow more iterations",
        })
    }

    fn check(&self, coordinates: usize) -> Result<(), AnalysisError> {
        let refused = |needs: String| Err(AnalysisError::NotApplicable { analysis: "an estimation", needs });
        for (index, sample) in self.samples.iter().enumerate() {
            if !(sample.deviation > 0.0 && sample.deviation.is_finite()) {
                return refused(std::format!("positive deviations; that of sample {index} is {}", sample.deviation));
            }
            if sample.measured >= 2 * coordinates {
                return refused(std::format!("samples of (q, v); sample {index} is of component {}", sample.measured));
            }
            if !(sample.value.is_finite() && sample.t.is_finite()) {
                return refused(std::format!("finite samples; sample {index} is {} at {}", sample.value, sample.t));
            }
        }
        match self.samples.len() < self.names.len() || self.names.is_empty() {
            true => refused(std::format!(
                "at least as many samples as values; {} for {}",
                self.samples.len(),
                self.names.len()
            )),
            false => Ok(()),
        }
    }

    /// The residuals of the samples over their deviations, and the derivatives of the computed values over the deviations.
    fn residual<const N: usize>(&self, times: &[f64], found: &Sensitivities<N>) -> (DVector<f64>, DMatrix<f64>) {
        let mut residual = DVector::zeros(self.samples.len());
        let mut jacobian = DMatrix::zeros(self.samples.len(), self.names.len());
        let mut place = 0;
        for (row, sample) in self.samples.iter().enumerate() {
            while place + 1 < times.len() && times[place] != sample.t {
                place += 1;
            }
            let (Some(state), Some(by)) = (found.states.get(place), found.derivatives.get(place)) else { continue };
            let computed = match sample.measured.checked_sub(N) {
                None => state.q[sample.measured],
                Some(index) => state.v[index],
            };
            residual[row] = (sample.value - computed) / sample.deviation;
            jacobian.set_row(row, &(by.row(sample.measured) / sample.deviation));
        }
        (residual, jacobian)
    }

    fn finish<M, const N: usize, const C: usize, const U: usize>(
        &self,
        mechanism: M,
        initial: State<f64, N>,
        variables: &[Variable<N>],
        residual: &DVector<f64>,
        normal: &DMatrix<f64>,
        iterations: u32,
    ) -> Result<Estimate<M, N>, AnalysisError>
    where
        M: Mechanism<N, C, U>,
    {
        let scale: Vec<f64> = normal.diagonal().iter().map(|entry| entry.sqrt()).collect();
        let scaled = DMatrix::from_fn(scale.len(), scale.len(), |i, j| normal[(i, j)] / (scale[i] * scale[j]));
        let inverse = scaled.cholesky().ok_or_else(undetermined)?.inverse();
        let covariance = DMatrix::from_fn(scale.len(), scale.len(), |i, j| inverse[(i, j)] / (scale[i] * scale[j]));
        let values = variables.iter().map(|variable| value_of(&mechanism, &initial, variable));
        let values = DVector::from_iterator(variables.len(), values);
        let (names, chi_square) = (self.names.clone(), residual.norm_squared());
        Ok(Estimate { mechanism, initial, names, values, covariance, chi_square, iterations })
    }
}

/// The name of a parameter or an input; `None` for a component of the state.
fn name_of<M, const N: usize, const C: usize, const U: usize>(variable: &Variable<N>) -> Option<&'static str>
where
    M: Mechanism<N, C, U>,
{
    match *variable {
        Variable::Parameter(index) => M::PARAMETERS.get(index).copied(),
        Variable::Input(index) => M::INPUTS.get(index).copied(),
        Variable::Coordinate(_) | Variable::Velocity(_) | Variable::Direction { .. } => None,
    }
}

fn value_of<M, const N: usize, const C: usize, const U: usize>(
    mechanism: &M,
    initial: &State<f64, N>,
    variable: &Variable<N>,
) -> f64
where
    M: Mechanism<N, C, U>,
{
    match *variable {
        Variable::Coordinate(index) => initial.q[index],
        Variable::Velocity(index) => initial.v[index],
        _ => name_of::<M, N, C, U>(variable).and_then(|name| mechanism.parameter(name).ok()).unwrap_or(0.0),
    }
}

/// The mechanism and the initial state after a change of the variables.
fn moved<M, const N: usize, const C: usize, const U: usize>(
    mechanism: &M,
    initial: &State<f64, N>,
    variables: &[Variable<N>],
    change: &DVector<f64>,
) -> Result<(M, State<f64, N>), AnalysisError>
where
    M: Mechanism<N, C, U> + Clone,
{
    let (mut next, mut state) = (mechanism.clone(), *initial);
    for (variable, change) in variables.iter().zip(change.iter()) {
        let value = value_of(mechanism, initial, variable) + change;
        match *variable {
            Variable::Coordinate(index) => state.q[index] = value,
            Variable::Velocity(index) => state.v[index] = value,
            _ => {
                let name = name_of::<M, N, C, U>(variable).unwrap_or_default();
                next.set_parameter(name, value).map_err(|unknown| AnalysisError::UnknownName {
                    kind: "parameter or input",
                    name: name.to_string(),
                    known: unknown.known.iter().map(ToString::to_string).collect(),
                })?;
            }
        }
    }
    Ok((next, state))
}

fn undetermined() -> AnalysisError {
    AnalysisError::NotApplicable {
        analysis: "an estimation",
        needs: "samples that determine every value; one of them, or a combination, changes no sample".to_string(),
    }
}
