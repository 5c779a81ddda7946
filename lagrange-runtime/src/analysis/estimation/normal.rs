//! The normal equations of a step of an estimation.

use crate::analysis::AnalysisError;
use nalgebra::{DMatrix, DVector, SVD};
use std::string::ToString;
use std::vec::Vec;

/// A combination of values is undetermined if its change moves the samples by less than this fraction of what it moves them term by
/// term. It is the root of the rounding: JᵀJ then has no digit of the combination.
const UNDETERMINED: f64 = 1.5e-8;
/// The largest number of iterations of a decomposition.
const MAX_ITERATIONS: usize = 20_000;

/// The normal equations JᵀJ δ = Jᵀr by the singular values of J, whose columns are scaled to length 1. So the units of the values do not
/// matter.
pub(super) struct Normal {
    lengths: Vec<f64>,
    singular: DVector<f64>,
    directions: DMatrix<f64>,
    /// Jᵀr of the scaled J.
    pub(super) slope: DVector<f64>,
}

impl Normal {
    pub(super) fn new(residual: &DVector<f64>, mut jacobian: DMatrix<f64>) -> Result<Self, AnalysisError> {
        let length = |k: usize| match jacobian.column(k).norm() {
            length if length > 0.0 => length,
            _ => 1.0,
        };
        let lengths: Vec<f64> = (0..jacobian.ncols()).map(length).collect();
        for (k, length) in lengths.iter().enumerate() {
            jacobian.column_mut(k).unscale_mut(*length);
        }
        let slope = jacobian.transpose() * residual;
        let failed = || AnalysisError::NotFinite { quantity: "a derivative of a sample".to_string() };
        let factors = SVD::try_new(jacobian.qr().r(), false, true, f64::EPSILON, MAX_ITERATIONS).ok_or_else(failed)?;
        let directions = factors.v_t.ok_or_else(failed)?.transpose();
        Ok(Self { lengths, singular: factors.singular_values, directions, slope })
    }

    fn is_determined(&self, k: usize) -> bool {
        self.singular[k] > UNDETERMINED * self.singular.amax()
    }

    /// (JᵀJ + damping)⁻¹ Jᵀr along what the samples determine, scaled. Marquardt's scaling makes the units of the values irrelevant.
    pub(super) fn step(&self, damping: f64) -> DVector<f64> {
        let mut step = DVector::zeros(self.lengths.len());
        for k in (0..self.singular.len()).filter(|&k| self.is_determined(k)) {
            let direction = self.directions.column(k);
            step += direction * (direction.dot(&self.slope) / (self.singular[k] * self.singular[k] + damping));
        }
        step
    }

    /// The change of the values of a scaled step.
    pub(super) fn change(&self, step: &DVector<f64>) -> DVector<f64> {
        DVector::from_fn(step.len(), |k, _| step[k] / self.lengths[k])
    }

    /// The scaled direction that the samples determine least, if they do not determine it.
    pub(super) fn undetermined(&self) -> Option<DVector<f64>> {
        let least = self.singular.imin();
        (!self.is_determined(least)).then(|| self.directions.column(least).into_owned())
    }

    /// (JᵀJ)⁻¹.
    pub(super) fn covariance(&self) -> DMatrix<f64> {
        let by_direction = |k: usize, i: usize| self.directions[(i, k)] / (self.singular[k] * self.lengths[i]);
        let count = self.lengths.len();
        DMatrix::from_fn(count, count, |i, j| (0..count).map(|k| by_direction(k, i) * by_direction(k, j)).sum())
    }
}
