//! An equilibrium, and the linear motion about it.

use crate::array::{of_rows, vector};
use lagrange_cli::catalog::{Analysis, Oscillation};
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyDict, PyList};

/// An equilibrium, and the linear motion dx/dt = A x + B u about it.
#[pyclass(frozen)]
pub(crate) struct Equilibrium {
    pub(crate) found: Analysis,
    /// The names of the inputs.
    #[pyo3(get)]
    pub(crate) inputs: Vec<&'static str>,
}

#[pymethods]
impl Equilibrium {
    /// The coordinates.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        vector(py, &self.found.q)
    }

    /// The quantities of `state` statements.
    #[getter]
    fn z<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        vector(py, &self.found.z)
    }

    /// The coordinates whose value does not matter, because the equations do not contain them.
    #[getter]
    fn steady(&self) -> Vec<&'static str> {
        self.found.steady.clone()
    }

    /// Whether the mechanism stays near the equilibrium, as a phrase.
    #[getter]
    fn stability(&self) -> &str {
        &self.found.stability
    }

    /// The eigenvalues of A, a list of complex numbers.
    #[getter]
    fn eigenvalues<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.found.eigenvalues.iter().map(|[re, im]| PyComplex::from_doubles(py, *re, *im)))
    }

    /// The oscillations: a list of dictionaries with `frequency` (|λ|/2π), `damping_ratio`, `shape` and `defective`.
    #[getter]
    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mode = |Oscillation { frequency, damping_ratio, shape, defective }: &Oscillation| {
            let mode = PyDict::new(py);
            mode.set_item("frequency", frequency)?;
            mode.set_item("damping_ratio", damping_ratio)?;
            mode.set_item("shape", shape.iter().cloned().collect::<std::collections::BTreeMap<_, _>>())?;
            mode.set_item("defective", defective)?;
            Ok(mode)
        };
        PyList::new(py, self.found.modes.iter().map(mode).collect::<PyResult<Vec<_>>>()?)
    }

    /// The reason why there are no modes, or None.
    #[getter]
    fn no_modes(&self) -> Option<&str> {
        self.found.no_modes.as_deref()
    }

    /// The names of the components of x.
    #[getter]
    fn states(&self) -> Vec<String> {
        self.found.states.clone()
    }

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

    fn __repr__(&self) -> String {
        format!("<Equilibrium at q = {:?}, {}>", self.found.q, self.found.stability)
    }
}
