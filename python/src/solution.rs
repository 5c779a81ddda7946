//! A motion, in the shapes of SciPy.

use crate::array::{matrix, transposed, vector};
use crate::error::in_arguments;
use crate::record::Record;
use lagrange_cli::catalog::{Model, Request, Summary};
use lagrange_cli::lagrange_runtime::prelude::{Outcome, Statistics};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList};

/// A motion. Its fields have the names and shapes of the result of `scipy.integrate.solve_ivp`, and more.
///
/// `t` has the n times and `y` the states at them, one column each: the coordinates, the velocities, and then the quantities of
/// `state` statements. `q` and `v` are the two parts of `y`. `outputs` has the sensors by their names, `lambda_` the multipliers, one
/// row for each constraint, `inputs` the inputs, and `energy`, `kinetic` and `potential` h, T and V (NaN where the block does not
/// state T and V). `status` is 0 at the end of the span, 1 where a terminal event ended the motion, and -1 after a failure.
#[pyclass(frozen)]
pub(crate) struct Solution {
    model: &'static dyn Model,
    record: Record,
    y: PyOnceLock<Py<PyAny>>,
    outputs: PyOnceLock<Py<PyDict>>,
    /// The last time and the last state, also where it is none of those that were asked for.
    end: (f64, Vec<f64>),
    statistics: Statistics,
    /// 0, 1 or −1, as SciPy has it.
    #[pyo3(get)]
    status: i32,
    /// How the motion ended.
    #[pyo3(get)]
    message: String,
    /// The method with its settings.
    #[pyo3(get)]
    method: String,
    /// The reasons to doubt the motion.
    #[pyo3(get)]
    warnings: Vec<String>,
    /// The initial values that were moved onto the constraints: (name, from, to).
    #[pyo3(get)]
    moved: Vec<(String, f64, f64)>,
}

impl Solution {
    /// A motion that ended, or that failed with a message.
    pub(crate) fn new(
        (model, request): (&'static dyn Model, &Request),
        record: Record,
        summary: Summary,
        failure: Option<&str>,
    ) -> Self {
        let (status, message) = match (failure, summary.outcome) {
            (Some(text), _) => (-1, text.to_owned()),
            (None, Outcome::Event(index)) => {
                let label = request.watched.get(index).map_or("", |watched| watched.crossing.label.as_str());
                (1, format!("the event {label} ended the motion"))
            }
            _ => (0, "the motion reached the end of t_span".to_owned()),
        };
        Self {
            model,
            record,
            y: PyOnceLock::new(),
            outputs: PyOnceLock::new(),
            end: (summary.t, [summary.q, summary.v].concat()),
            statistics: summary.statistics,
            status,
            message,
            method: summary.method,
            warnings: summary.warnings.iter().map(|text| in_arguments(text)).collect(),
            moved: summary.moved.into_iter().map(|moved| (moved.name, moved.from, moved.to)).collect(),
        }
    }

    /// The number of coordinates.
    fn coordinates(&self) -> usize {
        self.model.coordinates().len()
    }

    /// The number of coordinates, velocities and states.
    fn size(&self) -> usize {
        2 * self.coordinates() + self.model.states().len()
    }

    /// The last time and the last state, if it is finite.
    pub(crate) fn end<'py>(&self, py: Python<'py>) -> PyResult<Option<(f64, Bound<'py, PyAny>)>> {
        let (t, y) = &self.end;
        y.iter().all(|value| value.is_finite()).then(|| Ok((*t, vector(py, y)?))).transpose()
    }

    /// A row for each of the quantities that stand sample by sample.
    fn rows<'py>(&self, py: Python<'py>, samples: &[f64], count: usize) -> PyResult<Bound<'py, PyAny>> {
        transposed(py, samples, count, self.record.t.len())
    }

    /// An array for each event, from its times and states; none without events.
    fn at_events<'py>(
        &self,
        py: Python<'py>,
        array: impl Fn(&[f64], &[f64]) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyList>>> {
        if self.record.crossings.is_empty() {
            return Ok(None);
        }
        let arrays = self.record.crossings.iter().map(|(times, states)| array(times, states));
        PyList::new(py, arrays.collect::<PyResult<Vec<_>>>()?).map(Some)
    }

    fn energies<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let values: Vec<f64> = self.record.energies.iter().skip(index).step_by(3).copied().collect();
        vector(py, &values)
    }

    /// The sensors: each component by its name, and the components of a vector together by the name of the vector.
    fn sensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let names = self.model.outputs();
        let rows = self.rows(py, &self.record.outputs, names.len())?;
        let found = PyDict::new(py);
        let mut stems: Vec<(&str, Vec<usize>)> = Vec::new();
        for (index, name) in names.iter().enumerate() {
            found.set_item(name, rows.get_item(index)?)?;
            let stem = name.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')).map(|(stem, _)| stem);
            let Some(stem) = stem.filter(|stem| !stem.ends_with(']')) else { continue };
            match stems.last_mut().filter(|(last, _)| *last == stem) {
                Some((_, indices)) => indices.push(index),
                None => stems.push((stem, vec![index])),
            }
        }
        for (stem, indices) in stems {
            found.set_item(stem, rows.get_item(indices)?)?;
        }
        Ok(found)
    }
}

#[pymethods]
impl Solution {
    /// The times, (n,).
    #[getter]
    fn t<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        vector(py, &self.record.t)
    }

    /// The states, one column for each time.
    #[getter]
    fn y<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let y = self.y.get_or_try_init(py, || Ok::<_, PyErr>(self.rows(py, &self.record.y, self.size())?.unbind()))?;
        Ok(y.bind(py).clone())
    }

    /// The coordinates, the first rows of y.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let end = self.coordinates() as isize;
        self.y(py)?.get_item(pyo3::types::PySlice::new(py, 0, end, 1))
    }

    /// The velocities, and behind them the states: the other rows of y.
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let range = pyo3::types::PySlice::new(py, self.coordinates() as isize, self.size() as isize, 1);
        self.y(py)?.get_item(range)
    }

    /// The outputs by their names: (n,), and (k, n) for a vector with k components.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let outputs = self.outputs.get_or_try_init(py, || Ok::<_, PyErr>(self.sensors(py)?.unbind()))?;
        Ok(outputs.bind(py).clone())
    }

    /// The multipliers, a row for each constraint; NaN where they are not determined.
    #[getter]
    fn lambda_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, &self.record.multipliers, self.model.constraints().len())
    }

    /// The inputs, a row for each.
    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let count = self.model.parameters().iter().filter(|parameter| parameter.input).count();
        self.rows(py, &self.record.inputs, count)
    }

    /// h = v·p − L, (n,).
    #[getter]
    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.energies(py, 2)
    }

    /// T, (n,); NaN if the block does not state it.
    #[getter]
    fn kinetic<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.energies(py, 0)
    }

    /// V, (n,); NaN if the block does not state it.
    #[getter]
    fn potential<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.energies(py, 1)
    }

    /// For each event an array of the times at which it occurred; None without events.
    #[getter]
    fn t_events<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        self.at_events(py, |times, _| vector(py, times))
    }

    /// For each event an array with a row for each time at which it occurred, which is the state before it, and an empty array where it did
    /// not occur; None without events.
    #[getter]
    fn y_events<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        self.at_events(py, |times, states| match times.len() {
            0 => vector(py, &[]),
            count => matrix(py, [count, self.size()], states),
        })
    }

    /// How often the equations were evaluated.
    #[getter]
    fn nfev(&self) -> u64 {
        self.statistics.evaluations
    }

    /// How often derivatives of the equations were evaluated.
    #[getter]
    fn njev(&self) -> u64 {
        self.statistics.jacobians
    }

    /// How many matrices were factored for implicit steps.
    #[getter]
    fn nlu(&self) -> u64 {
        self.statistics.factorizations
    }

    /// How many steps were accepted.
    #[getter]
    fn steps(&self) -> u64 {
        self.statistics.steps
    }

    /// How many steps were rejected.
    #[getter]
    fn rejected(&self) -> u64 {
        self.statistics.rejected
    }

    /// Whether the motion reached its end or a terminal event.
    #[getter]
    fn success(&self) -> bool {
        self.status >= 0
    }

    fn __repr__(&self) -> String {
        let times = match (self.record.t.first(), self.record.t.last()) {
            (Some(first), Some(last)) => format!("t = {first:?} to {last:?}"),
            _ => "no state".to_owned(),
        };
        format!("<Solution of {}: {} states, {times}, {}>", self.model.name(), self.record.t.len(), self.method)
    }
}
