//! Regulators of sampled inputs under a cost of continuous time.

use super::AnalysisError;
use super::exponential::{integral, symmetric};
use super::matrix::shaped;
use super::regulator::{Regulator, lqr_sampled_with_cross};
use super::state_space::StateSpace;
use nalgebra::DMatrix;

/// The weights of a sum over samples that equals a cost of continuous time.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledWeights {
    /// Q: n × n.
    pub q: DMatrix<f64>,
    /// R: m × m.
    pub r: DMatrix<f64>,
    /// N: n × m.
    pub n: DMatrix<f64>,
}

impl StateSpace {
    /// The weights with Σ xᵀ Q_d x + 2 xᵀ N_d u + uᵀ R_d u = ∫ xᵀ Q x + 2 xᵀ N u + uᵀ R u dt under a zero-order hold:
    ///
    /// ```text
    /// ⎡ Q_d   N_d ⎤       h            ⎡ Q   N ⎤                        ⎡ A  B ⎤
    /// ⎣ N_dᵀ  R_d ⎦ = ∫  exp(Fᵀ t) ⎣ Nᵀ  R ⎦ exp(F t) dt,   F = ⎣ 0  0 ⎦.
    ///                     0
    /// ```
    ///
    /// Their units are those of Q, R and N times the unit of time. Source: C. F. Van Loan, *Computing integrals involving the
    /// matrix exponential*, IEEE Trans. Autom. Control 23, 1978.
    ///
    /// # Errors
    /// [`AnalysisError::Shape`], [`AnalysisError::NotFinite`]; [`AnalysisError::NotApplicable`] for a period that is not
    /// positive, and for one over which the integral overflows.
    pub fn sampled_weights(
        &self,
        period: f64,
        q: &DMatrix<f64>,
        r: &DMatrix<f64>,
        n: &DMatrix<f64>,
    ) -> Result<SampledWeights, AnalysisError> {
        self.check()?;
        let (states, inputs) = self.b.shape();
        shaped("Q", q, (states, states))?;
        shaped("R", r, (inputs, inputs))?;
        shaped("N", n, (states, inputs))?;
        let refused = |needs| AnalysisError::NotApplicable { analysis: "a cost between samples", needs };
        if !(period > 0.0 && period.is_finite()) {
            return Err(refused(std::format!("a positive and finite period; it is {period}")));
        }
        let size = states + inputs;
        let (mut flow, mut weight) = (DMatrix::zeros(size, size), DMatrix::zeros(size, size));
        flow.view_mut((0, 0), (states, states)).copy_from(&self.a.transpose());
        flow.view_mut((states, 0), (inputs, states)).copy_from(&self.b.transpose());
        weight.view_mut((0, 0), (states, states)).copy_from(q);
        weight.view_mut((0, states), (states, inputs)).copy_from(n);
        weight.view_mut((states, 0), (inputs, states)).copy_from(&n.transpose());
        weight.view_mut((states, states), (inputs, inputs)).copy_from(r);
        let sum = integral(&flow, &weight, period).ok_or_else(|| {
            refused(std::format!("a shorter period; over {period:e} the fastest growing mode overflows"))
        })?;
        let sum = symmetric(&sum);
        Ok(SampledWeights {
            q: sum.view((0, 0), (states, states)).into_owned(),
            r: sum.view((states, states), (inputs, inputs)).into_owned(),
            n: sum.view((0, states), (states, inputs)).into_owned(),
        })
    }
}

/// The u(k) = −K x(k) that minimises ∫₀^∞ xᵀ Q x + uᵀ R u dt for ẋ = A x + B u, where u is constant between samples that are
/// `period` apart.
///
/// It is [`lqr_sampled_with_cross`] of [`StateSpace::sampled`] under [`StateSpace::sampled_weights`]. So the motion between the
/// samples costs what it costs, and the weights are those of [`lqr`](super::lqr) whatever the period is. xᵀ X x is the cost.
/// Source: G. F. Franklin, J. D. Powell, M. Workman, *Digital Control of Dynamic Systems*, 3rd ed., 9.4.
///
/// # Errors
/// Those of [`StateSpace::sampled_weights`] and [`lqr_sampled_with_cross`].
///
/// ```
/// use lagrange_runtime::analysis::{StateSpace, lqr, lqrd};
/// use lagrange_runtime::nalgebra::DMatrix;
///
/// let integrator = StateSpace::new(
///     DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]),
///     DMatrix::from_column_slice(2, 1, &[0.0, 1.0]),
/// )?;
/// let (q, r) = (DMatrix::identity(2, 2), DMatrix::identity(1, 1));
/// let (fast, continuous) = (lqrd(&integrator, 1e-6, &q, &r)?, lqr(&integrator, &q, &r)?);
/// assert!((fast.gain - continuous.gain).norm() < 1e-5);
/// # Ok::<(), lagrange_runtime::analysis::AnalysisError>(())
/// ```
pub fn lqrd(space: &StateSpace, period: f64, q: &DMatrix<f64>, r: &DMatrix<f64>) -> Result<Regulator, AnalysisError> {
    let weights = space.sampled_weights(period, q, r, &DMatrix::zeros(space.a.nrows(), space.b.ncols()))?;
    lqr_sampled_with_cross(&space.sampled(period)?, &weights.q, &weights.r, &weights.n)
}
