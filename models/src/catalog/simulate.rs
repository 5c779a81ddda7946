//! A simulation of any mechanism by any method, compiled once for each shape.

use super::{MethodChoice, Request, RequestError};
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::Energies;
use std::ops::ControlFlow;

/// A state, with its energies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// The time.
    pub t: f64,
    /// q.
    pub q: &'a [f64],
    /// v.
    pub v: &'a [f64],
    /// T, V and h.
    pub energies: Energies<f64>,
}

/// How a simulation went.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The work.
    pub statistics: Statistics,
    /// The last time.
    pub t: f64,
    /// The last q.
    pub q: Vec<f64>,
    /// The last v.
    pub v: Vec<f64>,
    /// h at the start and at the end.
    pub energy: [f64; 2],
}

pub(super) fn run<const N: usize, const U: usize>(
    system: &dyn System<f64, N, 0, U>,
    initial: State<f64, N>,
    request: &Request,
    output: &mut dyn FnMut(&Sample<'_>) -> ControlFlow<()>,
) -> Result<Summary, RequestError> {
    let inputs = system.default_inputs();
    let energies = |state: &State<f64, N>| system.energies(state.t, &state.q, &state.v, &inputs);
    let give = |state: &State<f64, N>| {
        let State { t, q, v } = state;
        output(&Sample { t: *t, q: q.as_slice(), v: v.as_slice(), energies: energies(state) })
    };
    let times = request.times()?;
    let mut state = initial;
    let report = match &times {
        Some(times) => by_method(system, &mut state, request, &mut AtTimes::new(times, give)),
        None => by_method(system, &mut state, request, &mut EveryState(give)),
    };
    match report {
        Ok(report) => Ok(Summary {
            statistics: report.statistics,
            t: state.t,
            q: state.q.as_slice().to_vec(),
            v: state.v.as_slice().to_vec(),
            energy: [energies(&initial).energy, energies(&state).energy],
        }),
        Err(error) => Err(RequestError::Failed(error.to_string())),
    }
}

/// Gives a closure the initial state and that at every step's end.
struct EveryState<F>(F);

impl<F: FnMut(&State<f64, N>) -> ControlFlow<()>, const N: usize> Observer<f64, N> for EveryState<F> {
    fn start(&mut self, initial: &State<f64, N>) -> ControlFlow<()> {
        (self.0)(initial)
    }

    fn observe(&mut self, step: &StepView<f64, N>) -> ControlFlow<()> {
        (self.0)(&step.end)
    }
}

fn by_method<O: Observer<f64, N>, const N: usize, const U: usize>(
    system: &dyn System<f64, N, 0, U>,
    state: &mut State<f64, N>,
    request: &Request,
    observer: &mut O,
) -> Result<Report, SolveError<f64, N>> {
    let mut options = Options { max_steps: request.max_steps, ..Options::default() };
    let mut inputs = DefaultInputs::of(system);
    let t_end = request.t_end;
    match request.method {
        MethodChoice::Rk4 { step } => integrate(system, state, t_end, &Rk4::new(step), &options, &mut inputs, observer),
        MethodChoice::Verlet { step } => {
            integrate(system, state, t_end, &Verlet::new(step), &options, &mut inputs, observer)
        }
        MethodChoice::ImplicitMidpoint { step } => {
            integrate(system, state, t_end, &ImplicitMidpoint::new(step), &options, &mut inputs, observer)
        }
        MethodChoice::Rkf45 { rtol, atol, max_step } => {
            options.rtol = rtol.into();
            options.atol = atol.into();
            options.max_step = max_step;
            integrate(system, state, t_end, &Rkf45::new(), &options, &mut inputs, observer)
        }
    }
}
