//! Events: values of quantities, or functions of Python, whose crossings are told or end a motion.

use crate::array::vector;
use lagrange_cli::catalog::{OwnFunction, Until, Watched};
use lagrange_cli::lagrange_runtime::prelude::Direction;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
        Ok(Self { watched: Watched { crossing, function: None, direction, ends: terminal } })
    }

    fn __repr__(&self) -> String {
        let Watched { crossing, direction, ends, .. } = &self.watched;
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

/// A function of Python, `function(t, y)`, with the first exception that it raised. Behind that it is not called again.
pub(crate) struct Function {
    call: Py<PyAny>,
    raised: Mutex<Option<PyErr>>,
}

impl Function {
    /// The value at a state, for which the interpreter's lock is taken; NaN where there is an exception.
    fn value(&self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        if self.kept().is_some() {
            return f64::NAN;
        }
        let called = Python::attach(|py| {
            let y = vector(py, &[q, v].concat())?;
            self.call.bind(py).call1((t, y))?.extract::<f64>()
        });
        // The function may itself solve a motion with this event, so that nothing is locked while it runs.
        called.unwrap_or_else(|error| {
            *self.kept() = Some(error);
            f64::NAN
        })
    }

    fn kept(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The exception that it raised.
    pub(crate) fn raised(&self) -> Option<PyErr> {
        self.kept().take()
    }
}

/// The events of a motion, and the functions of Python among them.
#[derive(Default)]
pub(crate) struct Events {
    pub(crate) watched: Vec<Watched>,
    pub(crate) functions: Vec<Arc<Function>>,
}

impl Events {
    /// Reads the argument `events`: an event, the name of a quantity that crosses 0, a function, or a list of these.
    pub(crate) fn new(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut events = Self::default();
        if events.add(given)? {
            return Ok(events);
        }
        let refused = || {
            PyTypeError::new_err(
                "events takes an Event, the name of a quantity that crosses 0, a function of t and y, or a list of them: \
                 events=[\"theta\", Event(\"theta_dot\", 1.0, direction=1, terminal=True), lambda t, y: y[0] - 1]",
            )
        };
        for item in given.try_iter().map_err(|_| refused())? {
            if !events.add(&item?)? {
                return Err(refused());
            }
        }
        Ok(events)
    }

    /// Adds an event; returns whether it is one.
    fn add(&mut self, given: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(event) = given.cast::<Event>() {
            self.watched.push(event.get().watched.clone());
        } else if let Ok(name) = given.extract::<String>() {
            self.watched.push(Event::new(&name, 0.0, 0, false)?.watched);
        } else if given.is_callable() {
            self.add_function(given)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Adds a function with the attributes `terminal` and `direction` that SciPy reads.
    fn add_function(&mut self, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let name = match given.getattr_opt("__name__")? {
            Some(name) => name.str()?.to_string(),
            None => given.str()?.to_string(),
        };
        let number = |attribute: &str| -> PyResult<f64> {
            let value = given.getattr_opt(attribute)?.map_or(Ok(0.0), |value| value.extract::<f64>());
            value.map_err(|_| {
                PyTypeError::new_err(format!("the attribute {attribute} of the event `{name}` must be a number"))
            })
        };
        let (terminal, direction) = (number("terminal")?, number("direction")?);
        if terminal != 0.0 && terminal != 1.0 {
            return Err(PyValueError::new_err(format!(
                "the attribute terminal of the event `{name}` is {terminal}; a motion goes on (False) or ends at the first crossing (True)"
            )));
        }
        let function = Arc::new(Function { call: given.clone().unbind(), raised: Mutex::new(None) });
        let called = Arc::clone(&function);
        let label = format!("{name}=0");
        self.watched.push(Watched {
            crossing: Until { quantity: name, absolute: false, value: 0.0, label },
            function: Some(OwnFunction(Arc::new(move |t, q, v| called.value(t, q, v)))),
            direction: match direction {
                above if above > 0.0 => Direction::Rising,
                below if below < 0.0 => Direction::Falling,
                _ => Direction::Any,
            },
            ends: terminal != 0.0,
        });
        self.functions.push(function);
        Ok(())
    }
}
