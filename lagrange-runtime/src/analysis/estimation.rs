//! Parameters and initial states from recorded samples.

mod normal;
mod recording;

use super::AnalysisError;
use super::sensitivity::Variable;
use crate::method::OnDuals;
use crate::options::AnyOptions;
use crate::scalar::Dual;
use crate::state::State;
use crate::system::Mechanism;
use nalgebra::{DMatrix, DVector};
use normal::Normal;
pub use recording::{Recording, Sample};
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
/// A value takes part in an undetermined combination if the samples that it moves are above this fraction of those of the others.
const PART: f64 = 1e-4;
/// A value runs away if it is this many times larger than at the start, and smaller than its standard error.
const RUNAWAY: f64 = 1e6;

/// The estimated values, with their covariance.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate<M, const N: usize> {
    /// The mechanism with the estimated parameters.
    pub mechanism: M,
    /// The estimated initial state, that of the first recording.
    pub initial: State<f64, N>,
    /// The estimated initial state of each recording.
    pub initials: Vec<State<f64, N>>,
    /// The names of the estimated variables. Where there are several recordings, that of an initial value says which recording it starts, as
    /// in `x of first`.
    pub names: Vec<String>,
    /// The estimated values, in the order of the names.
    pub values: DVector<f64>,
    /// The covariance of the values, if the deviations are right: (JᵀWJ)⁻¹, where J has the derivatives of the samples over their
    /// deviations, and W the weights of the loss, which are 1 for squares. The rows and columns of values at their bounds are 0.
    pub covariance: DMatrix<f64>,
    /// The sum of the losses of the samples: without [`Estimation::with_huber`], Σ ((measured − computed)/deviation)². If the model and the
    /// deviations are right, that is about the number of samples minus the number of values.
    pub chi_square: f64,
    /// (measured − computed)/deviation of each sample, recording after recording.
    pub residuals: DVector<f64>,
    /// Whether each value is at one of its bounds, where the samples would move it further.
    pub at_bounds: Vec<bool>,
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
/// in [`Variable::named`]. They start from the values that the mechanism and the initial state have. A [`Sample`] measures a component of the
/// state or an output. Several recordings of one mechanism share its parameters, and each has its own initial state
/// ([`run_all`](Self::run_all)). [`with_bounds`](Self::with_bounds) keeps a value in a range, and [`with_huber`](Self::with_huber) limits what
/// outliers count. Sources: D. W. Marquardt, J. SIAM 11, 1963;
/// H. B. Nielsen, *Damping parameter in Marquardt's method*, IMM-REP-1999-05.
///
/// ```
/// use lagrange_runtime::analysis::{Estimation, Sample};
/// use lagrange_runtime::prelude::*;
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
/// let method = Rk4::new(1e-2);
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
    bounds: Vec<(String, [f64; 2])>,
    huber: Option<f64>,
    max_iterations: u32,
}

impl<'a> Estimation<'a> {
    /// An estimation of the variables with these names from these samples. For [`run_all`](Self::run_all), the recordings have the samples.
    #[must_use]
    pub fn new(names: &[&str], samples: &'a [Sample]) -> Self {
        let names = names.iter().map(ToString::to_string).collect();
        Self { names, samples, bounds: Vec::new(), huber: None, max_iterations: 100 }
    }

    /// Sets the largest number of steps; the default is 100.
    #[must_use]
    pub fn with_max_iterations(self, max_iterations: u32) -> Self {
        Self { max_iterations, ..self }
    }

    /// Keeps the variable of this name from `low` to `high`; either may be infinite. Where the samples would move it further, the value stays
    /// at its bound, and the others fit as well as they can with it.
    #[must_use]
    pub fn with_bounds(mut self, name: &str, low: f64, high: f64) -> Self {
        self.bounds.push((name.to_string(), [low, high]));
        self
    }

    /// Counts the residual r = (measured − computed)/deviation of a sample as r² up to |r| = `limit`, and beyond as `limit` (2|r| − `limit`), so
    /// that an outlier pulls no harder than a sample at the limit. With 1.345, samples without outliers determine the values with 95 % of
    /// the efficiency of squares. Source: P. J. Huber, *Robust estimation of a location parameter*, Ann. Math. Stat. 35, 1964.
    #[must_use]
    pub fn with_huber(self, limit: f64) -> Self {
        Self { huber: Some(limit), ..self }
    }

    /// The estimate that the iteration reaches from the values of `mechanism` and `initial`. `method` runs on dual numbers, as
    /// in [`sensitivities`](super::sensitivities).
    ///
    /// # Errors
    /// [`AnalysisError::UnknownName`] for a variable that does not exist. [`AnalysisError::NotApplicable`] for a sample that
    /// makes no sense, with its index; for bounds or a limit that make none; where the samples pull a value across a bound that the
    /// mechanism states, such as that of an `assume`, with the value's name;
    /// and for samples that do not determine every value, with the combination that changes no sample.
    /// [`AnalysisError::State`] with the failure of an integration at the first values. [`AnalysisError::NotConverged`] where the
    /// iteration does not converge, or where a value runs away.
    pub fn run<'o, M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
        &self,
        mechanism: &M,
        initial: &State<f64, N>,
        method: &I,
        options: &impl AnyOptions<'o, Dual<f64, W>, N>,
    ) -> Result<Estimate<M, N>, AnalysisError>
    where
        M: Mechanism<N, C, U> + Clone,
        I: OnDuals<N, C, W>,
    {
        self.run_all(mechanism, &[Recording::new("", *initial, self.samples)], method, options)
    }

    /// The estimate from several recordings, each with its own initial state and samples. Parameters and inputs have one value in all of
    /// them. Initial coordinates and velocities have one in each: the value that a recording's initial state has is the first guess.
    ///
    /// # Errors
    /// Those of [`run`](Self::run). An error about a sample names its recording too. [`AnalysisError::NotApplicable`] without recordings, and
    /// for two of one name.
    ///
    /// ```
    /// use lagrange_runtime::analysis::{Estimation, Recording, Sample};
    /// use lagrange_runtime::prelude::*;
    ///
    /// #[lagrangian {
    ///     coordinates x;
    ///     kinetic = m*dot(x)^2/2;
    ///     potential = k*x^2/2;
    ///     output force = -k*x;
    /// }]
    /// #[derive(Clone)]
    /// struct Oscillator {
    ///     m: f64,
    ///     k: f64,
    /// }
    ///
    /// // A load cell measures the force −k x, with m = 2 and k = 8. Neither release is known exactly.
    /// let guess = Oscillator { m: 1.5, k: 7.0 };
    /// let record = |x: f64| {
    ///     let sample = |i: u32| {
    ///         let t = 0.1 * f64::from(i);
    ///         Sample::named(&guess, "force", t, -8.0 * x * (2.0 * t).cos(), 1e-3)
    ///     };
    ///     (1..20).map(sample).collect::<Result<Vec<_>, _>>()
    /// };
    /// let (soft, hard) = (record(0.1)?, record(0.3)?);
    /// let recordings = [
    ///     Recording::new("soft", State::new(0.0, [0.12], [0.0]), &soft),
    ///     Recording::new("hard", State::new(0.0, [0.25], [0.0]), &hard),
    /// ];
    /// let method = Dop853::new();
    /// let found = Estimation::new(&["m", "x"], &[]).run_all(&Oscillator { k: 8.0, ..guess }, &recordings, &method, &SharedOptions::default())?;
    /// assert_eq!(found.names, ["m", "x of soft", "x of hard"]);
    /// assert!((found.values[0] - 2.0).abs() < 1e-5 && (found.initials[1].q[0] - 0.3).abs() < 1e-5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_all<'o, M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
        &self,
        mechanism: &M,
        recordings: &[Recording<'_, N>],
        method: &I,
        options: &impl AnyOptions<'o, Dual<f64, W>, N>,
    ) -> Result<Estimate<M, N>, AnalysisError>
    where
        M: Mechanism<N, C, U> + Clone,
        I: OnDuals<N, C, W>,
    {
        let options = &options.options();
        let unknowns = self.unknowns(mechanism, recordings)?;
        recording::check(mechanism, recordings, unknowns.len())?;
        if let Some(limit) = self.huber.filter(|limit| !(*limit > 0.0 && limit.is_finite())) {
            return Err(refused(std::format!("a positive and finite limit of the loss; it is {limit}")));
        }
        let fit = |(mechanism, initials): (M, Vec<State<f64, N>>)| {
            let rows = recording::residuals(&mechanism, (recordings, &initials), &unknowns, method, options)?;
            let values = values_of(&mechanism, &initials, &unknowns);
            self.point((mechanism, initials), rows, (&values, &unknowns))
        };
        let initials: Vec<State<f64, N>> = recordings.iter().map(|recording| recording.initial).collect();
        let start = values_of(mechanism, &initials, &unknowns);
        if let Some(k) = (0..unknowns.len()).find(|&k| !(unknowns[k].low..=unknowns[k].high).contains(&start[k])) {
            let Unknown { name, low, high, .. } = &unknowns[k];
            return Err(refused(std::format!(
                "a first value of `{name}` within its bounds, {low} to {high}; it is {}",
                start[k]
            )));
        }
        let mut point = fit((mechanism.clone(), initials))?;
        let (mut damping, mut growth, mut failure) = (1e-3, 2.0, None);
        for iteration in 0..self.max_iterations {
            let values = values_of(&point.mechanism, &point.initials, &unknowns);
            if point.is_least(&values, 1.0) {
                return finish(point, (values, &start), &unknowns, iteration);
            }
            let step = point.normal.step(damping);
            let change = point.spread(&point.normal.change(&step));
            let tried = match fit(moved(&point.mechanism, &point.initials, &unknowns, &change)?) {
                Ok(tried) => Some(tried),
                Err(error) => {
                    failure = Some(error);
                    None
                }
            };
            let sum = point.sum;
            let gain = tried.as_ref().map_or(f64::NEG_INFINITY, |tried| sum - tried.sum);
            let promised = step.dot(&(&step * damping + &point.normal.slope));
            match tried {
                Some(tried) if gain > 0.0 => {
                    point = tried;
                    damping *= (1.0 - (2.0 * gain / promised - 1.0).powi(3)).max(1.0 / 3.0);
                    growth = 2.0;
                }
                _ if promised <= PROMISE * sum => match failure {
                    None if point.is_least(&values, ROUGH) => {
                        return finish(point, (values, &start), &unknowns, iteration);
                    }
                    _ => return Err(stuck(&point, &unknowns, failure, iteration)),
                },
                _ => {
                    damping *= growth;
                    growth *= 2.0;
                }
            }
        }
        Err(stuck(&point, &unknowns, failure, self.max_iterations))
    }

    /// The values that are sought: one of each parameter and input, and an initial value for each recording.
    fn unknowns<M, const N: usize, const C: usize, const U: usize>(
        &self,
        mechanism: &M,
        recordings: &[Recording<'_, N>],
    ) -> Result<Vec<Unknown<N>>, AnalysisError>
    where
        M: Mechanism<N, C, U>,
    {
        let mut unknowns = Vec::new();
        for name in &self.names {
            let variable = Variable::named(mechanism, name)?;
            let [low, high] = self.bounds_of(name)?;
            let shared = matches!(variable, Variable::Parameter(_) | Variable::Input(_));
            let places = if shared { 0..1 } else { 0..recordings.len() };
            unknowns.extend(places.map(|place| Unknown {
                name: match recordings.get(place) {
                    Some(recording) if !shared && recordings.len() > 1 => std::format!("{name} of {}", recording.name),
                    _ => name.clone(),
                },
                variable,
                recording: (!shared).then_some(place),
                low,
                high,
            }));
        }
        Ok(unknowns)
    }

    /// The bounds of the values of a name; without bounds, the range of numbers.
    fn bounds_of(&self, name: &str) -> Result<[f64; 2], AnalysisError> {
        if let Some((unknown, _)) = self.bounds.iter().find(|(bounded, _)| !self.names.contains(bounded)) {
            return Err(AnalysisError::UnknownName {
                kind: "estimated variable",
                name: unknown.clone(),
                known: self.names.clone(),
            });
        }
        let given = self.bounds.iter().rev().find(|(bounded, _)| bounded == name);
        let [low, high] = given.map_or([f64::NEG_INFINITY, f64::INFINITY], |(_, bounds)| *bounds);
        match low < high {
            true => Ok([low, high]),
            false => {
                Err(refused(std::format!("a lower bound of `{name}` below its upper one; they are {low} and {high}")))
            }
        }
    }

    /// The point with the residuals and derivatives that belong to these values.
    fn point<M, const N: usize>(
        &self,
        (mechanism, initials): (M, Vec<State<f64, N>>),
        (mut residual, mut jacobian): (DVector<f64>, DMatrix<f64>),
        (values, unknowns): (&DVector<f64>, &[Unknown<N>]),
    ) -> Result<Point<M, N>, AnalysisError> {
        let residuals = residual.clone();
        let mut sum = 0.0;
        for (row, r) in residual.iter_mut().enumerate() {
            let (size, limit) = (r.abs(), self.huber.unwrap_or(f64::INFINITY));
            if size <= limit {
                sum += *r * *r;
                continue;
            }
            sum += limit * (2.0 * size - limit);
            // The root of the weight that the loss gives to the square of the residual.
            let weight = (limit / size).sqrt();
            *r *= weight;
            jacobian.row_mut(row).scale_mut(weight);
        }
        let slope = jacobian.transpose() * &residual;
        let is_pressed = |k: &usize| {
            values[*k] <= unknowns[*k].low && slope[*k] <= 0.0 || values[*k] >= unknowns[*k].high && slope[*k] >= 0.0
        };
        let free: Vec<usize> = (0..values.len()).filter(|k| !is_pressed(k)).collect();
        let normal = Normal::new(&residual, jacobian.select_columns(&free))?;
        Ok(Point { mechanism, initials, count: values.len(), sum, residuals, free, normal })
    }
}

/// A value that is sought.
#[derive(Clone, Debug)]
struct Unknown<const N: usize> {
    name: String,
    variable: Variable<N>,
    /// The recording that starts with it; `None` for what all recordings share.
    recording: Option<usize>,
    low: f64,
    high: f64,
}

fn refused(needs: String) -> AnalysisError {
    AnalysisError::NotApplicable { analysis: "an estimation", needs }
}

/// The estimate at the least sum of losses, if the samples determine it.
fn finish<M, const N: usize>(
    point: Point<M, N>,
    (values, start): (DVector<f64>, &DVector<f64>),
    unknowns: &[Unknown<N>],
    iterations: u32,
) -> Result<Estimate<M, N>, AnalysisError> {
    if let Some(direction) = point.normal.undetermined() {
        let change = point.spread(&point.normal.change(&direction));
        return Err(undetermined(unknowns, (&change, &point.spread(&direction)), &values));
    }
    let own = point.normal.covariance();
    let mut covariance = DMatrix::zeros(values.len(), values.len());
    for (i, &row) in point.free.iter().enumerate() {
        for (j, &column) in point.free.iter().enumerate() {
            covariance[(row, column)] = own[(i, j)];
        }
    }
    for (k, Unknown { name, .. }) in unknowns.iter().enumerate() {
        let (value, error) = (values[k].abs(), covariance[(k, k)].sqrt());
        if start[k] != 0.0 && value > RUNAWAY * start[k].abs() && error > value {
            return Err(AnalysisError::NotConverged {
                sought: "estimate",
                iterations,
                worst: std::format!("the least sum of squares along {name}"),
                residual: point.sum,
                remedy: "the value runs away, because larger ones fit as well; fix it, or start from another value",
            });
        }
    }
    let at_bounds = (0..values.len()).map(|k| !point.free.contains(&k)).collect();
    let Point { mechanism, initials, sum: chi_square, residuals, .. } = point;
    let Some(&initial) = initials.first() else {
        return Err(refused("at least one recording".to_string()));
    };
    let names = unknowns.iter().map(|unknown| unknown.name.clone()).collect();
    Ok(Estimate {
        mechanism,
        initial,
        initials,
        names,
        values,
        covariance,
        chi_square,
        residuals,
        at_bounds,
        iterations,
    })
}

/// The error of values that no sample determines. `change` is a change of the values that moves no sample, and `moves` what each part of
/// it moves alone.
fn undetermined<const N: usize>(
    unknowns: &[Unknown<N>],
    (change, moves): (&DVector<f64>, &DVector<f64>),
    values: &DVector<f64>,
) -> AnalysisError {
    let parts: Vec<usize> = (0..moves.len()).filter(|&k| moves[k].abs() > PART * moves.amax()).collect();
    let is_relative = parts.iter().all(|&k| values[k] != 0.0);
    let part = |k: usize| if is_relative { change[k] / values[k] } else { change[k] };
    let largest =
        parts.iter().fold(0.0, |largest: f64, &k| if part(k).abs() > largest.abs() { part(k) } else { largest });
    let named = |separator: &str, write: &dyn Fn(usize) -> String| {
        parts.iter().map(|&k| write(k)).collect::<Vec<String>>().join(separator)
    };
    let names = named(", ", &|k| std::format!("`{}`", unknowns[k].name));
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
    point: &Point<M, N>,
    unknowns: &[Unknown<N>],
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
            residual: point.sum,
            remedy: "start from other values, or allow more iterations",
        };
    };
    let full = point.spread(&point.normal.change(&point.normal.step(0.0)));
    let is_refused = |&k: &usize| {
        let alone = DVector::from_fn(full.len(), |i, _| if i == k { full[i] } else { 0.0 });
        moved(&point.mechanism, &point.initials, unknowns, &alone)
            .is_ok_and(|(mechanism, _)| mechanism.prepare::<f64>().is_err())
    };
    let named = |k: usize| std::format!("`{}`", unknowns[k].name);
    let bounded: Vec<String> = (0..full.len()).filter(is_refused).map(named).collect();
    let names = match bounded.is_empty() {
        true => (0..full.len()).map(named).collect::<Vec<String>>().join(", "),
        false => bounded.join(", "),
    };
    AnalysisError::NotApplicable {
        analysis: "an estimation",
        needs: std::format!(
            "a least sum of squares inside the bounds of the values; the samples pull {names} to values that are refused: {failure}"
        ),
    }
}

/// A point of the iteration.
struct Point<M, const N: usize> {
    mechanism: M,
    initials: Vec<State<f64, N>>,
    /// The number of values.
    count: usize,
    /// The sum of the losses.
    sum: f64,
    /// The residuals over their deviations, without the weights of the loss.
    residuals: DVector<f64>,
    /// The values that are not pressed against a bound.
    free: Vec<usize>,
    /// The normal equations of the free values.
    normal: Normal,
}

impl<M, const N: usize> Point<M, N> {
    /// Numbers for all values, from those for the free ones. The others are 0.
    fn spread(&self, free: &DVector<f64>) -> DVector<f64> {
        let mut all = DVector::zeros(self.count);
        for (&k, value) in self.free.iter().zip(free.iter()) {
            all[k] = *value;
        }
        all
    }

    /// Whether the correction of Gauss and Newton is rounding: compared with the standard errors, with the values, or with the sum of squares
    /// that it lowers.
    /// `factor` multiplies what counts as rounding.
    fn is_least(&self, values: &DVector<f64>, factor: f64) -> bool {
        let step = self.normal.step(0.0);
        let change = self.spread(&self.normal.change(&step));
        self.free.is_empty()
            || step.amax() <= factor * CORRECTION
            || change
                .iter()
                .zip(values)
                .all(|(change, value)| change.abs() <= factor * RELATIVE_CORRECTION * value.abs())
            || step.dot(&self.normal.slope) <= factor * PROMISE * self.sum
    }
}

fn values_of<M, const N: usize, const C: usize, const U: usize>(
    mechanism: &M,
    initials: &[State<f64, N>],
    unknowns: &[Unknown<N>],
) -> DVector<f64>
where
    M: Mechanism<N, C, U>,
{
    DVector::from_iterator(unknowns.len(), unknowns.iter().map(|unknown| value_of(mechanism, initials, unknown)))
}

/// The name of a parameter or an input; `None` for a component of the state.
fn name_of<M, const N: usize, const C: usize, const U: usize>(variable: &Variable<N>) -> Option<&'static str>
where
    M: Mechanism<N, C, U>,
{
    match *variable {
        Variable::Parameter(index) | Variable::Following { parameter: index, .. } => M::PARAMETERS.get(index).copied(),
        Variable::Input(index) => M::INPUTS.get(index).copied(),
        Variable::Coordinate(_) | Variable::Velocity(_) | Variable::Direction { .. } => None,
    }
}

fn value_of<M, const N: usize, const C: usize, const U: usize>(
    mechanism: &M,
    initials: &[State<f64, N>],
    unknown: &Unknown<N>,
) -> f64
where
    M: Mechanism<N, C, U>,
{
    let initial = initials.get(unknown.recording.unwrap_or_default());
    match unknown.variable {
        Variable::Coordinate(index) => initial.map_or(0.0, |initial| initial.q[index]),
        Variable::Velocity(index) => initial.map_or(0.0, |initial| initial.v[index]),
        _ => name_of::<M, N, C, U>(&unknown.variable).and_then(|name| mechanism.parameter(name).ok()).unwrap_or(0.0),
    }
}

/// The mechanism and the initial states after a change of the values, which stay within their bounds.
fn moved<M, const N: usize, const C: usize, const U: usize>(
    mechanism: &M,
    initials: &[State<f64, N>],
    unknowns: &[Unknown<N>],
    change: &DVector<f64>,
) -> Result<(M, Vec<State<f64, N>>), AnalysisError>
where
    M: Mechanism<N, C, U> + Clone,
{
    let (mut next, mut states) = (mechanism.clone(), initials.to_vec());
    for (unknown, change) in unknowns.iter().zip(change.iter()) {
        let value = (value_of(mechanism, initials, unknown) + change).max(unknown.low).min(unknown.high);
        let state = states.get_mut(unknown.recording.unwrap_or_default());
        match (&unknown.variable, state) {
            (Variable::Coordinate(index), Some(state)) => state.q[*index] = value,
            (Variable::Velocity(index), Some(state)) => state.v[*index] = value,
            (variable, _) => {
                let name = name_of::<M, N, C, U>(variable).unwrap_or_default();
                next.set_parameter(name, value).map_err(|unknown| AnalysisError::UnknownName {
                    kind: "parameter or input",
                    name: name.to_string(),
                    known: unknown.known.iter().map(ToString::to_string).collect(),
                })?;
            }
        }
    }
    Ok((next, states))
}
