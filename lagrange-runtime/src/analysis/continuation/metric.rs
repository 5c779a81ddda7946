//! The measure of lengths along a branch.

use super::Way;
use super::curve::Curve;
use crate::analysis::AnalysisError;
use crate::analysis::matrix::least_directions;
use nalgebra::DVector;
use std::string::ToString;
use std::vec::Vec;

/// The smallest scale of an unknown, as a fraction of its magnitude, and as a fraction of the largest scale in the units that balance the
/// equations.
const LEAST_SCALE: f64 = 1e-6;
/// The part of the largest step in μ that gives the first scales.
const FIRST: f64 = 0.1;
/// The largest part of the range of μ from which the first scales are taken.
const LARGEST_FIRST: f64 = 0.02;

/// The powers of two that multiply the largest step on the way to another branch.
const SWITCH_DOUBLINGS: core::ops::Range<i32> = -24..40;
/// A step leads to another branch if the corrections after it are below this part of it.
const SWITCHED: f64 = 0.1;
/// The smallest cosine of the angle between the other branch and its chord from the branch point.
const LEAST_COSINE: f64 = 0.955;

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
    /// the units of the unknowns. Where the curve knows what it will span, these are the first scales.
    pub(crate) fn at(
        family: &impl Curve,
        x: &DVector<f64>,
        max_step: f64,
    ) -> Result<(Self, DVector<f64>), AnalysisError> {
        let spans = family.spans(x)?;
        let units = match &spans {
            Some(spans) => spans.clone(),
            None => family.units(x)?,
        };
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
        let high = DVector::from_fn(last + 1, |j, _| match &spans {
            Some(spans) => x[j] + spans[j],
            None => x[j] + length * tangent[j].abs(),
        });
        Ok((Self { low: x.clone(), high, units }, tangent))
    }

    /// A point of the curve that crosses a known one at `origin`, with its tangent in the units of the unknowns, and the metric there. `way` is
    /// that of the known curve.
    ///
    /// At the origin [F_x F_μ] has two null directions. A step goes along the one across the known curve, and corrections lead to the other
    /// curve unless they lead back to the known one. A known curve on which an unknown does not move gives no scale of it. So steps of all
    /// lengths are tried, and the longest one counts from which all shorter ones, down to rounding, lead to the other curve as well: a longer
    /// one may lead to a curve that does not cross.
    ///
    /// # Errors
    /// [`AnalysisError::NotApplicable`] where no step leads to another curve.
    pub(crate) fn across(
        family: &impl Curve,
        origin: &DVector<f64>,
        way: &Way,
        max_step: f64,
    ) -> Result<(DVector<f64>, DVector<f64>, Self), AnalysisError> {
        let units: Vec<f64> = way.spans.iter().copied().collect();
        let scaled = |x: &DVector<f64>| DVector::from_fn(x.len(), |j, _| x[j] / units[j]);
        let known = scaled(&way.direction).normalize();
        let (_, directions) = least_directions(&family.scaled_jacobian(origin, &units)?)?;
        let rest = |k: usize| directions.column(k) - &known * known.dot(&directions.column(k));
        let mut rests: Vec<DVector<f64>> = (0..directions.ncols().min(2)).map(rest).collect();
        rests.sort_by(|a, b| b.norm().total_cmp(&a.norm()));
        let Some(across) = rests.first().map(DVector::normalize) else { return Err(no_other_branch()) };
        let attempt = |step: f64| {
            let guess = DVector::from_fn(origin.len(), |j, _| origin[j] + step * across[j] * units[j]);
            let found = family.correct(&guess, &units).ok()?;
            let [low, high] = family.range();
            if !(low..=high).contains(&found[found.len() - 1]) {
                return None;
            }
            let way = scaled(&(&found - origin));
            let tangent = family.tangent(&found, &units, &way.normalize()).ok()?;
            let is_near = scaled(&(&found - &guess)).norm() <= SWITCHED * step.abs();
            (is_near && tangent.dot(&way) >= LEAST_COSINE * way.norm()).then_some((found, tangent))
        };
        let spans = family.spans(origin)?;
        // A curve that knows what it spans needs no longer steps than that.
        let doublings = if spans.is_some() { SWITCH_DOUBLINGS.start..1 } else { SWITCH_DOUBLINGS };
        for sign in [1.0, -1.0] {
            let (mut run, mut longest, mut last) = (0, 0, None);
            for doublings in doublings.clone() {
                let found = attempt(sign * max_step * 2.0_f64.powi(doublings));
                run = if found.is_some() { run + 1 } else { 0 };
                if run > longest {
                    (longest, last) = (run, found);
                }
            }
            if let Some((found, tangent)) = last {
                let tangent = DVector::from_fn(tangent.len(), |j, _| tangent[j] * units[j]);
                let mut metric = Self { low: origin.clone(), high: origin.clone(), units };
                if let Some(spans) = spans {
                    metric.include(&(origin + DVector::from_vec(spans)));
                }
                metric.include(&found);
                return Ok((found, tangent, metric));
            }
        }
        Err(no_other_branch())
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

/// The error of a point at which no other branch is found.
fn no_other_branch() -> AnalysisError {
    let needs = "a branch point; no step from this point leads to another branch".to_string();
    AnalysisError::NotApplicable { analysis: "a switch of branches", needs }
}
