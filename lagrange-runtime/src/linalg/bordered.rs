//! Solutions of M x − Gᵀμ = r, G x = s: a symmetric matrix bordered by constraints.
//!
//! If M and G M⁻¹ Gᵀ are safely positive definite, μ is computed from G M⁻¹ Gᵀ. Otherwise an orthogonal factorisation of Gᵀ
//! splits x into a part that G determines and a free part. This way needs M to be regular on the free part only.
//!
//! Source: M. Benzi, G. H. Golub, J. Liesen, *Numerical solution of saddle point problems*, Acta Numerica 14, 2005, 5 and 6.

use super::ldlt::Ldlt;
use super::orthogonal::PivotedQr;
use super::{relative_threshold, solve_symmetric};
use crate::error::PivotOf;
use crate::scalar::Scalar;
use nalgebra::{SMatrix, SVector};

/// The reason why a bordered matrix is singular.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Singular {
    /// A motion that the constraints allow has no inertia.
    Coordinate {
        /// The coordinate that moves most in it.
        coordinate: usize,
        /// The pivot that vanished.
        pivot: f64,
    },
    /// A constraint depends on the other constraints.
    Constraint {
        /// The row of the constraint.
        constraint: usize,
        /// The part of the row that is independent of the other rows, relative to the norm of the row.
        remainder: f64,
    },
}

/// Returns the solution (x, μ) of M x − Gᵀμ = `right`, G x = `prescribed`, for a symmetric M.
///
/// Scalars of several lanes use only M⁻¹ and (G M⁻¹ Gᵀ)⁻¹. A lane in which these fail is NaN.
///
/// # Errors
/// [`Singular`], for scalars of one lane only. Matrices that are not finite give solutions that are not finite.
#[inline]
pub(crate) fn solve<R: Scalar, const N: usize, const C: usize, const K: usize>(
    matrix: &SMatrix<R, N, N>,
    border: &SMatrix<R, C, N>,
    right: &SMatrix<R, N, K>,
    prescribed: &SMatrix<R, C, K>,
) -> Result<(SMatrix<R, N, K>, SMatrix<R, C, K>), Singular> {
    match definite(matrix, border, right, prescribed) {
        Some(solution) => Ok(solution),
        None => Ok(NullSpace::new(matrix, border)?.solve(right, prescribed)),
    }
}

/// Like [`solve`], but leaves out rows of which at most the fraction `tolerance` is independent of others. Their multipliers are 0.
///
/// # Errors
/// [`Singular::Coordinate`].
pub(crate) fn solve_independent<R: Scalar, const N: usize, const C: usize, const K: usize>(
    matrix: &SMatrix<R, N, N>,
    border: &SMatrix<R, C, N>,
    right: &SMatrix<R, N, K>,
    prescribed: &SMatrix<R, C, K>,
    tolerance: f64,
) -> Result<(SMatrix<R, N, K>, SMatrix<R, C, K>), Singular> {
    match definite(matrix, border, right, prescribed) {
        Some(solution) => Ok(solution),
        None => Ok(NullSpace::of_independent(matrix, border, tolerance)?.solve(right, prescribed)),
    }
}

/// Returns the solution by M⁻¹ and (G M⁻¹ Gᵀ)⁻¹, or `None` if one of these matrices is not safely positive definite.
fn definite<R: Scalar, const N: usize, const C: usize, const K: usize>(
    matrix: &SMatrix<R, N, N>,
    border: &SMatrix<R, C, N>,
    right: &SMatrix<R, N, K>,
    prescribed: &SMatrix<R, C, K>,
) -> Option<(SMatrix<R, N, K>, SMatrix<R, C, K>)> {
    let safe = |smallest: f64| R::LANES > 1 || smallest.is_nan() || smallest >= Scalar::sqrt(R::EPSILON);
    let mass = Ldlt::new(matrix).ok().filter(|mass| safe(mass.small_pivots(matrix)))?;
    let columns = SMatrix::<R, N, C>::from_fn(|i, k| border[(k, i)]);
    let spread = mass.solve(&columns);
    let free = mass.solve(right);
    let schur =
        SMatrix::<R, C, C>::from_fn(|k, l| (0..N).fold(R::ZERO, |sum, i| sum + border[(k, i)] * spread[(i, l)]));
    let missing = SMatrix::<R, C, K>::from_fn(|k, j| {
        (0..N).fold(prescribed[(k, j)], |rest, i| rest - border[(k, i)] * free[(i, j)])
    });
    let multipliers = Ldlt::new(&schur).ok().filter(|factors| safe(factors.small_pivots(&schur)))?.solve(&missing);
    let solution = SMatrix::<R, N, K>::from_fn(|i, j| {
        (0..C).fold(free[(i, j)], |sum, k| sum + spread[(i, k)] * multipliers[(k, j)])
    });
    Some((solution, multipliers))
}

/// The matrix in rotated coordinates. The constraints determine the first of them, and the others are free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NullSpace<R: Scalar, const N: usize, const C: usize> {
    border: PivotedQr<R, N, C>,
    /// The rotated matrix Qᵀ M Q.
    rotated: SMatrix<R, N, N>,
    /// The free block of the rotated matrix, with ones on the diagonal of the other rows.
    free: SMatrix<R, N, N>,
}

impl<R: Scalar, const N: usize, const C: usize> NullSpace<R, N, C> {
    /// Factors the matrix. M must be symmetric.
    ///
    /// # Errors
    /// [`Singular`].
    pub(crate) fn new(matrix: &SMatrix<R, N, N>, border: &SMatrix<R, C, N>) -> Result<Self, Singular> {
        let border = Self::border(border, 0.0);
        match border.dependent().next() {
            Some(constraint) => Err(Singular::Constraint { constraint, remainder: border.remainder() }),
            None => Self::factor(matrix, border),
        }
    }

    /// Factors the matrix without the rows that depend on others.
    ///
    /// # Errors
    /// [`Singular::Coordinate`].
    fn of_independent(matrix: &SMatrix<R, N, N>, border: &SMatrix<R, C, N>, tolerance: f64) -> Result<Self, Singular> {
        Self::factor(matrix, Self::border(border, tolerance))
    }

    fn border(border: &SMatrix<R, C, N>, tolerance: f64) -> PivotedQr<R, N, C> {
        let columns = SMatrix::<R, N, C>::from_fn(|i, k| border[(k, i)]);
        PivotedQr::new(&columns, tolerance.max(8.0 * relative_threshold::<R>(N + C)))
    }

    fn factor(matrix: &SMatrix<R, N, N>, border: PivotedQr<R, N, C>) -> Result<Self, Singular> {
        // Computes Qᵀ M Q: rotates the columns, transposes, and rotates the columns again.
        let half = border.rotate(*matrix);
        let rotated = border.rotate(SMatrix::from_fn(|i, j| half[(j, i)]));
        let rank = border.rank();
        let noise = noise(&border, matrix);
        let free = SMatrix::from_fn(|i, j| match (i >= rank && j >= rank, i == j) {
            (true, _) if rotated[(i, j)].to_f64().abs() <= noise[(i, j)] => R::ZERO,
            (true, _) => rotated[(i, j)],
            (false, true) => R::ONE,
            (false, false) => R::ZERO,
        });
        let factors = Self { border, rotated, free };
        factors.check()?;
        Ok(factors)
    }

    /// Checks that the free block is regular.
    fn check(&self) -> Result<(), Singular> {
        let Err(singular) = solve_symmetric(&self.free, SVector::<R, N>::repeat(R::ZERO)) else { return Ok(()) };
        // The motion without inertia is the one that a slightly shifted matrix magnifies most.
        let scale = self.free.iter().fold(0.0, |largest: f64, entry| largest.max(entry.to_f64().abs()));
        let shift = R::from_f64(scale.max(f64::MIN_POSITIVE) * Scalar::sqrt(R::EPSILON));
        let shifted =
            SMatrix::<R, N, N>::from_fn(|i, j| if i == j { self.free[(i, j)] + shift } else { self.free[(i, j)] });
        let pushed =
            SVector::<R, N>::from_fn(|i, _| if singular.of == PivotOf::Coordinate(i) { R::ONE } else { R::ZERO });
        let motion = solve_symmetric(&shifted, pushed).unwrap_or(pushed);
        let motion = self.border.rotate_back(motion);
        let mut coordinate = 0;
        for i in 1..N {
            if motion[i].to_f64().abs() > motion[coordinate].to_f64().abs() {
                coordinate = i;
            }
        }
        Err(Singular::Coordinate { coordinate, pivot: singular.pivot })
    }

    /// Returns the solution (x, μ) of M x − Gᵀμ = `right`, G x = `prescribed`.
    #[must_use]
    pub(crate) fn solve<const K: usize>(
        &self,
        right: &SMatrix<R, N, K>,
        prescribed: &SMatrix<R, C, K>,
    ) -> (SMatrix<R, N, K>, SMatrix<R, C, K>) {
        let rank = self.border.rank();
        let right = self.border.rotate(*right);
        let fixed = self.border.leading(prescribed);
        let pushed = SMatrix::<R, N, K>::from_fn(|i, j| match i < rank {
            true => fixed[(i, j)],
            false => (0..rank).fold(right[(i, j)], |rest, k| rest - self.rotated[(i, k)] * fixed[(k, j)]),
        });
        let solution = solve_symmetric(&self.free, pushed).unwrap_or_else(|_| SMatrix::repeat(R::from_f64(f64::NAN)));
        let reaction = SMatrix::<R, N, K>::from_fn(|i, j| {
            (0..N).fold(-right[(i, j)], |sum, k| sum + self.rotated[(i, k)] * solution[(k, j)])
        });
        (self.border.rotate_back(solution), self.border.basic(&reaction))
    }
}

/// Returns the bound on the rounding error of an entry of Qᵀ M Q that vanishes: N·ε·|Q|ᵀ|M||Q|.
fn noise<R: Scalar, const N: usize, const C: usize>(
    border: &PivotedQr<R, N, C>,
    matrix: &SMatrix<R, N, N>,
) -> SMatrix<f64, N, N> {
    let unit = SMatrix::<R, N, N>::from_fn(|i, j| if i == j { R::ONE } else { R::ZERO });
    let rotation = border.rotate_back(unit).map(|entry| entry.to_f64().abs());
    let spread = SMatrix::<f64, N, N>::from_fn(|i, j| {
        (0..N).map(|k| matrix[(i, k)].to_f64().abs() * rotation[(k, j)]).sum::<f64>()
    });
    SMatrix::from_fn(|i, j| relative_threshold::<R>(N) * (0..N).map(|k| rotation[(k, i)] * spread[(k, j)]).sum::<f64>())
}

impl Singular {
    /// Returns the failure with the name of the constraint.
    pub(crate) fn named(self, constraints: &[&'static str]) -> crate::error::SingularMass {
        match self {
            Self::Coordinate { coordinate, pivot } => crate::error::SingularMass::at(coordinate, pivot),
            Self::Constraint { constraint, remainder } => {
                crate::error::SingularMass::of_constraint(constraint, constraints, remainder)
            }
        }
    }
}

#[cfg(test)]
mod tests;
