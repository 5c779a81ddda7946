//! Parameters and initial states from recorded samples.

use super::AnalysisError;
use super::sensitivity::{Sensitivities, Variable, sensitivities};
use crate::method::Method;
use crate::options::Options;
use crate::scalar::Dual;
use crate::state::State;
use crate::system::Mechanism;
use nalgebra::{DMatrix, DVector, SVD};
use std::string::{String, ToString};
use std::vec::Vec;

/// The iteration ends where Gauss's and Newton's correction is below this fraction of the standard errors.
const CORRECTION: f64 = 1e-9;
/// It also ends where the correction is below this fraction of every value.
const RELATIVE_CORRECTION: f64 = 1e-11;
/// It also ends where the correction promises to lower the sum of squares by less than this fraction.
const PROMISE: f64 = 1e-13;
/// Where no step lowers the sum of squares, this many times larger corrections count as rounding.
const ROUGH: f64 = 1e6;
/// A combination of values is undetermined if its change moves the samples by less than this fraction of what it moves them term by
/// term. It is the root of the rounding: JᵀJ then has no digit of the combination.
const UNDETERMINED: f64 = 1.5e-8;
/// A value takes part in an undetermined combination if the samples that it moves are above this fraction of those of the others.
const PART: f64 = 1e-4;
/// A value runs away if it is this many times larger than at the start, and smaller than its standard error.
const RUNAWAY: f64 = 1e6;

/// The largest number of iterations of a decomposition.
const MAX_ITERATIONS: usize = 20_000;

/// A measurement: `value` at time `t` with the standard deviation `deviation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The time. Samples are in the order of time, and several may have one time.
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
    /// makes no sense, with its index; where the samples pull a value across a bound, such as that of an `assume`, with the value's name;
    /// and for samples that do not determine every value, with the combination that changes no sample.
    /// [`AnalysisError::State`] with the failure of an integration at the first values. [`AnalysisError::NotConverged`] where the
    /// iteration does not converge, or where a value runs away.
    pub fn run<'o, M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
        &self,
        mechanism: &M,
        initial: &State<f64, N>,
        method: &I,
        options: impl Into<Options<'o, Dual<f64, W>, N>>,
    ) -> Result<Estimate<M, N>, AnalysisError>
    where
        M: Mechanism<N, C, U> + Clone,
        I: Method<Dual<f64, W>, N, C>,
    {
        let options = &options.into();
        let variables =
            self.names.iter().map(|name| Variable::named(mechanism, name)).collect::<Result<Vec<Variable<N>>, _>>()?;
        self.check(N, initial.t)?;
        // Several samples at one time use one state.
        let mut times: Vec<f64> = self.samples.iter().map(|sample| sample.t).collect();
        times.dedup();
        let fit = |(mechanism, initial): (M, State<f64, N>)| {
            let found = sensitivities(&mechanism, &initial, &times, method, options, &variables)?;
            let (residual, jacobian) = self.residual(&times, &found);
            Ok::<_, AnalysisError>(Point { normal: Normal::new(&residual, jacobian)?, mechanism, initial, residual })
        };
        let start = values_of(mechanism, initial, &variables);
        let mut point = fit((mechanism.clone(), *initial))?;
        let (mut damping, mut growth, mut failure) = (1e-3, 2.0, None);
        for iteration in 0..self.max_iterations {
            let values = values_of(&point.mechanism, &point.initial, &variables);
            if point.is_least(&values, 1.0) {
                return self.finish(point, values, &start, iteration);
            }
            let step = point.normal.step(damping);
            let change = point.normal.change(&step);
            let tried = match fit(moved(&point.mechanism, &point.initial, &variables, &change)?) {
                Ok(tried) => Some(tried),
                Err(error) => {
                    failure = Some(error);
                    None
                }
            };
            let sum = point.residual.norm_squared();
            let gain = tried.as_ref().map_or(f64::NEG_INFINITY, |tried| sum - tried.residual.norm_squared());
            let promised = step.dot(&(&step * damping + &point.normal.slope));
            match tried {
                Some(tried) if gain > 0.0 => {
                    point = tried;
                    damping *= (1.0 - (2.0 * gain / promised - 1.0).powi(3)).max(1.0 / 3.0);
                    growth = 2.0;
                }
                _ if promised <= PROMISE * sum => match failure {
                    None if point.is_least(&values, ROUGH) => return self.finish(point, values, &start, iteration),
                    _ => return Err(self.stuck(&point, &variables, failure, iteration)),
                },
                _ => {
                    damping *= growth;
                    growth *= 2.0;
                }
            }
        }
        Err(self.stuck(&point, &variables, failure, self.max_iterations))
    }

    fn check(&self, coordinates: usize, start: f64) -> Result<(), AnalysisError> {
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
        let backward = self.samples.last().is_some_and(|last| last.t < start);
        let is_after = |later: f64, earlier: f64| if backward { later <= earlier } else { later >= earlier };
        let mut before = (start, "that of the initial state".to_string());
        for (index, sample) in self.samples.iter().enumerate() {
            if !is_after(sample.t, before.0) {
                return refused(std::format!(
                    "samples in the order of time from the initial state on; the time {} of sample {index} follows {}, which is {}",
                    sample.t,
                    before.1,
                    before.0
                ));
            }
            before = (sample.t, std::format!("that of sample {index}"));
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

    /// The estimate at the least sum of squares, if the samples determine it.
    fn finish<M, const N: usize>(
        &self,
        point: Point<M, N>,
        values: DVector<f64>,
        start: &DVector<f64>,
        iterations: u32,
    ) -> Result<Estimate<M, N>, AnalysisError> {
        if let Some(direction) = point.normal.undetermined() {
            return Err(self.undetermined(&point.normal.change(&direction), &direction, &values));
        }
        let covariance = point.normal.covariance();
        for (k, name) in self.names.iter().enumerate() {
            let (value, error) = (values[k].abs(), covariance[(k, k)].sqrt());
            if start[k] != 0.0 && value > RUNAWAY * start[k].abs() && error > value {
                return Err(AnalysisError::NotConverged {
                    sought: "estimate",
                    iterations,
                    worst: std::format!("the least sum of squares along {name}"),
                    residual: point.residual.norm_squared(),
                    remedy: "the value runs away, because larger ones fit as well; fix it, or start from another value",
                });
            }
        }
        let Point { mechanism, initial, residual, .. } = point;
        let (names, chi_square) = (self.names.clone(), residual.norm_squared());
        Ok(Estimate { mechanism, initial, names, values, covariance, chi_square, iterations })
    }

    /// The error of values that no sample determines. `change` is a change of the values that moves no sample, and `moves` what each part of
    /// it moves alone.
    fn undetermined(&self, change: &DVector<f64>, moves: &DVector<f64>, values: &DVector<f64>) -> AnalysisError {
        let parts: Vec<usize> = (0..moves.len()).filter(|&k| moves[k].abs() > PART * moves.amax()).collect();
        let is_relative = parts.iter().all(|&k| values[k] != 0.0);
        let part = |k: usize| if is_relative { change[k] / values[k] } else { change[k] };
        let largest =
            parts.iter().fold(0.0, |largest: f64, &k| if part(k).abs() > largest.abs() { part(k) } else { largest });
        let named = |separator: &str, write: &dyn Fn(usize) -> String| {
            parts.iter().map(|&k| write(k)).collect::<Vec<String>>().join(separator)
        };
        let names = named(", ", &|k| std::format!("`{}`", self.names[k]));
        let needs = if parts.len() == 1 {
            std::format!("samples that determine every value; {names} changes no sample, so leave it out")
        } else {
            let proportions = named(" : ", &|k| std::format!("{}", (part(k) / largest * 1e4).round() / 1e4));
            let kind = if is_relative { "relative changes" } else { "changes" };
            std::format!(
                "samples that determine every value; {kind} of {names} in the proportion {proportions} change no sample, so leave one of \
                 them out"
            )
        };
        AnalysisError::NotApplicable { analysis: "an estimation", needs }
    }

    /// The error of an iteration that does not reach a least sum of squares. `failure` is that of a trial.
    fn stuck<M, const N: usize, const C: usize, const U: usize>(
        &self,
        point: &Point<M, N>,
        variables: &[Variable<N>],
        failure: Option<AnalysisError>,
        iterations: u32,
    ) -> AnalysisError
    where
        M: Mechanism<N, C, U> + Clone,
    {
        let Some(failure) = failure else {
            return AnalysisError::NotConverged {
                sought: "estimate",
                iterations,
                worst: "the least sum of squares".to_string(),
                residual: point.residual.norm_squared(),
                remedy: "start from other values, or allow more iterations",
            };
        };
        let full = point.normal.change(&point.normal.step(0.0));
        let is_refused = |&k: &usize| {
            let alone = DVector::from_fn(full.len(), |i, _| if i == k { full[i] } else { 0.0 });
            moved(&point.mechanism, &point.initial, variables, &alone)
                .is_ok_and(|(mechanism, _)| mechanism.prepare::<f64>().is_err())
        };
        let bounded: Vec<String> =
            (0..full.len()).filter(is_refused).map(|k| std::format!("`{}`", self.names[k])).collect();
        let names = match bounded.is_empty() {
            true => self.names.iter().map(|name| std::format!("`{name}`")).collect::<Vec<String>>().join(", "),
            false => bounded.join(", "),
        };
        AnalysisError::NotApplicable {
            analysis: "an estimation",
            needs: std::format!(
                "a least sum of squares inside the bounds of the values; the samples pull {names} to values that are refused: {failure}"
            ),
        }
    }
}

/// A point of the iteration.
struct Point<M, const N: usize> {
    mechanism: M,
    initial: State<f64, N>,
    residual: DVector<f64>,
    normal: Normal,
}

impl<M, const N: usize> Point<M, N> {
    /// Whether the correction of Gauss and Newton is rounding: compared with the standard errors, with the values, or with the sum of squares
    /// that it lowers.
    /// `factor` multiplies what counts as rounding.
    fn is_least(&self, values: &DVector<f64>, factor: f64) -> bool {
        let step = self.normal.step(0.0);
        let change = self.normal.change(&step);
        step.amax() <= factor * CORRECTION
            || change
                .iter()
                .zip(values)
                .all(|(change, value)| change.abs() <= factor * RELATIVE_CORRECTION * value.abs())
            || step.dot(&self.normal.slope) <= factor * PROMISE * self.residual.norm_squared()
    }
}

/// The normal equations JᵀJ δ = Jᵀr by the singular values of J, whose columns are scaled to length 1. So the units of the values do not
/// matter.
struct Normal {
    lengths: Vec<f64>,
    singular: DVector<f64>,
    directions: DMatrix<f64>,
    /// Jᵀr of the scaled J.
    slope: DVector<f64>,
}

impl Normal {
    fn new(residual: &DVector<f64>, mut jacobian: DMatrix<f64>) -> Result<Self, AnalysisError> {
        let length = |k: usize| match jacobian.column(k).norm() {
            length if length > 0.0 => length,
            _ => 1.0,
        };
        let lengths: Vec<f64> = (0..jacobian.ncols()).map(length).collect();
        for (k, length) in lengths.iter().enumerate() {
            jacobian.column_mut(k).unscale_mut(*length);
        }
        let slope = jacobian.transpose() * residual;
        let failed = || AnalysisError::NotFinite { quantity: "a derivative of a sample".to_string() };
        let factors = SVD::try_new(jacobian.qr().r(), false, true, f64::EPSILON, MAX_ITERATIONS).ok_or_else(failed)?;
        let directions = factors.v_t.ok_or_else(failed)?.transpose();
        Ok(Self { lengths, singular: factors.singular_values, directions, slope })
    }

    fn is_determined(&self, k: usize) -> bool {
        self.singular[k] > UNDETERMINED * self.singular.amax()
    }

    /// (JᵀJ + damping)⁻¹ Jᵀr along what the samples determine, scaled. Marquardt's scaling makes the units of the values irrelevant.
    fn step(&self, damping: f64) -> DVector<f64> {
        let mut step = DVector::zeros(self.lengths.len());
        for k in (0..self.singular.len()).filter(|&k| self.is_determined(k)) {
            let direction = self.directions.column(k);
            step += direction * (direction.dot(&self.slope) / (self.singular[k] * self.singular[k] + damping));
        }
        step
    }

    /// The change of the values of a scaled step.
    fn change(&self, step: &DVector<f64>) -> DVector<f64> {
        DVector::from_fn(step.len(), |k, _| step[k] / self.lengths[k])
    }

    /// The scaled direction that the samples determine least, if they do not determine it.
    fn undetermined(&self) -> Option<DVector<f64>> {
        let least = self.singular.imin();
        (!self.is_determined(least)).then(|| self.directions.column(least).into_owned())
    }

    /// (JᵀJ)⁻¹.
    fn covariance(&self) -> DMatrix<f64> {
        let by_direction = |k: usize, i: usize| self.directions[(i, k)] / (self.singular[k] * self.lengths[i]);
        let count = self.lengths.len();
        DMatrix::from_fn(count, count, |i, j| (0..count).map(|k| by_direction(k, i) * by_direction(k, j)).sum())
    }
}

fn values_of<M, const N: usize, const C: usize, const U: usize>(
    mechanism: &M,
    initial: &State<f64, N>,
    variables: &[Variable<N>],
) -> DVector<f64>
where
    M: Mechanism<N, C, U>,
{
    DVector::from_iterator(variables.len(), variables.iter().map(|variable| value_of(mechanism, initial, variable)))
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
