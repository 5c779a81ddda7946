//! The gradient of one number by many parameters, computed backward along a motion.

mod jump;
mod step;

use super::AnalysisError;
use super::jump::{Slopes, change_at};
use super::sensitivity::values_of;
use super::without_contacts;
use crate::controller::DefaultInputs;
use crate::evaluator::Evaluator;
use crate::event::Event;
use crate::instant::{Cause, Instant};
use crate::method::{Lift, Method};
use crate::outcome::Outcome;
use crate::scalar::{Tape, Taped};
use crate::solution::Solution;
use crate::state::State;
use crate::system::{Mechanism, System};
use nalgebra::{DVector, SVector};
use std::string::ToString;
use std::vec::Vec;

/// The derivatives of a number J by the variables on which a motion depends.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient<const N: usize, const U: usize> {
    /// ∂J/∂q of the initial state.
    pub q: SVector<f64, N>,
    /// ∂J/∂v of the initial state.
    pub v: SVector<f64, N>,
    /// ∂J/∂(parameter), in the order of [`Mechanism::PARAMETERS`].
    pub parameters: DVector<f64>,
    /// ∂J/∂u of inputs that are constant in time, in the order of [`Mechanism::INPUTS`].
    pub inputs: SVector<f64, U>,
}

/// The gradient of J(x₀, x₁, …, x_n) by the initial state, all parameters and the inputs. J is a function of the states of
/// `solution`, which are those at the ends of its steps.
///
/// `slopes` gives (∂J/∂q_k, ∂J/∂v_k) of state k; for most states they are 0. The stored states serve as checkpoints. From the
/// last step to the first, each step x_(k+1) = Φ(x_k; p) is computed again on [`Taped`] numbers, and the transpose of its
/// derivative is applied:
///
/// ```text
/// λ_k = (∂Φ/∂x)ᵀ λ_(k+1) + ∂J/∂x_k,    ∂J/∂p = Σ (∂Φ/∂p)ᵀ λ_(k+1).
/// ```
///
/// So the gradient is exact for the steps that were made. It costs as much as 10 to 30 motions, however many parameters and
/// coordinates there are.
/// `method` is the one that made the solution by [`solve`](crate::solve::solve), without `t_eval` and with the default inputs.
/// An implicit method solves its equations by [`Iteration::Newton`](crate::method::Iteration::Newton) here, whatever iteration it has, because
/// the last iteration of Newton's method completes the derivatives. Each step is compared with the stored states, so that a solution that was
/// made otherwise is refused. For that reason [`Extrapolation`](crate::method::Extrapolation), whose order depends on the steps before, is
/// refused too.
///
/// # Events and switches
///
/// `events` are those of the options, as functions of [`Taped`] numbers, in the same order. A function that is written once for every type
/// of numbers, `fn floor<R: Real>() -> [Event<'static, R, 1>; 1]`, gives both. Where an event maps the state, its time varies with the motion.
/// Let h be its function, P its map, and f⁻ and f⁺ the rates ẋ before and after it. Then the variations before and after it, at a fixed time,
/// are related by
///
/// ```text
/// δt = −(h_x δx⁻ + h_p δp)/(h_t + h_x f⁻),
/// δx⁺ = P_x (δx⁻ + f⁻ δt) + P_t δt + P_p δp − f⁺ δt.
/// ```
///
/// The states before and after an event, and the last state where the integration ends at an event, are those at the event's
/// own time. So the gradient of the range of a projectile contains the change of the time of its fall. The step that an event
/// interrupts counts as a step that ends at the event; this differs from the method's interpolant by its error. Where an
/// acceleration jumps at a switch of the equations, the same formula holds with P = 1. Where a mode changes, h is the condition of the
/// change. P contains what the change assigns, and then what the further changes assign that it brings about.
///
/// # Under constraints
///
/// The initial state varies in all directions. Only the products of the gradient with directions that are tangent to the
/// constraints have a meaning. A derivative by a parameter keeps the initial state, even if it then breaks a constraint: add the
/// change of a state that must follow the parameter.
///
/// Sources: A. Griewank, A. Walther, *Evaluating Derivatives*, 2nd ed., 3.2; M. di Bernardo et al., *Piecewise-smooth Dynamical
/// Systems*, 2008, 2.5 (the derivative of an event's time).
///
/// # Errors
/// [`AnalysisError::NotApplicable`] for
/// - a solution with a step, an event or a change of a mode that `method` and `events` do not reproduce,
/// - several events that map the state at one time, or independent changes of modes, where no derivative exists,
/// - a start at which a mode is about to change,
/// - a mechanism with contacts, friction or constraints that modes switch.
///
/// [`AnalysisError::SingularMass`] and [`AnalysisError::NotFinite`] where a derivative does not exist, as where a motion touches an event's surface
/// without crossing it. [`AnalysisError::State`] with the failure of a step. [`AnalysisError::Prepare`].
///
/// ```
/// use lagrange_runtime::analysis::adjoint_gradient;
/// use lagrange_runtime::prelude::*;
///
/// #[lagrangian {
///     coordinates x;
///     kinetic = m*dot(x)^2/2;
///     potential = k*x^2/2;
/// }]
/// struct Oscillator {
///     m: f64,
///     k: f64,
/// }
///
/// let oscillator = Oscillator { m: 1.0, k: 4.0 };
/// let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
/// let start = State::new(0.0, [0.5], [0.0]);
/// let solution = solve(&oscillator.prepare::<f64>()?, start, 1.0, &Dop853::new(), &options)?;
/// // J = x(1).
/// let last = solution.len() - 1;
/// let one = SVector::from([1.0]);
/// let found = adjoint_gradient(&oscillator, &solution, &Dop853::new(), &[], |k, _| {
///     (if k == last { one } else { one * 0.0 }, one * 0.0)
/// })?;
/// assert!((found.q[0] - 2.0_f64.cos()).abs() < 1e-9);
/// assert!((found.parameters[1] + 0.5 * 2.0_f64.sin() / 4.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn adjoint_gradient<M, I, const N: usize, const C: usize, const U: usize>(
    mechanism: &M,
    solution: &Solution<f64, N, U>,
    method: &I,
    events: &[Event<'_, Taped, N>],
    mut slopes: impl FnMut(usize, &State<f64, N>) -> (SVector<f64, N>, SVector<f64, N>),
) -> Result<Gradient<N, U>, AnalysisError>
where
    M: Mechanism<N, C, U>,
    I: Lift,
    I::On<Taped>: Method<Taped, N, C>,
{
    let method = method.lift::<Taped>();
    let states: Vec<State<f64, N>> = solution.states().collect();
    let Some(last) = states.len().checked_sub(1) else { return Err(refused("a solution with states")) };
    let ending = match solution.outcome {
        Outcome::Event(event) => Some(event),
        _ => None,
    };
    let mut pass = Backward::new(mechanism, &method, events)?;
    // The derivatives of J, as a function of the motion from state `at` on, by the state there at a fixed time.
    let (mut at, mut sum) = (last, Slopes::zero());
    loop {
        let mut explicit = |k: usize| Slopes::from(slopes(k, &states[k]));
        let first = (0..at).rev().take_while(|&k| states[k].t == states[at].t).last().unwrap_or(at);
        let terminal = ending.filter(|_| at == last);
        if first < at || terminal.is_some() {
            let mut acts = pass.acts(solution, &states[first..=at])?;
            let others = pass.others(&acts);
            acts.extend(terminal.filter(|_| first == at).map(Act::Event));
            let by: Vec<Slopes<N>> = (first..=at).map(&mut explicit).collect();
            let onward = terminal.is_none().then_some(sum);
            sum = pass.jump((&acts, &others), (&states[first..=at], &by), (onward, first > 0))?;
            at = first;
        } else {
            sum += explicit(at);
        }
        if at == 0 {
            let opening = opening(solution, &states[0]);
            if let [_, _, ..] = opening[..] {
                let acts = pass.acts(solution, &opening)?;
                let mut by = std::vec![Slopes::zero(); opening.len()];
                by[opening.len() - 1] = sum;
                sum = pass.jump((&acts, &[]), (&opening, &by), (None, false))?;
            }
            return pass.finish(sum);
        }
        let ends_at = |instant: &Instant<f64, N>| {
            let interrupts = match instant.cause {
                Cause::Event(index) => events.get(index).is_some_and(Event::interrupts),
                Cause::Mode(_) => true,
                _ => false,
            };
            interrupts && instant.before == states[at]
        };
        let switches: Vec<usize> =
            solution.instants.iter().filter_map(|instant| switch_at(instant, &states[at])).collect();
        let what = (solution.instants.iter().any(ends_at), switches.as_slice());
        sum = pass.step((&states[at - 1], &states[at]), sum, what)?;
        at -= 1;
    }
}

/// What maps the state at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    /// The event of this index.
    Event(usize),
    /// The change of a mode with this index.
    Change(usize),
}

/// The states through which changes of modes lead from the initial state to the first one of a solution, both included.
fn opening<const N: usize, const U: usize>(
    solution: &Solution<f64, N, U>,
    first: &State<f64, N>,
) -> Vec<State<f64, N>> {
    let mut states = Vec::new();
    for instant in solution.instants.iter().take_while(|instant| matches!(instant.cause, Cause::Mode(_))) {
        if states.last() == Some(first) || instant.before.t != first.t || states.is_empty() && instant.before == *first
        {
            break;
        }
        if states.is_empty() {
            states.push(instant.before);
        }
        states.push(instant.after);
    }
    if states.last() == Some(first) { states } else { Vec::new() }
}

/// The index of the switching function whose sign changed at an instant, if this is where the motion went on from `state`.
fn switch_at<const N: usize>(instant: &Instant<f64, N>, state: &State<f64, N>) -> Option<usize> {
    match instant.cause {
        Cause::Switch(index) if instant.before == *state => Some(index),
        _ => None,
    }
}

fn refused(needs: &str) -> AnalysisError {
    AnalysisError::NotApplicable { analysis: "an adjoint gradient", needs: needs.to_string() }
}

/// A pass backward along a motion.
struct Backward<'a, M: Mechanism<N, C, U>, I, const N: usize, const C: usize, const U: usize> {
    tape: Tape,
    /// The operations that prepare the mechanism.
    mark: usize,
    parameters: Vec<Taped>,
    inputs: SVector<Taped, U>,
    system: M::Prepared<Taped>,
    values: M::Prepared<f64>,
    method: &'a I,
    events: &'a [Event<'a, Taped, N>],
}

impl<'a, M, I, const N: usize, const C: usize, const U: usize> Backward<'a, M, I, N, C, U>
where
    M: Mechanism<N, C, U>,
    I: Method<Taped, N, C>,
{
    fn new(mechanism: &M, method: &'a I, events: &'a [Event<'a, Taped, N>]) -> Result<Self, AnalysisError> {
        let tape = Tape::new();
        let parameters: Vec<Taped> =
            values_of(mechanism, M::PARAMETERS)?.into_iter().map(|value| tape.variable(value)).collect();
        let inputs = values_of(mechanism, &M::INPUTS)?;
        let inputs = SVector::from_fn(|k, _| tape.variable(inputs[k]));
        let system = M::prepare_from::<Taped>(&parameters, &inputs)?;
        let values = mechanism.prepare::<f64>()?;
        without_contacts(&values, "a gradient")?;
        Ok(Self { mark: Tape::length(), tape, parameters, inputs, system, values, method, events })
    }

    /// What maps each of these states, which are those of one time, to the next.
    fn acts(&self, solution: &Solution<f64, N, U>, states: &[State<f64, N>]) -> Result<Vec<Act>, AnalysisError> {
        let mut found = Vec::new();
        for pair in states.windows(2) {
            let is_between = |instant: &&Instant<f64, N>| [instant.before, instant.after] == *pair;
            let act = solution.instants.iter().find(is_between).and_then(|instant| self.act(instant, states, &found));
            found.push(
                act.ok_or_else(|| refused("a solution whose instants lead from each state to the next at one time"))?,
            );
        }
        if found.iter().filter(|act| matches!(act, Act::Event(_))).count() > 1 {
            return Err(refused("events that map the state one at a time"));
        }
        Ok(found)
    }

    /// All changes of modes other than the `acts`.
    fn others(&self, acts: &[Act]) -> Vec<Act> {
        (0..self.values.changes().len()).map(Act::Change).filter(|act| !acts.contains(act)).collect()
    }

    /// The act that an instant reports. `states` are the states at the time of the instant, and `known` the acts that were found before this one.
    fn act(&self, instant: &Instant<f64, N>, states: &[State<f64, N>], known: &[Act]) -> Option<Act> {
        let mut controller = DefaultInputs::of(&self.values);
        let mut evaluator = Evaluator::new(&self.values, &mut controller);
        match instant.cause {
            Cause::Event(index) => Some(Act::Event(index)),
            Cause::Mode(mode) => {
                let places = [states.first()?, &instant.before, &instant.after];
                change_at::<_, N, C>(&mut evaluator, mode, places, |index| known.contains(&Act::Change(index)))
                    .map(Act::Change)
            }
            _ => None,
        }
    }

    /// The gradient, once the derivatives by the initial state are known.
    fn finish(mut self, sum: Slopes<N>) -> Result<Gradient<N, U>, AnalysisError> {
        self.tape.sweep(0);
        let Self { tape, parameters, inputs, .. } = &mut self;
        let parameters = DVector::from_iterator(parameters.len(), parameters.iter().map(|&each| tape.adjoint(each)));
        let gradient = Gradient { q: sum.q, v: sum.v, parameters, inputs: inputs.map(|each| tape.adjoint(each)) };
        let entries = gradient.q.iter().chain(gradient.v.iter()).chain(gradient.parameters.iter());
        match entries.chain(gradient.inputs.iter()).all(|entry| entry.is_finite()) {
            true => Ok(gradient),
            false => Err(AnalysisError::NotFinite { quantity: "the gradient of the motion".to_string() }),
        }
    }

    /// A state whose components are new variables.
    fn variables(&self, state: &State<f64, N>) -> State<Taped, N> {
        let variable = |value: f64| self.tape.variable(value);
        State { t: Taped::constant(state.t), q: state.q.map(variable), v: state.v.map(variable) }
    }

    /// Adds derivatives of J by a state.
    fn add(&mut self, state: &State<Taped, N>, slopes: &Slopes<N>) {
        for (&component, &slope) in state.q.iter().chain(&state.v).zip(slopes.q.iter().chain(&slopes.v)) {
            self.tape.add(component, slope);
        }
    }

    /// Carries the derivatives of J back to `start`, and forgets the operations after it.
    fn carry(&mut self, start: &State<Taped, N>) -> Slopes<N> {
        self.tape.sweep(self.mark);
        let q = start.q.map(|component| self.tape.adjoint(component));
        let v = start.v.map(|component| self.tape.adjoint(component));
        self.tape.rewind(self.mark);
        Slopes { q, v }
    }
}
