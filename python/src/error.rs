//! The exceptions: the texts of the library, with the names of arguments in place of those of options.

use lagrange_cli::catalog::RequestError;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    lagrange,
    Failure,
    PyException,
    "A computation that failed, with the time, the state and the remedy in its text.\n\nAn integration leaves in `partial` the \
     `Solution` up to the last good state, and in `t` and `y` that state. `t` and `y` are `None` where no state was good, and all three after any \
     other computation."
);

/// The arguments that are called otherwise than the options of the command line, whose other names differ by `-` and `_` only.
const ARGUMENTS: [(&str, &str); 10] = [
    ("`--method radau5`", "`method=\"radau5\"`"),
    ("by --set and a law by --input", "as an argument of its class and a law by inputs"),
    ("by --set and --initial", "by other parameters, q0 and v0"),
    ("--deviation NAME=VALUE", "deviation={\"NAME\": VALUE}"),
    ("--project", "project=True"),
    ("--inputs", "inputs"),
    ("--input", "inputs"),
    ("--t-end", "t_span"),
    ("--initial ", "the initial value "),
    ("--set ", "the parameter "),
];

/// A text of the library in which arguments stand in place of options.
pub(crate) fn in_arguments(text: &str) -> String {
    let renamed = ARGUMENTS.iter().fold(text.to_owned(), |text, (option, argument)| text.replace(option, argument));
    let mut parts = renamed.split("--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|letter: char| !letter.is_ascii_lowercase() && letter != '-').unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        text.push_str(&name.replace('-', "_"));
        text.push_str(rest);
    }
    text
}

/// The exception for arguments that cannot be used. Names of keyword arguments are types of a call, and everything else is a value.
pub(crate) fn refused(error: &RequestError) -> PyErr {
    let text = match error {
        RequestError::Misplaced { name, is_parameter: true } => {
            format!("`{name}` is a parameter or an input and has no initial value; it is an argument of the class")
        }
        RequestError::Misplaced { name, is_parameter: false } => {
            format!(
                "`{name}` is a coordinate or a velocity, and no argument of the class; q0 and v0 set where it starts"
            )
        }
        other => in_arguments(&other.to_string()),
    };
    match error {
        RequestError::UnknownParameter { .. } => PyTypeError::new_err(text),
        RequestError::Failed(_) => failed(text, None),
        _ => PyValueError::new_err(text),
    }
}

/// The exception for a computation that failed, with what it computed until then.
pub(crate) fn failed(text: String, partial: Option<Bound<'_, crate::solution::Solution>>) -> PyErr {
    let error = Failure::new_err(text);
    let told = Python::attach(|py| -> PyResult<()> {
        let value = error.value(py);
        let (t, y) = partial.as_ref().map(|solution| solution.get().end(py)).transpose()?.flatten().unzip();
        value.setattr("t", t)?;
        value.setattr("y", y)?;
        value.setattr("partial", partial)
    });
    told.err().unwrap_or(error)
}
