//! Linear-quadratic regulators.

use super::AnalysisError;
use super::eigenvalues::{Eigenvalue, eigenvalues_within};
use super::exponential::symmetric as symmetric_part;
use super::linearization::Linearization;
use super::matrix::shaped;
use super::reach::Pair;
use super::riccati;
use super::state_space::{SampledSpace, StateSpace};
use crate::controller::StateFeedback;
use nalgebra::{Cholesky, Complex, DMatrix, Dyn, SMatrix, SymmetricEigen};
use std::string::ToString;
use std::vec::Vec;

/// A weight is symmetric if the entries across its diagonal differ by at most this fraction of them, or of the mean of their two diagonal
/// entries.
const SYMMETRIC: f64 = 1e-12;
/// The feedback u = −K x of least cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Regulator {
    /// K: a row for each input, a column for each state.
    pub gain: DMatrix<f64>,
    /// X, symmetric: xᵀ X x is the cost of the motion from the state x.
    pub cost: DMatrix<f64>,
    /// The eigenvalues of A − B K.
    pub poles: Vec<Complex<f64>>,
}

/// The u = −K x that minimises ∫₀^∞ xᵀ Q x + uᵀ R u dt for ẋ = A x + B u.
///
/// ```text
/// K = R⁻¹ Bᵀ X,    AᵀX + X A − X B R⁻¹ Bᵀ X + Q = 0.
/// ```
///
/// X is computed by structure-preserving doubling of the Cayley transform, and then corrected by Newton's method (Kleinman's).
/// `q` is n × n, symmetric and positive semidefinite. `r` is m × m, symmetric and positive definite. Their units are those of
/// the cost over those of the states and inputs. Sources: H. Kwakernaak, R. Sivan, *Linear Optimal Control Systems*, 3.4; E.
/// K.-W. Chu, H.-Y. Fan, W.-W. Lin, Linear Algebra Appl. 396, 2005.
///
/// # Errors
/// [`AnalysisError::Shape`] for matrices of the wrong size. [`AnalysisError::NotPositive`] names the weight.
/// [`AnalysisError::NotStabilisable`] and [`AnalysisError::NotDetectable`] give the mode. [`AnalysisError::NotConverged`] for
/// badly scaled matrices.
///
/// ```
/// use lagrange_runtime::analysis::{StateSpace, lqr};
/// use lagrange_runtime::nalgebra::DMatrix;
///
/// // The double integrator under Q = R = 1: K = [1, √3].
/// let integrator = StateSpace::new(
///     DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]),
///     DMatrix::from_column_slice(2, 1, &[0.0, 1.0]),
/// )?;
/// let found = lqr(&integrator, &DMatrix::identity(2, 2), &DMatrix::identity(1, 1))?;
/// assert!((found.gain[(0, 0)] - 1.0).abs() < 1e-14 && (found.gain[(0, 1)] - 3.0_f64.sqrt()).abs() < 1e-14);
/// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
/// ```
pub fn lqr(space: &StateSpace, q: &DMatrix<f64>, r: &DMatrix<f64>) -> Result<Regulator, AnalysisError> {
    space.check()?;
    let StateSpace { a, b, .. } = space;
    let weight = weights(q, r, b.shape())?;
    let by_b = weight.solve(&b.transpose());
    let unstable = |mode: &Eigenvalue| mode.value.re >= -mode.error;
    modes(a, b, q, unstable)?;
    let cost = riccati::continuous(a, &(b * &by_b), q)?;
    let gain = by_b * &cost;
    finish(a, b, gain, cost, unstable)
}

/// The u = −K x that minimises ∫₀^∞ xᵀ Q x + 2 xᵀ N u + uᵀ R u dt for ẋ = A x + B u.
///
/// With v = u + R⁻¹ Nᵀ x it is [`lqr`] of A − B R⁻¹ Nᵀ under the weight Q − N R⁻¹ Nᵀ, which must be positive semidefinite. `n` has a row for
/// each state and a column for each input. Use it where the cost contains an output with feedthrough, as a power, or an acceleration:
/// |C x + D u|² has Q = CᵀC, N = CᵀD and R = DᵀD. Source: B. D. O. Anderson, J. B. Moore, *Optimal Control: Linear Quadratic Methods*, 3.4.
///
/// # Errors
/// Those of [`lqr`]. [`AnalysisError::NotPositive`] for a weight Q − N R⁻¹ Nᵀ with a negative eigenvalue.
///
/// ```
/// use lagrange_runtime::analysis::{StateSpace, lqr_with_cross};
/// use lagrange_runtime::nalgebra::DMatrix;
///
/// // ẋ = u under (x + u)² + u²: Q = 1, N = 1, R = 2, and K = (X + N)/R with X²/2 + X − 1/2 = 0, so that K = 1/√2.
/// let one = DMatrix::from_element(1, 1, 1.0);
/// let integrator = StateSpace::new(&one * 0.0, one.clone())?;
/// let found = lqr_with_cross(&integrator, &one, &(&one * 2.0), &one)?;
/// assert!((found.gain[(0, 0)] - 0.5_f64.sqrt()).abs() < 1e-14);
/// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
/// ```
pub fn lqr_with_cross(
    space: &StateSpace,
    q: &DMatrix<f64>,
    r: &DMatrix<f64>,
    n: &DMatrix<f64>,
) -> Result<Regulator, AnalysisError> {
    space.check()?;
    let (shift, rest) = without_cross(q, r, n, space.b.shape())?;
    let moved = StateSpace { a: &space.a - &space.b * &shift, ..space.clone() };
    let found = lqr(&moved, &rest, r)?;
    Ok(Regulator { gain: found.gain + shift, ..found })
}

/// The u = −K x that minimises Σ xᵀ Q x + uᵀ R u for x(k+1) = A x(k) + B u(k).
///
/// ```text
/// K = (R + Bᵀ X B)⁻¹ Bᵀ X A,    X = Aᵀ X A − Aᵀ X B K + Q.
/// ```
///
/// The solution method and the weights are those of [`lqr`]. Source: B. D. O. Anderson, J. B. Moore, *Optimal Control: Linear
/// Quadratic Methods*, 2.4.
///
/// # Errors
/// Those of [`lqr`].
///
/// ```
/// use lagrange_runtime::analysis::{StateSpace, lqr_sampled};
/// use lagrange_runtime::nalgebra::DMatrix;
///
/// // x(k+1) = x(k) + u(k) with Q = R = 1: X² = X + 1, so that X is the golden ratio and K = 1/X.
/// let one = DMatrix::from_element(1, 1, 1.0);
/// let sum = StateSpace::new(&one * 0.0, one.clone())?.sampled(1.0)?;
/// let found = lqr_sampled(&sum, &one, &one)?;
/// assert!((found.gain[(0, 0)] - 0.5 * (5.0_f64.sqrt() - 1.0)).abs() < 1e-14);
/// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
/// ```
pub fn lqr_sampled(space: &SampledSpace, q: &DMatrix<f64>, r: &DMatrix<f64>) -> Result<Regulator, AnalysisError> {
    space.check()?;
    let SampledSpace { a, b, .. } = space;
    let weight = weights(q, r, b.shape())?;
    let unstable = |mode: &Eigenvalue| mode.value.norm() >= 1.0 - mode.error;
    modes(a, b, q, unstable)?;
    let (gain, cost) = riccati::discrete([a, b, q, r], &(b * weight.solve(&b.transpose())))?;
    finish(a, b, gain, cost, unstable)
}

/// The u = −K x that minimises Σ xᵀ Q x + 2 xᵀ N u + uᵀ R u for x(k+1) = A x(k) + B u(k): as in [`lqr_with_cross`].
///
/// # Errors
/// Those of [`lqr_with_cross`].
///
/// ```
/// use lagrange_runtime::analysis::{StateSpace, lqr_sampled_with_cross};
/// use lagrange_runtime::nalgebra::DMatrix;
///
/// // x(k+1) = x(k) + u(k) with Q = R = 1 and N = 1/2: K = √3 − 1.
/// let one = DMatrix::from_element(1, 1, 1.0);
/// let sum = StateSpace::new(&one * 0.0, one.clone())?.sampled(1.0)?;
/// let found = lqr_sampled_with_cross(&sum, &one, &one, &(&one * 0.5))?;
/// assert!((found.gain[(0, 0)] - (3.0_f64.sqrt() - 1.0)).abs() < 1e-14);
/// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
/// ```
pub fn lqr_sampled_with_cross(
    space: &SampledSpace,
    q: &DMatrix<f64>,
    r: &DMatrix<f64>,
    n: &DMatrix<f64>,
) -> Result<Regulator, AnalysisError> {
    space.check()?;
    let (shift, rest) = without_cross(q, r, n, space.b.shape())?;
    let moved = SampledSpace { a: &space.a - &space.b * &shift, ..space.clone() };
    let found = lqr_sampled(&moved, &rest, r)?;
    Ok(Regulator { gain: found.gain + shift, ..found })
}

/// R⁻¹ Nᵀ, and the weight Q − N R⁻¹ Nᵀ.
fn without_cross(
    q: &DMatrix<f64>,
    r: &DMatrix<f64>,
    n: &DMatrix<f64>,
    (states, inputs): (usize, usize),
) -> Result<(DMatrix<f64>, DMatrix<f64>), AnalysisError> {
    let weight = weights(q, r, (states, inputs))?;
    shaped("N", n, (states, inputs))?;
    let shift = weight.solve(&n.transpose());
    let rest = symmetric_part(&(q - n * &shift));
    semidefinite("Q − N R⁻¹ Nᵀ", &rest)?;
    Ok((shift, rest))
}

impl Regulator {
    /// The controller u = u₀ − K (x − x₀) around the state and the inputs of `near`. It takes the measured q and v; only the
    /// independent coordinates and velocities have gains.
    ///
    /// # Errors
    /// [`AnalysisError::Shape`] where `near` does not have as many states as the regulator.
    ///
    /// ```
    /// use lagrange_runtime::analysis::{linearize, lqr};
    /// use lagrange_runtime::nalgebra::DMatrix;
    /// use lagrange_runtime::prelude::*;
    ///
    /// #[lagrangian {
    ///     coordinates theta;
    ///     kinetic = m*l^2*dot(theta)^2/2;
    ///     potential = m*g*l*cos(theta);
    ///     force theta = torque;
    /// }]
    /// struct Inverted {
    ///     m: f64,
    ///     l: f64,
    ///     g: f64,
    ///     #[input]
    ///     torque: f64,
    /// }
    ///
    /// let system = Inverted { m: 1.0, l: 0.5, g: 9.81, torque: 0.0 }.prepare::<f64>()?;
    /// let upright = State::new(0.0, [0.0], [0.0]);
    /// let near = linearize(&system, &upright, &SVector::from([0.0]))?;
    /// let regulator = lqr(near.space(), &DMatrix::identity(2, 2), &DMatrix::identity(1, 1))?;
    /// let mut feedback = regulator.feedback(&near)?;
    /// let leaning = State::new(0.0, [0.3], [0.0]);
    /// let solution = solve_with(&system, leaning, 10.0, &Rkf45::new(), &Options::default(), &mut feedback)?;
    /// assert!(solution.last().unwrap().q[0].abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn feedback<const N: usize, const U: usize>(
        &self,
        near: &Linearization<N, U>,
    ) -> Result<StateFeedback<f64, N, U>, AnalysisError> {
        feedback(&self.gain, near)
    }
}

/// The controller u = u₀ − K (x − x₀) around the state and the inputs of `near`.
pub(crate) fn feedback<const N: usize, const U: usize>(
    gain: &DMatrix<f64>,
    near: &Linearization<N, U>,
) -> Result<StateFeedback<f64, N, U>, AnalysisError> {
    shaped("the gain", gain, (U, near.basis().len()))?;
    let positions = near.basis().positions();
    let column = |indices: &[usize], first: usize| {
        SMatrix::<f64, U, N>::from_fn(|k, i| {
            indices.iter().position(|&index| index == i).map_or(0.0, |place| gain[(k, first + place)])
        })
    };
    let (by_q, by_v) = (column(positions, 0), column(near.basis().velocities(), positions.len()));
    let state = near.state();
    Ok(StateFeedback::new(by_q, by_v).with_reference(state.q, state.v).with_inputs(*near.inputs()))
}

/// Checks the weights. Returns R in factors.
fn weights(
    q: &DMatrix<f64>,
    r: &DMatrix<f64>,
    (states, inputs): (usize, usize),
) -> Result<Cholesky<f64, Dyn>, AnalysisError> {
    shaped("Q", q, (states, states))?;
    shaped("R", r, (inputs, inputs))?;
    semidefinite("Q", q)?;
    symmetric("R", r, "symmetric and positive definite")?;
    positive("R", r)
}

/// Checks that a matrix is positive semidefinite, with its rows and columns scaled to a diagonal of ±1, so that units do not decide.
fn semidefinite(name: &str, matrix: &DMatrix<f64>) -> Result<(), AnalysisError> {
    let allowed = "symmetric and positive semidefinite";
    symmetric(name, matrix, allowed)?;
    let scale = |i: usize| match matrix[(i, i)].abs().sqrt() {
        root if root > 0.0 => root,
        _ => 1.0,
    };
    let scaled = DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)] / (scale(i) * scale(j)));
    let least =
        |of: DMatrix<f64>| SymmetricEigen::try_new(of, f64::EPSILON, 20_000).map(|found| found.eigenvalues.min());
    match (matrix.is_empty(), least(scaled)) {
        (false, Some(smallest)) if smallest < -SYMMETRIC * matrix.nrows() as f64 => {
            // The message has the eigenvalue in the units of the caller, unless it is lost there beside the others.
            let smallest = least(matrix.clone()).filter(|value| *value < 0.0).unwrap_or(smallest);
            Err(AnalysisError::NotPositive { matrix: name.to_string(), smallest, allowed })
        }
        _ => Ok(()),
    }
}

fn symmetric(name: &str, matrix: &DMatrix<f64>, allowed: &'static str) -> Result<(), AnalysisError> {
    let differs = |i: usize, j: usize| {
        let scale = matrix[(i, j)].abs().max((matrix[(i, i)] * matrix[(j, j)]).abs().sqrt());
        (matrix[(i, j)] - matrix[(j, i)]).abs() > SYMMETRIC * scale
    };
    match (0..matrix.nrows()).any(|i| (0..matrix.ncols()).any(|j| differs(i, j))) {
        false => Ok(()),
        true => Err(AnalysisError::NotPositive { matrix: name.to_string(), smallest: f64::NAN, allowed }),
    }
}

fn positive(name: &str, matrix: &DMatrix<f64>) -> Result<Cholesky<f64, Dyn>, AnalysisError> {
    matrix.clone().cholesky().ok_or_else(|| {
        let eigen = SymmetricEigen::try_new(matrix.clone(), f64::EPSILON, 20_000);
        let smallest = eigen.map_or(f64::NAN, |eigen| eigen.eigenvalues.min());
        AnalysisError::NotPositive { matrix: name.to_string(), smallest, allowed: "symmetric and positive definite" }
    })
}

/// Checks that the inputs reach every mode that does not decay, and that the cost sees it.
fn modes(
    a: &DMatrix<f64>,
    b: &DMatrix<f64>,
    q: &DMatrix<f64>,
    unstable: impl Fn(&Eigenvalue) -> bool,
) -> Result<(), AnalysisError> {
    if let Some(mode) = Pair::new(a, b).missed(&unstable)? {
        return Err(AnalysisError::NotStabilisable { eigenvalue: mode.value });
    }
    match Pair::new(&a.transpose(), q).missed(&unstable)? {
        Some(mode) => Err(AnalysisError::NotDetectable { eigenvalue: mode.value }),
        None => Ok(()),
    }
}

/// The regulator, if it stabilises the system by more than the rounding of each pole.
fn finish(
    a: &DMatrix<f64>,
    b: &DMatrix<f64>,
    gain: DMatrix<f64>,
    cost: DMatrix<f64>,
    unstable: impl Fn(&Eigenvalue) -> bool,
) -> Result<Regulator, AnalysisError> {
    let terms = a.abs() + b.abs() * gain.abs();
    let poles = eigenvalues_within(&(a - b * &gain), &terms)?;
    match poles.iter().find(|pole| unstable(pole)) {
        None => Ok(Regulator { gain, cost, poles: poles.into_iter().map(|pole| pole.value).collect() }),
        Some(pole) => Err(AnalysisError::NotStable {
            eigenvalue: pole.value,
            sought: "a regulator with a closed loop that decays faster than rounding",
            remedy: "give the states of this mode a larger weight, or the inputs a smaller one",
        }),
    }
}
