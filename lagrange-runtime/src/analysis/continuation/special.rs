//! Folds and branch points between two points of a branch.

use super::Way;
use super::curve::Curve;
use crate::analysis::AnalysisError;
use nalgebra::{DMatrix, DVector};
use std::vec::Vec;

/// The number of times that an interval is halved. Its length is then below the rounding.
const HALVINGS: usize = 50;
/// The length of an interval that is not halved further, as a fraction of the step.
const RESOLUTION: f64 = 1e-13;
/// The largest distance between the points on both sides of a special point, as a fraction of the step. Near a branch point the points are
/// known only to the square root of the rounding.
const GAP: f64 = 1e-5;
/// The smallest cosine of the angle between the tangents on both sides of a special point.
const LEAST_COSINE: f64 = 0.955;
/// A point is between two others of a branch if it is nearer to its guess than this fraction of their distance. Where two branches are that
/// near, the guess does not tell them apart.
const AMBIGUOUS: f64 = 0.25;
/// Two special points are one if they are nearer than this fraction of the step.
const SAME_PLACE: f64 = 1e-3;
/// A pivot below this fraction of the largest is rounding.
const SINGULAR: f64 = 1e-14;
/// A point of a branch with its tangent.
#[derive(Clone, Debug)]
pub(crate) struct Flank {
    pub(crate) x: DVector<f64>,
    pub(crate) tangent: DVector<f64>,
}

impl Flank {
    pub(crate) fn new(
        family: &(impl Curve + ?Sized),
        x: DVector<f64>,
        scales: &[f64],
        direction: &DVector<f64>,
    ) -> Result<Self, AnalysisError> {
        let tangent = family.tangent(&x, scales, direction)?;
        Ok(Self { x, tangent })
    }

    /// The point a scaled length `step` further.
    pub(crate) fn ahead(
        &self,
        family: &(impl Curve + ?Sized),
        scales: &[f64],
        step: f64,
    ) -> Result<Self, AnalysisError> {
        let guess = DVector::from_fn(self.x.len(), |k, _| self.x[k] + step * self.tangent[k] * scales[k]);
        let x = family.correct(&guess, scales)?;
        Self::new(family, x, scales, &self.tangent)
    }

    /// The tangent, and what the curve has spanned, in the units of the unknowns.
    pub(crate) fn way(&self, scales: &[f64]) -> Way {
        Way { direction: self.direction(scales), spans: DVector::from_column_slice(scales) }
    }

    /// The tangent in the units of the unknowns.
    pub(crate) fn direction(&self, scales: &[f64]) -> DVector<f64> {
        DVector::from_fn(self.tangent.len(), |j, _| self.tangent[j] * scales[j])
    }

    /// This point, measured in other scales. `direction` is the tangent in the units of the unknowns.
    pub(crate) fn along(self, direction: &DVector<f64>, scales: &[f64]) -> Self {
        let tangent = DVector::from_fn(direction.len(), |j, _| direction[j] / scales[j]).normalize();
        Self { x: self.x, tangent }
    }

    /// The last point before `next` for which `holds` is false, as it is here, and the first for which it is true; and the place of the
    /// latter in the step from here to `next`.
    ///
    /// The interval is halved at the middle of the cubic curve through its ends along their tangents. Near a branch point this point is much
    /// nearer to this branch than to the other.
    pub(crate) fn bisect(
        &self,
        family: &(impl Curve + ?Sized),
        scales: &[f64],
        (next, step): (&Self, f64),
        holds: impl Fn(&Self) -> bool,
    ) -> ((Self, Self), f64) {
        let (mut low, mut high) = (0.0, step);
        let (mut before, mut after) = (self.clone(), next.clone());
        for _ in 0..HALVINGS {
            // A point that cannot be found between the two, such as a branch point itself, ends the search.
            let Some(flank) = before.between(family, scales, &after) else { break };
            let middle = 0.5 * (low + high);
            if holds(&flank) {
                (high, after) = (middle, flank);
            } else {
                (low, before) = (middle, flank);
            }
            if high - low <= RESOLUTION * step {
                break;
            }
        }
        ((before, after), high)
    }

    /// The point of the branch in the middle between this one and `other`.
    fn between(&self, family: &(impl Curve + ?Sized), scales: &[f64], other: &Self) -> Option<Self> {
        let scaled = |x: &DVector<f64>| DVector::from_fn(x.len(), |j, _| x[j] / scales[j]);
        let chord = scaled(&(&other.x - &self.x));
        let length = chord.norm();
        let bend = (&self.tangent - &other.tangent) * (0.125 * length);
        let guess = DVector::from_fn(chord.len(), |j, _| 0.5 * (self.x[j] + other.x[j]) + bend[j] * scales[j]);
        let x = family.correct(&guess, scales).ok()?;
        if scaled(&(&x - &guess)).norm() > AMBIGUOUS * length {
            return None;
        }
        Self::new(family, x, scales, &chord.normalize()).ok()
    }

    /// dμ/ds.
    fn advance(&self) -> f64 {
        self.tangent[self.tangent.len() - 1]
    }
}

/// The kind of a special point, the point, and the way of the curve there.
pub(crate) type Special<K> = (<K as Curve>::Kind, <K as Curve>::Point, Way);

/// The special points between `flank` and `next`, which is a scaled length `step` further. `None` where `next` is on another branch: then
/// the points on both sides of a special point, or their tangents, are not near each other.
pub(crate) fn specials<K: Curve + ?Sized>(
    family: &K,
    scales: &[f64],
    flank: &Flank,
    next: &Flank,
    step: f64,
) -> Option<Vec<Special<K>>> {
    // The place and the point at which `holds` becomes true.
    let locate = |holds: &dyn Fn(&Flank) -> bool| {
        let ((before, after), place) = flank.bisect(family, scales, (next, step), holds);
        let gap = DVector::from_fn(scales.len(), |j, _| (after.x[j] - before.x[j]) / scales[j]).norm();
        (gap <= GAP * step && after.tangent.dot(&before.tangent) >= LEAST_COSINE).then_some((place, after))
    };
    let orientation = |at: &Flank| orientation(family, scales, at);
    let crossing = match (orientation(flank), orientation(next)) {
        (Some(before), Some(after)) if before != after => {
            Some(locate(&|at| orientation(at).is_some_and(|sign| sign != before))?)
        }
        _ => None,
    };
    let turn = match flank.advance() * next.advance() < 0.0 {
        true => Some(locate(&|at| at.advance() * flank.advance() <= 0.0)?),
        false => None,
    };
    // A branch that another crosses may turn back there as well, as one of a pitchfork does.
    let turn = turn
        .filter(|(turn, _)| crossing.as_ref().is_none_or(|(crossing, _)| (turn - crossing).abs() > SAME_PLACE * step));
    let mut found = Vec::new();
    for (kind, at) in [(K::FOLD, turn), (K::BRANCH_POINT, crossing)] {
        if let Some((place, at)) = at
            && let Ok(point) = family.point_at(&at.x)
        {
            found.push((place, (kind, point, at.way(scales))));
        }
    }
    found.extend(family.further(scales, flank, next, step));
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    Some(found.into_iter().map(|(_, special)| special).collect())
}

/// The sign of the determinant of F_x, F_μ and the tangent; `None` where it is not square, or vanishes along the whole branch.
fn orientation(family: &(impl Curve + ?Sized), scales: &[f64], at: &Flank) -> Option<bool> {
    let jacobian = family.scaled_jacobian(&at.x, scales).ok()?;
    let size = jacobian.ncols();
    if jacobian.nrows() + 1 != size {
        return None;
    }
    let bordered = DMatrix::from_fn(size, size, |i, j| if i + 1 < size { jacobian[(i, j)] } else { at.tangent[j] });
    let factors = bordered.full_piv_lu();
    let pivots = factors.u().diagonal().abs();
    (pivots.min() > SINGULAR * pivots.max()).then(|| factors.determinant() > 0.0)
}
