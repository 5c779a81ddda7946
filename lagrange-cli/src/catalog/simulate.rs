//! A simulation of any mechanism by any method, compiled once for each shape.

use super::integration::Integration;
use super::method;
use super::{Request, RequestError};
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
    run(system, initial, request, output, method::free)
}

/// Under constraints, from a state that meets them, by every method but those for L = T(v) − V(q).
pub(super) fn constrained<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    initial: State<f64, N>,
    request: &Request,
    output: Receiver<'_>,
) -> Result<Summary, RequestError> {
    run(system, initial, request, output, method::constrained)
}

/// As [`constrained`], where constraints are redundant.
pub(super) fn redundant<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    initial: State<f64, N>,
    request: &Request,
    output: Receiver<'_>,
) -> Result<Summary, RequestError> {
    /// A projected position errs by about 1e-15; divided by the square of this tolerance, that error is still small.
    const TOLERANCE: f64 = 1e-4;
    constrained(&LeastNorm::new(system, TOLERANCE), initial, request, output)
}

/// Integrates to the end that the request asks for, by the method that it asks for.
type Integrate<const N: usize, const C: usize, const U: usize> =
    fn(Integration<'_, '_, N, C, U>) -> Result<Report, SolveError<f64, N>>;

fn run<const N: usize, const C: usize, const U: usize>(
    system: &dyn System<f64, N, C, U>,
    initial: State<f64, N>,
    request: &Request,
    output: Receiver<'_>,
    integrate: Integrate<N, C, U>,
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
    let observer: &mut dyn Observer<f64, N> = match &times {
        Some(times) => &mut (AtTimes::new(times, give), end),
        None => &mut (EveryState(give), end),
    };
    let report = integrate(Integration { system, state: &mut state, request, observer });
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
