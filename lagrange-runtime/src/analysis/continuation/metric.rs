//! The measure of lengths along a branch.

use super::family::Family;
use crate::analysis::AnalysisError;
use crate::system::Mechanism;
use nalgebra::DVector;
use std::vec::Vec;

/// The smallest scale of an unknown, as a fraction of its magnitude, and as a fraction of the largest scale in the units that balance the
/// equations.
const LEAST_SCALE: f64 = 1e-6;
/// The part of the largest step in μ that gives the first scales.
const FIRST: f64 = 0.1;
/// The largest part of the range of μ from which the first scales are taken.
const LARGEST_FIRST: f64 = 0.02;

/// The scales of the unknowns and of μ: what the branch has spanned in each.
#[derive(Clone, Debug)]
pub(crate) struct Metric {
    low: DVector<f64>,
    high: DVector<f64>,
    /// The units that balance the equations at the start.
    units: Vec<f64>,
}

impl Metric {
    /// The metric at the first point: what a short step along the tangent spans, at first towards larger μ. Returns the tangent as well, in
    /// the units of the unknowns.
    pub(crate) fn at<M, const N: usize, const C: usize, const U: usize>(
        family: &Family<M, N, C, U>,
        x: &DVector<f64>,
        max_step: f64,
    ) -> Result<(Self, DVector<f64>), AnalysisError>
    where
        M: Mechanism<N, C, U>,
    {
        let units = family.units(x)?;
        let last = x.len() - 1;
        let mut upward = DVector::zeros(last + 1);
        upward[last] = 1.0;
        let scaled = match family.tangent(x, &units, &upward) {
            Ok(tangent) => tangent,
            // At a fold the tangent has no part along μ.
            Err(_) => family.across(x, &units)?,
        };
        let tangent = DVector::from_fn(last + 1, |j, _| scaled[j] * units[j]);
        let length = FIRST * max_step.min(LARGEST_FIRST);
        let high = DVector::from_fn(last + 1, |j, _| x[j] + length * tangent[j].abs());
        Ok((Self { low: x.clone(), high, units }, tangent))
    }

    /// Takes a further point into account.
    pub(crate) fn include(&mut self, x: &DVector<f64>) {
        for j in 0..x.len() {
            (self.low[j], self.high[j]) = (self.low[j].min(x[j]), self.high[j].max(x[j]));
        }
    }

    /// The scales at x.
    pub(crate) fn scales(&self, x: &DVector<f64>) -> Vec<f64> {
        let spans = &self.high - &self.low;
        let largest = spans.iter().zip(&self.units).fold(0.0_f64, |largest, (span, unit)| largest.max(span / unit));
        (0..x.len())
            .map(|j| spans[j].max(LEAST_SCALE * x[j].abs()).max(LEAST_SCALE * largest * self.units[j]))
            .collect()
    }
}
