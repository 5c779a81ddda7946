//! Derivatives of a motion by its initial state, parameters and inputs.

mod along;

use super::AnalysisError;
use super::matrix::finite;
use super::state_space::SampledSpace;
use super::tangent::TangentBasis;
use super::{demand, without_friction, without_kept_values};
use crate::controller::{Controller, DefaultInputs};
use crate::method::{Method, OnDuals};
use crate::options::{AnyOptions, Options};
use crate::scalar::{Dual, Scalar};
use crate::state::State;
use crate::stepper::Stepper;
use crate::system::{Mechanism, System};
use nalgebra::{DMatrix, SVector};
use std::string::{String, ToString};
use std::vec::Vec;

/// A variable on which a motion depends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Variable<const N: usize> {
    /// The initial value of the coordinate of this index.
    Coordinate(usize),
    /// The initial velocity of the coordinate of this index.
    Velocity(usize),
    /// The initial state along this direction. Under constraints, the direction must be tangent to them.
    Direction {
        /// The change of q.
        q: SVector<f64, N>,
        /// The change of v.
        v: SVector<f64, N>,
    },
    /// The parameter of this index in [`Mechanism::PARAMETERS`].
    Parameter(usize),
    /// The parameter of this index, with an initial state that follows it: that of a constraint which contains the parameter, for example.
    /// The derivative is the total one, by the parameter and along this change of the start.
    Following {
        /// The index in [`Mechanism::PARAMETERS`].
        parameter: usize,
        /// The change of q, over that of the parameter.
        q: SVector<f64, N>,
        /// The change of v, over that of the parameter.
        v: SVector<f64, N>,
    },
    /// The default value of the input of this index, which is constant in time.
    Input(usize),
}

impl<const N: usize> Variable<N> {
    /// The variable of this name: a coordinate `x`, its velocity `dot(x)`, a state `z`, a parameter or an input. The initial value
    /// of a state is a [`Variable::Velocity`].
    ///
    /// # Errors
    /// [`AnalysisError::UnknownName`] with the names that exist.
    pub fn named<M, const C: usize, const U: usize>(_mechanism: &M, name: &str) -> Result<Self, AnalysisError>
    where
        M: Mechanism<N, C, U>,
    {
        let index = |names: &[&str], name: &str| names.iter().position(|known| *known == name);
        let velocity = name.strip_prefix("dot(").and_then(|rest| rest.strip_suffix(')'));
        let own = N.saturating_sub(M::STATES);
        let coordinate = |index: usize| if index < own { Self::Coordinate(index) } else { Self::Velocity(index) };
        let coordinates = M::COORDINATES.get(..own).unwrap_or_default();
        let found = (index(&M::COORDINATES, name).map(coordinate))
            .or_else(|| velocity.and_then(|name| index(coordinates, name)).map(Self::Velocity))
            .or_else(|| index(M::PARAMETERS, name).map(Self::Parameter))
            .or_else(|| index(&M::INPUTS, name).map(Self::Input));
        found.ok_or_else(|| AnalysisError::UnknownName {
            kind: "variable",
            name: name.to_string(),
            known: M::COORDINATES.iter().chain(M::PARAMETERS).chain(&M::INPUTS).map(ToString::to_string).collect(),
        })
    }

    /// Whether a mechanism with so many parameters and inputs has the variable.
    fn exists(&self, parameters: usize, inputs: usize) -> bool {
        match *self {
            Self::Coordinate(index) | Self::Velocity(index) => index < N,
            Self::Parameter(index) | Self::Following { parameter: index, .. } => index < parameters,
            Self::Input(index) => index < inputs,
            Self::Direction { .. } => true,
        }
    }

    /// The index of the parameter that varies.
    fn parameter(&self) -> Option<usize> {
        match *self {
            Self::Parameter(index) | Self::Following { parameter: index, .. } => Some(index),
            Self::Coordinate(_) | Self::Velocity(_) | Self::Direction { .. } | Self::Input(_) => None,
        }
    }

    /// The coordinates and the velocities, in this order.
    #[must_use]
    pub fn states() -> Vec<Self> {
        (0..N).map(Self::Coordinate).chain((0..N).map(Self::Velocity)).collect()
    }

    /// The directions (δq, δv) in the columns of a matrix of 2N rows.
    pub(crate) fn directions(columns: &DMatrix<f64>) -> Vec<Self> {
        let part = |first: usize, k: usize| SVector::from_fn(|i, _| columns[(first + i, k)]);
        (0..columns.ncols()).map(|k| Self::Direction { q: part(0, k), v: part(N, k) }).collect()
    }
}

/// A motion at some times, with its derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivities<const N: usize> {
    /// The states.
    pub states: Vec<State<f64, N>>,
    /// For each state ∂(q, v)/∂(variables): 2N rows, q first, and a column for each variable.
    pub derivatives: Vec<DMatrix<f64>>,
}

/// The motion from `initial` at the `times`, with its derivatives by `variables`. The times are in order, and after or before
/// that of `initial`.
///
/// The method itself runs on dual numbers, with [`DERIVATIVES`](crate::method::DERIVATIVES) variables in each run, or with the number of
/// [`with_width`](crate::method::Lift::with_width). So the derivatives are exact for the method's own result, not for the equations.
///
/// An implicit method solves its equations by [`Iteration::Newton`](crate::method::Iteration::Newton) here, whatever iteration it has. Its
/// last iteration completes the derivatives; other iterations end when the motion has converged, and the derivatives may not have.
///
/// Step control judges the error of the motion and those of the derivatives, also where the motion rests. A derivative has the unit of its
/// component over that of its variable. It is judged by the relative tolerance, and by what the derivatives by its variable have reached; the
/// absolute tolerance does not count. An error that the rounding of the accelerations explains is accepted. So a change of units changes the derivatives by the units alone.
///
/// The inputs are the defaults; [`sensitivities_with`] takes a controller. The option `t_eval` is set to `times`. Events may map the state.
///
/// # Where the motion jumps
///
/// At a switch of the equations, an event that maps the state, a change of a mode, or an impact, the derivatives jump too. The motion meets
/// h(t, x, p) = 0 with the rate f⁻ and leaves it with the rate f⁺, after a map P:
///
/// ```text
/// δt = −(h_x δx⁻ + h_p δp)/(h_t + h_x f⁻),
/// δx⁺ = P_x (δx⁻ + f⁻ δt) + P_t δt + P_p δp − f⁺ δt.
/// ```
///
/// Where h is the condition of a change of a mode, P contains all that the change brings about at its time: further changes, and the impacts of
/// constraints that are switched on. A mode whose initial value is a variable keeps the varied value until a change assigns another.
///
/// If several independent jumps meet at one time, no derivative exists. A motion that touches a surface within its tolerances may as well cross it.
/// Both are errors, and so is a start at which a mode is about to change. Mechanisms with the statement `friction`, or with friction at contacts, are
/// refused, because a contact that sticks is another system than one that slips.
///
/// Sources: A. Griewank, A. Walther, *Evaluating Derivatives*, 2nd ed., 3.1; M. di Bernardo et al., *Piecewise-smooth Dynamical Systems*,
/// 2008, 2.5.
///
/// # Errors
/// [`AnalysisError::State`] with the failure of the integration, [`AnalysisError::Prepare`], or [`AnalysisError::NotFinite`].
/// [`AnalysisError::NotApplicable`] for a mechanism with friction, for switches without the option `locate_switches`, for an event that ends
/// the motion before the last time, and where several jumps at one time, a touch without a crossing, or a start at a jump leave no derivative.
/// [`AnalysisError::UnknownName`] for a variable that does not exist.
///
/// ```
/// use lagrange_runtime::analysis::{Variable, sensitivities};
/// use lagrange_runtime::prelude::*;
/// use lagrange_runtime::scalar::Dual;
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
/// let variables = ["x", "k"].map(|name| Variable::named(&oscillator, name).unwrap());
/// let method = Rk4::new(1e-3);
/// let start = State::new(0.0, [0.5], [0.0]);
/// let found = sensitivities(&oscillator, &start, &[1.0], &method, &Options::default(), &variables)?;
/// // x = x₀ cos ωt with ω = √(k/m): ∂x/∂x₀ = cos ωt, ∂x/∂k = −x₀ t sin ωt/(2 √(k m)).
/// assert!((found.derivatives[0][(0, 0)] - 2.0_f64.cos()).abs() < 1e-11);
/// assert!((found.derivatives[0][(0, 1)] + 0.5 * 2.0_f64.sin() / 4.0).abs() < 1e-11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sensitivities<'o, M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
    mechanism: &M,
    initial: &State<f64, N>,
    times: &[f64],
    method: &I,
    options: &impl AnyOptions<'o, Dual<f64, W>, N>,
    variables: &[Variable<N>],
) -> Result<Sensitivities<N>, AnalysisError>
where
    M: Mechanism<N, C, U>,
    I: OnDuals<N, C, W>,
{
    sensitivities_with(mechanism, initial, times, method, options, variables, DefaultInputs::of)
}

/// Like [`sensitivities`], but with the inputs of a controller. `controller` makes one for each run, from the mechanism in dual
/// numbers.
///
/// The derivatives include those through the controller. A sampled controller keeps its inputs as dual numbers between samples.
/// The seven arguments are those of [`sensitivities`] and the controller.
///
/// # Errors
/// Those of [`sensitivities`].
///
/// ```
/// use lagrange_runtime::analysis::{Variable, sensitivities_with};
/// use lagrange_runtime::controller::Sampled;
/// use lagrange_runtime::method::DERIVATIVES;
/// use lagrange_runtime::prelude::*;
/// use lagrange_runtime::scalar::Dual;
///
/// #[lagrangian {
///     coordinates x;
///     kinetic = m*dot(x)^2/2;
///     force x = push;
/// }]
/// struct Slider {
///     m: f64,
///     #[input]
///     push: f64,
/// }
///
/// type Number = Dual<f64, DERIVATIVES>;
///
/// // A brake that is computed every 0.1 s: u = −c v with c = 1 N s/m.
/// let brake = |_: &_| {
///     let law = |_: Number, _: &SVector<Number, 1>, v: &SVector<Number, 1>| -v;
///     Sampled::new(Number::constant(0.1), law)
/// };
/// let (slider, start) = (Slider { m: 2.0, push: 0.0 }, State::new(0.0, [0.0], [3.0]));
/// let (method, options) = (Dop853::new(), SharedOptions::default());
/// let found = sensitivities_with(&slider, &start, &[1.0], &method, &options, &[Variable::Velocity(0)], brake)?;
/// // Each sample leaves 1 − 0.1 c/m of the velocity.
/// assert!((found.derivatives[0][(1, 0)] - 0.95_f64.powi(10)).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sensitivities_with<'o, M, I, K, const N: usize, const C: usize, const U: usize, const W: usize>(
    mechanism: &M,
    initial: &State<f64, N>,
    times: &[f64],
    method: &I,
    options: &impl AnyOptions<'o, Dual<f64, W>, N>,
    variables: &[Variable<N>],
    controller: impl Fn(&M::Prepared<Dual<f64, W>>) -> K,
) -> Result<Sensitivities<N>, AnalysisError>
where
    M: Mechanism<N, C, U>,
    I: OnDuals<N, C, W>,
    K: Controller<Dual<f64, W>, N, U>,
{
    let (method, options) = (&method.on_duals(), &options.options());
    let motion = Motion { mechanism, initial, times, method, options };
    Ok(motion.derivatives(variables, controller)?.0)
}
/// A motion to be differentiated.
pub(super) struct Motion<'a, M, I, const N: usize, const W: usize> {
    pub(super) mechanism: &'a M,
    pub(super) initial: &'a State<f64, N>,
    pub(super) times: &'a [f64],
    pub(super) method: &'a I,
    pub(super) options: &'a Options<'a, Dual<f64, W>, N>,
}

impl<M, I, const N: usize, const W: usize> Motion<'_, M, I, N, W> {
    /// The derivatives, and the times at which they jump.
    pub(super) fn derivatives<K, const C: usize, const U: usize>(
        &self,
        variables: &[Variable<N>],
        controller: impl Fn(&M::Prepared<Dual<f64, W>>) -> K,
    ) -> Result<(Sensitivities<N>, Vec<f64>), AnalysisError>
    where
        M: Mechanism<N, C, U>,
        I: Method<Dual<f64, W>, N, C>,
        K: Controller<Dual<f64, W>, N, U>,
    {
        check::<M, N, C, U>(variables)?;
        let Self { mechanism, initial, times, method, options } = *self;
        let values = (values_of(mechanism, M::PARAMETERS)?, values_of(mechanism, &M::INPUTS)?);
        let t_eval: Vec<Dual<f64, W>> = times.iter().copied().map(Dual::constant).collect();
        let end = t_eval.last().copied().unwrap_or(Dual::constant(initial.t));
        let options = Options { t_eval: Some(&t_eval), ..*options };
        let empty = DMatrix::zeros(2 * N, variables.len());
        let mut found = Sensitivities { states: Vec::new(), derivatives: std::vec![empty; times.len()] };
        let mut jumps = Vec::new();
        let passes = variables.chunks(W.max(1)).enumerate();
        // Without variables, one run still computes the motion.
        let passes =
            passes.map(|(pass, chunk)| (pass * W, chunk)).chain(variables.is_empty().then_some((0, variables)));
        for (first, chunk) in passes {
            let (parameters, u) = seeded::<N, U, W>(&values, chunk);
            let system = M::prepare_from::<Dual<f64, W>>(&parameters, &u)?;
            without_friction(&system, "a sensitivity")?;
            demand(options.locate_switches || system.switch_count() == 0, "a sensitivity", || {
                "`locate_switches`, because the derivatives jump at the switches of the equations".to_string()
            })?;
            let start = State {
                t: Dual::constant(initial.t),
                q: SVector::from_fn(|i, _| seed(initial.q[i], chunk, |variable| by_coordinate(variable, i))),
                v: SVector::from_fn(|i, _| seed(initial.v[i], chunk, |variable| by_velocity(variable, i))),
            };
            let by_state =
                chunk.iter().any(|variable| !matches!(variable, Variable::Parameter(_) | Variable::Input(_)));
            let mut controller = controller(&system);
            // The loop of the steps is compiled once for each shape, and not once more for each mechanism.
            let behind: &dyn System<Dual<f64, W>, N, C, U> = &system;
            let stepper = Stepper::new(behind, start, end, method, &options, &mut controller)
                .map_err(|error| AnalysisError::failure(error.failure, &M::COORDINATES))?;
            let trace = along::follow(stepper, (method, &options), (&start, by_state), (&t_eval, end))?;
            let reached = trace.states.len();
            if reached < times.len() {
                return Err(AnalysisError::NotApplicable {
                    analysis: "a sensitivity",
                    needs: std::format!("a motion that reaches all times; an event ends it after {reached} of them"),
                });
            }
            for (state, derivative) in trace.states.iter().zip(&mut found.derivatives) {
                for k in 0..chunk.len() {
                    for i in 0..N {
                        derivative[(i, first + k)] = state.q[i].derivatives[k];
                        derivative[(N + i, first + k)] = state.v[i].derivatives[k];
                    }
                }
            }
            if first == 0 {
                let plain = |state: &State<Dual<f64, W>, N>| State {
                    t: state.t.value,
                    q: state.q.map(Scalar::to_f64),
                    v: state.v.map(Scalar::to_f64),
                };
                found.states = trace.states.iter().map(plain).collect();
                jumps = trace.jumps;
            }
        }
        for derivative in &found.derivatives {
            finite("a derivative of the motion", derivative)?;
        }
        Ok((found, jumps))
    }
}

/// Fails for a variable that does not exist.
fn check<M, const N: usize, const C: usize, const U: usize>(variables: &[Variable<N>]) -> Result<(), AnalysisError>
where
    M: Mechanism<N, C, U>,
{
    match variables.iter().find(|variable| !variable.exists(M::PARAMETERS.len(), U)) {
        None => Ok(()),
        Some(unknown) => Err(AnalysisError::UnknownName {
            kind: "variable",
            name: std::format!("{unknown:?}"),
            known: M::COORDINATES.iter().chain(M::PARAMETERS).chain(&M::INPUTS).map(ToString::to_string).collect(),
        }),
    }
}

/// The parameters and the inputs, with their derivatives by the variables of one run.
pub(super) fn seeded<const N: usize, const U: usize, const W: usize>(
    (parameters, inputs): &(Vec<f64>, Vec<f64>),
    chunk: &[Variable<N>],
) -> (Vec<Dual<f64, W>>, SVector<Dual<f64, W>, U>) {
    let parameter = |(k, &value): (usize, &f64)| seed(value, chunk, |variable| slope(variable.parameter() == Some(k)));
    let input = |k: usize| seed(inputs[k], chunk, |variable| slope(*variable == Variable::Input(k)));
    (parameters.iter().enumerate().map(parameter).collect(), SVector::from_fn(|k, _| input(k)))
}

/// The state transition matrix of a method, Φ = ∂(q, v)(`t_end`)/∂(q, v)(start), which is 2N × 2N, and the state at the end.
///
/// In (q, p) it is symplectic for a symplectic method: Φᵀ J Φ = J. Under constraints, multiply it by vectors tangent to them.
///
/// # Errors
/// Those of [`sensitivities`].
///
/// ```
/// use lagrange_runtime::analysis::transition_matrix;
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
/// let (oscillator, start) = (Oscillator { m: 1.0, k: 4.0 }, State::new(0.0, [0.3], [0.0]));
/// let options = SharedOptions { rtol: 1e-12, ..SharedOptions::default() };
/// let (end, phi) = transition_matrix(&oscillator, &start, 1.0, &Dop853::new(), &options)?;
/// // A rotation by ω t = 2 rad in (x, v/ω).
/// assert!((end.q[0] - 0.3 * 2.0_f64.cos()).abs() < 1e-10);
/// assert!((phi[(0, 1)] - 2.0_f64.sin() / 2.0).abs() < 1e-10 && (phi.determinant() - 1.0).abs() < 1e-10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn transition_matrix<'o, M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
    mechanism: &M,
    initial: &State<f64, N>,
    t_end: f64,
    method: &I,
    options: &impl AnyOptions<'o, Dual<f64, W>, N>,
) -> Result<(State<f64, N>, DMatrix<f64>), AnalysisError>
where
    M: Mechanism<N, C, U>,
    I: OnDuals<N, C, W>,
{
    let mut found = sensitivities(mechanism, initial, &[t_end], method, options, &Variable::states())?;
    match (found.states.pop(), found.derivatives.pop()) {
        (Some(state), Some(derivative)) => Ok((state, derivative)),
        _ => Err(AnalysisError::NotFinite { quantity: "the end of the motion".to_string() }),
    }
}

/// The pair (A_d, B_d) of the map that `method` makes over `period`, and the names of its states. The states are those of
/// [`TangentBasis::at`] the initial state.
///
/// The pair is the derivative of the method's own map. With a method whose step is `period`, it is that of one step. The inputs
/// are constant over the period. The state at the end is described by the same coordinates.
///
/// # Errors
/// Those of [`sensitivities`] and of [`TangentBasis::at`].
///
/// ```
/// use lagrange_runtime::analysis::step_pair;
/// use lagrange_runtime::prelude::*;
/// use lagrange_runtime::scalar::Dual;
///
/// #[lagrangian {
///     coordinates x;
///     kinetic = m*dot(x)^2/2;
///     force x = push;
/// }]
/// struct Slider {
///     m: f64,
///     #[input]
///     push: f64,
/// }
///
/// let slider = Slider { m: 2.0, push: 0.0 };
/// let method = Rk4::new(0.1);
/// let (pair, names) = step_pair(&slider, &State::new(0.0, [0.0], [0.0]), 0.1, &method, &Options::default())?;
/// assert_eq!(names, ["x", "dot(x)"]);
/// assert!((pair.a[(0, 1)] - 0.1).abs() < 1e-16 && (pair.b[(0, 0)] - 0.1 * 0.1 / 4.0).abs() < 1e-16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn step_pair<'o, M, I, const N: usize, const C: usize, const U: usize, const W: usize>(
    mechanism: &M,
    initial: &State<f64, N>,
    period: f64,
    method: &I,
    options: &impl AnyOptions<'o, Dual<f64, W>, N>,
) -> Result<(SampledSpace, Vec<String>), AnalysisError>
where
    M: Mechanism<N, C, U>,
    I: OnDuals<N, C, W>,
{
    let system = mechanism.prepare::<f64>()?;
    let basis = TangentBasis::at(&system, initial)?;
    let mut variables = Variable::directions(&basis.columns());
    variables.extend((0..U).map(Variable::Input));
    let mut found = sensitivities(mechanism, initial, &[initial.t + period], method, options, &variables)?;
    let end = found.derivatives.pop().unwrap_or_else(|| DMatrix::zeros(2 * N, variables.len()));
    without_kept_values::<N>("a map over a period", system.mode_count(), &end)?;
    let chosen = end.select_rows(&basis.rows());
    let size = basis.len();
    let space = SampledSpace {
        a: chosen.columns(0, size).into_owned(),
        b: chosen.columns(size, U).into_owned(),
        c: DMatrix::zeros(0, size),
        d: DMatrix::zeros(0, U),
        period,
    };
    Ok((space, basis.names().to_vec()))
}

/// The values of parameters or inputs.
pub(super) fn values_of<M, const N: usize, const C: usize, const U: usize>(
    mechanism: &M,
    names: &[&str],
) -> Result<Vec<f64>, AnalysisError>
where
    M: Mechanism<N, C, U>,
{
    let value = |name: &&str| {
        mechanism.parameter(name).map_err(|_| AnalysisError::UnknownName {
            kind: "parameter or input",
            name: name.to_string(),
            known: M::PARAMETERS.iter().chain(&M::INPUTS).map(ToString::to_string).collect(),
        })
    };
    names.iter().map(value).collect()
}

/// A number with its derivatives by the variables of one run.
fn seed<const N: usize, const W: usize>(
    value: f64,
    variables: &[Variable<N>],
    slope: impl Fn(&Variable<N>) -> f64,
) -> Dual<f64, W> {
    Dual { value, derivatives: core::array::from_fn(|k| variables.get(k).map_or(0.0, &slope)) }
}

fn slope(varies: bool) -> f64 {
    f64::from(u8::from(varies))
}

fn by_coordinate<const N: usize>(variable: &Variable<N>, index: usize) -> f64 {
    match variable {
        Variable::Direction { q, .. } | Variable::Following { q, .. } => q[index],
        other => slope(*other == Variable::Coordinate(index)),
    }
}

fn by_velocity<const N: usize>(variable: &Variable<N>, index: usize) -> f64 {
    match variable {
        Variable::Direction { v, .. } | Variable::Following { v, .. } => v[index],
        other => slope(*other == Variable::Velocity(index)),
    }
}
