//! The gradient of one number by many parameters, computed backward along a motion.

use super::AnalysisError;
use crate::error::SingularMass;
use crate::method::{EmbeddedPair, PairTableau};
use crate::solution::Solution;
use crate::state::State;
use crate::system::{Acceleration, Linearise};
use nalgebra::{DVector, SVector};
use std::format;
use std::string::ToString;
use std::vec;
use std::vec::Vec;

/// The derivatives of a number J by the variables on which a motion depends.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient<const N: usize, const U: usize> {
    /// ∂J/∂q of the initial state.
    pub q: SVector<f64, N>,
    /// ∂J/∂v of the initial state.
    pub v: SVector<f64, N>,
    /// ∂J/∂(parameter), in the order of [`Mechanism::PARAMETERS`](crate::system::Mechanism::PARAMETERS).
    pub parameters: DVector<f64>,
    /// ∂J/∂u of inputs that are constant in time.
    pub inputs: SVector<f64, U>,
}

/// The gradient of J(x₀, x₁, …, x_n) by the initial state, all parameters and the inputs. J is a function of the states at the
/// ends of the steps of `solution`.
///
/// `slopes` gives (∂J/∂q_k, ∂J/∂v_k) of state k; for most states they are 0. The stored states serve as checkpoints. From the
/// last step to the first, the stages of the step x' = x + h Σ bᵢ Kᵢ are computed again, and the transpose of its derivative is
/// applied:
///
/// ```text
/// μᵢ = h bᵢ λ' + h Σ_{j>i} aⱼᵢ ξⱼ,    ξᵢ = F_x(Xᵢ)ᵀ μᵢ,    λ = λ' + Σ ξᵢ + ∂J/∂x_k,    ∂J/∂p = Σ F_p(Xᵢ)ᵀ μᵢ.
/// ```
///
/// So the gradient is exact for the steps that were made. It costs as much as a few motions, however many parameters there are.
/// `method` is the Runge–Kutta pair that made the solution by [`solve`](crate::solve::solve), without `t_eval`, without events
/// that map the state, and with the constant inputs `u`. Each step is computed again and compared with the stored states, so
/// that a solution that was made otherwise is refused. Source: J. M. Sanz-Serna, *Symplectic Runge–Kutta schemes for adjoint
/// equations*, SIAM Review 58, 2016.
///
/// # Errors
/// [`AnalysisError::NotApplicable`] for a solution with mapped states, or with a step that `method` does not reproduce.
/// [`AnalysisError::SingularMass`] and [`AnalysisError::NotFinite`] where a derivative does not exist.
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
/// let system = Oscillator { m: 1.0, k: 4.0 }.prepare::<f64>()?;
/// let options = Options { rtol: 1e-11.into(), atol: 1e-11.into(), ..Options::default() };
/// let method = Dop853::new();
/// let solution = solve(&system, State::new(0.0, [0.5], [0.0]), 1.0, &method, &options)?;
/// // J = x(1).
/// let last = solution.len() - 1;
/// let one = SVector::from([1.0]);
/// let found = adjoint_gradient(&system, &solution, &method, &SVector::from([]), |k, _| {
///     (if k == last { one } else { one * 0.0 }, one * 0.0)
/// })?;
/// assert!((found.q[0] - 2.0_f64.cos()).abs() < 1e-9);
/// assert!((found.parameters[1] + 0.5 * 2.0_f64.sin() / 4.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn adjoint_gradient<
    T,
    const N: usize,
    const C: usize,
    const U: usize,
    const S: usize,
    const E: usize,
    const D: usize,
>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    solution: &Solution<f64, N>,
    _: &EmbeddedPair<f64, T, S, E, D>,
    u: &SVector<f64, U>,
    mut slopes: impl FnMut(usize, &State<f64, N>) -> (SVector<f64, N>, SVector<f64, N>),
) -> Result<Gradient<N, U>, AnalysisError>
where
    T: PairTableau<S, E, D>,
{
    let tableau = Tableau {
        nodes: T::PAIR.nodes.iter().take(S).map(|node| node.value()).collect(),
        coefficients: T::PAIR
            .coefficients
            .iter()
            .take(S)
            .map(|row| row.iter().take(S).map(|coefficient| coefficient.value()).collect())
            .collect(),
        weights: T::PAIR.weights.iter().map(|weight| weight.value()).collect(),
    };
    let refused =
        |needs: &str| AnalysisError::NotApplicable { analysis: "an adjoint gradient", needs: needs.to_string() };
    if solution.events.iter().any(|event| event.before != event.after) {
        return Err(refused("a motion whose states no event maps"));
    }
    let states: Vec<State<f64, N>> = solution.states().collect();
    let Some(last) = states.last() else { return Err(refused("a solution with states")) };
    let (q, v) = slopes(states.len() - 1, last);
    let mut gradient =
        Gradient { q, v, parameters: DVector::zeros(system.parameter_count()), inputs: SVector::zeros() };
    for (k, pair) in states.windows(2).enumerate().rev() {
        let end = back(system, &tableau, (&pair[0], pair[1].t - pair[0].t), u, &mut gradient)
            .map_err(|singular| AnalysisError::singular(singular, system.coordinates()))?;
        if !is_same_step(&pair[0], &pair[1], end) {
            return Err(refused(&format!(
                "a solution with a state at the end of every step of {}, without projections, and its constant inputs: \
                 the step from t = {} leads elsewhere",
                T::NAME,
                pair[0].t
            )));
        }
        let (q, v) = slopes(k, &pair[0]);
        gradient.q += q;
        gradient.v += v;
    }
    let entries = gradient.q.iter().chain(gradient.v.iter()).chain(gradient.parameters.iter());
    match entries.chain(gradient.inputs.iter()).all(|entry| entry.is_finite()) {
        true => Ok(gradient),
        false => Err(AnalysisError::NotFinite { quantity: "the gradient of the motion".to_string() }),
    }
}

/// An explicit Runge–Kutta method.
struct Tableau {
    nodes: Vec<f64>,
    coefficients: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

/// Whether a step from `start`, computed again, leads to the stored `end` within rounding.
fn is_same_step<const N: usize>(
    start: &State<f64, N>,
    end: &State<f64, N>,
    (q, v): (SVector<f64, N>, SVector<f64, N>),
) -> bool {
    let h = (end.t - start.t).abs();
    let speed = start.v.amax().max(end.v.amax());
    let size = start.q.amax().max(end.q.amax()).max(h * speed);
    let tolerance = 1e-10;
    (q - end.q).amax() <= tolerance * size && (v - end.v).amax() <= tolerance * speed.max(size / h)
}

/// Carries the gradient from the end of a step of size `h` back to its start. Returns (q, v) at the end of the step.
fn back<const N: usize, const C: usize, const U: usize>(
    system: &(impl Linearise<f64, N, C, U> + ?Sized),
    tableau: &Tableau,
    (start, h): (&State<f64, N>, f64),
    u: &SVector<f64, U>,
    gradient: &mut Gradient<N, U>,
) -> Result<(SVector<f64, N>, SVector<f64, N>), SingularMass> {
    type Pair<const N: usize> = (SVector<f64, N>, SVector<f64, N>);
    let stages = tableau.weights.len();
    let mut at = Vec::with_capacity(stages);
    let mut slopes: Vec<Pair<N>> = Vec::with_capacity(stages);
    for i in 0..stages {
        let (mut q, mut v) = (start.q, start.v);
        for (coefficient, slope) in tableau.coefficients[i].iter().zip(&slopes) {
            q += slope.0 * (h * coefficient);
            v += slope.1 * (h * coefficient);
        }
        let t = start.t + tableau.nodes[i] * h;
        let found = system.acceleration_jacobian(t, &q, &v, u)?;
        slopes.push((v, found.acceleration));
        at.push((t, q, v, found));
    }
    let (mut q_end, mut v_end) = (start.q, start.v);
    for (weight, slope) in tableau.weights.iter().zip(&slopes) {
        q_end += slope.0 * (h * weight);
        v_end += slope.1 * (h * weight);
    }
    let none = Acceleration { acceleration: SVector::zeros(), multipliers: SVector::zeros() };
    let mut columns = vec![none; system.parameter_count()];
    let end = (gradient.q, gradient.v);
    let mut sums: Vec<Pair<N>> = vec![(SVector::zeros(), SVector::zeros()); stages];
    for i in (0..stages).rev() {
        let (mut by_q, mut by_v) = (end.0 * tableau.weights[i], end.1 * tableau.weights[i]);
        for (row, sum) in tableau.coefficients.iter().zip(&sums).skip(i + 1) {
            by_q += sum.0 * row[i];
            by_v += sum.1 * row[i];
        }
        let (by_q, by_v) = (by_q * h, by_v * h);
        let (t, q, v, found) = &at[i];
        sums[i] = (found.acceleration_q.transpose() * by_v, by_q + found.acceleration_v.transpose() * by_v);
        gradient.q += sums[i].0;
        gradient.v += sums[i].1;
        gradient.inputs += found.acceleration_u.transpose() * by_v;
        if by_v.amax() != 0.0 {
            system.acceleration_parameters(*t, q, v, u, &mut columns)?;
            for (entry, column) in gradient.parameters.iter_mut().zip(&columns) {
                *entry += column.acceleration.dot(&by_v);
            }
        }
    }
    Ok((q_end, v_end))
}
