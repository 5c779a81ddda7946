//! The equations linearised at a state.

use crate::array::{of_rows, vector};
use lagrange_cli::catalog::LinearEquations;
use pyo3::prelude::*;

/// The equations linearised at a state: dx/dt = rate + A x + B u, where x is the deviation from the state.
///
/// Under constraints x has fewer components than the state; `states` has their names.
#[pyclass(frozen)]
pub(crate) struct Linearization {
    pub(crate) found: LinearEquations,
    /// The names of the inputs.
    #[pyo3(get)]
    pub(crate) inputs: Vec<&'static str>,
}

#[pymethods]
impl Linearization {
    /// A, (n, n).
    #[getter(A)]
    fn a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        of_rows(py, &self.found.a, self.found.states.len())
    }

    /// B, (n, inputs).
    #[getter(B)]
    fn b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        of_rows(py, &self.found.b, self.inputs.len())
    }

    /// dx/dt at the state itself, which vanishes at an equilibrium.
    #[getter]
    fn rate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        vector(py, &self.found.rate)
    }

    /// The names of the components of x.
    #[getter]
    fn states(&self) -> Vec<String> {
        self.found.states.clone()
    }

    /// The coordinates of the state.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        vector(py, &self.found.q)
    }

    /// The velocities of the state, and behind them the quantities of `state` statements.
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        vector(py, &self.found.v)
    }

    fn __repr__(&self) -> String {
        format!("<Linearization with the states {}>", self.found.states.join(", "))
    }
}
