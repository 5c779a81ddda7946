//! Curves of solutions of F(x, μ) = 0.

use super::special::{Flank, Special};
use crate::analysis::AnalysisError;
use crate::analysis::equilibrium::{correction, equilibrate};
use crate::analysis::matrix::{least_directions, solve_least_squares};
use nalgebra::{DMatrix, DVector};
use std::string::ToString;
use std::vec::Vec;

/// The largest number of corrections that lead back to the branch.
const MAX_CORRECTIONS: usize = 12;
/// The corrections end with one below this fraction of what the branch spans.
const CORRECTION: f64 = 1e-12;
/// A correction below this fraction is rounding if it is not less than half of the one before.
const NEAR: f64 = 1e-8;
/// A direction whose part in the tangent space has less than this length has no tangent.
const LEAST_TANGENT: f64 = 1e-6;

/// The solutions of F(x, μ) = 0. A point is x with μ as its last component.
pub(crate) trait Curve {
    /// A point in the form that users get.
    type Point;
    /// The kind of a special point.
    type Kind: Copy;

    /// The kind of a point at which the curve turns back in μ.
    const FOLD: Self::Kind;
    /// The kind of a point at which another curve crosses.
    const BRANCH_POINT: Self::Kind;

    /// Singular values of the scaled Jacobian below this fraction of the largest count as 0. Then the tangent has the direction of the one
    /// before, as at a branch point.
    const RANK_TOLERANCE: f64;
    /// Singular values below this fraction of the largest count as 0 in corrections.
    const CORRECTED: f64;

    /// What the curve is expected to span in each unknown and in μ; `None` where nothing is known but the equations.
    ///
    /// # Errors
    /// Those of the equations at x.
    fn spans(&self, x: &DVector<f64>) -> Result<Option<Vec<f64>>, AnalysisError>;

    /// The range of μ.
    fn range(&self) -> [f64; 2];

    /// The value of μ at a point.
    fn parameter(point: &Self::Point) -> f64;

    /// F and [F_x F_μ].
    fn evaluate(&self, x: &DVector<f64>) -> Result<(DVector<f64>, DMatrix<f64>), AnalysisError>;

    /// The point in the form that users get.
    fn point_at(&self, x: &DVector<f64>) -> Result<Self::Point, AnalysisError>;

    /// The special points between two points that are neither folds nor branch points, each with its place in the step.
    fn further(&self, scales: &[f64], flank: &Flank, next: &Flank, step: f64) -> Vec<(f64, Special<Self>)>;

    /// The units of the unknowns and of μ in which [F_x F_μ] is balanced, with the range of μ as the unit of μ.
    fn units(&self, x: &DVector<f64>) -> Result<Vec<f64>, AnalysisError> {
        let (_, mut jacobian) = self.evaluate(x)?;
        let (last, width) = (x.len() - 1, self.range()[1] - self.range()[0]);
        jacobian.column_mut(last).scale_mut(width);
        let (_, mut units) = equilibrate(&jacobian);
        let unit = units[last];
        units.iter_mut().for_each(|scale| *scale /= unit);
        units[last] = width;
        Ok(units)
    }

    /// The point of the branch nearest to x.
    fn correct(&self, x: &DVector<f64>, scales: &[f64]) -> Result<DVector<f64>, AnalysisError> {
        let mut x = x.clone();
        let mut last = f64::INFINITY;
        for _ in 0..MAX_CORRECTIONS {
            let (residual, jacobian) = self.evaluate(&x)?;
            let step = correction(&jacobian, &residual, (&row_scales(&jacobian, scales), scales), Self::CORRECTED)?;
            for (entry, (change, scale)) in x.iter_mut().zip(step.iter().zip(scales)) {
                *entry += change * scale;
            }
            let size = step.norm();
            // Near the rounding, the corrections end with one that gains nothing.
            if size <= CORRECTION || (size <= NEAR && size >= 0.5 * last) {
                return Ok(x);
            }
            last = size;
        }
        Err(AnalysisError::NotConverged {
            sought: "point of the branch",
            iterations: MAX_CORRECTIONS as u32,
            worst: "the correction across the branch".to_string(),
            residual: last,
            remedy: "take a smaller `max_step`",
        })
    }

    /// The scaled tangent of length 1 whose direction is nearest to `direction`.
    fn tangent(
        &self,
        x: &DVector<f64>,
        scales: &[f64],
        direction: &DVector<f64>,
    ) -> Result<DVector<f64>, AnalysisError> {
        let scaled = self.scaled_jacobian(x, scales)?;
        let right = &scaled * direction;
        let across = solve_least_squares(
            &scaled,
            &DMatrix::from_column_slice(right.len(), 1, right.as_slice()),
            Self::RANK_TOLERANCE,
        )?;
        let tangent = direction - across.column(0);
        let length = tangent.norm();
        if length > LEAST_TANGENT {
            Ok(tangent / length)
        } else {
            Err(AnalysisError::NotFinite { quantity: "the tangent of the branch".into() })
        }
    }

    /// A scaled tangent of length 1 where [F_x F_μ] has one null direction.
    fn across(&self, x: &DVector<f64>, scales: &[f64]) -> Result<DVector<f64>, AnalysisError> {
        let (_, directions) = least_directions(&self.scaled_jacobian(x, scales)?)?;
        Ok(directions.column(0).into_owned())
    }

    /// [F_x F_μ] with rows and columns scaled.
    fn scaled_jacobian(&self, x: &DVector<f64>, scales: &[f64]) -> Result<DMatrix<f64>, AnalysisError> {
        let (_, jacobian) = self.evaluate(x)?;
        let rows = row_scales(&jacobian, scales);
        Ok(DMatrix::from_fn(jacobian.nrows(), jacobian.ncols(), |i, j| jacobian[(i, j)] * rows[i] * scales[j]))
    }
}

/// The scales that make the largest entry of each row about 1, when the columns are already scaled.
fn row_scales(jacobian: &DMatrix<f64>, scales: &[f64]) -> Vec<f64> {
    let largest = |i: usize| (0..scales.len()).map(|j| (jacobian[(i, j)] * scales[j]).abs()).fold(0.0, f64::max);
    (0..jacobian.nrows()).map(largest).map(|largest| if largest > 0.0 { 1.0 / largest } else { 1.0 }).collect()
}
