//! The arguments of calls, as requests to the catalogue.

use crate::array::numbers;
use crate::error::refused;
use crate::event::{Events, Function};
use lagrange_cli::catalog::{Feedback, MethodChoice, MethodName, Model, Request, Scheme, States};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::sync::Arc;

/// Values of parameters, inputs, coordinates or velocities by their names.
pub(crate) type Values = Vec<(String, f64)>;

/// The keyword arguments that say how a motion is integrated, with their meanings.
pub(crate) const KEYWORDS: [(&str, &str); 11] = [
    ("method", "the method, such as \"DOP853\" or \"gauss3\"; by default it is chosen for the mechanism"),
    ("rtol", "the relative tolerance of methods with an adaptive step; 1e-9 if no method is named, otherwise 1e-6"),
    (
        "atol",
        "the absolute tolerance; if neither it nor a method is named, it follows the size of each component, otherwise 1e-9",
    ),
    ("step", "the step of methods with a fixed step, 1e-3 by default"),
    ("max_step", "the largest step of methods with an adaptive step"),
    ("composition", "the composition that raises the order of a symplectic method, such as \"yoshida\""),
    ("max_steps", "the largest number of steps that may be tried"),
    ("events", "an `Event`, the name of a quantity that crosses 0, a function of t and y, or a list of these"),
    (
        "inputs",
        "laws of inputs, {\"torque\": \"-20*theta - 4*theta_dot\"}: expressions of t, coordinates, velocities, states, parameters",
    ),
    ("period", "the time between two samples of the laws, between which each input keeps its value"),
    ("project", "whether the start may be moved far to meet the constraints"),
];

/// The start and the end of a motion: two numbers of any sequence.
pub(crate) fn span(given: &Bound<'_, PyAny>) -> PyResult<(f64, f64)> {
    let refused = || PyTypeError::new_err("t_span takes two numbers, the start and the end: t_span=(0, 10)");
    match numbers(given).map_err(|_| refused())?[..] {
        [t_start, t_end] => Ok((t_start, t_end)),
        _ => Err(refused()),
    }
}

/// A request to the catalogue, and the functions of Python that its events call.
pub(crate) struct Asked {
    pub(crate) request: Request,
    pub(crate) functions: Vec<Arc<Function>>,
}

/// The request for the motion of a mechanism over a span of time, with these keyword arguments.
pub(crate) fn request(
    model: &dyn Model,
    set: &Values,
    (t_start, t_end): (f64, f64),
    [q0, v0]: [Option<&Bound<'_, PyAny>>; 2],
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Asked> {
    if !t_start.is_finite() || !t_end.is_finite() || t_start == t_end {
        return Err(PyValueError::new_err(format!(
            "t_span is ({t_start}, {t_end}); it must be two finite times that differ"
        )));
    }
    let mut request = Request {
        set: set.clone(),
        initial: start(model, [q0, v0])?,
        project: false,
        t_start,
        t_end,
        method: MethodChoice::automatic(),
        max_steps: None,
        until: Vec::new(),
        watched: Vec::new(),
        audit: false,
        states: States::EveryStep,
        exponent: None,
        feedback: Feedback::default(),
    };
    let mut functions = Vec::new();
    for (name, value) in keywords.into_iter().flatten().filter(|(_, value)| !value.is_none()) {
        let name = name.cast_into::<PyString>()?;
        match name.to_str()? {
            "events" => Events { watched: request.watched, functions } = Events::new(&value)?,
            name => apply(&mut request, name, &value)?,
        }
    }
    if request.feedback.period.is_some_and(|period| !(period > 0.0 && period.is_finite())) {
        return Err(PyValueError::new_err("period must be a positive number"));
    }
    if request.feedback.period.is_some() && request.feedback.laws.is_empty() {
        return Err(PyValueError::new_err("period samples the laws of inputs, and no law is given; add inputs"));
    }
    Ok(Asked { request, functions })
}

/// Puts one keyword argument into a request.
fn apply(request: &mut Request, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    match name {
        "method" => request.method.name = Some(MethodName::find(&value.extract::<String>()?).map_err(|e| refused(&e))?),
        "rtol" => request.method.rtol = Some(value.extract()?),
        "atol" => request.method.atol = Some(value.extract()?),
        "step" => request.method.step = Some(value.extract()?),
        "max_step" => request.method.max_step = Some(value.extract()?),
        "composition" => {
            request.method.composition = Some(Scheme::find(&value.extract::<String>()?).map_err(|e| refused(&e))?);
        }
        "max_steps" => request.max_steps = Some(value.extract()?),
        "inputs" => {
            let laws = value.cast::<PyDict>()?;
            for (input, law) in laws {
                request.feedback.laws.push((input.extract()?, law.str()?.to_str()?.to_owned()));
            }
        }
        "period" => request.feedback.period = Some(value.extract()?),
        "project" => request.project = value.extract()?,
        _ => {
            let known: Vec<&str> = KEYWORDS.iter().map(|(name, _)| *name).collect();
            let text = format!("no keyword argument `{name}` (known: {})", known.join(", "));
            return Err(PyTypeError::new_err(text));
        }
    }
    Ok(())
}

/// The initial values that q0 and v0 give. What they do not name has its published value.
pub(crate) fn start(model: &dyn Model, [q0, v0]: [Option<&Bound<'_, PyAny>>; 2]) -> PyResult<Values> {
    let components = model.components();
    let coordinates = components.coordinates().iter().map(|name| (*name).to_owned()).collect();
    let mut values = named(model, "q0", 0, coordinates, q0)?;
    values.extend(named(model, "v0", 1, components.velocities().collect(), v0)?);
    Ok(values)
}

/// The values of one argument: a mapping from names, one number, or a number for each of `names`. `kind` is that of
/// [`Components::find`](lagrange_cli::catalog::Components::find).
fn named(
    model: &dyn Model,
    argument: &str,
    kind: usize,
    names: Vec<String>,
    given: Option<&Bound<'_, PyAny>>,
) -> PyResult<Values> {
    let Some(given) = given.filter(|given| !given.is_none()) else { return Ok(Vec::new()) };
    if let Ok(values) = given.cast::<PyDict>() {
        let pairs = values.iter().map(|(name, value)| Ok((name.extract()?, value.extract()?)));
        let pairs = pairs.collect::<PyResult<Values>>()?;
        let other = |(name, _): &&(String, f64)| model.components().find(name).is_some_and(|(_, found)| found != kind);
        return match pairs.iter().find(other) {
            None => Ok(pairs),
            Some((name, _)) => Err(PyValueError::new_err(format!(
                "`{name}` does not stand in {argument}, which has {}",
                names.join(", ")
            ))),
        };
    }
    let values = match given.extract::<f64>() {
        Ok(value) => vec![value],
        Err(_) => numbers(given)?,
    };
    if values.len() != names.len() {
        return Err(PyValueError::new_err(format!(
            "{argument} has {} values; it needs {}: {}",
            values.len(),
            names.len(),
            names.join(", ")
        )));
    }
    Ok(names.into_iter().zip(values).collect())
}

/// The values of parameters and inputs by their names; an array takes a sequence.
pub(crate) fn parameters(model: &dyn Model, given: Option<&Bound<'_, PyDict>>) -> PyResult<Values> {
    let mut values = Values::new();
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        if let Ok(value) = value.extract() {
            values.push((name, value));
            continue;
        }
        let first = format!("{name}[");
        let known: Vec<_> =
            model.parameters().iter().map(|known| known.name).filter(|known| known.starts_with(&first)).collect();
        let elements = numbers(&value)?;
        if elements.len() != known.len() {
            return Err(PyValueError::new_err(format!(
                "`{name}` has {} values here; the mechanism has {}",
                elements.len(),
                match known.len() {
                    0 => "no array of this name".to_owned(),
                    count => format!("{count} of them"),
                }
            )));
        }
        values.extend(known.into_iter().map(str::to_owned).zip(elements));
    }
    Ok(values)
}
