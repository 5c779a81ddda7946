//! Hopf points between two points of a branch of equilibria.

use super::Bifurcation;
use super::curve::Curve;
use super::family::Family;
use super::special::{Flank, Special};
use crate::system::Mechanism;
use nalgebra::Complex;
use std::vec::Vec;

/// An imaginary part below this fraction of the largest eigenvalue belongs to a real eigenvalue.
const REAL: f64 = 1e-6;
/// A real part below this fraction of the largest eigenvalue counts as 0.
const AXIS: f64 = 1e-7;

/// The Hopf point between `flank` and `next`, with its place.
pub(crate) fn flutter<M, const N: usize, const C: usize, const U: usize>(
    family: &Family<M, N, C, U>,
    scales: &[f64],
    flank: &Flank,
    next: &Flank,
    step: f64,
) -> Option<(f64, Special<Family<M, N, C, U>>)>
where
    M: Mechanism<N, C, U>,
{
    let spectrum = |at: &Flank| family.point_at(&at.x).map(|point| point.eigenvalues).unwrap_or_default();
    let (before, after) = (spectrum(flank), spectrum(next));
    let count = growing(&before, AXIS).len();
    // A pair that becomes two real eigenvalues has not crossed the axis.
    if count == growing(&after, AXIS).len() || unstable(&before) == unstable(&after) {
        return None;
    }
    // Where no pair stays on the axis, no margin for rounding is needed.
    let off_axis = |values: &[Complex<f64>]| pairs(values).all(|value| value.re.abs() > AXIS * largest(values));
    let margin = if off_axis(&before) && off_axis(&after) { 0.0 } else { AXIS };
    let crosses = |at: &Flank| growing(&spectrum(at), margin).len() != count;
    let ((_, at), place) = flank.bisect(family, scales, (next, step), crosses);
    let point = family.point_at(&at.x).ok()?;
    let nearest = pairs(&point.eigenvalues).min_by(|a, b| a.re.abs().total_cmp(&b.re.abs()));
    let kind = Bifurcation::Hopf { frequency: nearest.map_or(0.0, |value| value.im) };
    Some((place, (kind, point, at.way(scales))))
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
