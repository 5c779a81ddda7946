//! Values of a mechanism that fit a recording of its motion.

use super::error::without_motion;
use super::{Components, Quantity, RequestError};
use lagrange_runtime::analysis::{Estimate, Estimation, Sample};
use lagrange_runtime::method::{DERIVATIVES, OnDuals};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;

/// The largest relative change of a column's deviation between two estimates after which the search ends. A deviation of n residuals is known to a part
/// of 1/√(2n) only, so that a smaller change has no meaning.
const SETTLED: f64 = 1e-3;
/// How often they are estimated at most.
const ROUNDS: u32 = 50;

/// A recording of a motion that starts at the time 0, and the names of the values that are to fit it.
#[derive(Clone, Debug, PartialEq)]
pub struct FitRequest {
    /// The parameters, the inputs and the initial coordinates, velocities and states to estimate, by name. Their first values are those of
    /// the request for the motion.
    pub vary: Vec<String>,
    /// The times of the rows, from 0 on, in order.
    pub times: Vec<f64>,
    /// The measured columns, each with a value for every time.
    pub columns: Vec<MeasuredColumn>,
    /// The relative tolerance of the integration. Absolute tolerances follow the size that each component has reached.
    pub rtol: f64,
}

/// A quantity that was measured at all times of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredColumn {
    /// The name of the quantity, as [`Quantity::find`] takes it.
    pub name: String,
    /// The measured values, one for each time.
    pub values: Vec<f64>,
    /// The standard deviation of one measurement, in the unit of the quantity. `None` estimates it from the residuals of the column.
    pub deviation: Option<f64>,
}

/// The values that fit a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The values, in the order of [`FitRequest::vary`].
    pub values: Vec<FittedValue>,
    /// The correlation of each value with each other: row by row.
    pub correlations: Vec<Vec<f64>>,
    /// How each column fits, in the order of the request.
    pub columns: Vec<FittedColumn>,
    /// Σ ((measured − computed)/deviation)². If the mechanism and the deviations are right, that is about the number of samples minus the
    /// number of values. It is so by construction where all deviations are estimated.
    pub chi_square: f64,
    /// The reasons to doubt the result, in sentences.
    pub warnings: Vec<String>,
}

/// A value that was estimated.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedValue {
    /// Its name, as it was asked for.
    pub name: String,
    /// The value from which the search started.
    pub start: f64,
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// How a measured column fits.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedColumn {
    /// Its name.
    pub name: String,
    /// Measured − computed, at each time.
    pub residuals: Vec<f64>,
    /// The standard deviation of one measurement: the given one, or that of the residuals.
    pub deviation: f64,
    /// Whether the deviation was estimated from the residuals.
    pub is_estimated: bool,
}

/// A way to fit mechanisms of one type.
pub(super) type Fitting<T, const N: usize> = fn(&T, &State<f64, N>, &FitRequest) -> Result<Fit, RequestError>;

/// Without constraints.
pub(super) fn free<T, const N: usize, const U: usize>(
    mechanism: &T,
    start: &State<f64, N>,
    request: &FitRequest,
) -> Result<Fit, RequestError>
where
    T: Mechanism<N, 0, U> + Clone,
{
    fit(mechanism, start, request, &Dop853::new())
}

/// Under constraints, where initial values and parameters of the constraints are fixed: the initial state meets the constraints only with
/// them.
pub(super) fn constrained<T, const N: usize, const C: usize, const U: usize>(
    mechanism: &T,
    start: &State<f64, N>,
    request: &FitRequest,
) -> Result<Fit, RequestError>
where
    T: Mechanism<N, C, U> + Clone,
{
    let components = Components::split(const { &T::COORDINATES }, T::STATES);
    if let Some(name) = request.vary.iter().find(|name| components.find(name).is_some()) {
        return Err(RequestError::BadValue(format!(
            "`{name}` is an initial value, and most of its changes break the constraints; only parameters and inputs of a mechanism with \
             constraints can be estimated"
        )));
    }
    for name in &request.vary {
        if binds::<T, N, C, U>(mechanism, start, name)? {
            return Err(RequestError::BadValue(format!(
                "`{name}` stands in the constraints, which the initial state meets only with its value; it cannot be estimated"
            )));
        }
    }
    fit(mechanism, start, request, &Projected::new(Dop853::new()))
}

/// Whether a change of the parameter of this name breaks the constraints at the start.
fn binds<T, const N: usize, const C: usize, const U: usize>(
    mechanism: &T,
    start: &State<f64, N>,
    name: &str,
) -> Result<bool, RequestError>
where
    T: Mechanism<N, C, U>,
{
    /// A change of a constraint, by a whole change of the parameter, is rounding if it is below this part of the terms of that constraint.
    const ROUNDED: f64 = 1e-12;
    type Number = Dual<f64, DERIVATIVES>;
    let Ok(value) = mechanism.parameter(name) else { return Ok(false) };
    // At 0 the parameter has no size of its own, and its square no slope: the constraints are looked at with its nominal size, or with 1.
    let range = T::RANGES.iter().find(|(known, _)| *known == name);
    let nominal = range.map_or(1.0, |(_, [low, high])| low.abs().max(high.abs()));
    let probe = if value == 0.0 { nominal } else { value };
    let seeded = |known: &&str| {
        let is_probed = *known == name;
        let slope = f64::from(u8::from(is_probed));
        let value = if is_probed { probe } else { mechanism.parameter(known).unwrap_or_default() };
        Dual { value, derivatives: core::array::from_fn(|k| if k == 0 { slope } else { 0.0 }) }
    };
    let parameters: Vec<Number> = T::PARAMETERS.iter().map(seeded).collect();
    let inputs = SVector::<Number, U>::from_fn(|index, _| seeded(&T::INPUTS[index]));
    let system =
        T::prepare_from::<Number>(&parameters, &inputs).map_err(|error| RequestError::BadValue(error.to_string()))?;
    let (t, q) = (Dual::constant(start.t), start.q.map(Dual::constant));
    let (at, v) = (system.constraint(t, &q), start.v.map(Dual::constant));
    let rate = system.constraint_hidden(t, &q, &v, &SVector::repeat(Dual::constant(0.0))).rate;
    let breaks = |change: Number, scale: f64| (change.derivatives[0] * probe).abs() > ROUNDED * scale;
    Ok((0..C).any(|row| {
        let moving: f64 = (0..N).map(|column| (at.jacobian[(row, column)].value * start.v[column]).abs()).sum();
        breaks(at.value[row], at.scale[row].value) || breaks(rate[row], moving + at.drift[row].value.abs())
    }))
}

fn fit<T, I, const N: usize, const C: usize, const U: usize>(
    mechanism: &T,
    start: &State<f64, N>,
    request: &FitRequest,
    method: &I,
) -> Result<Fit, RequestError>
where
    T: Mechanism<N, C, U> + Clone,
    I: OnDuals<N, C, DERIVATIVES>,
{
    let components = Components::split(const { &T::COORDINATES }, T::STATES);
    let names = variables::<T, N, C, U>(components, &request.vary)?;
    let measured = measured::<T, N, C, U>(mechanism, components, &request.columns)?;
    let samples = request.times.len() * measured.len();
    if samples <= names.len() {
        return Err(RequestError::BadValue(format!(
            "{samples} samples ({} rows of {} columns) are too few for {} values and their errors; at least {} are needed",
            request.times.len(),
            measured.len(),
            names.len(),
            names.len() + 1
        )));
    }
    let options: Options<'_, Dual<f64, DERIVATIVES>, N> = Options {
        rtol: request.rtol.into(),
        atol: Tolerance::Following { most: Dual::constant(f64::MAX) },
        ..Options::default()
    };
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut deviations: Vec<f64> =
        request.columns.iter().map(|column| column.deviation.unwrap_or_else(|| spread(&column.values))).collect();
    let (mut mechanism_now, mut start_now) = (mechanism.clone(), *start);
    for _ in 0..ROUNDS {
        let samples = samples_of(request, &measured, &deviations);
        let found = Estimation::new(&names, &samples)
            .run(&mechanism_now, &start_now, method, &options)
            .map_err(without_motion)?;
        let columns = columns(request, found.residuals.as_slice(), &deviations, names.len());
        let change = |(column, before): (&FittedColumn, &f64)| (column.deviation / before - 1.0).abs();
        if columns.iter().zip(&deviations).map(change).all(|change| change < SETTLED) {
            let first = |name: &&str| first::<T, N, C, U>(mechanism, start, components, name);
            return Ok(result(request, &found, columns, names.iter().map(first).collect()));
        }
        deviations = columns.iter().map(|column| column.deviation).collect();
        (mechanism_now, start_now) = (found.mechanism, found.initial);
    }
    Err(RequestError::BadValue(
        "the deviations of the columns do not settle, because each column alone can be fitted; give them by --deviation NAME=VALUE"
            .to_owned(),
    ))
}

/// The names of the variables, as the library has them: `dot(x)` for the initial velocity of `x`.
///
/// # Errors
/// [`RequestError`] for a name that is unknown or repeated.
fn variables<T, const N: usize, const C: usize, const U: usize>(
    components: Components<'_>,
    vary: &[String],
) -> Result<Vec<String>, RequestError>
where
    T: Mechanism<N, C, U>,
{
    let own = components.coordinates();
    let mut names: Vec<String> = Vec::new();
    for name in vary {
        let is_parameter = T::PARAMETERS.iter().chain(&T::INPUTS).any(|known| known == name);
        let found = match components.find(name) {
            _ if is_parameter => name.clone(),
            Some((index, 1)) if index < own.len() => format!("dot({})", own[index]),
            Some(_) => name.clone(),
            None => {
                let parameters = T::PARAMETERS.iter().chain(&T::INPUTS).map(|known| (*known).to_owned());
                let known = parameters.chain(Quantity::names(components, &[])).collect();
                return Err(RequestError::UnknownVariable { name: name.clone(), known });
            }
        };
        if names.contains(&found) {
            return Err(RequestError::BadValue(format!("`{name}` is to be estimated twice; name it once")));
        }
        names.push(found);
    }
    Ok(names)
}

/// The index of what each column measures, as a [`Sample`] has it.
///
/// # Errors
/// [`RequestError::UnknownQuantity`] for a name that no quantity has, and [`RequestError::BadValue`] for an output that contains the force
/// of a contact.
fn measured<T, const N: usize, const C: usize, const U: usize>(
    mechanism: &T,
    components: Components<'_>,
    columns: &[MeasuredColumn],
) -> Result<Vec<usize>, RequestError>
where
    T: Mechanism<N, C, U>,
{
    let system = mechanism.prepare::<f64>().map_err(|error| RequestError::BadValue(error.to_string()))?;
    let index = |column: &MeasuredColumn| match Quantity::find(&column.name, components, system.output_names())? {
        Quantity::Coordinate(index) => Ok(index),
        Quantity::Velocity(index) => Ok(N + index),
        Quantity::Output(index) if system.outputs_of_forces().contains(&index) => Err(RequestError::BadValue(format!(
            "`{}` contains the force of a contact, which is known at the ends of steps only: it cannot be compared with samples",
            column.name
        ))),
        Quantity::Output(index) => Ok(2 * N + index),
    };
    columns.iter().map(index).collect()
}

/// The samples of all columns, in the order of time.
fn samples_of(request: &FitRequest, measured: &[usize], deviations: &[f64]) -> Vec<Sample> {
    let row = |(row, t): (usize, &f64)| {
        let t = *t;
        let sample = move |((column, measured), deviation): ((&MeasuredColumn, &usize), &f64)| Sample {
            t,
            measured: *measured,
            value: column.values[row],
            deviation: *deviation,
        };
        request.columns.iter().zip(measured).zip(deviations).map(sample)
    };
    request.times.iter().enumerate().flat_map(row).collect()
}

/// The residuals of each column, in its unit, and its deviation. `values` values were estimated.
fn columns(request: &FitRequest, residuals: &[f64], deviations: &[f64], values: usize) -> Vec<FittedColumn> {
    let count = request.columns.len();
    // Each column has lost its share of the freedom.
    let freedom = 1.0 - values as f64 / residuals.len() as f64;
    let column = |(index, (column, deviation)): (usize, (&MeasuredColumn, &f64))| {
        let residuals: Vec<f64> = residuals.iter().skip(index).step_by(count).map(|r| r * deviation).collect();
        // Smaller residuals are errors of the integration.
        let least = request.rtol * largest(&column.values);
        let estimated = (mean_square(&residuals) / freedom).sqrt().max(least).max(f64::MIN_POSITIVE);
        FittedColumn {
            name: column.name.clone(),
            residuals,
            deviation: column.deviation.unwrap_or(estimated),
            is_estimated: column.deviation.is_none(),
        }
    };
    request.columns.iter().zip(deviations).enumerate().map(column).collect()
}

fn result<T, const N: usize>(
    request: &FitRequest,
    found: &Estimate<T, N>,
    columns: Vec<FittedColumn>,
    first: Vec<f64>,
) -> Fit {
    let errors = found.errors();
    let correlation = |i: usize, j: usize| found.covariance[(i, j)] / (errors[i] * errors[j]);
    let count = errors.len();
    let value = |(index, (name, start)): (usize, (&String, f64))| FittedValue {
        name: name.clone(),
        start,
        value: found.values[index],
        error: errors[index],
    };
    let warnings =
        request.columns.iter().zip(&columns).filter_map(|(measured, fitted)| doubt(request, measured, fitted));
    Fit {
        values: request.vary.iter().zip(first).enumerate().map(value).collect(),
        correlations: (0..count).map(|i| (0..count).map(|j| correlation(i, j)).collect()).collect(),
        warnings: warnings.collect(),
        columns,
        chi_square: found.chi_square,
    }
}

/// The sentence on residuals that are no noise.
fn doubt(request: &FitRequest, measured: &MeasuredColumn, fitted: &FittedColumn) -> Option<String> {
    /// Residuals above this part of the spread of the column leave most of it unexplained.
    const LARGE: f64 = 0.5;
    /// Fewer residuals do not show whether they are independent.
    const LEAST: usize = 20;
    let name = &measured.name;
    let rms = mean_square(&fitted.residuals).sqrt();
    if rms > LARGE * spread(&measured.values) {
        return Some(format!(
            "the residuals of `{name}` are {:.0} % of the spread of its values: the search may have ended at another least sum of \
             squares; start nearer by --set and --initial",
            100.0 * rms / spread(&measured.values)
        ));
    }
    let is_noise = rms > request.rtol * largest(&measured.values);
    let count = fitted.residuals.len();
    let neighbours: f64 = fitted.residuals.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let correlation = neighbours / (rms * rms * count as f64);
    // Of independent residuals one column in 700 is beyond three deviations.
    (is_noise && count >= LEAST && correlation > 3.0 / (count as f64).sqrt()).then(|| {
        format!(
            "the residuals of `{name}` are not independent: neighbours have the correlation {correlation:.2}. The mechanism or a fixed \
             value does not fit, and the standard errors are too small"
        )
    })
}

/// The first value of the variable of this name.
fn first<T, const N: usize, const C: usize, const U: usize>(
    mechanism: &T,
    start: &State<f64, N>,
    components: Components<'_>,
    name: &str,
) -> f64
where
    T: Mechanism<N, C, U>,
{
    match (mechanism.parameter(name), components.find(name)) {
        (Ok(value), _) => value,
        (Err(_), Some((index, 0))) => start.q[index],
        (Err(_), Some((index, _))) => start.v[index],
        (Err(_), None) => f64::NAN,
    }
}

fn mean_square(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()))
}

/// The standard deviation of values about their mean; where they are equal, their size, or 1.
fn spread(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let centred: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let spread = mean_square(&centred).sqrt();
    [spread, largest(values)].into_iter().find(|size| *size > 0.0).unwrap_or(1.0)
}
