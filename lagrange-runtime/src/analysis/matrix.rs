//! Calls of nalgebra's decompositions that end without a panic for every matrix.

use super::AnalysisError;
use super::eigenvalues::eigenvalues_within;
use nalgebra::{Complex, DMatrix, DVector, SMatrix, SVD, Schur, SymmetricEigen};
use std::string::ToString;
use std::vec::Vec;

/// The largest number of iterations of a decomposition. Usually two or three for each row are enough.
const MAX_ITERATIONS: usize = 20_000;

/// The squares of singular values have an error of about this many roundings of the largest square, times the size of the matrix.
const ROUNDINGS: f64 = 16.0;

/// A matrix of fixed size as one of dynamic size.
pub(crate) fn dense<const I: usize, const J: usize>(matrix: &SMatrix<f64, I, J>) -> DMatrix<f64> {
    DMatrix::from_fn(I, J, |i, j| matrix[(i, j)])
}

/// Checks that all entries are finite.
///
/// # Errors
/// [`AnalysisError::NotFinite`] with the name.
pub(crate) fn finite(name: &str, matrix: &DMatrix<f64>) -> Result<(), AnalysisError> {
    match matrix.iter().all(|entry| entry.is_finite()) {
        true => Ok(()),
        false => Err(AnalysisError::NotFinite { quantity: name.to_string() }),
    }
}

/// Checks that a matrix has this size and is finite.
///
/// # Errors
/// [`AnalysisError::Shape`] and [`AnalysisError::NotFinite`] with the name.
pub(crate) fn shaped(name: &str, matrix: &DMatrix<f64>, expected: (usize, usize)) -> Result<(), AnalysisError> {
    if matrix.shape() != expected {
        return Err(AnalysisError::shape(name, expected, matrix.shape()));
    }
    finite(name, matrix)
}

/// The eigenvalues of a square matrix, those of larger real part first.
///
/// # Errors
/// Those of [`eigenvalues_within`].
pub(crate) fn eigenvalues(matrix: &DMatrix<f64>) -> Result<Vec<Complex<f64>>, AnalysisError> {
    Ok(eigenvalues_within(matrix, &matrix.abs())?.into_iter().map(|found| found.value).collect())
}

/// The eigenvalues of a balanced matrix from Schur's decomposition, in the order of its diagonal.
///
/// # Errors
/// [`AnalysisError::NotConverged`] where the QR iteration does not end.
pub(crate) fn schur_values(matrix: &DMatrix<f64>) -> Result<Vec<Complex<f64>>, AnalysisError> {
    Ok(blocks(&schur(matrix)?))
}

/// The quasi-triangular factor of Schur's decomposition.
fn schur(matrix: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    let size = matrix.nrows();
    // The iteration may cycle, for example on permutation matrices. A reflection ends the cycle.
    let reflection = DMatrix::from_fn(size, size, |i, j| {
        let unit = |k: usize| 1.0 + (k as f64) / (size as f64);
        let square: f64 = (0..size).map(|k| unit(k) * unit(k)).sum();
        f64::from(u8::from(i == j)) - 2.0 * unit(i) * unit(j) / square
    });
    [matrix.clone(), &reflection * matrix * &reflection]
        .into_iter()
        .find_map(|matrix| Schur::try_new(matrix, f64::EPSILON, MAX_ITERATIONS))
        .map(|schur| schur.unpack().1)
        .ok_or(AnalysisError::NotConverged {
            sought: "Schur form",
            iterations: MAX_ITERATIONS as u32,
            worst: "a subdiagonal entry".to_string(),
            residual: matrix.norm(),
            remedy: "scale the states so that the entries of the matrix are of like size",
        })
}

/// The eigenvalues of the blocks on the diagonal, of size 1 and 2.
fn blocks(triangular: &DMatrix<f64>) -> Vec<Complex<f64>> {
    let size = triangular.nrows();
    let mut values = Vec::with_capacity(size);
    let mut row = 0;
    while row < size {
        if row + 1 == size || triangular[(row + 1, row)] == 0.0 {
            values.push(Complex::new(triangular[(row, row)], 0.0));
            row += 1;
            continue;
        }
        let (a, d) = (triangular[(row, row)], triangular[(row + 1, row + 1)]);
        let (mean, half) = (0.5 * (a + d), 0.5 * (a - d));
        let discriminant = half * half + triangular[(row, row + 1)] * triangular[(row + 1, row)];
        let root = discriminant.abs().sqrt();
        let shift = if discriminant < 0.0 { Complex::new(0.0, root) } else { Complex::new(root, 0.0) };
        values.push(Complex::new(mean, 0.0) + shift);
        values.push(Complex::new(mean, 0.0) - shift);
        row += 2;
    }
    values
}

/// The squares of the singular values in rising order, and the right singular vectors, one column each.
///
/// # Errors
/// [`AnalysisError::NotFinite`], [`AnalysisError::NotConverged`].
pub(crate) fn least_directions(matrix: &DMatrix<f64>) -> Result<(Vec<f64>, DMatrix<f64>), AnalysisError> {
    finite("the matrix of a linear system", matrix)?;
    let size = matrix.ncols();
    if matrix.is_empty() {
        return Ok((std::vec![0.0; size], DMatrix::identity(size, size)));
    }
    let eigen = SymmetricEigen::try_new(matrix.transpose() * matrix, f64::EPSILON, MAX_ITERATIONS)
        .ok_or_else(|| no_singular_values(matrix.norm()))?;
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
    let squares = order.iter().map(|&k| eigen.eigenvalues[k]).collect();
    Ok((squares, eigen.eigenvectors.select_columns(&order)))
}

/// An orthonormal basis of the x with `matrix` x = 0 up to rounding, one column each. The rows should have like lengths: a row far below the
/// longest counts as 0.
///
/// # Errors
/// Those of [`least_directions`].
pub(crate) fn null_space(matrix: &DMatrix<f64>) -> Result<DMatrix<f64>, AnalysisError> {
    let (squares, directions) = least_directions(matrix)?;
    let largest = squares.last().copied().unwrap_or(0.0);
    let rounding = ROUNDINGS * f64::EPSILON * matrix.nrows().max(matrix.ncols()) as f64 * largest;
    let dimension = squares.iter().take_while(|square| **square <= rounding).count();
    Ok(directions.columns(0, dimension).into_owned())
}

/// The X with matrix X = right. `None` for a singular matrix.
pub(crate) fn solved(matrix: DMatrix<f64>, right: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    // nalgebra's factors of a matrix without entries overflow.
    if matrix.is_empty() { Some(right.clone()) } else { matrix.full_piv_lu().solve(right) }
}

/// The singular values of a real or complex matrix.
///
/// # Errors
/// [`AnalysisError::NotFinite`], [`AnalysisError::NotConverged`].
pub(crate) fn singular_values<T>(matrix: &DMatrix<T>) -> Result<DVector<f64>, AnalysisError>
where
    T: nalgebra::ComplexField<RealField = f64>,
{
    finite("the matrix of a linear system", &matrix.map(nalgebra::ComplexField::modulus))?;
    if matrix.is_empty() {
        return Ok(DVector::zeros(0));
    }
    SVD::try_new(matrix.clone(), false, false, f64::EPSILON, MAX_ITERATIONS)
        .map(|factors| factors.singular_values)
        .ok_or_else(|| no_singular_values(matrix.norm()))
}

/// The X of least norm that minimises |matrix X − right|. Singular values below `tolerance` times the largest count as 0.
///
/// # Errors
/// [`AnalysisError::NotFinite`] for a matrix that is not finite; [`AnalysisError::NotConverged`].
pub(crate) fn solve_least_squares(
    matrix: &DMatrix<f64>,
    right: &DMatrix<f64>,
    tolerance: f64,
) -> Result<DMatrix<f64>, AnalysisError> {
    finite("the matrix of a linear system", matrix)?;
    finite("the right side of a linear system", right)?;
    if matrix.is_empty() || right.is_empty() {
        return Ok(DMatrix::zeros(matrix.ncols(), right.ncols()));
    }
    let failed = || no_singular_values(matrix.norm());
    let factors = SVD::try_new(matrix.clone(), true, true, f64::EPSILON, MAX_ITERATIONS).ok_or_else(failed)?;
    let largest = factors.singular_values.iter().fold(0.0_f64, |largest, value| largest.max(*value));
    factors.solve(right, (tolerance * largest).max(f64::MIN_POSITIVE)).map_err(|_| failed())
}

/// A singular value decomposition.
pub(crate) struct Singular {
    left: DMatrix<f64>,
    values: Vec<f64>,
    right: DMatrix<f64>,
}

impl Singular {
    /// The decomposition of a matrix.
    ///
    /// # Errors
    /// [`AnalysisError::NotFinite`], [`AnalysisError::NotConverged`].
    pub(crate) fn of(matrix: &DMatrix<f64>) -> Result<Self, AnalysisError> {
        finite("the matrix of a linear system", matrix)?;
        let empty = || Self {
            left: DMatrix::zeros(matrix.nrows(), 0),
            values: Vec::new(),
            right: DMatrix::zeros(0, matrix.ncols()),
        };
        if matrix.is_empty() {
            return Ok(empty());
        }
        let failed = || no_singular_values(matrix.norm());
        let factors = SVD::try_new(matrix.clone(), true, true, f64::EPSILON, MAX_ITERATIONS).ok_or_else(failed)?;
        let values = factors.singular_values.iter().copied().collect();
        match (factors.u, factors.v_t) {
            (Some(left), Some(right)) => Ok(Self { left, values, right }),
            _ => Err(failed()),
        }
    }

    /// The singular values.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The parts of a vector along the left singular vectors.
    pub(crate) fn parts(&self, vector: &DVector<f64>) -> DVector<f64> {
        self.left.transpose() * vector
    }

    /// The x of least norm that minimises |matrix x − right|, with the singular values that do not count set to 0.
    pub(crate) fn solve(&self, right: &DVector<f64>, counts: &[bool]) -> DVector<f64> {
        let mut parts = self.parts(right);
        for (part, (value, counts)) in parts.iter_mut().zip(self.values.iter().zip(counts)) {
            *part = if *counts { *part / value } else { 0.0 };
        }
        self.right.transpose() * parts
    }
}

fn no_singular_values(residual: f64) -> AnalysisError {
    AnalysisError::NotConverged {
        sought: "singular value decomposition",
        iterations: MAX_ITERATIONS as u32,
        worst: "an off-diagonal entry".to_string(),
        residual,
        remedy: "scale the coordinates so that the entries of the matrix are of like size",
    }
}
