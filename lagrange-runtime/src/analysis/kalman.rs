//! Steady Kalman filters.

use super::AnalysisError;
use super::error::complex;
use super::regulator::{Regulator, lqr, lqr_sampled};
use super::state_space::{SampledSpace, StateSpace};
use nalgebra::{Complex, DMatrix};
use std::string::{String, ToString};
use std::vec::Vec;

/// A filter of least variance that has forgotten its start.
#[derive(Clone, Debug, PartialEq)]
pub struct KalmanFilter {
    /// L: a row for each state, a column for each output.
    pub gain: DMatrix<f64>,
    /// P: the covariance of the error x − x̂. In sampled time it is that before the measurement is used.
    pub covariance: DMatrix<f64>,
    /// The eigenvalues of the error's equation: of A − L C, and in sampled time of A − A L C.
    pub poles: Vec<Complex<f64>>,
}

impl StateSpace {
    /// The steady Kalman filter x̂' = A x̂ + B u + L (y − C x̂ − D u) of ẋ = A x + B u + w, y = C x + D u + v.
    ///
    /// ```text
    /// L = P Cᵀ V⁻¹,    A P + P Aᵀ − P Cᵀ V⁻¹ C P + W = 0.
    /// ```
    ///
    /// w and v are independent white noises. `process` is W, n × n, the intensity of w: E w(t) w(s)ᵀ = W δ(t − s), in the units of x x/time.
    /// Noise that enters as G w₁ has W = G W₁ Gᵀ. `measurement` is V, p × p, the intensity of v, in the units of y y · time. The equations
    /// are those of [`lqr`] for Aᵀ and Cᵀ. Source: H. Kwakernaak, R. Sivan, *Linear Optimal Control Systems*, 4.3.
    ///
    /// # Errors
    /// [`AnalysisError::Shape`], [`AnalysisError::NotPositive`] with the noise, and [`AnalysisError::NotApplicable`] with the eigenvalue of a
    /// mode that does not decay and that no output sees, or that no noise excites: the filter of least variance then ignores the
    /// outputs in it.
    ///
    /// ```
    /// use lagrange_runtime::analysis::StateSpace;
    /// use lagrange_runtime::nalgebra::DMatrix;
    ///
    /// // A drifting quantity, ẋ = w, measured directly: L = √(W/V), P = √(W V).
    /// let one = DMatrix::<f64>::from_element(1, 1, 1.0);
    /// let drift = StateSpace::new(&one * 0.0, one.clone())?.with_outputs(one.clone(), &one * 0.0)?;
    /// let filter = drift.kalman(&(&one * 4.0), &(&one * 0.01))?;
    /// assert!((filter.gain[(0, 0)] - 20.0).abs() < 1e-12 && (filter.covariance[(0, 0)] - 0.2).abs() < 1e-14);
    /// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
    /// ```
    pub fn kalman(&self, process: &DMatrix<f64>, measurement: &DMatrix<f64>) -> Result<KalmanFilter, AnalysisError> {
        self.check()?;
        let Self { a, b, c, d } = self;
        let dual = Self { a: a.transpose(), b: c.transpose(), c: b.transpose(), d: d.transpose() };
        let Regulator { gain, cost, poles } = lqr(&dual, process, measurement).map_err(renamed)?;
        Ok(KalmanFilter { gain: gain.transpose(), covariance: cost, poles })
    }
}

impl SampledSpace {
    /// The steady Kalman filter of x(k+1) = A x(k) + B u(k) + w(k), y(k) = C x(k) + D u(k) + v(k):
    ///
    /// ```text
    /// x̂⁺ = x̂ + L (y − C x̂ − D u),    x̂(k+1) = A x̂⁺ + B u,
    /// L = P Cᵀ (C P Cᵀ + V)⁻¹,    P = A (P − L C P) Aᵀ + W.
    /// ```
    ///
    /// `process` is W, n × n, the covariance of w, and `measurement` is V, p × p, that of v. A filter that uses the measurement one sample later,
    /// x̂(k+1) = A x̂ + B u + K (y − C x̂ − D u), has K = A L. Source: G. F. Franklin, J. D. Powell, M. Workman, *Digital Control of Dynamic
    /// Systems*, 3rd ed., 9.4.
    ///
    /// # Errors
    /// Those of [`StateSpace::kalman`].
    pub fn kalman(&self, process: &DMatrix<f64>, measurement: &DMatrix<f64>) -> Result<KalmanFilter, AnalysisError> {
        self.check()?;
        let Self { a, b, c, d, period } = self;
        let dual = Self { a: a.transpose(), b: c.transpose(), c: b.transpose(), d: d.transpose(), period: *period };
        let Regulator { cost, poles, .. } = lqr_sampled(&dual, process, measurement).map_err(renamed)?;
        let innovation = c * &cost * c.transpose() + measurement;
        let factors = innovation.cholesky().ok_or_else(|| AnalysisError::NotPositive {
            matrix: "C P Cᵀ + V".to_string(),
            smallest: f64::NAN,
            allowed: "symmetric and positive definite",
        })?;
        let gain = factors.solve(&(c * &cost)).transpose();
        Ok(KalmanFilter { gain, covariance: cost, poles })
    }
}

/// The error of the dual regulator, in the words of the filter.
fn renamed(error: AnalysisError) -> AnalysisError {
    let noise = |name: String| match name.as_str() {
        "Q" => "the process noise".to_string(),
        "R" => "the measurement noise".to_string(),
        _ => name,
    };
    let text = |value: Complex<f64>| {
        let mut text = String::new();
        _ = complex(&mut text, value);
        text
    };
    let refused = |needs: String| AnalysisError::NotApplicable { analysis: "a Kalman filter", needs };
    match error {
        AnalysisError::NotStabilisable { eigenvalue } => refused(std::format!(
            "an output that sees the mode of eigenvalue {}, which does not decay",
            text(eigenvalue)
        )),
        AnalysisError::NotDetectable { eigenvalue } => {
            refused(std::format!("process noise in the mode of eigenvalue {}, which does not decay", text(eigenvalue)))
        }
        AnalysisError::NotStable { eigenvalue, .. } => refused(std::format!(
            "an error that decays faster than rounding; that of eigenvalue {} does not, so give its mode more process noise",
            text(eigenvalue)
        )),
        AnalysisError::NotPositive { matrix, smallest, allowed } => {
            AnalysisError::NotPositive { matrix: noise(matrix), smallest, allowed }
        }
        AnalysisError::Shape { quantity, expected, found } => {
            AnalysisError::Shape { quantity: noise(quantity), expected, found }
        }
        AnalysisError::NotFinite { quantity } => AnalysisError::NotFinite { quantity: noise(quantity) },
        other => other,
    }
}
