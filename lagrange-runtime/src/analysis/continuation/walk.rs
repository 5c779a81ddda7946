//! Steps along a branch.

use super::BranchEnd;
use super::curve::Curve;
use super::metric::Metric;
use super::special::{Flank, Special, specials};
use crate::analysis::AnalysisError;
use nalgebra::DVector;
use std::vec::Vec;

/// The smallest cosine of the angle by which the tangent may turn in a step.
const LEAST_COSINE: f64 = 0.955;
/// The largest distance from the end of the tangent to the branch, as a fraction of the step.
const LARGEST_CORRECTION: f64 = 0.3;
/// The largest step, as a fraction of what the branch has spanned.
const LARGEST_STEP: f64 = 0.5;
/// The largest change of an unknown in a step, as a multiple of the largest step in μ, relative to what the branch has spanned.
const UNKNOWN_STEP: f64 = 10.0;
/// The smallest step, as a fraction of what the branch has spanned.
const LEAST_STEP: f64 = 1e-10;
/// How much longer a step may be than the one before.
const GROWTH: f64 = 1.5;
/// A walk begins this part of its first step before the first point of the branch. So the first point lies within a step, where special points
/// are found.
const BEFORE: f64 = 0.25;
/// A branch is closed if it comes back to its start within this fraction of the step.
const CLOSED: f64 = 1e-6;
/// The number of corrections of the place at which a branch comes back to its start.
const RETURN_CORRECTIONS: usize = 6;
/// A bound of the range that is nearer than this fraction of the range is reached.
const AT_BOUND: f64 = 1e-12;

/// The points and the special points of a walk.
pub(crate) type Walked<K> = (Vec<<K as Curve>::Point>, Vec<Special<K>>);

/// A walk along a branch.
pub(crate) struct Walk<'a, K> {
    pub(crate) family: &'a K,
    pub(crate) metric: Metric,
    pub(crate) max_step: f64,
    pub(crate) max_points: usize,
}

impl<K: Curve> Walk<'_, K> {
    /// The branch through `start` in both directions, with the reasons why it ends before its first point and after its last.
    ///
    /// # Errors
    /// Those of the first point.
    pub(crate) fn both_ways(
        &mut self,
        start: &DVector<f64>,
        tangent: &DVector<f64>,
    ) -> Result<(Walked<K>, [BranchEnd; 2]), AnalysisError> {
        // The walk begins a little before the start, so that a special point at the start lies within a step.
        let (origin, back) = self.before(start, tangent);
        let (forward, end) = self.follow(&origin, tangent, back);
        let (backward, first_end) = match end {
            BranchEnd::Closed => (Default::default(), BranchEnd::Closed),
            _ => self.follow(&origin, &-tangent, 0.0),
        };
        let (mut points, mut special): Walked<K> = backward;
        points.reverse();
        special.reverse();
        points.push(self.family.point_at(&origin)?);
        if back > 0.0 {
            points.push(self.family.point_at(start)?);
        }
        points.extend(forward.0);
        special.extend(forward.1);
        Ok(((points, special), [first_end, end]))
    }

    /// The point a little before `x`, against the tangent, and the length of the way back; `x` itself and 0 where there is none. The tangent is
    /// in the units of the unknowns.
    pub(crate) fn before(&self, x: &DVector<f64>, tangent: &DVector<f64>) -> (DVector<f64>, f64) {
        let none = (x.clone(), 0.0);
        let scales = self.metric.scales(x);
        let Ok(flank) = Flank::new(self.family, x.clone(), &scales, &-scaled(tangent, &scales).normalize()) else {
            return none;
        };
        let mut step = self.largest_step(&flank, &scales);
        while step > LEAST_STEP {
            match flank.ahead(self.family, &scales, step) {
                Ok(back) if self.is_near(&flank, &back, &scales, step) => {
                    let step = BEFORE * step;
                    return match flank.ahead(self.family, &scales, step) {
                        Ok(back) if !self.outside(&back.x) => (back.x, step),
                        _ => none,
                    };
                }
                _ => step *= 0.5,
            }
        }
        none
    }

    /// Follows the branch from `start` in a direction, in the units of the unknowns, until it ends. The first step is twice the length `back`, if
    /// it is not 0.
    pub(crate) fn follow(
        &mut self,
        start: &DVector<f64>,
        direction: &DVector<f64>,
        back: f64,
    ) -> (Walked<K>, BranchEnd) {
        let mut found = (Vec::new(), Vec::new());
        match self.steps(start, direction, back, &mut found) {
            Ok(end) => (found, end),
            Err(error) => (found, BranchEnd::Failed(error)),
        }
    }

    fn steps(
        &mut self,
        start: &DVector<f64>,
        direction: &DVector<f64>,
        back: f64,
        (points, special): &mut Walked<K>,
    ) -> Result<BranchEnd, AnalysisError> {
        let mut scales = self.metric.scales(start);
        let mut flank = Flank::new(self.family, start.clone(), &scales, &scaled(direction, &scales).normalize())?;
        let first = flank.direction(&scales);
        if self.leaves(&flank) {
            return Ok(BranchEnd::Range);
        }
        let largest = self.largest_step(&flank, &scales);
        let mut step = if back > 0.0 { largest.min(2.0 * back) } else { largest };
        while points.len() < self.max_points {
            let (next, found) = self.next(&flank, &scales, &mut step)?;
            if points.len() > 2
                && let Some((along, end)) = self.comes_back(&flank, &scales, step, start, &first)
            {
                special.extend(specials(self.family, &scales, &flank, &end, along).unwrap_or_default());
                return Ok(BranchEnd::Closed);
            }
            special.extend(found);
            if self.outside(&next.x) {
                let last = next.x.len() - 1;
                let [low, high] = self.family.range();
                let bound = if next.x[last] > high { high } else { low };
                let ((_, mut edge), _) =
                    flank.bisect(self.family, &scales, (&next, step), |flank| self.outside(&flank.x));
                special.retain(|(_, point, _)| (low..=high).contains(&K::parameter(point)));
                edge.x[last] = bound;
                // The last correction does not change μ.
                scales[last] = 0.0;
                let edge = self.family.correct(&edge.x, &scales)?;
                self.metric.include(&edge);
                points.push(self.family.point_at(&edge)?);
                return Ok(BranchEnd::Range);
            }
            points.push(self.family.point_at(&next.x)?);
            self.metric.include(&next.x);
            let direction = next.direction(&scales);
            let length = step * &direction;
            scales = self.metric.scales(&next.x);
            flank = next.along(&direction, &scales);
            // The same length in the new scales.
            let same = scaled(&length, &scales).norm();
            step = (GROWTH * same).min(self.largest_step(&flank, &scales));
        }
        Ok(BranchEnd::MaxPoints)
    }

    /// The next point with the special points before it. The step is halved until the point is near the tangent, and on the same branch.
    fn next(&self, flank: &Flank, scales: &[f64], step: &mut f64) -> Result<(Flank, Vec<Special<K>>), AnalysisError> {
        loop {
            let failure = match flank.ahead(self.family, scales, *step) {
                Ok(next) if self.is_near(flank, &next, scales, *step) => {
                    match specials(self.family, scales, flank, &next, *step) {
                        Some(found) => return Ok((next, found)),
                        None => None,
                    }
                }
                Ok(_) => None,
                Err(error) => Some(error),
            };
            *step *= 0.5;
            if *step <= LEAST_STEP {
                let quantity = "the tangent of the branch, which has a corner there,".into();
                return Err(failure.unwrap_or(AnalysisError::NotFinite { quantity }));
            }
        }
    }

    /// Whether `next` is near the tangent of `flank`, and has nearly the same tangent.
    fn is_near(&self, flank: &Flank, next: &Flank, scales: &[f64], step: f64) -> bool {
        let away =
            DVector::from_fn(next.x.len(), |j, _| (next.x[j] - flank.x[j]) / scales[j] - step * flank.tangent[j]);
        next.tangent.dot(&flank.tangent) >= LEAST_COSINE && away.norm() <= LARGEST_CORRECTION * step
    }

    /// The largest step from a point: in μ `max_step` of its range, and a part of what the branch has spanned.
    fn largest_step(&self, flank: &Flank, scales: &[f64]) -> f64 {
        let last = scales.len() - 1;
        let width = self.family.range()[1] - self.family.range()[0];
        let in_parameter = self.max_step * width / (scales[last] * flank.tangent[last].abs());
        LARGEST_STEP.min(UNKNOWN_STEP * self.max_step).min(in_parameter)
    }

    /// The place in a step at which the branch comes back to its start, and the point there.
    fn comes_back(
        &self,
        flank: &Flank,
        scales: &[f64],
        step: f64,
        start: &DVector<f64>,
        first: &DVector<f64>,
    ) -> Option<(f64, Flank)> {
        let to_start = |x: &DVector<f64>| scaled(&(start - x), scales);
        let away = to_start(&flank.x);
        let mut along = away.dot(&flank.tangent);
        if !(along > 0.0 && along <= step) || (away - along * &flank.tangent).norm() > LARGEST_CORRECTION * step {
            return None;
        }
        for _ in 0..RETURN_CORRECTIONS {
            let at = flank.ahead(self.family, scales, along).ok()?;
            let away = to_start(&at.x);
            if away.norm() <= CLOSED * step {
                let first = scaled(first, scales).normalize();
                return (at.tangent.dot(&first) >= LEAST_COSINE).then_some((along, at));
            }
            along += away.dot(&at.tangent) / at.tangent.dot(&flank.tangent);
        }
        None
    }

    /// Whether the branch leaves the range at this point.
    fn leaves(&self, flank: &Flank) -> bool {
        let last = flank.x.len() - 1;
        let [low, high] = self.family.range();
        let (value, near) = (flank.x[last], AT_BOUND * (high - low));
        (value >= high - near && flank.tangent[last] > 0.0) || (value <= low + near && flank.tangent[last] < 0.0)
    }

    fn outside(&self, x: &DVector<f64>) -> bool {
        !(self.family.range()[0]..=self.family.range()[1]).contains(&x[x.len() - 1])
    }
}

/// A vector with each component divided by its scale.
fn scaled(vector: &DVector<f64>, scales: &[f64]) -> DVector<f64> {
    DVector::from_fn(vector.len(), |j, _| vector[j] / scales[j])
}
