//! Events: values of quantities whose crossings are told or end a motion.

use lagrange_cli::catalog::{Until, Watched};
use lagrange_cli::lagrange_runtime::prelude::Direction;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Event(quantity, value=0.0, *, direction=0, terminal=False)
/// --
///
/// A value of a coordinate, a velocity, a state or an output whose crossings `solve` tells.
///
/// `quantity` is the name, such as `theta`, `theta_dot` or `tip[0]`; `|theta|` is its absolute value. `direction` is 1 for rising
/// crossings, -1 for falling ones and 0 for both. A `terminal` event ends the motion at its first crossing. A motion that starts at
/// the value does not cross it there.
#[pyclass(frozen)]
#[derive(Clone)]
pub(crate) struct Event {
    pub(crate) watched: Watched,
}

#[pymethods]
impl Event {
    #[new]
    #[pyo3(signature = (quantity, value = 0.0, *, direction = 0, terminal = false), text_signature = "(quantity, value=0.0, *, direction=0, terminal=False)")]
    fn new(quantity: &str, value: f64, direction: i32, terminal: bool) -> PyResult<Self> {
        let refused = |text: String| Err(PyValueError::new_err(text));
        if !value.is_finite() {
            return refused(format!("the event of `{quantity}` has the value {value}; it must be a finite number"));
        }
        let direction = match direction {
            0 => Direction::Any,
            1 => Direction::Rising,
            -1 => Direction::Falling,
            other => {
                return refused(format!(
                    "direction is {other}; it must be 1 for rising, -1 for falling, or 0 for both"
                ));
            }
        };
        let inside = quantity.trim().strip_prefix('|').and_then(|rest| rest.strip_suffix('|'));
        let crossing = Until {
            quantity: inside.unwrap_or(quantity.trim()).trim().to_owned(),
            absolute: inside.is_some(),
            value,
            label: format!("{}={value}", quantity.trim()),
        };
        Ok(Self { watched: Watched { crossing, direction, ends: terminal } })
    }

    fn __repr__(&self) -> String {
        let Watched { crossing, direction, ends } = &self.watched;
        let direction = match direction {
            Direction::Any => 0,
            Direction::Rising => 1,
            Direction::Falling => -1,
        };
        let bar = if crossing.absolute { "|" } else { "" };
        format!(
            "Event('{bar}{}{bar}', {:?}, direction={direction}, terminal={})",
            crossing.quantity,
            crossing.value,
            if *ends { "True" } else { "False" }
        )
    }
}

/// Reads the argument `events`: an event, the name of a quantity that crosses 0, or a list of these.
pub(crate) fn events(given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Watched>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    if let Some(event) = event(given)? {
        return Ok(vec![event]);
    }
    let refused = || {
        PyTypeError::new_err(
            "events takes an Event, the name of a quantity that crosses 0, or a list of them: \
             events=[\"theta\", Event(\"theta_dot\", 1.0, direction=1, terminal=True)]; a function is none of them: state what it computes as \
             an `output` of the mechanism",
        )
    };
    let items = given.try_iter().map_err(|_| refused())?;
    items.map(|item| event(&item?)?.ok_or_else(refused)).collect()
}

fn event(given: &Bound<'_, PyAny>) -> PyResult<Option<Watched>> {
    if let Ok(event) = given.cast::<Event>() {
        return Ok(Some(event.get().watched.clone()));
    }
    match given.extract::<String>() {
        Ok(name) => Ok(Some(Event::new(&name, 0.0, 0, false)?.watched)),
        Err(_) => Ok(None),
    }
}
