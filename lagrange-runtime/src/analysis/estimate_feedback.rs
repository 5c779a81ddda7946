//! Feedback of a filter's estimate as a law of a sampled controller.

use super::AnalysisError;
use super::kalman::KalmanFilter;
use super::matrix::shaped;
use super::state_space::SampledSpace;
use crate::controller::{EstimateFeedback, ObservedModel};
use nalgebra::{DMatrix, SMatrix, SVector};

impl KalmanFilter {
    /// The law u = u₀ − K x̂ with the estimate x̂ of this filter, for S states, P outputs and U inputs.
    ///
    /// `space` is the sampled system for which the filter was designed, and `gain` is K, a row for each input and a column for
    /// each state. `measure` gives the outputs at a sample; it may add noise, or evaluate the outputs without linearisation.
    /// `outputs` are those at the equilibrium, and `inputs` is u₀. The filter and the feedback may be designed apart: the poles
    /// of the whole are those of A − B K and of A − A L C. The law does not allocate.
    ///
    /// # Errors
    /// [`AnalysisError::Shape`] for matrices that do not fit S, P and U; [`AnalysisError::NotFinite`].
    ///
    /// ```
    /// use lagrange_runtime::analysis::{linearize, lqr_sampled};
    /// use lagrange_runtime::nalgebra::DMatrix;
    /// use lagrange_runtime::prelude::*;
    ///
    /// #[lagrangian {
    ///     coordinates theta;
    ///     kinetic = m*l^2*dot(theta)^2/2;
    ///     potential = m*g*l*cos(theta);
    ///     force theta = torque;
    ///     output angle = theta;
    /// }]
    /// struct Inverted {
    ///     m: f64,
    ///     l: f64,
    ///     g: f64,
    ///     #[input]
    ///     torque: f64,
    /// }
    ///
    /// let inverted = Inverted { m: 1.0, l: 0.5, g: 9.81, torque: 0.0 };
    /// let system = inverted.prepare::<f64>()?;
    /// let upright = State::new(0.0, [0.0], [0.0]);
    /// let near = linearize(&system, &upright, &SVector::from([0.0]))?.with_outputs(&inverted)?;
    /// let sampled = near.space().sampled(0.02)?;
    /// let regulator = lqr_sampled(&sampled, &DMatrix::identity(2, 2), &DMatrix::identity(1, 1))?;
    /// let filter = sampled.kalman(&DMatrix::identity(2, 2), &DMatrix::from_element(1, 1, 0.1))?;
    /// // Only the angle is measured.
    /// let measure = |_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| *q;
    /// let law = filter.feedback::<2, 1, 1, _>(&sampled, &regulator.gain, measure, [0.0].into(), [0.0].into())?;
    /// let leaning = State::new(0.0, [0.1], [0.0]);
    /// let mut controller = Sampled::of(0.02, law);
    /// let end = solve_with(&system, leaning, 10.0, &Rkf45::new(), &Options::default(), &mut controller)?;
    /// assert!(end.last().unwrap().q[0].abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn feedback<const S: usize, const P: usize, const U: usize, M>(
        &self,
        space: &SampledSpace,
        gain: &DMatrix<f64>,
        measure: M,
        outputs: SVector<f64, P>,
        inputs: SVector<f64, U>,
    ) -> Result<EstimateFeedback<M, f64, S, P, U>, AnalysisError> {
        space.check()?;
        shaped("A", &space.a, (S, S))?;
        shaped("B", &space.b, (S, U))?;
        shaped("C", &space.c, (P, S))?;
        shaped("the filter's gain", &self.gain, (S, P))?;
        shaped("the gain", gain, (U, S))?;
        let law = EstimateFeedback::new(
            ObservedModel { a: fixed(&space.a), b: fixed(&space.b), c: fixed(&space.c), d: fixed(&space.d) },
            fixed(&self.gain),
            fixed(gain),
            measure,
        );
        Ok(law.with_reference(outputs, inputs))
    }
}

/// A matrix of dynamic size as one of fixed size, which it has.
fn fixed<const I: usize, const J: usize>(matrix: &DMatrix<f64>) -> SMatrix<f64, I, J> {
    SMatrix::from_fn(|i, j| matrix[(i, j)])
}
