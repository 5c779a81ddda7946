//! A simulation of any mechanism by any method, compiled once for each shape.

use super::adaptive::{paired, projected};
use super::structured::{composed, gauss, symmetric};
use super::{MethodChoice, Request, RequestError};
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::Energies;
use std::cell::RefCell;
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
    /// How it ended: [`Outcome::Stopped`] where the output broke it off.
    pub outcome: Outcome,
    /// The last time.
    pub t: f64,
    /// The last q.
    pub q: Vec<f64>,
    /// The last v.
    pub v: Vec<f64>,
    /// h at the start and at the end.
    pub energy: [f64; 2],
}

/// A way to simulate mechanisms of one shape.
pub(super) type Run<const N: usize, const C: usize, const U: usize> =
    fn(&dyn System<f64, N, C, U>, State<f64, N>, &Request, Receiver<'_>) -> Result<Summary, RequestError>;

/// What receives the states of a simulation that are asked for, and may break it off.
///
/// A closure `FnMut(&Sample) -> ControlFlow<()>` is one; `()` takes nothing.
pub trait Output {
    /// Called with each state asked for; `Break` ends the simulation.
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()>;

    /// Asked at every step, also where it is given no state: whether to end the simulation there.
    fn is_interrupted(&self) -> bool {
        false
    }
}

impl<F: FnMut(&Sample<'_>) -> ControlFlow<()>> Output for F {
    fn receive(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
        self(sample)
    }
}

impl Output for () {
    fn receive(&mut self, _: &Sample<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

type Receiver<'a> = &'a mut dyn Output;

/// Without constraints, by every method.
pub(super) fn free<const N: usize, const U: usize>(
    system: &dyn System<f64, N, 0, U>,
    initial: State<f64, N>,
    request: &Request,
    output: Receiver<'_>,
) -> Result<Summary, RequestError> {
    run(system, initial, request, output, by_any_method)
}

/// Under constraints, from a state that meets them, by every method but those for L = T(v) − V(q).
pub(super) fn constrained<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    initial: State<f64, N>,
    request: &Request,
    output: Receiver<'_>,
) -> Result<Summary, RequestError> {
    run(system, initial, request, output, by_projection)
}

/// The same where constraints are redundant.
pub(super) fn redundant<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    initial: State<f64, N>,
    request: &Request,
    output: Receiver<'_>,
) -> Result<Summary, RequestError> {
    /// An error of the position on its constraints, of some 1e-15 once it is projected, over the square of this is small.
    const TOLERANCE: f64 = 1e-4;
    constrained(&LeastNorm::new(system, TOLERANCE), initial, request, output)
}

/// An integration to the end that the request asks for.
type Integration<const N: usize, const C: usize, const U: usize> = fn(
    &dyn System<f64, N, C, U>,
    &mut State<f64, N>,
    &Request,
    &mut dyn Observer<f64, N>,
) -> Result<Report, SolveError<f64, N>>;

fn run<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    initial: State<f64, N>,
    request: &Request,
    output: Receiver<'_>,
    integration: Integration<N, C, U>,
) -> Result<Summary, RequestError> {
    let inputs = system.default_inputs();
    let energies = |state: &State<f64, N>| system.energies(state.t, &state.q, &state.v, &inputs);
    // Both observers of the integration ask it: the one that gives states, and the one that ends it.
    let output = RefCell::new(output);
    let give = |state: &State<f64, N>| {
        let State { t, q, v } = state;
        output.borrow_mut().receive(&Sample { t: *t, q: q.as_slice(), v: v.as_slice(), energies: energies(state) })
    };
    let end = EndWhen(|| output.borrow().is_interrupted());
    let times = request.times()?;
    let mut state = initial;
    let report = match &times {
        Some(times) => integration(system, &mut state, request, &mut (AtTimes::new(times, give), end)),
        None => integration(system, &mut state, request, &mut (EveryState(give), end)),
    };
    match report {
        Ok(report) => Ok(Summary {
            statistics: report.statistics,
            outcome: report.outcome,
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

/// Ends an integration at the first step at which a closure says so.
struct EndWhen<F>(F);

impl<F: Fn() -> bool, const N: usize> Observer<f64, N> for EndWhen<F> {
    fn wants(&self, _: u64, _: f64, _: f64) -> Wants {
        if (self.0)() { Wants::States } else { Wants::Nothing }
    }

    fn observe(&mut self, _: &StepView<f64, N>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// Any method.
fn by_any_method<const N: usize, const U: usize>(
    system: &dyn System<f64, N, 0, U>,
    state: &mut State<f64, N>,
    request: &Request,
    observer: &mut dyn Observer<f64, N>,
) -> Result<Report, SolveError<f64, N>> {
    let (options, mut inputs) = (options(request), DefaultInputs::of(system));
    let t_end = request.t_end;
    match request.method {
        MethodChoice::Rk4 { step } => integrate(system, state, t_end, &Rk4::new(step), &options, &mut inputs, observer),
        MethodChoice::Verlet { step } => {
            integrate(system, state, t_end, &Verlet::new(step), &options, &mut inputs, observer)
        }
        MethodChoice::SymplecticEuler { step } => {
            let method = SymplecticEuler::unproved(step);
            integrate(system, state, t_end, &method, &options, &mut inputs, observer)
        }
        MethodChoice::StormerVerlet { step, scheme } => {
            composed(system, state, t_end, StormerVerlet::unproved(step), scheme, &options, observer)
        }
        MethodChoice::Gauss { step, stages } => gauss(system, state, t_end, step, stages, &options, observer),
        MethodChoice::Symmetric { step, rule, scheme } => {
            symmetric(system, state, t_end, step, (rule, scheme), &options, observer)
        }
        MethodChoice::Adaptive { pair, .. } => paired(system, state, t_end, pair, &options, observer),
    }
}

/// A method that keeps (q, v), each of its steps projected, or one that takes constraints itself.
fn by_projection<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    state: &mut State<f64, N>,
    request: &Request,
    observer: &mut dyn Observer<f64, N>,
) -> Result<Report, SolveError<f64, N>> {
    let (options, mut inputs) = (options(request), DefaultInputs::of(system));
    let t_end = request.t_end;
    match request.method {
        MethodChoice::Rk4 { step } => {
            let method = Projected::new(Rk4::new(step));
            integrate(system, state, t_end, &method, &options, &mut inputs, observer)
        }
        MethodChoice::Verlet { step } => {
            let method = Projected::new(Verlet::new(step));
            integrate(system, state, t_end, &method, &options, &mut inputs, observer)
        }
        MethodChoice::Adaptive { pair, .. } => projected(system, state, t_end, pair, &options, observer),
        MethodChoice::Gauss { step, stages } => gauss(system, state, t_end, step, stages, &options, observer),
        MethodChoice::Symmetric { step, rule, scheme } => {
            symmetric(system, state, t_end, step, (rule, scheme), &options, observer)
        }
        MethodChoice::StormerVerlet { .. } => Err(refusal(system, state, "Störmer–Verlet")),
        MethodChoice::SymplecticEuler { .. } => Err(refusal(system, state, "symplectic Euler")),
    }
}

/// A method that takes no constraints.
pub(super) fn refusal<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    state: &State<f64, N>,
    method: &'static str,
) -> SolveError<f64, N> {
    SolveError {
        failure: Failure::NotApplicable { method, needs: "a mechanism without constraints" },
        state: *state,
        statistics: Statistics::default(),
        coordinates: system.coordinates(),
    }
}

/// The options of a request.
fn options<const N: usize>(request: &Request) -> Options<'static, f64, N> {
    let mut options = Options { max_steps: request.max_steps, ..Options::default() };
    if let MethodChoice::Adaptive { rtol, atol, max_step, .. } = request.method {
        options.rtol = rtol.into();
        options.atol = atol.into();
        options.max_step = max_step;
    }
    options
}
