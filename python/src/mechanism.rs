//! A mechanism with its parameters.

use crate::arguments::{self, Asked, Values};
use crate::array::{numbers, vector};
use crate::equilibrium::Equilibrium;
use crate::error::{failed, in_arguments, refused};
use crate::linearization::Linearization;
use crate::record::{Record, Recorder};
use crate::signals::Signals;
use crate::solution::Solution;
use crate::{fit, sweep};
use lagrange_cli::catalog::{FailedRun, MethodChoice, Model, Request, RequestError, States};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

/// The mechanism of a catalogue behind a class.
#[pyclass(frozen)]
pub(crate) struct ModelOf(pub(crate) &'static dyn Model);

/// The attribute of a class that has its [`ModelOf`].
pub(crate) const MODEL: &str = "_model";

/// What all mechanisms have. Each class of the module is one mechanism, which a call makes with other parameters.
#[pyclass(frozen, subclass)]
pub(crate) struct Mechanism {
    pub(crate) model: &'static dyn Model,
    /// The parameters and inputs that differ from the published ones.
    pub(crate) set: Values,
}

impl Mechanism {
    /// Simulates without the interpreter's lock, which events that are functions of Python take for themselves.
    fn run<'py>(&self, py: Python<'py>, Asked { request, functions }: &Asked) -> PyResult<Bound<'py, Solution>> {
        let (Recorder { record, signals }, result) = py.detach(|| {
            let mut recorder = Recorder { record: Record::new(request.watched.len()), signals: Signals::new() };
            let result = self.model.simulate(request, &mut recorder);
            (recorder, result)
        });
        if let Some(raised) = functions.iter().find_map(|function| function.raised()) {
            return Err(raised);
        }
        signals.result()?;
        match result {
            Ok(summary) => Bound::new(py, Solution::new((self.model, request), record, summary, None)),
            Err(RequestError::Failed(FailedRun { text, last: Some(summary) })) => {
                let text = in_arguments(&text);
                let partial = Solution::new((self.model, request), record, *summary, Some(&text));
                Err(failed(text, Some(Bound::new(py, partial)?)))
            }
            Err(error) => Err(refused(&error)),
        }
    }

    /// A request about the state at a time, without a motion.
    pub(crate) fn at(
        &self,
        t: f64,
        q0: Option<&Bound<'_, PyAny>>,
        v0: Option<&Bound<'_, PyAny>>,
        project: bool,
    ) -> PyResult<Request> {
        let asked = arguments::request(self.model, &self.set, (t, t + 1.0), [q0, v0], None)?;
        Ok(Request { project, ..asked.request })
    }

    /// The names of the inputs.
    fn inputs(&self) -> Vec<&'static str> {
        self.model.parameters().iter().filter(|parameter| parameter.input).map(|input| input.name).collect()
    }
}

#[pymethods]
impl Mechanism {
    #[new]
    #[classmethod]
    #[pyo3(signature = (**parameters))]
    fn new(class: &Bound<'_, PyType>, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let Ok(found) = class.getattr(MODEL) else {
            return Err(PyTypeError::new_err(
                "Mechanism is what all mechanisms have; make one by its own class, which `catalogue()` lists",
            ));
        };
        let model = found.cast::<ModelOf>()?.get().0;
        let mechanism = Self { model, set: arguments::parameters(model, parameters)? };
        model.check(&mechanism.at(0.0, None, None, false)?).map_err(|error| refused(&error))?;
        Ok(mechanism)
    }

    /// solve(t_span, q0=None, v0=None, *, t_eval=None, **integration)
    /// --
    ///
    /// Integrates over t_span = (start, end), two numbers of any sequence, and returns a `Solution`.
    ///
    /// `q0` and `v0` are the initial coordinates and velocities, behind which stand the quantities of `state` statements: one number
    /// for each, or a dictionary by names; what they do not give has its published value. Under constraints the values that are
    /// given stay where they can, and `Solution.moved` has what moved. `t_eval` has the times of the states, by default the ends of
    /// all steps. The other keyword arguments are those of `integration_arguments()`.
    ///
    /// ValueError and TypeError refuse arguments. Failure says why a motion ended, and has it in `partial`. Ctrl-C ends a motion, as every
    /// handler of a signal that raises.
    #[pyo3(signature = (t_span, q0 = None, v0 = None, *, t_eval = None, **integration))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        t_span: &Bound<'py, PyAny>,
        q0: Option<&Bound<'py, PyAny>>,
        v0: Option<&Bound<'py, PyAny>>,
        t_eval: Option<&Bound<'py, PyAny>>,
        integration: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Solution>> {
        let mut asked = arguments::request(self.model, &self.set, arguments::span(t_span)?, [q0, v0], integration)?;
        if let Some(times) = t_eval.filter(|times| !times.is_none()) {
            asked.request.states = States::At(numbers(times)?);
        }
        self.run(py, &asked)
    }

    /// rhs(t, y)
    /// --
    ///
    /// dy/dt of y, the coordinates, the velocities and the quantities of `state` statements, for other solvers:
    /// `scipy.integrate.solve_ivp(pendulum.rhs, (0, 10), y0)`.
    ///
    /// Inputs keep their values. Constraints hold for the accelerations alone, so that the errors of the solver lead off them. A
    /// mechanism with contacts, sticking friction or modes is refused, because its rate depends on what happened before.
    fn rhs<'py>(&self, py: Python<'py>, t: f64, y: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let y = numbers(y)?;
        let (q, v) = y.split_at(self.model.coordinates().len().min(y.len()));
        let request = self.at(0.0, None, None, false)?;
        let rate = self.model.rate(&request, t, q, v).map_err(|error| refused(&error))?;
        vector(py, &[rate.q, rate.v].concat())
    }

    /// initial()
    /// --
    ///
    /// The published start as one array y: the coordinates, the velocities, and then the quantities of `state` statements.
    fn initial<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (q, v) = self.model.initial();
        vector(py, &[q, v].concat())
    }

    /// linearize(q0=None, v0=None, *, t=0.0, project=False)
    /// --
    ///
    /// The equations linearised at a state, which is given as in `solve`: a `Linearization`.
    #[pyo3(signature = (q0 = None, v0 = None, *, t = 0.0, project = false))]
    fn linearize<'py>(
        &self,
        py: Python<'py>,
        q0: Option<&Bound<'py, PyAny>>,
        v0: Option<&Bound<'py, PyAny>>,
        t: f64,
        project: bool,
    ) -> PyResult<Bound<'py, Linearization>> {
        let request = self.at(t, q0, v0, project)?;
        let found = py.detach(|| self.model.linearise(&request)).map_err(|error| refused(&error))?;
        Bound::new(py, Linearization { found, inputs: self.inputs() })
    }

    /// equilibrium(q0=None, *, t=0.0, project=False)
    /// --
    ///
    /// The equilibrium that a search from q0 finds, and the linear motion about it: an `Equilibrium`.
    #[pyo3(signature = (q0 = None, *, t = 0.0, project = false))]
    fn equilibrium<'py>(
        &self,
        py: Python<'py>,
        q0: Option<&Bound<'py, PyAny>>,
        t: f64,
        project: bool,
    ) -> PyResult<Bound<'py, Equilibrium>> {
        let request = self.at(t, q0, None, project)?;
        let found = py.detach(|| self.model.analyse(&request)).map_err(|error| refused(&error))?;
        Bound::new(py, Equilibrium { found, inputs: self.inputs() })
    }

    /// sweep(t_span, vary, q0=None, v0=None, *, threads=0, **integration)
    /// --
    ///
    /// Integrates many motions by several threads, without the interpreter's lock, and returns their ends: a `Sweep`.
    ///
    /// `vary` has an array for each name of a parameter, an input, an initial coordinate or an initial velocity; the k-th motion has
    /// the k-th entry of each. `threads=0` stands for all cores; no digit depends on it. The rest is as in `solve`. A motion that
    /// fails has the status -1 and its message, and the others go on.
    #[pyo3(signature = (t_span, vary, q0 = None, v0 = None, *, threads = 0, **integration))]
    #[allow(clippy::too_many_arguments, reason = "they are the keyword arguments of a call in Python")]
    fn sweep<'py>(
        &self,
        py: Python<'py>,
        t_span: &Bound<'py, PyAny>,
        vary: &Bound<'py, PyDict>,
        q0: Option<&Bound<'py, PyAny>>,
        v0: Option<&Bound<'py, PyAny>>,
        threads: usize,
        integration: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, sweep::Sweep>> {
        let Asked { request, functions } =
            arguments::request(self.model, &self.set, arguments::span(t_span)?, [q0, v0], integration)?;
        if !functions.is_empty() {
            return Err(PyTypeError::new_err(
                "sweep takes no functions of Python as events, for which its threads would wait for each other; an Event takes the name of \
                 a quantity, or of an `output` of the mechanism",
            ));
        }
        sweep::run(py, self.model, &request, vary, threads)
    }

    /// fit(t, data, vary, q0=None, v0=None, *, deviation=None, rtol=1e-9, project=False)
    /// --
    ///
    /// Parameters, inputs and initial values that fit a recording: a `Fit`.
    ///
    /// `t` has the times from 0 on, `data` an array for each measured coordinate, velocity, state or output, and `vary` the names of what is
    /// estimated; the search starts at the values of this mechanism, `q0` and `v0`. `deviation` has the standard deviation of one
    /// measurement for each name; without it, it is that of the residuals.
    #[pyo3(signature = (t, data, vary, q0 = None, v0 = None, *, deviation = None, rtol = 1e-9, project = false))]
    #[allow(clippy::too_many_arguments, reason = "they are the keyword arguments of a call in Python")]
    fn fit<'py>(
        &self,
        py: Python<'py>,
        t: &Bound<'py, PyAny>,
        data: &Bound<'py, PyDict>,
        vary: Vec<String>,
        q0: Option<&Bound<'py, PyAny>>,
        v0: Option<&Bound<'py, PyAny>>,
        deviation: Option<std::collections::BTreeMap<String, f64>>,
        rtol: f64,
        project: bool,
    ) -> PyResult<Bound<'py, fit::Fit>> {
        let request = Request { method: MethodChoice::automatic(), ..self.at(0.0, q0, v0, project)? };
        fit::run(py, self.model, &request, (&numbers(t)?, data, vary), (deviation.unwrap_or_default(), rtol))
    }

    /// The parameters and inputs with their values.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for parameter in self.model.parameters() {
            let given = self.set.iter().find(|(name, _)| name == parameter.name);
            values.set_item(parameter.name, given.map_or(parameter.default, |(_, value)| *value))?;
        }
        Ok(values)
    }

    /// The names of the coordinates.
    #[getter]
    fn coordinates(&self) -> Vec<&'static str> {
        self.model.coordinates().to_vec()
    }

    /// The names of the rows of y: the coordinates, the velocities, and the quantities of `state` statements.
    #[getter]
    fn components(&self) -> Vec<String> {
        let components = self.model.components();
        components.coordinates().iter().map(|name| (*name).to_owned()).chain(components.velocities()).collect()
    }

    /// The names of the components of the outputs.
    #[getter]
    fn outputs(&self) -> Vec<&'static str> {
        self.model.outputs().to_vec()
    }

    /// The names of the constraints, in the order of the multipliers.
    #[getter]
    fn constraints(&self) -> Vec<&'static str> {
        self.model.constraints().to_vec()
    }

    /// The derived equations as LaTeX.
    #[getter]
    fn equations_latex(&self) -> &'static str {
        self.model.equations_latex()
    }

    /// The derived equations as text.
    #[getter]
    fn equations_text(&self) -> &'static str {
        self.model.equations_text()
    }

    /// The block from which the equations are derived.
    #[getter]
    fn block(&self) -> &'static str {
        self.model.block()
    }

    /// What Jupyter shows.
    fn _repr_latex_(&self) -> String {
        format!("$$\n{}\n$$", self.model.equations_latex().trim())
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let values: Vec<String> =
            slf.get().parameters(slf.py())?.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Ok(format!("{}({})", slf.get_type().name()?, values.join(", ")))
    }
}
