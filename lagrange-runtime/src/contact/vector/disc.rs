//! The minimum of a quadratic function over one disc.
//!
//! Source: J. J. Moré, D. C. Sorensen, *Computing a trust region step*, SIAM J. Sci. Stat. Comput. 4, 1983.

#[cfg(test)]
mod tests;

use super::super::laws::MAX_COMPONENTS;
use super::super::reduced::pivot;
use super::{Forces, Square};
use crate::scalar::Scalar;

/// The most of Newton's iterations for one disc. They converge monotonically, and a few suffice.
const ITERATIONS: u32 = 200;

/// The most rounds of Jacobi's rotations for one disc.
const ROTATIONS: u32 = 30;

/// The eigenvalues of a symmetric, positive semidefinite matrix A, and its eigenvectors as columns.
pub(super) struct Axes<R> {
    size: usize,
    values: Forces<R, MAX_COMPONENTS>,
    pub(super) vectors: Square<R, MAX_COMPONENTS>,
    largest: f64,
}

impl<R: Scalar> Axes<R> {
    /// Those of the first `size` rows and columns of A, by Jacobi's rotations.
    pub(super) fn of(size: usize, matrix: &Square<R, MAX_COMPONENTS>) -> Self {
        let mut a = *matrix;
        let mut vectors: Square<R, MAX_COMPONENTS> =
            core::array::from_fn(|i| core::array::from_fn(|j| if i == j { R::ONE } else { R::ZERO }));
        for _ in 0..ROTATIONS {
            let mut rotated = false;
            for p in 0..size {
                for q in p + 1..size {
                    let product = (a[p][p] * a[q][q]).to_f64().abs();
                    let (entry, twice) = (a[p][q], a[p][q] + a[p][q]);
                    if (entry * entry).to_f64() <= R::EPSILON * R::EPSILON * product || entry == R::ZERO {
                        continue;
                    }
                    rotated = true;
                    let ratio = (a[q][q] - a[p][p]) / twice;
                    let root = Scalar::sqrt(ratio * ratio + R::ONE);
                    let tangent =
                        if ratio.to_f64() < 0.0 { -(R::ONE / (root - ratio)) } else { R::ONE / (root + ratio) };
                    let cosine = R::ONE / Scalar::sqrt(tangent * tangent + R::ONE);
                    let sine = tangent * cosine;
                    let turn = |first: R, second: R| (cosine * first - sine * second, sine * first + cosine * second);
                    for row in a.iter_mut().take(size).chain(vectors.iter_mut().take(size)) {
                        (row[p], row[q]) = turn(row[p], row[q]);
                    }
                    let (first, second) = (a[p], a[q]);
                    for (column, (x, y)) in first.into_iter().zip(second).enumerate().take(size) {
                        (a[p][column], a[q][column]) = turn(x, y);
                    }
                }
            }
            if !rotated {
                break;
            }
        }
        let values: Forces<R, MAX_COMPONENTS> =
            core::array::from_fn(|j| if a[j][j].to_f64() > 0.0 { a[j][j] } else { R::ZERO });
        let largest = values.iter().take(size).fold(0.0_f64, |largest, value| largest.max(value.to_f64()));
        Self { size, values, vectors, largest }
    }

    /// Whether A is not 0 along axis `j`, to rounding.
    pub(super) fn is_free(&self, j: usize) -> bool {
        self.values[j].to_f64() > pivot::<R>() * self.largest
    }
}

/// The disc |x| ≤ b, over which ½ xᵀA x + gᵀx is made least.
pub(super) struct Disc<R> {
    /// A.
    matrix: Square<R, MAX_COMPONENTS>,
    axes: Axes<R>,
    bound: R,
}

impl<R: Scalar> Disc<R> {
    /// The disc of a bound and the first `size` rows and columns of A.
    pub(super) fn new(size: usize, matrix: Square<R, MAX_COMPONENTS>, bound: R) -> Self {
        Self { matrix, axes: Axes::of(size, &matrix), bound }
    }

    /// The x of the least value for the slope g, and whether |x| = b with a slope outward. Of several x the shortest is taken. `terms` is
    /// the sum of the magnitudes of the terms of g.
    pub(super) fn least(&self, slope: &Forces<R, MAX_COMPONENTS>, terms: f64) -> (Forces<R, MAX_COMPONENTS>, bool) {
        let Axes { size, values, vectors, .. } = &self.axes;
        let part = |j: usize| (0..*size).fold(R::ZERO, |sum, i| sum + vectors[i][j] * slope[i]);
        // Along an axis on which A is 0 to rounding, so is g: constraints or other frictions already hold that motion.
        let acts: [bool; MAX_COMPONENTS] = core::array::from_fn(|j| {
            j < *size && (self.axes.is_free(j) || part(j).to_f64().abs() > Scalar::sqrt(R::EPSILON) * terms)
        });
        let along: Forces<R, MAX_COMPONENTS> = core::array::from_fn(|j| if acts[j] { part(j) } else { R::ZERO });
        let at = |multiplier: R, power: u32| -> Forces<R, MAX_COMPONENTS> {
            core::array::from_fn(|j| match along[j] == R::ZERO {
                true => R::ZERO,
                false => (0..power).fold(-along[j], |x, _| x / (values[j] + multiplier)),
            })
        };
        let back = |x: &Forces<R, MAX_COMPONENTS>| -> Forces<R, MAX_COMPONENTS> {
            core::array::from_fn(|i| (0..*size).fold(R::ZERO, |sum, j| sum + vectors[i][j] * x[j]))
        };
        let dot = |a: &Forces<R, MAX_COMPONENTS>, b: &Forces<R, MAX_COMPONENTS>| {
            (0..*size).fold(R::ZERO, |sum, i| sum + a[i] * b[i])
        };
        let length = |x: &Forces<R, MAX_COMPONENTS>| Scalar::sqrt(dot(x, x));
        let mut x = at(R::ZERO, 1);
        // A comparison that is false for NaN.
        if length(&x).to_f64() <= self.bound.to_f64() {
            return (self.polished(&back(&x), None, slope, acts), false);
        }
        if self.bound.to_f64() <= 0.0 {
            return ([R::ZERO; MAX_COMPONENTS], true);
        }
        // No component of the solution is longer than b. From there, Newton's iteration for 1/|x(μ)| = 1/b with x(μ) = −(A + μ)⁻¹ g rises
        // to its solution.
        let mut multiplier = (0..*size).fold(R::ZERO, |least, j| {
            let needed = along[j].abs() / self.bound - values[j];
            if needed.to_f64() > least.to_f64() { needed } else { least }
        });
        for _ in 0..ITERATIONS {
            x = at(multiplier, 1);
            let excess = (length(&x) - self.bound) / self.bound;
            if excess.to_f64().abs() <= 4.0 * R::EPSILON {
                break;
            }
            multiplier += dot(&x, &x) / dot(&x, &at(multiplier, 2)) * excess;
        }
        let shorten = self.bound / length(&x);
        (self.polished(&back(&x).map(|entry| entry * shorten), Some(multiplier), slope, acts), true)
    }

    /// A step of Newton's iteration for (A + μ) x + g = 0 and, where μ is given, |x|² = b², from its solution to rounding, along the axes on
    /// which g acts. The step changes x by rounding. It gives a dual number its derivatives, which those of the axes and of the last μ
    /// lack: an iteration ends when its values are exact.
    fn polished(
        &self,
        x: &Forces<R, MAX_COMPONENTS>,
        multiplier: Option<R>,
        slope: &Forces<R, MAX_COMPONENTS>,
        acts: [bool; MAX_COMPONENTS],
    ) -> Forces<R, MAX_COMPONENTS> {
        if R::DERIVATIVE_ORDER == 0 {
            return *x;
        }
        let Axes { size, values, vectors, .. } = &self.axes;
        let sum_over = |term: &dyn Fn(usize) -> R| (0..*size).fold(R::ZERO, |sum, i| sum + term(i));
        let shift = multiplier.unwrap_or(R::ZERO);
        let residual: Forces<R, MAX_COMPONENTS> = core::array::from_fn(|i| {
            let own = slope[i] + shift * x[i];
            if i < *size { own + sum_over(&|l| self.matrix[i][l] * x[l]) } else { R::ZERO }
        });
        let along = |vector: &Forces<R, MAX_COMPONENTS>, j: usize| sum_over(&|i| vectors[i][j] * vector[i]);
        let over = |j: usize| if acts[j] { (values[j] + shift).recip() } else { R::ZERO };
        let towards: Forces<R, MAX_COMPONENTS> = core::array::from_fn(|j| -along(&residual, j) * over(j));
        let outwards: Forces<R, MAX_COMPONENTS> = core::array::from_fn(|j| along(x, j) * over(j));
        let change = multiplier.map_or(R::ZERO, |_| {
            let missing = (self.bound * self.bound - sum_over(&|i| x[i] * x[i])) / R::from_f64(2.0);
            let reached = sum_over(&|j| along(x, j) * towards[j]);
            (reached - missing) / sum_over(&|j| along(x, j) * outwards[j])
        });
        core::array::from_fn(|i| x[i] + sum_over(&|j| vectors[i][j] * (towards[j] - change * outwards[j])))
    }
}
