//! Steps along a branch.

use super::family::{Family, Start};
use super::special::{Flank, specials};
use super::{BranchEnd, BranchPoint, SpecialPoint};
use crate::system::Mechanism;
use nalgebra::DVector;
use std::vec::Vec;

/// The smallest cosine of the angle by which the tangent may turn in a step.
const LEAST_COSINE: f64 = 0.955;
/// The smallest step, relative to the largest.
const LEAST_STEP: f64 = 1e-7;

/// The points and the special points of a walk.
pub(crate) type Walk<const N: usize, const C: usize, const U: usize> =
    (Vec<BranchPoint<N, C, U>>, Vec<SpecialPoint<N, C, U>>);

/// Follows the branch from the start until it ends: at first towards larger μ for `sign` = 1, and smaller μ for −1.
pub(crate) fn walk<M, const N: usize, const C: usize, const U: usize>(
    family: &Family<M, N, C, U>,
    start: &Start,
    sign: f64,
    max_step: f64,
    max_points: usize,
) -> (Walk<N, C, U>, BranchEnd)
where
    M: Mechanism<N, C, U>,
{
    let (mut points, mut special) = (Vec::new(), Vec::new());
    let last = start.x.len() - 1;
    let mut direction = DVector::zeros(last + 1);
    direction[last] = sign;
    let mut flank = match Flank::new(family, start.x.clone(), &start.scales, &direction) {
        Ok(flank) => flank,
        Err(error) => return ((points, special), BranchEnd::Failed(error)),
    };
    // A branch that leaves the range at its start has no points on this side.
    if outside(family, start.x[last] + flank.tangent[last] * 1e-9 * start.scales[last]) {
        return ((points, special), BranchEnd::Range);
    }
    let mut step = max_step;
    while points.len() < max_points {
        let next = loop {
            match flank.ahead(family, &start.scales, step) {
                Ok(next) if next.tangent.dot(&flank.tangent) >= LEAST_COSINE => break next,
                Ok(_) if step <= LEAST_STEP * max_step => {
                    let quantity = "the tangent of the branch, which has a corner there,".into();
                    return (
                        (points, special),
                        BranchEnd::Failed(crate::analysis::AnalysisError::NotFinite { quantity }),
                    );
                }
                Err(error) if step <= LEAST_STEP * max_step => return ((points, special), BranchEnd::Failed(error)),
                _ => step *= 0.5,
            }
        };
        special.extend(specials(family, &start.scales, &flank, &next, step));
        if outside(family, next.x[last]) {
            let bound = if next.x[last] > family.range[1] { family.range[1] } else { family.range[0] };
            let edge = flank.bisect(family, &start.scales, step, |flank| outside(family, flank.x[last]));
            special.retain(|special: &SpecialPoint<N, C, U>| !outside(family, special.point.parameter));
            if let Some(edge) = edge {
                let mut x = edge.x;
                x[last] = bound;
                points.extend(family.point_at(&x));
            }
            return ((points, special), BranchEnd::Range);
        }
        match family.point_at(&next.x) {
            Ok(point) => points.push(point),
            Err(error) => return ((points, special), BranchEnd::Failed(error)),
        }
        let away = (0..=last).map(|k| ((next.x[k] - start.x[k]) / start.scales[k]).powi(2)).sum::<f64>().sqrt();
        if points.len() > 3 && away < 0.5 * step {
            return ((points, special), BranchEnd::Closed);
        }
        flank = next;
        step = (1.5 * step).min(max_step);
    }
    ((points, special), BranchEnd::MaxPoints)
}

fn outside<M, const N: usize, const C: usize, const U: usize>(family: &Family<M, N, C, U>, value: f64) -> bool
where
    M: Mechanism<N, C, U>,
{
    !(family.range[0]..=family.range[1]).contains(&value)
}
