//! The rounding of equations, measured at points that differ in the last digits.

use super::Equations;
use nalgebra::{DMatrix, DVector};
use std::vec::Vec;

/// The number of points at which the rounding is measured.
pub(super) const SAMPLES: usize = 6;
/// The relative change of an unknown between these points: some hundred units in the last place. The
/// rounding of every operation differs then, and terms of second order are far below it.
pub(super) const SHAKE: f64 = 256.0 * f64::EPSILON;
/// The relative change of a quantity that is given: a few units in the last place, as if it were an unknown that is known to
/// rounding.
const GIVEN_SHAKE: f64 = 4.0 * f64::EPSILON;
/// A component of the residual is rounding if it is at most this multiple of the rounding that its terms have.
pub(crate) const ROUND_OFF: f64 = 64.0;
/// An entry of the Jacobian is rounding if it is at most this multiple of its measured scatter.
const SCATTER: f64 = 8.0;
/// An entry of the Jacobian is known if it exceeds this multiple of its measured scatter.
const KNOWN: f64 = 1e3;

/// Equations at a point, with their rounding.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// F.
    pub(crate) residual: DVector<f64>,
    /// ∂F/∂x.
    pub(crate) jacobian: DMatrix<f64>,
    /// The rounding of each component of F: what remains of F where its terms cancel. It is at least
    /// ε Σ |∂F/∂xⱼ xⱼ|, which the rounding of x causes.
    pub(crate) noise: DVector<f64>,
    /// The largest difference of each entry of ∂F/∂x between the points.
    pub(crate) scatter: DMatrix<f64>,
}

impl Measured {
    /// Evaluates the equations at x and at points around it. `reach` is the magnitude whose last digits
    /// differ, one for each unknown.
    pub(crate) fn at(problem: &impl Equations, x: &DVector<f64>, reach: &[f64]) -> Self {
        let (residual, jacobian) = problem.evaluate(x);
        let mut noise = &jacobian.abs() * x.abs() * f64::EPSILON;
        let mut scatter = DMatrix::zeros(jacobian.nrows(), jacobian.ncols());
        for sample in 0..SAMPLES {
            let near = DVector::from_fn(x.len(), |j, _| x[j] + SHAKE * part(sample, j) * reach[j]);
            let change = &near - x;
            let (other, slopes) = problem.evaluate_near(&near, &|index| 1.0 + GIVEN_SHAKE * part(sample, index));
            let bend = (other - &residual - &jacobian * change).abs();
            noise.zip_apply(&bend, |noise, bend| *noise = noise.max(bend));
            let difference = (slopes - &jacobian).abs();
            scatter.zip_apply(&difference, |scatter: &mut f64, difference| *scatter = scatter.max(difference));
        }
        Self { residual, jacobian, noise, scatter }
    }

    /// The magnitudes of the entries of ∂F/∂x that are not rounding; 0 for the others.
    pub(super) fn known(&self) -> DMatrix<f64> {
        self.jacobian
            .zip_map(&self.scatter, |entry, scatter| if entry.abs() > KNOWN * scatter { entry.abs() } else { 0.0 })
    }

    /// Sets the entries of ∂F/∂x to 0 that are rounding and were rounding at all earlier points. An entry
    /// of `known` is 0 there.
    pub(super) fn without_rounding(&mut self, known: &DMatrix<f64>) {
        for (entry, (scatter, known)) in self.jacobian.iter_mut().zip(self.scatter.iter().zip(known)) {
            if *known == 0.0 && entry.abs() <= SCATTER * scatter {
                *entry = 0.0;
            }
        }
    }
}

/// A number from −1 to 1 that differs between samples and unknowns, and is never near 0.
pub(super) fn part(sample: usize, unknown: usize) -> f64 {
    // Multiples of an irrational number are spread evenly.
    let spread = ((sample * 31 + unknown + 1) as f64 * 0.618_033_988_749_895).fract() - 0.5;
    spread + 0.5_f64.copysign(spread)
}

/// The largest of each unknown's magnitude and its distance from the start.
pub(super) fn scales(x: &DVector<f64>, moved: &[f64]) -> Vec<f64> {
    x.iter().zip(moved).map(|(x, moved)| x.abs().max(*moved)).collect()
}
