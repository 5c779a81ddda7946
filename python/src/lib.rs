#![doc = include_str!("../README.md")]

// The macro `python_module!` names this crate, also inside of it.
extern crate self as lagrange_python;

mod arguments;
mod array;
mod equilibrium;
mod error;
mod event;
mod fit;
mod linearization;
mod mechanism;
mod module;
mod record;
mod signals;
mod solution;
mod stubs;
mod sweep;

pub use lagrange_cli;
#[doc(hidden)]
pub use module::fill;
#[doc(hidden)]
pub use pyo3;

/// Makes a module of Python of this name with a class for each mechanism of a catalogue.
///
/// The crate is a `cdylib`, the name is that of its module in `pyproject.toml`, and the catalogue is an expression of type
/// [`Catalog`](lagrange_cli::Catalog), as [`catalog!`](lagrange_cli::catalog!) makes it.
///
/// ```
/// # use lagrange_python::lagrange_cli::lagrange_runtime;
/// use lagrange_runtime::prelude::*;
///
/// /// A mass on a spring.
/// #[lagrangian {
///     coordinates x;
///     kinetic   = m*dot(x)^2/2;
///     potential = k*x^2/2;
/// }]
/// #[derive(Clone, Debug)]
/// struct Oscillator {
///     /// Mass, kg.
///     m: f64,
///     /// Stiffness, N/m.
///     k: f64,
/// }
///
/// lagrange_python::python_module!(my_mechanisms, lagrange_cli::catalog![
///     Oscillator { m: 1.0, k: 4.0 } at [1.0], [0.0];
/// ]);
/// ```
#[macro_export]
macro_rules! python_module {
    ($name:ident, $catalog:expr) => {
        #[doc = "Mechanisms, each of which is a class."]
        #[$crate::pyo3::pymodule]
        #[pyo3(crate = "lagrange_python::pyo3")]
        fn $name(module: &$crate::pyo3::Bound<'_, $crate::pyo3::types::PyModule>) -> $crate::pyo3::PyResult<()> {
            $crate::fill(module, &$catalog)
        }
    };
}

#[cfg(feature = "catalogue")]
mod own {
    // What pyo3 writes for a module calls unsafe functions without a block.
    #![allow(unsafe_op_in_unsafe_fn)]

    python_module!(lagrange, lagrange_catalogue::CATALOG);
}
