//! Arrays of NumPy, by its functions: a crate for its memory layout would change the features of dependencies, so that nothing built for another
//! program could be used.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes};

/// A function of NumPy.
fn function<'py>(py: Python<'py>, cell: &PyOnceLock<Py<PyAny>>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let found = cell.get_or_try_init(py, || Ok::<_, PyErr>(py.import("numpy")?.getattr(name)?.unbind()))?;
    Ok(found.bind(py).clone())
}

/// A list of numbers.
pub(crate) fn vector<'py>(py: Python<'py>, values: &[f64]) -> PyResult<Bound<'py, PyAny>> {
    static FROM_BUFFER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static ZEROS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    if values.is_empty() {
        return function(py, &ZEROS, "zeros")?.call1((0,));
    }
    let bytes = PyByteArray::new_with(py, size_of_val(values), |bytes| {
        for (bytes, value) in bytes.chunks_exact_mut(size_of::<f64>()).zip(values) {
            bytes.copy_from_slice(&value.to_ne_bytes());
        }
        Ok(())
    })?;
    // Its numbers are doubles unless another type is given.
    function(py, &FROM_BUFFER, "frombuffer")?.call1((bytes,))
}

/// A matrix with so many rows and columns, from its entries row by row.
pub(crate) fn matrix<'py>(
    py: Python<'py>,
    [rows, columns]: [usize; 2],
    entries: &[f64],
) -> PyResult<Bound<'py, PyAny>> {
    vector(py, entries)?.call_method1("reshape", (rows, columns))
}

/// A matrix from its rows, each of which has so many entries.
pub(crate) fn of_rows<'py>(py: Python<'py>, rows: &[Vec<f64>], columns: usize) -> PyResult<Bound<'py, PyAny>> {
    matrix(py, [rows.len(), columns], &rows.concat())
}

/// Entries that stand sample by sample, with `count` of them in each sample, as a matrix with a row for each of them.
pub(crate) fn transposed<'py>(
    py: Python<'py>,
    samples: &[f64],
    count: usize,
    columns: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let entries: Vec<f64> = (0..count).flat_map(|row| samples.iter().skip(row).step_by(count).copied()).collect();
    matrix(py, [count, columns], &entries)
}

/// The numbers of an array of one dimension, or of a sequence.
pub(crate) fn numbers(values: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    /// A few numbers are read one by one, which takes less time than a call of NumPy.
    const FEW: usize = 32;
    static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    if values.len().is_ok_and(|count| count <= FEW) {
        return values.extract();
    }
    let array = function(values.py(), &AS_ARRAY, "asarray")?.call1((values, "float64"))?;
    if array.getattr("ndim")?.extract::<usize>()? != 1 {
        let shape = array.getattr("shape")?;
        return Err(PyValueError::new_err(format!(
            "an array of the shape {shape} was given; it must have one dimension"
        )));
    }
    let bytes = array.call_method0("tobytes")?.cast_into::<PyBytes>()?;
    let number = |bytes: &[u8]| bytes.try_into().map_or(f64::NAN, f64::from_ne_bytes);
    Ok(bytes.as_bytes().chunks_exact(size_of::<f64>()).map(number).collect())
}
