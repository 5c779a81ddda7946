//! Values that fit a recording.

use crate::array::{numbers, of_rows, vector};
use crate::error::{in_arguments, refused};
use lagrange_cli::catalog::{self, FitRequest, MeasuredColumn, Model, Request};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;

/// The values that fit a recording, with their standard errors.
#[pyclass(frozen)]
pub(crate) struct Fit {
    found: catalog::Fit,
}

/// Estimates values from a recording: its times, its columns and the names of the values, with the deviations of measurements and the
/// relative tolerance of the integration.
pub(crate) fn run<'py>(
    py: Python<'py>,
    model: &dyn Model,
    request: &Request,
    (times, data, vary): (&[f64], &Bound<'py, PyDict>, Vec<String>),
    (mut deviation, rtol): (BTreeMap<String, f64>, f64),
) -> PyResult<Bound<'py, Fit>> {
    let bad = |text: String| Err(PyValueError::new_err(text));
    let increase = times.windows(2).all(|pair| pair[0] < pair[1]);
    if !increase || times.first().is_none_or(|first| *first < 0.0) || !times.iter().all(|t| t.is_finite()) {
        return bad("t must have finite times that increase, the first of which is not before 0".to_owned());
    }
    if !(rtol >= f64::EPSILON && rtol.is_finite()) {
        return bad(format!("rtol is {rtol}; it must be at least 2.2e-16"));
    }
    if vary.is_empty() {
        return bad("vary has no name; give those of parameters, inputs or initial values".to_owned());
    }
    let mut columns = Vec::new();
    for (name, values) in data {
        let (name, values): (String, _) = (name.extract()?, numbers(&values)?);
        if values.len() != times.len() {
            return bad(format!("`{name}` has {} values, and t has {} times", values.len(), times.len()));
        }
        if let Some(value) = values.iter().find(|value| !value.is_finite()) {
            return bad(format!("`{name}` has the value {value}; all values must be finite"));
        }
        let deviation = deviation.remove(&name);
        if let Some(deviation) = deviation.filter(|deviation| !(*deviation > 0.0 && deviation.is_finite())) {
            return bad(format!("the deviation of `{name}` is {deviation}; it must be positive"));
        }
        columns.push(MeasuredColumn { name, values, deviation });
    }
    if let Some(name) = deviation.keys().next() {
        return bad(format!("deviation names `{name}`, which data does not have"));
    }
    let recording = FitRequest { vary, times: times.to_vec(), columns, rtol };
    let found = py.detach(|| model.fit(request, &recording)).map_err(|error| refused(&error))?;
    Bound::new(py, Fit { found })
}

#[pymethods]
impl Fit {
    /// The estimates by their names.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_name(py, |value| value.value)
    }

    /// Their standard errors by their names.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_name(py, |value| value.error)
    }

    /// The correlations, in the order of `values`.
    #[getter]
    fn correlations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        of_rows(py, &self.found.correlations, self.found.values.len())
    }

    /// Measured − computed by the names of the columns.
    #[getter]
    fn residuals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        let columns = &self.found.columns;
        columns.iter().try_for_each(|column| found.set_item(&column.name, vector(py, &column.residuals)?))?;
        Ok(found)
    }

    /// The standard deviation of one measurement by the names of the columns: the given one, or that of the residuals.
    #[getter]
    fn deviations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        self.found.columns.iter().try_for_each(|column| found.set_item(&column.name, column.deviation))?;
        Ok(found)
    }

    /// Σ ((measured − computed)/deviation)².
    #[getter]
    fn chi_square(&self) -> f64 {
        self.found.chi_square
    }

    /// The reasons to doubt the result.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.found.warnings.iter().map(|text| in_arguments(text)).collect()
    }

    fn __repr__(&self) -> String {
        let value = |value: &catalog::FittedValue| format!("{} = {:?} ± {:.2e}", value.name, value.value, value.error);
        format!("<Fit {}>", self.found.values.iter().map(value).collect::<Vec<_>>().join(", "))
    }
}

impl Fit {
    fn by_name<'py>(&self, py: Python<'py>, number: fn(&catalog::FittedValue) -> f64) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        self.found.values.iter().try_for_each(|value| found.set_item(&value.name, number(value)))?;
        Ok(found)
    }
}
