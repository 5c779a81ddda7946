//! Many motions of one mechanism, by several threads.

use crate::array::{numbers, transposed, vector};
use crate::error::{in_arguments, refused};
use crate::signals::attended;
use lagrange_cli::catalog::{Model, Output, Request, RequestError, Sample, Summary};
use lagrange_cli::lagrange_runtime::prelude::Outcome;
use lagrange_cli::lagrange_runtime::workers::Workers;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// The ends of many motions.
///
/// `t` and `energy` have an entry for each motion, `y` a column, and `outputs` an array for each component. `status` is 0 at the end
/// of the span, 1 at a terminal event and -1 after a failure, whose text is in `messages`; `t` and `y` are then those of the last good
/// state, and NaN where there is none.
#[pyclass(frozen)]
pub(crate) struct Sweep {
    model: &'static dyn Model,
    /// The values that vary, by their names.
    vary: Vec<(String, Vec<f64>)>,
    ends: Vec<End>,
}

/// The end of one motion.
struct End {
    status: i32,
    message: String,
    t: f64,
    y: Vec<f64>,
    energy: f64,
    outputs: Vec<f64>,
}

/// A member of a sweep changes this: a parameter, or the start.
struct Varied {
    name: String,
    is_parameter: bool,
    values: Vec<f64>,
}

/// Takes nothing of a motion, and ends it where the flag is set.
struct Cancellable<'a>(&'a AtomicBool);

impl Output for Cancellable<'_> {
    fn receive(&mut self, _: &Sample<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn takes_states(&self) -> bool {
        false
    }

    fn is_interrupted(&self, _: f64) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Integrates the members of a sweep.
pub(crate) fn run<'py>(
    py: Python<'py>,
    model: &'static dyn Model,
    request: &Request,
    vary: &Bound<'py, PyDict>,
    threads: usize,
) -> PyResult<Bound<'py, Sweep>> {
    let varied = varied(model, vary)?;
    let count = varied.first().map_or(0, |first| first.values.len());
    let (ends, refusal) = attended(py, |is_cancelled| {
        let mut ends = Vec::with_capacity(count);
        let mut refusal = None;
        let work =
            |_, index: usize| match model.simulate(&member(request, &varied, index), &mut Cancellable(is_cancelled)) {
                Ok(summary) => Ok(End::of(&summary, None)),
                Err(RequestError::Failed(run)) => Ok(match run.last {
                    Some(summary) => End::of(&summary, Some(in_arguments(&run.text))),
                    None => End::missing(model, in_arguments(&run.text)),
                }),
                // A value that one member has may be impossible, and the others go on.
                Err(error @ RequestError::BadValue(_)) => Ok(End::missing(model, in_arguments(&error.to_string()))),
                Err(error) => Err(error),
            };
        Workers::new().with_threads(threads).with_cancel(is_cancelled).run(0..count, work, |_, end| match end {
            Ok(end) => {
                ends.push(end);
                ControlFlow::Continue(())
            }
            Err(error) => {
                refusal = Some(error);
                ControlFlow::Break(())
            }
        });
        (ends, refusal)
    })?;
    match (refusal, ends.first()) {
        (Some(error), _) => Err(refused(&error)),
        // What no member can meet is a mistake in the call.
        (None, Some(first)) if ends.iter().all(|end| end.t.is_nan()) => {
            Err(PyValueError::new_err(first.message.clone()))
        }
        (None, _) => {
            let vary = varied.into_iter().map(|varied| (varied.name, varied.values)).collect();
            Bound::new(py, Sweep { model, vary, ends })
        }
    }
}

/// Reads the arrays of a sweep. All of them have one length.
fn varied(model: &dyn Model, vary: &Bound<'_, PyDict>) -> PyResult<Vec<Varied>> {
    let refused = |text: String| Err(PyValueError::new_err(text));
    let mut varied: Vec<Varied> = Vec::new();
    for (name, values) in vary {
        let (name, values): (String, _) = (name.extract()?, numbers(&values)?);
        let is_parameter = model.parameters().iter().any(|parameter| parameter.name == name);
        if !is_parameter && model.components().find(&name).is_none() {
            let error = RequestError::UnknownVariable {
                name,
                known: model
                    .parameters()
                    .iter()
                    .map(|parameter| parameter.name.to_owned())
                    .chain(names(model))
                    .collect(),
            };
            return Err(crate::error::refused(&error));
        }
        if let Some(first) = varied.first().filter(|first| first.values.len() != values.len()) {
            let counts = [first.values.len(), values.len()];
            return refused(format!(
                "`{}` has {} values and `{name}` has {}; each motion takes one of each",
                first.name, counts[0], counts[1]
            ));
        }
        varied.push(Varied { name, is_parameter, values });
    }
    if varied.first().is_none_or(|first| first.values.is_empty()) {
        return refused(
            "vary has no values; give an array for each name: vary={\"theta\": numpy.linspace(0, 3, 100)}".to_owned(),
        );
    }
    Ok(varied)
}

/// The names of the coordinates, the velocities and the states.
fn names(model: &dyn Model) -> Vec<String> {
    let components = model.components();
    components.coordinates().iter().map(|name| (*name).to_owned()).chain(components.velocities()).collect()
}

/// The request of a member: its values take the place of those that all share, and are no second values.
fn member(request: &Request, varied: &[Varied], index: usize) -> Request {
    let mut member = request.clone();
    for Varied { name, is_parameter, values } in varied {
        let list = if *is_parameter { &mut member.set } else { &mut member.initial };
        list.retain(|(known, _)| known != name);
        list.push((name.clone(), values[index]));
    }
    member
}

impl End {
    fn of(summary: &Summary, failure: Option<String>) -> Self {
        let status = match (&failure, summary.outcome) {
            (Some(_), _) => -1,
            (None, Outcome::Event(_)) => 1,
            _ => 0,
        };
        Self {
            status,
            message: failure.unwrap_or_default(),
            t: summary.t,
            y: [&summary.q[..], &summary.v].concat(),
            energy: summary.energy[1],
            outputs: summary.outputs.clone(),
        }
    }

    /// The end of a motion that did not begin.
    fn missing(model: &dyn Model, message: String) -> Self {
        let y = vec![f64::NAN; names(model).len()];
        let outputs = vec![f64::NAN; model.outputs().len()];
        Self { status: -1, message, t: f64::NAN, y, energy: f64::NAN, outputs }
    }
}

impl Sweep {
    fn each<'py>(&self, py: Python<'py>, number: impl Fn(&End) -> f64) -> PyResult<Bound<'py, PyAny>> {
        vector(py, &self.ends.iter().map(number).collect::<Vec<f64>>())
    }
}

#[pymethods]
impl Sweep {
    /// The values that vary, by their names.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        self.vary.iter().try_for_each(|(name, values)| found.set_item(name, vector(py, values)?))?;
        Ok(found)
    }

    /// The times at which the motions ended.
    #[getter]
    fn t<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.each(py, |end| end.t)
    }

    /// The states at which they ended, a column for each motion.
    #[getter]
    fn y<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let size = names(self.model).len();
        let states: Vec<f64> = self.ends.iter().flat_map(|end| end.y.iter().copied()).collect();
        transposed(py, &states, size, self.ends.len())
    }

    /// h at the ends.
    #[getter]
    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.each(py, |end| end.energy)
    }

    /// The components of the outputs at the ends, by their names.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (index, name) in self.model.outputs().iter().enumerate() {
            found.set_item(name, self.each(py, |end| end.outputs[index])?)?;
        }
        Ok(found)
    }

    /// How each motion ended: 0, 1 or -1.
    #[getter]
    fn status(&self) -> Vec<i32> {
        self.ends.iter().map(|end| end.status).collect()
    }

    /// The text of each failure, and empty texts for motions that did not fail.
    #[getter]
    fn messages(&self) -> Vec<&str> {
        self.ends.iter().map(|end| end.message.as_str()).collect()
    }

    fn __len__(&self) -> usize {
        self.ends.len()
    }

    fn __repr__(&self) -> String {
        let failed = self.ends.iter().filter(|end| end.status < 0).count();
        format!("<Sweep of {}: {} motions, {failed} failed>", self.model.name(), self.ends.len())
    }
}
