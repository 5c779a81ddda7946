//! Systems of fewer states with the same, or nearly the same, response.

use super::AnalysisError;
use super::exponential::{lyapunov_factor, stein_factor};
use super::reach::{Pair, stable, stable_sampled};
use super::state_space::{SampledSpace, StateSpace};
use super::units::Units;
use nalgebra::{DMatrix, SVD};
use std::string::ToString;
use std::vec::Vec;

/// The largest number of iterations of a decomposition.
const MAX_ITERATIONS: usize = 20_000;
/// What needs a stable system.
const TRUNCATION: &str = "a balanced truncation";

/// A system of fewer states, and how much its response may differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Truncated<T> {
    /// The system with the states that were kept.
    pub space: T,
    /// The Hankel singular values of the whole system in falling order: the amounts by which the states that are reached and
    /// seen best to worst take part in the response. Their unit is that of y/u.
    pub hankel: Vec<f64>,
    /// The largest difference of the responses at any frequency, ‖G − G_r‖ ≤ 2 Σ of the Hankel singular values that were dropped.
    pub bound: f64,
}

/// The factor of a Gramian of A and B.
type Factor = fn(&DMatrix<f64>, &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError>;

/// A, B, C and D.
type Matrices = [DMatrix<f64>; 4];

impl StateSpace {
    /// The system without the modes that no input reaches or no output sees. It has the same response from rest, and the least
    /// number of states.
    ///
    /// A mode is missed by the rule of [`controllability`](super::controllability), each in its own scale. The states that
    /// leave are expressed by those that stay, which keep their units.
    ///
    /// # Errors
    /// [`AnalysisError::Shape`], [`AnalysisError::NotFinite`], [`AnalysisError::NotConverged`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // Two equal low passes in parallel are one of twice the gain.
    /// let a = DMatrix::from_diagonal_element(2, 2, -1.0);
    /// let (b, c) = (DMatrix::from_element(2, 1, 1.0), DMatrix::from_element(1, 2, 1.0));
    /// let minimal = StateSpace::new(a, b)?.with_outputs(c, DMatrix::zeros(1, 1))?.minimal()?;
    /// assert!(minimal.a.nrows() == 1 && (minimal.c[(0, 0)] * minimal.b[(0, 0)] - 2.0).abs() < 1e-15);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn minimal(&self) -> Result<Self, AnalysisError> {
        self.check()?;
        let [a, b, c] = reached_and_seen([&self.a, &self.b, &self.c])?;
        Ok(Self { a, b, c, d: self.d.clone() })
    }

    /// The Hankel singular values, in falling order: √ of the eigenvalues of the product of the Gramians of controllability and
    /// observability.
    ///
    /// # Errors
    /// Those of [`StateSpace::balanced_truncation`].
    pub fn hankel_singular_values(&self) -> Result<Vec<f64>, AnalysisError> {
        Ok(self.balanced()?.values)
    }

    /// The system with the `order` states that take part most in the response (balanced truncation).
    ///
    /// In the states z of a balanced system, the Gramians of controllability and observability are one diagonal matrix. Its
    /// entries are the Hankel singular values; the states of the smallest ones are dropped. The result is stable. The Gramians
    /// are computed as factors, so that singular values down to rounding beside the largest are right. With several inputs or
    /// outputs, their units must be comparable. Sources: B. C. Moore, *Principal component analysis in linear systems*, IEEE
    /// Trans. Autom. Control 26, 1981; M. S. Tombs, I. Postlethwaite, Int. J. Control 46, 1987; A. C. Antoulas, *Approximation
    /// of Large-Scale Dynamical Systems*, 7.
    ///
    /// # Errors
    /// [`AnalysisError::NotStable`] with an eigenvalue that is not left of the imaginary axis. [`AnalysisError::NotApplicable`]
    /// for an order above the number of singular values that are more than rounding. [`AnalysisError::Shape`],
    /// [`AnalysisError::NotFinite`], [`AnalysisError::NotConverged`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // A slow low pass beside a fast one that adds little.
    /// let a = DMatrix::from_row_slice(2, 2, &[-1.0, 0.0, 0.0, -100.0]);
    /// let (b, c) = (DMatrix::from_element(2, 1, 1.0), DMatrix::from_element(1, 2, 1.0));
    /// let whole = StateSpace::new(a, b)?.with_outputs(c, DMatrix::zeros(1, 1))?;
    /// let reduced = whole.balanced_truncation(1)?;
    /// let error = (whole.response(0.0)? - reduced.space.response(0.0)?)[(0, 0)].norm();
    /// assert!(error <= reduced.bound * (1.0 + 1e-9) && reduced.bound < 0.02);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn balanced_truncation(&self, order: usize) -> Result<Truncated<Self>, AnalysisError> {
        let balanced = self.balanced()?;
        let [a, b, c, d] = balanced.truncated(order)?;
        Ok(Truncated { space: Self { a, b, c, d }, bound: balanced.bound(order), hankel: balanced.values })
    }

    fn balanced(&self) -> Result<Balanced, AnalysisError> {
        self.check()?;
        stable(&self.poles()?, TRUNCATION)?;
        Balanced::of([&self.a, &self.b, &self.c, &self.d], lyapunov_factor)
    }
}

impl SampledSpace {
    /// The system without the modes that no input reaches or no output sees: as [`StateSpace::minimal`].
    ///
    /// # Errors
    /// Those of [`StateSpace::minimal`].
    pub fn minimal(&self) -> Result<Self, AnalysisError> {
        self.check()?;
        let [a, b, c] = reached_and_seen([&self.a, &self.b, &self.c])?;
        Ok(Self { a, b, c, d: self.d.clone(), period: self.period })
    }

    /// The Hankel singular values, in falling order: as [`StateSpace::hankel_singular_values`].
    ///
    /// # Errors
    /// Those of [`SampledSpace::balanced_truncation`].
    pub fn hankel_singular_values(&self) -> Result<Vec<f64>, AnalysisError> {
        Ok(self.balanced()?.values)
    }

    /// The system with the `order` states that take part most in the response: as [`StateSpace::balanced_truncation`].
    ///
    /// # Errors
    /// Those of [`StateSpace::balanced_truncation`], with eigenvalues that are not inside the unit circle.
    pub fn balanced_truncation(&self, order: usize) -> Result<Truncated<Self>, AnalysisError> {
        let balanced = self.balanced()?;
        let [a, b, c, d] = balanced.truncated(order)?;
        let space = Self { a, b, c, d, period: self.period };
        Ok(Truncated { space, bound: balanced.bound(order), hankel: balanced.values })
    }

    fn balanced(&self) -> Result<Balanced, AnalysisError> {
        self.check()?;
        stable_sampled(&self.poles()?, TRUNCATION)?;
        Balanced::of([&self.a, &self.b, &self.c, &self.d], stein_factor)
    }
}

/// A, B and C of the states that inputs reach and outputs see.
fn reached_and_seen([a, b, c]: [&DMatrix<f64>; 3]) -> Result<[DMatrix<f64>; 3], AnalysisError> {
    let [a, b, c] = Pair::with_outputs(a, b, c).reached()?;
    let [a, c, b] = Pair::with_outputs(&a.transpose(), &c.transpose(), &b.transpose()).reached()?;
    Ok([a.transpose(), b.transpose(), c.transpose()])
}

/// A system in units of its states in which the entries are of like size, with the factors of its Gramians.
struct Balanced {
    matrices: Matrices,
    /// The factors L with L Lᵀ the Gramians of controllability and of observability.
    factors: [DMatrix<f64>; 2],
    /// The singular vectors of the product of the factors, those of the largest singular value first.
    vectors: [DMatrix<f64>; 2],
    values: Vec<f64>,
}

impl Balanced {
    fn of([a, b, c, d]: [&DMatrix<f64>; 4], factor: Factor) -> Result<Self, AnalysisError> {
        let inputs = std::vec![0; b.ncols()];
        let units = Units { states: Units::of(a, b).states, inputs, rate: 0 };
        let (a, b, c) = (units.a(a), units.b(b), units.c(c));
        let factors = [factor(&a, &b)?, factor(&a.transpose(), &c.transpose())?];
        let product = factors[1].transpose() * &factors[0];
        let size = a.nrows();
        let matrices = [a, b, c, d.clone()];
        if product.is_empty() {
            let vectors = [DMatrix::zeros(product.nrows(), 0), DMatrix::zeros(product.ncols(), 0)];
            return Ok(Self { matrices, factors, vectors, values: std::vec![0.0; size] });
        }
        let failed = || AnalysisError::NotConverged {
            sought: "singular value decomposition",
            iterations: MAX_ITERATIONS as u32,
            worst: "an off-diagonal entry".to_string(),
            residual: product.norm(),
            remedy: "scale the states so that the entries of A, B and C are of like size",
        };
        let found = SVD::try_new(product.clone(), true, true, f64::EPSILON, MAX_ITERATIONS).ok_or_else(failed)?;
        let (Some(left), Some(right)) = (found.u, found.v_t) else { return Err(failed()) };
        let mut order: Vec<usize> = (0..found.singular_values.len()).collect();
        order.sort_by(|&i, &j| found.singular_values[j].total_cmp(&found.singular_values[i]));
        let vectors = [left.select_columns(&order), right.transpose().select_columns(&order)];
        let mut values: Vec<f64> = order.iter().map(|&k| found.singular_values[k]).collect();
        values.resize(size, 0.0);
        Ok(Self { matrices, factors, vectors, values })
    }

    /// Twice the sum of the singular values that are dropped.
    fn bound(&self, order: usize) -> f64 {
        2.0 * self.values.iter().skip(order).rev().sum::<f64>()
    }

    /// The matrices of the first states of the balanced system.
    fn truncated(&self, order: usize) -> Result<Matrices, AnalysisError> {
        let largest = self.values.first().copied().unwrap_or(0.0);
        let rounding = 4.0 * self.values.len() as f64 * f64::EPSILON * largest;
        let count = self.values.iter().filter(|value| **value > rounding).count();
        if order > count {
            return Err(AnalysisError::NotApplicable {
                analysis: TRUNCATION,
                needs: std::format!(
                    "an order of at most {count}, the number of states that are reached and seen; it is {order}"
                ),
            });
        }
        let basis = |factor: &DMatrix<f64>, vectors: &DMatrix<f64>| {
            let mut basis = factor * vectors.columns(0, order);
            for (k, mut column) in basis.column_iter_mut().enumerate() {
                column /= self.values[k].sqrt();
            }
            basis
        };
        let right = basis(&self.factors[0], &self.vectors[1]);
        let left = basis(&self.factors[1], &self.vectors[0]).transpose();
        let [a, b, c, d] = &self.matrices;
        Ok([&left * a * &right, left * b, c * right, d.clone()])
    }
}
