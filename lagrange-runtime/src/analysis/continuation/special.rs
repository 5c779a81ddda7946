//! Folds, branch points and Hopf points between two points of a branch.

use super::family::Family;
use super::{Bifurcation, BranchPoint, SpecialPoint};
use crate::analysis::AnalysisError;
use crate::system::Mechanism;
use nalgebra::{Complex, DMatrix, DVector};
use std::vec::Vec;

/// The number of times that an interval is halved. Its length is then below the rounding.
const HALVINGS: usize = 50;
/// An imaginary part below this fraction of the largest eigenvalue belongs to a real eigenvalue.
const REAL: f64 = 1e-6;
/// A real part below this fraction of the largest eigenvalue counts as 0.
const AXIS: f64 = 1e-7;

/// A point of a branch with its tangent.
#[derive(Clone, Debug)]
pub(crate) struct Flank {
    pub(crate) x: DVector<f64>,
    pub(crate) tangent: DVector<f64>,
}

impl Flank {
    pub(crate) fn new<M, const N: usize, const C: usize, const U: usize>(
        family: &Family<M, N, C, U>,
        x: DVector<f64>,
        scales: &[f64],
        direction: &DVector<f64>,
    ) -> Result<Self, AnalysisError>
    where
        M: Mechanism<N, C, U>,
    {
        let tangent = family.tangent(&x, scales, direction)?;
        Ok(Self { x, tangent })
    }

    /// The point a scaled length `step` further.
    pub(crate) fn ahead<M, const N: usize, const C: usize, const U: usize>(
        &self,
        family: &Family<M, N, C, U>,
        scales: &[f64],
        step: f64,
    ) -> Result<Self, AnalysisError>
    where
        M: Mechanism<N, C, U>,
    {
        let guess = DVector::from_fn(self.x.len(), |k, _| self.x[k] + step * self.tangent[k] * scales[k]);
        let x = family.correct(&guess, scales)?;
        Self::new(family, x, scales, &self.tangent)
    }

    /// The first point within `step` for which `holds` is true, though it is false here.
    pub(crate) fn bisect<M, const N: usize, const C: usize, const U: usize>(
        &self,
        family: &Family<M, N, C, U>,
        scales: &[f64],
        step: f64,
        holds: impl Fn(&Self) -> bool,
    ) -> Option<Self>
    where
        M: Mechanism<N, C, U>,
    {
        let (mut low, mut high, mut found) = (0.0, step, None);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            // A point that cannot be found, such as a branch point itself, counts as one where `holds` is false.
            match self.ahead(family, scales, middle) {
                Ok(flank) if holds(&flank) => {
                    high = middle;
                    found = Some(flank);
                }
                _ => low = middle,
            }
            if high - low <= 1e-13 * step {
                break;
            }
        }
        found.or_else(|| self.ahead(family, scales, high).ok())
    }

    /// dμ/ds.
    fn advance(&self) -> f64 {
        self.tangent[self.tangent.len() - 1]
    }
}

/// The special points between `flank` and `next`, which is a scaled length `step` further.
pub(crate) fn specials<M, const N: usize, const C: usize, const U: usize>(
    family: &Family<M, N, C, U>,
    scales: &[f64],
    flank: &Flank,
    next: &Flank,
    step: f64,
) -> Vec<SpecialPoint<N, C, U>>
where
    M: Mechanism<N, C, U>,
{
    let mut found = Vec::new();
    let mut locate = |kind: &dyn Fn(&BranchPoint<N, C, U>) -> Bifurcation, holds: &dyn Fn(&Flank) -> bool| {
        if let Some(at) = flank.bisect(family, scales, step, holds)
            && let Ok(point) = family.point_at(&at.x)
        {
            found.push(SpecialPoint { kind: kind(&point), point });
        }
    };
    if flank.advance() * next.advance() < 0.0 {
        locate(&|_| Bifurcation::Fold, &|at| at.advance() * flank.advance() <= 0.0);
    }
    let orientation = |at: &Flank| orientation(family, scales, at);
    if let (Some(before), Some(after)) = (orientation(flank), orientation(next))
        && before != after
    {
        locate(&|_| Bifurcation::BranchPoint, &|at| orientation(at).is_some_and(|sign| sign != before));
    }
    let spectrum = |at: &Flank| family.point_at(&at.x).map(|point| point.eigenvalues).unwrap_or_default();
    let (before, after) = (spectrum(flank), spectrum(next));
    let count = growing(&before, AXIS).len();
    // A pair that becomes two real eigenvalues has not crossed the axis.
    if count != growing(&after, AXIS).len() && unstable(&before) != unstable(&after) {
        // Where no pair stays on the axis, no margin for rounding is needed.
        let off_axis = |values: &[Complex<f64>]| pairs(values).all(|value| value.re.abs() > AXIS * largest(values));
        let margin = if off_axis(&before) && off_axis(&after) { 0.0 } else { AXIS };
        let frequency = |point: &BranchPoint<N, C, U>| {
            let nearest = pairs(&point.eigenvalues).min_by(|a, b| a.re.abs().total_cmp(&b.re.abs()));
            Bifurcation::Hopf { frequency: nearest.map_or(0.0, |value| value.im) }
        };
        locate(&frequency, &|at| growing(&spectrum(at), margin).len() != count);
    }
    found
}

/// The magnitude of the largest eigenvalue.
fn largest(eigenvalues: &[Complex<f64>]) -> f64 {
    eigenvalues.iter().fold(0.0, |largest, value| largest.max(value.norm()))
}

/// One of each pair of complex eigenvalues.
fn pairs(eigenvalues: &[Complex<f64>]) -> impl Iterator<Item = Complex<f64>> + '_ {
    let least = REAL * largest(eigenvalues);
    eigenvalues.iter().copied().filter(move |value| value.im > least)
}

/// The pairs whose real part is larger than this fraction of the largest eigenvalue.
fn growing(eigenvalues: &[Complex<f64>], margin: f64) -> Vec<Complex<f64>> {
    let least = margin * largest(eigenvalues);
    pairs(eigenvalues).filter(|value| value.re > least).collect()
}

/// The number of eigenvalues with positive real parts.
fn unstable(eigenvalues: &[Complex<f64>]) -> usize {
    let least = AXIS * largest(eigenvalues);
    eigenvalues.iter().filter(|value| value.re > least).count()
}

/// The sign of the determinant of F_x, F_μ and the tangent; `None` where it is not square, or vanishes along the whole branch.
fn orientation<M, const N: usize, const C: usize, const U: usize>(
    family: &Family<M, N, C, U>,
    scales: &[f64],
    at: &Flank,
) -> Option<bool>
where
    M: Mechanism<N, C, U>,
{
    let jacobian = family.scaled_jacobian(&at.x, scales).ok()?;
    let size = jacobian.ncols();
    if jacobian.nrows() + 1 != size {
        return None;
    }
    let bordered = DMatrix::from_fn(size, size, |i, j| if i + 1 < size { jacobian[(i, j)] } else { at.tangent[j] });
    let determinant = bordered.full_piv_lu().determinant();
    (determinant.abs() > 1e-14).then_some(determinant > 0.0)
}
